"""What compaction left of a life: kept, shortened, told by the summary, or gone."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Record, assistant, result, summary, user
from tests.unit.test_compaction import examined
from tests.unit.test_pairing import retired
from warm_tui.sessions.hermes.summaries import body_of_summary

BEFORE = [
    user("Please build the report for March."),
    assistant(("a", "terminal", {"command": "make report-march"})), result("a", '{"output": "long", "exit_code": 0}'),
    assistant(("b", "read_file", {"path": "src/billing/invoice.py"})), result("b", '{"content": "x"}'),
    assistant(("c", "terminal", {"command": "git status"})), result("c"),
    assistant(("d", "terminal", {"command": "cat nothing.txt"})), result("d", '{"output": "", "exit_code": 1}'),
    assistant(("e", "terminal", {"command": "ls"})), result("e"),
]  # fmt: skip
TOLD = "[CONTEXT COMPACTION — REFERENCE ONLY] what was done:\n## Done\n- read invoice.py\n- git status was clean"


def fates(path: Path) -> dict[str, str]:
    (one,) = examined(path).survived
    return {piece.call[0].id if piece.call else piece.role: piece.fate for piece in one.pieces}


def test_what_became_of_each_call_and_message(record: Record) -> None:
    rows = [*retired(*BEFORE), user(BEFORE[0]["content"]), summary(TOLD), *BEFORE[9:]]
    assert fates(record({"s": rows})) == {
        "user": "kept", "a": "gone", "b": "told", "c": "told", "d": "gone", "e": "kept",
    }  # fmt: skip


def test_a_kept_call_whose_result_was_cut_is_shortened(record: Record) -> None:
    tail = [
        assistant(("d", "terminal", {"command": "cat nothing.txt"})),
        result("d", "[terminal] ran cat"),
        *BEFORE[9:],
    ]
    assert fates(record({"s": [*retired(*BEFORE), summary(TOLD), *tail]}))["d"] == "shortened"


def test_only_good_calls_that_were_lost_are_candidates(record: Record) -> None:
    rows = [*retired(*BEFORE), summary(TOLD), *BEFORE[9:]]
    (one,) = examined(record({"s": rows})).survived
    lost = [piece.call[0].id for piece in one.pieces if piece.lost_success and piece.call]
    assert lost == ["a", "b", "c"], "d failed, and e is still there"


def test_what_only_looks_into_the_agents_own_head_is_no_candidate(record: Record) -> None:
    note = [assistant(("m", "memory", {"action": "add"})), result("m", '{"success": true}', tool_name="memory")]
    (one,) = examined(record({"s": [*retired(*note, *BEFORE[9:]), summary(TOLD), *BEFORE[9:]]})).survived
    (piece,) = [piece for piece in one.pieces if piece.call and piece.call[0].id == "m"]
    assert (piece.fate, piece.lost_success) == ("gone", False)


def test_the_agents_own_words_around_a_summary_name_nothing(record: Record) -> None:
    """The first line is the same in every summary: a message with its words is not told by it."""
    preamble = "[CONTEXT COMPACTION] Respond only to the latest user message that appears after this summary."
    said = user("Respond only to the latest message that appears.")
    rows = [*retired(said, *BEFORE[9:]), summary(f"{preamble}\nNothing of note."), *BEFORE[9:]]
    assert fates(record({"s": rows}))["user"] == "gone"


def test_the_summary_before_is_told_by_the_next(record: Record) -> None:
    first = summary("[CONTEXT COMPACTION]\nalpha")
    rows = [
        *retired(*BEFORE), *retired(first, *BEFORE[9:]), summary("[CONTEXT COMPACTION]\nbeta"), *BEFORE[9:],
    ]  # fmt: skip
    _, two = examined(record({"s": rows})).survived
    assert [piece.fate for piece in two.pieces if piece.role == "summary"] == ["told"]


def test_a_message_said_often_is_kept_as_often_as_it_still_stands(record: Record) -> None:
    said = [user("continue") for _ in range(5)]
    rows = [*retired(*said[:4], *BEFORE[9:], said[4]), summary(TOLD), *BEFORE[9:], user("continue")]
    (one,) = examined(record({"s": rows})).survived
    assert (one.messages("kept"), one.messages("gone")) == (1, 4)


def test_of_calls_that_look_the_same_the_one_with_the_same_result_is_kept(record: Record) -> None:
    """Some models number their calls anew in every turn."""

    def turn(command: str, code: int) -> list[dict]:
        answer = json.dumps({"output": "", "exit_code": code, "error": None})
        return [assistant(("call_0", "terminal", {"command": command})), result("call_0", answer)]

    rows = [*retired(*turn("pytest", 1), *turn("vim x", 0), *turn("pytest", 0)), summary(TOLD), *turn("pytest", 0)]
    (one,) = examined(record({"s": rows})).survived
    assert [piece.fate for piece in one.pieces] == ["gone", "gone", "kept"]


def test_what_a_summary_tells_is_the_newest_without_frames() -> None:
    frame = "[CONTEXT COMPACTION — REFERENCE ONLY] Respond to the latest message."
    end = "--- END OF CONTEXT SUMMARY — respond to the message below ---"
    nested = [
        "[PRIOR CONTEXT — for reference only]", frame, "old", "", end, "", "[END OF PRIOR CONTEXT — SUMMARY BELOW]", "",
        frame, "## Done", "new", "", end,
    ]  # fmt: skip
    assert body_of_summary("\n".join(nested)) == "## Done\nnew"
    assert body_of_summary(f"{frame}\nbody\n\n{end}") == "body"
    assert body_of_summary("[CONTEXT SUMMARY]: all on one line") == "all on one line"
    assert body_of_summary("") == ""
