"""From opencode's messages and parts to ours, wherever they stand: a session is the same in all three forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec.structs import replace

from warm_tui.sessions.model import MadeCall, Message, Report, Session, as_count, as_number
from warm_tui.sessions.recordings import mended, moment

Json: TypeAlias = dict[str, Any]

_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4}|)')


def loads(raw: bytes) -> Any:
    """JSON, also where a string holds a backslash that escapes nothing; ValueError for what is none."""
    text = mended(raw).decode()
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return json.loads(_ESCAPE.sub(lambda found: found[0] if found[1] else "\\\\", text), strict=False)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def session_of(info: Json) -> Session:
    """What stands of a session beside its messages."""
    parent, time = info.get("parentID"), info.get("time")
    time = time if isinstance(time, dict) else {}
    return Session(
        id=str(info.get("id") or ""),
        source="subagent" if parent else "cli",
        title=info["title"] if isinstance(info.get("title"), str) else None,
        parent_id=parent if isinstance(parent, str) else None,
        delegated_from=parent if isinstance(parent, str) else None,
        started_at=moment(time.get("created")),
        ended_at=moment(time.get("updated")),
        project=info["directory"] if isinstance(info.get("directory"), str) else None,
    )


class Told:
    """What the messages of a session tell: messages as ours, and what was spent."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.model: str | None = None
        self._tokens = [0, 0, 0, 0, 0]
        self._cost: float | None = None
        self._seen: set[str] = set()

    def take(self, info: Json, parts: Iterable[Any]) -> None:
        """One message, with its parts in order."""
        name = info.get("id")
        if isinstance(name, str):
            if name in self._seen:
                return
            self._seen.add(name)
        time = info.get("time")
        at = moment(time.get("created")) if isinstance(time, dict) else None
        known = [part for part in parts if isinstance(part, dict)]
        if info.get("role") == "assistant":
            self._spent(info)
            self._replied(info, known, at)
        elif info.get("role") == "user":
            self._said(known, at)

    def _said(self, parts: list[Json], at: float | None) -> None:
        compacts = any(part.get("type") == "compaction" for part in parts)
        said = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
        said += [f"[{part.get('filename') or 'file'}]" for part in parts if part.get("type") == "file"]
        typed = any(part.get("type") == "text" and not part.get("synthetic") for part in parts)
        if text := "\n".join(said):
            self._add(Message(0, "user" if typed else "system", text, len(text), timestamp=at, carried=compacts))

    def _replied(self, info: Json, parts: list[Json], at: float | None) -> None:
        words: list[str] = []
        calls: list[MadeCall] = []
        results: list[Message] = []

        def told() -> None:
            text = "\n".join(words)
            if text or calls:
                size = len(text) + sum(len(call.tool_name) + len(call.arguments) for call in calls)
                summary = info.get("summary") is True
                made = [*calls]
                self._add(Message(0, "assistant", text, size, calls=made, timestamp=at, is_summary=summary))
            for result in results:
                self._add(result)
            for each in (words, calls, results):
                each.clear()

        for part in parts:
            if part.get("type") == "step-start":
                told()
            elif part.get("type") == "text" and isinstance(part.get("text"), str):
                words.append(part["text"])
            elif part.get("type") == "tool":
                call, result = _tool(part, at)
                calls.append(call)
                if result is not None:
                    results.append(result)
        told()

    def _spent(self, info: Json) -> None:
        if isinstance(info.get("modelID"), str):
            self.model = info["modelID"]
        tokens = info.get("tokens")
        if isinstance(tokens, dict):
            cache = tokens.get("cache")
            cache = cache if isinstance(cache, dict) else {}
            spent = (
                tokens.get("input"), tokens.get("output"), cache.get("read"), cache.get("write"),
                tokens.get("reasoning"),
            )  # fmt: skip
            self._tokens = [was + as_count(more) for was, more in zip(self._tokens, spent, strict=True)]
        # A cost of nothing is that of a model whose price it does not know.
        if cost := as_number(info.get("cost")):
            self._cost = (self._cost or 0.0) + cost

    def _add(self, message: Message) -> None:
        self.messages.append(replace(message, id=len(self.messages) + 1))

    def whole(self, session: Session) -> Session:
        put_in, got, read, written, thought = self._tokens
        return replace(
            session,
            model=self.model or session.model,
            tokens=(put_in, got, read, written, thought),
            cost_usd=self._cost,
        )


def _tool(part: Json, at: float | None) -> tuple[MadeCall, Message | None]:
    state = part.get("state")
    state = state if isinstance(state, dict) else {}
    # Exports blank what they mask, also the name a call is known by; a part's own is left.
    call_id = str(part.get("id") or part.get("callID") or "")
    call = MadeCall(call_id, str(part.get("tool") or ""), json.dumps(state.get("input", {}), ensure_ascii=False))
    status = state.get("status")
    if status not in ("completed", "error"):
        return call, None
    time = state.get("time")
    ended = moment(time.get("end")) if isinstance(time, dict) else None
    said = state.get("error") if status == "error" else state.get("output")
    text = said if isinstance(said, str) else "" if said is None else json.dumps(said, ensure_ascii=False)
    report = _report(part, state, status == "error")
    return call, Message(0, "tool", text, len(text), call_id, timestamp=ended or at, report=report)


def _report(part: Json, state: Json, failed: bool) -> Report | None:
    """A command that exited otherwise than with 0 is "completed", and so is a call of a tool there is none of."""
    metadata = state.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    if failed:
        return Report(failed=True)
    if type(code) is int:
        return Report(code)
    return None if part.get("tool") == "invalid" else Report(failed=False)
