"""Codex' rollouts: exit codes in every shape, commands that go on, forks that repeat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Codex, exited, running
from warm_tui.reliability.profile import Judged, judged
from warm_tui.sessions.codex.facts import CODEX
from warm_tui.sessions.codex.source import CODEX_READER
from warm_tui.sessions.lineage import parent_of, read_life, read_members


def verdicts(told: Codex, home: Path) -> list[Judged]:
    told.write(home)
    with CODEX_READER.open(home) as source:
        (session,) = source.sessions()
        return judged(read_life(source, session).calls, CODEX)


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        (exited(0, "done"), ("success", "ok")),
        (exited(2, "make: *** Error"), ("failure", "exit_code")),
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno", ("failure", "exit_code")),
        (json.dumps({"output": "no", "metadata": {"exit_code": 3, "duration_seconds": 0.1}}), ("failure", "exit_code")),
        (json.dumps({"output": "fine", "metadata": {"exit_code": 0}}), ("success", "ok")),
        ("bash: frob: command not found", ("failure", "exit_code")),
        ("all went well", ("success", "ok")),
        ("aborted by user after 3.1s", ("unknown", "interrupted")),
        ('exec_command failed for `make`: CreateProcess { message: "Rejected(\\"no\\")" }', ("failure", "denied")),
        ("failed to parse function arguments: missing field `cmd`", ("failure", "protocol")),
    ],
)
def test_the_exit_code_is_told_in_several_shapes(tmp_path: Path, output: str, outcome: tuple[str, str]) -> None:
    ((_, verdict),) = verdicts(Codex().says("Do it").calls("k1").gets("k1", output), tmp_path)
    assert (verdict.outcome, verdict.kind) == outcome


def test_output_that_speaks_of_exit_codes_is_not_one(tmp_path: Path) -> None:
    told = Codex().says("Do it").calls("k1").gets("k1", exited(0, "Process exited with code 9"))
    ((_, verdict),) = verdicts(told, tmp_path)
    assert verdict.outcome == "success"


def test_a_command_that_goes_on_is_judged_by_its_end(tmp_path: Path) -> None:
    told = Codex().says("Test it").calls("k1").gets("k1", running(7))
    told.calls("k2", "write_stdin", session_id=7, chars="").gets("k2", running(7, "still"))
    told.calls("k3", "write_stdin", session_id=7, chars="").gets("k3", exited(1, "1 failed"))
    found = [(call.id, verdict.outcome) for call, verdict in verdicts(told, tmp_path)]
    assert found == [("k1", "failure"), ("k2", "success"), ("k3", "success")]


@pytest.mark.parametrize(
    ("printed", "outcome"),
    [("", "unknown"), ("ok  a  0.2s", "unknown"), ("bash: frob: command not found", "failure")],
)
def test_how_a_command_ended_that_nobody_asked_for_is_unknown(tmp_path: Path, printed: str, outcome: str) -> None:
    ((_, verdict),) = verdicts(Codex().says("Test it").calls("k1").gets("k1", running(7, printed)), tmp_path)
    assert verdict.outcome == outcome


def test_an_event_tells_the_exit_code_where_the_result_does_not(tmp_path: Path) -> None:
    told = Codex().says("Do it").calls("k1")
    told.line("event_msg", type="exec_command_end", call_id="k1", exit_code=4, aggregated_output="no such thing")
    told.gets("k1", "no such thing")
    ((_, verdict),) = verdicts(told, tmp_path)
    assert (verdict.outcome, verdict.reason) == ("failure", "exit code 4: no such thing")


def test_a_patch_that_was_not_applied_has_failed(tmp_path: Path) -> None:
    told = (
        Codex()
        .says("Do it")
        .line("response_item", type="custom_tool_call", name="apply_patch", call_id="k1", input="*** Begin Patch")
    )
    told.line("event_msg", type="patch_apply_end", call_id="k1", success=False, stderr="no such line")
    told.line("response_item", type="custom_tool_call_output", call_id="k1", output="Failed.")
    ((_, verdict),) = verdicts(told, tmp_path)
    assert (verdict.outcome, verdict.reason) == ("failure", "no such line")


def test_a_fork_repeats_what_stood_before_and_counts_only_what_is_new(tmp_path: Path) -> None:
    first = Codex("x1").says("Build it").runs("k1").runs("k2", code=1)
    first.write(tmp_path)
    fork = Codex("x2", forked_from_id="x1")
    fork.lines += first.lines
    fork.runs("k3").write(tmp_path)
    with CODEX_READER.open(tmp_path) as source:
        by_id = {session.id: session for session in source.sessions()}
        fork_of = by_id["x2"]
        assert CODEX.relation(fork_of, by_id["x1"]) == "branch"
        assert [call.id for call in read_members(source, [fork_of], by_id["x1"]).calls] == ["k3"]


def test_of_two_forks_of_a_session_that_is_gone_one_has_its_calls(tmp_path: Path) -> None:
    gone = Codex("x1").says("Build it").runs("k1")
    for name, call in (("x2", "k2"), ("x3", "k3")):
        fork = Codex(name, forked_from_id="x1", parent_thread_id="x1")
        fork.lines += gone.lines
        fork.runs(call).write(tmp_path)
    with CODEX_READER.open(tmp_path) as source:
        calls = [
            call.id
            for session in source.sessions()
            for call in read_members(source, [session], parent_of(source, session)).calls
        ]
    assert sorted(calls) == ["k1", "k2", "k3"]


def test_compaction_replaces_what_stood_before(tmp_path: Path) -> None:
    told = Codex().says("Build it").runs("k1")
    kept = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Build it"}]}]
    told.line("compacted", message="Built a half.", replacement_history=kept).runs("k2").write(tmp_path)
    with CODEX_READER.open(tmp_path) as source:
        (session,) = source.sessions()
        life = read_life(source, session)
    assert [(call.id, call.segment) for call in life.calls] == [("k1", 0), ("k2", 1)]
    assert [len(block) for block in life.parts[0].blocks] == [2]


def test_tokens_are_the_last_total_and_what_was_cached_is_apart(tmp_path: Path) -> None:
    told = Codex().says("Build it").runs("k1")
    for put_in in (100, 300):
        total = {"input_tokens": put_in, "cached_input_tokens": 40, "output_tokens": 9, "reasoning_output_tokens": 2}
        told.line("event_msg", type="token_count", info={"total_token_usage": total})
    told.write(tmp_path)
    with CODEX_READER.open(tmp_path) as source:
        (session,) = source.sessions()
        assert source.whole(session).tokens == (260, 9, 40, 0, 2)


def test_what_the_program_puts_into_the_users_role_is_not_the_users(tmp_path: Path) -> None:
    told = Codex().says("<environment_context>\n<cwd>/a</cwd>\n</environment_context>").says("Build it").runs("k1")
    told.write(tmp_path)
    with CODEX_READER.open(tmp_path) as source:
        (session,) = source.sessions()
        assert read_life(source, session).as_one.first_user == "Build it"
