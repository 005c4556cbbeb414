"""Which arms are to be compared, and the comparison that was made of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.comparisons.compare import Comparison, Pairing
from warm_tui.errors import Trouble
from warm_tui.library.overrides import Override

Kind: TypeAlias = Literal["marks", "filters", "template", "sessions", "experiment"]
Dealt: TypeAlias = Literal["randomised", "observational"]
"""How sessions came to their arms: by lot, or as it happened, so that what differs may be the work."""


class ComparisonSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which arms are wanted. Kept with a saved comparison, so that it can be made again."""

    kind: Kind
    warm_filter: str = ""
    cold_filter: str = ""
    template: str = ""
    warm: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    pairing: Pairing = "auto"
    without_sources: bool = False
    experiment: int = 0
    rule: int = 0
    """Of a template: only the sessions that this rule of a trial has drawn."""
    facts: dict[str, tuple[str, bool | None]] = {}
    """By session: its task, and whether that was done, where somebody said so."""
    from_saved: bool = msgspec.field(default=False, name="kept")
    """Made again, long after: sessions may be gone by now."""


class ArmComparison(msgspec.Struct, frozen=True):
    """A comparison, and where its arms came from."""

    spec: ComparisonSpec
    title: str
    template: str
    """The template that the warm arm was warmed by, where that is one."""
    comparison: Comparison
    notes: list[str]
    own: list[Override] = []
    """What the operator judged of its calls."""
    dealt: Dealt = "observational"


def decoded_spec(encoded: bytes) -> ComparisonSpec:
    try:
        return replace(msgspec.json.decode(encoded, type=ComparisonSpec), from_saved=True)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Trouble("This saved comparison cannot be read: it may be of a newer version.") from error
