"""Linters answer by their exit codes: findings are what they were asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from warm_tui.reliability.complaints import names_of
from warm_tui.reliability.evidence import Evidence
from warm_tui.reliability.shell import Simple


class Linter(NamedTuple):
    """Programs that are asked for findings, and tell by these codes that there are some.

    A code alone does not do: a linter that could not work may use the same, and shows no finding.
    """

    programs: frozenset[str]
    codes: frozenset[int]
    finding: re.Pattern[str]
    words: frozenset[str]  # one of these, if it does other work too
    example: tuple[str, str]  # command, output


def _linter(programs: str, codes: Iterable[int], finding: str, *, example: tuple[str, str], words: str = "") -> Linter:
    pattern = re.compile(rf"(?m)^(?:{finding})")
    return Linter(frozenset(programs.split()), frozenset(codes), pattern, frozenset(words.split()), example)


# As much of an output as findings are counted in.
MANY_FINDINGS = 60_000

_AT = r"[^\s:][^:\n]{0,200}:\d+:(?:\d+:)?"
LINTERS: tuple[Linter, ...] = (
    # A sum of bits: 2 error, 4 warning, 8 refactor, 16 convention; 1 is a fatal message and 32 a wrong usage.
    _linter("pylint", range(2, 31, 2), rf"{_AT} [CEIRW]\d{{4}}: ",
            example=("pylint a.py", "a.py:1:0: C0114: Missing docstring")),
    _linter("flake8 pycodestyle", {1}, rf"{_AT} [A-Z]+\d+ ",
            example=("flake8 a.py", "a.py:1:1: F401 'os' imported")),
    _linter("ruff", {1}, rf"(?:{_AT} [A-Z]+\d+ | *--> [^:\n]+:\d+:\d+|Would reformat: )", words="check format",
            example=("ruff check a.py", "F401 `os` imported but unused\n --> a.py:1:8")),
    _linter("mypy pyright", {1}, rf" *{_AT} (?:- )?error\b",
            example=("mypy a.py", "a.py:3: error: Name is not defined")),
    _linter("black isort", {1}, r"would reformat |ERROR: .{0,300} Imports are incorrectly", words="--check --diff -c",
            example=("black --check a.py", "would reformat a.py")),
    _linter("eslint tslint", {1}, r" +\d+:\d+ +(?:error|warning)",
            example=("eslint a.js", "  1:5  error  'x' is never used  no-unused-vars")),
    _linter("stylelint", {2}, r" +\d+:\d+ ", example=("stylelint a.css", "  1:5  x  Unexpected unit  unit-no-unknown")),
    _linter("shellcheck", {1}, r"(?:In .* line \d+:|.*:\d+:\d+: (?:error|warning|note|style):)",
            example=("shellcheck a.sh", "In a.sh line 2:")),
    _linter("yamllint", {1, 2}, r" +\d+:\d+ +(?:error|warning)",
            example=("yamllint a.yaml", "  2:5       error    syntax error")),
    _linter("hadolint", {1}, rf"(?:{_AT}|\S{{1,200}}:\d+ [A-Z]+\d+ )",
            example=("hadolint Dockerfile", "Dockerfile:3 DL3008 warning: Pin versions in apt get install")),
    _linter("golangci-lint rubocop cppcheck clang-tidy codespell", {1, 65}, _AT,
            example=("golangci-lint run", "main.go:4:1: exported func A should have comment")),
    _linter("pydocstyle", {1}, r"\S{1,200}:\d+ (?:at|in) .{1,100}:$",
            example=("pydocstyle a.py", "a.py:1 at module level:")),
    _linter("oxlint biome", {1}, r" *(?:,-|╭─)?\[\S{1,200}:\d+:\d+\]| *\S{1,200}:\d+:\d+ \w",
            example=("oxlint --deny all a.js", "x eslint(no-var): Unexpected var\n   ,-[a.js:1:1]")),
    _linter("cspell aspell vale alex write-good proselint chktex", {1, 2, 3},
            rf"(?:{_AT}|(?:Warning|Error) \d{{1,3}} in \S)",
            example=("cspell a.md", "a.md:4:56 - Unknown word (databse)")),
    _linter("markdownlint mdl remark", {1}, r"[^\s:][^:\n]{0,200}:\d+(?::\d+)?:? (?:error |warning )?[A-Z]+\d+",
            example=("markdownlint a.md", "a.md:1 error MD022/blanks-around-headings Headings")),
    _linter("bandit", {1}, r">> Issue: ", example=("bandit a.py", ">> Issue: [B101:assert_used] Use of assert")),
)  # fmt: skip
_BY_PROGRAM = {program: linter for linter in LINTERS for program in linter.programs}


def findings_of(simple: Simple, code: int, e: Evidence) -> str | None:
    """`exit code 1 of ruff: 3 findings`."""
    linter = linter_in(simple)
    if linter is None or code not in linter.codes:
        return None
    count = len(linter.finding.findall(e.words_of(MANY_FINDINGS)))
    return f"exit code {code} of {names_of(simple)[-1]}: {count} finding{'s' * (count > 1)}" if count else None


def linter_in(simple: Simple) -> Linter | None:
    """The linter that this command runs, if it is one and lints."""
    linter = _BY_PROGRAM.get(names_of(simple)[-1])
    return linter if linter and not (linter.words and linter.words.isdisjoint(simple.args)) else None
