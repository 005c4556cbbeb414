"""Sessions that stand on another machine: what was last had of them, kept in a file for each of its homes.

Their messages stay there. Whoever wants to read a session asks for it each time, by what is given to `ask_by`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

import msgspec

from warm_tui.errors import Trouble
from warm_tui.sessions.chat.source import CHAT
from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.codex.facts import CODEX
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.lineage import NewestLives
from warm_tui.sessions.model import Message, Session
from warm_tui.sessions.opencode.facts import OPENCODE
from warm_tui.sessions.source import NO_MESSAGES, Health, Source, Stamp
from warm_tui.sessions.text import plural
from warm_tui.watching import FileState, file_state
from warm_tui.writing import check_database, make_private, read_ours

ENDING = ".elsewhere"
SEEN = "seen.json"
BUSY_SECONDS = 5.0
FACTS = {facts.agent: facts for facts in (HERMES, CLAUDE_CODE, CODEX, OPENCODE, CHAT)}
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), body BLOB);
CREATE TABLE IF NOT EXISTS lives (name TEXT PRIMARY KEY, stamp TEXT, profile BLOB, failures BLOB);
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, life TEXT, started REAL, messages INTEGER, stamp TEXT, body BLOB);
CREATE INDEX IF NOT EXISTS by_life ON sessions (life);
CREATE INDEX IF NOT EXISTS by_start ON sessions (started);
"""


class About(msgspec.Struct, frozen=True):
    """Whose sessions these are, and as far as what they were had."""

    machine: str
    home: str
    agent: str
    sign: str
    """What the machine calls this place."""
    cursor: bytes = b""
    """How far that was told, in the machine's own words."""
    shape: int = 0
    """As what the profiles were kept: those of another version of ours have to be had anew."""


class LifeThere(msgspec.Struct, frozen=True, array_like=True):
    """A life as its machine tells it."""

    name: str
    stamp: str
    sessions: list[Session]
    counts: list[int]
    """How many messages each of these has."""
    profile: bytes
    failures: bytes


class Asking(Protocol):
    """Whoever can ask the machines. Raises Trouble where one is away."""

    def transcript(self, about: About, session_id: str) -> tuple[list[Message], list[Message]]:
        """The messages of a session, and those that were taken back, masked."""

    def sessions_with_text(self, about: About, words: str) -> set[str]: ...


_asking: list[Callable[[], Asking]] = []


def ask_by(asking: Callable[[], Asking] | None) -> None:
    """From now on, in this process. It is called when somebody asks first."""
    _asking[:] = [] if asking is None else [cache(asking)]


# --- the file ---


class Kept:
    """What is kept of one home elsewhere. For one thread."""

    def __init__(self, path: Path, *, making: bool = False) -> None:
        check_database(path)
        if making:
            make_private(path)
        uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=rw"
        self.connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        if making:
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.executescript(SCHEMA)
        self.connection.execute("PRAGMA synchronous = NORMAL")

    @property
    def about(self) -> About | None:
        row = self.connection.execute("SELECT body FROM about").fetchone()
        return msgspec.json.decode(row[0], type=About) if row else None

    def put(self, about: About, lives: Sequence[LifeThere], gone: Iterable[str] = ()) -> None:
        """All of it, or nothing: what is had and how far that is go together."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            names = [(name,) for name in (*gone, *(life.name for life in lives))]
            self.connection.executemany("DELETE FROM sessions WHERE life = ?", names)
            self.connection.executemany("DELETE FROM lives WHERE name = ?", names)
            rows = [(life.name, life.stamp, life.profile, life.failures) for life in lives]
            self.connection.executemany("INSERT INTO lives VALUES (?, ?, ?, ?)", rows)
            sessions = [
                (each.id, life.name, each.started_at or 0.0, count, life.stamp, msgspec.msgpack.encode(each))
                for life in lives
                for each, count in zip(life.sessions, life.counts, strict=True)
            ]
            self.connection.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)", sessions)
            self.connection.execute("INSERT OR REPLACE INTO about VALUES (1, ?)", (msgspec.json.encode(about),))
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def stamps(self) -> dict[str, str]:
        return dict(self.connection.execute("SELECT name, stamp FROM lives"))

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LifeKept(NamedTuple):
    name: str
    stamp: str
    profile: bytes
    failures: bytes


# --- as a source ---


class Elsewhere(Source):
    """The sessions of one home of another machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._asked: dict[str, tuple[list[Message], list[Message]]] = {}
        """For this view alone: it is gone with it."""
        try:
            with Kept(path) as kept:
                about = kept.about
        except (OSError, sqlite3.Error, msgspec.MsgspecError) as error:
            raise Trouble(f"{path} cannot be read: {error}.") from error
        if about is None or about.agent not in FACTS:
            raise Trouble(f"{path} holds nothing of a machine that is known here.")
        self.about, self.facts, self.machine = about, FACTS[about.agent], about.machine

    @cached_property
    def home(self) -> str:
        return self.about.home

    def _rows(self, sql: str, *given: object) -> list[tuple[Any, ...]]:
        """Open no longer than it takes: of a large fleet, there are more homes than a process may have files open."""
        try:
            with Kept(self.path) as kept:
                return kept.connection.execute(sql, given).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise Trouble(f"{self.path} cannot be read: {error}.") from error

    def _found(self, sql: str, *given: object) -> list[Session]:
        return [self._session(body) for (body,) in self._rows(sql, *given)]

    def _session(self, body: bytes) -> Session:
        try:
            return msgspec.msgpack.decode(body, type=Session)
        except msgspec.MsgspecError as error:
            raise Trouble(f"{self.path} cannot be read: {error}.") from error

    def sessions(self) -> list[Session]:
        return self._found("SELECT body FROM sessions ORDER BY started DESC, id DESC")

    def newest(self, limit: int, offset: int) -> list[Session]:
        return self._found("SELECT body FROM sessions ORDER BY started DESC, id DESC LIMIT ? OFFSET ?", limit, offset)

    def count_sessions(self) -> int:
        return int(self._rows("SELECT count(*) FROM sessions")[0][0])

    def glimpse(self, limit: int) -> NewestLives:
        """The newest lives, in one look at the file: of a large fleet there are many."""
        newest = "SELECT (SELECT count(*) FROM lives), body FROM sessions WHERE id = life"
        rows = self._rows(f"{newest} ORDER BY started DESC, id DESC LIMIT ?", limit)
        return NewestLives(rows[0][0] if rows else 0, [self._session(body) for _, body in rows])

    def related(self) -> list[Session]:
        return [session for session in self.sessions() if session.came_from or session.handed_on]

    def session(self, session_id: str) -> Session | None:
        return next(iter(self._found("SELECT body FROM sessions WHERE id = ?", session_id)), None)

    def ids_beginning(self, prefix: str, limit: int = 6) -> list[str]:
        sql = "SELECT id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT ?"
        return [name for (name,) in self._rows(sql, len(prefix), prefix, limit)]

    def stamps(self) -> dict[str, Stamp]:
        rows = self._rows("SELECT id, messages, stamp FROM sessions")
        return {name: Stamp(messages, stamp) for name, messages, stamp in rows}

    def stamp(self, session_id: str) -> Stamp:
        rows = self._rows("SELECT messages, stamp FROM sessions WHERE id = ?", session_id)
        return Stamp(*rows[0]) if rows else NO_MESSAGES

    def health(self) -> Health:
        return Health(self.count_sessions(), None, f"on {self.machine}, {had_in_words(self.path)}")

    # --- what was told of them ---

    def lives(self, names: Sequence[str]) -> list[LifeKept]:
        among = ", ".join("?" * len(names))
        sql = f"SELECT name, stamp, profile, failures FROM lives WHERE name IN ({among})"
        return list(map(LifeKept._make, self._rows(sql, *names)))

    def lives_stamps(self) -> dict[str, str]:
        return dict(self._rows("SELECT name, stamp FROM lives"))

    def life_of(self, session_id: str) -> LifeKept | None:
        sql = "SELECT name, lives.stamp, profile, failures FROM lives JOIN sessions ON life = name WHERE id = ?"
        return next(map(LifeKept._make, self._rows(sql, session_id)), None)

    # --- what is only there ---

    def with_taken_back(self, session_id: str) -> tuple[list[Message], list[Message]]:
        if session_id not in self._asked:
            self._asked[session_id] = self._ask().transcript(self.about, session_id)
        return self._asked[session_id]

    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        found = self.with_taken_back(session_id)[0]
        return found if first < 0 else found[:first]

    def sessions_with_text(self, words: str) -> set[str]:
        return self._ask().sessions_with_text(self.about, words)

    def sessions_with_call(self, call_id: str) -> list[str]:  # noqa: ARG002
        """Looked for in what is here alone: it would be asked of every session."""
        return []

    def _ask(self) -> Asking:
        if not _asking:
            raise Trouble(
                f"Transcripts of {self.machine} stand there, and nobody here may ask for them:"
                " `warm-tui fleet status` tells why."
            )
        return _asking[0]()


class ElsewhereReader:
    kind = "elsewhere"

    def usual_places(self) -> list[Path]:
        """Those of a home's fleet are found by the home."""
        return []

    def claims(self, path: Path) -> bool:
        return path.suffix == ENDING

    def open(self, path: Path) -> Elsewhere:
        return Elsewhere(path)

    def state(self, path: Path) -> FileState:
        return file_state(path)


ELSEWHERE_READER = ElsewhereReader()


# --- when the machines were last heard of ---

AWAY_SECONDS = 60.0


class LastSeen(msgspec.Struct, frozen=True):
    """Of each machine, the moment on this one, and what it told of itself."""

    machines: dict[str, float] = {}
    told: dict[str, msgspec.Raw] = {}
    trouble: str = ""
    """Why nobody was heard of when they were last asked."""
    left: dict[str, float] = {}
    """Who left for good, and when."""


def places_of(folder: Path) -> list[Path]:
    """Each home of each machine, of which something was had. `folder`: of the fleet."""
    return sorted(folder.glob(f"homes/*/*{ENDING}"))


def last_seen(folder: Path) -> LastSeen:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(read_ours(folder / SEEN), type=LastSeen)
    return LastSeen()


def had_in_words(path: Path) -> str:
    """When this place's machine was last heard of."""
    seen, name = last_seen(path.parent.parent.parent), path.parent.name
    if name in seen.left:
        return f"which left the fleet {_ago(time.time() - seen.left[name])}"
    at = seen.machines.get(name)
    return "never heard of since" if at is None else f"last seen {_ago(time.time() - at)}"


def away_in_words(places: Iterable[Path], now: float) -> str:
    """How many of these homes are on machines that are away; nothing where none is."""
    there = [place for place in places if place.suffix == ENDING]
    if not there:
        return ""
    told = last_seen(there[0].parent.parent.parent)
    seen = [told.machines.get(place.parent.name, 0.0) for place in there if place.parent.name not in told.left]
    away = [at for at in seen if now - at > AWAY_SECONDS]
    if not away:
        return ""
    when = _ago(now - max(away)) if max(away) else "never"
    return f"{len(away):,} of {plural(len(seen), 'home')} elsewhere away, last seen {when}."


def _ago(seconds: float) -> str:
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return f"{max(0, int(seconds))} s ago"
