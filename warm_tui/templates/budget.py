"""How many tokens a conversation takes: exact with the extra `tokens`, else estimated.

The estimate counts pieces as byte-pair tokenizers see them: words, a little more for long ones, digits by
threes, runs of signs, line ends. Its weights are a least-squares fit to o200k_base on recorded sessions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

PIECE = re.compile(r"[a-z]+|[A-Z][a-z]*|\d{1,3}|[^\W\d_a-zA-Z]|\n[ \t\n]*|  +|[^\w\s]+|_+|[\t\r\f\v]+")
WORD, LETTER_MORE, LONE_LETTER, DIGITS, LINE, INDENT, UNDERSCORE, FOREIGN, SIGN, SIGN_MORE = (
    1.05, 0.056, 0.37, 1.56, 0.29, 1.26, 0.28, 0.8, 0.8, 0.27,
)  # fmt: skip
MESSAGE = 4
CALL = 8
SMALLEST_WINDOW = 64_000
SHARE_OF_WINDOW = 0.05


class Tokens(NamedTuple):
    total: int
    exact: bool

    def __str__(self) -> str:
        return f"{'=' if self.exact else '≈'}{self.total:,}"


def estimate(text: str) -> float:
    total = 0.0
    for piece in PIECE.findall(text):
        first, length = piece[0], len(piece)
        if "a" <= first <= "z" or "A" <= first <= "Z":
            total += LONE_LETTER if length == 1 else WORD + LETTER_MORE * max(0, length - 6)
        elif first.isdigit():
            total += DIGITS
        elif first == "\n":
            total += LINE
        elif first == " ":
            total += INDENT
        elif first == "_":
            total += UNDERSCORE
        elif first.isalpha():
            total += FOREIGN
        else:
            total += SIGN + SIGN_MORE * (length - 1)
    return total


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
