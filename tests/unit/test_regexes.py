"""No text makes an expression take the square of its length."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from re import _parser as parser

import pytest

from tests.regexes import Regex, floods, regexes, repetitions
from tests.unit.steps import Steps, TooMany
from warm_tui.reliability.output import CLOSING_LENGTH, TAIL
from warm_tui.reliability.rules import MESSAGE_RULES

# All are found by importing every module in a process of its own: once.
pytestmark = pytest.mark.xdist_group("regexes")

# They are given the last 3,000 characters of an output, or lines of at most 800 of them, however long it was
# (`TAIL` and `CLOSING_LENGTH` of `reliability/output.py`, held below), and no text in full.
GIVEN_AN_END = {"reliability/complaint.py", "reliability/rules.py"}
# But these rows are, from its start.
GIVEN_ALL = {rule.pattern.pattern for rule in MESSAGE_RULES}
LENGTHS, TIMES = (25, 150), 4
"""The longer ones tell what grows with the text from what is only more than nothing."""
MOST = TIMES * 1.2
"""Ten times the length may take twelve times the steps: so may four times take 4.8."""

FAR_TOO_MANY = 200_000


@pytest.fixture(autouse=True)
def deep() -> None:
    sys.setrecursionlimit(max(20_000, sys.getrecursionlimit()))


def slowed_by(regex: Regex) -> str | None:
    """A text that takes more than its share: none does where nothing is repeated without an end."""
    if next(repetitions(parser.parse(regex.pattern, regex.flags)), None) is None:
        return None
    steps = Steps(regex.pattern, regex.flags)

    def grows(run: Callable[[str, int], int], texts: Sequence[str]) -> bool:
        short, long = texts
        try:
            run(long, int(MOST * run(short, FAR_TOO_MANY) + 60))
        except TooMany:
            return True
        return False

    anywhere = steps.match if regex.only_at_start or regex.pattern in GIVEN_ALL else steps.search
    by_length = [list(floods(regex, length * times)) for length in LENGTHS for times in (1, TIMES)]
    for texts in zip(*by_length, strict=True):
        # No repetition goes on over both signs at the end.
        for run, end in ((anywhere, ""), (steps.fullmatch, "\n"))[: 1 + regex.in_full]:
            shortest, short, long, longest = (text + end for text in texts)
            if grows(run, (shortest, short)) and grows(run, (long, longest)):
                return longest
    return None


def on_whole_texts() -> list[Regex]:
    return [regex for regex in regexes() if regex.place not in GIVEN_AN_END or regex.pattern in GIVEN_ALL]


def test_expressions_are_found() -> None:
    places = {regex.place for regex in regexes()}
    assert len(regexes()) > 150
    assert {"secrets/rules.py", "reliability/rules.py", "reliability/filters.py", "sessions/text.py"} <= places


def test_what_is_exempt_is_given_a_constant_length() -> None:
    assert (TAIL, CLOSING_LENGTH) == (3_000, 800)


def test_no_expression_holds_a_tuple_where_a_repetition_was_meant() -> None:
    """In an f-string, `{1, 8}` is a tuple, and compiles."""
    tuples = re.compile(r"\(\d+, \d+\)")
    assert [regex for regex in regexes() if tuples.search(regex.pattern)] == []


def test_every_brace_of_an_expression_repeats_or_is_escaped() -> None:
    """`{1,8` and `{ 1,8}` stand for themselves, and compile."""
    loose = re.compile(r"(?<!\\)\{\s*\d+\s*(?:,\s*\d*\s*)?(?:\}|$)")
    repeats = re.compile(r"\{\d+(?:,\d*)?\}")
    assert [r for r in regexes() if any(not repeats.fullmatch(m[0]) for m in loose.finditer(r.pattern))] == []


def test_ten_times_the_length_takes_at_most_twelve_times_the_steps() -> None:
    slow = {regex.pattern: text for regex in on_whole_texts() if (text := slowed_by(regex)) is not None}
    assert slow == {}


@pytest.mark.parametrize(
    "pattern", [r"a+b", r"\s+$", r"x.*y", r"(?:a|b)*c", r"(?i)password\s*[:=]?\s+\w{6,}", r"-[a-z]*[dx]\S*y"]
)
def test_a_slow_expression_is_told(pattern: str) -> None:
    assert slowed_by(Regex("", pattern, 0)) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        r"-[a-zA-Z46]*s[a-zA-Z46]*|--silent", r"-[A-Za-z]*[dFTXoO]\S*|--(?:data|form)\S*", r"-[lan0]*[np][lan0]*e",
        r"[\w-]*[0-9a-f]{32,}", r"(?:[A-Z][a-z]{2,}|[A-Z]{2,}(?![a-z]))+", r"[a-z]+(?:_(?:[a-z]+(?=_)|[a-z]+\d?))+",
    ],
)  # fmt: skip
def test_one_that_is_slow_only_in_full_is_told(pattern: str) -> None:
    """Where it could end sooner, nothing is gone through again."""
    assert slowed_by(Regex("", pattern, 0, only_at_start=True)) is not None


@pytest.mark.parametrize("pattern", [r"a{1,40}b", r"\ba\w*", r"(?<![ab])(?:ab){1,9}c", r"\Ax.*y", r"[^\n]*\n|[^\n]+"])
def test_a_quick_one_is_left(pattern: str) -> None:
    assert slowed_by(Regex("", pattern, 0)) is None
