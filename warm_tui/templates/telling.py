"""A template in the forms that other programs read: chat messages, a session of Claude Code, a skill.

What is told is the conversation that Hermes would get; tools are named as whoever reads it names them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID, uuid5

from warm_tui.errors import Trouble
from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.text import beginning, clean_line, plural, seen
from warm_tui.templates.conversation import GO_ON, Conversation, Message
from warm_tui.templates.model import Template

Record: TypeAlias = dict[str, Any]

FAILED, MENDED = "This failed:", "This mended it:"
HIDDEN_LEFT_OUT = "What nobody sees was left out: invisible characters, and signs that terminals obey."
CLAUDE_VERSION = "2.1.0"
"""Of the layout that is written."""


LONGEST_NAME, LONGEST_ABOUT = 64, 1_024
"""Of a skill: longer ones are refused by those who read it."""
KEPT_BY_CLAUDE = ("claude", "anthropic")


class Told(NamedTuple):
    text: str
    problems: tuple[str, ...] = ()
    """What of the template is not in it, and why."""


class Setting(NamedTuple):
    """What a form needs to know besides: which session it is to be, where and when."""

    session: UUID
    folder: str
    moment: str
    """ISO 8601, in UTC."""


def chat(conversation: Conversation, _template: Template, _setting: Setting) -> Told:
    """As OpenAI's interfaces take it: a line of a chat log."""
    return Told(json.dumps({"messages": list(conversation.messages)}, ensure_ascii=False) + "\n")


def anthropic(conversation: Conversation, _template: Template, _setting: Setting) -> Told:
    system, told = _anthropic_messages(conversation.messages, _failed_calls(conversation))
    document = ({"system": system} if system else {}) | {"messages": told}
    return Told(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def claude_code(conversation: Conversation, template: Template, setting: Setting) -> Told:
    """A session file that `claude --resume` opens, in the names of Claude Code's own tools."""
    told, gone = _in_tools_of(CLAUDE_CODE, conversation)
    _, said = _anthropic_messages(told, _failed_calls(conversation))
    if not any(message.get("tool_calls") for message in told):
        raise Trouble("None of its patterns can be told in the tools of Claude Code.")
    records: list[Record] = [{"type": "summary", "summary": template.name, "leafUuid": ""}]
    before: str | None = None
    for at, message in enumerate(said):
        name = str(uuid5(setting.session, str(at)))
        records.append(_record(message, name, before, setting))
        before = name
    records[0]["leafUuid"] = before
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return Told(text, _left_out(gone, conversation, "Claude Code"))


def _left_out(gone: Mapping[str, str], conversation: Conversation, agent: str) -> tuple[str, ...]:
    if not gone:
        return ()
    calls = sum(len(message.get("tool_calls", ())) for message in conversation.messages)
    tools = ", ".join(sorted(set(gone.values()) - {""}))
    return (f"{len(gone)} of {plural(calls, 'call')} left out: {agent} has nothing that does the same as {tools}.",)


def skill(conversation: Conversation, template: Template, _setting: Setting) -> Told:
    """A SKILL.md: what Hermes, Claude Code and Codex read when the work at hand fits its description."""
    messages, failed = conversation.messages, _failed_calls(conversation)
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
        *(["Where one failed first, that stands before what mended it: do the latter at once."] if failed else []),
        "",
    ]
    if template.addendum and template.whose.addendum == "user":
        lines += [template.addendum.strip(), ""]
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    told, words, mends = 0, "", False
    for message in messages:
        words = message["content"] if message["role"] == "user" else words
        for call in message.get("tool_calls", ()):
            if not mends:
                told += 1
                name = call["function"]["name"]
                lines += [f"## {told}. {name if words in ('', GO_ON) else _heading(words)}", ""]
            is_failed = call["id"] in failed
            lines += _told_call(call, results.get(call["id"], ""), FAILED if is_failed else MENDED if mends else "")
            mends = is_failed
    text = "\n".join(lines).rstrip().replace("\r\n", "\n") + "\n"
    # A skill is read by people and models: what only one of them sees has no place in it.
    return Told(seen(text), (HIDDEN_LEFT_OUT,) if seen(text) != text else ())


def _told_call(call: Record, result: str, how: str) -> list[str]:
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    head = f"{how} `{name}`".strip()
    said = "It said:" if how == FAILED else "Result:"
    return [head, "", *_fenced(_pretty(arguments), "json"), "", said, "", *_fenced(result), ""]


def _failed_calls(conversation: Conversation) -> set[str]:
    """By their ids: those that the next call mended."""
    return {call["id"] for at in conversation.failed for call in conversation.messages[at].get("tool_calls", ())}


class Form(NamedTuple):
    tell: Callable[[Conversation, Template, Setting], Told]
    provider: str
    """By whose rules the conversation is built."""


FORMS: Mapping[str, Form] = {
    "chat": Form(chat, "openai"),
    "anthropic": Form(anthropic, "anthropic"),
    "claude-code": Form(claude_code, "anthropic"),
    "skill": Form(skill, "any"),
}


def _anthropic_messages(messages: Sequence[Message], failed: Container[str]) -> tuple[str, list[Message]]:
    """The system prompt apart; neighbours of one role as one message."""
    system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    told: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        if told and told[-1]["role"] == role:
            told[-1]["content"] += _parts(message, failed)
        else:
            told.append({"role": role, "content": _parts(message, failed)})
    return system, told


def _parts(message: Message, failed: Container[str]) -> list[Record]:
    if message["role"] == "tool":
        call = message["tool_call_id"]
        result: Record = {"type": "tool_result", "tool_use_id": call, "content": message["content"]}
        return [result | ({"is_error": True} if call in failed else {})]
    parts: list[Record] = [{"type": "text", "text": message["content"]}] if message["content"] else []
    for call in message.get("tool_calls", ()):
        function = call["function"]
        arguments = json.loads(function["arguments"])
        parts.append({"type": "tool_use", "id": call["id"], "name": function["name"], "input": arguments})
    return parts


def _in_tools_of(facts: AgentFacts, conversation: Conversation) -> tuple[list[Message], dict[str, str]]:
    """The same calls by that agent's names, and by their ids the tools of those that are left out, with their results.

    What has no counterpart is, and a failed call whose mend has none.
    """
    told: list[Message] = []
    ran: set[str] = set()
    gone = _without_counterpart(facts, conversation)
    for message in conversation.messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in gone:
                content = _printed(message) if message["tool_call_id"] in ran else message["content"]
                told.append({**message, "content": content})
            continue
        calls = []
        for call in message.get("tool_calls", ()):
            function = call["function"]
            theirs = _back(facts, function["name"], json.loads(function["arguments"]))
            if theirs is None or call["id"] in gone:
                continue
            name, arguments, is_command = theirs
            ran |= {call["id"]} if is_command else set()
            calls.append({**call, "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}})
        if "tool_calls" not in message:
            told.append(message)
        elif calls or message["content"]:
            told.append({**message, "tool_calls": calls})
    return told, gone


def _without_counterpart(facts: AgentFacts, conversation: Conversation) -> dict[str, str]:
    calls = [call for message in conversation.messages for call in message.get("tool_calls", ())]
    gone: dict[str, str] = {}
    failed, mend_is_gone = _failed_calls(conversation), False
    for call in reversed(calls):
        function = call["function"]
        has_none = _back(facts, function["name"], json.loads(function["arguments"])) is None
        mend_is_gone = has_none or (mend_is_gone and call["id"] in failed)
        if mend_is_gone:
            gone[call["id"]] = function["name"] if has_none else ""
    return gone


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
