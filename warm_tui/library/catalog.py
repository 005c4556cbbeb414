"""One home's sources and library together: find a session, list profiles, tell a session's life."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple, TypeVar

from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.library.learned import NotedReviews, noted_reviews
from warm_tui.library.listings import keep_listing, recall_listing
from warm_tui.library.profiles import Progress, profile_all, profile_one
from warm_tui.library.verdicts import own_verdicts
from warm_tui.paths import Home
from warm_tui.reliability.filters import Filter, each_once, is_copy, newest_last, sort_profiles
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Judged, Profile, judged, unprofiled
from warm_tui.reliability.totals import Totals, grouped
from warm_tui.sessions.elsewhere import away_in_words
from warm_tui.sessions.learning import Learned, learned_in
from warm_tui.sessions.lineage import Life, newest_lives, read_life, roots_of
from warm_tui.sessions.model import Call, Session
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.recordings import FileSource
from warm_tui.sessions.source import Source
from warm_tui.sessions.subagents import begun_by

T = TypeVar("T")

NEWEST_FIRST = "-started_at"


class Listing(NamedTuple):
    """A window of the lives that match. What all of them come to, where that was asked."""

    total: int
    profiles: list[Profile]
    totals: Totals | None = None
    groups: Mapping[str, Totals] = {}


class Helper(NamedTuple):
    """The session of one, and which call began it."""

    session: Session
    begun_in: str
    begun_by: str
    calls: list[Judged]


class Catalog:
    """Everything a screen or a command asks about recorded sessions. For one thread."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.sources: list[Source] = []
        self.unread: list[str] = []
        """Why some places cannot be read: what stands in the others is told without them."""
        for path in home.databases:
            try:
                self.sources.append(open_source(path))
            except Trouble as trouble:
                self.unread.append(str(trouble))
        if self.unread and not self.sources:
            raise Trouble(self.unread[0])
        self._interrupted = False
        self._read_elsewhere = ""
        self._library: Library | None = None
        if os.path.isfile(home.library):
            self._each_listing(recall_listing)

    @property
    def library(self) -> Library:
        """Opened when something is to be remembered: what cannot be found leaves no trace."""
        if self._library is None:
            self._library = open_library(self.home.library)
        return self._library

    @property
    def notes(self) -> list[str]:
        """What could not be read, and what had to be done to the library, or could not be."""
        return [
            *self.unread,
            *(self._library.notes if self._library else ()),
            *filter(None, (self.away, self._read_elsewhere)),
        ]

    @property
    def away(self) -> str:
        """Which machines are away, so that what is shown of them is what was last had."""
        return away_in_words((source.path for source in self.sources), time.time())

    def close(self) -> None:
        if self._library:
            self._each_listing(keep_listing)
            self._library.close()
        for source in self.sources:
            source.close()

    def _each_listing(self, take: Callable[[FileSource, Library], None]) -> None:
        """Without it all is told anew: what goes wrong here goes wrong elsewhere, where it is told."""
        with suppress(Trouble, sqlite3.Error):
            for source in self.sources:
                if isinstance(source, FileSource):
                    take(source, self.library)

    @contextmanager
    def going_on_without(self, source: Source) -> Iterator[None]:
        """What one of several places cannot tell is noted, and the others are told without it."""
        try:
            yield
        except Trouble as trouble:
            if self._interrupted or self.sources == [source]:
                raise
            self.unread.append(str(trouble))
            self.sources = [other for other in self.sources if other is not source]
            source.close()

    def interrupt(self) -> None:
        """From another thread: nobody waits any more for what is being read."""
        self._interrupted = True
        for source in self.sources:
            source.interrupt()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def profiles(self, progress: Progress | None = None) -> list[Profile]:
        """Every life's profile of every source, the newest first."""
        found: list[Profile] = []
        for source in self.sources:
            with self.going_on_without(source):
                found += self._remembering(partial(profile_all, source, progress=progress))
        if len(self.sources) > 1:
            found = each_once(found)
            found.sort(key=newest_last, reverse=True)
        return found

    def profiles_here(self) -> list[Profile]:
        """Those whose messages are at hand: nobody reads through the sessions of other machines."""
        return [profile for profile in self.profiles() if not profile.machine]

    def window(
        self,
        query: Filter,
        order: str = NEWEST_FIRST,
        limit: int | None = None,
        offset: int = 0,
        progress: Progress | None = None,
        *,
        grouping: str = "",
        totals: bool = False,
    ) -> Listing:
        """The window asked for. The newest few of one source are had without profiling the rest."""
        all_wanted = bool(query.terms or grouping or totals)
        if order == NEWEST_FIRST and not all_wanted and limit is not None and len(self.sources) == 1:
            source = self.sources[0]
            total, roots = newest_lives(source, limit, offset)
            profiles = self._remembering(lambda library: [profile_one(source, root, library) for root in roots])
            return Listing(total, profiles)
        matching = self.matching(query, self.profiles(progress))
        ordered = matching if order == NEWEST_FIRST else sort_profiles(matching, order)
        groups = grouped(ordered, grouping, order) if grouping else {}
        if groups:
            ordered = [profile for group in groups.values() for profile in group]
        stop = None if limit is None else offset + limit
        return Listing(
            len(ordered),
            ordered[offset:stop],
            Totals.of(ordered) if totals or grouping else None,
            {name: Totals.of(group) for name, group in groups.items()},
        )

    def matching(self, query: Filter, profiles: list[Profile]) -> list[Profile]:
        return query.matching(profiles, time.time(), self.with_text(query))

    def with_text(self, query: Filter) -> dict[str, set[str]]:
        """For the words a filter looks for in messages: the sessions in which they stand."""
        found: dict[str, set[str]] = {words: set() for words in query.texts}
        for words, names in found.items():
            for source in self.sources:
                with self.going_on_without(source):
                    for session_id in source.sessions_with_text(words):
                        names |= {session_id, *(f"{place}/{session_id}" for place in _places(source))}
        return found

    def roots(self) -> dict[str, str]:
        """For each session the one that it came from: compaction went on from that, or it was branched."""
        roots: dict[str, str] = {}
        for source in self.sources:
            with self.going_on_without(source):
                roots |= roots_of(source)
        return roots

    def find(self, prefix: str) -> tuple[Source, Session]:
        """The session of this id, or of the one id that begins so; behind `agent/` or `home/`, of that one's."""
        prefix = prefix.encode("utf-8", "replace").decode()
        if found := self._exactly(prefix, self.sources):
            return found
        place, _, name = prefix.partition("/")
        there = [source for source in self.sources if name and place in _places(source)]
        if found := self._exactly(name, there):
            return found
        candidates: list[str] = []
        for sources, begun in ((self.sources, prefix), (there, name)):
            for source in sources if begun else ():
                with self.going_on_without(source):
                    candidates += source.ids_beginning(begun)
            candidates = list(dict.fromkeys(candidates))
            # Helpers that stand in their parent's file are called after it.
            candidates = [name for name in candidates if name.rpartition(".")[0] not in candidates]
            if len(candidates) == 1 and (found := self._exactly(candidates[0], sources)):
                return found
            if candidates:
                break
        if not candidates:
            raise Trouble(f"There is no session {prefix!r} in {self._where()}.")
        shown = ", ".join(candidates[:5])
        more = ", ..." if len(candidates) > 5 else ""
        raise Trouble(f"{prefix!r} is the beginning of several sessions: {shown}{more}.")

    def _exactly(self, session_id: str, sources: Sequence[Source]) -> tuple[Source, Session] | None:
        """Of several places that have it, the one in which it was gone on with; another of that id is not it."""
        found: list[tuple[Source, Session]] = []
        for source in sources:
            with self.going_on_without(source):
                if session := source.session(session_id):
                    found.append((source, session))
        first = unprofiled([found[0][1]]) if found else None
        copies = [each for each in found if first is not None and is_copy(unprofiled([each[1]]), first)]
        return max(copies, key=lambda each: (each[0].stamp(session_id).messages, each[1].ended_at or 0.0), default=None)

    def name_of(self, source: Source, session: Session) -> str:
        """By which it is asked for: where another has its id, too, behind its agent or its home."""
        names = (session.id, *(f"{place}/{session.id}" for place in _places(source)))
        return next((name for name in names if self.find(name)[1].name == session.name), session.id)

    def profile_called(self, session_id: str) -> Profile | None:
        """Of the life that the session of this very id belongs to."""
        found = self._exactly(session_id, self.sources)
        return self._remembering(lambda library: profile_one(*found, library)) if found else None

    def profile(self, prefix: str) -> Profile:
        """Of the life that a session belongs to."""
        source, session = self.find(prefix)
        return self._remembering(lambda library: profile_one(source, session, library))

    def life(self, prefix: str) -> tuple[Session, Life, list[Judged]]:
        """The whole life a session belongs to, each call with its verdict."""
        source, session = self.find(prefix)
        life = read_life(source, session)
        if source.machine:
            self._read_elsewhere = f"Read from {source.machine}, masked there; nothing of it is kept here."
        return session, life, self._judged(life)

    def learned(self, prefix: str) -> list[Learned]:
        """What was kept for later sessions in the life that a session belongs to."""
        source, session = self.find(prefix)
        life, noted = read_life(source, session), self.noted_reviews()
        return [
            each
            for member, part, messages in life.walk()
            for each in learned_in(member.id, messages, part.calls, life.facts, noted.get(member.id, ()))
        ]

    def _judged(self, life: Life) -> list[Judged]:
        calls: list[Judged] = []
        for member, part, _ in life.walk():
            calls += judged(part.calls, life.facts, self.own(member))
        return calls

    def helpers(self, prefix: str, calls: Sequence[Call]) -> list[Helper]:
        """Those that calls of a session gave work to, and their own, each behind the one that began it."""
        source, _ = self.find(prefix)
        return list(self._helpers(source, calls, ()))

    def _helpers(self, source: Source, calls: Sequence[Call], within: tuple[str, ...]) -> Iterator[Helper]:
        for (session_id, key), begun in begun_by(source, calls).items():
            for session in begun:
                if session.id not in within:
                    done = self._judged(read_life(source, session))
                    yield Helper(session, session_id, key, done)
                    yield from self._helpers(source, [call for call, _ in done], (*within, session.id))

    def own(self, session: Session) -> dict[str, Verdict]:
        """The operator's own verdicts on a session's calls."""
        return self._remembering(lambda library: own_verdicts(library, session.name))

    def noted_reviews(self) -> NotedReviews:
        """What agents' reviews of their sessions were seen to keep, by session."""
        return self._remembering(noted_reviews)

    def _remembering(self, ask: Callable[[Library], T]) -> T:
        """Ask the library; if it proves damaged, ask the new one that takes its place."""
        try:
            return ask(self.library)
        except sqlite3.DatabaseError as error:
            self.library.mend(error)
            return ask(self.library)

    def _where(self) -> str:
        return " or ".join(str(path) for path in self.home.databases)


def _places(source: Source) -> tuple[str, ...]:
    """By which its sessions are told from others of their ids."""
    return tuple(filter(None, (source.machine, source.facts.agent, source.home)))
