"""Each call once, with its result, in the segment where it was first made."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import FIXTURES, Record, Row, assistant, result, summary, user
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import judged, profile_session
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.lineage import Life, read_life
from warm_tui.sessions.transcript import transcript

RETIRED = {"active": 0, "compacted": 1}
REWOUND = {"active": 0, "compacted": 0}


def life(path: Path, session_id: str = "s") -> Life:
    with HermesDb(path) as database:
        session = database.session(session_id)
        assert session is not None
        return read_life(database, session)


def told(path: Path, session_id: str = "s") -> list[tuple[str, int, bool]]:
    """(id, segment, answered) of each call."""
    return [(call.id, call.segment, call.result is not None) for call in life(path, session_id).calls]


def retired(*rows: Row) -> list[Row]:
    return [{**row, **RETIRED} for row in rows]


def test_a_call_and_its_result(record: Record) -> None:
    path = record({"s": [user("go"), assistant(("a", "terminal", {"command": "ls"})), result("a", "out")]})
    (call,) = life(path).calls
    assert (call.id, call.tool_name, call.arguments, call.result) == ("a", "terminal", '{"command": "ls"}', "out")
    assert (call.position, call.segment, call.session_id) == (0, 0, "s")


def test_parallel_calls_with_many_results_behind_one_message(record: Record) -> None:
    ids = [f"c{n}" for n in range(30)]
    rows = [assistant(*((i, "terminal", {}) for i in ids)), *(result(i, i) for i in reversed(ids))]
    assert [(call.id, call.result) for call in life(record({"s": rows})).calls] == [(i, i) for i in ids]


def test_a_result_in_parts_is_put_in_words(record: Record) -> None:
    parts = '\x00json:[{"type": "text", "text": "Error: no such page"}, {"type": "image_url"}]'
    (call,) = life(record({"s": [assistant(("a", "shot", {})), result("a", parts)]})).calls
    assert call.result == "Error: no such page\n[image_url]"


def test_a_result_that_stands_far_behind_its_call(record: Record) -> None:
    rows = [assistant(("a", "terminal", {})), *(user(f"wait {n}") for n in range(50)), result("a")]
    assert told(record({"s": rows})) == [("a", 0, True)]


def test_results_without_a_call_and_calls_without_a_result(record: Record) -> None:
    path = record({"s": [result("ghost"), assistant(("a", "terminal", {})), result("other")]})
    assert told(path) == [("a", 0, False)]


def test_calls_that_were_taken_back_stand_where_they_were_made(record: Record) -> None:
    rows = [
        user("go"), assistant(("a", "terminal", {})), result("a"),
        user("no", **REWOUND), assistant(("b", "terminal", {}), **REWOUND), result("b", **REWOUND),
        user("yes"), assistant(("c", "terminal", {})), result("c"),
    ]  # fmt: skip
    whole = life(record({"s": rows}))
    assert [(call.id, call.position, call.rewound) for call in whole.calls] == [
        ("a", 0, False), ("b", 1, True), ("c", 2, False),
    ]  # fmt: skip
    assert [call.result is not None for call in whole.calls] == [True, True, True]
    assert [item.call.id if item.call else item.text for item in transcript(whole)] == ["go", "a", "b", "yes", "c"]
    (part,) = whole.parts
    assert (part.message_count, part.replies, part.first_user) == (6, 2, "go")


def test_calls_taken_back_take_neither_keys_nor_results_from_others(record: Record) -> None:
    """Some models number their calls anew in every turn: the one that was made instead has the same id."""
    rows = [
        assistant(("a", "terminal", {"command": "old"}), **REWOUND), result("a", "old", **REWOUND),
        assistant(("a", "terminal", {"command": "new"})), result("a", "new"),
    ]  # fmt: skip
    old, new = life(record({"s": rows})).calls
    assert (old.rewound, old.result, new.rewound, new.result, new.key) == (True, "old", False, "new", "a")
    assert old.key not in ("a", new.key)


def test_calls_taken_back_shift_no_segment(record: Record) -> None:
    made = [user("go"), assistant(("a", "terminal", {})), result("a"), assistant(("b", "terminal", {})), result("b")]
    copied = [summary("what was"), assistant(("b", "terminal", {})), result("b")]
    undone = [user("no", **REWOUND), assistant(("x", "terminal", {}), **REWOUND), result("x", **REWOUND)]
    after = [user("on"), assistant(("c", "terminal", {})), result("c")]
    without = told(record({"s": [*retired(*made), *copied, *after]}))
    assert without == [("a", 0, True), ("b", 0, True), ("c", 1, True)]
    early = told(record({"s": [*retired(*made[:3]), *undone, *retired(*made[3:]), *copied, *after]}))
    assert early == [("a", 0, True), ("x", 0, True), ("b", 0, True), ("c", 1, True)]
    late = told(record({"s": [*retired(*made), *copied, *undone, *after]}))
    assert late == [("a", 0, True), ("b", 0, True), ("x", 1, True), ("c", 1, True)]


def test_calls_taken_back_are_in_no_rate_and_in_no_ones_pick(record: Record) -> None:
    failed = result("b", '{"output": "", "exit_code": 1, "error": null}', **REWOUND)
    rows = [
        assistant(("a", "terminal", {})), result("a"),
        user("no", **REWOUND), assistant(("b", "terminal", {}), **REWOUND), failed,
    ]  # fmt: skip
    whole = life(record({"s": rows}))
    profile = profile_session(whole.sessions[0], whole.parts[0], "none", HERMES)
    assert (profile.tool_call_count, profile.successful_calls, profile.failed_calls, profile.unknown_calls) == (
        2,
        1,
        0,
        1,
    )
    assert (profile.error_rate, profile.kinds["rewound"]) == (0.0, 1)
    # Only a person's own word gives such a call an outcome, and ours stays beside it.
    own = {"b": Verdict("success", "ok", "done by hand", "yours", "operator")}
    assert [verdict.kind for _, verdict in judged(whole.calls, HERMES, {})] == ["ok", "rewound"]
    (_, said) = judged(whole.calls, HERMES, own)[1]
    assert (said.outcome, said.ours and said.ours.kind) == ("success", "rewound")


def test_hermes_own_undo_leaves_calls_that_were_taken_back(tmp_path: Path) -> None:
    """The database written by Hermes' own code, where that is installed."""
    hermes_state = pytest.importorskip("hermes_state")
    database = hermes_state.SessionDB(tmp_path / "state.db")
    database.create_session("s", source="cli")
    for words, call in (("first", "a"), ("second", "b")):
        made = {"id": call, "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls"}'}}
        database.append_message("s", "user", content=words)
        database.append_message("s", "assistant", content="", tool_calls=[made])
        database.append_message("s", "tool", content="out", tool_call_id=call, tool_name="terminal")
    target = database.list_recent_user_messages("s")[0]["id"]
    assert database.rewind_to_message("s", target)["rewound_count"] == 3
    database.close()
    assert [(call.id, call.result, call.rewound) for call in life(tmp_path / "state.db").calls] == [
        ("a", "out", False), ("b", "out", True),
    ]  # fmt: skip


def test_a_call_whose_result_was_rewound_has_none(record: Record) -> None:
    rows = [assistant(("a", "terminal", {})), result("a", **REWOUND)]
    assert told(record({"s": rows})) == [("a", 0, False)]


def test_odd_tool_calls_are_read_as_far_as_they_go(record: Record) -> None:
    odd = json.dumps(
        [
            None,
            3,
            "x",
            {"id": 7, "function": {"name": None, "arguments": {"a": 1}}},
            {"name": "flat", "arguments": "{}"},
        ]
    )
    rows: list[Row] = [
        {"role": "assistant", "tool_calls": odd}, result("7", "seven", tool_name="read_file"),
        {"role": "assistant", "tool_calls": "not json"}, {"role": "assistant", "tool_calls": "{}"},
    ]  # fmt: skip
    calls = life(record({"s": rows})).calls
    first = calls[0]
    assert (first.id, first.tool_name, first.arguments, first.result) == (
        "7",
        "read_file",
        '{"a": 1}',
        "seven",
    )
    assert (calls[1].tool_name, calls[1].result) == ("flat", None)


def test_two_parallel_calls_with_one_id(record: Record) -> None:
    rows = [assistant(("x", "terminal", {"n": 1}), ("x", "terminal", {"n": 2})), result("x", "one"), result("x", "two")]
    calls = life(record({"s": rows})).calls
    assert [call.result for call in calls] == ["one", "two"]
    assert len({call.key for call in calls}) == 2, "an operator's verdict is on one of them"


def test_half_a_character_in_a_name(record: Record) -> None:
    made = '[{"id": "a", "function": {"name": "a\\udfff", "arguments": "{}"}}]'
    (call,) = life(record({"s": [{"role": "assistant", "tool_calls": made}]})).calls
    assert call.tool_name == "a?"


def test_a_tools_own_session_does_not_go_on_from_a_compacted_one(record: Record) -> None:
    work = [user("go"), assistant(("a", "terminal", {})), result("a")]
    review = [user("look at it"), assistant(("b", "memory", {})), result("b")]
    path = record({"s": work, "t": review}, s=COMPRESSED, t={**CHILD, "source": "tool"})
    assert told(path) == [("a", 0, True)]


def test_words_that_are_said_again_inside_the_kept_tail(record: Record) -> None:
    def turn(n: int) -> list[Row]:
        return [user("continue"), assistant((f"c{n}", "terminal", {})), result(f"c{n}")]

    path = record(
        {"s": [user("go"), *turn(1), *turn(2), *turn(3)], "t": [user("go"), summary(), *turn(2), *turn(3), *turn(4)]},
        s=COMPRESSED,
        t=CHILD,
    )
    assert told(path) == [("c1", 0, True), ("c2", 0, True), ("c3", 0, True), ("c4", 1, True)]


def test_arguments_that_compaction_wrote_anew(record: Record) -> None:
    long = "z" * 900
    was = json.dumps({"path": "日本語", "content": long}, ensure_ascii=True, indent=2)
    now = json.dumps({"path": "日本語", "content": long[:200] + "...[truncated]"}, ensure_ascii=False)
    rows = [
        *retired(user("go"), assistant(("a", "write_file", was)), result("a")),
        user("go"), summary(), assistant(("a", "write_file", now)), result("a"), assistant(("b", "terminal", {})),
    ]  # fmt: skip
    assert [(call.id, call.segment) for call in life(record({"s": rows})).calls] == [("a", 0), ("b", 1)]


def test_a_model_that_uses_ids_again_after_compaction(record: Record) -> None:
    def turn(n: int) -> list[Row]:
        return [assistant(("call_0", "terminal", {"n": n})), result("call_0", str(n))]

    rows = [*retired(user("go"), *turn(1), *turn(2)), user("go"), summary(), *turn(2), *turn(3), *turn(4)]
    calls = life(record({"s": rows})).calls
    assert [(call.result, call.segment) for call in calls] == [("1", 0), ("2", 0), ("3", 1), ("4", 1)]


def test_an_heir_that_has_no_rows_yet(record: Record) -> None:
    found = life(record({"s": FIRST, "t": []}, s=COMPRESSED, t=CHILD))
    assert [part.compactions for part in found.parts] == [0, 0]
    assert found.segments == 2


def test_an_id_that_a_model_uses_again_is_a_new_call(record: Record) -> None:
    """Some models number their calls anew in every turn."""
    rows: list[Row] = []
    for turn in range(4):
        rows += [assistant(("call_0", "terminal", {"command": "ls"})), result("call_0", f"turn {turn}")]
    assert [call.result for call in life(record({"s": rows})).calls] == [f"turn {turn}" for turn in range(4)]


FIRST = [
    user("go"),
    assistant(("a", "terminal", {"n": 1})),
    result("a"),
    assistant(("b", "terminal", {"n": 2})),
    result("b", "long " * 100),
]


def test_compaction_in_place_copies_rows_but_not_calls(record: Record) -> None:
    rows = [
        *retired(*FIRST),
        user("go"), assistant(("a", "terminal", {"n": 1})), result("a", "[terminal] ran it"),  # the kept head
        summary(),
        assistant(("b", "terminal", {"n": 2})), result("b", "[terminal] cut short"),  # the kept tail
        assistant(("c", "terminal", {})), result("c"),
    ]  # fmt: skip
    found = life(record({"s": rows}))
    assert [(call.id, call.segment) for call in found.calls] == [("a", 0), ("b", 0), ("c", 1)]
    assert found.calls[1].result == "long " * 100, "the first result is the whole one"
    (part,) = found.parts
    assert (part.compactions, part.carried, part.message_count) == (1, [0, 2], 7)


def test_two_summaries_in_one_block_are_one_compaction(record: Record) -> None:
    old, new = "[CONTEXT COMPACTION] one", "[CONTEXT COMPACTION] two"
    rows = [
        *retired(*FIRST),
        *retired(user("go"), summary(old), assistant(("c", "terminal", {})), result("c")),
        user("go"), summary(new, role="assistant"), summary(old), assistant(("c", "terminal", {})), result("c"),
        assistant(("d", "terminal", {})), result("d"),
    ]  # fmt: skip
    found = life(record({"s": rows}))
    assert [(call.id, call.segment) for call in found.calls] == [("a", 0), ("b", 0), ("c", 1), ("d", 2)]
    assert found.parts[0].compactions == 2


def test_two_compactions_without_a_call_between_are_two(record: Record) -> None:
    block = [user("go"), summary("[CONTEXT COMPACTION] 1"), assistant(("b", "terminal", {"n": 2})), result("b")]
    again = [user("go"), summary("[CONTEXT COMPACTION] 2"), assistant(("b", "terminal", {"n": 2})), result("b")]
    rows = [*retired(*FIRST), *retired(*block), *again, assistant(("c", "terminal", {})), result("c")]
    found = life(record({"s": rows}))
    assert found.parts[0].compactions == 2
    assert Counter(call.segment for call in found.calls) == {0: 2, 2: 1}


def test_a_compaction_whose_summary_is_missing_is_seen_by_its_copies(record: Record) -> None:
    rows = [
        *retired(*FIRST),
        assistant(("b", "terminal", {"n": 2})),
        result("b"),
        assistant(("c", "terminal", {})),
        result("c"),
    ]
    assert told(record({"s": rows})) == [("a", 0, True), ("b", 0, True), ("c", 1, True)]


def test_the_same_words_of_the_user_are_no_copy(record: Record) -> None:
    rows: list[Row] = []
    for turn in range(3):
        rows += [user("continue"), assistant((f"c{turn}", "terminal", {})), result(f"c{turn}")]
    (part,) = life(record({"s": rows})).parts
    assert (part.compactions, part.message_count) == (0, 9)


CHILD = {"parent_session_id": "s"}
COMPRESSED = {"end_reason": "compression"}


def test_a_chain_of_compressions_is_one_life_from_wherever_one_looks(record: Record) -> None:
    path = record(
        {
            "s": FIRST,
            "t": [user("go"), summary(), assistant(("b", "terminal", {"n": 2})), result("b", "short"),
                  assistant(("c", "terminal", {})), result("c")],
            "u": [summary(), assistant(("c", "terminal", {})), result("c"), assistant(("d", "terminal", {})), result("d")],
        },
        s=COMPRESSED, t={**CHILD, **COMPRESSED}, u={"parent_session_id": "t"},
    )  # fmt: skip
    for session_id in ("s", "t", "u"):
        assert told(path, session_id) == [("a", 0, True), ("b", 0, True), ("c", 1, True), ("d", 2, True)]
    assert [call.session_id for call in life(path).calls] == ["s", "s", "t", "u"]
    assert [call.position for call in life(path, "u").calls] == [0, 1, 2, 3]


def test_a_chained_session_that_inherits_nothing(record: Record) -> None:
    path = record({"s": FIRST, "t": [assistant(("c", "terminal", {})), result("c")]}, s=COMPRESSED, t=CHILD)
    assert told(path) == [("a", 0, True), ("b", 0, True), ("c", 1, True)]


def test_a_chained_session_of_a_model_that_uses_ids_again(record: Record) -> None:
    turn = [assistant(("call_0", "terminal", {"command": "ls"})), result("call_0")]
    other = [assistant(("call_0", "terminal", {"command": "make"})), result("call_0")]
    path = record({"s": [user("go"), *turn], "t": [user("go"), summary(), *turn, *other]}, s=COMPRESSED, t=CHILD)
    assert [(call.segment, call.arguments) for call in life(path).calls] == [
        (0, '{"command": "ls"}'),
        (1, '{"command": "make"}'),
    ]


def test_copies_in_a_chained_session_without_a_summary(record: Record) -> None:
    kept = [assistant(("b", "terminal", {"n": 2})), result("b")]
    path = record({"s": FIRST, "t": [*kept, assistant(("c", "terminal", {})), result("c")]}, s=COMPRESSED, t=CHILD)
    assert told(path) == [("a", 0, True), ("b", 0, True), ("c", 1, True)]
    assert life(path).parts[1].carried == [1]


def test_a_chained_session_without_a_summary_that_is_compacted_in_place(record: Record) -> None:
    work = [assistant(("c", "terminal", {"n": 3})), result("c"), assistant(("d", "terminal", {"n": 4})), result("d")]
    child = [*retired(*work), summary(), *work[2:], assistant(("e", "terminal", {"n": 5})), result("e")]
    path = record({"s": FIRST, "t": child}, s=COMPRESSED, t=CHILD)
    assert [(call.id, call.segment) for call in life(path).calls] == [("a", 0), ("b", 0), ("c", 1), ("d", 1), ("e", 2)]
    assert life(path).segments == 3


def test_branches_and_delegates_are_lives_of_their_own(record: Record) -> None:
    path = record(
        {"s": FIRST, "branch": FIRST[:3], "helper": FIRST[:3]},
        s=COMPRESSED,
        branch={**CHILD, "model_config": '{"_branched_from": "s"}'},
        helper={**CHILD, "model_config": '{"_delegate_from": "s"}'},
    )
    assert len(life(path).sessions) == 1
    assert told(path, "branch") == [], "what it copied was made by another"
    assert told(path, "helper") == [("a", 0, True)]


def test_relations_that_run_in_circles_or_end_in_nothing(record: Record) -> None:
    path = record(
        {"s": FIRST, "t": FIRST[:1], "orphan": FIRST[:3]},
        s={**COMPRESSED, "parent_session_id": "t"},
        t={**COMPRESSED, **CHILD},
        orphan={"parent_session_id": "gone"},
    )
    assert {session.id for session in life(path).sessions} == {"s", "t"}
    assert [session.id for session in life(path, "orphan").sessions] == ["orphan"]


@pytest.mark.parametrize("name", ["compaction_inplace", "compaction_chain"])
def test_lives_that_a_real_agent_compacted(name: str, tmp_path: Path) -> None:
    recorded = json.loads((FIXTURES / f"{name}.json").read_text())
    path = tmp_path / "state.db"
    with Archive(path) as archive:
        for session in recorded["sessions"]:
            archive.add_session(**session)
        archive.add_messages(recorded["messages"])
    by_life: dict[str, list[int]] = {}
    for session in recorded["sessions"]:
        found = life(path, session["id"])
        counts = Counter(call.segment for call in found.calls)
        by_life[found.sessions[0].id] = [counts[segment] for segment in range(found.segments)]
        assert {call.id for call in found.calls} <= recorded["labels"].keys()
    assert sorted(by_life.values(), key=len) == [[2], [13, 6, 1, 5, 4, 3, 4, 5, 4]]
