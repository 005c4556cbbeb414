"""What is told sooner of what is common is what the long way tells."""

from __future__ import annotations

import json
import re
from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warm_tui.reliability import output, prepared, uncaught, verdict, words
from warm_tui.reliability.glances import from_anchors, holds_any
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.output import may_hide
from warm_tui.reliability.rates import COURSE, longest_streak, rates_of, tally_of
from warm_tui.reliability.rules import TEXT_RULES
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.hermes.rows import messages_of
from warm_tui.sessions.model import Call

FAILED_UNSEEN = [
    ("frob", 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nmine.Stop'),
    ("curl -s -w 'http %{http_code}' localhost:9", "http 000"),
]
EXAMPLES = [*FAILED_UNSEEN, *(example for rule in TEXT_RULES for example in rule.examples)]
COMMANDS = (
    "make", "cat a.log", "make; echo $?", "make | tail", "a && b", "a & b", *dict.fromkeys(command for command, _ in EXAMPLES),
)  # fmt: skip
LINES = (
    *dict.fromkeys(line for _, output in EXAMPLES for line in output.split("\n")),
    "done", "exit code 2", "ValueError: bad", "[error] no", "12: some line", "000", "curl 000", "x failed: y", "An a",
    '  File "a.py", line 1, in <module>', "Traceback (most recent call last):", "make: *** [all] Error 2", "  ", "\\n",
)  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=40)), max_size=8).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(COMMANDS), texts, st.booleans())
def test_a_command_that_went_well_is_judged_as_its_fields_would_be(command: str, printed: str, ascii_only: bool):
    arguments, result = went_well(command, printed, ascii_only)
    with patch.object(verdict, "end_of_plain_success", return_value=None):
        long_way = verdict.judge(arguments, result, HERMES.stand_ins)
    assert verdict.judge(arguments, result, HERMES.stand_ins) == long_way


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_a_glance_at_its_end_passes_over_nothing_that_a_whole_look_finds(command: str, printed: str):
    arguments, result = went_well(command, printed)
    nothing = dict.fromkeys(("ends_well_encoded", "ends_well"), lambda _end: False)
    with patch.multiple(verdict, **nothing):
        whole_look = verdict.judge(arguments, result, HERMES.stand_ins)
    assert verdict.judge(arguments, result, HERMES.stand_ins) == whole_look


@pytest.mark.parametrize(("command", "printed"), FAILED_UNSEEN)
def test_what_ends_unlike_most_trouble_is_seen_all_the_same(command: str, printed: str):
    assert verdict.judge(*went_well(command, printed), HERMES.stand_ins).outcome == "failure"


RAISED = ("ParseError", "PlanException", "UserInterrupt", "EarlyExit", "BusFault", "CheckFailure", "ReadTimeout")


@pytest.mark.parametrize("name", RAISED)
def test_what_was_raised_over_several_lines_is_seen_by_whatever_name(name: str):
    printed = f"    raise error\nfrob.{name}: expecting )\n  select (1 from"
    judged = verdict.judge(*went_well("frob 2>&1 | tail -3", printed), HERMES.stand_ins)
    assert judged.rule == "exception_of_lines"


def went_well(command: str, printed: str, ascii_only: bool = True) -> tuple[str, str]:
    result = {"output": printed, "exit_code": 0, "error": None}
    return json.dumps({"command": command}), json.dumps(result, ensure_ascii=ascii_only)


@given(st.dictionaries(st.sampled_from(("command", "cmd", "script", "code", "path", "bash_command")), st.text()))
@example({"path": 'a "script": b'})
def test_a_call_that_runs_something_is_told_by_a_glance(arguments: dict[str, str]):
    text = json.dumps(arguments)
    named = re.search(r'"(?:command|cmd|shell_command|bash_command|commands|code|script)"\s*:', text)
    assert words.carries_command(text) is (named is not None)


@given(st.text(alphabet="a|;&`$( <\\np", max_size=8))
def test_what_may_hide_an_exit_code_is_found_however_it_is_written(line: str):
    signs = ("|", ";", "\\n", "$(", "`", " < ", "psql", "redis-cli")
    assert may_hide(line) is (any(sign in line for sign in signs) or "&" in line.replace("&&", ""))


@given(st.lists(st.tuples(st.sampled_from(("terminal", "patch", "read_file")), st.sampled_from(tuple(COURSE)))))
def test_all_that_is_counted_of_calls_is_what_counting_each_by_itself_tells(made: list[tuple[str, str]]):
    calls = [Call(str(at), str(at), at, 0, "s", tool, "{}", "", None, at, None) for at, (tool, _) in enumerate(made)]
    verdicts = [Verdict(outcome, "ok" if outcome == "success" else "exit_code", "", "certain", "r") for _, outcome in made]  # type: ignore[arg-type]  # fmt: skip
    rates = rates_of(tally_of(calls, verdicts), HERMES)
    known = [(tool, outcome) for tool, outcome in made if outcome != "unknown"]
    assert list(rates["tool_distribution"].items()) == Counter(tool for tool, _ in made).most_common()
    assert list(rates["kinds"].items()) == Counter(each.kind for each in verdicts).most_common()
    assert rates["tool_failures"] == {
        tool: (sum(each == (tool, "failure") for each in known), count)
        for tool, count in Counter(tool for tool, _ in known).items()
    }
    runs = "".join(COURSE[outcome] for _, outcome in known).split(".")
    assert rates["longest_failure_streak"] == longest_streak(rates["course"]) == max(map(len, runs))


WANTED = ("can't find session: a", "No such file", "a not found", "it does not exist", "it will not exist", "File exists", "a already exists")  # fmt: skip


@pytest.mark.parametrize("line", WANTED)
def test_what_is_as_it_was_wanted_is_told_by_a_glance(line: str):
    assert prepared._EITHER.search(line)
    assert holds_any(line, prepared._HINTS)


def test_each_of_many_words_is_found_by_what_looks_for_all_of_them():
    words = (*output._NEEDS, *uncaught._NEEDS)
    found = re.compile(from_anchors(words)).search
    assert [word for word in words if not (found(f"a {word}") and found(f"{word}\na"))] == []
    assert found("nothing of that kind") is None


def test_messages_that_compaction_took_out_and_summaries_are_told_by_what_they_hold():
    summary = "[CONTEXT COMPACTION — REFERENCE ONLY] what was done"
    rows = [
        (1, "assistant", summary, None, None, None, 1.0, 0),
        (2, "tool", "[CONTEXT COMPACTION", "a", None, "terminal", 2.0, 1),
        (3, "user", None, None, None, None, "3", None),
        (4, "user", '\x00json:[{"type": "text", "text": "words"}]', None, None, None, 4, 1),
    ]
    messages = messages_of(rows)
    assert [message.is_summary for message in messages] == [True, False, False, False]
    assert [message.retired for message in messages] == [False, True, False, True]
    assert [message.text for message in messages][2:] == ["", "words"]
    assert [message.timestamp for message in messages] == [1.0, 2.0, 3.0, 4.0]
