"""Much to read is shared out to processes: the same profiles, and nothing left behind."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from warm_tui.errors import Trouble
from warm_tui.library import profiling, profiling_processes
from warm_tui.library.db import Library
from warm_tui.library.profiles import profile_all, survey
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.model import Session
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.source import Source


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen]:
    """The processes that were started."""
    processes: list[subprocess.Popen] = []

    class Counted(subprocess.Popen):
        def __init__(self, *args, **options) -> None:
            super().__init__(*args, **options)
            processes.append(self)

    monkeypatch.setattr(profiling_processes.subprocess, "Popen", Counted)
    monkeypatch.setattr(profiling, "_cores", lambda: 2)
    return processes


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any home is worth processes, and a batch is small."""
    monkeypatch.setattr(profiling, "WORTH_PROCESSES", 1)
    monkeypatch.setattr(profiling_processes, "BATCH_OF_MESSAGES", 50)


def profiles(home: Home, library: Path) -> list[Profile]:
    with Library(library) as kept, open_source(home.databases[0]) as source:
        return profile_all(source, kept)


def tasks(sessions: list[Session]) -> list[bytes]:
    return [profiling.encode_task(profiling.Task(1, [session], None, "none", "", {})) for session in sessions]


def kept(library: Library) -> list[tuple]:
    """With the failures of each."""
    return library.connection.execute(
        "SELECT session_id, stamp, rules, profile, failures FROM profiles ORDER BY session_id"
    ).fetchall()


def test_processes_find_what_one_finds(demo: Home, tmp_path: Path, started, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = profiles(demo, tmp_path / "alone.db")
    assert not started, "a small home starts none"
    monkeypatch.setattr(profiling, "WORTH_PROCESSES", 1)
    assert profiles(demo, tmp_path / "beside.db") == alone
    assert len(started) == 2
    with Library(tmp_path / "alone.db") as one, Library(tmp_path / "beside.db") as several:
        assert kept(several) == kept(one), "whoever computes them, they are remembered alike"
    with Library.in_memory("") as forgetting, open_source(demo.databases[0]) as source:
        assert profile_all(source, forgetting) == alone
        assert [row[0] for row in kept(forgetting)] == sorted(profile.session_id for profile in alone)
    assert all(process.poll() is not None for process in started)


def test_several_lives_at_a_time_are_profiled_as_each_by_itself(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    portions: list[int] = []
    compute_each = profiling.compute_each

    def watched(source: Source, tasks: Sequence[profiling.Task]) -> list[profiling.Computed]:
        read.append(sum(task.size for task in tasks))
        return compute_each(source, tasks)

    with Library.in_memory("") as library, open_source(demo.databases[0]) as source:
        found = [each for each in survey(source, library) if isinstance(each, profiling.Task)]
        alone = [profiling.encoded(profiling.compute(source, task)) for task in found]
        for room in (0, 100, 1_000_000):
            monkeypatch.setattr(profiling, "AT_A_TIME", room)
            monkeypatch.setattr(profiling, "compute_each", watched)
            done = list(profiling.done_each(source, found))
            assert [(each.name, each.stamp, each.encoded, each.failures) for each in done] == [
                (task.name, task.stamp, *encoded) for task, encoded in zip(found, alone, strict=True)
            ]
            assert max(read) <= max(room, *(task.size for task in found)), (
                "no more than one life, or than there is room"
            )
            portions.append(len(read))
            read.clear()
    assert portions[0] == len(found) > portions[1] > portions[2] == 1


@pytest.mark.usefixtures("eager")
def test_what_a_process_cannot_remember_is_told_with_why(demo: Home, tmp_path: Path, started) -> None:
    with Library(tmp_path / "library.db") as library, open_source(demo.databases[0]) as source:
        library.connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON profiles BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        found = profile_all(source, library)
        assert (found, kept(library)) == (profiles(demo, tmp_path / "other.db"), [])
        assert len(started) == 4
        assert [note for note in library.notes if "could not be written (full)" in note] == library.notes != []


@pytest.mark.usefixtures("eager")
def test_whoever_wants_no_more_leaves_no_process(demo: Home, tmp_path: Path, started) -> None:
    with Library(tmp_path / "library.db") as library, open_source(demo.databases[0]) as source:
        from warm_tui.library.profiles import Known, perform, survey

        waiting = profiling.Waiting()
        for task in survey(source, library):
            assert isinstance(task, profiling.Task), "nothing is known yet"
            waiting.add(task)
        running = perform(source, library, waiting.in_order(), waiting.volume)
        next(running)
        running.close()
        assert all(process.poll() is not None for process in started)
        kept = sum(isinstance(found, Known) for found in survey(source, library))
    assert kept >= 1, "what was computed is remembered"


@pytest.mark.usefixtures("eager")
def test_a_process_that_dies_is_said_in_a_sentence(
    demo: Home, tmp_path: Path, started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiling_processes, "START", "raise SystemExit(3)")
    with pytest.raises(Trouble, match="ended before its work was done"):
        profiles(demo, tmp_path / "library.db")
    assert all(process.poll() is not None for process in started)


@pytest.mark.usefixtures("eager")
def test_trouble_in_a_process_is_told_as_it_is_here(demo: Home) -> None:
    gone = demo.databases[0].with_name("gone.db")
    with open_source(demo.databases[0]) as source:
        sessions = source.sessions()
    with pytest.raises(Trouble, match="There is no Hermes database at"):
        list(profiling_processes.Pool(gone, 2, Library.in_memory("")).computed(tasks(sessions)))


def test_a_process_that_never_answers_is_not_waited_for(demo: Home, started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling_processes, "START", "import time; time.sleep(600)")
    with open_source(demo.databases[0]) as source:
        sessions = source.sessions()
    pool = profiling_processes.Pool(demo.databases[0], 1, Library.in_memory(""))

    def ask() -> None:
        with suppress(Trouble):
            list(pool.computed(tasks(sessions)))

    thread = Thread(target=ask)
    thread.start()
    while not started:
        thread.join(0.01)
    pool.stop()
    thread.join()
    assert started[0].returncode == -signal.SIGKILL


@pytest.mark.usefixtures("eager")
def test_processes_that_were_started_for_nothing_are_ended(
    demo: Home, tmp_path: Path, started, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        while len(started) < 2:
            sleep(0.01)
        raise Trouble("gone")

    monkeypatch.setattr("warm_tui.library.profiles.survey", fails)
    with pytest.raises(Trouble, match="gone"):
        profiles(demo, tmp_path / "library.db")
    assert all(process.poll() is not None for process in started)


@pytest.mark.usefixtures("eager")
def test_what_is_known_for_the_most_part_starts_none_before_it_is_looked_through(
    demo: Home, tmp_path: Path, started, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles(demo, tmp_path / "library.db")
    started.clear()
    monkeypatch.setattr("warm_tui.library.profiles._unchanged", lambda *_: None)
    monkeypatch.setattr("warm_tui.library.profiles.survey", lambda *_: iter(()))
    monkeypatch.setattr(profiling, "WORTH_PROCESSES", 2)
    profiles(demo, tmp_path / "library.db")
    assert not started
