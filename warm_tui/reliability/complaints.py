"""Look for the complaints of the programs that a command line ran."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from warm_tui.reliability.aftermath import went_on
from warm_tui.reliability.complaint import Complaint
from warm_tui.reliability.complaints_of_code import CODE_COMPLAINTS
from warm_tui.reliability.complaints_of_interpreters import INTERPRETER_COMPLAINTS
from warm_tui.reliability.complaints_of_systems import SYSTEM_COMPLAINTS
from warm_tui.reliability.shell import Simple
from warm_tui.reliability.words import counts_none

COMPLAINTS = CODE_COMPLAINTS + INTERPRETER_COMPLAINTS + SYSTEM_COMPLAINTS

_BY_PROGRAM: dict[str, tuple[Complaint, ...]] = {
    program: tuple(row for row in COMPLAINTS if program in row.programs)
    for program in {program for row in COMPLAINTS for program in row.programs}
}


def first_complaint(
    ran: Iterable[Simple],
    text: str,
    counts: Callable[[Complaint, Simple], bool],
    foreseen: Sequence[str] = (),
    lines_behind: Callable[[Simple], float] = lambda _simple: inf,
    by_choice: Callable[[str, int], bool] = lambda _text, _begins: False,
) -> tuple[Complaint, str] | None:
    """The complaint of one of these commands, with its words, if the row `counts` for that command.

    foreseen: the programs that were allowed to fail once; after that, only last words count.
    lines_behind: as many lines at most may others have written behind what a command said last.
    by_choice: was what begins there printed by a program that went on? Asked of last words only.
    """
    whole = f"\n{text}"
    for simple in dict.fromkeys(ran):
        for program in names_of(simple):
            for row in _BY_PROGRAM.get(program, ()):
                heard = f"\n{_last_block(text)}" if program in foreseen else whole
                if not (row.pattern.search(heard) and counts(row, simple)):
                    continue
                most = lines_behind(simple) if row.last_words or _tries_again(simple) else inf
                for match in _in_lines(row.pattern, heard):
                    begins = match.start() + 1
                    if went_on(heard[match.end() :], most) or (row.last_words and by_choice(heard, begins)):
                        continue
                    if words := _words_of(match, program):
                        return row, words
    return None


def _tries_again(simple: Simple) -> bool:
    """Was it told to, so that it complains of each time, and may have come through after?"""
    return any(arg.startswith(("--retry", "--retries", "--tries")) for arg in simple.args)


def _words_of(match: re.Match[str], program: str) -> str | None:
    """What it says; where a row is of many programs that begin with their names, in its own name."""
    named = match.groupdict()
    if named.get("who") in (None, program) and not counts_none(match[0]):
        return named.get("why") or match[0][1:]
    return None


def _in_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """As `finditer` does, but the break that one ends with may be what the next begins with."""
    at = 0
    while match := pattern.search(text, at):
        yield match
        at = max(match.start() + 1, match.end() - 1)


def _last_block(text: str) -> str:
    """The last line that is not indented, with what is below it."""
    lines = text.split("\n")
    at = next((at for at in range(len(lines) - 1, -1, -1) if lines[at][:1].strip()), 0)
    return "\n".join(lines[at:])


def whose_words(line: str, ran: Iterable[Simple]) -> Simple | None:
    """The one of these commands that complains in this way."""
    for simple in ran:
        rows = (row for program in names_of(simple) for row in _BY_PROGRAM.get(program, ()))
        if any(row.pattern.match(f"\n{line}") for row in rows):
            return simple
    return None


def has_rows(program: str) -> bool:
    return program in _BY_PROGRAM


def names_of(simple: Simple) -> tuple[str, ...]:
    """The program, and the one it starts for its own purpose."""
    if simple.program in ("xargs", "npx", "bundle") and simple.args:
        return simple.program, simple.args[0].rsplit("/", 1)[-1]
    return (simple.program,)
