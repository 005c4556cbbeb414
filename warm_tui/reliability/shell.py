"""What a command line is to a verdict: its programs, the pipes between them, and what ends it.

`shell_reader.py` reads one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Commands that say nothing of their own, or only what they are told to say.
QUIET = frozenset({"echo", "printf", "true", "false", ":", "exit", "cd", "export", "set", "sleep", "wait"})
ECHOES = frozenset({"echo", "printf"})
# Those that say something only where they fail.
SILENT = frozenset("rm rmdir mkdir cp mv touch ln chmod chown kill unset deactivate".split())
# Commands that write on what they read, the last of it in any case.
PASS_ON = frozenset({"cat", "tail", "tee"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
# Words by which a round of a loop is left.
LEAVES_A_ROUND = frozenset({"continue", "break", "exit", "return"})
LOOPS = frozenset({"for", "select"})
# What says nothing where it ends well.
SAYS_NOTHING = QUIET | SILENT | LEAVES_A_ROUND
# Those that run Python, and end it with a traceback where nobody caught what was raised.
INTERPRETER = re.compile(r"(?:python|pypy|ipython)[\d.]*|hy|xonsh")


LINE_CUTTERS = frozenset("tail head grep egrep rg sed awk gawk cut uniq sort".split())
SCREEN = 15


class Simple(NamedTuple):
    """One simple command: the program by its bare name, and its words."""

    program: str
    args: tuple[str, ...]
    is_hushed: bool = False
    """Both its streams go where nobody reads them."""
    is_awaited: bool = False
    """A loop asks it again until it ends well: `until ...; do`, `while ! ...; do`; or until it is gone."""


def said_by(echo: Simple) -> str:
    """The words of an `echo`, as they stand in the line."""
    return " ".join(arg for arg in echo.args if arg not in ("-e", "-n", "-ne", "-en")).strip()


class Kept(NamedTuple):
    """What a name was given, and how many pipelines stand before that."""

    name: str
    value: str
    at: int


class Script(NamedTuple):
    """A command line: its pipelines in order, and what stands behind each (`;`, `&&`, `||`, ...)."""

    pipelines: tuple[tuple[Simple, ...], ...]
    joints: tuple[str, ...]
    text: str
    substituted: tuple[Simple, ...] = ()
    """What ran inside `$(...)`, or once for each that `find` found: nobody sees with which code it ended."""
    kept: tuple[Kept, ...] = ()

    @property
    def source(self) -> int | None:
        """Which pipeline's words end the output: the last that has any to say."""
        for at in range(len(self.pipelines) - 1, -1, -1):
            if self.pipelines[at][0].program not in SAYS_NOTHING:
                return at
        return None

    @property
    def spoke_last(self) -> tuple[Simple, ...]:
        """The pipeline whose words end the output."""
        at = self.source
        return () if at is None else self.pipelines[at]

    def possible_sources(self) -> list[Simple]:
        """The commands that may have had the last word when `&&` may have stopped short of the end."""
        at = self.source
        if at is None:
            return []
        heads = [_speaker(self.pipelines[at])]
        while at > 0 and self.joints[at - 1] == "&&":
            at -= 1
            if self.pipelines[at][0].program not in QUIET:
                heads.append(_speaker(self.pipelines[at]))
        return heads

    @property
    def hides_exit_code(self) -> bool:
        """Can the command that had the last word have failed without the exit code telling?"""
        at = self.source
        if at is None:
            return "$(" in self.text or "`" in self.text
        if len(self.pipelines[at]) > 1 and "pipefail" not in self.text:
            return True
        return any(joint != "&&" for joint in self.joints[at:-1]) or self.joints[-1] == "&"

    @property
    def commands(self) -> list[Simple]:
        return [simple for pipeline in self.pipelines for simple in pipeline] + list(self.substituted)

    @property
    def unwatched(self) -> list[Simple]:
        """The commands that can have failed without the exit code of the line telling."""
        if any(simple.program in LOOPS for simple in self.commands) or (
            self.goes_round and _ENDS_A_LOOP.search(self.text)
        ):
            return self.commands
        stops_at_failure = any(
            simple.program == "set" and any(arg.startswith("-") and "e" in arg for arg in simple.args)
            for simple in self.commands
        )
        unwatched: list[Simple] = list(self.substituted)
        tells = self.joints[-1:] != ("&",)
        for at in range(len(self.pipelines) - 1, -1, -1):
            joint = self.joints[at]
            if at < len(self.pipelines) - 1 and joint != "&&":
                tells = tells and stops_at_failure and joint in (";", "\n", ")")
            stages = self.pipelines[at]
            if not tells:
                unwatched.extend(stages)
            elif "pipefail" not in self.text:
                unwatched.extend(stages[:-1])
        return unwatched

    @property
    def spoken_last(self) -> list[str | None]:
        """The lines that `echo` put behind all else, the last first; None for one whose words are not known."""
        lines: list[str | None] = []
        for pipeline in reversed(self.pipelines):
            echo = pipeline[0]
            if echo.program not in QUIET or any(later.program not in PASS_ON for later in pipeline[1:]):
                break
            if echo.program in ECHOES:
                words = said_by(echo)
                lines.append(None if any(sign in words for sign in "$`\\%*") else words)
        return lines

    @property
    def foreseen(self) -> list[Simple]:
        """What stands before `||` and other work: that it may fail is why the other stands there."""
        return [simple for simple, _ in self.foreseen_with_the_next]

    @property
    def foreseen_with_the_next(self) -> list[tuple[Simple, Simple]]:
        return [
            (simple, self.pipelines[at + 1][-1])
            for at in range(len(self.pipelines) - 1)
            if self.joints[at] == "||" and self.pipelines[at + 1][0].program not in QUIET | LEAVES_A_ROUND
            for simple in self.pipelines[at]
        ]

    @property
    def goes_round(self) -> bool:
        """Does a loop run its commands more than once, so that what stands behind may be of the next round?"""
        heads = [pipeline[0] for pipeline in self.pipelines]
        once = any(
            head.program in LOOPS and head.args[1:2] == ("in",) and _is_one_word(head.args[2:]) for head in heads
        )
        return not once and _LOOP.search(self.text) is not None

    @property
    def cuts_lines(self) -> bool:
        """Do lines get lost on their way through a pipe, more than a screen or so is long?"""
        return any(
            simple.program in LINE_CUTTERS and not _keeps_a_screen(simple)
            for pipeline in self.pipelines
            for simple in pipeline[1:]
        )

    def last_run(self) -> list[Simple]:
        """The commands any of which may have given the exit code: the last, and those `&&` ties to it."""
        run: list[Simple] = []
        for at in range(len(self.pipelines) - 1, -1, -1):
            if run and self.joints[at] != "&&":
                break
            run.append(self.pipelines[at][-1])
        return run

    def names(self, name: str) -> bool:
        """Is this a program of the line, or a script that one of them was told to run?"""
        return any(
            name == simple.program or any(name == arg.rsplit("/", 1)[-1] for arg in simple.args)
            for simple in self.commands
        )


_ENDS_A_LOOP = re.compile(r"[;\n] ?done\b[^;&\n]{0,80}\Z")
_LOOP = re.compile(r"[;\n] ?do\s")


def _is_one_word(words: tuple[str, ...]) -> bool:
    return len(words) == 1 and not any(sign in words[0] for sign in "$*?`{[")


def _keeps_a_screen(simple: Simple) -> bool:
    counts = [int(found[1]) for arg in simple.args if (found := _COUNT.fullmatch(arg))]
    return simple.program in ("tail", "head") and ((not counts and not simple.args) or max(counts, default=0) >= SCREEN)


_COUNT = re.compile(r"-?n?(\d{1,9})")


def _speaker(pipeline: tuple[Simple, ...]) -> Simple:
    """Whose words go through a pipe: those of its first command, or of the one that `xargs` starts with them."""
    for simple in reversed(pipeline):
        if simple.program == "xargs" and simple.args:
            return Simple(simple.args[0], simple.args[1:])
    return pipeline[0]


def script_of(simple: Simple) -> str:
    """The bare name of the shell script that this runs, if it does."""
    if simple.program in SHELLS and simple.args and simple.args[0][:1] != "-":
        return simple.args[0].rsplit("/", 1)[-1]
    return simple.program if simple.program.endswith(".sh") else ""
