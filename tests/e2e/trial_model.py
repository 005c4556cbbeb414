"""A model that works better when it was given examples: for experiments that have something to find.

It fails its commands more or less often by the task, unless the conversation holds the words that only the
template tells. `caring=False`: it does not look at them.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from tests.e2e.scripted_model import ScriptedModel

TASK = re.compile(r"\(ref ([\w-]+)\)")
EXAMPLE = "Begin with the folder that is named in the example."


class TrialModel(ScriptedModel):
    def __init__(self, *, caring: bool = True, calls: int = 6) -> None:
        super().__init__([])
        self.caring, self.calls = caring, calls
        self.arms: list[tuple[str, bool]] = []
        """For each run the task, and whether it was given the template."""

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        messages = request.get("messages", [])
        told = json.dumps(messages)
        found = TASK.findall(told)
        if not request.get("tools") or not found:
            return {"role": "assistant", "content": "The work went on."}, "stop"
        task, warm = found[-1], EXAMPLE in told
        last = max(at for at, message in enumerate(messages) if message["role"] == "user")
        done = sum(message["role"] == "assistant" for message in messages[last:])
        with self._lock:
            self.requests.append(request)
            if done == 0:
                self.arms.append((task, warm))
        if done >= self.calls:
            return {"role": "assistant", "content": "Done."}, "stop"
        # The same for both arms of a task, but for what the examples spare it.
        hard = 0.35 + 0.4 * Random(task).random()
        risk = hard / 5 if warm and self.caring else hard
        fails = Random(f"{task} {done} {len(self.arms)}").random() < risk
        command = "cat no-such-file.txt" if fails else f"echo step {done} >> work.txt"
        if done == self.calls - 1:
            command = "touch finished.txt"
        call = {
            "id": f"call_{Random(f'{task} {done} {len(self.requests)}').getrandbits(64):016x}",
            "type": "function",
            "index": 0,
            "function": {"name": "terminal", "arguments": json.dumps({"command": command})},
        }
        return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
