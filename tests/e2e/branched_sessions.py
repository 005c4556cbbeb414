"""Let the real agent's own /branch copy a session, and print what was called in each.

Run by test_branches.py in a process of its own: python branched_sessions.py DATABASE. The agent's command is
given a session of twenty calls, and again the branch it made; each goes on with some of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hermes_cli.cli_commands_mixin import CLICommandsMixin
from hermes_state import SessionDB

FAILED = json.dumps({"output": "no", "exit_code": 1, "error": None})


class Conversation(SimpleNamespace):
    """As much of the agent's command line as branching needs."""

    def _transfer_session_yolo(self, _old: str, _new: str) -> None:
        pass

    def say(self, **message: Any) -> None:
        self.conversation_history.append(message)
        self._session_db.append_message(self.session_id, **message)

    def work(self, *numbers: int) -> None:
        self.say(role="user", content=f"from {numbers[0]} on")
        for number in numbers:
            function = {"name": "terminal", "arguments": json.dumps({"command": f"make {number}"})}
            calls = [{"id": f"call-{number}", "type": "function", "function": function}]
            self.say(role="assistant", content="", tool_calls=calls)
            self.say(role="tool", content=FAILED, tool_call_id=f"call-{number}", tool_name="terminal")


def main() -> None:
    db = SessionDB(Path(sys.argv[1]))
    db.create_session(session_id="parent", source="cli", model="m")
    conversation = Conversation(
        session_id="parent", _session_db=db, conversation_history=[], agent=None, model="m", max_turns=9,
        reasoning_config=None, _invalidate_system_prompt=None,
    )  # fmt: skip
    made = {}
    for numbers in (range(20), range(20, 25), range(25, 27)):
        conversation.work(*numbers)
        made[conversation.session_id] = list(numbers)
        CLICommandsMixin._handle_branch_command(conversation, "/branch")
    made[conversation.session_id] = []
    print(json.dumps(made))


if __name__ == "__main__":
    main()
