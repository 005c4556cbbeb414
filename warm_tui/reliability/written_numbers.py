"""Numbers as people write them into a filter: as a column shows them, or as they are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from warm_tui.errors import Trouble
from warm_tui.reliability.bounds import BOUNDS_OF

Kind: TypeAlias = Literal["rate", "change", "time", "count", "amount"]
CHANGES = ("proficiency_gain", "adjusted_gain")
TIMES = ("age", "duration_seconds")
AMOUNTS = ("cost_usd", "auxiliary_cost_usd")
_LARGE = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
UNITS: Mapping[Kind, Mapping[str, float]] = {
    "rate": {"": 1.0, "%": 0.01},
    "change": {"": 1.0, "%": 0.01, "pp": 0.01},
    "time": {
        "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0, "y": 31_557_600.0,
    },
    "count": _LARGE,
    "amount": _LARGE,
}  # fmt: skip
EXAMPLES: Mapping[Kind, str] = {
    "rate": "10% or 0.1", "change": "-5pp or -0.05", "time": "90s, 3.5min, 2h or 7d", "count": "30, 50k or 1.2M",
    "amount": "0.5 or $1.20",
}  # fmt: skip
SHOWN: Mapping[Kind, float] = {"rate": 0.0005, "change": 0.0005, "amount": 0.005}
"""Half of the last place that a column has."""
ROUNDING = 1e-9
LONGEST = 40
"""What is longer is no number that anybody wrote, and may be one without end for us."""
_NUMBER = re.compile(r"(?P<number>[-+]?\$?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.(?P<places>\d+))?)(?P<unit>[A-Za-z%]*)")


class Written(NamedTuple):
    number: float
    within: float
    """How far from it a value may be that is shown as it."""


def kind_of(field: str) -> Kind:
    """What a field of a profile is shown as."""
    if field in CHANGES:
        return "change"
    if field in BOUNDS_OF or field.startswith("error_rate"):
        return "rate"
    return "time" if field in TIMES else "amount" if field in AMOUNTS else "count"


def read_written(name: str, sign: str, text: str, kind: Kind) -> Written:
    """Or say in one sentence what would be right."""
    match = _NUMBER.fullmatch(text)
    factor = UNITS[kind].get(match["unit"].lower()) if match else None
    digits = match["number"].replace(",", "") if match else ""
    is_none = match is None or len(text) > LONGEST or not digits.strip("+-$") or ("$" in digits and kind != "amount")
    if is_none or match is None or factor is None:
        example = EXAMPLES[kind].split()[0].rstrip(",")
        raise Trouble(f"{text[:LONGEST]!r} is not a number to compare {name} with: write {name}{sign}{example}"
                      f" ({EXAMPLES[kind]}).")  # fmt: skip
    number = float(digits.replace("$", "")) * factor
    if kind in ("rate", "change"):
        # Beyond 1, a share can only be meant in percent.
        is_share = not match["unit"] and abs(number) <= 1
        number, factor = (number, 1.0) if is_share or match["unit"] else (number * 0.01, 0.01)
        if problem := _beyond(name, sign, text, number, is_rate=kind == "rate", is_share=is_share):
            raise Trouble(problem)
    half = 0.5 * factor / 10 ** len(match["places"] or "") if factor != 1 or kind == "time" else 0.0
    return Written(number, max(half, SHOWN.get(kind, 0.0)) + ROUNDING * abs(number))


def _beyond(name: str, sign: str, text: str, number: float, *, is_rate: bool, is_share: bool) -> str:
    """What no rate can be, and so finds nothing, or everything."""
    said, example = f"{name}{sign}{text}", EXAMPLES["rate" if is_rate else "change"].split()[0]
    if is_rate and number < 0:
        return f"{said}: a rate is never below 0%; write {name}{sign}{text.lstrip('-')}."
    if abs(number) > 1:
        return f"{said}: that is more than 100%; write it like {name}{sign}{example}."
    if (sign, number) in ((">", 1), ("<", -1)):
        what, meant = ("1", f"{name}{sign}{text}%, or ") if is_share else ("that", "")
        return f"{said}: {what} is 100%, and nothing is beyond that; write {meant}{name}{sign}={text}."
    return ""
