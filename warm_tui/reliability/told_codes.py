"""Exit codes that a command line tells itself: `...; echo "rc=$?"`, `echo "${PIPESTATUS[0]}"`, `rc=$?; echo $rc`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from warm_tui.reliability.aftermath import ONE_LINE
from warm_tui.reliability.echoes import VARIABLE
from warm_tui.reliability.linters import linter_in
from warm_tui.reliability.shell import ECHOES, QUIET, SILENT, Script, Simple, said_by
from warm_tui.reliability.viewers import is_viewer

_LAST = r"\$\?"
_OF_A_PIPE = r"\$\{PIPESTATUS\[(?P<stage>\d)\]\}|\$\{?pipestatus\[(?P<stage_of_zsh>\d)\]\}?"
_CODE = re.compile(rf"(?:{_LAST}|\$\{{\?\}}|{_OF_A_PIPE}|\$\{{?(?P<name>[A-Za-z_]\w*)\}}?)")
_KEPT = re.compile(f"{_LAST}|{_OF_A_PIPE}")
CLOSED_PIPE, ENDED = 141, (130, 137, 143)
MOST = 50
"""So many of the last that tell one are read: a line may hold thousands."""


def tells_codes(arguments: str) -> bool:
    return "$?" in arguments or "PIPESTATUS" in arguments or "pipestatus" in arguments


class ToldCode(NamedTuple):
    code: int
    line: re.Match[str]
    """How it was told."""
    whose: Script
    """The line before it, or of a pipe that ends that line the one stage."""
    line_before: Script
    at_the_end: bool
    """Does no program stand behind it?"""
    spoken_behind: tuple[str | None, ...]
    """The words of each `echo` behind it, the last first."""


# `! make; echo $?`
_TURNED = re.compile(r"(?:^|[;&|\n(])[ \t]*! ")


def was_meant(told: ToldCode) -> bool:
    """`exit 3`, a pipe that another closed, a process that the line itself ended, findings that a pipe cut off."""
    run = told.whose.last_run()
    if told.code == CLOSED_PIPE or _TURNED.search(told.whose.text) or all(simple.program == "exit" for simple in run):
        return True
    if run and run[0].program == "wait":
        return told.code in ENDED and any(simple.program == "kill" for simple in told.whose.commands)
    found = [linter for simple in run if (linter := linter_in(simple))]
    return len(found) == len(run) and all(told.code in linter.codes for linter in found)


class _Echo(NamedTuple):
    at: int
    words: re.Pattern[str]
    whose: Script
    line_before: Script
    says_more: bool
    """Beside the code, so that a number in a file is none."""


def codes_told(script: Script, text: str, *, whole: bool) -> Iterator[ToldCode]:
    """Those behind which nothing else is done, the last first: what shows a file may follow, or other words.

    `whole`: is the text all that was printed, so that no line may stand in another's place?
    """
    alone = [at for at, stages in enumerate(script.pipelines) if len(stages) == 1 and stages[0].program in ECHOES]
    echoes = {at: echo for at in alone[-MOST:] if (echo := _echo(at, script.pipelines[at][0], script))}
    lines = {words: list(words.finditer(text)) for words in {echo.words for echo in echoes.values()}}
    at_the_end = True
    for at in range(len(script.pipelines) - 1, -1, -1):
        head, *later = script.pipelines[at]
        if echo := echoes.get(at):
            if (whole or at_the_end) and (line := _line_of(echo, echoes, lines[echo.words], script, at_the_end)):
                behind = script._replace(pipelines=script.pipelines[at + 1 :], joints=script.joints[at + 1 :])
                yield ToldCode(int(line[1]), line, echo.whose, echo.line_before, at_the_end, tuple(behind.spoken_last))
        elif head.program not in QUIET | SILENT | ONE_LINE and not is_viewer(head):
            return
        at_the_end = at_the_end and head.program in QUIET and not later


def _line_of(
    echo: _Echo, echoes: Mapping[int, _Echo], lines: list[re.Match[str]], script: Script, at_the_end: bool
) -> re.Match[str] | None:
    """Of each `echo` in turn where as many lines read so; else the last line, or the one that all agree with."""
    alike = [other.at for other in echoes.values() if other.words == echo.words]
    if script.goes_round:
        if lines and any(head.program == "break" for head, *_ in script.pipelines):
            return lines[-1]
        return next((line for line in lines if int(line[1])), lines[-1] if lines else None)
    if len(lines) == len(alike):
        return lines[alike.index(echo.at)]
    if at_the_end and lines:
        return lines[-1]
    agree = echo.says_more and len(alike) == 1 and len({int(line[1]) for line in lines}) == 1
    return lines[0] if agree else None


def _echo(at: int, head: Simple, script: Script) -> _Echo | None:
    words = said_by(head).replace("'", "").replace('"', "")
    if head.program == "printf":
        words = _FORMAT.sub(r"\g<before>\g<value>\g<after>", words)
    words = words.removeprefix("\\n").removesuffix("\\n").strip()
    codes = [found for found in _CODE.finditer(words) if not found["name"] or _kept_in(found["name"], at, script)]
    if len(codes) != 1 or not (whose := _whose(codes[0], at, script)) or "<(" in whose[0].text:
        return None
    parts = [VARIABLE.sub(_HOLE, part) for part in (words[: codes[0].start()], words[codes[0].end() :])]
    if sum(part.count(_HOLE) for part in parts) > MOST_VARIABLES or any("$" in part or "`" in part for part in parts):
        return None
    before, after = (re.escape(part).replace(_HOLE, r"\S{0,80}") for part in parts)
    return _Echo(at, re.compile(rf"(?m)^{before}([0-9]{{1,3}}){after}[ \t]*$"), *whose, bool(before))


_FORMAT = re.compile(r"^(?P<before>[^%]*)%[ds](?P<after>[^%]*) (?P<value>\$\S+)$")
# No letter of any line.
_HOLE = "\0"
MOST_VARIABLES = 2


def _kept_in(name: str, at: int, script: Script) -> tuple[int, re.Match[str]] | None:
    """Where the last value that it was given before is a code; and how that is told."""
    last = next((kept for kept in reversed(script.kept) if kept.name == name and kept.at <= at), None)
    told = _KEPT.fullmatch(last.value) if last else None
    return (last.at, told) if last and told else None


def _whose(code: re.Match[str], at: int, script: Script) -> tuple[Script, Script] | None:
    """The line before it, or of a pipe one of its stages; and the whole line before it."""
    stage = code
    if name := code["name"]:
        kept = _kept_in(name, at, script)
        if kept is None:
            return None
        at, stage = kept
    before = script._replace(pipelines=script.pipelines[:at], joints=(*script.joints[: at - 1], "")) if at else None
    which = _stage(stage)
    if before is None or which is None:
        return (before, before) if before else None
    *earlier, last = before.pipelines
    return (before._replace(pipelines=(*earlier, (last[which],))), before) if 0 <= which < len(last) else None


def _stage(code: re.Match[str]) -> int | None:
    if stage := code["stage"]:
        return int(stage)
    return int(code["stage_of_zsh"]) - 1 if code["stage_of_zsh"] else None
