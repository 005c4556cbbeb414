"""What recorded files told is kept: a second start looks only at those that are new or have changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from warm_tui.library import profiling, profiling_processes
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.feed import FIRST_WINDOW, feed
from warm_tui.paths import Home
from warm_tui.sessions.claude_code.source import ClaudeCodeSource
from warm_tui.sessions.recorded_files import RecordedFile
from warm_tui.sessions.recordings import Listed


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for number in range(3):
        write(tmp_path / "projects", number, f"Task {number}")
    return tmp_path / "projects"


def write(place: Path, number: int, words: str) -> Path:
    path = place / "-work" / f"session-{number}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "type": "user", "uuid": f"u{number}", "sessionId": path.stem, "cwd": "/work",
        "timestamp": f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z", "message": {"role": "user", "content": words},
    }  # fmt: skip
    path.write_text(json.dumps(record) + "\n")
    os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return path


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose edges are read, in order."""
    names: list[str] = []
    listed = ClaudeCodeSource.listed

    def watched(self: ClaudeCodeSource, file: RecordedFile) -> list[Listed]:
        names.append(file.path.stem)
        return listed(self, file)

    monkeypatch.setattr(ClaudeCodeSource, "listed", watched)
    return names


def sessions(home: Home) -> list[str]:
    with Catalog(home) as catalog:
        return sorted(profile.session_id for profile in catalog.profiles())


def test_a_second_start_looks_at_no_file_again(tmp_path: Path, place: Path, looked_at: list[str]) -> None:
    home = Home(tmp_path / "home", (place,))
    first = sessions(home)
    assert sorted(looked_at) == first == ["session-0", "session-1", "session-2"]
    looked_at.clear()
    with Catalog(home) as catalog:
        assert sorted(session.id for session in catalog.sources[0].sessions()) == first
    assert looked_at == []


def test_only_what_changed_is_looked_at_and_what_is_gone_is_forgotten(
    tmp_path: Path, place: Path, looked_at: list[str]
) -> None:
    home = Home(tmp_path / "home", (place,))
    sessions(home)
    looked_at.clear()
    write(place, 1, "Task 1, told at greater length")
    write(place, 7, "Task 7")
    (place / "-work" / "session-0.jsonl").unlink()
    assert sessions(home) == ["session-1", "session-2", "session-7"]
    assert sorted(looked_at) == ["session-1", "session-7"]
    with Catalog(home) as catalog:
        kept = catalog.library.connection.execute("SELECT path FROM listings ORDER BY path").fetchall()
    assert [Path(os.fsdecode(path)).stem for (path,) in kept] == ["session-1", "session-2", "session-7"]


@pytest.mark.parametrize("damage", ["shape = 1", "told = x'00'"])
def test_what_was_kept_otherwise_is_told_anew(tmp_path: Path, place: Path, looked_at: list[str], damage: str) -> None:
    home = Home(tmp_path / "home", (place,))
    first = sessions(home)
    with Catalog(home) as catalog:
        catalog.library.connection.execute(f"UPDATE listings SET {damage}")
    looked_at.clear()
    with Catalog(home) as catalog:
        assert sorted(session.id for session in catalog.sources[0].sessions()) == first
    assert sorted(looked_at) == first


def test_the_first_rows_of_a_first_start_come_of_the_newest_files_alone(
    tmp_path: Path, place: Path, looked_at: list[str]
) -> None:
    for number in range(3, 4 * FIRST_WINDOW):
        write(place, number, f"Task {number}")
    with Catalog(Home(tmp_path / "home", (place,))) as catalog:
        batches = feed(catalog, str, lambda: True)
        window = next(batches)
        assert window.total == 4 * FIRST_WINDOW
        assert window.rows is not None
        assert window.rows.names[0] == f"session-{4 * FIRST_WINDOW - 1}"
        assert len(window.rows) == len(looked_at) == FIRST_WINDOW
        rows = next(batches).rows
        assert rows is not None
        assert len(rows) == 4 * FIRST_WINDOW
        assert len(looked_at) == len(set(looked_at)), "none is looked at twice"


def test_a_process_that_profiles_looks_at_no_file_that_was_looked_at(
    tmp_path: Path, place: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a first start: what was told is kept before the processes begin."""
    monkeypatch.setattr(profiling, "WORTH_PROCESSES", 1)
    started: list[Path] = []

    class Started(profiling_processes.Pool):
        def __init__(self, path: Path, processes: int, library: Library) -> None:
            looked_at.clear()
            with profiling_processes._opened(path, library.path) as source:
                assert source.session("session-1") is not None
            started.append(library.path)
            super().__init__(path, processes, library)

    monkeypatch.setattr(profiling_processes, "Pool", Started)
    monkeypatch.setattr(profiling, "_cores", lambda: 2)
    home = Home(tmp_path / "home", (place,))
    assert sessions(home) == ["session-0", "session-1", "session-2"]
    assert (started, looked_at) == ([home.library], [])
