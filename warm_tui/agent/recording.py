"""Write down, session by session, what an agent's sessions began with: `state.db` does not say it.

Called within the agent: nothing here may take long. A library that is locked is tried again at the next
occasion; one that cannot be used is left alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, NamedTuple
from urllib.parse import quote

from warm_tui.library.db import SCHEMA, open_library
from warm_tui.paths import Home, find_home
from warm_tui.writing import check_database, open_ours, read_ours, read_regular, write_whole

PATIENCE_SECONDS = 0.2
MAKING_SECONDS = 0.5
MOST_PENDING = 1_000
LARGEST = 20_000_000
VARIABLE = "HERMES_PREFILL_MESSAGES_FILE"
COMMAND_LINE, GATEWAY, CRON = "command line", "gateway", "cron"
LOADED, UNRECORDED = "plugin.json", "unrecorded"
LARGEST_LIST = 1_000_000
SOMEBODY_ELSES = "(a prefill file of somebody else)"


class Snapshot(NamedTuple):
    """What decides on the first messages, as it was at one moment; told apart only when that is asked for."""

    variable: str
    config: bytes
    messages: bytes
    activation: bytes


class Recorder:
    """What the sessions of this process began with."""

    def __init__(self, root: Path) -> None:
        self.home = find_home(root)
        self.at_start = snapshot(self.home)
        self.queue = Queue()
        self.unconfirmed: dict[str, tuple[Path, float, str]] = {}
        """Sessions that have not sent anything yet: their library, when they began, and with what, as we think."""
        self._began: dict[str, tuple[str, str]] = {}

    def loaded(self) -> None:
        """Note that an agent has taken this plugin in, and which: for whoever asks whether it works."""
        note = {"at": time.time(), "hermes": version_of_agent(), "python": sys.executable}
        write_whole(self.home.ours / LOADED, json.dumps(note))

    def began_with(self) -> str:
        """The template that this process's sessions begin with; nothing where they begin cold."""
        return self._arm("")[0]

    def started(self, root: Path, session_id: str, model: str, platform: str) -> None:
        """The first record stays: the agent calls this again for a session that it goes on with."""
        template, content = self._arm(platform)
        library, now = find_home(root).library, time.time()
        self.unconfirmed[session_id] = (library, now, template)
        while len(self.unconfirmed) > MOST_PENDING:
            self.unconfirmed.pop(next(iter(self.unconfirmed)))
        self.queue.write(
            library,
            "INSERT OR IGNORE INTO arms (session_id, template, content, model, platform, started_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (session_id, template, content, model, platform, now),
        )

    def sent(self, session_id: str, before: int) -> None:
        """So many messages stood before the session's own, in its first request."""
        library, began, template = self.unconfirmed.pop(session_id)
        began_with = (template or SOMEBODY_ELSES) if before > 0 else ""
        if began_with != template:
            sql = "UPDATE arms SET template = ?, content = '' WHERE session_id = ? AND started_at = ?"
            self.queue.write(library, sql, (began_with, session_id, began))

    def ended(self, root: Path, session_id: str, completed: bool, interrupted: bool) -> None:
        self.queue.write(
            find_home(root).library,
            "UPDATE arms SET ended_at = ?, completed = ?, interrupted = ? WHERE session_id = ?",
            (time.time(), completed, interrupted, session_id),
        )

    def finished(self, root: Path, session_id: str) -> None:
        """A note, and no more: what the session teaches is found out by whoever looks, not here."""
        sql = "UPDATE arms SET finished_at = ? WHERE session_id = ?"
        self.queue.write(find_home(root).library, sql, (time.time(), session_id))

    def _arm(self, platform: str) -> tuple[str, str]:
        """Template and content. A job of cron reads the settings anew; every other agent read them when it started."""
        way = {"cron": CRON, "cli": COMMAND_LINE, "": COMMAND_LINE}.get(platform, GATEWAY)
        if way == CRON:
            return arm_of(snapshot(self.home), self.home, way)
        if way not in self._began:
            self._began[way] = arm_of(self.at_start, self.home, way)
        return self._began[way]


class Queue:
    """What is to be written: now if that is possible at once, else at the next occasion."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pending: list[tuple[Path, str, tuple[Any, ...]]] = []
        self._patience = PATIENCE_SECONDS

    def put_off(self, library: Path, sql: str, values: tuple[Any, ...]) -> None:
        """What has just been tried in vain."""
        clean = tuple(v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for v in values)
        with self._lock:
            self._pending = [*self._pending, (library, sql, clean)][-MOST_PENDING:]

    def write(self, library: Path, sql: str, values: tuple[Any, ...]) -> None:
        self.put_off(library, sql, values)
        with self._lock:
            for path in {path for path, _, _ in self._pending}:
                written = self._written(path, [each[1:] for each in self._pending if each[0] == path])
                # A library that is held is waited for once, not at each occasion.
                self._patience = PATIENCE_SECONDS if written else 0.0
                if written:
                    self._pending = [each for each in self._pending if each[0] != path]

    def _written(self, path: Path, statements: list[tuple[str, tuple[Any, ...]]]) -> bool:
        connection = connected(path, self._patience)
        if connection is None:
            return False
        try:
            connection.execute("BEGIN IMMEDIATE")
            for sql, values in statements:
                # One that can never be written shall not stand in the way of the others.
                with suppress(sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
                    connection.execute(sql, values)
            connection.execute("COMMIT")
            return True
        except sqlite3.Error:
            return False
        finally:
            connection.close()


def connected(path: Path, patience: float = PATIENCE_SECONDS, shared: bool = False) -> sqlite3.Connection | None:
    """Not waited for, not mended and not set aside: that is for Warm TUI itself."""
    try:
        if not path.exists() or 0 < _version(path, patience) < SCHEMA:
            # Made or migrated in a thread of its own, which may have to wait for another program.
            making = Thread(target=lambda: open_library(path).close(), daemon=True)
            making.start()
            making.join(MAKING_SECONDS)
        return opened(path, patience, shared) if path.exists() and _version(path, patience) >= SCHEMA else None
    except (sqlite3.Error, OSError):
        return None


def opened(path: Path, patience: float = PATIENCE_SECONDS, shared: bool = False) -> sqlite3.Connection:
    """`shared`: among threads, of which one at a time uses it."""
    check_database(path)
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=not shared)
    # What is written outlives the agent all the same. Should the machine fail, the last seconds may be missing, and a
    # session of theirs counts as one that was not drawn: to wait for the disk would hold up each session's first word.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def may_hold_rules(path: Path) -> bool:
    """Of a library that cannot be used; one that is only being made holds none."""
    try:
        return os.path.lexists(path) and _version(path, PATIENCE_SECONDS) != 0
    except (sqlite3.Error, OSError):
        return True


def _version(path: Path, patience: float) -> int:
    connection = opened(path, patience)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def note_unrecorded(home: Home, session_id: str) -> None:
    """Beside the library, which could not be written: the agent may end before it can."""
    with suppress(OSError):
        descriptor = open_ours(home.ours / UNRECORDED, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        with os.fdopen(descriptor, "ab") as file:
            if file.tell() < LARGEST_LIST:
                file.write(json.dumps(session_id).encode() + b"\n")


def unrecorded(home: Home) -> list[str]:
    """Sessions that a rule was for, and of which nothing could be written down then."""
    try:
        lines = read_ours(home.ours / UNRECORDED, 2 * LARGEST_LIST).splitlines()
    except OSError:
        return []
    names = []
    for line in lines:
        with suppress(ValueError):
            names.append(str(json.loads(line)))
    return list(dict.fromkeys(names))


def last_recorded(library: Path) -> tuple[float | None, str]:
    """When the last session began whose beginning was recorded, and which; nothing where none can be read."""
    try:
        check_database(library)
        if not library.is_file():
            return None, ""
        with closing(opened(library)) as connection:
            sql = "SELECT started_at, session_id FROM arms ORDER BY started_at DESC LIMIT 1"
            row = connection.execute(sql).fetchone()
        return (float(row[0]), str(row[1])) if row else (None, "")
    except (sqlite3.Error, OSError):
        return None, ""


# --- what a session begins with ---


def snapshot(home: Home) -> Snapshot:
    return Snapshot(
        os.environ.get(VARIABLE, "").strip(),
        _bytes(home.root / "config.yaml"),
        _bytes(home.ours / "prefill.json"),
        _bytes(home.ours / "activation.json"),
    )


def version_of_agent() -> str:
    """Of the Hermes that this process is; nothing where it has no package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("hermes-agent")
    except PackageNotFoundError:
        return ""


def arm_of(seen: Snapshot, home: Home, way: str) -> tuple[str, str]:
    """The template and the hash of its messages, known by what the agent reads, not by what we meant it to."""
    from warm_tui.agent.hermes_config import KEY, parse_config
    from warm_tui.agent.installed import TOP_LEVEL_SINCE, number_of
    from warm_tui.agent.prefill import hash_of
    from warm_tui.agent.ways import file_named

    # A file that may be large is read in full only where it can matter.
    has_one = KEY.encode() in seen.config
    config = parse_config(seen.config.decode("utf-8", "replace"), home.root) if has_one else {}
    named = file_named(way, number_of(version_of_agent()) or TOP_LEVEL_SINCE, config, seen.variable)
    if not named:
        return "", ""
    path = Path(named).expanduser()
    path = path if path.is_absolute() else home.root / path
    ours = path.resolve() == (home.ours / "prefill.json").resolve()
    try:
        messages = json.loads(seen.messages if ours else _bytes(path))
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(messages, list) or not messages:
        return "", ""
    content = hash_of(messages)
    return _named(seen, content, home) or SOMEBODY_ELSES, content


def _named(seen: Snapshot, content: str, home: Home) -> str:
    """By the record of what is active, else by when these messages were used before."""
    try:
        record = json.loads(seen.activation)
        if record.get("content") == content:
            return str(record.get("template", ""))
    except (ValueError, AttributeError, RecursionError):
        pass
    connection = connected(home.library) if home.library.exists() else None
    if connection is None:
        return ""
    try:
        sql = "SELECT template FROM uses WHERE content = ? ORDER BY at DESC LIMIT 1"
        row = connection.execute(sql, (content,)).fetchone()
        return str(row[0]) if row else ""
    except sqlite3.Error:
        return ""
    finally:
        connection.close()


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST)
    except OSError:
        return b""
