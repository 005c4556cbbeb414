"""Where any of many values stand in a text, found in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SURE_LENGTH = 8
BEGINNING = 4
"""By so many characters the values that may begin at a place are known."""
MOST_LENGTHS, LONGEST = 32, 2_000


class Places:
    """However many values there are, a text is gone over once.

    The few that are very long, and those that share their beginning with very many, are looked for one by one: that is
    the quicker way then, and has no worst case.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self.values = frozenset(filter(None, values))
        self._beginning = min([BEGINNING, *map(len, self.values)])
        lengths: dict[str, set[int]] = {}
        for value in self.values:
            lengths.setdefault(value[: self._beginning], set()).add(len(value))
        self._lengths = {
            beginning: sorted((each for each in of_it if each <= LONGEST), reverse=True)
            for beginning, of_it in lengths.items()
            if len(of_it) <= MOST_LENGTHS
        }
        self._alone = [v for v in self.values if len(v) > LONGEST or v[: self._beginning] not in self._lengths]
        begins = "".join(map(re.escape, sorted({beginning[0] for beginning in self._lengths})))
        self._begin = re.compile(f"[{begins}]") if begins else None

    def of(self, text: str) -> Iterator[tuple[int, int]]:
        """Each place, where it begins and where it ends, in no order."""
        for value in self._alone:
            at = text.find(value)
            while at >= 0:
                if _stands(value, text, at):
                    yield at, at + len(value)
                at = text.find(value, at + 1)
        for match in self._begin.finditer(text) if self._begin else ():
            at = match.start()
            for length in self._lengths.get(text[at : at + self._beginning], ()):
                value = text[at : at + length]
                if len(value) == length and value in self.values and _stands(value, text, at):
                    yield at, at + length


def _stands(value: str, text: str, at: int) -> bool:
    """A plain word stands inside other words, too."""
    if len(value) >= SURE_LENGTH or not value.isalpha():
        return True
    around = text[at - 1 : at] if at else "", text[at + len(value) : at + len(value) + 1]
    return not any(each.isascii() and each.isalnum() for each in around)


def joined(places: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int, str]]:
    """Those that overlap as one, with the longest of them."""
    start = end = 0
    value = ""
    for begins, ends in sorted(places):
        if begins >= end:
            if value:
                yield start, end, value
            start, value = begins, ""
        if ends - begins > len(value):
            value = text[begins:ends]
        end = max(end, ends)
    if value:
        yield start, end, value
