"""Trials and ended sessions are looked after while the app is open, whatever it shows."""

from __future__ import annotations

import os
from pathlib import Path

from tests.conftest import NOW, Record
from tests.tui.helpers import settled
from tests.unit.test_trial_guard import sent as sent
from tests.unit.test_trials import session, tried, write_draws
from warm_tui.agent.trials import kept_rules
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.demo.nightly import add_nightly_reports
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.suggestions import count_waiting
from warm_tui.paths import Home
from warm_tui.trials.drawing import decide
from warm_tui.trials.rules import Beginning


async def test_harm_is_acted_on_and_said_though_no_screen_shows_trials(
    record: Record, tmp_path: Path, sent: Path
) -> None:
    home = tried(record, tmp_path, warm=1, cold=1, count=2)
    Config(home.ours / "config.toml").remember(trials_notify="telegram")
    app = WarmTui(home)
    async with app.run_test() as pilot:
        await settled(pilot)
        app.look_after_trials()
        await settled(pilot)
        assert kept_rules(home)[0].running
        rule = kept_rules(home)[0]
        drawn = [decide(Beginning(f"t{number}"), (rule,)) for number in range(120)]
        decisions = [each for each in drawn if each is not None]
        record({each.session_id: session(5 if each.content else 0) for each in decisions})
        write_draws(home, *decisions)
        app.look_after_trials()
        await settled(pilot)
        assert not kept_rules(home)[0].running
        assert any("Warm TUI switched off rule 1" in each.message for each in app._notifications)
    assert len(sent.read_text().splitlines()) == 1


async def test_what_ended_sessions_teach_is_found_and_said_once_whatever_is_shown(tmp_path: Path) -> None:
    home = Home(tmp_path, (add_nightly_reports(Home(tmp_path, ()), NOW),))
    for path in home.databases[0].parent.glob(f"{home.databases[0].name}*"):
        os.utime(path, (NOW, NOW))  # a file that may change within a tick of its clock is not believed
    app = WarmTui(home)

    def waits() -> int:
        with open_library(home.library) as library:
            return count_waiting(library)

    async with app.run_test() as pilot:
        await settled(pilot)
        with Catalog(home) as catalog:
            catalog.library.connection.execute("DELETE FROM databases")
        app.look_after_sessions()
        await settled(pilot)
        assert waits() == 0, "profiles are made by who shows them"
        with Catalog(home) as catalog:
            catalog.profiles()
        app._no_review_before = 0.0
        app.look_after_sessions()
        await settled(pilot)
        assert waits() == 1
        app._no_review_before = 0.0
        app.look_after_sessions()
        await settled(pilot)
        said = [each.message for each in app._notifications]
        assert said.count("1 suggestion for the templates: i on Curate shows it.") == 1
