"""Let the real agent's own /resume go to a session and on to the next without a word, and print what was called in each.

Run by test_branches.py in a process of its own: python resumed_sessions.py DATABASE. Who leaves has the agent write what
it holds, which newer versions take for unwritten; then the session is branched, and both go on.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from hermes_cli.cli_commands_mixin import CLICommandsMixin
from hermes_state import SessionDB
from run_agent import AIAgent

from tests.e2e.branched_sessions import Conversation


class Resuming(Conversation):
    def _display_resumed_history(self) -> None:
        pass

    def _restore_session_cwd(self, _meta: object) -> None:
        pass

    def resume(self, name: str) -> None:
        CLICommandsMixin._handle_resume_command(self, f"/resume {name}")

    def branch(self) -> None:
        CLICommandsMixin._handle_branch_command(self, "/branch")


def main() -> None:
    db = SessionDB(Path(sys.argv[1]))
    for name in ("first", "second"):
        db.create_session(session_id=name, source="cli", model="m")
    agent = SimpleNamespace(
        _session_db=db, _session_db_created=True, _last_flushed_db_idx=0, reset_session_state=lambda: None,
        _memory_manager=None,
    )  # fmt: skip
    conversation = Resuming(
        session_id="first", _session_db=db, conversation_history=[], agent=None, model="m", max_turns=9,
        reasoning_config=None, _invalidate_system_prompt=None,
    )  # fmt: skip
    agent._flush_messages_to_session_db = lambda *told: AIAgent._flush_messages_to_session_db_unlocked(agent, *told)
    conversation.work(*range(5))
    conversation.agent = agent
    agent.session_id = "first"
    conversation.conversation_history = []
    for name in ("second", "first", "second", "first"):
        conversation.resume(name)
    written = len(db.get_messages("first"))
    conversation.branch()
    branch = conversation.session_id
    conversation.agent = None
    conversation.work(5, 6)
    print(json.dumps({"first": list(range(5)), "second": [], branch: [5, 6], "written": [written]}))


if __name__ == "__main__":
    main()
