"""What survived a compaction: kept word for word, kept but shortened, told by the summary only, or gone."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from warm_tui.reliability.profile import Judged
from warm_tui.sessions.cuts import Cut, cuts_of
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import CallIdentity, MadeCall, Message
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.tokens import estimate_messages

Fate: TypeAlias = Literal["kept", "shortened", "told", "gone"]
FATES: tuple[Fate, ...] = ("kept", "shortened", "told", "gone")

LONGEST_TOLD = 300
LEAST_WORD = 4
LEAST_WORDS = 3
SHARE_TOLD = 0.5


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
    messages_before: int
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


def survivals(life: Life, calls: Iterable[Judged]) -> list[Survival]:
    """What each compaction of a life left, given the life's calls."""
    tracer = _Tracer(calls, life.facts)
    return [
        Survival(
            index,
            cut.session_id,
            cut.in_place,
            cut.summary_body,
            cut.summary,
            list(tracer.pieces(cut)),
            len(cut.before),
            estimate_messages(cut.before),
            estimate_messages(cut.after),
        )
        for index, cut in enumerate(cuts_of(life), 1)
    ]


class _Copy(msgspec.Struct, gc=False):
    identity: CallIdentity
    arguments: str
    result: str | None = None


class _Tracer:
    """Follows calls over the cuts of a life: a copy is known by what it has in common with the call that was made."""

    def __init__(self, calls: Iterable[Judged], facts: AgentFacts) -> None:
        self.facts = facts
        self.made: dict[int, list[Judged]] = {}
        self.origins: dict[CallIdentity, Judged] = {}
        for judged in calls:
            self.made.setdefault(judged[0].message_id, []).append(judged)

    def pieces(self, cut: Cut) -> Iterator[Piece]:
        summary = Summary(cut.summary_body or "")
        calls = self._calls_in(cut.before)
        copies = _copies_of(calls, self._calls_in(cut.after))
        # Most copies are of the end of what was live: a message said twice is kept where it was said last.
        copies_left = Counter(_words(message) for message in cut.after)
        last = {at for at in reversed(range(len(cut.before))) if _taken(copies_left, _words(cut.before[at]))}
        made = iter(zip(calls, copies, strict=True))
        for at, message in enumerate(cut.before):
            if message.role not in ("user", "assistant"):
                continue
            if message.text.strip():
                fate: Fate = "kept" if at in last else summary.fate_of_text(message.text)
                # A summary that stood before is told again by the next.
                fate = "told" if fate == "gone" and message.is_summary else fate
                yield Piece("summary" if message.is_summary else message.role, message.text, fate)
            for nth, call in enumerate(message.calls):
                yield self._call(message, nth, call, *next(made), summary)

    def _call(
        self, message: Message, nth: int, call: MadeCall, was: _Copy, copy: _Copy | None, summary: Summary
    ) -> Piece:
        fresh = self.made.get(message.id)
        if fresh is not None:
            self.origins[was.identity] = fresh[nth]
        judged, text = self.origins.get(was.identity), f"{call.tool_name} {was.arguments}"
        if copy is None:
            return Piece("call", text, summary.fate_of_call(was.arguments), judged)
        if was.result == copy.result and _same(was.arguments, copy.arguments):
            return Piece("call", text, "kept", judged)
        return Piece("call", text, "shortened", judged, f"{copy.arguments}\n{copy.result or ''}")

    def _calls_in(self, messages: Iterable[Message]) -> list[_Copy]:
        """Each call with its result, in order."""
        calls: list[_Copy] = []
        waiting: dict[str, list[_Copy]] = {}
        for message in messages:
            if message.role == "tool":
                if answered := waiting.get(message.answers):
                    answered.pop(0).result = message.text
                continue
            made: dict[str, list[_Copy]] = {}
            for call in message.calls:
                calls.append(_Copy(self.facts.identity_of(call), call.arguments))
                made.setdefault(call.id, []).append(calls[-1])
            waiting.update(made)
        return calls


def _words(message: Message) -> tuple[str, str]:
    return message.role, message.text


def _taken(counts: Counter[tuple[str, str]], words: tuple[str, str]) -> bool:
    """Whether there is one left of these; if so, it is taken."""
    left = counts[words] > 0
    counts[words] -= left
    return left


def _copies_of(calls: Sequence[_Copy], after: Sequence[_Copy]) -> list[_Copy | None]:
    """For each call its copy, or none. Of calls that look the same, those with the same result, then the last."""
    alike: dict[CallIdentity, list[_Copy]] = {}
    for copy in after:
        alike.setdefault(copy.identity, []).append(copy)
    copy_of_call: list[_Copy | None] = [None] * len(calls)
    for by_result in (True, False):
        for at in reversed(range(len(calls))):
            copies = alike.get(calls[at].identity)
            if copies and copy_of_call[at] is None:
                same = [copy for copy in copies if not by_result or copy.result == calls[at].result]
                if same:
                    copy_of_call[at] = same[-1]
                    copies.remove(same[-1])
    return copy_of_call


def _same(arguments: str, of_copy: str) -> bool:
    """Compaction writes arguments anew: the same JSON is the same."""
    if arguments == of_copy:
        return True
    try:
        return bool(json.loads(arguments) == json.loads(of_copy))
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
        words = {word.strip("./:-") for word in WORD.findall(arguments.lower())}
        return not self.words.isdisjoint(words) or not self.words.isdisjoint(
            [word.rpartition("/")[2] for word in words if "/" in word]
        )

    def _share(self, words: set[str]) -> float:
        return sum(word in self.words or word.rpartition("/")[2] in self.words for word in words) / len(words)


def _words_of(text: str) -> list[str]:
    return [word for match in WORD.findall(text.lower()) if (word := match.strip("./:-"))]


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())


def _texts(arguments: str) -> list[str]:
    """The texts among a call's arguments, at any depth."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return [arguments]
    texts: list[str] = []
    open_values: list[Any] = [value]
    while open_values:
        inner = open_values.pop()
        if isinstance(inner, str):
            texts.append(inner)
        elif isinstance(inner, dict):
            open_values += inner.values()
        elif isinstance(inner, list):
            open_values += inner
    return texts
