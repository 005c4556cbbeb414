"""The parts of a patch: one that could not be applied is mended where it is, and not by being left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from warm_tui.reliability.words import command_of, given_in

LONGEST = 20_000
NAMES = ("patch", "patchText", "input", "diff")
BEGINS = ("@@", "*** ", "--- ", "+++ ", "diff ")
TELLING = 8
"""A line of so many letters is known again among others."""
ALIKE = 0.5
"""So much of what a part would have changed stands in another that does the same."""
_WORD = re.compile(r"\w{2,}")


class Hunk(NamedTuple):
    old: list[str]
    """What it looks for, line by line."""
    changed: list[str]


def leaves_out_what_failed(first: str, second: str, said: str) -> bool:
    """Of the arguments of two patches, the first of which failed, with words that quote what was not found."""
    patch, other = _patch_in(first), _patch_in(second)
    if not patch or not other:
        return False
    come = _words(line for hunk in _hunks(other) for line in hunk.changed)
    wanted = (_words(hunk.changed) for hunk in _hunks(patch) if _is_quoted(hunk, said))
    return any(len(words & come) < ALIKE * len(words) for words in wanted)


def _patch_in(arguments: str) -> str:
    if command := command_of(arguments):
        return command[:LONGEST] if "*** Begin Patch" in command else ""
    given = given_in(arguments)
    return next((given[name][:LONGEST] for name in NAMES if isinstance(given.get(name), str)), "")


def _hunks(patch: str) -> Iterator[Hunk]:
    hunk = Hunk([], [])
    for line in [*patch.split("\n"), "@@"]:
        if line.startswith(BEGINS):
            if hunk.changed:
                yield hunk
            hunk = Hunk([], [])
        elif words := line[1:].strip():
            if line[0] in "- ":
                hunk.old.append(words)
            if line[0] in "-+":
                hunk.changed.append(words)


def _is_quoted(hunk: Hunk, said: str) -> bool:
    return all(line in said for line in hunk.old) and any(len(line) >= TELLING for line in hunk.old)


def _words(lines: Iterable[str]) -> set[str]:
    return {word for line in lines for word in _WORD.findall(line)}
