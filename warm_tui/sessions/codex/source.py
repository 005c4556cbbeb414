"""Codex' folder of rollouts, or one of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from warm_tui.sessions.codex.facts import CODEX
from warm_tui.sessions.codex.records import CodexReading
from warm_tui.sessions.folder_reader import FolderReader
from warm_tui.sessions.recorded_files import (
    PACKED,
    RecordedFile,
    edges_of,
    open_recording,
)
from warm_tui.sessions.recordings import FileSource, Listed

ENDINGS = (".jsonl", ".jsonl.zst")
"""What was not gone on with for a week is packed."""
FIRST_LINE = 1 << 20


class CodexSource(FileSource):
    facts = CODEX
    endings = ENDINGS
    folders = ("sessions", "archived_sessions")

    def reading(self, file: RecordedFile) -> CodexReading:
        return CodexReading(file.path.name.removesuffix(PACKED).removesuffix(".jsonl"))

    def listed(self, file: RecordedFile) -> list[Listed]:
        if not file.size:
            return []
        head, tail = edges_of(file)
        began, ended = self.reading(file), self.reading(file)
        for line in head:
            began.feed(line)
        for line in tail:
            ended.feed(line)
        (first,), (last,) = began.sessions().values(), ended.sessions().values()
        if first.started_at is None:
            return []
        session = replace(
            first, model=last.model or first.model, title=last.title or first.title, ended_at=last.ended_at
        )
        return [Listed(session, began.forked_from or began.name)]


class _First(msgspec.Struct):
    type: str
    payload: dict[str, object]


def _is_rollout(path: Path) -> bool:
    with open_recording(path) as file:
        try:
            return msgspec.json.decode(file.readline(FIRST_LINE), type=_First).type == "session_meta"
        except (msgspec.MsgspecError, RecursionError):
            return False


CODEX_READER = FolderReader(CodexSource, "CODEX_HOME", ".codex", _is_rollout)
