"""No text makes an expression take the square of its length."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from tests.regexes import Regex, floods, regexes
from tests.unit.steps import Steps, TooMany
from warm_tui.reliability.rules import MESSAGE_RULES

# They are given the end of an output, of a constant length (`reliability/evidence.py`), and no text in full.
GIVEN_AN_END = {"reliability/complaint.py", "reliability/linters.py", "reliability/rules.py"}
# But these rows are, from its start.
GIVEN_ALL = {rule.pattern.pattern for rule in MESSAGE_RULES}
LENGTHS, TIMES = (40, 150), 4
"""The longer ones tell what grows with the text from what is only more than nothing."""
MOST = TIMES * 1.2
"""Ten times the length may take twelve times the steps: so may four times take 4.8."""

FAR_TOO_MANY = 200_000


@pytest.fixture(autouse=True)
def deep() -> None:
    sys.setrecursionlimit(max(20_000, sys.getrecursionlimit()))


def slowed_by(regex: Regex) -> str | None:
    """A text that takes more than its share."""
    steps = Steps(regex.pattern, regex.flags)
    run = steps.match if regex.only_at_start or regex.pattern in GIVEN_ALL else steps.search

    def grows(texts: Sequence[str]) -> bool:
        short, long = texts
        try:
            run(long, int(MOST * run(short, FAR_TOO_MANY) + 60))
        except TooMany:
            return True
        return False

    by_length = [list(floods(regex, length * times)) for length in LENGTHS for times in (1, TIMES)]
    for shortest, short, long, longest in zip(*by_length, strict=True):
        if grows((shortest, short)) and grows((long, longest)):
            return longest
    return None


def on_whole_texts() -> list[Regex]:
    return [regex for regex in regexes() if regex.place not in GIVEN_AN_END or regex.pattern in GIVEN_ALL]


def test_expressions_are_found() -> None:
    places = {regex.place for regex in regexes()}
    assert len(regexes()) > 150
    assert {"secrets/rules.py", "reliability/rules.py", "reliability/filters.py", "sessions/text.py"} <= places


@pytest.mark.parametrize("part", range(4))
def test_ten_times_the_length_takes_at_most_twelve_times_the_steps(part: int) -> None:
    slow = {regex.pattern: text for regex in on_whole_texts()[part::4] if (text := slowed_by(regex)) is not None}
    assert slow == {}


@pytest.mark.parametrize("pattern", [r"a+b", r"\s+$", r"x.*y", r"(?:a|b)*c", r"(?i)password\s*[:=]?\s+\w{6,}"])
def test_a_slow_expression_is_told(pattern: str) -> None:
    assert slowed_by(Regex("", pattern, 0)) is not None


@pytest.mark.parametrize("pattern", [r"a{1,40}b", r"\ba\w*", r"(?<![ab])(?:ab){1,9}c", r"\Ax.*y", r"[^\n]*\n|[^\n]+"])
def test_a_quick_one_is_left(pattern: str) -> None:
    assert slowed_by(Regex("", pattern, 0)) is None
