"""Very long texts are worked on in part, and that is said."""

from __future__ import annotations

import json

import pytest

from warm_tui.presentation.recorded import body_of, pretty
from warm_tui.reliability.verdict import judge
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.excerpt import MOST_CHARACTERS, excerpt, excerpt_words, left_out_of
from warm_tui.sessions.model import Call
from warm_tui.sessions.text import clean
from warm_tui.sessions.transcript import Item
from warm_tui.templates.mining import MOST_RESULT, Candidate, pattern_of

LONG = 2 * MOST_CHARACTERS


def call_of(arguments: str, result: str) -> Call:
    return Call("c", "c", 0, 0, "s", "terminal", arguments, result, None, 1, 2)


def test_what_is_not_very_long_is_taken_whole() -> None:
    text = "x" * MOST_CHARACTERS
    assert excerpt(text) is text
    assert excerpt_words(text) == ""


def test_of_a_very_long_text_the_head_and_the_tail_are_taken_and_the_rest_is_counted() -> None:
    text = "first" + "x" * LONG + "last"
    part = excerpt(text)
    assert len(part) < MOST_CHARACTERS
    assert part.startswith("first")
    assert part.endswith("last")
    left_out = left_out_of(part)
    assert f"[… {left_out:,} of {len(text):,} characters left out …]" in part
    assert excerpt_words(text) == f"the first 120,000 and the last 40,000 of {len(text):,} characters"
    assert left_out == len(text) - 160_000


@pytest.mark.parametrize("inside", ["line\n", '"', "\\", "\u1234", "a\t", 'b\\"', "😀"])
@pytest.mark.parametrize("shift", range(7))
def test_json_that_is_cut_within_a_text_stays_json(inside: str, shift: int) -> None:
    text = json.dumps({"output": "x" * shift + inside * LONG, "exit_code": 0})
    value = json.loads(excerpt(text))
    assert value.keys() == {"output", "exit_code"}
    assert "characters left out" in value["output"]


def test_a_call_shows_as_much_as_it_says() -> None:
    result = json.dumps({"output": "line\n" * LONG, "exit_code": 0})
    arguments = json.dumps({"command": "x" * LONG})
    call = call_of(arguments, result)
    lines = ["".join(text for text, _ in line) for line in body_of(Item("call", "s", call=call), None)]
    for text in (result, arguments):
        assert f"the first 120,000 and the last 40,000 of {len(text):,} characters are shown" in lines
    assert len(lines) < MOST_CHARACTERS / 5, "an escaped line feed takes two characters"
    assert lines[-1] == "exit_code: 0"
    said = ["".join(text for text, _ in line) for line in body_of(Item("user", "s", text="y" * LONG), None)]
    assert said[0] == f"the first 120,000 and the last 40,000 of {LONG:,} characters are shown"


def test_only_the_excerpt_is_cleaned() -> None:
    seen: list[int] = []

    def put(text: str) -> str:
        seen.append(len(text))
        return clean(text)

    for text in ("z" * LONG, json.dumps(["z" * LONG]), json.dumps({"a": "z" * LONG})):
        pretty(text, put)
    assert len(seen) == 4
    assert max(seen) < MOST_CHARACTERS


def test_a_pattern_is_made_of_the_excerpt_and_counts_all_that_was_left_out() -> None:
    class Watched(Redactor):
        longest = 0

        def redact(self, text: str) -> str:
            self.longest = max(self.longest, len(text))
            return super().redact(text)

    redactor = Watched(b"key")
    call = call_of('{"command": "make"}', "first " + "built " * LONG + "last")
    verdict = judge(call.arguments, '{"output": "", "exit_code": 0}')
    candidate = Candidate(
        call=call, tool="terminal", life="s", verdict=verdict, arguments={"command": "make"}, context="w" * LONG, kind="init",
        shape="", source="cli", task_type="", recorded_at=None,
    )  # fmt: skip
    pattern = pattern_of(candidate, redactor, chosen_by="operator", why="")
    assert 0 < redactor.longest < MOST_CHARACTERS
    assert len(pattern.result) <= MOST_RESULT
    assert pattern.result.startswith("first")
    assert pattern.result.endswith("last")
    kept = pattern.result.replace("\n", "").split("[")[0] + pattern.result.rpartition("]\n")[2]
    counted = int(pattern.result.partition("[… ")[2].partition(" ")[0].replace(",", ""))
    assert abs(counted + len(kept) - len(call.result or "")) < 200, "but for the note itself"
