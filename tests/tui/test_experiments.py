"""The Experiments screen: what there is, what goes on, beginning one, and what came of it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from tests.tui.helpers import foot, notes, said, settled, until
from tests.unit import fake_hermes
from warm_tui.app import WarmTui
from warm_tui.experiments.starting import plan_of
from warm_tui.library.db import open_library
from warm_tui.library.experiments import change_experiment, change_run, experiments, keep_attempt, runs_of
from warm_tui.paths import Home
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.experiments.table import ExperimentTable, RunTable
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.transcript.screen import TranscriptScreen

WIDE = (160, 48)
PLAN = {"name": "from-a-file", "template": "careful-work", "tasks": [{"id": "one", "prompt": "Do something else."}]}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command `hermes` is a stand-in."""
    log = fake_hermes.install(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{log.parent}{os.pathsep}{os.environ['PATH']}")
    return log


async def experimenting(pilot: Pilot[None]) -> ExperimentsScreen:
    await settled(pilot)
    await pilot.press("7")
    screen = pilot.app.screen
    assert isinstance(screen, ExperimentsScreen)
    await until(pilot, lambda: screen.experiments is not None)
    await settled(pilot)
    return screen


def standing(screen: ExperimentsScreen) -> str:
    return "\n".join("".join(text for text, _ in line) for line in screen.query_one("#standing").lines)  # type: ignore[attr-defined]


async def test_what_there_is(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        assert [row.experiment.name for row in screen.view.rows] == ["triage-quickly", "careful-work-helps"]
        assert "2 experiments" in said(app)
        assert len(screen.table.rows) == 16
        assert "5 of 16 runs" in standing(screen)
        assert "PAUSED" in standing(screen)
        await pilot.press("j")
        await settled(pilot)
        assert len(screen.table.rows) == 48
        assert "45 ended, 1 timed out, 2 crashed" in standing(screen)
        assert "Warm runs failed less than cold ones" in standing(screen)


async def test_the_demos_verdict_is_what_its_runs_show(demo: Home) -> None:
    from warm_tui.experiments.results import result_of

    with open_library(demo.library) as library:
        done = experiments(library)[1]
    compared = result_of(demo, done.id).comparison
    assert compared.verdict == done.verdict
    assert compared.paired


async def test_a_run_opens_and_one_comes_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("enter")
        assert screen.table.has_focus
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TranscriptScreen))
        await settled(pilot)
        transcript = app.screen
        assert isinstance(transcript, TranscriptScreen)
        assert transcript.profile.session_id == screen.runs[0].session_id
        assert transcript.view.items
        at = next(at for at in range(len(transcript.view.items)) if transcript.view.outcome(at) == "ok")
        transcript.view.move(at)
        await pilot.press("p")
        await until(pilot, lambda: "Picked as number 1" in notes(app))
        await pilot.press("escape")
        await settled(pilot)
        while app.screen is not screen:
            await pilot.press("q")
            await settled(pilot)
        await pilot.press("G", "enter")
        await settled(pilot)
        assert "This run has no session to open. It is queued." in notes(app)


async def test_the_result_opens_in_compare(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("o")
        assert "There is no result yet" in notes(app)
        await pilot.press("j", "o")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        compare = app.screen
        assert isinstance(compare, CompareScreen)
        await until(pilot, lambda: compare.compared is not None and compare.compared.spec.kind == "experiment")
        await settled(pilot)
        assert len(compare.table.rows) == 44, "two runs crashed: their pairs are set aside"
        assert "Experiment 1: careful-work-helps" in said(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TranscriptScreen))
        await pilot.press("q")
        await settled(pilot)
        # What was saved for the template opens by its name, too.
        await pilot.press("f")
        await settled(pilot)
        await pilot.press("end", "enter")
        await settled(pilot)
        assert compare.compared is not None
        assert compare.compared.title == "Experiment 1: careful-work-helps"
        await pilot.press("7")
        await settled(pilot)
        assert app.screen is screen


async def test_runs_are_filtered_sorted_and_zoomed(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("j")
        await settled(pilot)
        await pilot.press("slash", *"cold crashed", "enter")
        await settled(pilot)
        assert {(run.arm, run.state) for run in screen.table.rows} == {("cold", "crashed")}
        await pilot.press("escape")
        await settled(pilot)
        assert len(screen.table.rows) == 48
        screen.sort("-seconds")
        seconds = [run.seconds for run in screen.table.rows if run.seconds is not None]
        assert seconds == sorted(seconds, reverse=True)
        await pilot.press("z")
        assert screen.table.has_focus
        assert not screen.view.display
        await pilot.press("z")
        assert screen.table.has_focus, "where one was, since the filter was typed"
        assert screen.view.display
        screen.table.move(next(at for at, run in enumerate(screen.table.rows) if run.reason))
        await settled(pilot)
        reason = screen.table.under_cursor.reason if screen.table.under_cursor else ""
        assert reason in " ".join(standing(screen).split()), "whole, where the table cuts it"
        await pilot.press("v")
        assert isinstance(app.screen, Pages)


async def test_why_a_run_came_to_nothing(demo: Home) -> None:
    with open_library(demo.library) as library:
        run = next(run for run in runs_of(library, 1) if run.state == "crashed")
        keep_attempt(
            library, 1, replace(run, outage="model", attempts=1), "Traceback (most recent call last):\n  File x"
        )
        change_run(library, 1, run.position, session_id="")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("j", "tab")
        await settled(pilot)
        for key in ("w", "enter"):
            screen.table.move(run.position)
            await settled(pilot)
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, Pages))
            assert isinstance(app.screen, Pages)
            shown = "\n".join("".join(text for text, _ in line) for line in app.screen.lines)
            assert "Attempt 1: crashed" in shown
            assert "The model does not answer: it is no result." in shown
            assert "Traceback (most recent call last):" in shown
            await pilot.press("escape")
            await settled(pilot)


async def test_going_on_pausing_and_cancelling(demo: Home, agent: Path) -> None:
    with open_library(demo.library) as library:
        plan = plan_of(experiments(library)[0].plan)
        waiting = tuple(replace(task, prompt=f"{task.prompt} And wait for the word.") for task in plan.tasks)
        change_experiment(library, 2, plan=msgspec.json.encode(replace(plan, tasks=waiting)))
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("r")
        await until(pilot, lambda: screen.rows[0].phase == "running")
        await until(pilot, lambda: any(run.state == "running" for run in screen.runs))
        await pilot.press("p")
        await until(pilot, lambda: screen.rows[0].phase == "paused")
        agent.with_name(fake_hermes.GO).touch()
        await until(pilot, lambda: not any(run.state == "running" for run in screen.runs))
        await pilot.press("X")
        await settled(pilot)
        assert isinstance(app.screen, Confirm)
        await pilot.press("escape")
        assert screen.rows[0].phase == "paused"
        await pilot.press("X")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: screen.rows[0].phase == "cancelled")
        await settled(pilot)
        assert {run.state for run in screen.runs} == {"ended", "cancelled"}
        assert f"of {len(screen.runs)} runs" in standing(screen), "what was cancelled was wanted"
        await pilot.press("X", "o")
        await settled(pilot)
        assert app.screen is screen
        assert "It is cancelled: there is nothing to cancel." in notes(app)
        assert "It was cancelled: there is no result." in notes(app)
        await pilot.press("r")
        await until(pilot, lambda: "nothing is left to run" in notes(app))
        await settled(pilot)


async def test_without_hermes_it_is_said(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from warm_tui.agent import hermes_cli

    monkeypatch.setattr(hermes_cli, "on_the_path", lambda _: None)
    monkeypatch.setattr(hermes_cli.sys, "executable", "/nowhere/python")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await experimenting(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "Hermes was not found" in notes(app))


async def test_what_another_process_does_is_shown(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        with open_library(demo.library) as library:
            change_run(library, 2, 5, state="crashed", reason="Hermes ended with 1.", started_at=1.0, ended_at=2.0)
            change_experiment(library, 2, state="running")
        await until(pilot, lambda: screen.rows[0].phase == "interrupted")
        await settled(pilot)
        assert screen.table.rows[5].state == "crashed"


async def test_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.click(ExperimentTable, offset=(10, 2))
        await settled(pilot)
        assert len(screen.table.rows) == 48
        await pilot.click(RunTable, offset=(10, 3))
        assert screen.table.has_focus
        assert screen.table.cursor == 2
        await pilot.click(RunTable, offset=(10, 3), times=2)
        await until(pilot, lambda: isinstance(app.screen, TranscriptScreen))


async def test_nothing_there_yet(demo: Home) -> None:
    with open_library(demo.library) as library:
        library.connection.execute("DELETE FROM experiments")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await experimenting(pilot)
        assert "n makes a plan and starts it" in said(app, "#empty")
        assert list(foot(app))[:3] == ["New", "Trial", "Help"], "no key that would only say that there is none"
        for key in ("o", "r", "p", "X", "v", "c"):
            await pilot.press(key)
            await settled(pilot)
            assert "There is no experiment yet: n makes one." in notes(app), key
            app.clear_notifications()
        for key in ("enter", "e", "y", "z", "z", "tab", "escape"):
            await pilot.press(key)
            await settled(pilot)
