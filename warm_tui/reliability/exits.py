"""Non-zero exit codes that answer a question: `grep` found nothing, `diff` found a difference.

A table of programs, and the reading that goes with it: behind `&&` any command may have given the code,
and a program that complains has failed whatever its code may mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from warm_tui.reliability.aftermath import most_lines_behind, went_on
from warm_tui.reliability.complaints import first_complaint, has_rows
from warm_tui.reliability.echoes import is_echoed
from warm_tui.reliability.elsewhere import command_there
from warm_tui.reliability.evidence import Evidence
from warm_tui.reliability.linters import findings_of, linter_in
from warm_tui.reliability.shell import QUIET, SILENT, Script, Simple, script_of
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.viewers import is_viewer
from warm_tui.reliability.words import command_of


class BenignExit(NamedTuple):
    """These programs may exit with these codes, if called with one word of each group."""

    programs: frozenset[str]
    codes: frozenset[int]
    means: str
    words: tuple[frozenset[str], ...]
    silent: bool  # only when it printed nothing
    example: str


def _benign(
    programs: str, codes: set[int], means: str, *, example: str, words: tuple[str, ...] = (), silent: bool = False
) -> BenignExit:
    groups = tuple(frozenset(group.split()) for group in words)
    return BenignExit(frozenset(programs.split()), frozenset(codes), means, groups, silent, example)


BENIGN_EXITS: tuple[BenignExit, ...] = (
    _benign("grep egrep fgrep zgrep bzgrep xzgrep rg ag ack ugrep", {1}, "nothing matched",
            example="grep -rn nothing src"),
    _benign("pgrep pidof lsof fuser", {1}, "nothing found", silent=True, example="pgrep nginx"),
    _benign("diff cmp colordiff sdiff diff3 zdiff zcmp icdiff difft", {1}, "they differ", example="diff a b"),
    _benign("wdiff dwdiff", {1}, "they differ", example="wdiff a b"),
    _benign("dpkg", {1}, "the condition is false", example="dpkg --compare-versions 1.0 gt 2.0",
            words=("--compare-versions",)),
    _benign("getent", {2}, "not found", silent=True, example="getent group frobs"),
    _benign("make gmake", {1}, "not up to date", words=("-q --question",), silent=True, example="make -q all"),
    _benign("test [ [[", {1}, "the condition is false", example="[ -d /nowhere ]"),
    _benign("expr let", {1}, "the value is zero or empty", example="expr 1 - 1"),
    _benign("git", {1}, "they differ", example="git diff --exit-code",
            words=("diff diff-index diff-files diff-tree", "--exit-code --quiet --no-index")),
    _benign("git", {1}, "nothing matched", words=("grep",), example="git grep nothing"),
    _benign("git", {1}, "it is no ancestor", words=("merge-base", "--is-ancestor"),
            example="git merge-base --is-ancestor a b"),
    _benign("git", {1}, "not set, or not there", silent=True, example="git config --get user.email",
            words=("config show-ref check-ignore rev-parse symbolic-ref ls-files",)),
    _benign("systemctl service", {1, 3, 4}, "not active", example="systemctl is-active nginx",
            words=("is-active is-enabled is-failed status",)),
    _benign("npm pnpm yarn", {1}, "some are outdated", words=("outdated",), example="npm outdated"),
    _benign("terraform tofu", {3}, "not formatted", words=("fmt", "-check --check"), example="terraform fmt -check"),
    _benign("prettier", {1}, "not formatted", words=("--check -c --list-different -l",), example="prettier --check a"),
    _benign("cargo", {1}, "not formatted", words=("fmt", "--check"), example="cargo fmt --check"),
    _benign("jq", {1, 4}, "false, null or nothing", words=("-e --exit-status",), example="jq -e .a f.json"),
)  # fmt: skip

_BY_PROGRAM = {
    program: tuple(row for row in BENIGN_EXITS if program in row.programs)
    for program in {program for row in BENIGN_EXITS for program in row.programs}
}

# Programs that say so when they fail, as linters do: silence means that another gave the code.
SAY_SO = QUIET | frozenset(
    "mkdir cp mv rm touch ln chmod chown source . pushd popd cat head tail ls sed sort uniq wc tee find".split()
)
_XARGS_INNER_FAILED = 123

_ERRNO = (
    r"(?:No such (?:file or directory|device|process)|Permission denied|Is a directory|Not a directory|File exists"
    r"|Directory not empty|[Cc]ommand not found|not found|Operation not permitted|Too many open files"
    r"|Read-only file system|No space left on device|Connection refused|Device or resource busy"
    r"|Bad file descriptor|[Ss]yntax error\b.*|unexpected (?:EOF|end of file)\b.*|unbound variable"
    r"|ambiguous redirect|bad substitution|event not found|cannot execute\b.*|Exec format error"
    r"|Argument list too long|(?:value too great for base|division by 0) \(error token.*)"
)
_REFUSAL = (
    r"(?:cannot|can't|could not|couldn't|unable to|unrecognized|invalid|unknown|illegal|No module named|Unmatched"
    r"|[Ff]ailed to|no such)\b.*"
)
# `bash: line 1:  3008 Aborted                 ./crash`: only a shell that waits for more commands says so.
_KILLED = re.compile(
    r"(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?\d+: +\d+ (?:Aborted|Segmentation fault|Killed|Bus error|Illegal instruction"
    r"|Floating point exception|Trace/breakpoint trap|Terminated)\b.*"
)
COMPLAINT = re.compile(
    rf"(?P<who>[\w./+-]+): {{1,8}}(?!warning\b)(?:(?:line )?\d+: )?(?:.*: )?(?:{_ERRNO}\.?|{_REFUSAL})\Z"
)
# This shell names the command behind what is wrong with it.
ZSH_COMPLAINT = re.compile(
    r"(?:zsh|\(eval\)):(?:\d{1,9}:)? (?:command not found|no matches found|no such file or directory"
    r"|permission denied|bad substitution|event not found): \S.*"
)
_HOSTS = re.compile(r"-?(?:ba|z|da|k)?sh|python[\d.]*|env|sudo|xargs|nohup|timeout|node|perl|ruby")


# A shell that finds no file for a pattern does not even start the command.
NO_FILES = re.compile(r"(?m)^(?:zsh|\(eval\)):(?:\d{1,9}:)? no matches found: \S")
TRACEBACK = re.compile(r"(?m)^Traceback \(most recent call last\)")


def _is_of_another_line(complaint: str, script: Script) -> bool:
    """`foo: command not found`, where only files are shown, and no `foo` is named: so it stands in one of them."""
    said, _, missed = complaint.rpartition(": ")
    if missed != "command not found" or said.rpartition(" ")[2] in script.text:
        return False
    return all(simple.program in QUIET | SILENT or is_viewer(simple) for simple in script.commands)


def benign_exit(e: Evidence, arguments: str) -> str | None:
    """What a non-zero exit code answers; None where it is a failure."""
    return None if e.error or not e.code else answer_of(e, parse(command_of(arguments)))


def answer_of(e: Evidence, script: Script) -> str | None:
    code = e.code
    words = _answer(script, code, e) if code else None
    if words is None:
        return None
    output = e.words_of(4000)
    return None if output and has_complaint(output, script) else words


def _answer(script: Script, code: int, e: Evidence) -> str | None:
    """Benign, if each command that may have given the code is, or would have said so."""
    answer = None
    for simple in script.last_run():
        row = _row_for(simple, code)
        if row is not None and not (row.silent and e.words_of(100).strip()):
            answer = answer or f"exit code {code} of {simple.program}: {row.means}"
        elif findings := findings_of(simple, code, e):
            answer = answer or findings
        elif simple.program not in SAY_SO and linter_in(simple) is None:
            return None
    return answer


def _row_for(simple: Simple, code: int) -> BenignExit | None:
    program, args = simple.program, simple.args
    if program == "xargs" and args:
        code = 1 if code == _XARGS_INNER_FAILED else code
        program, args = args[0], args[1:]
    for row in _BY_PROGRAM.get(program, ()):
        if code in row.codes and not any(group.isdisjoint(args) for group in row.words):
            return row
    return None


def has_complaint(output: str, script: Script) -> bool:
    """Does any line of the output say that one of the programs could not do its work?"""
    if TRACEBACK.search(output) or NO_FILES.search(output):
        return True
    if first_complaint(script.last_run(), output, lambda _row, _simple: True):
        return True
    matches = (COMPLAINT.match(line) for line in output.split("\n") if ": " in line)
    return any(match is not None and speaks_here(match, script) for match in matches)


def own_complaint(output: str, ran: Sequence[Simple], script: Script) -> str | None:
    """What a command without a row of its own says in the way of all programs, or the shell or interpreter for it."""
    unlisted = [simple for simple in dict.fromkeys(ran) if not has_rows(simple.program)]
    lines = output.split("\n") if ran else []
    most = most_lines_behind(script) if any(map(script_of, unlisted)) else {}
    for at, line in enumerate(lines):
        if ": " not in line:
            continue
        if _KILLED.match(line):
            return line
        match = COMPLAINT.match(line) if unlisted else None
        if match and not is_echoed(line, script):
            behind = "\n".join(lines[at:])
            if any(_speaks_for(match, simple) and not _went_on(simple, behind, most) for simple in unlisted):
                return line
    return None


def _went_on(simple: Simple, behind: str, most: Mapping[Simple, float]) -> bool:
    """A script goes on after what failed in it."""
    return script_of(simple) != "" and went_on(behind, most.get(simple, inf))


def _speaks_for(match: re.Match[str], simple: Simple) -> bool:
    speaker = match["who"].rsplit("/", 1)[-1]
    if speaker == simple.program or any(speaker == arg.rsplit("/", 1)[-1] for arg in simple.args):
        return True
    return _HOSTS.fullmatch(speaker) is not None and any(word in match[0] for word in (simple.program, *simple.args))


def speaks_here(match: re.Match[str], script: Script, _above: str = "") -> bool:
    """The line begins with the name of a program of this very command, or of the shell that runs it."""
    if is_echoed(match[0], script):
        return False
    speaker = match["who"].rsplit("/", 1)[-1]
    if script.names(speaker):
        return True
    if _HOSTS.fullmatch(speaker):
        return not _is_of_another_line(match[0], script)
    return any(parse(words).names(speaker) for words in map(command_there, script.commands) if words)
