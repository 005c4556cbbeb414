"""Read a shell command line just well enough to say what its exit code and its output mean.

Not a shell: it finds the simple commands, the pipes between them and which of them ends the line.
That is what a verdict needs: `grep` that exits with 1 found nothing, `pytest` that does so failed,
and the output of `cat app.log | tail` is somebody's log while that of `make | tail` is a build's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from warm_tui.reliability.wrappers import CLOSERS, bare, behind_options, leading_options, unquoted, unwrapped

_TOKEN = re.compile(
    r"""
      (?P<space>(?:[ \t\r]|\\\n)+)
    | (?P<heredoc><<-?[ \t]*(?P<quote>["']?)(?P<tag>\w[\w.-]*)(?P=quote))
    | (?P<redirect>(?:\d*|&)(?:>>|>\||>&|<<<|<&|<>|>|<)[ \t]*(?:[^\s;|&()<>"']|"[^"]*"|'[^']*')*)
    | (?P<operator>&&|\|\||\|&|;;|[;&|\n()])
    | (?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^{}]*\}|[^\s;|&()<>'"\\])+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*$")
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


EMPTY = Script((), (), "")


def parse(command: str) -> Script:
    """The simple commands of a command line. Never raises; what it cannot read it passes over."""
    try:
        # A long line carries a file in a heredoc and is not seen twice: it would only fill the cache.
        return _parse_often(command) if len(command) <= OFTEN_SEEN else _parse(command)
    except RecursionError:
        return EMPTY._replace(text=command)


OFTEN_SEEN = 500
_DECLARE = frozenset({"export", "local", "declare", "readonly"})


class _Reader:
    """What has been read of a line so far."""

    def __init__(self) -> None:
        self.pipelines: list[tuple[Simple, ...]] = []
        self.joints: list[str] = []
        self.stages: list[Simple] = []
        self.words: list[str] = []
        self.redirects: list[str] = []
        self.substituted: list[Simple] = []
        self.kept: list[Kept] = []
        self.after_group = False

    def end_simple(self) -> None:
        words, redirects, self.words, self.redirects = self.words, self.redirects, [], []
        self.after_group = self.after_group or (bool(words) and all(word in CLOSERS for word in words))
        rest = unwrapped(words)
        if not rest or rest[0] in _DECLARE:
            given = (word.partition("=") for word in words if "=" in word)
            self.kept.extend(Kept(name, value.strip("\"'"), len(self.pipelines)) for name, _, value in given)
        inner = _inner_script(rest)
        if inner is not None:
            for pipeline, joint in zip(inner.pipelines[:-1], inner.joints, strict=False):
                self.pipelines.append(pipeline)
                self.joints.append(joint)
            self.stages.extend(inner.pipelines[-1] if inner.pipelines else ())
        elif simple := _simple(rest):
            is_awaited = words[0] == "until" or words[:2] == ["while", "!"] or words[:3] == ["while", "kill", "-0"]
            if is_awaited or redirects:
                simple = simple._replace(is_hushed=_hush(redirects), is_awaited=is_awaited)
            self.stages.append(simple)
            if simple.program == "find" and (started := _started_for_each(rest)):
                self.substituted.append(started)

    def end_pipeline(self, joint: str) -> None:
        self.end_simple()
        if self.stages:
            self.pipelines.append(tuple(self.stages))
            self.joints.append(joint)
            self.after_group = False
        elif self.joints and joint in ("&&", "||"):
            self.joints[-1] = joint  # `( a ) && b`: the operator stands behind the bracket
        self.after_group = self.after_group or joint == ")"
        self.stages = []

    def end_stage(self) -> None:
        self.end_simple()
        if not self.stages and self.after_group and self.pipelines:
            # `( a; b ) | c`: what the group says goes through the pipe.
            self.stages = list(self.pipelines.pop())
            self.joints.pop()
        self.after_group = False


def _parse(command: str) -> Script:
    reader = _Reader()
    heredocs: list[str] = []
    at, size = 0, len(command)
    while at < size:
        if command[at] == "#" and (at == 0 or command[at - 1] in " \t\n;"):
            at = _line_end(command, at)
            continue
        token = _TOKEN.match(command, at)
        if token is None:
            break
        at = token.end()
        if token.lastgroup == "word":
            reader.words.append(token["word"])
            if "$(" in token["word"] and token["word"][0] != "'":
                reader.substituted.extend(_inside(token["word"]))
        elif token.lastgroup == "redirect":
            reader.redirects.append(token[0])
        elif token["tag"]:
            heredocs.append(token["tag"])
        elif operator := token["operator"]:
            if operator in ("|", "|&"):
                reader.end_stage()
            else:
                reader.end_pipeline(operator)
            if operator == "\n" and heredocs:
                at = _after_heredocs(command, at, heredocs)
                heredocs.clear()
    reader.end_pipeline("")
    return Script(tuple(reader.pipelines), tuple(reader.joints), command, tuple(reader.substituted), tuple(reader.kept))


_SUBSTITUTION = re.compile(r"\$\((?!\()((?:[^()]|\([^()]*\))*)\)")


def _inside(word: str) -> list[Simple]:
    return [simple for found in _SUBSTITUTION.finditer(word) for simple in parse(found[1]).commands]


_parse_often = lru_cache(maxsize=512)(_parse)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _after_heredocs(command: str, at: int, tags: list[str]) -> int:
    for tag in tags:
        closing = re.compile(rf"^[ \t]*{re.escape(tag)}[ \t]*$", re.MULTILINE).search(command, at)
        if closing is None:
            return len(command)
        at = min(len(command), closing.end() + 1)
    return at


def _inner_script(rest: list[str]) -> Script | None:
    """The line inside `bash -c '...'`."""
    if len(rest) > 2 and bare(rest[0]) in SHELLS and rest[1] in ("-c", "-lc", "-ec"):
        return parse(unquoted(rest[2]))
    return None


def _hush(redirects: list[str]) -> bool:
    """In the order in which a shell does them: `2>&1 >/dev/null` leaves the errors where they were."""
    out = errors = False
    for redirect in redirects:
        plain = redirect.replace(" ", "").removeprefix("1")
        out = out or plain in (">/dev/null", "&>/dev/null")
        errors = errors or plain in ("2>/dev/null", "&>/dev/null") or (out and plain == "2>&1")
    return out and errors


def _simple(rest: list[str]) -> Simple | None:
    """What is run, once assignments, keywords and wrappers were taken off the front."""
    if not rest:
        return None
    program = bare(rest[0])
    if program == "xargs":
        inner = _simple(unwrapped(rest[behind_options(rest, 1, program) :]))
        return Simple(program, (inner.program, *inner.args) if inner else ())
    if _PYTHON.match(program) and "-m" in rest[1:-1] and leading_options(rest[1:], upto="-m"):
        rest = rest[rest.index("-m") + 1 :]
        program = bare(rest[0])
    return Simple(program, tuple(unquoted(arg) for arg in rest[1:]))


def _started_for_each(words: list[str]) -> Simple | None:
    """What `find` runs; where it gives it all files at once, its own code tells of a failure."""
    starts = next((at for at, word in enumerate(words) if word in ("-exec", "-execdir")), len(words))
    ends = next((at for at in range(starts, len(words)) if unquoted(words[at]) in (";", "\\;")), starts)
    return _simple(unwrapped(words[starts + 1 : ends]))
