"""Making a plan on the Experiments screen: step by step, there and back, from a file, and what is asked before it starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import Input, Select, Static, TextArea

from tests.tui.helpers import notes, settled, until
from tests.tui.test_experiments import PLAN, WIDE, experimenting, standing
from tests.tui.test_experiments import agent as agent
from tests.tui.test_experiments import cache as cache
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.experiments.plan_draft import DraftFile
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.forms import Confirm, Form, Write
from warm_tui.screens.shared.written import Written
from warm_tui.templates.files import TemplateFiles


async def test_by_keys_alone_from_a_plan_to_a_result(demo: Home, agent: Path) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("n")
        assert isinstance(app.screen, Form)
        for field, wrong in (
            ("repeats", "none"),
            ("repeats", "inf"),
            ("repeats", "2.7"),
            ("folder", "~nobody-of-this-name/x"),
        ):
            entry = app.screen.query_one(f"#field-{field}", Input)
            before, entry.value = entry.value, wrong
            await pilot.press("enter")
            assert isinstance(app.screen, Form), "what is wrong is told where it is typed"
            assert str(app.screen.query_one(".form-error", Static).content)
            entry.value = before
        app.screen.query_one("#field-repeats", Input).value = "1"
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Write)
        app.screen.query_one("#text", TextArea).text = "\n\n".join(f"Task of number {at}." for at in range(6))
        await pilot.press("ctrl+s")
        await settled(pilot)
        await pilot.press("escape", "escape")
        await settled(pilot)
        assert isinstance(app.screen, Form), "a step back each time"
        assert app.screen.query_one("#field-repeats", Input).value == "1", "what was filled in stands there again"
        assert DraftFile(demo).draft.fields["repeats"] == "1", "also when the app is begun anew"
        await pilot.press("enter")
        await settled(pilot)
        assert "Task of number 5." in app.screen.query_one("#text", TextArea).text
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert isinstance(app.screen, Write)
        assert "budget:" in app.screen.query_one("#text", TextArea).text
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, Write), "back to the plan"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.rows) == 3)
        assert not (demo.ours / "plan-draft.json").exists(), "it has begun"
        await until(pilot, lambda: screen.rows[0].phase == "done")
        await settled(pilot)
        assert screen.chosen is not None
        assert screen.chosen.experiment.name == "does-it-help"
        assert {run.state for run in screen.table.rows} == {"ended"}
        assert "Warm runs failed less than cold ones: the template helped." in standing(screen)
        await pilot.press("e")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Written))
    assert len(agent.read_text().splitlines()) == 12


async def test_a_plan_from_a_file_or_from_another_experiment(demo: Home, agent: Path, tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(json.dumps(PLAN))
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("i")
        app.screen.query_one(Input).value = str(tmp_path / "none.yaml")
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be read" in notes(app))
        await pilot.press("i")
        app.screen.query_one(Input).value = str(path)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("escape")
        await settled(pilot)
        assert len(screen.rows) == 2, "looking at what it would do does nothing"
        await pilot.press("j", "c")
        await settled(pilot)
        assert isinstance(app.screen, Write)
        assert "name: careful-work-helps" in app.screen.query_one("#text", TextArea).text
    assert not agent.exists()


@pytest.mark.usefixtures("agent")
async def test_a_plan_tried_again_is_kept_until_it_begins(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        screen.plans.keep_fields({"name": "of-my-own"})
        await pilot.press("j", "c")
        await settled(pilot)
        editor = app.screen.query_one("#text", TextArea)
        editor.text = json.dumps({**PLAN, "name": "careful-once-more"}, indent=1)
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen, "one step back, without a question"
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await experimenting(pilot)
        await pilot.press("k", "c")
        await settled(pilot)
        assert "careful-once-more" not in app.screen.query_one("#text", TextArea).text, "that is another plan"
        await pilot.press("escape", "j", "c")
        await settled(pilot)
        assert "careful-once-more" in app.screen.query_one("#text", TextArea).text, "as it was left"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("escape")
        await settled(pilot)
        assert "careful-once-more" in app.screen.query_one("#text", TextArea).text, "back to the plan"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.rows) == 3)
        await settled(pilot)
        assert DraftFile(demo).draft.again == {}, "it has begun"
        assert DraftFile(demo).draft.fields == {"name": "of-my-own"}, "and another draft stays"
        await until(pilot, lambda: screen.rows[0].phase == "done")


async def test_a_plan_that_can_show_nothing_asks_first(demo: Home, agent: Path) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await experimenting(pilot)
        await pilot.press("n")
        form = app.screen
        chosen = form.query_one("#field-template", Select)
        assert chosen.value in {stored.template.name for stored in TemplateFiles(demo).all()[0]}
        for name, value in (("model", "another"), ("dollars", "$5"), ("runs", "40"), ("budget_minutes", "90")):
            form.query_one(f"#field-{name}", Input).value = value
        form.query_one("#field-name", Input).focus()
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("ctrl+s")
        await settled(pilot)
        text = app.screen.query_one("#text", TextArea).text
        assert "model: another" in text
        assert "budget:\n  runs: 40\n  dollars: 5.0\n  minutes: 90.0\n" in text
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        window = app.screen
        assert isinstance(window, Confirm)
        assert window._title == "Start it, though it can show nothing?"
        assert window._text.startswith("With fewer than 6 tasks nothing can be shown")
        assert "Runs: 4, 1 task × 2 × 2 arms, in 2 pairs, 2 at once." in window._text
        most = "At most 25.0 min: 4 runs × 10.0 min ÷ 2 at once, + 5.0 min as the longest may begin last."
        assert most in window._text
        await pilot.press("E")
        await settled(pilot)
        assert isinstance(app.screen, Explain)
        meaning = {each.name: each.text for each in app.screen.explained}
        assert meaning["longest time"].startswith(f"{most}\nHow long a plan can take at most")
        assert {"runs to come", "time expected", "cost expected", "budget"} <= meaning.keys()
    assert not agent.exists()


async def test_tasks_that_leak_are_left_out_when_asked(demo: Home, agent: Path, tmp_path: Path) -> None:
    context = TemplateFiles(demo).load("careful-work").template.patterns[0].context
    tasks = [{"id": "known", "prompt": context}, {"id": "new", "prompt": "Something that nobody did before."}]
    path = tmp_path / "plan.yaml"
    path.write_text(json.dumps({**PLAN, "tasks": tasks}))
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await experimenting(pilot)
        await pilot.press("i")
        app.screen.query_one(Input).value = str(path)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert app.screen._title == "These tasks would leak"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Confirm) and app.screen._title.startswith("Start"))
        assert "known" in app.screen._text  # type: ignore[attr-defined]
    assert not agent.exists()
