"""Conversations in the forms of chat interfaces, and what Hermes exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from warm_tui.demo.other_agents import written
from warm_tui.reliability.profile import judged
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source, reader_of

CALL = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "make"}'}}
RESULT = '{"output": "no", "exit_code": 2, "error": null}'
OPENAI = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": [{"type": "text", "text": "Build it"}, {"type": "image_url"}]},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": RESULT},
]
ANTHROPIC = [
    {"role": "user", "content": "Build it"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "terminal", "input": {"command": "make"}}],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}]},
]


def outcomes(path: Path) -> dict[str, list[str]]:
    with open_source(path) as source:
        lives = {session.id: read_life(source, session) for session in source.sessions()}
        return {
            name: [verdict.outcome for _, verdict in judged(life.calls, life.facts)] for name, life in lives.items()
        }


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC])
def test_both_forms_are_read(tmp_path: Path, messages: list[Any]) -> None:
    path = written(tmp_path / "log.jsonl", [{"messages": messages, "id": "a"}, {"messages": messages}])
    assert reader_of(path).kind == "chat"
    assert outcomes(path) == {"a": ["failure"], "log-2": ["failure"]}


def test_an_array_is_as_good_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps([{"messages": OPENAI, "id": "a"}, {"messages": [], "id": "b"}, 7, {"no": "messages"}]))
    assert outcomes(path) == {"a": ["failure"], "b": []}


def test_a_last_line_without_an_end_counts_if_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    line = json.dumps({"messages": OPENAI, "id": "a"})
    path.write_text(line + "\n" + line.replace('"a"', '"b"'))
    assert set(outcomes(path)) == {"a", "b"}
    path.write_text(line + "\n" + line[:40])
    assert set(outcomes(path)) == {"a"}


def test_what_hermes_exports_is_hermes(tmp_path: Path) -> None:
    calls = [{"id": "c1", "function": {"name": "terminal", "arguments": '{"command": "make"}'}}]
    rows = [
        {"id": 1, "role": "user", "content": "Build it", "timestamp": 5.0},
        {"id": 2, "role": "assistant", "content": "", "tool_calls": calls, "timestamp": 6.0},
        {"id": 3, "role": "tool", "content": RESULT, "tool_call_id": "c1", "timestamp": 7.0},
    ]
    session = {"id": "20260101_1", "source": "cli", "model": "m", "started_at": 4.0, "cwd": "/home/dev/work"}
    path = written(tmp_path / "out.jsonl", [{**session, "messages": rows}])
    assert outcomes(path) == {"20260101_1": ["failure"]}
    with open_source(path) as source:
        (found,) = source.sessions()
    assert (found.agent, found.model, found.project) == ("hermes", "m", "/home/dev/work")
