"""What nobody sees is found by what Unicode says of it, put in sight and back, or taken out; what has work to do stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.sessions.invisible import (
    MOST_MARKS,
    USES,
    hidden_in,
    hidden_words,
    in_sight,
    shown,
    shown_line,
    unshown,
    without_hidden,
)
from warm_tui.sessions.text import seen

HIDING = {
    "a lone escape": "\x1b",
    "a bell": "\x07",
    "NUL": "\x00",
    "a C1 introducer": "\x9b",
    "a soft hyphen": "\u00ad",
    "a right-to-left override": "\u202e",
    "an isolate": "\u2067",
    "a direction mark": "\u200f",
    "a zero-width space": "\u200b",
    "a word joiner": "\u2060",
    "a byte order mark": "\ufeff",
    "a tag": "\U000e0041",
    "a variation selector": "\U000e0101",
    "a Hangul filler": "\u3164",
    "a half-width filler": "\uffa0",
    "the Braille blank": "\u2800",
    "the grapheme joiner": "\u034f",
    "a line separator": "\u2028",
    "an annotation": "\ufff9",
    "private use": "\ue000",
    "a noncharacter": "\ufdd0",
    "the last code point": "\U0010ffff",
    "not assigned": "\u0378",
    "half a character": "\ud800",
    "a musical control": "\U0001d173",
}
INNOCENT = {
    "emoji of several": "👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥",
    "a symbol as emoji": "☺\ufe0f ✔\ufe0f ‼\ufe0f ℹ\ufe0f ™\ufe0f",
    "a symbol as text": "✔\ufe0e",
    "keys": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "flags": "🇫🇷 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "newer emoji than Python knows": "\U0001fae9",
    "newer ideographs": "\U000323b0",
    "Persian": "می\u200cخواهم نامه\u200cها",
    "Arabic": "السَّلامُ عَلَيْكُم \u0601 \u06dd",
    "Hebrew with its points": "בְּרֵאשִׁית בָּרָא אֱלֹהִים",
    "Hindi": "क्\u200dष र्\u200dय क्\u200cष",
    "Sinhala": "ශ්\u200dරී",
    "Tibetan": "བསྒྲུབས་ཀྱི",
    "Thai": "ที่นี่",
    "Vietnamese, taken apart": unicodedata.normalize("NFD", "Tiếng Việt"),
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ\u180b",
    "old Korean": "\u115f\u1161 \u1100\u1160\u11ab",
    "a plot of Braille": "⡠⠊\u2800\u2800⠑⢄\u2800⣀",
    "spaces of other languages": "10\u202f000 €\u00a0! 全角\u3000空白",
    "drawn boxes": "┌────────────────┐ ▁▂▃▄▅▆▇█",
    "lines and tabs": "one\n\ttwo",
    "a modified letter": "a\u0301\u0302\u0303 x\u0338",
}


@pytest.mark.parametrize("character", HIDING.values(), ids=HIDING)
def test_what_is_invisible(character: str) -> None:
    text = f"before{character}behind"
    assert hidden_in(text) == character
    assert without_hidden(text) == "beforebehind"
    assert character not in shown(text)
    assert shown(text).isprintable()
    assert unshown(shown(text)) == text


@pytest.mark.parametrize("text", INNOCENT.values(), ids=INNOCENT)
def test_what_has_work_to_do(text: str) -> None:
    assert hidden_in(text) == ""
    assert seen(text) == text
    assert shown(text) == text


@pytest.mark.parametrize("use", USES, ids=lambda use: use.name)
def test_every_use_has_an_example(use) -> None:
    assert hidden_in(use.example) == ""
    assert any(hidden_in(character) for character in use.example)


@pytest.mark.parametrize(
    "text",
    [
        "☺\ufe0f\ufe01\ufe02",
        "☺\U000e0148\U000e0149",
        "abc\u200ddef",
        "ab\u200ccd",
        "1\ufe0f",
        "🏴\U000e0068\U000e0069\U000e007f",
        "می\u200c\u200d\u200cخواهم",
        "ᄀ\u3164",
        "plain \u2800\u2800 text",
    ],
)
def test_where_it_has_no_work_it_is_hidden(text: str) -> None:
    assert hidden_in(text)


def test_no_letter_bears_a_heap_of_marks() -> None:
    heap = "e" + "\u0301" * (MOST_MARKS + 5) + "nd"
    assert len(hidden_in(heap)) == 5
    assert without_hidden(heap) == "e" + "\u0301" * MOST_MARKS + "nd"
    assert unshown(shown(heap)) == heap


ANYTHING = st.text(
    alphabet=st.one_of(
        st.characters(), st.sampled_from("".join(HIDING.values()) + "☺👩1\u20e3\u200d\u200c\ufe0f\u0301␛␀␡‹›U+41BCDEF")
    )
)


@given(ANYTHING)
def test_what_is_put_in_sight_comes_back(text: str) -> None:
    assert unshown(shown(text)) == text
    assert unshown(shown_line(text)) == text
    assert "\n" not in shown_line(text)


@given(ANYTHING)
def test_nothing_hidden_is_left(text: str) -> None:
    for put in (shown, without_hidden, seen, in_sight):
        assert hidden_in(put(text)) == ""
        assert put(put(text)) == put(text) or put is shown


def test_what_stands_for_a_character_may_stand_for_itself() -> None:
    assert shown("\x1b[31m") == "␛[31m"
    assert shown("␛ and ‹U+001B›") == "‹U+241B› and ‹U+2039›U+001B›"
    assert shown("tag \U000e0041") == "tag ‹U+E0041›"
    assert in_sight("␛ \x1b") == "␛ ␛"
    assert unshown("‹U+FFFFFF›") == "‹U+FFFFFF›"


def test_how_many_there_are_is_told() -> None:
    assert hidden_words("\x1b") == "1 invisible character (U+001B)"
    assert hidden_words("\u200b" * 3 + "\x1b\x07\x9b") == "6 invisible characters (U+200B, U+001B, U+0007, …)"
