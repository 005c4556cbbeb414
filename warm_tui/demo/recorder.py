"""Record a session the way Hermes does, compaction included."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from warm_tui.demo.steps import Label, Step
from warm_tui.sessions.hermes.archive import Archive

SUMMARY = (
    "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below.\n"
    "## Historical Task Snapshot\nThe work so far: {calls} tool calls, the last of them {tool}.\n{done}"
)

KEPT = 8
# Every so many calls are named in a summary.
TOLD = 3


class Recorder:
    """One session being recorded; `rows` are its messages, `labels` what a person says of its calls."""

    def __init__(self, rng: Random, session_id: str, started_at: float) -> None:
        self.rng = rng
        self.id = session_id
        self.clock = self.started_at = started_at
        self.rows: list[dict[str, Any]] = []
        self.labels: dict[str, Label] = {}
        self.made = 0

    def user(self, text: str) -> None:
        self._row("user", content=text)

    def say(self, text: str) -> None:
        self._row("assistant", content=text, finish_reason="stop")

    def do(self, *steps: Step, saying: str = "") -> None:
        """One assistant turn with one call, or with several in parallel."""
        calls = []
        for step in steps:
            call_id = f"call_{self.rng.getrandbits(80):020x}"
            function = {"name": step.tool, "arguments": step.arguments_text}
            calls.append({"id": call_id, "call_id": call_id, "type": "function", "function": function})
            self.labels[call_id] = step.label
        self._row("assistant", content=saying, tool_calls=json.dumps(calls), finish_reason="tool_calls")
        for call, step in zip(calls, steps, strict=True):
            if step.result is not None:
                self._row("tool", content=step.result, tool_call_id=call["id"], tool_name=step.tool)
        self.made += len(steps)

    def compact_in_place(self, carried_over: int = KEPT) -> None:
        """Retire the live rows, and write the kept head, a summary and the kept tail as new ones."""
        live = [row for row in self.rows if row["active"]]
        for row in live:
            row["active"], row["compacted"] = 0, 1
        self._carry_over(live, carried_over)

    def continue_in(self, session_id: str) -> Recorder:
        """Compaction by a new session that begins with what is kept."""
        heir = Recorder(self.rng, session_id, self.clock + 0.01)
        heir.made = self.made
        heir._carry_over([row for row in self.rows if row["active"]], KEPT)
        return heir

    def rewind(self, rows: int) -> None:
        """The user took the last rows back."""
        for row in self.rows[-rows:]:
            row["active"] = 0

    def save(self, archive: Archive, **columns: Any) -> None:
        live = [row for row in self.rows if row["active"]]
        columns = {"ended_at": self.clock, "end_reason": None, "model_config": "{}"} | columns
        archive.add_session(
            id=self.id,
            started_at=self.started_at,
            message_count=len(live),
            tool_call_count=sum(row["role"] == "tool" for row in live),
            system_prompt="You are Hermes Agent, an intelligent AI assistant.",
            **columns,
        )
        archive.add_messages(self.rows)

    def _carry_over(self, live: list[dict[str, Any]], carried_over: int) -> None:
        head, tail = live[:1], live[-carried_over:]
        while tail and tail[0]["role"] == "tool":
            tail.pop(0)
        in_summary = [row for row in live[1:-carried_over] if row.get("tool_calls")][::TOLD]
        done = "".join(
            f"- ran {json.loads(row['tool_calls'])[0]['function']['arguments'][:160]}\n" for row in in_summary
        )
        summary = SUMMARY.format(calls=self.made, tool=tail[-1].get("tool_name") or "terminal", done=done.rstrip())
        for row in (*head, {"role": "user", "content": summary}, *tail):
            columns = {name: row[name] for name in row.keys() & {"content", "tool_calls", "tool_call_id", "tool_name"}}
            self._row(row["role"], ticks=0.0, **columns)

    def _row(self, role: str, ticks: float | None = None, **columns: Any) -> None:
        self.clock += self.rng.uniform(0.4, 14.0) if ticks is None else ticks
        self.rows.append(
            {
                "session_id": self.id,
                "role": role,
                "timestamp": self.clock,
                "active": 1,
                "compacted": 0,
                **columns,
            }
        )
