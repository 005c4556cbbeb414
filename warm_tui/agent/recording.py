"""Write down, session by session, what an agent's sessions began with: `state.db` does not say it.

Called within the agent: nothing here may take long. A library that is locked is tried again at the next
occasion; one that cannot be used is left alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from warm_tui.library.db import SCHEMA, open_library
from warm_tui.paths import Home, find_home

PATIENCE_SECONDS = 0.2
MOST_PENDING = 1_000
VARIABLE = "HERMES_PREFILL_MESSAGES_FILE"
SOMEBODY_ELSES = "(a prefill file of somebody else)"


class Snapshot(NamedTuple):
    """What decides on the first messages, as it was at one moment; told apart only when that is asked for."""

    variable: str
    config: bytes
    messages: bytes
    activation: bytes


class Recorder:
    def __init__(self, root: Path) -> None:
        self.home = find_home(root)
        self.at_start = snapshot(self.home)
        self._began: tuple[str, str] | None = None
        self._pending: list[tuple[str, tuple[Any, ...]]] = []

    def began_with(self) -> str:
        """The template that this process's sessions begin with; nothing where they begin cold."""
        return self._arm("")[0]

    def started(self, session_id: str, model: str, platform: str) -> None:
        template, content = self._arm(platform)
        self._write(
            "INSERT OR REPLACE INTO arms (session_id, template, content, model, platform, started_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (session_id, template, content, model, platform, time.time()),
        )

    def ended(self, session_id: str, completed: bool, interrupted: bool) -> None:
        self._write(
            "UPDATE arms SET ended_at = ?, completed = ?, interrupted = ? WHERE session_id = ?",
            (time.time(), completed, interrupted, session_id),
        )

    def _arm(self, platform: str) -> tuple[str, str]:
        """Template and content. A job of cron reads the settings anew; every other agent read them when it started."""
        if platform == "cron":
            return arm_of(snapshot(self.home), self.home)
        if self._began is None:
            self._began = arm_of(self.at_start, self.home)
        return self._began

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        self._pending = [*self._pending, (sql, values)][-MOST_PENDING:]
        connection = _connected(self.home.library)
        if connection is None:
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement in self._pending:
                connection.execute(*statement)
            connection.execute("COMMIT")
            self._pending = []
        except sqlite3.Error:
            pass  # the next occasion comes with the next turn
        finally:
            connection.close()


def _connected(path: Path) -> sqlite3.Connection | None:
    """Made where it is missing; not waited for, not mended and not set aside: that is for Warm TUI itself."""
    try:
        if not path.exists():
            open_library(path).close()
        uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version < SCHEMA:
            connection.close()
            open_library(path).close()
            connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)
        return connection
    except (sqlite3.Error, OSError):
        return None


# --- what a session begins with ---


def snapshot(home: Home) -> Snapshot:
    return Snapshot(
        os.environ.get(VARIABLE, "").strip(),
        _bytes(home.root / "config.yaml"),
        _bytes(home.ours / "prefill.json"),
        _bytes(home.ours / "activation.json"),
    )


def arm_of(seen: Snapshot, home: Home) -> tuple[str, str]:
    """The template and the hash of its messages, known by what the agent reads, not by what we meant it to."""
    from warm_tui.agent.hermes_config import parse_config, prefill_in
    from warm_tui.agent.prefill import hash_of

    named = seen.variable or prefill_in(parse_config(seen.config.decode("utf-8", "replace"), home.root))
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
    connection = _connected(home.library) if home.library.exists() else None
    if connection is None:
        return ""
    try:
        sql = "SELECT template FROM uses WHERE content = ? ORDER BY at DESC LIMIT 1"
        found = connection.execute(sql, (content,)).fetchone()
        return str(found[0]) if found else ""
    except sqlite3.Error:
        return ""
    finally:
        connection.close()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
