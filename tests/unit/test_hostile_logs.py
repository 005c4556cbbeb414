"""Logs of messages and exports of Hermes are one file: what is broken in it is counted, and the rest is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.unit.test_hostile_recordings import DEEP, HOSTILE, as_it_is
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.sessions.readers import open_source, reader_of

CALL = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"command": "make"}'}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "Do it"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"output": "no", "exit_code": 2, "error": null}'},
]


def line_of(kind: str, name: str) -> dict[str, Any]:
    if kind == "chat":
        return {"id": name, "messages": MESSAGES}
    rows = [{"id": at, "timestamp": 5.0 + at, **message} for at, message in enumerate(MESSAGES)]
    return {"id": name, "source": "cli", "started_at": 4.0, "messages": rows}


LINES: dict[str, bytes] = {
    **HOSTILE,
    "messages of other types": b'{"id": "odd", "source": 1, "started_at": {}, "messages": [1, null, [], {"role": [], '
    b'"content": {"a": 1}, "tool_calls": 7, "timestamp": "never", "id": {}}]}',
    "no messages": b'{"id": [], "source": 1, "started_at": 1, "messages": 7}',
    "deep messages": b'{"id": "deep", "source": "", "started_at": 1, "messages": [{"role": "user", "content": ' + DEEP,
    "half a character": b'{"id": "half", "source": "", "started_at": 1, "messages": [{"role": "user", "content": "\xff"}]}',
    "a lone surrogate": b'{"id": "lone", "source": "", "started_at": 1, "messages": [{"role": "user", "content": "\\ud800"}]}',
    "a number without end": b'{"id": "inf", "source": "", "started_at": 1e999, "messages": []}',
}


@pytest.fixture(params=["chat", "hermes-export"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def outcomes(path: Path, tmp_path: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Of the good sessions how their calls ended, and what is said of the rest; nothing was written."""
    before = as_it_is(path)
    with Catalog(Home(tmp_path / "ours", (path,))) as catalog:
        assert {"first", "last"} <= {profile.session_id for profile in catalog.profiles()}
        found = {name: [verdict.outcome for _, verdict in catalog.life(name)[2]] for name in ("first", "last")}
        catalog.sources[0].sessions_with_text("no such words")
        advice = catalog.sources[0].health().advice
    assert as_it_is(path) == before
    return found, advice


@pytest.mark.parametrize("hostile", LINES.values(), ids=LINES)
def test_a_broken_line_hides_no_other(tmp_path: Path, kind: str, hostile: bytes) -> None:
    path = tmp_path / "log.jsonl"
    first, last = (json.dumps(line_of(kind, name)).encode() for name in ("first", "last"))
    path.write_bytes(b"\n".join((first, hostile, last, b"")))
    assert reader_of(path).kind == kind
    found, advice = outcomes(path, tmp_path)
    assert found == {"first": ["failure"], "last": ["failure"]}
    assert all(said.startswith(f"{path}: ") for said in advice)
    if hostile not in (LINES["empty lines"], LINES["messages of other types"], LINES["half a character"],
                       LINES["a lone surrogate"], LINES["a number without end"]):  # fmt: skip
        assert advice, "it is told"


def test_what_is_cut_off_in_mid_line_is_not_there_yet(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "log.jsonl"
    lines = [json.dumps(line_of(kind, name)).encode() for name in ("first", "last", "cut")]
    path.write_bytes(b"\n".join(lines)[:-40])
    found, advice = outcomes(path, tmp_path)
    assert found == {"first": ["failure"], "last": ["failure"]}
    assert advice == []
    path.write_bytes(b"\n".join(lines) + b"\n")
    with open_source(path) as source:
        assert {session.id for session in source.sessions()} == {"first", "last", "cut"}


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(line_of(kind, "first")) + "\n")
    with open_source(path) as source:

        def barred(*_: object, **__: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("warm_tui.sessions.recorded_files.open_regular", barred)
        with pytest.raises(Trouble, match="Permission denied"):
            source.sessions()


def test_a_pipe_of_that_name_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    os.mkfifo(path)
    with pytest.raises(Trouble, match="not a regular file"):
        open_source(path)
