"""Small recordings in the forms of other agents, made as those write them: for the sample, and for tests."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from warm_tui.writing import write_whole

MORNING = 1_772_359_200.0
"""When a recording begins, where nothing else is said; each line is written five seconds after the one before."""
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def written(path: Path, records: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(json.dumps(record) + "\n" for record in records))
    return path


class Claude:
    """A session of Claude Code, record by record."""

    def __init__(self, session: str = "c1", folder: str = "/home/dev/work", began: float = MORNING) -> None:
        self.session, self.folder, self._began = session, folder, began
        self.records: list[dict[str, Any]] = []
        self._numbers = count()

    def _add(self, kind: str, **fields: Any) -> dict[str, Any]:
        at = next(self._numbers)
        record = {
            "type": kind, "uuid": f"{self.session}-{at}", "sessionId": self.session, "cwd": self.folder,
            "timestamp": iso(self._began + 5 * at), "isSidechain": False, **fields,
        }  # fmt: skip
        self.records.append(record)
        return record

    def says(self, text: str, **fields: Any) -> Claude:
        self._add("user", message={"role": "user", "content": text}, **fields)
        return self

    def calls(self, call: str, tool: str = "Bash", reply: str = "", **arguments: Any) -> Claude:
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100}
        part = {"type": "tool_use", "id": call, "name": tool, "input": arguments or {"command": "make"}}
        message = {"id": reply or f"m-{call}", "role": "assistant", "model": "opus", "usage": usage, "content": [part]}
        self._add("assistant", message=message)
        return self

    def gets(self, call: str, text: str, *, error: bool | None = None, beside: Any = None) -> Claude:
        part: dict[str, Any] = {"type": "tool_result", "tool_use_id": call, "content": text}
        if error is not None:
            part["is_error"] = error
        self._add("user", message={"role": "user", "content": [part]}, toolUseResult=beside)
        return self

    def runs(self, call: str, text: str = "done", *, code: int = 0, command: str = "make") -> Claude:
        self.calls(call, command=command)
        if code:
            return self.gets(call, f"Exit code {code}\n{text}", error=True, beside=f"Error: Exit code {code}")
        return self.gets(call, text, error=False, beside={"stdout": text, "stderr": "", "interrupted": False})

    def compacts(self, summary: str) -> Claude:
        self._add("system", subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 9000})
        return self.says(summary, isCompactSummary=True)

    def agent_does(self, agent: str, call: str, text: str) -> Claude:
        made = {"type": "tool_use", "id": call, "name": "Grep", "input": {"pattern": "a"}}
        part = {"type": "tool_result", "tool_use_id": call, "content": text}
        for kind, content in (("assistant", [made]), ("user", [part])):
            within = {"type": kind, "uuid": f"{call}-{kind}", "message": {"role": kind, "content": content}}
            self._add("progress", data={"type": "agent_progress", "agentId": agent, "message": within})
        return self

    def write(self, home: Path, name: str = "") -> Path:
        folder = home / "projects" / self.folder.replace("/", "-")
        return written(folder / f"{name or self.session}.jsonl", self.records)


class Codex:
    """A rollout of Codex, line by line."""

    def __init__(self, session: str = "x1", began: float = MORNING, **opened: Any) -> None:
        self.session, self._began = session, began
        self.lines: list[dict[str, Any]] = []
        self._numbers = count()
        usual = {"cwd": "/home/dev/work", "source": "cli", "cli_version": "0.120.0"}
        self.line("session_meta", id=session, **(usual | opened))

    def line(self, kind: str, **payload: Any) -> Codex:
        at = next(self._numbers)
        self.lines.append({"timestamp": iso(self._began + 5 * at), "type": kind, "payload": payload})
        return self

    def says(self, text: str, role: str = "user") -> Codex:
        part = {"type": "input_text" if role != "assistant" else "output_text", "text": text}
        return self.line("response_item", type="message", role=role, content=[part])

    def calls(self, call: str, tool: str = "exec_command", **arguments: Any) -> Codex:
        words = json.dumps(arguments or {"cmd": "make"})
        return self.line("response_item", type="function_call", name=tool, arguments=words, call_id=call)

    def gets(self, call: str, text: str) -> Codex:
        return self.line("response_item", type="function_call_output", call_id=call, output=text)

    def runs(self, call: str, text: str = "done", *, code: int = 0, command: str = "make") -> Codex:
        return self.calls(call, cmd=command).gets(call, exited(code, text))

    def write(self, home: Path) -> Path:
        return written(home / "sessions" / "2026" / "03" / "01" / f"rollout-2026-{self.session}.jsonl", self.lines)


def exited(code: int, text: str) -> str:
    return f"Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{text}"


def running(session: int, text: str = "") -> str:
    return f"Chunk ID: 1a\nWall time: 9.1 seconds\nProcess running with session ID {session}\nOutput:\n{text}"


def opencode_tool(call: str, tool: str = "bash", status: str = "completed", **state: Any) -> dict[str, Any]:
    """A part of a message that is a call, with its result where there is one."""
    return {
        "type": "tool", "id": f"prt_{call}", "callID": "REDACTED", "tool": tool,
        "state": {"status": status, "input": {"command": "make"}, "time": {"start": 1, "end": 2}, **state},
    }  # fmt: skip


def opencode_session(
    session: str = "ses_1", *replies: list[dict[str, Any]], began: float = MORNING, **info: Any
) -> dict[str, Any]:
    """An export: what the user said, and each reply as its parts."""
    start = int(began * 1000)
    said = {"info": {"id": "msg_0", "role": "user", "time": {"created": start}}, "parts": [
        {"type": "text", "id": "prt_0", "text": "Build it."},
    ]}  # fmt: skip
    replied = [
        {
            "info": {
                "id": f"msg_{at}", "role": "assistant", "modelID": "glm", "cost": 0.01,
                "time": {"created": start + 5_000 * at},
                "tokens": {"input": 10, "output": 5, "reasoning": 1, "cache": {"read": 7, "write": 3}},
            },
            "parts": [{"type": "step-start", "id": f"prt_s{at}"}, *parts],
        }
        for at, parts in enumerate(replies, 1)
    ]  # fmt: skip
    times = {"created": start, "updated": start + 60_000}
    about = {"id": session, "title": "Build", "directory": "/home/dev/work", "time": times, **info}
    return {"info": about, "messages": [said, *replied]}
