"""Trials on the Experiments screen, and rules from Templates: by keys, by mouse, and beside others who change them."""

from __future__ import annotations

import time

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList

from tests.tui.helpers import notes, said, settled, tab, until
from tests.tui.test_curate import click_in_footer
from tests.tui.test_experiments import standing
from warm_tui import writing
from warm_tui.agent.prefill import Prefill
from warm_tui.app import WarmTui
from warm_tui.library.db import Library
from warm_tui.library.trials import DUE, keep_rule, rules_of, untold_notices
from warm_tui.paths import Home
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.trials.rule_form import RuleForm, TemplateTicks
from warm_tui.screens.trials.table import TrialTable
from warm_tui.trials.rules import Rule
from warm_tui.widgets.mode_bar import ModeBar

WIDE, NARROW = (160, 48), (80, 24)


def rules(home: Home) -> dict[int, Rule]:
    """In their order."""
    with Library(home.library) as library:
        return {rule.number: rule for rule in rules_of(library.connection)}


def change(home: Home, rule: Rule) -> None:
    with Library(home.library) as library:
        keep_rule(library, rule)


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def trials(pilot: Pilot[None]) -> ExperimentsScreen:
    await settled(pilot)
    await press(pilot, "7")
    screen = pilot.app.screen
    assert isinstance(screen, ExperimentsScreen)
    return screen


def look(app: WarmTui) -> str:
    return " ".join(said(app, "#rule-look").split())


async def test_by_keys_alone(with_trials: Home) -> None:
    app = WarmTui(with_trials)
    async with app.run_test(size=NARROW) as pilot:
        screen = await trials(pilot)
        assert screen.rules.has_focus
        assert "2 rules, 1 running · 2 experiments" in said(app).replace("  ", " ")
        assert "It helps:" in standing(screen)
        assert "Proposed: 95% warm in place of 50%" in standing(screen)
        assert "+" in standing(screen), "the difference over time is drawn"
        await press(pilot, "j")
        assert "Switched off: harm was shown of log-triage, first on" in " ".join(standing(screen).split())
        await press(pilot, "enter")
        assert isinstance(app.screen, CompareScreen)
        assert "Rule 2, randomised: warm by log-triage" in said(app)
        await press(pilot, "7", "d")
        assert "One may look at any time" in " ".join(standing(screen).split())
        assert screen.document_view.has_focus
        await press(pilot, "p", "v")
        assert "Rule 2 is not running" in notes(app), "what is read is of the rule, and so are the keys"
        assert "That is told of experiments" in notes(app)
        await press(pilot, "d", "j")
        assert screen.view.has_focus, "on from the last rule to the experiments"
        assert "triage-quickly" in standing(screen)
        await press(pilot, "k", "k", "a", "enter")
        assert (rules(with_trials)[1].warm_share, rules(with_trials)[1].holdout) == (0.95, 0.05)
        assert "Proposed" not in standing(screen)
        await press(pilot, "p")
        assert rules(with_trials)[1].state == "paused"
        await press(pilot, "r", "J")
        assert list(rules(with_trials)) == [2, 1]
        assert rules(with_trials)[1].running
        assert screen.trial is not None
        assert screen.trial.rule.number == 1, "the cursor goes with it"
        await press(pilot, "k", "r")
        assert isinstance(app.screen, Confirm), "one that harmed is drawn by again only when that is said"
        await press(pilot, "escape", "X", "enter")
        assert list(rules(with_trials)) == [1]
        await press(pilot, "c", "tab", "tab", "tab", *"pdf")
        assert look(app).startswith("32 of the last ")
        await press(pilot, "enter")
        assert rules(with_trials)[1].when.words == "pdf"
        await press(pilot, "t", "shift+tab", "space", "enter")
        assert screen.trial is not None
        assert screen.trial.rule.number == 3, "the cursor is on the rule that was made"
        assert "Nothing shown yet." in standing(screen)


async def test_by_mouse_alone(with_trials: Home) -> None:
    app = WarmTui(with_trials)
    async with app.run_test(size=WIDE) as pilot:
        screen = await trials(pilot)
        await pilot.click(TrialTable, offset=(10, 1))
        await settled(pilot)
        await click_in_footer(pilot, "Pause")
        assert rules(with_trials)[1].state == "paused"
        await click_in_footer(pilot, "Down")
        assert list(rules(with_trials)) == [2, 1]
        await pilot.click(ModeBar, offset=tab(app, "Templates"))
        await settled(pilot)
        await click_in_footer(pilot, "Activate")
        await pilot.click(OptionList, offset=(10, 2))
        await settled(pilot)
        assert isinstance(app.screen, RuleForm)
        await pilot.click(TemplateTicks, offset=(10, 1))
        await settled(pilot)
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert isinstance(app.screen, Confirm), "nobody has read what came from outside"
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert [each.template for each in rules(with_trials)[3].revisions] == ["careful-work", "log-triage"]
        await pilot.click(ModeBar, offset=tab(app, "Experiments"))
        await settled(pilot)
        await pilot.click(TrialTable, offset=(10, 3), times=2)
        await settled(pilot)
        assert app.screen is not screen, "of several templates one is chosen to be compared"


async def test_the_way_in_is_told_where_nothing_is_there_and_where_another_stands(demo: Home) -> None:
    """Never by the prefill file and by rules both."""
    with Library(demo.library) as library:
        library.connection.execute("DELETE FROM experiments")
    app = WarmTui(demo)
    async with app.run_test(size=NARROW) as pilot:
        screen = await trials(pilot)
        assert "t makes a rule" in said(app, "#empty")
        await press(pilot, "4", "a", "enter", "enter")
        assert Prefill(demo).active() is not None
        await press(pilot, "a")
        assert "not while careful-work is active for all: x ends that" in str(
            app.screen.query_one(OptionList).get_option_at_index(1).prompt
        )
        await press(pilot, "j", "enter")
        assert "It is the only rule that runs." in look(app)
        await press(pilot, "enter")
        assert "is active for every next session" in said(app, ".form-error")
        assert not rules(demo)
        await press(pilot, "escape", "x", "enter", "a", "j", "enter", "enter")
        assert rules(demo)[1].running
        await press(pilot, "a", "enter")
        assert "Rule 1 of trials draws" in said(app, ".confirm Static"), "asked before anything else is"
        await press(pilot, "escape")
        assert rules(demo)[1].running
        await press(pilot, "a", "enter", "enter", "escape")
        assert rules(demo)[1].running, "paused only where all was agreed to"
        assert Prefill(demo).active() is None
        await press(pilot, "a", "enter", "enter", "enter")
        assert Prefill(demo).active() is not None
        assert not rules(demo)[1].running
        assert "Rule 1 is paused" in notes(app)
        await press(pilot, "7")
        assert screen.rules.has_focus
        assert not screen.query_one("#empty").display
        assert "Paused by the activation of careful-work: no session" in " ".join(standing(screen).split())
        await press(pilot, "4", "x")
        left = "Rule 1 of trials was paused by the activation of careful-work, and stays so"
        assert left in said(app, ".confirm Static")
        await press(pilot, "enter")
        assert left in notes(app)
        await press(pilot, "7", "r", "p")
        assert "Paused by hand" in standing(screen)


async def test_what_others_do_meanwhile_is_shown_and_not_written_over(with_trials: Home) -> None:
    notice = (2, time.time(), "Rule 2 was switched off overnight.", "", DUE)
    with Library(with_trials.library) as library, library.keeping() as connection:
        connection.execute("INSERT INTO notices VALUES (?, ?, ?, ?, ?)", notice)
    app = WarmTui(with_trials)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "Rule 2 was switched off overnight." in notes(app)
        with Library(with_trials.library) as library:
            assert untold_notices(library.connection) == [], "once"
        screen = await trials(pilot)
        await press(pilot, "c")
        change(with_trials, rules(with_trials)[1]._replace(share=0.2))
        app.screen.query_one("#field-words", Input).value = "mine"
        await press(pilot, "enter")
        assert "changed elsewhere" in notes(app)
        assert (rules(with_trials)[1].share, rules(with_trials)[1].when.words) == (0.2, "invoice")
        await until(pilot, lambda: screen.trial is not None and screen.trial.rule.share == 0.2)
        with Library(with_trials.library) as library, library.keeping() as connection:
            connection.execute("UPDATE trials SET running = 1, why = '' WHERE number = 2")
        await until(pilot, lambda: rules(with_trials)[2].state == "switched off")
        await settled(pilot)
        assert "Rule 2 is switched off: harm was shown of log-triage." in notes(app)


async def test_who_only_looks_changes_no_rule(with_trials: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    change(with_trials, rules(with_trials)[2]._replace(running=True, why=""))
    before = rules(with_trials)
    monkeypatch.setattr(writing, "_looks_only", True)
    app = WarmTui(with_trials)
    async with app.run_test(size=WIDE) as pilot:
        screen = await trials(pilot)
        assert "It helps:" in standing(screen)
        for keys in (["p"], ["J"], ["X", "enter"], ["a", "enter"], ["c"], ["t"]):
            app.clear_notifications()
            await press(pilot, *keys)
            assert "read-only" in notes(app), keys
            assert app.screen is screen
    monkeypatch.setattr(writing, "_looks_only", False)
    assert rules(with_trials) == before, "the guard of who only looks switches nothing off"
