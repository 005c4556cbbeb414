"""Did nobody catch it? A traceback that ended its program, told apart from one that a program printed and went on."""

from __future__ import annotations

import re

from warm_tui.reliability.linters import linter_in
from warm_tui.reliability.shell import QUIET, Script, Simple
from warm_tui.reliability.viewers import VIEWERS

HEAD = "Traceback (most recent call last):\n"
_FROM_THE_TOP = re.compile(
    r"Traceback \(most recent call last\):\n"
    r'  File "(?P<file>[^"\n]*)", line \d+, in (?:<module>|_run_module_as_main)(?:\n|\Z)'
)
# As `logging` writes a record, of which the traceback is then a part.
_RECORD = re.compile(
    r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:"
    r"|\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z-]{5,20}\]?(?: [-|]?)? ?\S{0,60}?[\s|:[-]*\b(?:WARNING|ERROR|CRITICAL)\b"
)
# What Python itself writes between a traceback and the one that came of it.
_CHAINED = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_OVER_WORDS = r"recovered|rescued|(?:caught|handled)(?!:)|(?:went|going|carried|carrying) on"
_DEALT_WITH = re.compile(
    rf"(?i)(?<!not )(?<!n't )\b(?:{_OVER_WORDS}|skipp(?:ed|ing)|ignor(?:ed|ing)|left out|continuing|fell back"
    r"|falling back)\b"
)
# Of a traceback that was raised next that is no word: a row that was skipped on the way, a default that was fallen
# back to. A record's own line is about what stands below it.
_OVER = re.compile(
    rf"(?i:(?<!not )(?<!n't )\b(?:{_OVER_WORDS})\b)|(?:WARNING|ERROR|CRITICAL): [^:\n]{{0,80}}\b(?:skipped|ignored)\b"
)
# `recovered 2 rows` is what its work is.
_WAS_OVER = re.compile(
    r"(?i)(?<!not )(?<!n't )\b(?:recovered|rescued|(?:caught|handled)(?!:)|(?:went|carried) on)\b(?! (?:\d|with |SIG))"
)
_TROUBLE = re.compile("(?i)error|exception|traceback|fail")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
_WITH_A_VALUE = frozenset(("-W", "-X", "--check-hash-based-pycs"))
_UNREADABLE = frozenset("$*?{`")


def is_dealt_with(text: str, begins: int, script: Script) -> bool:
    """Does the line above tell that what went wrong did no harm, and stands no other trouble above, of which it may?

    Not where the command line itself says so: `frob || echo 'going on'`.
    """
    return _heading_says(_DEALT_WITH, text[:begins], script)


def was_over(before: str, script: Script) -> bool:
    """Does what stands above the words of a later command tell so?

    Where those stand above a complaint, standard error was put behind all the rest.
    """
    above, _, heading = before.rstrip().rpartition("\n")
    return _is_of_a_later_command(heading.strip(), script) and _says(_WAS_OVER, above, script)


def _heading_says(words: re.Pattern[str], before: str, script: Script) -> bool:
    return _says(words, before, script) or was_over(before, script)


def _says(words: re.Pattern[str], before: str, script: Script) -> bool:
    above, _, heading = before.rstrip().rpartition("\n")
    return words.search(heading) is not None and not _TROUBLE.search(above) and heading.strip() not in script.text


def _is_of_a_later_command(line: str, script: Script) -> bool:
    said = next((words for words in script.spoken_last if words), None)
    if said is not None or not line:
        return said is not None and line == said.strip()
    last = script.pipelines[-1][-1] if len(script.pipelines) > 1 else None
    return last is not None and (
        (last.program == "pwd" and line[0] == "/") or (last.program == "wc" and line.isdigit())
    )


def nobody_caught(text: str, begins: int, script: Script) -> bool:
    """Does it begin at the top of the program that ran, and was it not printed by one that went on?"""
    return _FROM_THE_TOP.match(text, begins) is not None and not printed_by_choice(text, begins, script)


def printed_by_choice(text: str, begins: int, script: Script) -> bool:
    """Does what stands above head it or say that it is over, or is it the traceback of what did not run here?"""
    heading = text[:begins].rstrip().rpartition("\n")[2]
    if heading in _CHAINED:
        first = text.rfind(HEAD, 0, begins)
        return first >= 0 and printed_by_choice(text, first, script)
    if heading.endswith(":") or _RECORD.match(heading) or _heading_says(_OVER, text[:begins], script):
        return True
    top = _FROM_THE_TOP.match(text, begins)
    return top is not None and not _may_be_of(top["file"], script)


def _may_be_of(file: str, script: Script) -> bool:
    """Is it a file that this line ran, as far as one can tell? Python begins a traceback with what it was given."""
    name = file.rsplit("/", 1)[-1]
    ran = [simple for simple in script.commands if not _says_nothing_of_python(simple)]
    if name[:1] == "<" and name != "<stdin>":
        return True
    given = [_given(simple) for simple in ran]
    return name == "__main__.py" or None in given or name in given


def _says_nothing_of_python(simple: Simple) -> bool:
    return simple.program in QUIET or simple.program in VIEWERS or linter_in(simple) is not None


def _given(simple: Simple) -> str | None:
    """What a Python was given to run, as it stands in a traceback; None where that is not known."""
    if not _PYTHON.fullmatch(simple.program) or "-m" in simple.args:
        return None
    options = iter(simple.args)
    for arg in options:
        if arg in _WITH_A_VALUE:
            next(options, None)
        elif arg == "-" or not arg.startswith("-"):
            return None if not _UNREADABLE.isdisjoint(arg) else "<stdin>" if arg == "-" else arg.rsplit("/", 1)[-1]
        elif arg.startswith("-c") or arg.endswith("c"):
            return "<string>"
    return "<stdin>"
