"""Let the real agent's own code copy sessions in every way it has but /branch, and print what was called in each.

Run by test_branches.py in a process of its own: python forked_sessions.py DATABASE. A server forks a session that had
ended and one that was gone on with after, an editor forks a session and its fork, a session is exported and imported
under another name, and a life that was compacted into a new session is forked there. Each goes on with some of its own.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from acp_adapter.session import SessionManager
from hermes_state import SessionDB

FAILED = json.dumps({"output": "no", "exit_code": 1, "error": None})


class Work:
    def __init__(self, db: SessionDB) -> None:
        self.db = db
        self.made: dict[str, list[str]] = {}
        self.clock = time.time() - 3600

    def begin(self, name: str, source: str = "cli", **columns: Any) -> None:
        self.db.create_session(session_id=name, source=source, model="m", **columns)
        self.db._execute_write(
            lambda c: c.execute("UPDATE sessions SET started_at = ? WHERE id = ?", (self.clock, name))
        )
        self.made[name] = []

    def do(self, name: str, calls: int) -> None:
        """As an agent does, a while after it was last heard of."""
        self.say(name, role="user", content=f"{calls} more")
        for _ in range(calls):
            call_id = f"call_{uuid.uuid4().hex[:20]}"
            function = {"name": "terminal", "arguments": json.dumps({"command": "make"})}
            made = [{"id": call_id, "type": "function", "function": function}]
            self.say(name, role="assistant", content="", tool_calls=made)
            self.say(name, role="tool", content=FAILED, tool_call_id=call_id, tool_name="terminal")
            self.made.setdefault(name, []).append(call_id)

    def say(self, name: str, **message: Any) -> None:
        self.clock += 5
        self.db.append_message(name, **message, timestamp=self.clock)

    def server_fork(self, source: str, fork: str) -> None:
        """What the API server does for POST /api/sessions/{id}/fork."""
        self.db.end_session(source, "branched")
        self.begin(fork, "api_server", parent_session_id=source)
        self.db.replace_messages(fork, self.db.get_messages(source))


def main() -> None:
    db = SessionDB(Path(sys.argv[1]))
    work = Work(db)
    work.begin("ended")
    work.do("ended", 6)
    db.end_session("ended", "cli_close")
    work.server_fork("ended", "fork-of-ended")
    work.do("fork-of-ended", 2)
    work.begin("went-on")
    work.do("went-on", 4)
    work.server_fork("went-on", "fork-of-went-on")
    db.reopen_session("went-on")
    work.do("went-on", 1)
    work.do("fork-of-went-on", 3)

    editor = SessionManager(agent_factory=lambda: SimpleNamespace(model="m"), db=db)
    first = editor.create_session().session_id
    work.do(first, 5)
    for calls in (1, 2):
        fork = SessionManager(agent_factory=lambda: SimpleNamespace(model="m"), db=db).fork_session(first)
        assert fork is not None
        work.do(fork.session_id, calls)
        first = fork.session_id

    exported = db.export_session("ended")
    assert exported is not None
    assert db.import_sessions([{**exported, "id": "imported"}])["ok"]
    work.do("imported", 1)

    work.begin("root")
    work.do("root", 3)
    db.end_session("root", "compression")
    work.begin("tip", parent_session_id="root")
    work.say("tip", role="user", content="[CONTEXT COMPACTION — REFERENCE ONLY] three were made")
    work.do("tip", 2)
    work.server_fork("tip", "fork-of-tip")
    work.do("fork-of-tip", 2)
    print(json.dumps(work.made))


main()
