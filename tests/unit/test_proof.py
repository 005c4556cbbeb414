"""What a run's first request held, as Hermes wrote it down."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from warm_tui.agent.hermes_cli import environment_of, start_warm
from warm_tui.agent.hermes_config import PLACES, parse_config, prefill_at
from warm_tui.agent.proof import arrived

CALL = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "ls src"}'}}
CONVERSATION = [
    {"role": "user", "content": "Begin with the folder."},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"output": "src"}'},
]
TASK = {"role": "user", "content": "Begin with the folder."}


def written(home: Path, body: Any, at: int = 1, reason: str = "preflight") -> None:
    (home / "sessions").mkdir(exist_ok=True)
    name = f"request_dump_s_2026_20261119_05000{at}_000000.json"
    (home / "sessions" / name).write_text(json.dumps({"reason": reason, "request": {"body": body}}))


@pytest.mark.parametrize(
    ("body", "is_there"),
    [
        ({"messages": [{"role": "system", "content": "You are."}, *CONVERSATION, TASK]}, True),
        ({"messages": [{"role": "system", "content": "You are."}, TASK]}, False),
        # As other providers are sent it: joined, and split into parts.
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "Begin with the folder."}]},
                    {"role": "assistant", "content": [{"type": "tool_use", "name": "terminal", "input": {"command": "ls src"}}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": '{"output": "src"}'}]},
                ]
            },
            True,
        ),
        ({"input": [{"type": "function_call", "arguments": '{"command":"ls src"}'}, {"output": '{"output": "src"}'}]}, True),
    ],
)  # fmt: skip
def test_most_of_it_has_to_be_there(tmp_path: Path, body: Any, is_there: bool) -> None:
    written(tmp_path, body)
    assert arrived(tmp_path, CONVERSATION) is is_there


def test_the_first_request_is_asked(tmp_path: Path) -> None:
    written(tmp_path, {"messages": [TASK]}, at=2)
    written(tmp_path, {"messages": [*CONVERSATION, TASK]}, at=3)
    written(tmp_path, {"messages": []}, at=1, reason="non_retryable_client_error")
    assert arrived(tmp_path, CONVERSATION) is False


def test_where_nothing_is_written_nothing_is_said(tmp_path: Path) -> None:
    assert arrived(tmp_path, CONVERSATION) is None
    (tmp_path / "sessions").mkdir()
    os.mkfifo(tmp_path / "sessions" / "request_dump_s_20261119_050000_000000.json")
    assert arrived(tmp_path, CONVERSATION) is None


def test_a_run_is_told_its_messages_wherever_any_version_reads_them(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("model: m\nagent: {max_turns: 3}\n")
    start_warm(tmp_path, tmp_path / "prefill.json")
    config = parse_config((tmp_path / "config.yaml").read_text(), tmp_path)
    assert [prefill_at(config, place) for place in PLACES] == [str(tmp_path / "prefill.json")] * 2
    assert config["agent"]["max_turns"] == 3
    variables = environment_of(tmp_path, tmp_path, tmp_path / "prefill.json", "token")
    assert variables["HERMES_PREFILL_MESSAGES_FILE"] == str(tmp_path / "prefill.json")


def test_a_config_that_cannot_be_edited_is_left(tmp_path: Path) -> None:
    text = "base: &b {x: 1}\nagent: *b\n"
    (tmp_path / "config.yaml").write_text(text)
    start_warm(tmp_path, tmp_path / "prefill.json")
    assert (tmp_path / "config.yaml").read_text() == text
