"""The fleet in the app: its machines as a page of the Overview, and homes that come while the app is open."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

pytest.importorskip("distributed")

from tests.conftest import Record
from tests.tui.helpers import foot, settled, until
from tests.unit.commands import document, run
from tests.unit.fleeting import fleet_of, home_at
from tests.unit.test_fleet_homes import SAID, add
from warm_tui.app import WarmTui
from warm_tui.fleet.asking import AskingFleet
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.known import known_members, note_seen
from warm_tui.fleet.messages import HomeThere, Member, Standing
from warm_tui.paths import Home
from warm_tui.screens.overview.screen import OverviewScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.elsewhere import SEEN, LastSeen, ask_by
from warm_tui.writing import write_whole

NOW = 1_794_990_000.0
HOMES = (HomeThere("default", "hermes", "1"), HomeThere("work", "hermes", "2"))


def three_machines(home: Home, now: float) -> None:
    """One is at work, one is drained and of another version with a clock of its own, one is away."""
    at_work = Standing(version="0.1.0", hermes="0.19.0", homes=HOMES, slots=4, runs=2)
    drained = Standing(version="0.2.0", hermes="0.18.2", homes=HOMES[:1], slots=2, drained=True, ahead_seconds=3_600)
    away = Standing(version="0.1.0", hermes="0.19.0", homes=HOMES[:1], slots=2)
    members = [
        Member("ada", "tls://10.0.0.1:1", at_work, 0.42, 90_000_000, now - 1),
        Member("bob", "tls://10.0.0.2:1", drained, 0.03, 90_000_000, now - 2),
        Member("cyd", "tls://10.0.0.3:1", away, None, None, now - 7_300),
    ]
    note_seen(Folder.of(home), members, "No scheduler answers at tls://10.0.0.9:8786.")


def shown(pilot: Pilot[None]) -> str:
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


async def test_the_page_tells_what_was_last_heard_of_each_machine(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record({"here": []})
    home = home_at(tmp_path)._replace(fleet=True)
    three_machines(home, NOW)
    monkeypatch.setattr("time.time", lambda: NOW)
    async with WarmTui(home).run_test(size=(140, 36)) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        assert {"Fleet", "Period"} <= foot(pilot.app).keys()
        assert "Drain" not in foot(pilot.app)
        await pilot.press("tab", "tab", "tab")
        await settled(pilot)
        assert {"Fleet", "Drain"} <= foot(pilot.app).keys()
        assert "Period" not in foot(pilot.app)
        page = shown(pilot)
        assert "3 machines with 4 homes, 1 machine away." in page
        assert "No scheduler answers at tls://10.0.0.9:8786." in page
        rows = [line.split() for line in page.splitlines() if line.strip("›▸ ").startswith(("ada", "bob", "cyd"))]
        assert [row[1:3] for row in rows][:3] == [["ada", "there"], ["bob", "drained"], ["cyd", "away"]]
        assert "bob runs Warm TUI 0.2.0, this machine 0.1.0" in page
        assert "The clock of bob is 1.0 h ahead of the scheduler's" in page
        await pilot.press("x")
        await settled(pilot)
        assert (
            "is not there: `warm-tui fleet init` makes it." in [each.message for each in pilot.app._notifications][-1]
        )
        await pilot.press("m", "m", "enter")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, SessionsScreen)
        assert screen.filter_text == "machine:ada"
    told = document("--home", str(tmp_path), "doctor")["fleet"]
    assert told[0].startswith("ada, there, 2 homes, 2 of 4 runs, Warm TUI 0.1.0, seen ")
    assert told[-3].startswith("cyd, away, 1 home, 0 of 2 runs")
    assert told[-2] == "cyd is away, last seen 2h ago: of its 1 home is shown what was had until then."
    assert "machine" in run("--home", str(tmp_path), "doctor").stdout


async def test_homes_that_come_while_the_app_is_open_stand_beside_those_here(tmp_path: Path) -> None:
    ada = home_at(tmp_path / "ada")
    ada.root.mkdir()
    add(ada, "there", NOW)
    with fleet_of(tmp_path, {"ada": ada}) as running:
        add(running.home, "here", NOW - 10)
        home = running.home._replace(fleet=True)
        ask_by(lambda: AskingFleet(home))
        app = WarmTui(home)
        async with app.run_test(size=(160, 40)) as pilot:
            screen = app.screen
            assert isinstance(screen, SessionsScreen)
            await until(pilot, lambda: list(screen.sessions.profiles.names) == ["there", "here"])
            await until(pilot, lambda: "machine" in shown(pilot) and "ada" in shown(pilot))
            add(ada, "newer", NOW + 10)
            await until(pilot, lambda: list(screen.sessions.profiles.names) == ["newer", "there", "here"])
            running.processes["ada"].kill()
            await until(pilot, lambda: known_members(home, time.time())[0].away)
            long_ago = LastSeen({"ada": time.time() - 7_250})
            write_whole(Folder.of(home).path / SEEN, msgspec.json.encode(long_ago))
            await until(pilot, lambda: "1 of 1 home elsewhere away, last seen 2 h ago." in shown(pilot))
            await pilot.press("g", "enter")
            await until(pilot, lambda: "ada is not in the fleet just now." in "".join(shown(pilot).splitlines()[3:]))
            await pilot.press("escape")
            await pilot.resize_terminal(60, 40)
            await until(pilot, lambda: "1 of 1 away" in shown(pilot))
            await pilot.resize_terminal(160, 40)
            running.start_member("ada").line()
            await until(pilot, lambda: " away" not in shown(pilot))
            await pilot.press("g", "enter")
            await until(pilot, lambda: isinstance(app.screen, TranscriptScreen) and SAID in shown(pilot))
            assert "from ada, masked there" in shown(pilot)
            await pilot.press("escape", "0", "m")
            await until(pilot, lambda: "1 machine with 1 home; all are there." in shown(pilot))
            assert isinstance(app.screen, OverviewScreen)
            await pilot.press("x")
            await until(pilot, lambda: "drained" in shown(pilot))
        ask_by(None)
