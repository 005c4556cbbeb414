"""Who tells that work failed, wherever it stands: each looks for one kind of words, in the order of ASKED."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from typing import NamedTuple, TypeAlias

from warm_tui.reliability.aftermath import most_lines
from warm_tui.reliability.complaints import first_complaint
from warm_tui.reliability.exits import own_complaint
from warm_tui.reliability.failed_tests import failed_test_in
from warm_tui.reliability.outcome import Kind
from warm_tui.reliability.reading import Reading
from warm_tui.reliability.shell import INTERPRETER, Simple
from warm_tui.reliability.strangers import complaint_of_a_stranger, says_well
from warm_tui.reliability.tied import told_to_have_failed
from warm_tui.reliability.tracebacks import HEAD
from warm_tui.reliability.uncaught import uncaught_in
from warm_tui.reliability.words import cause_of, one_line


class Sign(NamedTuple):
    """What tells that work failed: the rule that saw it and the words it points at."""

    rule: str
    kind: Kind
    words: str


def told_by_any(text: str, before: str, reading: Reading) -> Sign | None:
    """`before`: the text without what `echo` put behind it."""
    return next(filter(None, (witness(text, before, reading) for witness in ASKED)), None)


def _program_with_rows(text: str, before: str, reading: Reading) -> Sign | None:
    foreseen = [simple.program for simple in reading.script.foreseen]
    complaint = first_complaint(
        reading.script.commands, before, reading.heeds, foreseen, reading.lines_behind, reading.by_choice
    )
    return Sign(complaint[0].name, "exit_code", one_line(cause_of(complaint[1], text))) if complaint else None


def _program_by_its_name(text: str, _before: str, reading: Reading) -> Sign | None:
    own = own_complaint(text, reading.unwatched, reading.script)
    return Sign("own_complaint", "exit_code", one_line(cause_of(own, text))) if own else None


def _runtime(_text: str, before: str, reading: Reading) -> Sign | None:
    uncaught = uncaught_in(before) if reading.runs_unwatched else None
    if uncaught and uncaught[0] not in reading.script.text and reading.ended_by(before[uncaught[1] :]):
        return Sign("uncaught", "exception", one_line(uncaught[0]))
    return None


def _test_runner(_text: str, before: str, reading: Reading) -> Sign | None:
    failed = failed_test_in(before, reading.runs_unwatched)
    return Sign("failed_test", "exit_code", one_line(failed)) if failed is not None and not says_well(before) else None


def _python_cut_off(_text: str, before: str, reading: Reading) -> Sign | None:
    """What a pipe left of a traceback, in a line of which it is known that it can only be the last of its program."""
    if HEAD in before:
        return None
    lines, unwatched = before.split("\n"), frozenset(reading.unwatched)
    for head, *later in reading.script.pipelines:
        if later and later[-1].program == "tail" and head in unwatched and INTERPRETER.fullmatch(head.program):
            own = _last_lines_of((head, *later), lines, reading)
            if raised := next(filter(None, map(_RAISED.fullmatch, own)), None):
                return Sign("exception_line", "exception", one_line(raised[0]))
    return None


# With a package before it or not: nothing that a program would print in passing.
_RAISED = re.compile(r"[A-Za-z_][\w.]{1,120}(?:Error|Exception): (?!\d+(?: \w+)?$).+")


def _last_lines_of(pipeline: tuple[Simple, ...], lines: list[str], reading: Reading) -> list[str]:
    if reading.goes_round:
        return lines if reading.speaks_alone and most_lines(pipeline, reading.script) == 1 else []
    behind, upto = reading.lines_behind(pipeline[0]), reading.lines_up_to(pipeline[0])
    if behind != inf:
        return lines[-int(behind) - 1 : -1]
    # A traceback fills whatever room it has, up to the last line of it.
    return [] if upto in (0, inf) else lines[int(upto) - 1 :][:1]


def _echo(text: str, _before: str, reading: Reading) -> Sign | None:
    told = told_to_have_failed(reading.script, text)
    return Sign("told_by_echo", "exit_code", one_line(told)) if told else None


def _stranger(text: str, _before: str, reading: Reading) -> Sign | None:
    strange = complaint_of_a_stranger(text, reading.script, reading.unwatched)
    return Sign("stranger", "exit_code", one_line(cause_of(strange, text))) if strange else None


Witness: TypeAlias = Callable[[str, str, Reading], Sign | None]
# Those who are known to say nothing else come first.
ASKED: tuple[Witness, ...] = (
    _program_with_rows, _program_by_its_name, _runtime, _test_runner, _python_cut_off, _echo, _stranger,
)  # fmt: skip
