"""What stands behind a complaint: a program that stopped there says no more, and one that says more went on."""

from __future__ import annotations

import re
from math import inf

from warm_tui.reliability.shell import INTERPRETER, QUIET, Script, Simple
from warm_tui.reliability.viewers import is_own_script, written_by

# Programs that make one, which speaks for itself once it is run.
_COMPILERS = frozenset("rustc gcc g++ cc c++ clang clang++ gfortran ghc ocamlc ocamlopt ocamlfind ldc2 dmd".split())
# Those of which each line is out before the next is begun; Perl, Ruby and C keep back what a pipe is to get.
_IN_ORDER = frozenset("cargo rustc go node deno bun php java".split())
# Programs that print one line, whatever they find, and those that pass on as many as they are told to.
ONE_LINE = frozenset("pwd date whoami hostname uname id nproc arch tty basename dirname realpath".split())
_AS_MANY = frozenset({"head", "tail"})
_AS_MANY_UNTOLD = 10
_COUNT = re.compile(r"-{0,2}(?:n|lines=)?(\d+)")


def went_on(behind: str, script: Script, simple: Simple, more: int = 0, *, in_order: bool = False) -> bool:
    """Are there more lines behind it than others can have written? What is indented still belongs to the complaint.

    in_order: what it printed before it complained stands before that, so that words among names of files tell, too.
    """
    at = next((at for at, pipeline in enumerate(script.pipelines) if simple in pipeline), None)
    if at is None:
        return False
    later = script.pipelines[at + 1 :]
    lines = _own_lines(behind)
    if in_order and any(map(_lists_names, later)):
        later = tuple(pipeline for pipeline in later if not _lists_names(pipeline))
        lines = [line for line in lines if " " in line and not line.startswith(_LISTERS)]
    return len(lines) > more + sum(most_lines(pipeline, script) for pipeline in later)


def went_on_after_crash(behind: str, script: Script, simple: Simple) -> bool:
    """The same where it crashed: not a compiler, but what it made and the line then ran."""
    made = [stage for stages in script.pipelines for stage in stages if is_own_script(stage.program, script)]
    of_rust = simple in made and any(each.program == "rustc" for each in script.commands)
    in_order = of_rust or simple.program in _IN_ORDER or INTERPRETER.fullmatch(simple.program) is not None
    spoke = made[-1] if made and simple.program in _COMPILERS else simple
    return went_on(behind, script, spoke, in_order=in_order)


def own_lines(behind: str) -> int:
    return len(_own_lines(behind))


def _own_lines(behind: str) -> list[str]:
    return [line for line in behind.split("\n")[1:] if line and not line[0].isspace()]


def _lists_names(pipeline: tuple[Simple, ...]) -> bool:
    """Nothing but names of files, in which a blank is rare."""
    first, args = pipeline[0].program, pipeline[0].args
    if len(pipeline) > 1:
        return False
    if first == "ls":
        return not any(arg[:1] == "-" and not _SHOWS_MORE.isdisjoint(arg) for arg in args)
    return first == "find" and not any(arg.startswith(("-exec", "-ls", "-printf")) for arg in args)


_LISTERS = ("ls: ", "find: ")
_SHOWS_MORE = frozenset("lsignofZ")


def most_lines(pipeline: tuple[Simple, ...], script: Script) -> float:
    last = pipeline[-1]
    if last.program in ("echo", "printf"):
        return 1 + sum(arg.count("\\n") + arg.count("\n") for arg in last.args)
    if QUIET & {last.program, pipeline[0].program} - {"echo", "printf"} or any(
        shows_what_was_written(stage, script) for stage in pipeline
    ):
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
    shows = simple.program in ("cat", "head", "tail", "less", "sed", "grep")
    return shows and not written_by(script.text).isdisjoint(simple.args)
