"""Warm session by session, at the requests to the model: what a session drew is put in at each of them.

Called within the agent, by Hermes 0.17 and later, whatever way a session begins. A session is looked up once: what it
drew before, what it comes from, or else which rule is for it. Whatever goes wrong makes it cold from its start, is
written down as soon as that is possible, and never reaches the agent. Nothing beyond the standard library is taken.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import quote

from warm_tui.agent.recording import Queue, connected, may_hold_rules, note_unrecorded
from warm_tui.agent.request_forms import Asked, Item, with_messages
from warm_tui.library.trials import (
    Circumstances,
    Draw,
    decision_of,
    messages_of,
    rules_of,
    statements_of,
)
from warm_tui.paths import Home, find_home
from warm_tui.trials.drawing import Decision, decide, inherited, not_drawn
from warm_tui.trials.rules import Beginning, Rule, first_match

logger = logging.getLogger(__name__)

MOST_REMEMBERED = 10_000
PATIENCE_SECONDS = 0.1
LOOK_SECONDS = 20.0
"""No two looks at what trials have shown come sooner after one another, of however many agents."""

NOT_WRITTEN = "the library could not be written"
BEGUN = "it had begun already, or begins with messages of a file"
OF_ANOTHER = "it comes from a session that was not drawn"
UNKNOWN_FORM = "its requests have a form that is not known"
NO_TOOLS = "it is given no tools"
UNREADABLE = "the agent's own database could not be read"
UNUSABLE = "the library could not be read"
NO_MESSAGES = "the messages of a template are missing"

CLAIM = (
    "INSERT INTO looks (what, at) VALUES ('trials', ?)"
    " ON CONFLICT (what) DO UPDATE SET at = excluded.at WHERE at < ? OR at > ?"
)


class Told(NamedTuple):
    """What a session is given, as long as this process lives."""

    decision: Decision | None
    messages: Sequence[Item]
    """None of them where it is cold."""


COLD = Told(None, ())


class Recorded(NamedTuple):
    """What the agent itself has written down of a session."""

    source: str
    folder: str
    parent: str


NOTHING = Recorded("", "", "")


class _OpenLibrary:
    """The library, kept open: to open it, and even more to close it, takes longer than all that is asked of it."""

    def __init__(self) -> None:
        self._file: tuple[Path, int, int] | None = None
        self._connection: sqlite3.Connection | None = None

    def connection(self, path: Path) -> sqlite3.Connection | None:
        """None where there is none that can be used. One that was set aside is no longer asked."""
        file = _file_at(path)
        if file is None or file != self._file:
            self._close()
            self._connection = connected(path, PATIENCE_SECONDS, shared=True) if file is not None else None
            self._file = _file_at(path) if self._connection is not None else None
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._file = None


def _file_at(path: Path) -> tuple[Path, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return path, status.st_dev, status.st_ino


class Warming:
    """The sessions of this process."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._told: dict[str, Told] = {}
        self._lock = Lock()
        self._library = _OpenLibrary()

    def request(
        self, root: Callable[[], Path], session_id: str, request: Item, about: Mapping[str, Any]
    ) -> Item | None:
        """The request as it is to be sent; None: as it is. `about`: what Hermes says beside it."""
        platform, *rest = (
            str(about.get(name) or "") for name in ("platform", "api_mode", "provider", "model", "base_url")
        )
        asked = Asked(request, *rest)
        # Two requests of one session shall not be told different things.
        with self._lock:
            told = self._told.get(session_id) or self._found(root, session_id, platform, asked)
        return with_messages(asked, told.messages) if told.messages and asked.form else None

    def _found(self, root: Callable[[], Path], session_id: str, platform: str, asked: Asked) -> Told:
        """Cold, should anything fail: a session is not warmed in its midst."""
        told, home = COLD, find_home(root())
        try:
            told = self._looked_up(home, session_id, platform, asked)
        except Exception:
            told = _unrecorded(home, session_id)
            raise
        finally:
            self._remember(session_id, told)
        return told

    def is_wanted(self, root: Callable[[], Path], session_id: str = "") -> bool:
        """Whether requests are to be seen at all, which alone costs a copy of each: while a rule runs, and in sessions
        that began warm, or come from one that did."""
        home = find_home(root())
        with self._lock:
            connection = self._library.connection(home.library)
            if connection is None:
                # Whether rules run is not known, and may be by the first request.
                return may_hold_rules(home.library)
            if connection.execute("SELECT 1 FROM trials WHERE running LIMIT 1").fetchone():
                return True
            if not session_id or connection.execute("SELECT 1 FROM draws LIMIT 1").fetchone() is None:
                return False
            drew = decision_of(connection, session_id)
            if drew is None and (recorded := recorded_of(home.root / "state.db", session_id)) and recorded.parent:
                drew = decision_of(connection, recorded.parent)
            return drew is not None and bool(drew.content)

    def look_is_due(self, root: Callable[[], Path], session_id: str) -> bool:
        """Whether this process shall have somebody look at what trials have shown, now that a drawn session rests."""
        drew = self.decision(session_id)
        if drew is None or not drew.drawn:
            return False
        with self._lock:
            connection = self._library.connection(find_home(root()).library)
            now = time.time()
            return connection is not None and connection.execute(CLAIM, (now, now - LOOK_SECONDS, now)).rowcount > 0

    def decision(self, session_id: str) -> Decision | None:
        told = self._told.get(session_id)
        return told.decision if told else None

    def _remember(self, session_id: str, told: Told) -> None:
        self._told[session_id] = told
        while len(self._told) > MOST_REMEMBERED:
            self._told.pop(next(iter(self._told)))

    def _looked_up(self, home: Home, session_id: str, platform: str, asked: Asked) -> Told:
        connection = self._library.connection(home.library)
        if connection is None:
            return _unrecorded(home, session_id) if may_hold_rules(home.library) else COLD
        known = decision_of(connection, session_id)
        if known is None:
            drawn = _drawn(connection, home, session_id, platform, asked)
            known = self._kept(connection, home, drawn, Circumstances(platform, asked.model, asked.mode, time.time()))
        if known is None or not known.content:
            return Told(known, ())
        return Told(known, messages_of(connection, known.content) or ())

    def _kept(
        self, connection: sqlite3.Connection, home: Home, drawn: Decision | None, how: Circumstances
    ) -> Decision | None:
        """As it stands in the library: another process may have been first. Before it stands there nothing is sent."""
        if drawn is None:
            return None
        try:
            connection.execute("BEGIN IMMEDIATE")
            for sql, values in statements_of(Draw(drawn, how)):
                connection.execute(sql, values)
            connection.execute("COMMIT")
            return decision_of(connection, drawn.session_id)
        except (sqlite3.Error, UnicodeError):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            cold = not_drawn(drawn.session_id, drawn.reason or NOT_WRITTEN)
            logger.warning("warm-tui could not write down what session %s drew: it stays cold", drawn.session_id)
            note_unrecorded(home, drawn.session_id)
            for sql, values in statements_of(Draw(cold, how)):
                self._queue.put_off(home.library, sql, values)
            return cold


def _unrecorded(home: Home, session_id: str) -> Told:
    """Cold, where it is not known whether a rule is for it: that is noted where it can be."""
    note_unrecorded(home, session_id)
    return Told(not_drawn(session_id, UNUSABLE), ())


def _drawn(connection: sqlite3.Connection, home: Home, session_id: str, platform: str, asked: Asked) -> Decision | None:
    """None where no rule is for it."""
    rules = rules_of(connection)
    if not rules and connection.execute("SELECT 1 FROM draws LIMIT 1").fetchone() is None:
        return None
    recorded = recorded_of(home.root / "state.db", session_id)
    if recorded is not None and recorded.parent:
        parent = decision_of(connection, recorded.parent)
        if parent is not None:
            return inherited(session_id, parent)
    source, folder, _ = recorded or NOTHING
    folder = folder or os.environ.get("TERMINAL_CWD", "") or _working_folder()
    session = Beginning(session_id, source or platform, asked.model, folder, asked.first_words)
    rule = first_match(rules, session)
    if rule is None:
        return None
    reason = _hindrance(connection, rule, asked, recorded)
    return not_drawn(session_id, reason) if reason else decide(session, (rule,))


def _hindrance(connection: sqlite3.Connection, rule: Rule, asked: Asked, recorded: Recorded | None) -> str:
    """Why a session that a rule is for cannot be drawn, whatever it would draw."""
    if recorded is None:
        return UNREADABLE
    if recorded.parent:
        return OF_ANOTHER
    if asked.form is None:
        return UNKNOWN_FORM
    if asked.begun:
        return BEGUN
    if not asked.offers_tools:
        return NO_TOOLS
    there = all(messages_of(connection, each.content) for each in rule.revisions)
    return "" if there else NO_MESSAGES


def recorded_of(database: Path, session_id: str) -> Recorded | None:
    """By whatever version of Hermes; None where that cannot be read. Not every way into it writes sessions down."""
    if not database.exists():
        return NOTHING
    if not database.is_file():
        return None
    uri = f"file:{quote(os.fsencode(database.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE_SECONDS)) as connection:
            connection.row_factory = sqlite3.Row
            row = connection.execute("SELECT * FROM sessions WHERE id = ?", (session_id,)).fetchone()
    except sqlite3.Error:
        return None
    if row is None:
        return NOTHING
    there = row.keys()
    source, folder, parent = (
        str(row[name] or "") if name in there else "" for name in ("source", "cwd", "parent_session_id")
    )
    return Recorded(source, folder, parent)


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
