"""Nothing a session contains may reach a terminal as anything but text."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.sessions.invisible import SEEN_FORMATS
from warm_tui.sessions.text import beginning, clean, clean_line, plain

SEEN = re.compile(f"[{SEEN_FORMATS}]")
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;aGFja2Vk\x07copied", "copied"),
        ("\x1b]0;title\x1b\\rest", "rest"),
        ("\x9b31mred", "red"),
        ("\x1bPdevice\x1b\\after", "after"),
        ("over\rwrite", "overwrite"),
        ("windows\r\nline", "windows\nline"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("[red]kept[/red]", "[red]kept[/red]"),
        ("漢字 é", "漢字 é"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("open \x1b]0;never closed", "open 0;never closed"),
        ("\x9d0;title\x9crest", "rest"),
        ("\x9f never closed", " never closed"),
        ("👩\u200d👧 ☺\ufe0f", "👩👧 ☺"),
        ("number \u0601 in Arabic", "number \u0601 in Arabic"),
        ("\x1b", ""),
    ],
)
def test_what_is_left_of_hostile_text(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = clean(text)
    assert not [c for c in shown if unicodedata.category(c) in OBEYED and c not in "\n\t" and not SEEN.match(c)]
    assert clean(shown) == shown
    assert "\n" not in clean_line(text)


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"])))
def test_plain_text_is_untouched(text: str) -> None:
    assert clean(text) == text


def test_multimodal_content_is_put_in_words() -> None:
    assert plain("hello") == "hello"
    assert plain('\x00json:[{"type":"text","text":"see"},{"type":"image_url","image_url":{}}]') == "see\n[image_url]"
    picture = f"data:image/png;base64,{'A' * 8_000}"
    for held in ({"url": picture}, picture):
        part = json.dumps([{"type": "image_url", "image_url": held}])
        assert plain(f"\x00json:{part}") == "[image/png, about 6 KB]"
    assert plain("\x00json:not json") == "not json"
    assert plain("\x00json:3") == "3"


def test_a_text_that_is_cut_says_that_it_goes_on() -> None:
    cut = [beginning("four words are here", length) for length in (19, 12, 5)]
    assert cut == ["four words are here", "four words…", "four…"]
