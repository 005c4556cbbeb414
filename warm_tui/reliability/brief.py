"""What a program says when it says hardly anything else: a sentence that it could not do its work, or how it is called.

By itself such a sentence proves little, since programs that work print sentences, too. It counts where it is nearly all
that was said and the last of it, and where the program is none that shows what others wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from warm_tui.reliability.aftermath import most_lines_behind, own_lines, went_on
from warm_tui.reliability.shell import Script, Simple
from warm_tui.reliability.viewers import is_own_script

BRIEF = 3
"""So many lines of a program at most, with the sentence the last of them."""


class Phrase(NamedTuple):
    """How it is said that something could not be done, whatever the program and the thing."""

    pattern: str
    example: str


PHRASES: tuple[Phrase, ...] = (
    Phrase(r"\b[Cc]an(?:not|'t)\b", "the store cannot be opened"),
    Phrase(r"\b[Cc]ould(?: not|n't)\b", "the host could not be resolved"),
    Phrase(r"\b[Uu]nable to\b", "unable to lock the store"),
    Phrase(r"\b[Ff]ailed to\b", "failed to open output file: File exists"),
    Phrase(r"\b\w+ failed(?: with| due| because|\s*[(:])", "connect: Connection to a failed (Error 7)"),
    Phrase(r"\b(?:[Nn]ot |[Uu]n)recogni[sz]ed\b", "Format: nope not recognized. Use one of: a b"),
    Phrase(r"\b(?:not found|denied|refused|not installed|not within|be reached)\b", "you are not within a tree"),
    Phrase(r"\bis not (?:an? |in |the |supported|valid|known|defined|available|there)", "a.pdf is not a picture"),
    Phrase(r"\bis (?:invalid|missing|unknown)\b", "The configuration is invalid:"),
    Phrase(r"\b(?:does|do|did) ?n[o']t (?:exist|match|have|know|appear|look|understand|support)\b", "a does not exist"),
    Phrase(r"\b(?:[Uu]navailable|[Tt]imed out|unreachable|mismatch)\b", "File a.bc is unavailable."),
    Phrase(r"\b[Uu]nexpected \w+|\b[Pp]remature\b", "found an unexpected char"),
    Phrase(r"\brequires? an? |\bout of range\b|\b[Tt]oo (?:few|many)\b", "option requires an argument"),
    Phrase(r"\b[Nn]o such\b|\bnot in an? ", "No such table"),
    Phrase(r"\bno \w+(?: \w+)? (?:specified|given|entry|called)\b", "no plan specified"),
    Phrase(r"(?:^|: )(?i:invalid|unknown|illegal|bad|wrong) \w", "bad magic number"),
)  # fmt: skip
_PHRASE = re.compile("|".join(row.pattern for row in PHRASES))
_USAGE = re.compile(r"(?m)^\W{0,3}(?:usage|Usage|USAGE): *\S.*$")
_ASKED_FOR_HELP = frozenset({"--help", "-h", "-help", "help", "-?", "--usage", "--version", "-V"})
# Rows of a table, and what opens like data or markup.
_IN_COLUMNS = re.compile(r"\S {2,}\S|\t|\|")
_OPENS_DATA = frozenset('{<"')

# Programs that run what somebody wrote, which prints by choice what it caught.
INTERPRETERS = frozenset(
    "swipl guile csi sbcl clisp ecl racket gforth gp poly polyc chezscheme scheme pil picolisp newlisp groovy clojure"
    " clj coffee crystal nim zig python-zig ziglang escript jshell scala kotlin julia octave m4 mono dart deno bun"
    " raku ocamlrun runghc runhaskell janet fennel bb jruby dotnet ldc2 rdmd gst".split()
)


def says_it_could_not(line: str) -> bool:
    return _PHRASE.search(line) is not None


def is_brief(output: str, line: str, script: Script, ran: Iterable[Simple]) -> bool:
    """Is this line nearly all that these programs said, and the last of it?"""
    if line[:1].isspace() or line[:1] in _OPENS_DATA or line.strip() in script.text or _IN_COLUMNS.search(line):
        return False
    ends = output.rfind(line) + len(line)
    if own_lines(f"\n{output[:ends]}") > BRIEF or any(_runs_own(each, script) for each in script.commands):
        return False
    most = most_lines_behind(script)
    return not any(
        each.program in INTERPRETERS
        or not _ASKED_FOR_HELP.isdisjoint(each.args)
        or went_on(output[ends:], most.get(each, inf))
        for each in ran
    )


_RUNTIMES = frozenset("java node ruby perl php lua deno bun".split())


def _runs_own(simple: Simple, script: Script) -> bool:
    """What somebody wrote prints what it likes."""
    return simple.program in _RUNTIMES or is_own_script(simple.program, script)


def shown_usage(output: str, ran: Iterable[Simple]) -> str | None:
    """How it is called, which it tells those who called it wrongly, where nobody asked."""
    if any(each.args and _ASKED_FOR_HELP.isdisjoint(each.args) for each in ran) and (usage := _USAGE.search(output)):
        return usage[0].strip()
    return None
