"""From the lines of a rollout to its messages: each call once, a command that goes on joined with its end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from warm_tui.sessions.codex.facts import words_of_user
from warm_tui.sessions.model import MadeCall, Message, Report, Session, as_count
from warm_tui.sessions.recordings import Reading, moment

NOTHING = msgspec.Raw(b"")
COMMAND_TOOLS = frozenset({"exec_command", "shell", "local_shell", "container.exec"})
GOES_ON = "write_stdin"


class _Line(msgspec.Struct, gc=False):
    timestamp: Any = None
    type: Any = None
    payload: msgspec.Raw = NOTHING


class _Payload(msgspec.Struct, gc=False):
    """Of every kind of line what is read of it; any value may have any type, or be missing."""

    type: Any = None
    role: Any = None
    content: Any = None
    name: Any = None
    arguments: Any = None
    input: Any = None
    call_id: Any = None
    output: Any = None
    exit_code: Any = None
    success: Any = None
    stderr: Any = None
    aggregated_output: Any = None
    thread_name: Any = None
    message: Any = None
    model: Any = None
    cwd: Any = None
    info: Any = None
    replacement_history: Any = None
    # Of the first line.
    id: Any = None
    timestamp: Any = None
    source: Any = None
    forked_from_id: Any = None
    forked_from: Any = None
    parent_thread_id: Any = None
    action: Any = None


_line = msgspec.json.Decoder(_Line).decode
_payload = msgspec.json.Decoder(_Payload).decode

_EXITED = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\d+)$", re.MULTILINE)
_OUTPUT = re.compile(r"^Output:\n?", re.MULTILINE)
_HEAD = 2_000


class CodexReading(Reading):
    """A rollout as far as it was read."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.forked_from: str | None = None
        self.parent: str | None = None
        self._messages: list[Message] = []
        self._known = False
        self._source = "cli"
        self._folder: str | None = None
        self._model: str | None = None
        self._title: str | None = None
        self._tokens = (0, 0, 0, 0, 0)
        self._first: float | None = None
        self._last: float | None = None
        self._tools: dict[str, str] = {}
        """Of each call, its tool."""
        self._made: set[str] = set()
        self._answer_at: dict[str, int] = {}
        """Of each call, where its result stands."""
        self._runs: dict[str, str] = {}
        """Of each command that goes on, the call that began it."""
        self._goes_on: dict[str, str] = {}
        """Of each call that goes on with one, that command."""
        self._ends: dict[str, Report] = {}
        """What an event told of a call before its result was written."""

    def take_line(self, line: bytes) -> None:
        read = _line(line)
        payload = _payload(read.payload) if read.payload else None
        if payload is None:
            return
        at = moment(read.timestamp)
        if at is not None:
            self._first = at if self._first is None else self._first
            self._last = at
        if read.type == "session_meta":
            self._opened(payload)
        elif read.type == "turn_context":
            self._model = payload.model if isinstance(payload.model, str) else self._model
        elif read.type == "response_item":
            self._item(payload, at)
        elif read.type == "compacted":
            self._compacted(payload, at)
        elif read.type == "event_msg":
            self._event(payload)

    def _opened(self, payload: _Payload) -> None:
        if self._known:
            # A fork begins with a replay of the session it was made from, its first line included.
            return
        self._known = True
        self.name = payload.id if isinstance(payload.id, str) and payload.id else self.name
        self._first = moment(payload.timestamp) or self._first
        self._folder = payload.cwd if isinstance(payload.cwd, str) else None
        forked = payload.forked_from_id or payload.forked_from
        self.forked_from = forked if isinstance(forked, str) else None
        if isinstance(payload.source, str):
            self._source = payload.source
        elif isinstance(payload.source, dict) and "subagent" in payload.source:
            self._source = "subagent"
            within = payload.source["subagent"]
            spawned = within.get("thread_spawn") if isinstance(within, dict) else None
            parent = payload.parent_thread_id or (
                spawned.get("parent_thread_id") if isinstance(spawned, dict) else None
            )
            self.parent = parent if isinstance(parent, str) else None

    def _item(self, payload: _Payload, at: float | None, *, carried: bool = False) -> None:
        kind = payload.type
        if kind == "message" and isinstance(payload.role, str):
            self._said(payload.role, _words(payload.content), at, carried=carried)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._called(payload, at, carried=carried)
        elif kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            self._answered(payload, at, carried=carried)

    def _said(self, role: str, text: str, at: float | None, *, carried: bool, summary: bool = False) -> None:
        if not text:
            return
        if role == "developer" or (role == "user" and not summary and not words_of_user(text)):
            role = "system"
        self._add(Message(0, role, text, len(text), timestamp=at, carried=carried, is_summary=summary))

    def _called(self, payload: _Payload, at: float | None, *, carried: bool) -> None:
        call_id, tool = _word(payload.call_id), _word(payload.name) or _word(payload.type)
        if call_id and call_id in self._made and not carried:
            return
        self._made.add(call_id)
        if payload.type == "custom_tool_call":
            arguments = json.dumps({"input": payload.input})
        elif payload.type == "local_shell_call":
            tool, arguments = "local_shell", json.dumps(payload.action)
        else:
            arguments = payload.arguments if isinstance(payload.arguments, str) else json.dumps(payload.arguments)
        self._tools[call_id] = tool
        if tool == GOES_ON and (command := self._runs.get(_session_in(arguments))):
            self._goes_on[call_id] = command
        call, size = MadeCall(call_id, tool, arguments), len(tool) + len(arguments)
        last = self._messages[-1] if self._messages else None
        if last is not None and last.role == "assistant" and last.carried == carried:
            self._messages[-1] = replace(last, calls=[*last.calls, call], size=last.size + size)
        else:
            self._add(Message(0, "assistant", "", size, calls=[call], timestamp=at, carried=carried))

    def _answered(self, payload: _Payload, at: float | None, *, carried: bool) -> None:
        call_id = _word(payload.call_id)
        if call_id in self._answer_at and not carried:
            return
        text = _output_of(payload.output)
        report = self._ends.pop(call_id, None) or self._report(call_id, text)
        self._answer_at[call_id] = len(self._messages)
        self._add(Message(0, "tool", text, len(text), call_id, timestamp=at, report=report, carried=carried))

    def _report(self, call_id: str, text: str) -> Report | None:
        """The exit code stands in the text, in one of three shapes, or nowhere."""
        tool = self._tools.get(call_id, "")
        told = _told_in_json(text)
        if told is not None:
            return told
        head = text[:_HEAD]
        output = _OUTPUT.search(head)
        head, printed = (head[: output.start()], text[output.end() :]) if output else (head, "")
        exited = _EXITED.search(head) if output else None
        if exited is None:
            if running := _RUNNING.search(head):
                self._runs.setdefault(running[1], self._goes_on.get(call_id, call_id))
                asked_on = tool == GOES_ON
                return Report(failed=False if asked_on else None, unfinished=not asked_on, words=printed)
            return None
        report = Report(int(exited[1]), words=printed)
        if tool != GOES_ON:
            return report
        if command := self._goes_on.get(call_id):
            self._ended(command, report)
            return Report(failed=False, words=printed)
        return report

    def _ended(self, call_id: str, report: Report) -> None:
        """A command that went on has ended: that is the outcome of the call that began it."""
        at = self._answer_at.get(call_id)
        if at is None:
            self._ends[call_id] = report
        else:
            self._messages[at] = replace(self._messages[at], report=report)

    def _event(self, payload: _Payload) -> None:
        call_id = _word(payload.call_id)
        if payload.type == "exec_command_end" and type(payload.exit_code) is int and call_id in self._made:
            self._ended(call_id, Report(payload.exit_code, words=_word(payload.aggregated_output)))
        elif payload.type == "patch_apply_end" and isinstance(payload.success, bool) and call_id in self._made:
            failed = not payload.success
            self._ended(call_id, Report(failed=failed, words=_word(payload.stderr) if failed else ""))
        elif payload.type == "thread_name_updated":
            self._title = _word(payload.thread_name).strip() or self._title
        elif payload.type == "token_count" and isinstance(payload.info, dict):
            self._counted(payload.info.get("total_token_usage"))

    def _counted(self, total: Any) -> None:
        if isinstance(total, dict):
            cached = as_count(total.get("cached_input_tokens"))
            self._tokens = (
                max(0, as_count(total.get("input_tokens")) - cached),
                as_count(total.get("output_tokens")),
                cached,
                0,
                as_count(total.get("reasoning_output_tokens")),
            )

    def _compacted(self, payload: _Payload, at: float | None) -> None:
        """What stands in place of all before: messages kept, and what tells of the rest."""
        kept = payload.replacement_history if isinstance(payload.replacement_history, list) else []
        summary = _word(payload.message)
        for item in _items(kept):
            self._item(item, at, carried=True)
        if summary:
            self._said("user", summary, at, carried=True, summary=True)
        elif self._messages and self._messages[-1].carried:
            self._messages[-1] = replace(self._messages[-1], is_summary=self._messages[-1].role == "user")

    def _add(self, message: Message) -> None:
        self._messages.append(replace(message, id=len(self._messages) + 1))

    def sessions(self) -> dict[str, Session]:
        session = Session(
            id=self.name,
            source=self._source,
            model=self._model,
            title=self._title,
            parent_id=self.parent,
            branched_from=self.forked_from,
            delegated_from=self.parent,
            replays=self.forked_from is not None,
            started_at=self._first,
            ended_at=self._last,
            tokens=self._tokens,
            project=self._folder,
        )
        return {self.name: session}

    def messages(self, session_id: str) -> list[Message]:  # noqa: ARG002 - a file is one session
        return self._messages


def _items(kept: Iterable[Any]) -> Iterable[_Payload]:
    for item in kept:
        try:
            yield msgspec.convert(item, _Payload)
        except (msgspec.MsgspecError, RecursionError):
            continue


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    said = []
    for part in parts:
        if isinstance(part, dict):
            said.append(part["text"] if isinstance(part.get("text"), str) else f"[{part.get('type') or 'part'}]")
    return "\n".join(said)


def _output_of(output: Any) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, dict) and isinstance(output.get("content"), str):
        return str(output["content"])
    return _words(output) if isinstance(output, list) else json.dumps(output)


class _Metadata(msgspec.Struct, gc=False):
    exit_code: Any = None


class _Json(msgspec.Struct, gc=False):
    metadata: _Metadata
    output: Any = None


_json = msgspec.json.Decoder(_Json).decode


def _told_in_json(text: str) -> Report | None:
    if not text.startswith("{"):
        return None
    try:
        told = _json(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    code = told.metadata.exit_code
    return Report(code, words=_word(told.output)) if type(code) is int else None


class _Stdin(msgspec.Struct, gc=False):
    session_id: Any = None


_stdin = msgspec.json.Decoder(_Stdin).decode


def _session_in(arguments: str) -> str:
    try:
        return str(_stdin(arguments).session_id)
    except (msgspec.MsgspecError, RecursionError):
        return ""
