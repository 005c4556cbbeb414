"""The archive of experiments is written and read by one process at once, as where the runs of a fleet come in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import NOW
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.readers import open_source


def with_session(path: Path, name: str) -> Path:
    with Archive(path) as archive:
        archive.add_session(id=name, source="cli", started_at=NOW)
    return path


def left_by_a_reader(path: Path) -> None:
    """Log and index stay, and nobody has them open."""
    archive = Archive(path)
    with open_source(path) as reading:
        reading.sessions()
        archive.close()
    assert Path(f"{path}-shm").exists()


@pytest.mark.parametrize("is_older", [False, True])
def test_whoever_reads_it_first_bars_no_writer(is_older: bool, tmp_path: Path) -> None:
    path = with_session(tmp_path / "experiments.db", "before")
    if is_older:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA application_id = 0")
        with Archive(path):
            pass
    left_by_a_reader(path)
    with open_source(path) as reading:
        assert [session.id for session in reading.sessions()] == ["before"]
        with_session(path, "meanwhile")
        assert {session.id for session in reading.sessions()} == {"before", "meanwhile"}


def test_reading_it_writes_nothing_into_it(tmp_path: Path) -> None:
    path = with_session(tmp_path / "experiments.db", "before")
    before = path.read_bytes()
    left_by_a_reader(path)
    with open_source(path) as reading:
        reading.sessions()
    assert path.read_bytes() == before
