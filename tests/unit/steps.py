"""Counts the steps that a regular expression takes over a text, as Python's own engine goes: back and forth.

A clock would tell of the machine; steps are the same everywhere. Repetitions that end are cut short, so that what grows
with the text is seen in a short one.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import _constants as sre
from re import _parser as parser
from typing import Any

from tests.regexes import MANY, one_of

SHORT = 3
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
ONE = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)


def shortened(nodes: Any) -> list[Any]:
    """The same with short ends: `{0,40}` becomes `{0,3}`, and what has no end keeps none."""
    made: list[Any] = []
    for op, argument in nodes:
        if op in REPEATS:
            least, most, body = argument
            least = min(least, SHORT)
            most = max(least, min(most, SHORT)) if most <= MANY else None
            made.append((op, (least, most, shortened(body))))
        elif op is sre.SUBPATTERN:
            made.append((op, (*argument[:3], shortened(argument[3]))))
        elif op is sre.BRANCH:
            made.append((op, [shortened(branch) for branch in argument[1]]))
        elif op is sre.ATOMIC_GROUP:
            made.append((op, shortened(argument)))
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            made.append((op, (argument[0], shortened(argument[1]))))
        else:
            made.append((op, argument))
    return made


class TooMany(Exception):
    """More steps than were allowed: how many there would be is not counted."""


class Steps:
    """One run of one expression; `taken` grows while it is searched for, up to `allowed`."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.allowed = 0
        tree = parser.parse(pattern, flags)
        self.flags = flags | tree.state.flags
        self.nodes = shortened(tree)
        self.begins = bool(self.nodes) and self.nodes[0] == (sre.AT, sre.AT_BEGINNING_STRING)
        self.text = ""
        self.taken = 0
        self.groups: dict[int, str] = {}
        self.known: dict[tuple[int, str], bool] = {}

    def search(self, text: str, allowed: int) -> int:
        """Steps to find all of them, each behind the last."""
        self.text, self.taken, self.allowed = text, 0, allowed
        at = 0
        while at <= len(text):
            at = max(self._at(at), at + 1)
            if self.begins:
                break
        return self.taken

    def match(self, text: str, allowed: int) -> int:
        self.text, self.taken, self.allowed = text, 0, allowed
        self._at(0)
        return self.taken

    def fullmatch(self, text: str, allowed: int) -> int:
        """Where it could end sooner, it goes back for another way to the end."""
        self.text, self.taken, self.allowed = text, 0, allowed
        self.groups = {}
        next((end for end in self._ends(self.nodes, 0, 0) if end == len(text)), None)
        return self.taken

    def _at(self, start: int) -> int:
        self.groups = {}
        return start if self._begins_otherwise(self.nodes, start) else next(self._ends(self.nodes, 0, start), start)

    def _begins_otherwise(self, nodes: list[Any], at: int) -> bool:
        """Most branches end at their first sign: no generator is made to tell that."""
        return bool(nodes) and nodes[0][0] in ONE and not self._one(nodes[0], at)

    def _ends(self, nodes: list[Any], which: int, at: int) -> Iterator[int]:
        while which < len(nodes) and nodes[which][0] in ONE:
            if not self._one(nodes[which], at):
                return
            which, at = which + 1, at + 1
        if which == len(nodes):
            yield at
            return
        for end in self._ends_of(nodes[which], at):
            yield from self._ends(nodes, which + 1, end)

    def _step(self) -> None:
        self.taken += 1
        if self.taken > self.allowed:
            raise TooMany

    def _one(self, node: Any, at: int) -> bool:
        self._step()
        if at >= len(self.text):
            return False
        # The same few are asked for again and again; a node lasts as long as this does.
        asked = id(node), self.text[at]
        known = self.known.get(asked)
        if known is None:
            known = self.known[asked] = one_of(node, self.flags, self.text[at])
        return known

    def _ends_of(self, node: Any, at: int) -> Iterator[int]:
        op, argument = node
        self._step()
        if op in REPEATS:
            least, most, body = argument
            if len(body) == 1 and body[0][0] in ONE:
                yield from self._run(op, least, most, body[0], at)
            elif op is sre.POSSESSIVE_REPEAT:
                first = next(self._turns(sre.MAX_REPEAT, least, most, body, at, 0), None)
                if first is not None:
                    yield first
            else:
                yield from self._turns(op, least, most, body, at, 0)
        elif op is sre.BRANCH:
            for branch in argument:
                if not self._begins_otherwise(branch, at):
                    yield from self._ends(branch, 0, at)
        elif op is sre.SUBPATTERN:
            for end in self._ends(argument[3], 0, at):
                if argument[0]:
                    self.groups[argument[0]] = self.text[at:end]
                yield end
        elif op is sre.ATOMIC_GROUP:
            first = next(self._ends(argument, 0, at), None)
            if first is not None:
                yield first
        elif op is sre.GROUPREF:
            seen = self.groups.get(argument, "")
            if self.text.startswith(seen, at):
                yield at + len(seen)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            if self._looks(argument, at) is (op is sre.ASSERT):
                yield at
        elif op is sre.AT and self._stands(argument, at):
            yield at

    def _run(self, op: Any, least: int, most: int | None, one: Any, at: int) -> Iterator[int]:
        end = at
        if op is sre.MIN_REPEAT:
            while most is None or end - at <= most:
                if end - at >= least:
                    yield end
                if not self._one(one, end):
                    return
                end += 1
            return
        while (most is None or end - at < most) and self._one(one, end):
            end += 1
        if op is sre.POSSESSIVE_REPEAT:
            yield from [end] if end - at >= least else []
            return
        for stop in range(end, at + least - 1, -1):
            self._step()
            yield stop

    def _turns(self, op: Any, least: int, most: int | None, body: list[Any], at: int, done: int) -> Iterator[int]:
        if op is sre.MIN_REPEAT and done >= least:
            yield at
        if most is None or done < most:
            for end in self._ends(body, 0, at):
                if end > at:
                    yield from self._turns(op, least, most, body, end, done + 1)
        if op is not sre.MIN_REPEAT and done >= least:
            yield at

    def _looks(self, argument: Any, at: int) -> bool:
        direction, nodes = argument
        if len(nodes) == 1 and nodes[0][0] in ONE:
            return (direction > 0 or at > 0) and self._one(nodes[0], at if direction > 0 else at - 1)
        if direction > 0:
            return next(self._ends(nodes, 0, at), None) is not None
        return any(at in self._ends(nodes, 0, start) for start in range(max(0, at - SHORT), at + 1))

    def _stands(self, where: Any, at: int) -> bool:
        before, behind = self.text[at - 1 : at] if at else "", self.text[at : at + 1]
        if where is sre.AT_BEGINNING_STRING or where is sre.AT_BEGINNING:
            return at == 0 or (where is sre.AT_BEGINNING and self._many_lines and before == "\n")
        if where is sre.AT_END_STRING or where is sre.AT_END:
            if where is sre.AT_END and (self.text[at:] == "\n" or (self._many_lines and behind == "\n")):
                return True
            return at == len(self.text)
        word = [bool(c) and (c.isalnum() or c == "_") for c in (before, behind)]
        return (word[0] != word[1]) is (where is sre.AT_BOUNDARY)

    @property
    def _many_lines(self) -> bool:
        return bool(self.flags & sre.SRE_FLAG_MULTILINE)
