"""How many tokens a text takes, about: the one estimate for templates and for recorded contexts.

It counts pieces as byte-pair tokenizers see them: words, a little more for long ones, digits by threes, runs of
signs, line ends. Its weights are a least-squares fit to o200k_base on recorded sessions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from warm_tui.sessions.model import Message

PIECE = re.compile(r"[a-z]+|[A-Z][a-z]*|\d{1,3}|[^\W\d_a-zA-Z]|\n[ \t\n]*|  +|[^\w\s]+|_+|[\t\r\f\v]+")
WORD, LETTER_MORE, LONE_LETTER, DIGITS, LINE, INDENT, UNDERSCORE, FOREIGN, SIGN, SIGN_MORE = (
    1.05, 0.056, 0.37, 1.56, 0.29, 1.26, 0.28, 0.8, 0.8, 0.27,
)  # fmt: skip
MESSAGE = 4
"""What a message takes beside its words; a call too."""
CALL = 8
SAMPLED, SAMPLES = 200_000, 20
"""Of a longer text so many characters are looked at, in so many places."""


def estimate(text: str) -> float:
    if len(text) <= SAMPLED:
        return _estimate(text)
    size, step = SAMPLED // SAMPLES, len(text) // SAMPLES
    found = sum(_estimate(text[at * step : at * step + size]) for at in range(SAMPLES))
    return found * len(text) / SAMPLED


def _estimate(text: str) -> float:
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


def estimate_messages(messages: Iterable[Message]) -> int:
    """What recorded messages take as a context."""
    extra, texts = 0, []
    for message in messages:
        extra += MESSAGE + CALL * len(message.calls)
        texts.append(message.text)
        texts += [text for call in message.calls for text in (call.tool_name, call.arguments)]
    return extra + round(sum(map(estimate, texts)))
