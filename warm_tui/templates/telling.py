"""A template in the forms that other programs read: chat messages, a session of Claude Code, a skill.

What is told is the conversation that Hermes would get; tools are named as whoever reads it names them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID, uuid5

from warm_tui.errors import Trouble
from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.text import beginning, clean_line
from warm_tui.templates.conversation import GO_ON, Message
from warm_tui.templates.model import Template

Record: TypeAlias = dict[str, Any]

CLAUDE_VERSION = "2.1.0"
"""Of the layout that is written."""


LONGEST_NAME, LONGEST_ABOUT = 64, 1_024
"""Of a skill: longer ones are refused by those who read it."""
KEPT_BY_CLAUDE = ("claude", "anthropic")


class Setting(NamedTuple):
    """What a form needs to know besides: which session it is to be, where and when."""

    session: UUID
    folder: str
    moment: str
    """ISO 8601, in UTC."""


def chat(messages: Sequence[Message], _template: Template, _setting: Setting) -> str:
    """As OpenAI's interfaces take it: a line of a chat log."""
    return json.dumps({"messages": list(messages)}, ensure_ascii=False) + "\n"


def anthropic(messages: Sequence[Message], _template: Template, _setting: Setting) -> str:
    system, told = _anthropic_messages(messages)
    document = ({"system": system} if system else {}) | {"messages": told}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def claude_code(messages: Sequence[Message], template: Template, setting: Setting) -> str:
    """A session file that `claude --resume` opens, in the names of Claude Code's own tools."""
    told = _in_tools_of(CLAUDE_CODE, messages)
    _, said = _anthropic_messages(told)
    if not said:
        raise Trouble("None of its patterns can be told in the tools of Claude Code.")
    records: list[Record] = [{"type": "summary", "summary": template.name, "leafUuid": ""}]
    before: str | None = None
    for at, message in enumerate(said):
        name = str(uuid5(setting.session, str(at)))
        records.append(_record(message, name, before, setting))
        before = name
    records[0]["leafUuid"] = before
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def skill(messages: Sequence[Message], template: Template, _setting: Setting) -> str:
    """A SKILL.md: what Hermes, Claude Code and Codex read when the work at hand fits its description."""
    if not any(message.get("tool_calls") for message in messages):
        raise Trouble(f"Template '{template.name}' has nothing to tell: a skill without a call teaches nothing.")
    lines = [
        "---",
        # Quoted: one that is a number or `on` would be no text in YAML.
        f"name: {json.dumps(skill_name(template.name))}",
        f"description: {json.dumps(_about(template), ensure_ascii=False)}",
        "---",
        "",
        f"# {template.name}",
        "",
        "Calls that were made before and worked. Begin with what is like the work at hand.",
        "",
    ]
    if template.addendum and template.whose.addendum == "user":
        lines += [template.addendum.strip(), ""]
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    told, words = 0, ""
    for message in messages:
        words = message["content"] if message["role"] == "user" else words
        for call in message.get("tool_calls", ()):
            told += 1
            lines += _told_call(call, results.get(call["id"], ""), told, words)
    return "\n".join(lines).rstrip() + "\n"


def _told_call(call: Record, result: str, number: int, words: str) -> list[str]:
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    heading = name if words in ("", GO_ON) else _heading(words)
    call_told = [f"`{name}`", "", *_fenced(_pretty(arguments), "json"), ""]
    return [f"## {number}. {heading}", "", *call_told, "Result:", "", *_fenced(result), ""]


class Form(NamedTuple):
    tell: Callable[[Sequence[Message], Template, Setting], str]
    provider: str
    """By whose rules the conversation is built."""


FORMS: Mapping[str, Form] = {
    "chat": Form(chat, "openai"),
    "anthropic": Form(anthropic, "anthropic"),
    "claude-code": Form(claude_code, "anthropic"),
    "skill": Form(skill, "any"),
}


def _anthropic_messages(messages: Sequence[Message]) -> tuple[str, list[Message]]:
    """The system prompt apart; neighbours of one role as one message."""
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    told: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        if told and told[-1]["role"] == role:
            told[-1]["content"] += _parts(message)
        else:
            told.append({"role": role, "content": _parts(message)})
    return system, told


def _parts(message: Message) -> list[Record]:
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
    parts: list[Record] = [{"type": "text", "text": message["content"]}] if message["content"] else []
    for call in message.get("tool_calls", ()):
        function = call["function"]
        arguments = json.loads(function["arguments"])
        parts.append({"type": "tool_use", "id": call["id"], "name": function["name"], "input": arguments})
    return parts


def _in_tools_of(facts: AgentFacts, messages: Sequence[Message]) -> list[Message]:
    """The same calls by that agent's names; what has no counterpart goes, with its result."""
    told: list[Message] = []
    ran: set[str] = set()
    gone: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in gone:
                content = _printed(message) if message["tool_call_id"] in ran else message["content"]
                told.append({**message, "content": content})
            continue
        calls = []
        for call in message.get("tool_calls", ()):
            function = call["function"]
            theirs = _back(facts, function["name"], json.loads(function["arguments"]))
            if theirs is None:
                gone.add(call["id"])
                continue
            name, arguments, is_command = theirs
            ran |= {call["id"]} if is_command else set()
            calls.append({**call, "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}})
        if "tool_calls" not in message:
            told.append(message)
        elif calls or message["content"]:
            told.append({**message, "tool_calls": calls})
    return told


def _back(facts: AgentFacts, tool: str, arguments: Mapping[str, Any]) -> tuple[str, Record, bool] | None:
    for theirs, row in (facts.counterparts or {}).items():
        if row.tool == tool and all(arguments.get(name, value) == value for name, value in row.fixed.items()):
            names = {ours: name for name, ours in row.names.items()}
            told = {names[name]: value for name, value in arguments.items() if name in names}
            needed = next(iter(row.names))
            if needed in told:
                listed = {name: value[0] for name, value in told.items() if isinstance(value, list) and value}
                return theirs, told | listed, row.ran
    return None


def _printed(message: Message) -> str:
    """Of a command's result, what it printed."""
    try:
        output = json.loads(message["content"])["output"]
    except (ValueError, TypeError, KeyError):
        return str(message["content"])
    return output if isinstance(output, str) else str(message["content"])


def _record(message: Message, name: str, before: str | None, setting: Setting) -> Record:
    about: Record = {
        "parentUuid": before, "isSidechain": False, "userType": "external", "cwd": setting.folder,
        "sessionId": str(setting.session), "version": CLAUDE_VERSION, "gitBranch": "", "type": message["role"],
        "uuid": name, "timestamp": setting.moment,
    }  # fmt: skip
    parts = message["content"]
    if message["role"] == "user":
        plain = len(parts) == 1 and parts[0]["type"] == "text"
        results = [part["content"] for part in parts if part["type"] == "tool_result"]
        beside = {"toolUseResult": {"stdout": results[0], "stderr": "", "interrupted": False}} if results else {}
        return about | {"message": {"role": "user", "content": parts[0]["text"] if plain else parts}} | beside
    calls = any(part["type"] == "tool_use" for part in parts)
    usage = {"input_tokens": 0, "output_tokens": 0}
    spoken = {
        "id": f"msg_{name.replace('-', '')[:24]}", "type": "message", "role": "assistant", "model": "<synthetic>",
        "content": parts, "stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    return about | {"message": spoken}


def skill_name(name: str) -> str:
    """As Hermes and Claude Code both take it; the latter keeps two words for itself."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower())
    kept = (word for word in words.split("-") if word and not any(theirs in word for theirs in KEPT_BY_CLAUDE))
    return "-".join(kept)[:LONGEST_NAME].strip("-") or "template"


def _about(template: Template) -> str:
    """What YAML can hold, and without what Claude Code would take for a tag."""
    line = clean_line(template.description).translate({ord("<"): "(", ord(">"): ")"})
    return beginning(line, LONGEST_ABOUT) or f"Calls that worked before, for {template.task_type or 'such'} work"


def _heading(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _pretty(arguments: str) -> str:
    return json.dumps(json.loads(arguments), ensure_ascii=False, indent=1)


def _fenced(text: str, kind: str = "") -> list[str]:
    """Fenced by more backticks than stand in it."""
    longest = run = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{kind}", text, fence]
