"""From the lines of a session's file to its messages: each record once, whatever is repeated, cut off or unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.sessions.claude_code.facts import command_of, words_after_command, words_of_user
from warm_tui.sessions.model import MadeCall, Message, Report, Session, as_count
from warm_tui.sessions.recordings import Reading, moment

NOTHING = msgspec.Raw(b"")


class Record(msgspec.Struct, gc=False, rename="camel"):
    """What is read of a line. Other versions write other things: any value may have any type, or be missing."""

    type: Any = None
    subtype: Any = None
    uuid: Any = None
    timestamp: Any = None
    session_id: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    agent_id: Any = None
    parent_uuid: Any = None
    cwd: Any = None
    entrypoint: Any = None
    summary: Any = None
    ai_title: Any = None
    custom_title: Any = None
    message: msgspec.Raw = NOTHING
    tool_use_result: msgspec.Raw = NOTHING
    data: msgspec.Raw = NOTHING


class _Spoken(msgspec.Struct, gc=False):
    id: Any = None
    model: Any = None
    content: msgspec.Raw = NOTHING
    usage: msgspec.Raw = NOTHING


class _Part(msgspec.Struct, gc=False):
    type: Any = None
    text: Any = None
    id: Any = None
    name: Any = None
    input: msgspec.Raw = NOTHING
    tool_use_id: Any = None
    content: msgspec.Raw = NOTHING
    is_error: Any = None


class _Usage(msgspec.Struct, gc=False):
    input_tokens: Any = 0
    output_tokens: Any = 0
    cache_read_input_tokens: Any = 0
    cache_creation_input_tokens: Any = 0


class _Told(msgspec.Struct, gc=False, rename="camel"):
    """What stands beside a command's result."""

    interrupted: Any = None
    return_code_interpretation: Any = None


class _Progress(msgspec.Struct, gc=False, rename="camel"):
    type: Any = None
    agent_id: Any = None
    message: msgspec.Raw = NOTHING


record_of = msgspec.json.Decoder(Record).decode
spoken_of = msgspec.json.Decoder(_Spoken).decode
_text = msgspec.json.Decoder(str).decode
_parts = msgspec.json.Decoder(list[_Part]).decode
_usage = msgspec.json.Decoder(_Usage).decode
_told = msgspec.json.Decoder(_Told).decode
_progress = msgspec.json.Decoder(_Progress).decode

_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,3})(?:\n|\Z)")
ERROR_OPENS, ERROR_CLOSES = "<tool_use_error>", "</tool_use_error>"
INTERRUPTED = "[Request interrupted by user"


class ClaudeReading(Reading):
    """A file as far as it was read: the session it is of, and the subagents that are recorded within."""

    def __init__(self, name: str, command_tool: str) -> None:
        super().__init__()
        self.main = _Thread(name, command_tool)
        self.agents: dict[str, _Thread] = {}
        self._sides: dict[str, str] = {}
        """Of each record of a subagent that has no name, the first of its line."""

    def take_line(self, line: bytes) -> None:
        record = record_of(line)
        if record.type == "progress":
            self._progressed(record)
        elif record.is_sidechain is True and not self._is_subagents_own(record):
            self._thread_of(record).take(record)
        else:
            self.main.take(record)

    def _is_subagents_own(self, record: Record) -> bool:
        """The file is a subagent's: it begins with a message of one, under the name of another session."""
        begins_so = isinstance(record.session_id, str) and record.session_id != self.main.name
        return self.main.is_subagent or (begins_so and not self.main.is_known)

    def _progressed(self, record: Record) -> None:
        data = _progress(record.data) if record.data else None
        if data is None or data.type != "agent_progress" or not data.message:
            return
        within = record_of(data.message)
        within.session_id = record.session_id
        within.timestamp = within.timestamp or record.timestamp
        self._thread(str(data.agent_id or "agent")).take(within)

    def _thread_of(self, record: Record) -> _Thread:
        if isinstance(record.agent_id, str):
            return self._thread(record.agent_id)
        name = self._sides.get(str(record.parent_uuid)) or str(record.uuid)[:8]
        self._sides[str(record.uuid)] = name
        return self._thread(name)

    def _thread(self, agent: str) -> _Thread:
        if agent not in self.agents:
            self.agents[agent] = _Thread(f"{self.main.name}.{agent}", self.main.command_tool, self.main.name)
        return self.agents[agent]

    def sessions(self) -> dict[str, Session]:
        return {thread.name: thread.session() for thread in (self.main, *self.agents.values())}

    def messages(self, session_id: str) -> list[Message]:
        if session_id in ("", self.main.name):
            return self.main.messages
        return next((thread.messages for thread in self.agents.values() if thread.name == session_id), [])


class _Given(NamedTuple):
    """A command that the user gave, with what stands behind it, and the last record that tells of it."""

    at: int
    words: str
    uuid: Any
    timestamp: Any


class _Thread:
    """One line of messages: a session's, or a subagent's."""

    def __init__(self, name: str, command_tool: str, parent: str = "") -> None:
        self.name, self.command_tool, self.parent = name, command_tool, parent
        self.messages: list[Message] = []
        self.is_subagent = bool(parent)
        self.is_known = bool(parent)
        """Whose it is: its first message has told that."""
        self._seen: set[str] = set()
        self._next_id = 0
        self._commands: set[str] = set()
        """Ids of the calls that run commands."""
        self._open_id = ""
        """The reply that is being written, part by part, and where it stands."""
        self._open_at = -1
        self._used: dict[str, _Usage] = {}
        self._model: str | None = None
        self._title: str | None = None
        self._has_words = False
        self._command = ("", "")
        """The first that the user gave with something to it, or the first, and that."""
        self._given: _Given | None = None
        self._source = "cli"
        self._folder: str | None = None
        self._first: float | None = None
        self._last: float | None = None

    def take(self, record: Record) -> None:
        if record.type in ("summary", "ai-title", "custom-title"):
            told = record.custom_title or record.ai_title or record.summary
            self._title = told if isinstance(told, str) and told.strip() else self._title
            return
        if isinstance(record.uuid, str) and record.uuid in self._seen:
            return
        if record.type in ("user", "assistant") and record.message:
            spoken = spoken_of(record.message)
            parts = _parts_of(spoken.content)
            answers = [_words_of(part.content) for part in parts if part.type == "tool_result"]
            self._noted(record)
            if record.type == "assistant":
                self._replied(record, spoken, parts)
            else:
                self._said(record, parts, iter(answers))
        if isinstance(record.uuid, str):
            self._seen.add(record.uuid)

    def _noted(self, record: Record) -> None:
        at = moment(record.timestamp)
        if at is not None:
            self._first = at if self._first is None else self._first
            self._last = at
        if self._folder is None and isinstance(record.cwd, str):
            self._folder = record.cwd
        if isinstance(record.entrypoint, str):
            self._source = record.entrypoint
        if record.is_sidechain is True and not self.is_known:
            self.is_subagent = True
            self.parent = self.parent or str(record.session_id)
        self.is_known = True

    def _replied(self, record: Record, spoken: _Spoken, parts: list[_Part]) -> None:
        if isinstance(spoken.model, str) and not spoken.model.startswith("<"):
            self._model = spoken.model
        said, calls = [], []
        for part in parts:
            if part.type == "text" and isinstance(part.text, str):
                said.append(part.text)
            elif part.type in ("tool_use", "server_tool_use"):
                calls.append(self._made(part))
        text = "\n".join(said)
        size = len(text) + sum(len(call.tool_name) + len(call.arguments) for call in calls)
        name = spoken.id if isinstance(spoken.id, str) else ""
        if spoken.usage and (usage := _usage_of(spoken.usage)):
            self._used[name or str(record.uuid)] = usage
        if name and name == self._open_id:
            was = self.messages[self._open_at]
            self.messages[self._open_at] = replace(
                was,
                text="\n".join(filter(None, (was.text, text))),
                size=was.size + size,
                calls=[*was.calls, *calls],
            )
            return
        self._add(Message(0, "assistant", text, size, calls=calls, timestamp=moment(record.timestamp)))
        self._open_id, self._open_at = name, len(self.messages) - 1

    def _made(self, part: _Part) -> MadeCall:
        call_id, tool = _word(part.id), _word(part.name)
        if tool == self.command_tool:
            self._commands.add(call_id)
        return MadeCall(call_id, tool, bytes(part.input).decode("utf-8", "replace") if part.input else "")

    def _said(self, record: Record, parts: list[_Part], answers: Iterator[str]) -> None:
        words: list[str] = []
        for part in parts:
            if part.type == "tool_result":
                self._answered(record, part, next(answers))
            elif part.type == "text" and isinstance(part.text, str):
                words.append(part.text)
            elif part.type in ("image", "document"):
                words.append(f"[{part.type}]")
        text = "\n".join(words)
        if not text:
            return
        is_summary = record.is_compact_summary is True
        role = "user" if is_summary or (record.is_meta is not True and words_of_user(text)) else "system"
        if role == "user" and not is_summary:
            self._open_id = ""
            self._has_words = True
        elif not self._has_words and not self._command[1]:
            command = command_of(text)
            self._command = command if command[1] or not self._command[0] else self._command
        self._add(Message(0, role, text, len(text), timestamp=moment(record.timestamp), is_summary=is_summary))
        self._follow_command(record, text)

    def _follow_command(self, record: Record, text: str) -> None:
        """What the user wrote behind a command is for the model where the program adds its own words to it at once;
        any other command is the program's alone."""
        given, self._given = self._given, None
        if given and (record.parent_uuid, record.timestamp) == (given.uuid, given.timestamp):
            if record.is_meta is not True:
                self._given = given._replace(uuid=record.uuid)
            elif words_of_user(text):
                was = self.messages[given.at]
                self.messages[given.at] = replace(was, role="user", text=given.words, size=len(given.words))
        elif record.is_meta is not True and command_of(text)[1] and not words_of_user(text):
            self._given = _Given(len(self.messages) - 1, words_after_command(text), record.uuid, record.timestamp)

    def _answered(self, record: Record, part: _Part, text: str) -> None:
        call_id = _word(part.tool_use_id)
        report = _report(text, part.is_error, record.tool_use_result, ran=call_id in self._commands)
        self._add(Message(0, "tool", text, len(text), call_id, timestamp=moment(record.timestamp), report=report))

    def _add(self, message: Message) -> None:
        self._next_id += 1
        self.messages.append(replace(message, id=self._next_id))

    def session(self) -> Session:
        used = self._used.values()
        tokens = (
            sum(as_count(each.input_tokens) for each in used),
            sum(as_count(each.output_tokens) for each in used),
            sum(as_count(each.cache_read_input_tokens) for each in used),
            sum(as_count(each.cache_creation_input_tokens) for each in used),
            0,
        )
        return Session(
            id=self.name,
            source="subagent" if self.is_subagent else self._source,
            model=self._model,
            title=self._title or (" ".join(filter(None, self._command)) if not self._has_words else "") or None,
            parent_id=self.parent or None,
            delegated_from=self.parent or None,
            started_at=self._first,
            ended_at=self._last,
            tokens=tokens,
            project=self._folder,
        )


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _parts_of(content: msgspec.Raw) -> list[_Part]:
    if not content:
        return []
    opens = bytes(memoryview(content)[:1])
    if opens == b'"':
        return [_Part("text", _text(content))]
    return _parts(content) if opens == b"[" else []


def _words_of(content: msgspec.Raw) -> str:
    """A result's words; of what is none, its name."""
    return "\n".join(
        part.text if isinstance(part.text, str) else f"[{_word(part.type) or 'part'}]" for part in _parts_of(content)
    )


def _usage_of(raw: msgspec.Raw) -> _Usage | None:
    try:
        return _usage(raw)
    except msgspec.MsgspecError:
        return None


def _report(text: str, is_error: Any, beside: msgspec.Raw, *, ran: bool) -> Report:
    """`is_error` tells failure; of a command, its first line tells the exit code, and what stands beside it more."""
    if is_error is True:
        stopped = INTERRUPTED in text[-200:]
        if exited := _EXIT.match(text):
            return Report(int(exited[1]), failed=True, interrupted=stopped, words=text[exited.end() :])
        marked = text.strip()
        words = marked.removeprefix(ERROR_OPENS).removesuffix(ERROR_CLOSES) if marked.startswith(ERROR_OPENS) else ""
        return Report(failed=True, interrupted=stopped, words=words)
    told = _told_beside(beside) if ran and beside else None
    if told is None:
        return Report(0 if ran else None, failed=False)
    meaning = told.return_code_interpretation
    return Report(0, failed=False, interrupted=told.interrupted is True, benign=_word(meaning))


def _told_beside(raw: msgspec.Raw) -> _Told | None:
    try:
        return _told(raw)
    except msgspec.MsgspecError:
        return None
