"""What nobody caught is told alike by every program of a runtime; and what stands behind it, if anything."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.brief import PHRASES, says_it_could_not
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.output import is_calm
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.tied import put_before_lines, went_well
from warm_tui.reliability.uncaught import UNCAUGHT, uncaught_in
from warm_tui.reliability.verdict import judge


def said(line: str, output: str) -> Verdict:
    return judge(json.dumps({"command": line}), json.dumps({"output": output, "exit_code": 0, "error": None}))


@pytest.mark.parametrize("row", UNCAUGHT, ids=lambda row: row.name)
def test_each_row_knows_its_own_example(row) -> None:
    words, ends = uncaught_in(f"starting\n{row.example}") or ("", 0)
    assert words
    assert words in row.example
    assert ends <= len(f"starting\n{row.example}")
    assert row.source
    assert not is_calm(row.example)


@pytest.mark.parametrize("row", UNCAUGHT, ids=lambda row: row.name)
def test_whatever_the_program_is_called(row) -> None:
    for line in ("./built/app 2>&1 | tail -40", "./built/app; echo done", "make run || true"):
        output = row.example + "\ndone" * line.endswith("done")
        verdict = said(line, output)
        assert (verdict.outcome, verdict.kind) == ("failure", "masked"), line
        assert verdict.reason


@pytest.mark.parametrize("row", UNCAUGHT, ids=lambda row: row.name)
def test_what_a_file_holds_or_what_was_gone_past_proves_nothing(row) -> None:
    assert said("cat app.log; true", row.example).outcome == "success"
    assert said("./built/app", f"{row.example}\nstarted again\nserved 7").outcome == "success"


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: row.example)
def test_each_phrase_stands_in_its_example(row) -> None:
    assert says_it_could_not(row.example)
    assert not is_calm(row.example)
    assert said("frob a | cat", row.example).outcome == "failure"
    assert said("frob a | cat", f"a\nb\nc\nd\n{row.example}").outcome == "success"


@pytest.mark.parametrize("line", ["a | sed 's/^/  /'", "a | sed 's|^|> |'", "a | tail | sed 's/^/\t/'"])
def test_what_a_line_puts_before_each_line_is_known(line: str) -> None:
    assert put_before_lines(parse(line)) == line.partition("^")[2][1:-2]


@pytest.mark.parametrize("line", ["a | sed 's/x/y/'", "sed p a", "a", ""])
def test_what_is_put_before_no_line(line: str) -> None:
    assert put_before_lines(parse(line)) == ""


def test_words_tied_to_success_tell_of_it_where_they_were_said() -> None:
    script = parse("cd a && frob | tail && echo built; ls")
    assert {simple.program for simple in went_well(script, "x\nbuilt\ny")} == {"cd", "tail"}
    assert went_well(script, "x\ny") == []
    assert went_well(parse("frob; echo built"), "built") == []
    assert went_well(parse("frob && echo $x"), "$x") == []
