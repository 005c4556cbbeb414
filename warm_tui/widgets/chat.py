"""A conversation as lines: as a chat, or as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from warm_tui.presentation.lines import Line, meant
from warm_tui.presentation.recorded import arguments_of, pretty
from warm_tui.sessions.invisible import shown, shown_line
from warm_tui.templates.conversation import Problem

ROLES = {"system": "unknown", "user": "mark", "assistant": "benign", "tool": "ok"}


class Chat(NamedTuple):
    lines: list[Line]
    starts: list[int]
    """The line at which each message begins."""


def as_chat(
    messages: Sequence[Mapping[str, Any]],
    problems: Iterable[Problem],
    marks: Mapping[int, str] | None = None,
    failed: Collection[int] = (),
) -> Chat:
    """Each message whole, with what is wrong with it. `marks` tells of those from outside how they came.

    `failed`: those of a call that failed, and that the next one mended.
    """
    wrong: dict[int | None, list[str]] = {}
    for problem in problems:
        wrong.setdefault(problem.message, []).append(problem.text)
    lines: list[Line] = [[(f"! {shown_line(text)}", "failed")] for text in wrong.get(None, ())]
    starts = []
    for at, message in enumerate(messages):
        starts.append(len(lines))
        role = str(message.get("role"))
        head: Line = [(f"{at + 1:3} ", "dim"), (role, ROLES.get(role, "failed"))]
        if role == "tool":
            head.append((f"  answers {shown_line(str(message.get('tool_call_id')))}", "dim"))
        if at in failed and role == "tool":
            head.append(("  ✗ failed, the next call mended it", meant("failed", "✗ failed")))
        if marks and at in marks:
            head.append((f"  ◂ {shown_line(marks[at])}", "unknown"))
        lines.append(head)
        lines += [[(f"    ! {shown_line(text)}", "failed")] for text in wrong.get(at, ())]
        for call in message.get("tool_calls") or ():
            function = call["function"]
            name, call_id = shown_line(function["name"]), shown_line(call["id"])
            lines.append([("    calls ", "dim"), (name, "strong"), (f"  {call_id}", "dim")])
            lines += [[("      ", ""), *line] for line in arguments_of(function["arguments"], shown)]
        content = str(message.get("content") or "")
        if content:
            body = pretty(content, shown) if role == "tool" else shown(content).split("\n")
            lines += [[("    ", ""), (line, "")] for line in body]
    return Chat(lines, starts)


def as_json(messages: Sequence[Mapping[str, Any]]) -> Chat:
    lines: list[Line] = [[("[", "")]]
    starts = []
    for at, message in enumerate(messages):
        starts.append(len(lines))
        json_lines = json.dumps(message, indent=1, ensure_ascii=False).split("\n")
        if at + 1 < len(messages):
            json_lines[-1] += ","
        lines += [[(shown(" " + line), "")] for line in json_lines]
    return Chat([*lines, [("]", "")]], starts)
