"""How many tokens a conversation takes: exact with the extra `tokens`, else estimated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from warm_tui.sessions.tokens import CALL, MESSAGE, estimate
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.model import Pattern, Template

SMALLEST_WINDOW = 64_000
SHARE_OF_WINDOW = 0.05


class Tokens(NamedTuple):
    total: int
    exact: bool

    def __str__(self) -> str:
        return f"{'=' if self.exact else '≈'}{self.total:,}"


@cache
def _encoding() -> Any:
    try:
        import bpe_openai  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return bpe_openai.get_encoding("o200k_base")


def count_tokens(messages: Sequence[Mapping[str, Any]]) -> Tokens:
    texts, extra = [], 0
    for message in messages:
        extra += MESSAGE
        content = message.get("content")
        texts.append(content if isinstance(content, str) else json.dumps(content) if content else "")
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                extra += CALL
                texts += [str(function.get("name", "")), str(function.get("arguments", ""))]
    encoding = _encoding()
    if encoding is not None:
        return Tokens(extra + sum(len(encoding.encode(text)) for text in texts if text), True)
    return Tokens(extra + round(sum(estimate(text) for text in texts)), False)


class Cost(NamedTuple):
    """What one pattern takes of a conversation: by itself, and where it answers the words of the one before it."""

    alone: Tokens
    joined: Tokens


def cost_of(pattern: Pattern, provider: str) -> Cost:
    """By the same count wherever a call stands: among those to pick, in a draft, in what is told."""
    messages = build_conversation(
        Template(name="", patterns=(msgspec.structs.replace(pattern, joined=False),)), provider
    ).messages
    own = [message for message in messages if message["role"] == "tool" or message.get("tool_calls")]
    return Cost(count_tokens(messages), count_tokens(own))


def warnings(tokens: int, window: int | None, share: float = SHARE_OF_WINDOW) -> list[str]:
    """What is to be said about a template of so many tokens for a model with this window."""
    if not window:
        return []
    sentences = []
    if window < SMALLEST_WINDOW:
        sentences.append(f"The model's window of {window:,} tokens is small: a template leaves less of it for work.")
    if tokens > share * window:
        sentences.append(f"It takes {tokens / window:.0%} of the model's window, more than {share * 100:g}%.")
    return sentences
