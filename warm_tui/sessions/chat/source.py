"""A file of conversations: `{"messages": [...]}` a line, or a JSON array of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import replace

from warm_tui.sessions.model import MadeCall, Message, Report, Session
from warm_tui.sessions.recorded_files import RecordedFile
from warm_tui.sessions.recordings import FileSource, Listed, Reading, count_copies, mended, moment
from warm_tui.sessions.source import AgentFacts
from warm_tui.watching import FileState, file_state
from warm_tui.writing import open_regular, read_regular

Json: TypeAlias = dict[str, Any]

ENDINGS = (".jsonl", ".json")
LOOKED_AT = 1 << 20
TERMINALS = ("terminal", "bash", "shell", "Bash", "exec_command", "execute_bash", "run_command")

CHAT = AgentFacts(
    agent="chat",
    command_tool="terminal",
    families=dict.fromkeys(TERMINALS, "terminal"),
    task_families=dict.fromkeys(TERMINALS, "code"),
    local_tools=frozenset(TERMINALS),
    count_copies=count_copies,
)
"""Whoever wrote it is not known: what a tool does is told by a few common names."""


class ChatReading(Reading):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._sessions: dict[str, Session] = {}
        self._messages: dict[str, list[Message]] = {}

    def take_line(self, line: bytes) -> None:
        if line.strip():
            self._take(json.loads(mended(line), strict=False))

    def advance(self, file: RecordedFile, enough: Callable[[], bool]) -> None:
        if file.path.suffix == ".jsonl":
            super().advance(file, enough)
            # The last line of a file that is finished may have no end.
            self._take_rest(file)
        elif self.offset != file.size:
            self._sessions, self._messages = {}, {}
            try:
                document = json.loads(mended(read_regular(file.path)), strict=False)
            except (ValueError, RecursionError):
                self.unreadable += 1
                document = []
            for conversation in document if isinstance(document, list) else [document]:
                self._take(conversation)
            self.offset = file.size

    def _take_rest(self, file: RecordedFile) -> None:
        if self.offset < file.size:
            with os.fdopen(open_regular(file.path), "rb") as raw:
                raw.seek(self.offset)
                rest = raw.read()
            if rest and b"\n" not in rest and rest.rstrip().endswith(b"}"):
                self.feed(rest)
                self.offset = file.size

    def _take(self, conversation: Any) -> None:
        if not isinstance(conversation, dict) or not isinstance(conversation.get("messages"), list):
            self.unreadable += 1
            return
        metadata = conversation.get("metadata")
        told = {**(metadata if isinstance(metadata, dict) else {}), **conversation}
        name = str(told.get("id") or f"{self._name}-{len(self._sessions) + 1}")
        if name in self._sessions:
            name = f"{name}-{len(self._sessions) + 1}"
        messages = list(_numbered(_messages_of(told)))
        began = moment(told.get("created") or told.get("created_at") or told.get("timestamp"))
        if began is None:
            began = next((message.timestamp for message in messages if message.timestamp is not None), None)
        self._sessions[name] = Session(
            id=name,
            source=str(told.get("source") or "chat"),
            model=told["model"] if isinstance(told.get("model"), str) else None,
            title=told["title"] if isinstance(told.get("title"), str) else None,
            started_at=began,
        )
        self._messages[name] = messages

    def sessions(self) -> dict[str, Session]:
        return self._sessions

    def messages(self, session_id: str) -> list[Message]:
        return self._messages.get(session_id, [])


def _numbered(messages: Iterable[Message]) -> Iterable[Message]:
    return (replace(message, id=at) for at, message in enumerate(messages, 1))


def _messages_of(conversation: Json) -> Iterable[Message]:
    system = conversation.get("system")
    if isinstance(system, (str, list)) and (text := _text(system)):
        yield Message(0, "system", text, len(text))
    for said in conversation["messages"]:
        if isinstance(said, dict):
            yield from _message(said)


def _message(said: Json) -> Iterable[Message]:
    role, content = str(said.get("role") or ""), said.get("content")
    at = moment(said.get("timestamp") or said.get("created_at"))
    if role in ("tool", "function"):
        text = _text(content)
        answers = str(said.get("tool_call_id") or said.get("name") or "")
        yield Message(0, "tool", text, len(text), answers, tool_name=str(said.get("name") or ""), timestamp=at)
        return
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    for part in parts:
        if part.get("type") == "tool_result":
            text = _text(part.get("content"))
            report = Report(failed=True) if part.get("is_error") is True else None
            yield Message(0, "tool", text, len(text), str(part.get("tool_use_id") or ""), timestamp=at, report=report)
    calls = [*_openai_calls(said), *_anthropic_calls(parts)]
    text = _text(content)
    if text or calls:
        size = len(text) + sum(len(call.tool_name) + len(call.arguments) for call in calls)
        yield Message(0, "system" if role == "developer" else role, text, size, calls=calls, timestamp=at)


def _openai_calls(said: Json) -> Iterable[MadeCall]:
    calls = said.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield MadeCall(
                str(call.get("id") or ""), str(function.get("name") or ""), _arguments(function.get("arguments"))
            )
    function = said.get("function_call")
    if isinstance(function, dict):
        name = str(function.get("name") or "")
        yield MadeCall(name, name, _arguments(function.get("arguments")))


def _anthropic_calls(parts: Iterable[Json]) -> Iterable[MadeCall]:
    for part in parts:
        if part.get("type") == "tool_use":
            yield MadeCall(str(part.get("id") or ""), str(part.get("name") or ""), _arguments(part.get("input")))


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value if value is not None else {}, ensure_ascii=False)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    said = []
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, dict) and part.get("type") not in ("tool_use", "tool_result", "thinking"):
            said.append(part["text"] if isinstance(part.get("text"), str) else f"[{part.get('type') or 'part'}]")
    return "\n".join(said)


class ChatSource(FileSource):
    facts = CHAT
    endings = ENDINGS

    def reading(self, file: RecordedFile) -> ChatReading:
        return ChatReading(file.path.stem)

    def listed(self, file: RecordedFile) -> list[Listed]:
        reading = self._read(file)
        if reading.unreadable:
            self.troubles.append(f"{file.path}: {reading.unreadable} of its lines are no conversations.")
        return [Listed(session) for session in reading.sessions().values()]


class ChatReader:
    kind = "chat"

    def usual_places(self) -> list[Path]:
        return []

    def claims(self, path: Path) -> bool:
        """By its name and how it begins: what holds messages is a conversation, if no other reader knows better."""
        try:
            if path.suffix not in ENDINGS or not path.is_file():
                return False
            with os.fdopen(open_regular(path), "rb") as file:
                return b'"messages"' in file.read(LOOKED_AT)
        except OSError:
            return False

    def open(self, path: Path) -> ChatSource:
        return ChatSource(path)

    def state(self, path: Path) -> FileState:
        return file_state(path)


CHAT_READER = ChatReader()
