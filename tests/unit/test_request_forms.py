"""A conversation in each form in which Hermes asks a model: after the system prompt, and all else as it was."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from warm_tui.agent.request_forms import FORMS, Asked, with_messages
from warm_tui.templates.conversation import validate


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": f"warm{number:05}", "type": "function", "function": function}],
    }


def result(number: int, name: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"warm{number:05}", "name": name, "content": text}


MESSAGES = [
    {"role": "user", "content": "Is it green?"},
    call(1, "terminal", command="make test"), result(1, "terminal", "2 passed"),
    call(2, "read_file", path="Makefile"), result(2, "read_file", "test:"),
    {"role": "assistant", "content": "Done."},
]  # fmt: skip
TOOLS = [{"name": "terminal"}, {"name": "read_file"}]
OWN = {
    "chat_completions": {
        "messages": [{"role": "system", "content": "You are."}, {"role": "user", "content": "Deploy."}],
        "tools": [{"type": "function", "function": tool} for tool in TOOLS], "model": "m",
    },
    "anthropic_messages": {"system": "You are.", "messages": [{"role": "user", "content": "Deploy."}], "tools": TOOLS},
    "codex_responses": {"instructions": "You are.", "input": [{"role": "user", "content": "Deploy."}], "tools": TOOLS},
    "bedrock_converse": {
        "system": [{"text": "You are."}], "messages": [{"role": "user", "content": [{"text": "Deploy."}]}],
        "toolConfig": {"tools": [{"toolSpec": tool} for tool in TOOLS]},
    },
}  # fmt: skip


def put_in(mode: str, **about: str) -> dict[str, Any]:
    return with_messages(Asked(OWN[mode], mode, **about), MESSAGES)


def test_every_form_is_tried() -> None:
    assert OWN.keys() == FORMS.keys()


@pytest.mark.parametrize("mode", OWN)
def test_nothing_else_of_a_request_changes(mode: str) -> None:
    before, place = deepcopy(OWN[mode]), FORMS[mode].place
    sent = put_in(mode)
    assert OWN[mode] == before
    assert {name: value for name, value in sent.items() if name != place} == {
        name: value for name, value in before.items() if name != place
    }
    assert sent[place][-1] == before[place][-1]
    assert json.dumps(put_in(mode)) == json.dumps(sent), "the provider's cache knows it by its bytes"


def test_a_chat_holds_the_messages_as_they_are() -> None:
    sent = put_in("chat_completions")["messages"]
    assert sent == [OWN["chat_completions"]["messages"][0], *MESSAGES, OWN["chat_completions"]["messages"][1]]
    assert all(
        validate([*sent, {"role": "assistant", "content": "."}], p) == [] for p in ("openai", "mistral", "gemini")
    )


def test_anthropic_gets_blocks() -> None:
    assert put_in("anthropic_messages")["messages"][:-1] == [
        {"role": "user", "content": [{"type": "text", "text": "Is it green?"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "warm00001", "name": "terminal", "input": {"command": "make test"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "warm00001", "content": "2 passed"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "warm00002", "name": "read_file", "input": {"path": "Makefile"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "warm00002", "content": "test:"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    ]  # fmt: skip


def test_responses_gets_items() -> None:
    assert put_in("codex_responses")["input"][:-1] == [
        {"role": "user", "content": "Is it green?"},
        {"type": "function_call", "call_id": "warm00001", "name": "terminal", "arguments": '{"command": "make test"}'},
        {"type": "function_call_output", "call_id": "warm00001", "output": "2 passed"},
        {"type": "function_call", "call_id": "warm00002", "name": "read_file", "arguments": '{"path": "Makefile"}'},
        {"type": "function_call_output", "call_id": "warm00002", "output": "test:"},
        {"role": "assistant", "content": "Done."},
    ]


def test_bedrock_gets_its_blocks() -> None:
    sent = put_in("bedrock_converse")["messages"]
    assert [message["role"] for message in sent] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert sent[1]["content"] == [
        {"toolUse": {"toolUseId": "warm00001", "name": "terminal", "input": {"command": "make test"}}}
    ]
    assert sent[2]["content"] == [{"toolResult": {"toolUseId": "warm00001", "content": [{"text": "2 passed"}]}}]


def test_calls_at_once_stand_in_one_message_of_blocks() -> None:
    both = {**MESSAGES[1], "tool_calls": [*MESSAGES[1]["tool_calls"], *MESSAGES[3]["tool_calls"]]}
    messages = [MESSAGES[0], both, MESSAGES[2], MESSAGES[4], MESSAGES[5]]
    sent = with_messages(Asked(OWN["anthropic_messages"], "anthropic_messages"), messages)["messages"]
    assert [(m["role"], len(m["content"])) for m in sent[:-1]] == [
        ("user", 1),
        ("assistant", 2),
        ("user", 2),
        ("assistant", 1),
    ]


@pytest.mark.parametrize(
    "about",
    [
        {"model": "deepseek-v4"},
        {"provider": "kimi-coding"},
        {"address": "https://api.moonshot.ai/v1"},
        {"provider": "xiaomi"},
    ],
)
def test_a_provider_that_wants_the_agents_thoughts_gets_them_as_hermes_pads_them(about: dict[str, str]) -> None:
    sent = put_in("chat_completions", **about)["messages"]
    assert {m.get("reasoning_content") for m in sent if m["role"] == "assistant"} == {" "}
    assert not any("reasoning_content" in m for m in put_in("chat_completions", model="kimi-k2")["messages"])


def test_tools_that_go_by_another_name_are_told_by_it() -> None:
    renamed = {**OWN["anthropic_messages"], "tools": [{"name": "mcp__terminal"}, {"name": "read_file"}]}
    sent = with_messages(Asked(renamed, "anthropic_messages"), MESSAGES)["messages"]
    blocks = [block for message in sent[:-1] for block in message["content"] if block["type"] == "tool_use"]
    assert [block["name"] for block in blocks] == ["mcp__terminal", "read_file"]


@pytest.mark.parametrize("mode", OWN)
def test_what_a_request_says_of_its_session(mode: str) -> None:
    asked = Asked(OWN[mode], mode)
    assert (asked.first_words, asked.begun, asked.offers_tools) == ("Deploy.", False, True)
    later = Asked(with_messages(asked, MESSAGES), mode)
    assert (later.first_words, later.begun) == ("Is it green?", True)
    assert not Asked({**OWN[mode], FORMS[mode].tools: None}, mode).offers_tools


@pytest.mark.parametrize(
    ("request_", "mode"),
    [({"messages": []}, "new_mode"), ({"messages": "no list"}, "chat_completions"), ({}, "codex_responses")],
)
def test_a_form_that_is_not_known_is_none(request_: dict[str, Any], mode: str) -> None:
    asked = Asked(request_, mode)
    assert (asked.form, asked.offers_tools, asked.begun, asked.first_words) == (None, False, False, "")
