"""What stands behind a complaint: a program that stopped there says no more, and one that says more went on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import inf

from warm_tui.reliability.shell import ECHOES, QUIET, SILENT, Script, Simple

# Programs that print one line, whatever they find, and those that pass on as many as they are told to.
ONE_LINE = frozenset("pwd date whoami hostname uname id nproc arch tty basename dirname realpath".split())
_AS_MANY = frozenset({"head", "tail"})
_AS_MANY_UNTOLD = 10
_COUNT = re.compile(r"-{0,2}(?:n|lines=)?(\d{1,9})")


def went_on(behind: str, most: float) -> bool:
    """Are there more lines behind it than others can have written? What is indented still belongs to the complaint."""
    return most != inf and own_lines(behind) > most


def own_lines(behind: str) -> int:
    return sum(bool(line) and not line[0].isspace() for line in behind.split("\n")[1:])


# Each look for another kind of complaint asks for the same line.
@lru_cache(maxsize=8)
def most_lines_behind(script: Script) -> Mapping[Simple, float]:
    """How many lines those behind each command may have written; infinitely many where nobody knows.

    Of one that stands there twice, behind the first. A line may run thousands: they are gone through once, for all.
    """
    most: dict[Simple, float] = {}
    behind: float = 0
    for pipeline in reversed(script.pipelines):
        most.update(dict.fromkeys(pipeline, behind))
        if behind != inf:
            behind += most_lines(pipeline, script)
    return most


@lru_cache(maxsize=8)
def most_lines_up_to(script: Script) -> Mapping[Simple, float]:
    """The same of each command with those before it; of one that stands there twice, up to the first."""
    most: dict[Simple, float] = {}
    upto: float = 0
    for pipeline in script.pipelines:
        if upto != inf:
            upto += most_lines(pipeline, script)
        for simple in pipeline:
            most.setdefault(simple, upto)
    return most


def most_lines(pipeline: tuple[Simple, ...], script: Script) -> float:
    last = pipeline[-1]
    if last.program in ECHOES:
        return 1 + sum(arg.count("\\n") + arg.count("\n") for arg in last.args)
    if last.program in QUIET | SILENT or any(shows_what_was_written(stage, script) for stage in pipeline):
        return 0
    if last.program in ONE_LINE or (len(pipeline) > 1 and last.program in ("wc", "grep") and _counts(last)):
        return 1
    if last.program in _AS_MANY and len(pipeline) > 1:
        return max((int(found[1]) for arg in last.args if (found := _COUNT.fullmatch(arg))), default=_AS_MANY_UNTOLD)
    return inf


def _counts(simple: Simple) -> bool:
    return not {"-l", "-c", "--lines", "--count"}.isdisjoint(simple.args)


def shows_what_was_written(simple: Simple, script: Script) -> bool:
    """Does it show a file that this very line wrote?"""
    return simple.program in ("cat", "head", "tail", "less", "sed", "grep") and any(
        re.search(rf"(?:>|\btee\b)\s*(?:-a )?{re.escape(arg)}(?![\w/.])", script.text)
        for arg in simple.args
        if arg[:1] != "-"
    )
