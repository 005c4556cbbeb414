"""Clearing away what is not there, and making what is there already, before the work: it is then as it should be."""

from __future__ import annotations

import re

from warm_tui.reliability.shell import QUIET, Script, Simple
from warm_tui.reliability.viewers import VIEWERS, is_viewer

_CLEARS = frozenset("rm rmdir unlink kill pkill killall".split())
_MAKES = frozenset({"mkdir"})
# Programs that do either by a word behind their name.
_MANAGERS = frozenset("git docker podman kubectl".split())
_CLEARING_WORDS = frozenset({"rm", "remove", "delete", "rmi"})
_NOT_THERE = re.compile(r"(?:No such (?!option)|not found\b|does not exist\b|not exist$)")
_THERE = re.compile(r"(?:File exists|already exists)\b")
_ENDS = frozenset({"kill", "pkill", "killall"})
_LOOKS = frozenset("pwd date pgrep jobs lsof ss netstat".split())


def without_what_was_prepared(text: str, script: Script) -> str:
    """The output without complaints of that kind, where it is tolerated, or the line works on the same thing then."""
    prepares = [simple for at, (simple, *_) in enumerate(script.pipelines) if _prepares(simple, at, script)]
    if not prepares:
        return text
    return "\n".join(line for line in text.split("\n") if not any(_is_as_wanted(line, each) for each in prepares))


def _prepares(simple: Simple, at: int, script: Script) -> bool:
    if len(script.pipelines[at]) > 1 or not (_clears(simple) or _makes(simple)):
        return False
    behind = [later[0] for later in script.pipelines[at + 1 :]]
    if script.joints[at] == "||":
        is_made_there = simple.program in _MANAGERS and _makes(simple)
        return behind[0].program == "continue" or (is_made_there and behind[0].program in ("true", ":"))
    return script.joints[at] in (";", "\n") and any(_works_on(simple, later) for later in behind)


def _works_on(cleared: Simple, later: Simple) -> bool:
    """`rm -r dist; mkdir dist`: what ends a process is known by a number, and what takes its place has another."""
    if later.program in QUIET or later.program in VIEWERS or is_viewer(later) or _clears(later):
        return False
    if cleared.program in _ENDS:
        return later.program not in _LOOKS
    return any(arg.split("/")[0] == named for named in _named(cleared) for arg in later.args)


def _named(simple: Simple) -> list[str]:
    """What it was told to clear away or make, without the words that tell it so."""
    words = [arg.rstrip("/") for arg in simple.args if arg[:1] != "-"]
    return words[-1:] if simple.program in _MANAGERS else words


def _clears(simple: Simple) -> bool:
    if simple.program == "git" and simple.args[:1] in (("branch",), ("tag",)):
        return not {"-D", "-d"}.isdisjoint(simple.args)
    return simple.program in _CLEARS or (simple.program in _MANAGERS and not _CLEARING_WORDS.isdisjoint(simple.args))


def _makes(simple: Simple) -> bool:
    return simple.program in _MAKES or (simple.program in _MANAGERS and "create" in simple.args)


def _is_as_wanted(line: str, simple: Simple) -> bool:
    """It names what was to be cleared away or made, and says that it is not there, or there."""
    if not (_NOT_THERE if _clears(simple) else _THERE).search(line):
        return False
    if simple.program not in _MANAGERS and f"{simple.program}: " not in line:
        return False
    return any("$" in arg or "`" in arg or arg in line for arg in _named(simple))
