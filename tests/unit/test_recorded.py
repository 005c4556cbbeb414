"""What was recorded is laid out for what it is: changes, JSON, tables, colours, pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.hostile.kinds import KINDS
from warm_tui.presentation.alignment import aligned
from warm_tui.presentation.diffs import MOST_COMPARED, change_lines, diff_styles
from warm_tui.presentation.lines import Line, text_of
from warm_tui.presentation.recorded import EVERYTHING, Everything, Fold, body_of, pretty, text_lines
from warm_tui.presentation.terminal_colours import BASIC, coloured_lines, has_colours
from warm_tui.sessions.invisible import shown
from warm_tui.sessions.model import Call
from warm_tui.sessions.text import clean
from warm_tui.sessions.transcript import Item

DIFF = """diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
 same
-old
+new
- a list
+1 is no change"""


def body(arguments: object, result: object = "", unfolded=frozenset()) -> list[Line]:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in (arguments, result)]
    call = Call("c", "c", 0, 0, "s", "patch", *texts, None, 1, 2)
    return body_of(Item("call", "s", call=call), None, unfolded=unfolded)


def told(lines: list[Line]) -> list[str]:
    return [text_of(line) for line in lines]


# --- diffs ---


def test_a_plus_or_minus_is_a_change_only_within_a_diff() -> None:
    styles = list(diff_styles(DIFF.split("\n")))
    assert styles == ["dim", "dim", "dim", "dim", "", "failed", "ok", "", ""]
    assert list(diff_styles(["- one", "+ two", "--- three"])) == ["", "", ""]


def test_a_patch_has_signs_between_its_ends() -> None:
    lines = ["*** Begin Patch", "*** Update File: x", "@@", "-old", "+new", "*** End Patch", "- a list"]
    assert list(diff_styles(lines)) == ["dim", "dim", "dim", "failed", "ok", "dim", ""]


def test_a_diff_within_json_is_coloured() -> None:
    lines = body({}, {"success": True, "diff": DIFF})
    assert [("+new", "ok")] in lines
    assert [("-old", "failed")] in lines


@pytest.mark.parametrize("names", [("old_string", "new_string"), ("oldText", "newText"), ("old_str", "new_str")])
def test_what_an_edit_replaces_by_what_is_shown_as_a_change(names: tuple[str, str]) -> None:
    lines = body({"path": "x.py", names[0]: "one\ntwo\nthree", names[1]: "one\n2\nthree"})
    assert told(lines)[:6] == ["path: x.py", f"{names[0]} → {names[1]}:", "@@ -1,3 +1,3 @@", " one", "-two", "+2"]


def test_several_edits_are_each_a_change() -> None:
    lines = body({"edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]})
    assert [text for text in told(lines) if text.startswith("edits")] == ["edits 1:", "edits 2:"]
    assert [("  ", ""), ("+d", "ok")] in lines


def test_a_very_long_edit_is_not_compared_line_by_line() -> None:
    lines = change_lines("a\n" * MOST_COMPARED, "b")
    assert told(lines)[0] == "-a"
    assert told(lines)[-1] == "+b"


# --- JSON ---

LONG = {"rows": [{"n": n} for n in range(9)], "few": [1, 2], "exit_code": 0}


def test_long_values_are_folded_and_short_ones_are_not() -> None:
    lines = body({}, LONG)
    assert told(lines) == ["result", "rows: ▸ [… 9 values …]", "few: [", "  1", "  2", "]", "exit_code: 0"]
    (fold,) = [line for line in lines if isinstance(line, Fold)]
    assert fold.path == "result.rows"


@pytest.mark.parametrize("unfolded", [{"result.rows"}, Everything()])
def test_one_is_unfolded_by_its_path_or_all(unfolded) -> None:
    lines = told(body({}, LONG, unfolded))
    assert lines[1:6] == ["rows: ▾ [", "  {", "    n: 0", "  }", "  {"]


def test_whole_it_is_json_as_it_was_written() -> None:
    assert told(body({}, LONG, EVERYTHING))[1:5] == ["rows: [", "  {", '    "n": 0', "  },"]


def test_a_list_is_laid_out_as_well() -> None:
    assert told(body({}, [1, {"a": 2}])) == ["result", "[", "  1", "  {", "    a: 2", "  }", "]"]


def test_json_of_any_depth_is_shown() -> None:
    deep = "[" * 400 + "1" + "]" * 400
    assert "1" in "".join(told(body({}, deep, Everything())))
    assert told(body({}, "[" * 9_000)) == ["result", "[" * 9_000]


def test_a_text_that_is_json_is_laid_out_as_that() -> None:
    packed = json.dumps({"ok": True, "rows": json.dumps([7])})
    assert told(body({"query": packed}, {"output": packed, "error": None}))[-7:] == [
        "output: {", "  ok: true", "  rows: [", "    7", "  ]", "}", "error: null",
    ]  # fmt: skip
    assert told(body({"query": packed}))[:2] == ["query: {", "  ok: true"]
    several = '{"a": 1,\n "b": 2}'
    assert told(body({}, {"output": several}))[1:] == ["output:", *several.split("\n")], "it can be read as it stands"


def test_words_behind_json_stand_below_it() -> None:
    lines = told(body({}, '{"output": "done", "exit_code": 0}\n\n[Tool loop warning: the same call again]'))
    assert lines == ["result", "output: done", "exit_code: 0", "[Tool loop warning: the same call again]"]
    for words in ("[12] started", "3 passed", "[1/3] building", '{"a": 1}b', "12\n13"):
        assert told(body({}, words))[1:] == words.split("\n"), "only begins like JSON"
    assert pretty('{"a": 1} behind') == ["a: 1", "behind"]


# --- tables ---


def test_columns_stand_under_each_other() -> None:
    assert aligned(["a\tb", "longer\tc"]) == ["a       b", "longer  c"]
    assert aligned(["| a | bb |", "|---|:-:|", "| longer | c |"]) == [
        "| a      | bb  |",
        "| ------ | :-: |",
        "| longer | c   |",
    ]


@pytest.mark.parametrize("lines", [["\tindented", "\tcode"], ["no table"], ["a\tb"], ["x | y", "| z |"], []])
def test_what_is_no_table_is_left(lines: list[str]) -> None:
    assert aligned(lines) == lines


# --- colours ---

COLOURS = [
    ("\x1b[31mred\x1b[0m plain", [("red", "failed"), (" plain", "")]),
    ("\x1b[1;92mok\x1b[39mbold\x1b[m", [("ok", "ok"), ("bold", "strong")]),
    ("\x1b[38;5;196mred", [("red", "failed")]),
    ("\x1b[38;2;0;0;255mblue", [("blue", "cold")]),
    ("\x1b[41m FAIL \x1b[49m", [(" FAIL ", "failed")]),
    ("\x1b[38;5;250mgrey", [("grey", "dim")]),
]


@pytest.mark.parametrize(("text", "pieces"), COLOURS)
def test_colours_of_output_become_ours(text: str, pieces: Line) -> None:
    (line,) = coloured_lines(text)
    assert [piece for piece in line if piece[0]] == pieces


def test_a_colour_lasts_over_lines_until_it_is_taken_back() -> None:
    lines = coloured_lines("\x1b[32ma\nb\x1b[0m\nc")
    assert lines == [[("", ""), ("a", "ok")], [("b", "ok"), ("", "")], [("c", "")]]


AROUND = ["\x1b[31m{}\x1b[0m", "\x1b]52;c;\x1b[31m{}\x07", "\x1b[3{}1m\x1b[32mx", "{}\x1b[31m\r\n"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("around", AROUND)
def test_nothing_but_colours_is_read_of_what_a_terminal_obeys(kind, around: str) -> None:
    text = around.format(kind.hostile)
    assert has_colours(text)
    for line in text_lines(text):
        for piece, style in line:
            assert clean(piece) == piece, "there is nothing left to clean"
            assert "\n" not in piece
            assert style in {"", "strong", *BASIC}


@pytest.mark.parametrize("code", ["9" * 60, "38", "38;2;999;1", ";;;", "4;5;7;8", "38;5", "48;7;1"])
def test_odd_codes_are_read_and_only_make_colours(code: str) -> None:
    (line,) = coloured_lines(f"\x1b[{code}mx")
    assert "".join(text for text, _ in line) == "x"
    assert {style for _, style in line} <= {"", "strong", *BASIC}


def test_where_everything_is_to_be_seen_codes_are_text() -> None:
    assert len("".join(told(text_lines("\x1b[31mred", shown)))) > len("red")


def test_the_widgets_know_each_colour() -> None:
    styles = (Path(__file__).parents[2] / "styles" / "transcript.tcss").read_text()
    assert all(f"palette--{name}" in styles for name in BASIC if name)


# --- pictures ---


def test_a_picture_is_named() -> None:
    picture = "data:image/png;base64," + "A" * 40_000
    assert told(body({}, {"screenshot": picture}))[1:] == ["screenshot: [image/png, about 30 KB]"]
    assert told(body({}, picture))[1:] == ["[image/png, about 30 KB]"]
