"""What a command works on: two commands of one program that have nothing of that in common ask for different things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from warm_tui.reliability.looking import only_looks
from warm_tui.reliability.shape import PATH
from warm_tui.reliability.shell import Simple
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.words import command_of

TOLD_WHAT_TO_DO = frozenset({"git", "hg", "svn", "docker", "podman", "kubectl", "helm", "gh", "glab", "systemctl"})
"""Programs of many trades: the first word says which."""
TAKES_A_VALUE = frozenset({"-C", "-c", "-n", "--namespace", "--context", "--git-dir", "--work-tree", "-R", "--repo"})
PART = "::"
ADDRESS = re.compile(r"https?://(?:[^/@\s]*@)?|[?#].*")
"""What stands in an address beside the machine and what is asked of it."""
NEAR = 0.75
"""So much alike are a name and the one that was meant,"""
FEW = 3
"""which has no more than so many letters more or less."""


def works_on_other_things(first: str, second: str) -> bool:
    """Of the arguments of two calls. Where nothing tells, they may work on the same."""
    here, there = _main(command_of(first)), _main(command_of(second))
    if here is None or there is None:
        return False
    if here.program != there.program:
        # Who looks into it has not mended it.
        return only_looks(there) and not only_looks(here)
    words, others = plain_words(here.args), plain_words(there.args)
    if here.program in TOLD_WHAT_TO_DO and words[:1] != others[:1]:
        # A trade that is no word of the other's may be what was meant.
        meant = words and others and is_near(words[0], others[0])
        return not meant and not set(words[1:]) & set(others[1:])
    paths, other_paths = ([ADDRESS.sub("", word) for word in each if _is_path(word)] for each in (words, others))
    return bool(paths and other_paths) and not any(_related(one, other) for one in paths for other in other_paths)


def _main(command: str) -> Simple | None:
    """Whose words the output is, by the module where it is one of Python's."""
    script = parse(command) if command and "<<" not in command else None
    at = script.source if script is not None else None
    if script is None or at is None:
        return None
    simple = script.pipelines[at][0]
    if simple.program.startswith("python") and simple.args[:1] == ("-m",) and simple.args[1:]:
        return Simple(simple.args[1], simple.args[2:])
    return simple


def plain_words(args: Sequence[str]) -> list[str]:
    """Without options, and without the values of those that stand before all else."""
    words: list[str] = []
    for at, word in enumerate(args):
        is_value = not words and at > 0 and args[at - 1] in TAKES_A_VALUE
        if not word.startswith("-") and not is_value:
            words.append(word)
    return words


def _is_path(word: str) -> bool:
    return bool(PATH.match(word.partition(PART)[0]) or (ADDRESS.match(word) and "/" in ADDRESS.sub("", word)))


def _related(one: str, other: str) -> bool:
    """The same, the one within the other, or one name and another that it was taken for."""
    (one, _, part), (other, _, other_part) = one.partition(PART), other.partition(PART)
    here, there = PurePosixPath(one), PurePosixPath(other)
    if here == there:
        return not part or not other_part or is_near(part, other_part)
    return here in there.parents or there in here.parents or is_near(here.name, there.name)


def is_near(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) <= FEW and SequenceMatcher(None, one, other).ratio() >= NEAR
