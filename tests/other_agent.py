"""A reader of another agent's recordings, as short as one can be: a JSON line a message.

`{"session": ID, "role": ..., "text": ..., "runs": COMMAND, "exit": CODE}`: a message may run one command, whose
exit code is known at once.
"""

from __future__ import annotations

import json
from pathlib import Path

from warm_tui.sessions.model import MadeCall, Message, Session
from warm_tui.sessions.source import AgentFacts, Health, Source, Stamp
from warm_tui.watching import FileState, file_state

SCRIBE = AgentFacts(agent="scribe", command_tool="run", task_families={"run": "code"})


class ScribeSource(Source):
    facts = SCRIBE

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = [json.loads(line) for line in path.read_text().splitlines()]

    def sessions(self) -> list[Session]:
        starts = {line["session"]: at for at, line in reversed(list(enumerate(self.lines)))}
        newest_first = sorted(starts, key=lambda name: -starts[name])
        return [
            Session(id=name, source="scribe", title=f"Scribe's {name}", started_at=1e9 + starts[name])
            for name in newest_first
        ]

    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        messages: list[Message] = []
        for at, line in enumerate(self.lines):
            if line["session"] == session_id:
                messages += self._messages_of(at, line)
        return messages if first < 0 else messages[:first]

    def _messages_of(self, at: int, line: dict) -> list[Message]:
        said, call_id = line.get("text", ""), f"run-{at}"
        if "runs" not in line:
            return [Message(2 * at, line["role"], said, len(said))]
        call = MadeCall(call_id, "run", json.dumps({"command": line["runs"]}))
        result = json.dumps({"exit_code": line["exit"], "output": said})
        return [
            Message(2 * at, "assistant", "", 0, calls=[call]),
            Message(2 * at + 1, "tool", result, len(said), call_id),
        ]

    def stamps(self) -> dict[str, Stamp]:
        return {
            session.id: Stamp(len(self.messages(session.id)), file_state(self.path).key) for session in self.sessions()
        }

    def health(self) -> Health:
        return Health(len(self.sessions()), len(self.lines))


class ScribeReader:
    kind = "scribe"
    open = staticmethod(ScribeSource)

    def claims(self, path: Path) -> bool:
        return path.suffix == ".scribe"

    def state(self, path: Path) -> FileState:
        return file_state(path)
