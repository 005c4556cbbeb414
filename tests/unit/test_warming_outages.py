"""A library that is locked, full, damaged or gone: the agent answers, and what could not be recorded is said."""

from __future__ import annotations

import sqlite3

import pytest

from tests.unit.commands import at, document, run
from tests.unit.test_plugin import agents_home as agents_home
from tests.unit.test_warming import MODE, OWN, Agent, add, drawn
from warm_tui.agent import recording, warming
from warm_tui.paths import Home


def test_while_the_library_is_locked_sessions_are_cold_and_that_is_written_down_later(demo: Home) -> None:
    add(demo)
    agent = Agent()
    holder = sqlite3.connect(demo.library, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert agent.ask("s") == OWN[MODE]
    holder.execute("ROLLBACK")
    holder.close()
    assert agent.ask("s") == OWN[MODE]
    agent.hook("on_session_end")(session_id="s", completed=True, interrupted=False)
    decision = drawn(demo, "s")
    assert decision is not None
    assert (decision.drawn, decision.reason) == (False, warming.NOT_WRITTEN)


@pytest.mark.parametrize("how", ["locked", "no room"])
def test_a_session_that_could_not_be_recorded_is_said_to_be_though_its_agent_is_gone(demo: Home, how: str) -> None:
    add(demo)
    agent = Agent()
    holder = sqlite3.connect(demo.library, isolation_level=None)
    if how == "locked":
        holder.execute("BEGIN IMMEDIATE")
    else:
        holder.execute("CREATE TRIGGER full BEFORE INSERT ON draws BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
    agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
    assert agent.ask("s") == OWN[MODE]
    assert agent.ask("s") == OWN[MODE]
    assert document(*at(demo), "trials", "status")["unrecorded"] == 1
    holder.execute("ROLLBACK" if how == "locked" else "DROP TRIGGER full")
    holder.close()
    assert "1 session began cold, unrecorded" in run(*at(demo), "trials", "status").stdout
    agent.hook("on_session_end")(session_id="s", completed=True, interrupted=False)
    assert document(*at(demo), "trials", "status")["unrecorded"] == 0, "its agent lived on, and wrote it down"


@pytest.mark.parametrize("how", ["damaged", "missing", "a folder"])
def test_whatever_the_library_is_the_request_goes_out_as_it_is(demo: Home, how: str) -> None:
    add(demo)
    agent = Agent()
    for path in demo.ours.glob("library.db*"):
        path.unlink()
    if how == "damaged":
        demo.library.write_bytes(b"no library at all" * 400)
    if how == "a folder":
        demo.library.mkdir()
    assert agent.ask("s") == OWN[MODE]
    assert recording.unrecorded(demo) == ([] if how == "missing" else ["s"])


def test_while_a_first_library_is_being_made_nothing_is_unrecorded(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in demo.ours.glob("library.db*"):
        path.unlink()
    monkeypatch.setattr(recording, "open_library", sqlite3.connect)
    demo.library.touch()
    agent = Agent()
    assert agent.middleware is None
    assert agent.ask("s") == OWN[MODE]
    assert recording.unrecorded(demo) == []


@pytest.mark.parametrize("how", ["damaged", "a folder"])
def test_an_agent_that_begins_with_a_library_that_cannot_be_read_says_which_sessions_are_cold(
    demo: Home, how: str
) -> None:
    for path in demo.ours.glob("library.db*"):
        path.unlink()
    if how == "damaged":
        demo.library.write_bytes(b"no library at all" * 400)
    else:
        demo.library.mkdir()
    agent = Agent()
    agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
    assert agent.ask("s") == agent.ask("s") == OWN[MODE]
    assert recording.unrecorded(demo) == ["s"]
    why = f"This session began cold and counts in no trial: {warming.UNUSABLE}."
    assert agent.slash("status").startswith(f"{why} Whether rules draw the next ones is not known.")


def test_a_library_that_is_held_is_waited_for_once(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each turn of the minute in which it is."""
    add(demo)
    agent = Agent()
    waited: list[float] = []
    opened = recording.opened

    def noted(path, patience=recording.PATIENCE_SECONDS, shared=False):
        waited.append(patience)
        return opened(path, patience, shared)

    monkeypatch.setattr(recording, "opened", noted)
    holder = sqlite3.connect(demo.library, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    for _ in range(3):
        agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
        agent.hook("on_session_end")(session_id="s", completed=True, interrupted=False)
    assert {*waited[:3]} == {recording.PATIENCE_SECONDS}
    assert {*waited[3:]} == {0.0}
    waited.clear()
    holder.execute("ROLLBACK")
    holder.close()
    for _ in range(2):
        agent.hook("on_session_end")(session_id="s", completed=True, interrupted=False)
    assert waited[-1] == recording.PATIENCE_SECONDS
