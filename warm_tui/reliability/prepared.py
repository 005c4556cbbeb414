"""Clearing away what is not there, and making what is there already, before the work: it is then as it should be."""

from __future__ import annotations

import re

from warm_tui.reliability.glances import holds_any
from warm_tui.reliability.shell import QUIET, SAYS_NOTHING, Script, Simple
from warm_tui.reliability.viewers import VIEWERS, is_viewer

_CLEARS = frozenset("rm rmdir unlink kill pkill killall".split())
_MAKES = frozenset({"mkdir"})
# Programs that do either by a word behind their name.
_MANAGERS = frozenset("git docker podman kubectl tmux".split())
_CLEARING_WORDS = frozenset({"rm", "remove", "delete", "rmi", "kill-session"})
_NOT_THERE = re.compile(r"(?:can't find session: |No such (?!option)|not found\b|does not exist\b|not exist$)")
_THERE = re.compile(r"(?:File exists|already exists)\b")
_EITHER = re.compile(f"{_NOT_THERE.pattern}|{_THERE.pattern}")
# One of these stands in whatever that matches: found in a thirtieth of the time.
_HINTS = ("find session: ", "No such ", "not found", "not exist", " exists")
# Not where it is the file that tells what to clear away that is not there.
_OF_A_MANAGER = re.compile(
    r"(?:error|Error(?: response from daemon| from server \(\w+\))?): (?!the path )|can't find session: "
)
_FEW = 100
"""Of names, and of commands behind: a line is given in full, however long it is."""
_ENDS = frozenset({"kill", "pkill", "killall"})
# As the shell says of what ran in the background.
_ENDED = re.compile(r"(?:\S*sh: )?(?:line )?\d+: +\d+ (?:Terminated|Killed)\b")
# `kill $(cat run.pid)`
_NO_NUMBER = re.compile(r"cat: \S+: No such file or directory$")
# What Git says where nothing of that kind is under way; of others, "no rebase in progress".
_NOTHING_UNDER_WAY = {
    "merge": "There is no merge to abort", "am": "Resolve operation not in progress",
    "cherry-pick": "no cherry-pick or revert", "revert": "no cherry-pick or revert",
}  # fmt: skip
_LOOKS = frozenset("pwd date pgrep jobs lsof ss netstat".split())


def without_what_was_prepared(text: str, script: Script) -> str:
    """The output without complaints of that kind, where it is tolerated, or the line works on the same thing then."""
    text = _without_nothing_to_abort(text, script) if "--abort" in script.text else text
    ends_its_own = "&" in script.joints and any(head.program in _ENDS for head, *_ in script.pipelines)
    if not ends_its_own and not (holds_any(text, _HINTS) and _EITHER.search(text)):
        return text
    prepares = [simple for at, (simple, *_) in enumerate(script.pipelines) if _prepares(simple, at, script)]
    lines = text.split("\n")
    if ends_its_own:
        lines = [line for line in lines if not _ENDED.match(line)]
    if any(simple.program in _ENDS and "$(cat " in " ".join(simple.args) for simple in prepares):
        lines = [line for line in lines if not _NO_NUMBER.match(line)]
    for simple in prepares:
        for name in _named(simple)[:_FEW]:
            # What is said of it first: as soon as it was cleared away or made, another complains that it is not there.
            first = next((at for at, line in enumerate(lines) if _speaks_of(line, name)), None)
            if first is not None and _is_as_wanted(lines[first], simple):
                del lines[first]
    return "\n".join(lines)


def _without_nothing_to_abort(text: str, script: Script) -> str:
    """`git merge --abort; git checkout main`: nothing was under way, as was wanted before the other work."""
    heads = [head for head, *_ in script.pipelines]
    aborts = [at for at, head in enumerate(heads) if head.program == "git" and "--abort" in head.args]
    if not aborts or all(head.program in SAYS_NOTHING or is_viewer(head) for head in heads[aborts[-1] + 1 :]):
        return text
    lines = text.split("\n")
    for at in aborts[:_FEW]:
        verb = heads[at].args[0]
        said = _NOTHING_UNDER_WAY.get(verb) or f"no {verb}"
        # Of each the first: other work may find nothing under way, too.
        first = next((at for at, line in enumerate(lines) if line.lower().startswith(_said_by_git(said))), None)
        if first is not None:
            failed = lines[first + 1 : first + 2] == [f"fatal: {verb} failed"]
            del lines[first : first + 1 + failed]
    return "\n".join(lines)


def _said_by_git(words: str) -> tuple[str, str]:
    return f"fatal: {words.lower()}", f"error: {words.lower()}"


def _speaks_of(line: str, name: str) -> bool:
    return name in line or (("$" in name or "`" in name) and _EITHER.search(line) is not None)


def _prepares(simple: Simple, at: int, script: Script) -> bool:
    if len(script.pipelines[at]) > 1 or not (_clears(simple) or _makes(simple)):
        return False
    behind = [later[0] for later in script.pipelines[at + 1 : at + 1 + _FEW]]
    if not behind:
        return False
    if script.joints[at] == "||":
        is_of_a_manager = simple.program in _MANAGERS and (_makes(simple) or len(behind) > 1)
        return behind[0].program == "continue" or (is_of_a_manager and behind[0].program in ("true", ":"))
    return script.joints[at] in (";", "\n") and any(_works_on(simple, later) for later in behind)


def _works_on(cleared: Simple, later: Simple) -> bool:
    """`rm -r dist; make`, `mkdir dist; cp a dist`: what was to be gone is; what was to be there has to be used."""
    if later.program in QUIET or later.program in VIEWERS or is_viewer(later) or _clears(later):
        return False
    if cleared.program in _CLEARS:
        return later.program not in _LOOKS
    named = frozenset(_named(cleared))
    return any(arg.split("/")[0] in named for arg in later.args)


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
    """It says in its own words that it is not there, or there."""
    if not (_NOT_THERE if _clears(simple) else _THERE).search(line):
        return False
    if simple.program in _MANAGERS:
        return _OF_A_MANAGER.match(line) is not None
    return f"{simple.program}: " in line
