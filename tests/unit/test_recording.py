"""What a session began with, as the plugin records it: by what was really sent, and without keeping the agent waiting."""

from __future__ import annotations

import fcntl
import json
import sqlite3
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.conftest import NOW
from tests.unit.test_arms import compared
from tests.unit.test_plugin import Context, activate, arms
from tests.unit.test_plugin import agents_home as agents_home
from warm_tui.agent.plugin import register
from warm_tui.agent.recording import SOMEBODY_ELSES, Recorder
from warm_tui.comparisons.spec import ComparisonSpec
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import SCHEMA, open_library
from warm_tui.library.uses import record_use
from warm_tui.library.warmth import WarmthIndex
from warm_tui.paths import Home
from warm_tui.templates.building import Wanted, sessions_to_mine


def test_a_session_is_as_warm_as_the_process_that_it_began_in(demo: Home) -> None:
    before = Recorder(demo.root)
    activate(demo, "careful-work")
    after = Recorder(demo.root)
    before.started(demo.root, "old process", "m", "telegram")
    before.started(demo.root, "job", "m", "cron")
    after.started(demo.root, "new process", "m", "cli")
    after.ended(demo.root, "new process", True, False)
    assert arms(demo) == {
        "old process": ("", "m", "telegram", None, None),
        "job": ("careful-work", "m", "cron", None, None),
        "new process": ("careful-work", "m", "cli", 1, 0),
    }


def test_what_the_agent_reads_decides(demo: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    activate(demo, "careful-work")
    messages = json.loads((demo.ours / "prefill.json").read_text())
    with open_library(demo.library) as library:
        record_use(library, "known", "written", recording_hash(messages[:3]))
    cases = {"known": messages[:3], SOMEBODY_ELSES: [{"role": "user", "content": "hello"}], "": []}
    for name, told in cases.items():
        path = tmp_path / "other.json"
        path.write_text(json.dumps(told))
        monkeypatch.setenv("HERMES_PREFILL_MESSAGES_FILE", str(path))
        assert Recorder(demo.root).began_with() == name
    monkeypatch.setenv("HERMES_PREFILL_MESSAGES_FILE", str(tmp_path / "nowhere.json"))
    assert Recorder(demo.root).began_with() == ""


def recording_hash(messages: list[dict[str, Any]]) -> str:
    from warm_tui.agent.prefill import hash_of

    return hash_of(messages)


def test_what_is_sent_decides_whether_it_was_warm(demo: Home) -> None:
    """Not every way into the agent hands on the messages that the settings name."""
    activate(demo, "careful-work")
    context = Context()
    register(context)
    start, sent = context.hook("on_session_start"), context.hook("pre_api_request")
    for session in ("warm", "cold", "older agent"):
        start(session_id=session, model="m", platform="cli")
    sent(session_id="warm", message_count=14, conversation_history=[{}])
    sent(session_id="cold", message_count=2, conversation_history=[{}])
    sent(session_id="older agent", message_count=2)
    sent(session_id="warm", message_count=2, conversation_history=[{}])
    sent(session_id="never begun here", message_count=2, conversation_history=[{}])
    assert {name: row[0] for name, row in arms(demo).items()} == {
        "warm": "careful-work", "cold": "", "older agent": "careful-work",
    }  # fmt: skip


def test_an_agent_that_tells_its_own_messages_before_the_request_alone_is_counted_too(demo: Home) -> None:
    """As Hermes 0.13 does."""
    activate(demo, "careful-work")
    context = Context()
    register(context)
    for session, count in (("warm", 14), ("cold", 2)):
        context.hook("on_session_start")(session_id=session, model="m", platform="cli")
        context.hook("pre_llm_call")(session_id=session, conversation_history=[{}])
        context.hook("pre_api_request")(session_id=session, message_count=count)
    assert {name: row[0] for name, row in arms(demo).items()} == {"warm": "careful-work", "cold": ""}


def test_each_version_is_known_by_what_it_reads(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands at the top of the settings the command line of 0.15 does not read; its gateway reads nothing else."""
    activate(demo, "careful-work")
    monkeypatch.setattr("warm_tui.agent.recording.version_of_agent", lambda: "0.15.2")
    recorder = Recorder(demo.root)
    for platform in ("cli", "telegram", "cron"):
        recorder.started(demo.root, platform, "m", platform)
    assert {name: row[0] for name, row in arms(demo).items()} == {
        "cli": "", "telegram": "careful-work", "cron": "careful-work",
    }  # fmt: skip


def test_a_session_that_is_gone_on_with_stays_as_it_began(demo: Home) -> None:
    Recorder(demo.root).started(demo.root, "s", "m", "cli")
    activate(demo, "careful-work")
    later = Recorder(demo.root)
    later.started(demo.root, "s", "other", "cli")
    later.sent("s", 12)
    assert arms(demo)["s"][:2] == ("", "m")


def test_the_agent_does_not_wait(demo: Home) -> None:
    """For the lock of a program that makes the library, nor for one that writes to an older one."""
    with open_library(demo.library) as library:
        library.connection.execute(f"PRAGMA user_version = {SCHEMA - 1}")
    recorder = Recorder(demo.root)
    recorder.began_with()
    with demo.library.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = Thread(target=recorder.started, args=(demo.root, "s", "m", "cli"))
        thread.start()
        thread.join(300)
        assert not thread.is_alive()
    recorder.ended(demo.root, "s", True, False)


def test_one_that_cannot_be_written_is_not_in_the_way_and_none_is_lost(demo: Home) -> None:
    recorder = Recorder(demo.root)
    recorder.started(demo.root, "odd \udc80", "m", "cli")
    threads = [
        Thread(target=lambda at=at: [recorder.started(demo.root, f"{at} {n}", "m", "cli") for n in range(12)])
        for at in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.ended(demo.root, "0 0", True, False)
    assert len(arms(demo)) == 73


def test_profiles_are_recorded_each_in_its_own_home(demo: Home, tmp_path: Path) -> None:
    Recorder(demo.root).started(tmp_path / "profile", "s", "m", "telegram")
    assert set(arms(Home(tmp_path / "profile", ()))) == {"s"}
    assert arms(demo) == {}


def test_a_locked_library_is_written_at_the_next_occasion(demo: Home) -> None:
    recorder = Recorder(demo.root)
    holder = sqlite3.connect(demo.library, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    recorder.started(demo.root, "s", "m", "cli")
    holder.execute("ROLLBACK")
    holder.close()
    assert arms(demo) == {}
    recorder.ended(demo.root, "s", True, False)
    assert arms(demo) == {"s": ("", "m", "cli", 1, 0)}


def test_a_damaged_library_is_left_as_it_is(demo: Home) -> None:
    demo.library.write_bytes(b"no library" * 500)
    Recorder(demo.root).started(demo.root, "s", "m", "cli")
    assert demo.library.read_bytes() == b"no library" * 500


def test_a_library_that_is_missing_or_of_an_earlier_version_is_made_ready(demo: Home) -> None:
    demo.library.unlink()
    Recorder(demo.root).started(demo.root, "s", "m", "cli")
    assert set(arms(demo)) == {"s"}
    with open_library(demo.library) as library:
        library.connection.execute("DROP TABLE arms")
        library.connection.execute("DELETE FROM _sqlite_migrations WHERE name LIKE 'm007%'")
        library.connection.execute(f"PRAGMA user_version = {SCHEMA - 1}")
    Recorder(demo.root).started(demo.root, "t", "m", "cli")
    assert set(arms(demo)) == {"t"}


def test_what_was_recorded_goes_before_the_time(demo: Home) -> None:
    """A session within the time of a template may have begun cold, in a process that was older than that."""
    with Catalog(demo) as catalog:
        warm = compared(demo, ComparisonSpec("template", template="log-triage", without_sources=True)).comparison.warm
        sure, other = warm[0].session_id, warm[1].session_id
        recorder = Recorder(demo.root)
        recorder.started(demo.root, sure, "m", "cli")
        before = len(warm)
        with open_library(demo.library) as library:
            library.connection.execute(
                "INSERT INTO arms (session_id, template, content, started_at) VALUES (?, 'log-triage', '', ?)",
                (other, NOW),
            )
            warmed = WarmthIndex(library)
        assert warmed.of(sure, warm[0].started_at) == ("", True)
        assert warmed.of(other, None) == ("log-triage", True)
        told = compared(demo, ComparisonSpec("template", template="log-triage", without_sources=True))
        assert len(told.comparison.warm) == before - 1
        assert any("2 sessions were recorded by the plugin" in note for note in told.notes)
        assert any("less certain" in note for note in told.notes)
        _, mined = sessions_to_mine(catalog, Wanted(min_messages=2))
        assert other not in {profile.session_id for profile in mined}
