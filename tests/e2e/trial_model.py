"""A model that works better when it was given examples: for experiments that have something to find.

How often its commands fail is decided by the task and by whether the conversation holds the words that only the
template tells; never by the order of the runs, nor by how often one was begun.
"""

from __future__ import annotations

import json
import re
import uuid
from random import Random
from typing import Any

from tests.e2e.scripted_model import ScriptedModel

TASK = re.compile(r"\(ref ([\w-]+)\)")
EXAMPLE = "Begin with the folder that is named in the example."


class TrialModel(ScriptedModel):
    def __init__(self, *, calls: int = 6, port: int = 0) -> None:
        super().__init__([], port=port)
        self.calls = calls
        self.arms: list[tuple[str, bool]] = []
        """For each run that was begun, the task, and whether it was given the template."""

    def failing(self, task: str, warm: bool) -> int:
        """So many of its first calls fail."""
        hardness = Random(task).choice((2, 3, 4))
        return hardness // 3 if warm else hardness + Random(task).randrange(2)

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        messages = request.get("messages", [])
        conversation = json.dumps(messages)
        tasks = TASK.findall(conversation)
        if not request.get("tools") or not tasks:
            return {"role": "assistant", "content": "The work went on."}, "stop"
        task, warm = tasks[-1], EXAMPLE in conversation
        last = max(at for at, message in enumerate(messages) if message["role"] == "user")
        done = sum(message["role"] == "assistant" for message in messages[last:])
        with self._lock:
            self.requests.append(request)
            if done == 0:
                self.arms.append((task, warm))
        if done >= self.calls:
            return {"role": "assistant", "content": "Done."}, "stop"
        command = "cat no-such-file.txt" if done < self.failing(task, warm) else f"echo step {done} >> work.txt"
        if done == self.calls - 1:
            command = "touch finished.txt"
        call = {
            "id": f"call_{uuid.uuid4().hex[:20]}",
            "type": "function",
            "index": 0,
            "function": {"name": "terminal", "arguments": json.dumps({"command": command})},
        }
        return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
