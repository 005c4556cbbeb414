"""One turn of the real agent and its background review, waited for: a process of one question ends before it.

Run by versions.py with the agent's own Python: python reviewed_session.py URL. The session's id is printed.
"""

from __future__ import annotations

import sys
import threading

from hermes_state import SessionDB
from run_agent import AIAgent


def main() -> None:
    agent = AIAgent(
        model="scripted", provider="custom", base_url=sys.argv[1], api_key="x", quiet_mode=True, platform="cli",
        session_db=SessionDB(), skip_context_files=True,
    )  # fmt: skip
    before = set(threading.enumerate())
    agent.run_conversation("Do what the script says.")
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
    print(f"session {agent.session_id}")


main()
