"""Why a session fails: kinds tallied, every failure accounted for, whole reasons over the whole width."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from tests.unit.test_families import a_day_each, told
from warm_tui.presentation.failures import failure_lines
from warm_tui.presentation.families import cost_sentence, state_sentence
from warm_tui.presentation.lines import text_of
from warm_tui.reliability.families import Mend
from warm_tui.reliability.outcome import Kind, Verdict
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.verdict import OK
from warm_tui.reports.failures import trend_curve
from warm_tui.sessions.model import Call

CALL = Call("c", "c", 0, 0, "s", "terminal", "{}", "", None, 0, 1)
KINDS: tuple[Kind, ...] = ("exit_code", "timeout", "tool_error")


def failed(kind: Kind, reason: str) -> Judged:
    return CALL, Verdict("failure", kind, reason, "certain", "")


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.text("ab ", max_size=60)), max_size=60), st.integers(30, 120))
def test_every_failure_is_accounted_for(failures: list[tuple[Kind, str]], width: int) -> None:
    lines = [text_of(line) for line in failure_lines([failed(*each) for each in failures], width)]
    assert max(map(cell_len, lines), default=0) <= width
    kinds = [int(line.split()[0]) for line in lines[1:] if re.match(r" {0,3}\d+ ", line)]
    assert sum(kinds) == len(failures)
    counted = [int(found[0]) for line in lines[1:] if (found := re.findall(r"^ {5,}(\d+)(?:×| for )", line))]
    assert sum(counted) == len(failures)


def test_a_reason_is_whole_however_long() -> None:
    reason = "the file that was to be changed is not where it was said to be, nor anywhere near it"
    lines = failure_lines([failed("tool_error", reason)], 50)
    words = " ".join(text_of(line) for line in lines[2:]).replace("1×", "").split()
    assert " ".join(words) == reason


def test_what_did_not_fail_is_not_told() -> None:
    assert failure_lines([(CALL, OK)], 80) == []


def test_a_family_is_told_in_sentences() -> None:
    found = told(a_day_each("xd.|xa.|xb."))
    (family,) = found.all[:1]
    sentence = state_sentence(family, 3, 0.0, 0.0)
    assert sentence.endswith(f"that could have had it: those that used the tool {family.tool}.")
    calls = tuple(replace(call, tool=name) for call, name in zip(family.calls[:1] * 3, "aba", strict=True))
    named = state_sentence(replace(family, calls=calls), 3, 0.0, 0.0)
    assert named.endswith("those that used a or b, or another tool of that kind.")
    mend = Mend("shape", 1, 1, "life", "s1", "c1", "curl --retry 3")
    one = replace(family, mended=1, mends=(mend,))
    assert cost_sentence(one).endswith("was mended.")
    assert cost_sentence(replace(one, mended=2)).endswith("were mended.")
    again = cost_sentence(replace(family, mended=2, mends=()))
    assert again.endswith("were mended, by the same call again with nothing changed before it.")


def test_the_name_of_a_curve_that_is_cut_says_so() -> None:
    (family,) = told(a_day_each("xd.|xa.|xb.")).all[:1]
    long = replace(family, print=replace(family.print, program="a-program-with-a-name-that-is-longer-than-any-legend"))
    curve = trend_curve(long, "failed")
    assert curve is not None
    assert curve.name.endswith("…")
