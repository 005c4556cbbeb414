"""Trials are looked after while the app is open, whatever it shows."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Record
from tests.tui.helpers import settled
from tests.unit.test_trial_guard import sent as sent
from tests.unit.test_trials import session, tried, write_draws
from warm_tui.agent.trials import kept_rules
from warm_tui.app import WarmTui
from warm_tui.config import Config
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
