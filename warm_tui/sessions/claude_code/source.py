"""Claude Code's folder of sessions, or one of its files."""

from __future__ import annotations

import json
import mmap
import os
from pathlib import Path

from msgspec.structs import replace

from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.claude_code.records import ClaudeReading, record_of
from warm_tui.sessions.folder_reader import FolderReader
from warm_tui.sessions.recorded_files import (
    RecordedFile,
    edges_of,
    read_lines,
)
from warm_tui.sessions.recordings import FileSource, Listed
from warm_tui.writing import open_regular

ENDINGS = (".jsonl",)
SUBAGENT = b'"agent_progress"'
SIDECHAIN = b'"isSidechain":true'
LOOKED_AT = 20
"""Lines by which a file is known."""


class ClaudeCodeSource(FileSource):
    facts = CLAUDE_CODE
    endings = ENDINGS
    folders = ("projects",)

    def __init__(self, path: Path) -> None:
        super().__init__(path)

    def reading(self, file: RecordedFile) -> ClaudeReading:
        return ClaudeReading(_name_of(file.path), CLAUDE_CODE.command_tool)

    def listed(self, file: RecordedFile) -> list[Listed]:
        if not file.size:
            return []
        head, tail = edges_of(file)
        began, ended = self.reading(file), self.reading(file)
        for line in head:
            began.feed(line)
        ended.main.is_known, ended.main.is_subagent = began.main.is_known, began.main.is_subagent
        for line in tail:
            ended.feed(line)
        first, last = began.main.session(), ended.main.session()
        if first.started_at is None and last.started_at is None:
            return []
        session = replace(
            first,
            model=last.model or first.model,
            title=last.title or first.title,
            ended_at=last.ended_at or first.ended_at,
            replays=not began.main.is_subagent and _told_under_another_name(head, first.id),
        )
        listed = [Listed(session, _first_uuid(head))]
        if not began.main.is_subagent and _holds_subagents(file):
            whole = self.reading(file)
            for line, _ in read_lines(file.path):
                whole.feed(line)
            listed += [Listed(thread.session()) for thread in whole.agents.values() if thread.messages]
        return listed


def _name_of(path: Path) -> str:
    return path.name.removesuffix(".jsonl")


def _is_recording(path: Path) -> bool:
    """Do its first lines look like those of this agent?"""
    descriptor = open_regular(path)
    with os.fdopen(descriptor, "rb") as file:
        for _ in range(LOOKED_AT):
            line = file.readline(1 << 20)
            if not line:
                return False
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and "sessionId" in record and "type" in record:
                return True
    return False


def _first_uuid(head: list[bytes]) -> str:
    """Of the first message: a copy of a session begins with the same."""
    for line in head:
        try:
            record = record_of(line)
        except (ValueError, RecursionError):
            continue
        if record.type in ("user", "assistant") and isinstance(record.uuid, str):
            return record.uuid
    return ""


def _told_under_another_name(head: list[bytes], name: str) -> bool:
    """Its first records say that they are another session's: it is the copy."""
    for line in head:
        try:
            record = record_of(line)
        except (ValueError, RecursionError):
            continue
        if record.type in ("user", "assistant"):
            return isinstance(record.session_id, str) and record.session_id not in name
    return False


def _holds_subagents(file: RecordedFile) -> bool:
    with os.fdopen(open_regular(file.path), "rb") as raw, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as held:
        return held.find(SUBAGENT) >= 0 or held.find(SIDECHAIN) >= 0


CLAUDE_CODE_READER = FolderReader(ClaudeCodeSource, "CLAUDE_CONFIG_DIR", ".claude", _is_recording, folder_tells=True)
