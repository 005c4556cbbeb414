"""The four forms in which Hermes asks a model, and how a conversation stands in each of them.

Called within the agent: nothing beyond the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

Item: TypeAlias = dict[str, Any]
SYSTEM = ("system", "developer")
PADDED = {
    "deepseek": ("deepseek",),
    "kimi": ("kimi-coding", "kimi-coding-cn"),
    "moonshot": (),
    "mimo": ("xiaomi",),
}
"""Whose thinking models refuse a call of a tool without `reasoning_content`: by a word of the address or the model, and
by Hermes' own names for them. It pads what it sends itself."""


class Form(NamedTuple):
    place: str
    """Under which name the conversation stands in a request."""
    tools: str
    told: Callable[[Sequence[Item]], list[Item]]
    """What our messages are in this form."""


def _chat(messages: Sequence[Item]) -> list[Item]:
    return list(messages)


def _anthropic(messages: Sequence[Item]) -> list[Item]:
    def call(name: str, call_id: str, arguments: str) -> Item:
        return {"type": "tool_use", "id": call_id, "name": name, "input": json.loads(arguments)}

    def result(call_id: str, text: str) -> Item:
        return {"type": "tool_result", "tool_use_id": call_id, "content": text}

    return _in_blocks(messages, lambda text: {"type": "text", "text": text}, call, result)


def _bedrock(messages: Sequence[Item]) -> list[Item]:
    def call(name: str, call_id: str, arguments: str) -> Item:
        return {"toolUse": {"toolUseId": call_id, "name": name, "input": json.loads(arguments)}}

    def result(call_id: str, text: str) -> Item:
        return {"toolResult": {"toolUseId": call_id, "content": [{"text": text}]}}

    return _in_blocks(messages, lambda text: {"text": text}, call, result)


def _in_blocks(
    messages: Sequence[Item],
    words: Callable[[str], Item],
    call: Callable[[str, str, str], Item],
    result: Callable[[str, str], Item],
) -> list[Item]:
    """Results are the user's; who speaks twice in a row does so in one message."""
    told: list[Item] = []
    for message in messages:
        blocks = [words(message["content"])] if message["content"] and message["role"] != "tool" else []
        blocks += [
            call(each["function"]["name"], each["id"], each["function"]["arguments"]) for each in _calls(message)
        ]
        if message["role"] == "tool":
            blocks = [result(message["tool_call_id"], message["content"])]
        role = "assistant" if message["role"] == "assistant" else "user"
        if told and told[-1]["role"] == role:
            told[-1]["content"] += blocks
        else:
            told.append({"role": role, "content": blocks})
    return told


def _responses(messages: Sequence[Item]) -> list[Item]:
    told: list[Item] = []
    for message in messages:
        if message["role"] == "tool":
            told.append(
                {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
            )
            continue
        if message["content"]:
            told.append({"role": message["role"], "content": message["content"]})
        for each in _calls(message):
            of = each["function"]
            told.append(
                {"type": "function_call", "call_id": each["id"], "name": of["name"], "arguments": of["arguments"]}
            )
    return told


def _calls(message: Item) -> Iterable[Item]:
    return message.get("tool_calls") or ()


FORMS: dict[str, Form] = {
    "chat_completions": Form("messages", "tools", _chat),
    "anthropic_messages": Form("messages", "tools", _anthropic),
    "codex_responses": Form("input", "tools", _responses),
    "bedrock_converse": Form("messages", "toolConfig", _bedrock),
}


class Asked(NamedTuple):
    """A request to a model, with whom it goes to."""

    request: Mapping[str, Any]
    mode: str
    provider: str = ""
    model: str = ""
    address: str = ""

    @property
    def form(self) -> Form | None:
        """None where it is not one that is known."""
        form = FORMS.get(self.mode)
        return form if form and isinstance(self.request.get(form.place), list) else None

    @property
    def items(self) -> list[Any]:
        form = self.form
        return self.request[form.place] if form else []

    @property
    def offers_tools(self) -> bool:
        return self.form is not None and bool(self.request.get(self.form.tools))

    @property
    def begun(self) -> bool:
        """Something of the agent's stands in it already."""
        return any(
            isinstance(item, dict) and (item.get("role") == "assistant" or str(item.get("type")).startswith("function"))
            for item in self.items
        )

    @property
    def first_words(self) -> str:
        """What the user said first."""
        said = next(
            (item.get("content") for item in self.items if isinstance(item, dict) and item.get("role") == "user"), ""
        )
        parts = said if isinstance(said, list) else [{"text": said}]
        return "\n".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text"))


def with_messages(asked: Asked, messages: Sequence[Item]) -> Item:
    """The request with these after its system prompt, and all else as it was."""
    form = asked.form
    assert form is not None
    own = asked.items
    at = next(
        (n for n, item in enumerate(own) if not isinstance(item, dict) or item.get("role") not in SYSTEM), len(own)
    )
    told = _as_asked(asked, form.told(messages))
    return {**asked.request, form.place: [*own[:at], *told, *own[at:]]}


def _as_asked(asked: Asked, told: list[Item]) -> list[Item]:
    """As Hermes makes its own messages for this provider."""
    if asked.mode == "chat_completions" and _is_padded(asked):
        return [{**item, "reasoning_content": " "} if item["role"] == "assistant" else item for item in told]
    if asked.mode == "anthropic_messages":
        # Under a subscription tools go by another name, in what was said before as well.
        names = {str(tool.get("name")) for tool in asked.request.get("tools") or () if isinstance(tool, dict)}
        for block in (block for item in told for block in item["content"] if block["type"] == "tool_use"):
            other = f"mcp__{block['name']}"
            block["name"] = other if block["name"] not in names and other in names else block["name"]
    return told


def _is_padded(asked: Asked) -> bool:
    address, model = asked.address.lower(), asked.model.lower()
    for word, providers in PADDED.items():
        by_model = word in ("deepseek", "mimo") and word in model
        if by_model or word in address or asked.provider.lower() in (word, *providers):
            return True
    return False
