"""How many tokens a conversation takes, and when that is too many."""

from __future__ import annotations

import pytest

from warm_tui.sessions.model import MadeCall, Message
from warm_tui.sessions.tokens import SAMPLED, estimate, estimate_messages
from warm_tui.templates.budget import Tokens, count_tokens, warnings

TEXT = """def total(orders):
    # 12 orders, 3.50 each
    return sum(order.price * order.count for order in orders if order.paid)

$ pytest -q tests/test_orders.py
4 passed in 0.31s
"""


def test_the_estimate_is_near_what_a_tokenizer_counts() -> None:
    counted = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    for text in (TEXT, TEXT * 5, "Please fix the failing test in the parser.", "日本語の文章です。" * 5):
        assert estimate(text) == pytest.approx(len(counted.encode(text)), rel=0.25)


def test_of_a_very_long_text_parts_tell_what_all_of_it_takes() -> None:
    text = "".join(f"line {at}: make builds module_{at % 7}, in {at * 31} ms\n" for at in range(60_000))
    assert len(text) > 10 * SAMPLED
    pieces = [text[at : at + SAMPLED] for at in range(0, len(text), SAMPLED)]
    assert estimate(text) == pytest.approx(sum(map(estimate, pieces)), rel=0.02)


def test_it_is_said_whether_it_was_counted_or_estimated() -> None:
    tokens = count_tokens([{"role": "user", "content": TEXT}])
    assert not tokens.exact
    assert 45 < tokens.total < 80
    assert str(Tokens(1234, False)) == "≈1,234"
    assert str(Tokens(1234, True)) == "=1,234"


def test_calls_count_too() -> None:
    call = {"id": "x", "type": "function", "function": {"name": "terminal", "arguments": '{"command":"ls -la src"}'}}
    with_call = count_tokens([{"role": "assistant", "content": "", "tool_calls": [call]}]).total
    assert with_call > count_tokens([{"role": "assistant", "content": ""}]).total + 10


def test_a_recorded_context_takes_what_it_would_as_a_template() -> None:
    """Before and after a compaction, by the estimate that templates go by: not by characters."""
    arguments = '{"command":"ls -la src"}'
    call = {"id": "x", "type": "function", "function": {"name": "terminal", "arguments": arguments}}
    sent = [
        {"role": "user", "content": TEXT},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": TEXT * 3, "tool_call_id": "x"},
    ]
    recorded = [
        Message(1, "user", TEXT, len(TEXT)),
        Message(2, "assistant", "", 0, calls=[MadeCall("x", "terminal", arguments)]),
        Message(3, "tool", TEXT * 3, 3 * len(TEXT), "x"),
    ]
    assert estimate_messages(recorded) == count_tokens(sent).total


@pytest.mark.parametrize(
    ("tokens", "window", "told"),
    [
        (100, None, []),
        (100, 128_000, []),
        (6_399, 128_000, []),
        (6_401, 128_000, ["more than 5%"]),
        (100, 32_000, ["is small"]),
        (5_000, 32_000, ["is small", "16% of the model's window"]),
    ],
)
def test_too_much_for_the_window_is_told(tokens: int, window: int | None, told: list[str]) -> None:
    found = warnings(tokens, window)
    assert len(found) == len(told)
    assert all(words in sentence for words, sentence in zip(told, found, strict=True))
