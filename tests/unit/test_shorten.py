"""Shorter, and still what it was."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from warm_tui.templates.shorten import MIN_LENGTH, cut, shorten, shorten_arguments

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=30), inner, max_size=8),
    max_leaves=60,
)
TEXTS = st.text(max_size=900) | JSON.map(json.dumps) | JSON.map(lambda value: json.dumps(value, ensure_ascii=False))


@given(TEXTS, st.integers(0, 600))
def test_it_never_lengthens_and_is_done_once(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= max(limit, MIN_LENGTH)
    assert len(short) <= len(text)
    assert shorten(short, limit) == short


@given(JSON, st.integers(0, 600))
def test_json_stays_json(value: object, limit: int) -> None:
    json.loads(shorten(json.dumps(value), limit))


def test_a_result_keeps_its_fields_and_the_ends_of_its_output() -> None:
    result = json.dumps({"output": "first\n" + "x" * 9000 + "\nlast", "exit_code": 0, "error": None})
    short = json.loads(shorten(result, 500))
    assert short["exit_code"] == 0
    assert short["error"] is None
    assert short["output"].startswith("first\n")
    assert short["output"].endswith("\nlast")
    assert "characters left out" in short["output"]


def test_it_says_how_much_was_left_out() -> None:
    text = "".join(chr(97 + at % 26) for at in range(5000))
    short = cut(text, 400)
    left_out = int(short.split("[… ")[1].split(" characters")[0].replace(",", ""))
    head, _, tail = short.partition("\n[…")
    tail = tail.partition("…]\n")[2]
    assert left_out == len(text) - len(head) - len(tail)
    assert text.startswith(head)
    assert text.endswith(tail)


def test_a_long_list_says_how_many_more_there_were() -> None:
    short = json.loads(shorten(json.dumps({"matches": [{"line": at} for at in range(500)]}), 300))
    assert short["matches"][0] == {"line": 0}
    assert short["matches"][-1].endswith("more …]")


def test_long_arguments_keep_their_keys() -> None:
    short = shorten_arguments({"path": "a.py", "content": "x" * 9000}, 1000)
    assert short["path"] == "a.py"
    assert len(json.dumps(short, ensure_ascii=False)) <= 1000
