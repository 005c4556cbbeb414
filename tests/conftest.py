"""What all tests share: a clean environment, a sample home, and databases made by hand."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from warm_tui.agent import installed
from warm_tui.demo import build_demo
from warm_tui.demo.trials import add_trials
from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import key_of
from warm_tui.paths import Home
from warm_tui.sessions import database_files
from warm_tui.sessions.hermes.archive import Archive

# Whoever writes no bytecode would have each of the processes that the tests begin compile all of it anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Each run draws the same examples, and none fails for being slow.
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")

NEWEST = installed.Installed(Path("/opt/hermes/bin/hermes"), None, "0.19.0")
FIXTURES = Path(__file__).parent / "fixtures"
NOW = 1_794_990_000.0
MOST_HELD = 32
DEMO_SESSIONS = 72
DEMO_LIVES = 70
"""Rows: of a life that was compacted into new sessions, three are one."""


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores: for a fifth of the time it is the real Hermes, or a process of ours, that is waited for."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Six thousand tests stay until the end: to look through them for garbage was half a second each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours, themes, widths, homes and clocks of whoever runs the tests must not decide their outcome."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES", "HERMES_HOME", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    # Nor which Hermes is installed, and what it reads.
    monkeypatch.setattr(installed, "agents_here", lambda: [NEWEST])
    # Whether the extra `tokens` is installed must not decide it either.
    monkeypatch.setattr("warm_tui.templates.budget._encoding", lambda: None)


@pytest.fixture(autouse=True)
def _few_descriptors() -> Iterator[None]:
    """Of each database that is looked at a descriptor is held as long as the process lasts; each test brings its own."""
    yield
    held = database_files._held
    for identity in list(held)[:-MOST_HELD]:
        os.close(held.pop(identity))


@pytest.fixture(scope="session")
def demo_master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    build_demo(folder, now=NOW)
    return folder


@pytest.fixture
def demo(demo_master: Path, tmp_path: Path) -> Home:
    """A sample home of one's own."""
    folder = tmp_path / "home"
    shutil.copytree(demo_master, folder)
    return Home(folder, (folder / "state.db",))


@pytest.fixture
def unread_demo(demo_master: Path, tmp_path: Path) -> Home:
    """The same where `demo` is one that was looked at before."""
    folder = tmp_path / "unread"
    shutil.copytree(demo_master, folder)
    return Home(folder, (folder / "state.db",))


@pytest.fixture(scope="session")
def profiled_master(demo_master: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return profiled(demo_master, tmp_path_factory.mktemp("profiled") / "home")


@pytest.fixture(scope="session")
def profiled_trials_master(trials_master: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return profiled(trials_master, tmp_path_factory.mktemp("profiled") / "home")


@pytest.fixture
def known_demo(profiled_master: Path, tmp_path: Path) -> Home:
    """A sample home of one's own that was looked at before: judging its calls was a tenth of a test."""
    return remembered(profiled_master, tmp_path / "home")


def profiled(master: Path, folder: Path) -> Path:
    shutil.copytree(master, folder)
    with Catalog(Home(folder, (folder / "state.db",))) as catalog:
        catalog.profiles()
    return folder


def remembered(master: Path, folder: Path) -> Home:
    """A copy; what is known of sessions is known by where they stand."""
    shutil.copytree(master, folder)
    home = Home(folder, (folder / "state.db",))
    with closing(sqlite3.connect(home.library)) as library:
        places = key_of(home.databases[0]), key_of(master / "state.db")
        library.execute("UPDATE profiles SET database = ? WHERE database = ?", places)
        library.commit()
    return home


@pytest.fixture(scope="session")
def trials_master(demo_master: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trials") / "home"
    shutil.copytree(demo_master, folder)
    add_trials(Home(folder, (folder / "state.db",)), NOW)
    return folder


@pytest.fixture
def with_trials(trials_master: Path, tmp_path: Path) -> Home:
    """The sample home with its trials: the first one helps, the second was switched off."""
    folder = tmp_path / "home"
    shutil.copytree(trials_master, folder)
    return Home(folder, (folder / "state.db",))


@pytest.fixture
def demo_labels(demo_master: Path) -> dict[str, str]:
    return json.loads((demo_master / "demo-labels.json").read_text())


Row = dict[str, Any]


def assistant(*calls: tuple[str, str, Any], content: str = "", **columns: Any) -> Row:
    """An assistant row that makes calls: (id, tool, arguments)."""
    made = [
        {"id": i, "function": {"name": tool, "arguments": a if isinstance(a, str) else json.dumps(a)}}
        for i, tool, a in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": json.dumps(made), **columns}


def result(call_id: str, content: str | None = '{"output": "", "exit_code": 0, "error": null}', **columns: Any) -> Row:
    return {"role": "tool", "content": content, "tool_call_id": call_id, "tool_name": "terminal", **columns}


def user(content: str, **columns: Any) -> Row:
    return {"role": "user", "content": content, **columns}


def summary(
    content: str = "[CONTEXT COMPACTION — REFERENCE ONLY] what was done", role: str = "user", **columns: Any
) -> Row:
    return {"role": role, "content": content, **columns}


Record = Callable[..., Path]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Write a database with Hermes' schema: record({"session id": rows, ...}, "session id"={columns})."""

    def write(sessions: dict[str, list[Row]], name: str = "state.db", **columns: dict[str, Any]) -> Path:
        path = tmp_path / name
        path.unlink(missing_ok=True)
        with Archive(path) as archive:
            clock = NOW
            for session_id, rows in sessions.items():
                archive.add_session(
                    **{"id": session_id, "source": "cli", "started_at": clock} | columns.get(session_id, {})
                )
                stamped = []
                for row in rows:
                    clock += 1
                    stamped.append({"session_id": session_id, "timestamp": clock, **row})
                archive.add_messages(stamped)
        # As if it were not ours.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA application_id = 0")
        return path

    return write


def plain_copy(path: Path, target: Path) -> Path:
    """The same database without a write-ahead log, as older versions leave it."""
    source = sqlite3.connect(path)
    copy = sqlite3.connect(target)
    source.backup(copy)
    copy.execute("PRAGMA journal_mode = DELETE")
    source.close()
    copy.close()
    return target
