"""Read a shell command line just well enough to say what its exit code and its output mean.

Not a shell: it finds the simple commands, the pipes between them and which of them ends the line.
That is what a verdict needs: `grep` that exits with 1 found nothing, `pytest` that does so failed,
and the output of `cat app.log | tail` is somebody's log while that of `make | tail` is a build's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<space>(?:[ \t\r]|\\\n)+)
    | (?P<heredoc><<-?[ \t]*(?P<quote>["']?)(?P<tag>\w[\w.-]*)(?P=quote))
    | (?P<redirect>(?:\d*|&)(?:>>|>\||>&|<<<|<&|<>|>|<)[ \t]*(?:[^\s;|&()<>"']|"[^"]*"|'[^']*')*)
    | (?P<operator>&&|\|\||\|&|;;|[;&|\n()])
    | (?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^}]*\}|[^\s;|&()<>'"\\])+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?$")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*$")

KEYWORDS = frozenset(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}", "!", "time"}
)
# Programs that start the one that counts; the value says how many words of their own to pass over.
WRAPPERS = {
    "sudo": 0, "env": 0, "nohup": 0, "nice": 0, "command": 0, "exec": 0, "stdbuf": 0, "builtin": 0,
    "timeout": 1, "gtimeout": 1, "uv": 1, "poetry": 1, "pdm": 1, "pipenv": 1, "hatch": 1, "npx": 0,
    "bundle": 1, "doas": 0, "setsid": 0, "ionice": 0, "unbuffer": 0, "proxychains": 0,
}  # fmt: skip
RUN_WORDS = frozenset({"run", "exec"})
# Commands that say nothing of their own, or only what they are told to say.
QUIET = frozenset({"echo", "printf", "true", "false", ":", "exit", "cd", "export", "set", "sleep", "wait"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})


class Simple(NamedTuple):
    """One simple command: the program by its bare name, and its words."""

    program: str
    args: tuple[str, ...]


class Script(NamedTuple):
    """A command line: its pipelines in order, and what stands behind each (`;`, `&&`, `||`, ...)."""

    pipelines: tuple[tuple[Simple, ...], ...]
    joints: tuple[str, ...]
    text: str

    @property
    def last(self) -> Simple | None:
        """The simple command whose exit code the shell reports."""
        return self.pipelines[-1][-1] if self.pipelines else None

    @property
    def source(self) -> int | None:
        """Which pipeline's words end the output: the last that has any to say."""
        for at in range(len(self.pipelines) - 1, -1, -1):
            if self.pipelines[at][0].program not in QUIET:
                return at
        return None

    def possible_sources(self) -> list[Simple]:
        """The commands that may have had the last word when `&&` may have stopped short of the end."""
        at = self.source
        if at is None:
            return []
        heads = [self.pipelines[at][0]]
        while at > 0 and self.joints[at - 1] == "&&":
            at -= 1
            if self.pipelines[at][0].program not in QUIET:
                heads.append(self.pipelines[at][0])
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
    def programs(self) -> frozenset[str]:
        return frozenset(simple.program for pipeline in self.pipelines for simple in pipeline)

    def names(self, name: str) -> bool:
        """Is this a program of the line, or a script that one of them was told to run?"""
        return any(
            name == simple.program or any(name == arg.rsplit("/", 1)[-1] for arg in simple.args)
            for pipeline in self.pipelines
            for simple in pipeline
        )


EMPTY = Script((), (), "")


@lru_cache(maxsize=2048)
def parse(command: str) -> Script:
    """The simple commands of a command line. Never raises; what it cannot read it passes over."""
    pipelines: list[tuple[Simple, ...]] = []
    joints: list[str] = []
    stages: list[Simple] = []
    words: list[str] = []
    heredocs: list[str] = []

    def end_simple() -> None:
        if simple := _simple(words):
            stages.append(simple)
        words.clear()

    def end_pipeline(joint: str) -> None:
        end_simple()
        if stages:
            pipelines.append(tuple(stages))
            joints.append(joint)
        elif joints and joint in ("&&", "||") and joints[-1] != "&":
            joints[-1] = joint  # `( a ) && b`: the operator stands behind the bracket
        stages.clear()

    at, size = 0, len(command)
    while at < size:
        if command[at] == "#" and (at == 0 or command[at - 1] in " \t\n;"):
            at = _line_end(command, at)
            continue
        token = _TOKEN.match(command, at)
        if token is None:
            break
        at = token.end()
        kind = token.lastgroup
        if kind == "word":
            words.append(token["word"])
        elif token["tag"]:
            heredocs.append(token["tag"])
        elif kind == "operator":
            operator = token["operator"]
            if operator in ("|", "|&"):
                end_simple()
            else:
                end_pipeline(operator)
            if operator == "\n" and heredocs:
                at = _after_heredocs(command, at, heredocs)
                heredocs.clear()
    end_pipeline("")
    return Script(tuple(pipelines), tuple(joints), command) if pipelines else EMPTY._replace(text=command)


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


def _simple(words: list[str]) -> Simple | None:
    """What is run, once assignments, keywords and wrappers are taken off the front."""
    rest = list(words)
    while rest:
        word = _bare(rest[0])
        if _ASSIGNMENT.match(word) or word in KEYWORDS:
            del rest[0]
        elif word == "xargs":
            inner = _simple(_after_options(rest[1:]))
            return Simple("xargs", (inner.program, *inner.args) if inner else ())
        elif word in SHELLS and len(rest) > 2 and rest[1] in ("-c", "-lc", "-ec"):
            inner_script = parse(_unquoted(rest[2]))
            return inner_script.last
        elif _PYTHON.match(word) and "-m" in rest[1:-1] and _leading_options(rest[1:], upto="-m"):
            rest = rest[rest.index("-m") + 1 :]
        elif word in WRAPPERS:
            rest = _unwrapped(word, rest[1:])
        else:
            return Simple(word, tuple(_unquoted(arg) for arg in rest[1:]))
    return None


def _unwrapped(wrapper: str, rest: list[str]) -> list[str]:
    rest = _after_options(rest)
    if WRAPPERS[wrapper] and rest and (rest[0] in RUN_WORDS or _DURATION.match(rest[0])):
        del rest[0]
        rest = _after_options(rest)
    return rest


def _leading_options(words: list[str], upto: str) -> bool:
    """True when only options stand before `upto`: `python -bb -m x`, not `python x.py -m y`."""
    for word in words:
        if word == upto:
            return True
        if not word.startswith("-"):
            return False
    return False


def _after_options(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and (words[at].startswith("-") or _ASSIGNMENT.match(words[at])):
        at += 1
    return words[at:]


def _bare(word: str) -> str:
    return _unquoted(word).rsplit("/", 1)[-1]


def _unquoted(word: str) -> str:
    if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"":
        return word[1:-1]
    return word
