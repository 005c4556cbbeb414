"""Which sessions a call began: by the names in its result, else by the words that it gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Claude, Codex, opencode_session, opencode_tool
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.subagents import begun_by


def helpers(place: Path, parent: str) -> dict[str, list[str]]:
    """For each call of a session, the sessions that it began."""
    with open_source(place) as source:
        session = source.session(parent)
        assert session is not None
        return {call.id: [each.id for each in begun_by(source, call)] for call in read_life(source, session).calls}


@pytest.mark.parametrize("result", ["Done.\nagentId: a1b2c3d4", "Done."])
def test_within_a_file_of_claude_code(tmp_path: Path, result: str) -> None:
    told = Claude("c1").says("Look").calls("k1", "Task", prompt="Find it").agent_does("a1b2c3d4", "k2", "found")
    told.gets("k1", result).runs("k3").write(tmp_path)
    named = ["c1.a1b2c3d4"] if "agentId" in result else []
    assert helpers(tmp_path / "projects", "c1") == {"k1": named, "k3": []}


def test_a_thread_of_codex(tmp_path: Path) -> None:
    Codex("x1").says("Look").calls("k1", "spawn_agent", message="Find it").gets(
        "k1", '{"agent_id": "thread-22", "nickname": "Ada"}'
    ).runs("k2").write(tmp_path)
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "x1", "depth": 1}}}
    Codex("thread-22", source=source).says("Find it").runs("k3").write(tmp_path)
    assert helpers(tmp_path / "sessions", "x1") == {"k1": ["thread-22"], "k2": []}


def test_a_task_of_opencode_is_known_by_what_it_was_told(tmp_path: Path) -> None:
    task = opencode_tool("k1", "task", input={"prompt": "Build it.", "description": "b"}, output="done")
    other = opencode_tool("k2", "task", input={"prompt": "Test it."}, output="done")
    for document in (opencode_session("ses_1", [task, other]), opencode_session("ses_2", parentID="ses_1")):
        (tmp_path / f"{document['info']['id']}.json").write_text(json.dumps(document))
    assert list(helpers(tmp_path, "ses_1").values()) == [["ses_2"], []]
