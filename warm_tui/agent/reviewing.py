"""What Hermes' background review kept, written down as it happens: no version of Hermes records it whole.

The review is a copy of the agent that runs beside it under the same session. It is told from the session's own turn
by what Hermes itself asks before it writes. Since 0.17 each call is told; before, those of its memory are told with
all messages alone, when it is through.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from warm_tui.agent.recording import Queue
from warm_tui.paths import find_home

SQL = "INSERT OR IGNORE INTO learned (session_id, call, what, words, at) VALUES (?, ?, ?, ?, ?)"


def is_review() -> bool:
    try:
        from tools.skill_provenance import is_background_review

        return bool(is_background_review())
    except ImportError:
        return False


class Reviews:
    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    def after_call(
        self, root: Callable[[], Path], session_id: str, tool: str, args: Any, result: Any, call: str
    ) -> None:
        if is_review():
            self._note(root(), session_id, tool, args, result, call)

    def after_turn(self, root: Callable[[], Path], session_id: str, messages: Any) -> None:
        """What stands behind the review's own words is new; what stands before was there."""
        if not isinstance(messages, list) or not is_review():
            return
        from warm_tui.sessions.hermes.learning import opens_review

        told = [each for each in messages if isinstance(each, dict)]
        begins = [at for at, each in enumerate(told) if each.get("role") == "user" and opens_review(_text(each))]
        if not begins:
            return
        own = told[begins[-1] :]
        results = {each.get("tool_call_id"): each.get("content") for each in own if each.get("role") == "tool"}
        for call, tool, args in _calls(own):
            self._note(root(), session_id, tool, args, results.get(call), call)

    def _note(self, root: Path, session_id: str, tool: str, args: Any, result: Any, call: str) -> None:
        from warm_tui.sessions.hermes.learning import kept_by

        given = args if isinstance(args, str) else json.dumps(args, default=str)
        kept = kept_by(tool, given, result if isinstance(result, str) else json.dumps(result, default=str))
        if kept and call:
            self._queue.write(find_home(root).library, SQL, (session_id, call, *kept, time.time()))


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _calls(messages: list[dict[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    for message in messages:
        calls = message.get("tool_calls")
        for each in calls if isinstance(calls, list) else ():
            function = each.get("function") if isinstance(each, dict) else None
            if isinstance(function, dict):
                yield str(each.get("id") or ""), str(function.get("name") or ""), function.get("arguments") or ""
