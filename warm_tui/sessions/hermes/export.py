"""What `hermes sessions export` writes: a line a session, with its row and its live messages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.hermes.rows import MESSAGE_COLUMNS, SESSION_COLUMNS, messages_of, session_of
from warm_tui.sessions.model import Message, Session
from warm_tui.sessions.recorded_files import RecordedFile
from warm_tui.sessions.recordings import FileSource, Listed, Reading, mended
from warm_tui.watching import FileState, file_state
from warm_tui.writing import open_regular

LONGEST_FIRST_LINE = 1 << 26


class _Exported(msgspec.Struct):
    id: str
    source: Any
    started_at: Any
    messages: list[Any]


class ExportReading(Reading):
    def __init__(self) -> None:
        super().__init__()
        self._sessions: dict[str, Session] = {}
        self._messages: dict[str, list[Message]] = {}

    def take_line(self, line: bytes) -> None:
        row = json.loads(mended(line), strict=False)
        if not isinstance(row, dict) or not isinstance(row.get("messages"), list):
            raise ValueError("it is no session")
        made = [_values(message, MESSAGE_COLUMNS) for message in row["messages"] if isinstance(message, dict)]
        first = made[0][list(MESSAGE_COLUMNS).index("timestamp")] if made else None
        role, content = (list(MESSAGE_COLUMNS).index(name) for name in ("role", "content"))
        words = next((each[content] for each in made if each[role] == "user"), None)
        session = session_of((*_values(row, SESSION_COLUMNS), None, first, words, None))
        self._sessions[session.id] = session
        self._messages[session.id] = messages_of(made)

    def sessions(self) -> dict[str, Session]:
        return self._sessions

    def messages(self, session_id: str) -> list[Message]:
        return self._messages.get(session_id, [])


def _values(row: dict[str, Any], columns: dict[str, str]) -> tuple[Any, ...]:
    """As they would stand in the table: what is no plain value is JSON there."""
    values = (row.get(name) for name in columns)
    return tuple(json.dumps(value) if isinstance(value, (list, dict)) else value for value in values)


class ExportSource(FileSource):
    facts = HERMES

    def reading(self, _file: RecordedFile) -> ExportReading:
        return ExportReading()

    def listed(self, file: RecordedFile) -> list[Listed]:
        reading = self._read(file)
        if reading.unreadable:
            self.troubles.append(f"{file.path}: {reading.unreadable} of its lines are no sessions.")
        return [Listed(session) for session in reading.sessions().values()]


class ExportReader:
    kind = "hermes-export"

    def usual_places(self) -> list[Path]:
        return []

    def claims(self, path: Path) -> bool:
        try:
            return path.suffix == ".jsonl" and path.is_file() and _is_export(path)
        except OSError:
            return False

    def open(self, path: Path) -> ExportSource:
        return ExportSource(path)

    def state(self, path: Path) -> FileState:
        return file_state(path)


EXPORT_READER = ExportReader()


def _is_export(path: Path) -> bool:
    with os.fdopen(open_regular(path), "rb") as file:
        try:
            msgspec.json.decode(file.readline(LONGEST_FIRST_LINE), type=_Exported)
        except (msgspec.MsgspecError, RecursionError):
            return False
    return True
