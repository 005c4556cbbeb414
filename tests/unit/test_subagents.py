"""Which sessions a call began: by the names in its result, else by the words that it gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Record, assistant, result, user
from tests.unit.commands import document, run
from warm_tui.demo.other_agents import Claude, Codex, opencode_session, opencode_tool
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.subagents import begun_by, with_helpers
from warm_tui.sessions.transcript import transcript


def helpers(place: Path, parent: str) -> dict[str, list[str]]:
    """For each call of a session, the sessions that it began."""
    with open_source(place) as source:
        session = source.session(parent)
        assert session is not None
        calls = read_life(source, session).calls
        begun = begun_by(source, calls)
        return {call.id: [each.id for each in begun.get((call.session_id, call.key), [])] for call in calls}


@pytest.mark.parametrize("result", ["Done.\nagentId: a1b2c3d4", "Done."])
def test_within_a_file_of_claude_code(tmp_path: Path, result: str) -> None:
    told = Claude("c1").says("Look").calls("k1", "Task", prompt="Find it").agent_does("a1b2c3d4", "k2", "found")
    told.gets("k1", result).runs("k3").write(tmp_path)
    named = ["c1.a1b2c3d4"] if "agentId" in result else []
    assert helpers(tmp_path / "projects", "c1") == {"k1": named, "k3": []}


def test_a_file_of_claude_code_beside_its_parents(tmp_path: Path) -> None:
    path = (
        Claude("c1").says("Look").calls("k1", "Task", prompt="Find it").gets("k1", "Found.").runs("k2").write(tmp_path)
    )
    helper = Claude("c1").says("Find it").runs("k3")
    for record in helper.records:
        record |= {"isSidechain": True, "agentId": "a1b2c3d4", "uuid": f"side-{record['uuid']}"}
    helper.write(tmp_path, name=f"{path.stem}/subagents/agent-a1b2c3d4")
    assert helpers(tmp_path / "projects", "c1") == {"k1": ["agent-a1b2c3d4"], "k2": []}


def test_a_later_call_that_names_a_helper_did_not_begin_it(tmp_path: Path) -> None:
    told = Claude("c1").says("Look").calls("k1", "Task", prompt="Find it").agent_does("a1b2c3d4", "k2", "found")
    told.gets("k1", "agentId: a1b2c3d4").runs("k3", "-rw-r--r-- agent-a1b2c3d4.jsonl").write(tmp_path)
    assert helpers(tmp_path / "projects", "c1") == {"k1": ["c1.a1b2c3d4"], "k3": []}


def test_a_thread_of_codex(tmp_path: Path) -> None:
    Codex("x1").says("Look").calls("k1", "spawn_agent", message="Find it").gets(
        "k1", '{"agent_id": "thread-22", "nickname": "Ada"}'
    ).runs("k2").calls("k5", "spawn_agent").gets("k5", '{"agent_id": "thread-33"}').write(tmp_path)
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "x1", "depth": 1}}}
    Codex("thread-22", source=source).says("Find it").runs("k3").write(tmp_path)
    # One that begins with a replay of what its parent did is a helper all the same.
    Codex("thread-33", source=source, forked_from_id="x1").says("Look").runs("k2").runs("k4").write(tmp_path)
    assert helpers(tmp_path / "sessions", "x1") == {"k1": ["thread-22"], "k2": [], "k5": ["thread-33"]}


def test_a_task_of_opencode_is_known_by_what_it_was_told(tmp_path: Path) -> None:
    task = opencode_tool("k1", "task", input={"prompt": "Build it.", "description": "b"}, output="done")
    other = opencode_tool("k2", "task", input={"prompt": "Test it."}, output="done")
    for each in (opencode_session("ses_1", [task, other]), opencode_session("ses_2", parentID="ses_1")):
        (tmp_path / f"{each['info']['id']}.json").write_text(json.dumps(each))
    assert list(helpers(tmp_path, "ses_1").values()) == [["ses_2"], []]


def test_a_delegate_of_hermes_is_known_by_its_goal(record: Record) -> None:
    delegated = assistant(("k1", "delegate_task", {"goal": "Find the bug"}))
    path = record(
        {
            "p1": [user("Look at it"), delegated, result("k1", "In line 3."), assistant(("k2", "terminal", {}))],
            "h1": [user("Find the bug"), assistant(("k3", "terminal", {}))],
        },
        h1={"parent_session_id": "p1", "source": "tool"},
    )
    assert helpers(path, "p1") == {"k1": ["h1"], "k2": []}


def test_what_helpers_did_stands_behind_the_call_however_deep_and_each_once(tmp_path: Path) -> None:
    first = opencode_tool("k1", "task", input={"prompt": "Build it."}, output="task_id: ses_22")
    again = opencode_tool("k2", "task", input={"prompt": "More."}, output="task_id: ses_22")
    within = opencode_tool("k3", "task", input={"prompt": "Deeper."}, output="task_id: ses_33")
    for each in (
        opencode_session("ses_11", [first, again, opencode_tool("k9")]),
        opencode_session("ses_22", [within, opencode_tool("k4")], parentID="ses_11", title="The helper"),
        opencode_session("ses_33", [opencode_tool("k5")], parentID="ses_22"),
    ):
        (tmp_path / f"{each['info']['id']}.json").write_text(json.dumps(each))
    with open_source(tmp_path) as source:
        session = source.session("ses_11")
        assert session is not None
        items = transcript(read_life(source, session))
        told = with_helpers(source, items)
    assert [item for item in told if not item.within and item.kind != "helper"] == items, "these are as they were"
    assert [(item.call.id if item.call else item.kind, item.within) for item in told] == [
        ("user", ()),
        ("prt_k1", ()),
        ("helper", ()),
        ("user", ("ses_22",)),
        ("prt_k3", ("ses_22",)),
        ("helper", ("ses_22",)),
        ("user", ("ses_22", "ses_33")),
        ("prt_k5", ("ses_22", "ses_33")),
        ("prt_k4", ("ses_22",)),
        ("prt_k2", ()),
        ("prt_k9", ()),
    ]
    assert (told[2].text, told[2].count) == ("The helper", 2)


def test_helpers_that_are_said_to_have_begun_each_other_end(tmp_path: Path) -> None:
    for name, other in (("ses_11", "ses_22"), ("ses_22", "ses_11")):
        task = opencode_tool("k1", "task", input={"prompt": "Go."}, output=f"task_id: {other}")
        (tmp_path / f"{name}.json").write_text(json.dumps(opencode_session(name, [task], parentID=other)))
    with open_source(tmp_path) as source:
        session = source.session("ses_11")
        assert session is not None
        told = with_helpers(source, transcript(read_life(source, session)))
    assert [item.session_id for item in told if item.kind == "helper"] == ["ses_22", "ses_11"]


def test_the_command_lists_what_helpers_did_on_request(tmp_path: Path) -> None:
    told = Claude("c1").says("Look").calls("k1", "Task", prompt="Find it").agent_does("a1b2c3d4", "k2", "found")
    told.gets("k1", "agentId: a1b2c3d4").runs("k3").write(tmp_path)
    asked = ("--home", str(tmp_path / "home"), "--db", str(tmp_path / "projects"), "calls", "c1")
    assert "helpers" not in document(*asked)
    found = document(*asked, "--helpers")
    assert [call["tool_call_id"] for call in found["calls"]] == ["k1", "k3"]
    (helper,) = found["helpers"]
    assert (helper["session_id"], helper["begun_in"], helper["begun_by"]) == ("c1.a1b2c3d4", "c1", "k1")
    assert [call["tool_call_id"] for call in helper["calls"]] == ["k2"]
    printed = run(*asked, "--helpers").stdout.splitlines()
    assert [line.split("ok")[1].split() for line in printed[1:]] == [
        ["Task", "Find", "it"],
        ["┊", "Grep", "a"],
        ["Bash", "make"],
    ]
