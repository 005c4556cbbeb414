"""Changes after which a check passes because it checks less, and those that change nothing but what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from warm_tui.reliability.shape import PATH
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.shortfall import LEAVES_OUT, MISSING
from warm_tui.reliability.targets import PART
from warm_tui.reliability.words import command_of, given_in

LONGEST = 20_000
OLD, NEW = ("old_string", "oldString", "old_str", "old_text"), ("new_string", "newString", "new_str", "new_text")
WHOLE, PATCH, PLACE = ("content", "file_text"), ("patch", "patchText", "input"), ("path", "file_path", "filePath")
OF_LINTERS = (
    r"nolint|noqa|eslint-disable|ts-ignore|ts-expect-error|ts-nocheck|type:\s*ignore|pylint:\s*disable|pyright:\s*ignore"
    r"|rubocop:disable|NOSONAR|shellcheck disable|SuppressWarnings|#!?\[allow"
)
OF_TESTS = re.compile(
    r"pragma:\s*no cover|#\[ignore|@(?:pytest\.)?mark\.(?:skip|xfail)|pytestmark\s*=|unittest\.skip"
    r"|\.skip(?:Now|f|Test)?\(|\bx(?:it|describe)\(|@(?:Ignore|Disabled)\b"
)
IN_CODE = re.compile(f"{OF_LINTERS}|{OF_TESTS.pattern}")
_ONLY_TESTS = re.compile(r"\b(?:pytest|unittest|jest|vitest|mocha|rspec|phpunit|(?:go|cargo) test)\b")
_LINTS = re.compile(
    r"(?i)lint|mypy|flake|ruff|pyright|\btsc\b|\bvet\b|clippy|rubocop|make|\brun\b|tox|nox|pre-commit|check"
)
_CHECKS = re.compile(rf"{_LINTS.pattern}|\btests?\b|{_ONLY_TESTS.pattern}")
IN_STEPS = re.compile(r"--no-verify|--exit-zero|continue-on-error|(?P<or_true>\|\| *true\b)")
_PREPARES = frozenset(
    "mkdir rmdir rm unlink cp mv ln cd touch kill pkill killall test [ source . export unset chmod chown echo".split()
)
"""What fails where all is as it should be already: nothing is checked by it."""
LONGEST_STEP = 300
_WRITTEN = re.compile(r"\"[^\"]*\"|'[^']*'|<<-?\s*['\"\\]?[A-Za-z_].*\Z", re.DOTALL)
"""What stands in quotes, or is fed to a program."""
_WRITERS = frozenset("python python3 perl node ruby php bash sh zsh tee patch apply_patch ed ex awk".split())
SETS_CHECKS = re.compile(
    r"(?i)(?:^|/)(?:pytest\.ini|tox\.ini|\.?mypy\.ini|\.?flake8|\.?pylintrc|\.coveragerc|\.?ruff\.toml|\.eslintrc(?:\.\w+)?"
    r"|eslint\.config\.\w+|\.eslintignore|\.stylelintrc(?:\.\w+)?|\.golangci\.\w+|\.rubocop\.yml|\.?clippy\.toml|pyrightconfig\.json"
    r"|(?:jest|vitest)\.config\.\w+|\.mocharc(?:\.\w+)?|phpunit\.xml(?:\.dist)?|phpstan\.neon(?:\.dist)?|\.shellcheckrc"
    r"|\.yamllint(?:\.\w+)?|\.markdownlint\S*|biome\.jsonc?|\.prettierignore|\.bandit|\.codespellrc|detekt\.yml|checkstyle\.xml)$"
)
"""Files that say what a check asks for, and nothing else;"""
MAY_SET_CHECKS = re.compile(
    r"(?i)(?:^|/)(?:setup\.cfg|pyproject\.toml|package\.json|cargo\.toml|tsconfig[\w.]*\.json|conftest\.py"
    r"|\.pre-commit-config\.yaml|Makefile|[^/]*\.gradle(?:\.kts)?|pom\.xml)$"
)
"""and those that say that, too."""
ASKS_LESS = re.compile(
    r"(?i)\b(?:ignore|exclude|disable|skip|suppress|omit|deselect|xfail|per-file-ignores|collect_ignore)\w*\b"
    r"|[:=]\s{0,20}(?:\[\s{0,20})?[\"']?(?:off|warn)\b"
    r"|\b(?:strict|check|error|fail|disallow|warn|no)\w{0,60}[\"']?\s{0,20}[:=]\s{0,20}(?:false|0)\b"
)
_NO_CONFIG = re.compile(r"(?i)\b(?:no|find|missing|without)\b[^\n]{0,40}\bconfig")
_DOCUMENT = re.compile(r"(?i)\.(?:md|mdx|rst|adoc|log)$|(?:^|/)(?:readme|changelog|contributing|license)[^/]*$")
_CACHE = re.compile(r"(?:^|/)(?:__pycache__|\.\w+_cache|\.cache|\.eslintcache|[^/]*\.(?:py[co]|tsbuildinfo))(?:/|$)")
CHECKS = re.compile(
    r"(?i)\b(?:assert\w*|expect\w*|want\w*|should\w*|must\w*|require\.\w+|raises|verify\w*)\b"
    r"|\bt\.(?:error|fatal|fail)|\bpytest\.|(?:==|!=)"
)
_IS_A_TEST = re.compile(r"(?i)(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|_?tests?\.\w+$")
_IMPORTS = re.compile(
    r"(?:import\b|from\s+\S+\s+import\b|#include\b|use\b|require\s*[('\"]|[\w.]*\s*\"[\w./-]+\"$|[()]$)"
)
_PRINTS = re.compile(
    r"(?:for\b.*[:{]\s*)?(?:print\w*|console\.\w+|log(?:ger|ging)?\.\w+|fmt\.F?Print\w*|e?println!|dbg!|puts|pp|var_dump"
    r"|System\.(?:out|err)\.print\w*|echo|sys\.std(?:out|err)\.write)\b"
)
_ADDRESS = r"/(?:\\.|[^/\\])*/"
_DELETES = re.compile(rf"[\d,$\s{{]*(?:{_ADDRESS}[\s{{N;]*)?d[;}}\s]*", re.DOTALL)
_INSERTS = re.compile(rf"[\d,$\s]*(?:{_ADDRESS}\s*)?(?P<how>[aic])\\?[ \t\n\\]*(?P<text>.*)", re.DOTALL)
_TO_A_FILE = re.compile(r"(?<![\d&>|-])>{1,2}\s*([^\s;|&<>]+)")


class Edit(NamedTuple):
    """What a change does to one file, or to several, line by line."""

    place: str
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    anew: bool = False
    """It is written as a whole: nobody knows what stood there."""


def weakens(change: str, checked: str, said: str) -> bool:
    """Of the arguments of a change and of the call that it made work, and what was said when that had failed."""
    command = command_of(change)[:LONGEST]
    edits = list(_edits(change, command))
    if command and (_is_silencing(command, edits, checked) or _takes_away(command, checked)):
        return True
    if not command and any(
        any(_silences(line, checked) for line in edit.come)
        for edit in edits
        if _is_checked_or_no_document(edit.place, checked)
    ):
        return True
    return any(_weakens(edit, checked, said) for edit in edits)


def only_prints(change: str) -> bool:
    """It lets a program say more, to look at, and changes nothing else."""
    edits = list(_edits(change, command_of(change)[:LONGEST]))
    return bool(edits) and all(
        edit.come and not edit.gone and not edit.anew and all(_PRINTS.match(line) for line in edit.come)
        for edit in edits
    )


def changes_a_test(change: str) -> bool:
    """Whether the test or what it tests was wrong is not told by that."""
    edits = _edits(change, command_of(change)[:LONGEST])
    return any(_IS_A_TEST.search(edit.place) and not edit.anew for edit in edits)


def _signs_for(checked: str) -> re.Pattern[str]:
    """What silences a linter silences no test."""
    command = command_of(checked)[:LONGEST]
    return OF_TESTS if _ONLY_TESTS.search(command) and not _LINTS.search(command) else IN_CODE


def _silences(text: str, checked: str) -> bool:
    """Does what is written there let a check say less? What only makes ready may fail unheard."""
    if _signs_for(checked).search(text):
        return True
    for found in IN_STEPS.finditer(text):
        step = re.split(r"[;&|\n\"']", text[max(0, found.start() - LONGEST_STEP) : found.start()])[-1]
        program = step.strip(" \t@-").partition(" ")[0]
        if not found["or_true"] or program not in _PREPARES:
            return True
    return False


def _is_silencing(command: str, edits: Sequence[Edit], checked: str) -> bool:
    """By what it writes somewhere, or by what it lets go by of the very program that is run later."""
    bare = _WRITTEN.sub(" ", command)
    if _signs_for(checked).search(bare):
        return True
    commands = parse(command).commands
    programs = {simple.program for simple in parse(command_of(checked)[:LONGEST]).commands}
    if any(simple.program in programs and "--no-verify" in simple.args for simple in commands):
        return True
    if edits:
        writes = any(_is_checked_or_no_document(edit.place, checked) for edit in edits)
    else:
        writes = any(simple.program in _WRITERS for simple in commands)
    return writes and any(_silences(found[0], checked) for found in _WRITTEN.finditer(command))


def _is_checked_or_no_document(place: str, checked: str) -> bool:
    return _DOCUMENT.search(place) is None or place.rpartition("/")[2] in _names_in(checked)


def _weakens(edit: Edit, checked: str, said: str) -> bool:
    is_run = edit.place != "" and edit.place.rpartition("/")[2] in _names_in(checked)
    if _asks_less_of(edit, checked, said):
        return True
    if edit.anew:
        return is_run and not (MISSING.search(said) and edit.place.rpartition("/")[2] in said)
    if not is_run and not _IS_A_TEST.search(edit.place):
        return False
    gone = [line for line in edit.gone if not _IMPORTS.match(line)]
    return bool(gone) and (
        not edit.come or (_IS_A_TEST.search(edit.place) is not None and any(map(CHECKS.search, gone)))
    )


def _asks_less_of(edit: Edit, checked: str, said: str) -> bool:
    """The settings of the check are changed so that it lets more go by, or made anew in place of others."""
    command = command_of(checked)[:LONGEST]
    of_checks = SETS_CHECKS.search(edit.place) is not None
    if not (of_checks or MAY_SET_CHECKS.search(edit.place)) or not _CHECKS.search(command):
        return False
    may_fail = any(line.startswith(("-", "@-")) and line.lstrip("@- ") in edit.gone for line in edit.come)
    if may_fail or any(ASKS_LESS.search(line) or LEAVES_OUT.search(line) for line in edit.come):
        return True
    return of_checks and edit.anew and edit.place.rpartition("/")[2] not in said and not _NO_CONFIG.search(said)


def _takes_away(command: str, checked: str) -> bool:
    """Files are removed, or put elsewhere, that the other call works on, or that are tests."""
    names = _names_in(checked)
    for simple in parse(command).commands:
        words = simple.args[1:] if simple.program == "git" and simple.args[:1] == ("rm",) else simple.args
        if simple.program in ("rm", "unlink", "rmdir", "truncate", "mv") or words is not simple.args:
            paths = [word for word in words if not word.startswith("-") and not _CACHE.search(word)]
            parts = [part for path in paths for part in (path, *path.split("/"))]
            if any(part in names or _IS_A_TEST.search(part) for part in parts):
                return True
    return False


def _names_in(arguments: str) -> set[str]:
    """The files and folders that a call works on, by their last names."""
    words = [word for simple in parse(command_of(arguments)).commands for word in simple.args]
    paths = (word.partition(PART)[0].rstrip("/.") for word in words if not word.startswith("-"))
    return {path.rpartition("/")[2] for path in paths if PATH.match(path) or path.isidentifier()} - {""}


# --- what a change does ---


def _edits(change: str, command: str) -> Iterator[Edit]:
    if command:
        yield from _edits_of_command(command)
        return
    given = given_in(change)
    place, old, new = (_first(given, names) for names in (PLACE, OLD, NEW))
    if old or new:
        gone, come = _lines(old), _lines(new)
        yield Edit(place, tuple(_without(gone, come)), tuple(_without(come, gone)))
    elif whole := _first(given, WHOLE):
        yield Edit(place, (), tuple(_lines(whole)), anew=True)
    yield from _edits_of_patch(_first(given, PATCH))


def _edits_of_patch(patch: str) -> Iterator[Edit]:
    place, gone, come = "", list[str](), list[str]()
    lines = [*patch.split("\n"), "*** End"]
    heads = {at for at, line in enumerate(lines[:-1]) if line.startswith("--- ") and _names_another(lines, at)}
    for at, line in enumerate(lines):
        if at in heads:
            continue
        if line.startswith("*** ") or at - 1 in heads:
            if gone or come:
                yield Edit(place, tuple(_without(gone, come)), tuple(_without(come, gone)))
            place, gone, come = line.partition("\t")[0].rpartition(" ")[2], [], []
        elif line[:1] in ("-", "+") and line[1:].strip():
            (gone if line[0] == "-" else come).append(line[1:].strip())


def _names_another(lines: Sequence[str], at: int) -> bool:
    """Two lines name a file at the beginning, or before a part of it: others are a line of two dashes taken out."""
    return lines[at + 1].startswith("+++ ") and (
        at == 0 or any(line.startswith("@@") for line in lines[at + 2 : at + 3])
    )


def _edits_of_command(command: str) -> Iterator[Edit]:
    for simple in parse(command).commands:
        if simple.program == "sed" and any(word.startswith(("-i", "--in-place")) for word in simple.args):
            words = [word for word in simple.args if word and not word.startswith("-")]
            for script, place in zip(words[:1], words[-1:], strict=False):
                yield _edit_of_sed(script, place)
    if written := _TO_A_FILE.search(command):
        yield Edit(written[1].strip("'\""), (), tuple(_lines(command)), anew=">>" not in written[0])


def _edit_of_sed(script: str, place: str) -> Edit:
    if _DELETES.fullmatch(script):
        return Edit(place, gone=(script,))
    if inserted := _INSERTS.match(script):
        lines = tuple(_lines(inserted["text"].replace("\\n", "\n").replace("\\t", "\t")))
        return Edit(place, (script,) * (inserted["how"] == "c"), tuple(line.lstrip("\\ ") for line in lines))
    return Edit(place, (script,), (script,))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _without(lines: list[str], others: list[str]) -> list[str]:
    known = set(others)
    return [line for line in lines if line not in known]


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((given[name][:LONGEST] for name in names if isinstance(given.get(name), str)), "")
