"""What survived a compaction: kept word for word, kept but shortened, told by the summary only, or gone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from warm_tui.reliability.profile import Judged
from warm_tui.sessions.cuts import Cut, body_of_summary
from warm_tui.sessions.hermes.blocks import Identity, identity_of, is_summary
from warm_tui.sessions.hermes.tool_calls import ToolCall, tool_calls_of
from warm_tui.sessions.model import Row, as_text
from warm_tui.sessions.text import plain

Fate: TypeAlias = Literal["kept", "shortened", "told", "gone"]
FATES: tuple[Fate, ...] = ("kept", "shortened", "told", "gone")

CHARACTERS_A_TOKEN = 4
"""As Hermes itself counts before it compacts."""
LONGEST_TOLD = 300
LEAST_WORD = 4
LEAST_WORDS = 3
SHARE_TOLD = 0.5

ID, ROLE, CONTENT, ANSWERS, TOOL_CALLS = range(5)


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A message or a call that stood in the context before the compaction, and what became of it."""

    role: str
    text: str
    fate: Fate
    call: Judged | None = None
    """None for a message, and for a call whose making is not in the database."""
    left: str = ""
    """What compaction left of a call that it shortened."""

    @property
    def lost_success(self) -> bool:
        """A call that worked, which the agent can no longer look up: a candidate for a template."""
        return (
            self.call is not None
            and self.fate in ("told", "gone")
            and self.call[1].outcome == "success"
            and not self.call[0].trivial
        )


class Survival(msgspec.Struct, frozen=True):
    """One compaction: what it took and what it left."""

    index: int
    """The segment that it opens."""
    session_id: str
    in_place: bool
    summary: str | None
    """What it tells."""
    whole_summary: str | None
    """As the model gets it."""
    pieces: list[Piece]
    rows_before: int
    tokens_before: int
    tokens_after: int

    @property
    def recorded(self) -> bool:
        """Whether what stood before is known: a session may begin with a summary, its parent gone."""
        return bool(self.pieces)

    def calls(self, fate: Fate) -> int:
        return sum(piece.fate == fate and piece.role == "call" for piece in self.pieces)

    def messages(self, fate: Fate) -> int:
        return sum(piece.fate == fate and piece.role != "call" for piece in self.pieces)

    @property
    def share_cut(self) -> float | None:
        """How much of the context went, by its tokens."""
        return max(0.0, 1 - self.tokens_after / self.tokens_before) if self.tokens_before else None


def survivals(cuts: Sequence[Cut], calls: Iterable[Judged]) -> list[Survival]:
    """What each compaction of a life left, given the life's calls."""
    tracer = _Tracer(calls)
    return [
        Survival(
            index,
            cut.session_id,
            cut.in_place,
            None if cut.summary is None else body_of_summary(cut.summary),
            cut.summary,
            list(tracer.pieces(cut)),
            len(cut.before),
            tokens_of(cut.before),
            tokens_of(cut.after),
        )
        for index, cut in enumerate(cuts, 1)
    ]


def tokens_of(rows: Iterable[Row]) -> int:
    """About how many: characters are counted, for a context of any length at once."""
    characters = sum(len(as_text(row[CONTENT]) or "") + len(as_text(row[TOOL_CALLS]) or "") for row in rows)
    return round(characters / CHARACTERS_A_TOKEN)


class _Copy(msgspec.Struct, gc=False):
    identity: Identity
    arguments: str
    result: str | None = None


class _Tracer:
    """Follows calls over the cuts of a life: a copy is known by what it has in common with the call that was made."""

    def __init__(self, calls: Iterable[Judged]) -> None:
        self.made: dict[int, list[Judged]] = {}
        self.origins: dict[Identity, Judged] = {}
        for one in calls:
            self.made.setdefault(one[0].message_id, []).append(one)

    def pieces(self, cut: Cut) -> Iterator[Piece]:
        summary = Summary(body_of_summary(cut.summary or ""))
        calls = _calls_in(cut.before)
        left = _copies_of(calls, _calls_in(cut.after))
        # Most copies are of the end of what was live: a message said twice is kept where it was said last.
        kept = Counter(_words(row) for row in cut.after)
        last = {at for at in reversed(range(len(cut.before))) if _taken(kept, _words(cut.before[at]))}
        made = iter(zip(calls, left, strict=True))
        for at, row in enumerate(cut.before):
            if row[ROLE] not in ("user", "assistant"):
                continue
            text = plain(as_text(row[CONTENT]) or "")
            if text.strip():
                fate: Fate = "kept" if at in last else summary.fate_of_text(text)
                # A summary that stood before is told again by the next.
                fate = "told" if fate == "gone" and is_summary(row) else fate
                yield Piece("summary" if is_summary(row) else row[ROLE], text, fate)
            for nth, one in enumerate(_made_in(row)):
                yield self._call(row, nth, one, *next(made), summary)

    def _call(self, row: Row, nth: int, one: ToolCall, was: _Copy, copy: _Copy | None, summary: Summary) -> Piece:
        fresh = self.made.get(row[ID])
        if fresh is not None:
            self.origins[was.identity] = fresh[nth]
        judged, text = self.origins.get(was.identity), f"{one.any_name} {was.arguments}"
        if copy is None:
            return Piece("call", text, summary.fate_of_call(was.arguments), judged)
        if was.result == copy.result and _same(was.arguments, copy.arguments):
            return Piece("call", text, "kept", judged)
        return Piece("call", text, "shortened", judged, f"{copy.arguments}\n{copy.result or ''}")


def _words(row: Row) -> tuple[str, str]:
    return row[ROLE], as_text(row[CONTENT]) or ""


def _taken(counts: Counter[tuple[str, str]], one: tuple[str, str]) -> bool:
    """Whether there is one left of these; if so, it is taken."""
    left = counts[one] > 0
    counts[one] -= left
    return left


def _copies_of(calls: Sequence[_Copy], after: Sequence[_Copy]) -> list[_Copy | None]:
    """For each call its copy, or none. Of calls that look the same, those with the same result, then the last."""
    alike: dict[Identity, list[_Copy]] = {}
    for copy in after:
        alike.setdefault(copy.identity, []).append(copy)
    found: list[_Copy | None] = [None] * len(calls)
    for by_result in (True, False):
        for at in reversed(range(len(calls))):
            copies = alike.get(calls[at].identity)
            if copies and found[at] is None:
                same = [copy for copy in copies if not by_result or copy.result == calls[at].result]
                if same:
                    found[at] = same[-1]
                    copies.remove(same[-1])
    return found


def _made_in(row: Row) -> list[ToolCall]:
    return tool_calls_of(row[TOOL_CALLS]) if row[ROLE] == "assistant" and row[TOOL_CALLS] else []


def _calls_in(rows: Iterable[Row]) -> list[_Copy]:
    """Each call with its result, in order."""
    found: list[_Copy] = []
    waiting: dict[str, list[_Copy]] = {}
    for row in rows:
        if row[ROLE] == "tool":
            answered = waiting.get(as_text(row[ANSWERS]) or "")
            if answered:
                answered.pop(0).result = as_text(row[CONTENT])
            continue
        made: dict[str, list[_Copy]] = {}
        for one in _made_in(row):
            found.append(_Copy(identity_of(one), one.any_arguments))
            made.setdefault(one.any_id, []).append(found[-1])
        waiting.update(made)
    return found


def _same(one: str, other: str) -> bool:
    """Compaction writes arguments anew: the same JSON is the same."""
    if one == other:
        return True
    try:
        return bool(json.loads(one) == json.loads(other))
    except (ValueError, RecursionError):
        return False


WORD = re.compile(r"[\w./:@~+-]+")
NAMING = re.compile(r"[\d_./:@~-]")


class Summary:
    """What a summary names, asked of one call or message after the other."""

    def __init__(self, body: str) -> None:
        self.text = _squeezed(body)
        self.words = set(_words_of(body))
        self.words |= {word.rpartition("/")[2] for word in self.words if "/" in word}

    def fate_of_call(self, arguments: str) -> Fate:
        return "told" if self._tells_call(arguments) else "gone"

    def fate_of_text(self, text: str) -> Fate:
        return "told" if self._tells_text(text) else "gone"

    def _tells_call(self, arguments: str) -> bool:
        """Whether it names what the call was about: at least half of the paths, names and numbers in it.

        A call without any is named where its text stands in the summary.
        """
        if not self.text or not self._shares_a_word(arguments):
            return False
        values = [value for value in _texts(arguments) if len(value) <= LONGEST_TOLD] or [arguments[:LONGEST_TOLD]]
        names = {
            word for value in values for word in _words_of(value) if NAMING.search(word) and len(word) >= LEAST_WORD
        }
        if names:
            return self._share(names) >= SHARE_TOLD
        return any(len(value) >= LEAST_WORD and _squeezed(value) in self.text for value in values)

    def _tells_text(self, text: str) -> bool:
        """Whether it repeats what was said, or at least half of its longer words."""
        if not self.text:
            return False
        start = _squeezed(text[:LONGEST_TOLD])
        if len(start) >= LEAST_WORD and start in self.text:
            return True
        words = {word for word in _words_of(text[: 4 * LONGEST_TOLD]) if len(word) >= LEAST_WORD}
        return len(words) >= LEAST_WORDS and self._share(words) >= SHARE_TOLD

    def _shares_a_word(self, arguments: str) -> bool:
        """Most calls that are gone share nothing with the summary: that is seen before anything is decoded."""
        found = {word.strip("./:-") for word in WORD.findall(arguments.lower())}
        return not self.words.isdisjoint(found) or not self.words.isdisjoint(
            [word.rpartition("/")[2] for word in found if "/" in word]
        )

    def _share(self, words: set[str]) -> float:
        return sum(word in self.words or word.rpartition("/")[2] in self.words for word in words) / len(words)


def _words_of(text: str) -> list[str]:
    return [word for found in WORD.findall(text.lower()) if (word := found.strip("./:-"))]


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())


def _texts(arguments: str) -> list[str]:
    """The texts among a call's arguments, at any depth."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return [arguments]
    found: list[str] = []
    open_values: list[Any] = [value]
    while open_values:
        one = open_values.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            open_values += one.values()
        elif isinstance(one, list):
            open_values += one
    return found
