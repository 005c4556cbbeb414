"""What shows words that are not its own."""

from __future__ import annotations

import re

import pytest

from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.viewers import shows_a_file

SHOWS = [
    'grep "" notes.txt > out.txt',
    "cat notes.txt",
    "cat > out.txt < a; cat notes.txt",
    "cat b.txt > b.txt.old; cat b.txt",
]
OWN = [
    "make > out.txt; cat out.txt",
    "make >>out.txt 2>&1; tail -3 out.txt",
    "make | tee -a out.txt; cat out.txt",
    'make > "out.txt"; cat out.txt',
]


@pytest.mark.parametrize("line", SHOWS)
def test_what_shows_a_file_that_was_there(line: str) -> None:
    script = parse(line)
    assert shows_a_file(script.commands[-1], script)


@pytest.mark.parametrize("line", OWN)
def test_a_file_that_the_same_line_wrote_is_what_a_program_said(line: str) -> None:
    script = parse(line)
    assert not shows_a_file(script.commands[-1], script)


def test_no_pattern_is_made_of_the_words_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    script = parse("awk '" + "{ print $1 } " * 200 + "' notes.txt")
    monkeypatch.setattr(re, "compile", None)
    monkeypatch.setattr(re, "search", None)
    assert shows_a_file(script.commands[-1], script)
