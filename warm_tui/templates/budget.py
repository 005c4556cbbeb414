"""How many tokens a conversation takes: exact with the extra `tokens`, else estimated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from warm_tui.sessions.tokens import CALL, MESSAGE, estimate

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
