"""Let the real agent's compressor compact generated lives, and print what truly happened in each.

Run by test_lives.py in a process of its own: python compacted_lives.py FOLDER SEED COUNT. For each life a
database FOLDER/NAME.db is written by the agent's own code, and a line of JSON is printed: the name, how
many calls were made between the compactions, and in which session the life began.
"""

from __future__ import annotations

import json
import logging
import random
import sys
from pathlib import Path
from typing import Any

from agent.context_compressor import ContextCompressor
from hermes_state import SessionDB

ARGUMENTS = (
    lambda n: json.dumps({"command": f"echo {n}"}),
    lambda n: json.dumps({"path": f"日本語/{n}", "content": "é" * 700}, ensure_ascii=True),
    lambda n: json.dumps({"command": f"cd /a/rather/long/path/to/a/package/of/some/depth && echo {n}"}, indent=2),
)


class Life:
    """A session, or a chain of them, as the agent would write it."""

    def __init__(self, rng: random.Random, path: Path, in_place: bool) -> None:
        self.rng, self.in_place = rng, in_place
        self.db = SessionDB(path)
        self.session = "s0"
        self.db.create_session(session_id=self.session, source="cli", model="m")
        self.live: list[dict[str, Any]] = []
        self.made = [0]
        self.number = 0
        self.compressor = ContextCompressor(
            "m", protect_first_n=rng.choice((0, 1, 3)), protect_last_n=rng.choice((2, 4, 8)), quiet_mode=True,
            config_context_length=65536,
        )  # fmt: skip
        self.compressor.tail_token_budget = rng.choice((60, 200, 600))
        self.compressor._generate_summary = self.summary

    def summary(self, *_: object, **__: object) -> str:
        return self.compressor._with_summary_prefix(f"## Goal\nThe work until call {self.number}.")

    def add(self, message: dict[str, Any]) -> None:
        self.write(message)
        self.live.append(message)

    def write(self, message: dict[str, Any]) -> None:
        columns = {name: message.get(name) for name in ("content", "tool_name", "tool_calls", "tool_call_id")}
        self.db.append_message(self.session, message["role"], **columns)

    def work(self) -> None:
        arguments = self.rng.choice(ARGUMENTS)
        calls = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            self.number += 1
            call_id = f"call_{self.rng.getrandbits(64):016x}"
            function = {"name": "terminal", "arguments": arguments(self.number)}
            calls.append({"id": call_id, "call_id": call_id, "type": "function", "function": function})
        self.made[-1] += len(calls)
        self.add({"role": "assistant", "content": self.rng.choice(("", "Let me look.")), "tool_calls": calls})
        for call in calls:
            output = f"{self.number} " * self.rng.choice((1, 60))
            result = json.dumps({"output": output, "exit_code": 0, "error": None})
            self.add({"role": "tool", "tool_call_id": call["id"], "tool_name": "terminal", "content": result})

    def compact(self) -> None:
        kept = self.compressor.compress(list(self.live), force=True)
        if len(kept) >= len(self.live):
            return
        if self.in_place:
            self.db.archive_and_compact(self.session, kept)
        else:
            parent, self.session = self.session, f"s{len(self.made)}"
            self.db.end_session(parent, "compression")
            self.db.create_session(session_id=self.session, source="cli", model="m", parent_session_id=parent)
            for message in kept:
                self.write(message)
        self.live = [dict(message) for message in kept]
        self.made.append(0)


def main() -> None:
    logging.disable(logging.CRITICAL)
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for at in range(count):
        rng = random.Random(seed + at)
        name = f"{'in-place' if at % 2 else 'chain'}-{seed + at}"
        life = Life(rng, folder / f"{name}.db", in_place=bool(at % 2))
        life.add({"role": "user", "content": "Do the work."})
        for _ in range(14):
            for _ in range(rng.randint(0, 4)):
                life.work()
            if rng.random() < 0.5:
                life.add({"role": "assistant", "content": "ok"})
                life.add({"role": "user", "content": rng.choice(("continue", "Go on with the next."))})
            while rng.random() < 0.4:
                life.compact()
        life.db.close()
        print(json.dumps({"name": name, "made": life.made}))


if __name__ == "__main__":
    main()
