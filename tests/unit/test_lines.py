"""Lines never run over their edge, and lose nothing but what they are cut by."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from warm_tui.presentation.lines import Hanging, cropped, hanging_lines, text_of, whole_parts, wrapped, wrapped_line

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Mn", "Me", "Zl", "Zp")), max_size=80)
WIDTHS = st.integers(2, 20)


@given(TEXTS, WIDTHS)
def test_words_are_wrapped_and_a_word_that_is_too_long_is_broken(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == "".join(text.split())


@given(TEXTS, WIDTHS)
def test_recorded_text_is_broken_where_the_line_is_full(text: str, width: int) -> None:
    lines = wrapped_line([(text, "dim")], width)
    assert all(cell_len(text_of(line)) <= width for line in lines)
    assert "".join(map(text_of, lines)) == text


@given(TEXTS, WIDTHS)
def test_what_is_cut_says_so(text: str, width: int) -> None:
    shown = cropped(text, width)
    assert shown == text or (cell_len(shown) <= width and shown.endswith("…"))


def test_what_a_name_stands_before_goes_on_below_its_beginning() -> None:
    line = Hanging([("key  ", "mark"), ("what it does, in words", "")])
    assert [text_of(each) for each in hanging_lines(line, 17)] == ["key  what it ", "     does, in ", "     words"]
    assert next(text_of(each) for each in hanging_lines(line, 8)) == "key  wha", "no room to stand by itself"


def test_parts_without_room_are_left_out_whole_the_last_ones_first() -> None:
    text = "838 failures in 30 families: 2 back, 1 ongoing  ·  by cost ▼  ·  /a/path"
    assert [whole_parts(text, width) for width in (80, 60, 46, 40, 30, 10)] == [
        text,
        "838 failures in 30 families: 2 back, 1 ongoing  ·  by cost ▼",
        "838 failures in 30 families: 2 back, 1 ongoing",
        "838 failures in 30 families: 2 back",
        "838 failures in 30 families",
        "838 failu…",
    ]
    two = "30 families: 2 back, 28 ongoing. What costs most: cat (41 calls lost)."
    assert whole_parts(two, 50) == "30 families: 2 back, 28 ongoing", "no sentence is begun that is not told"
