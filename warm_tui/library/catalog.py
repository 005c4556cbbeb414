"""One home's databases and library together: find a session, list profiles, tell a session's life."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.library.profiles import Progress, profile_all, profile_one
from warm_tui.library.verdicts import own_verdicts
from warm_tui.paths import Home
from warm_tui.reliability.filters import Filter, sort_profiles
from warm_tui.reliability.profile import Judged, Profile, judged
from warm_tui.reliability.verdict import Verdict
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.lineage import Life, life_of, roots_of
from warm_tui.sessions.model import Session

T = TypeVar("T")

NEWEST_FIRST = "-started_at"


class Listing(NamedTuple):
    """A window of the sessions that match."""

    total: int
    profiles: list[Profile]


class Catalog:
    """Everything a screen or a command asks about recorded sessions. For one thread."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.databases = [HermesDb(path) for path in home.databases]
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        """Opened when something is to be remembered: what cannot be found leaves no trace."""
        if self._library is None:
            self._library = open_library(self.home.library)
        return self._library

    @property
    def notes(self) -> list[str]:
        """What had to be done to the library, or could not be."""
        return self._library.notes if self._library else []

    def close(self) -> None:
        if self._library:
            self._library.close()
        for database in self.databases:
            database.close()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def profiles(self, progress: Progress | None = None) -> list[Profile]:
        """Every profile of every database, the newest session first."""
        found = [
            profile
            for database in self.databases
            for profile in self._remembering(partial(profile_all, database, progress=progress))
        ]
        if len(self.databases) > 1:
            found.sort(key=lambda p: (p.started_at or 0.0, p.session_id), reverse=True)
        return found

    def window(
        self,
        query: Filter,
        order: str = NEWEST_FIRST,
        limit: int | None = None,
        offset: int = 0,
        progress: Progress | None = None,
    ) -> Listing:
        """The window asked for. The newest few of one database are had without profiling the rest."""
        if order == NEWEST_FIRST and not query.terms and limit is not None and len(self.databases) == 1:
            database = self.databases[0]
            window = database.newest(limit, offset)
            profiles = self._remembering(lambda library: [profile_one(database, s, library) for s in window])
            return Listing(database.count_sessions(), profiles)
        with_text = self.with_text(query)
        now = time.time()
        matching = [p for p in self.profiles(progress) if query.meets(p, now, with_text)]
        ordered = matching if order == NEWEST_FIRST else sort_profiles(matching, order)
        stop = None if limit is None else offset + limit
        return Listing(len(ordered), ordered[offset:stop])

    def with_text(self, query: Filter) -> dict[str, set[str]]:
        """For the words a filter looks for in messages: the sessions in which they stand."""
        return {
            words: {session_id for database in self.databases for session_id in database.sessions_with_text(words)}
            for words in query.texts
        }

    def roots(self) -> dict[str, str]:
        """For each session the one that its life began with."""
        return {name: root for database in self.databases for name, root in roots_of(database.sessions()).items()}

    def find(self, prefix: str) -> tuple[HermesDb, Session]:
        """The session of this id, or of the one id that begins so."""
        prefix = prefix.encode("utf-8", "replace").decode()
        candidates: list[tuple[HermesDb, str]] = []
        for database in self.databases:
            if exact := database.session(prefix):
                return database, exact
            if prefix:
                candidates += [(database, session_id) for session_id in database.ids_beginning(prefix)]
        if len(candidates) == 1:
            database, session_id = candidates[0]
            session = database.session(session_id)
            if session is not None:
                return database, session
        if not candidates:
            raise Trouble(f"There is no session {prefix!r} in {self._where()}.")
        shown = ", ".join(session_id for _, session_id in candidates[:5])
        more = ", ..." if len(candidates) > 5 else ""
        raise Trouble(f"{prefix!r} is the beginning of several sessions: {shown}{more}.")

    def profile(self, prefix: str) -> Profile:
        database, session = self.find(prefix)
        return self._remembering(lambda library: profile_one(database, session, library))

    def life(self, prefix: str) -> tuple[Session, Life, list[Judged]]:
        """The whole life a session belongs to, each call with its verdict."""
        database, session = self.find(prefix)
        life = life_of(database, session)
        verdicts: list[Judged] = []
        for member, part in zip(life.sessions, life.parts, strict=True):
            verdicts += judged(part.calls, self._own(member.id))
        return session, life, verdicts

    def _own(self, session_id: str) -> dict[str, Verdict]:
        return self._remembering(lambda library: own_verdicts(library, session_id))

    def _remembering(self, ask: Callable[[Library], T]) -> T:
        """Ask the library; if it proves damaged, ask the new one that takes its place."""
        try:
            return ask(self.library)
        except sqlite3.DatabaseError as error:
            self.library.mend(error)
            return ask(self.library)

    def _where(self) -> str:
        return " or ".join(str(path) for path in self.home.databases)
