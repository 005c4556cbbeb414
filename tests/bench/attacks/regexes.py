"""Every expression of the package over texts that are made to slow it down: ten times the length, how much more time?"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from attacks import Figure
from tests.regexes import floods, regexes
from tests.unit.test_regexes import GIVEN_ALL, on_whole_texts
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.verdict import judge

LENGTHS = 2_000, 20_000, 200_000
"""The longest tells whether it goes on to grow: what may be repeated 4,000 times takes its share only of a long text."""
MOST = 12.0
LEAST_SECONDS = 0.01
"""Below, a ratio tells of the clock."""


def run() -> Iterable[Figure]:
    worst, where = 0.0, ""
    for regex in on_whole_texts():
        tried = _tried(regex.compiled, regex.only_at_start or regex.pattern in GIVEN_ALL)
        ratio = max(map(_ratio_of(tried), *(floods(regex, length) for length in LENGTHS)))
        if ratio > worst:
            worst, where = ratio, f"{regex.place} {regex.pattern[:30]!r}"
    yield Figure(
        f"{len(on_whole_texts())} expressions, the worst: {where}", f"{worst:.1f} times", f"{MOST}", worst <= MOST
    )
    for what, tried in (("a result", _judged), ("a command", _commanded), ("a filter", _filtered)):
        ratio = max(
            max(map(_ratio_of(tried), *(floods(regex, length) for length in LENGTHS)))
            for regex in regexes()
            if regex.place.startswith("reliability/")
        )
        yield Figure(f"the same texts as {what}", f"{ratio:.1f} times", f"{MOST}", ratio <= MOST)


def _ratio_of(tried: Callable[[str], object]) -> Callable[[str, str, str], float]:
    def ratio(short: str, long: str, longest: str) -> float:
        if _seconds(tried, long) < LEAST_SECONDS:
            return 0.0
        much = _least_seconds(tried, long)
        found = much / _least_seconds(tried, short) if much >= LEAST_SECONDS else 0.0
        return found if found <= MOST else min(found, _least_seconds(tried, longest) / much)

    return ratio


def _least_seconds(tried: Callable[[str], object], text: str) -> float:
    """The other times tell what else the machine did. Never the same text twice: what was parsed is remembered."""
    return min(_seconds(tried, text + "\x01" * n) for n in range(1, 4))


def _seconds(tried: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    tried(text)
    return time.process_time() - began


def _tried(pattern: re.Pattern[str], only_at_start: bool) -> Callable[[str], object]:
    if only_at_start:
        return pattern.match
    return lambda text: sum(1 for _ in pattern.finditer(text))


def _judged(text: str) -> object:
    return judge('{"command": "make"}', json.dumps({"output": text, "exit_code": 0}))


def _commanded(text: str) -> object:
    return judge(json.dumps({"command": text}), '{"output": "make: *** Error 2", "exit_code": 2}')


def _filtered(text: str) -> object:
    try:
        return parse_filter(text)
    except Exception:
        return None
