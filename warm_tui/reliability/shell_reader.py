"""Read a shell command line just well enough to say what its exit code and its output mean.

Not a shell: it finds the simple commands, the pipes between them and which of them ends the line.
That is what a verdict needs: `grep` that exits with 1 found nothing, `pytest` that does so failed,
and the output of `cat app.log | tail` is somebody's log while that of `make | tail` is a build's.
"""

from __future__ import annotations

import re
from functools import lru_cache

from warm_tui.reliability.shell import SHELLS, Kept, Script, Simple
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
