"""The Compare screen: arms by marks, filters, template and name; what is shown, saved and taken along."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tests.conftest import NOW
from tests.tui.helpers import foot, notes, said, settled, tab, until
from warm_tui.app import WarmTui
from warm_tui.comparisons.compare import Comparison
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.reliability.bounds import rate_bounds
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.shared.forms import Form
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.model import SessionName

WIDE = (160, 48)


def mark(home: Home, warm: str, cold: str) -> None:
    """Mark the sessions whose model is of this name."""
    with Catalog(home) as catalog:
        arms = {p.session_id: "warm" if warm in (p.model or "") else "cold" for p in catalog.profiles() if p.model}
        models = {p.session_id: p.model or "" for p in catalog.profiles()}
        keep_marks(
            catalog.library, [{SessionName(i): a for i, a in arms.items() if warm in models[i] or cold in models[i]}]
        )


async def comparing(pilot: Pilot[None]) -> CompareScreen:
    await settled(pilot)
    await pilot.press("6")
    screen = pilot.app.screen
    assert isinstance(screen, CompareScreen)
    await until(pilot, lambda: screen.compared is not None or bool(screen.trouble))
    await settled(pilot)
    return screen


async def test_an_arm_that_was_chosen_just_before_is_compared(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library has not been told of it yet when the screen opens."""
    monkeypatch.setattr(SessionsScreen, "save_marks", lambda _: None)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("c")
        screen = await comparing(pilot)
        assert len(told(screen).cold) == 1


async def choose(pilot: Pilot[None], words: str) -> None:
    """The option of the window on top in which these words stand."""
    options = pilot.app.screen.query_one(OptionList)
    at = next(n for n in range(options.option_count) if words in str(options.get_option_at_index(n).prompt))
    options.highlighted = at
    await pilot.press("enter")
    await settled(pilot)


def told(screen: CompareScreen) -> Comparison:
    assert screen.compared is not None
    return screen.compared.comparison


def shown(screen: CompareScreen) -> str:
    return "\n".join("".join(text for text, _ in line) for line in screen.view.lines)


async def test_without_arms_it_says_how_to_make_them(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        assert "w puts a session in the warm arm" in said(app, "#empty")
        assert list(foot(app))[:2] == ["From", "Help"], "no key that would only say that there is none"
        for key in ("enter", "e", "w", "y", "slash", "escape", "s", "escape", "z", "z"):
            await pilot.press(key)
        assert app.screen is screen


async def test_marks_that_nobody_made_are_told_of(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert "No session is marked yet" in notes(app)


async def test_marked_sessions_side_by_side(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        assert {row.arm for row in screen.table.rows} == {"warm", "cold"}
        await pilot.press("d")
        text = shown(screen)
        for words in ("error rate", "first 30 calls", "Error rates of the sessions", "up to the nth call", "by tool"):
            assert words in text
        assert "% of the warm calls failed" in text
        assert "nan" not in text.lower()


async def test_by_keys_mark_and_compare(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key in ("w", "w", "c", "c"):
            await pilot.press(key)
        screen = await comparing(pilot)
        assert [row.arm for row in screen.table.rows] == ["warm", "warm", "cold", "cold"]
        assert "it takes 4 sessions in each" in shown(screen)
        await pilot.press("1", "c")
        await settled(pilot)
        await pilot.press("6")
        await settled(pilot)
        assert len(screen.table.rows) == 5
        assert "2 warm, 3 cold" in said(app), "what was marked meanwhile is in it"


async def test_by_mouse_alone(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click("ModeBar", offset=tab(pilot.app, "Compare"))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await until(pilot, lambda: screen.compared is not None)
        await settled(pilot)
        await pilot.click("#units", offset=(screen.table.render_line(0).text.index("calls"), 0))
        await settled(pilot)
        assert screen.table.order.lstrip("-") == "calls"
        await pilot.click("#units", offset=(10, 2), times=2)
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)


async def test_a_session_opens_and_one_comes_back(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        await pilot.press("j", "enter")
        await settled(pilot)
        transcript = app.screen
        assert isinstance(transcript, TranscriptScreen)
        assert transcript.profile.session_id == screen.table.rows[1].unit.session_id
        await pilot.press("q")
        await settled(pilot)
        assert app.screen is screen


async def test_two_filters(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "two filters")
        form = app.screen
        assert isinstance(form, Form)
        await pilot.press(*"errors>x", "tab", "enter")
        await settled(pilot)
        warm, cold = form.query(Input)
        assert (app.screen, app.focused) == (form, warm), "what is wrong is said, and nothing lost"
        assert warm.region.y < form.query_one(".form-error").region.y < cold.region.y, "below the field that it is of"
        warm.value, cold.value = "model:gpt", "model:llama"
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.table.rows) > 10)
        assert "model:gpt against model:llama" in said(app)


async def test_enter_in_the_first_filter_goes_on_to_the_second_and_there_takes_both(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "two filters")
        form = app.screen
        assert isinstance(form, Form)
        await pilot.press(*"model:gpt", "enter")
        await settled(pilot)
        assert (app.screen, app.focused) == (form, [*form.query(Input)][1])
        assert "enter: on to the cold one" in app.export_screenshot().replace("&#160;", " ")
        await pilot.press(*"model:llama", "enter")
        await until(pilot, lambda: len(screen.table.rows) > 10)
        assert (screen.spec.warm_filter, screen.spec.cold_filter) == ("model:gpt", "model:llama")


async def test_a_template_and_what_its_comparison_showed(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "log-triage")
        await until(pilot, lambda: bool(screen.table.rows))
        await settled(pilot)
        assert "by the time when the template was active" in shown(screen)
        await pilot.press("w")
        await settled(pilot)
        await pilot.press(*"triage helps", "enter")
        await until(pilot, lambda: "Saved as triage helps" in notes(app))
        await pilot.press("4")
        await settled(pilot)
        shelf = app.screen
        assert isinstance(shelf, TemplatesScreen)
        (row,) = [row for row in shelf.table.rows if row.name == "log-triage"]
        assert row.showed == told(screen).announced


async def test_arms_that_were_marked_since_come_before_an_older_comparison(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "log-triage")
        await until(pilot, lambda: bool(screen.table.rows))
        await pilot.press("1")
        await settled(pilot)
        await pilot.press("6")
        await settled(pilot)
        assert screen.spec.kind == "template", "nothing was marked"
        await pilot.press("1", "w", "c")
        await settled(pilot)
        await pilot.press("6")
        await settled(pilot)
        assert screen.spec.kind == "marks"
        assert [row.arm for row in screen.table.rows] == ["warm", "cold"]
        assert "marked since" in notes(app)


async def test_a_template_that_was_never_active_is_no_arm(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        options = app.screen.query_one(OptionList).options
        offered = {str(option.prompt) for option in options if str(option.id).startswith("template:")}
        assert any("log-triage" in words for words in offered)
        assert len(offered) < 3, "there are three templates, of which one was never active"


async def test_the_arrow_of_the_order_cuts_no_name_of_a_column(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        for field in screen.table.fields:
            screen.sort(field.name)
            head = screen.table.render_line(0).text
            assert "…" not in head, field.title
            assert f"{field.title}▲" in head or f"{field.title}≤▲" in head


async def test_leaking_arms_are_refused_with_a_way_out(demo: Home) -> None:
    with Catalog(demo) as catalog:
        catalog.library.connection.execute(
            "INSERT INTO uses (template, what, content, at, until) VALUES ('careful-work', 'activated', '', 0, ?)",
            (NOW,),
        )
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await comparing(pilot)
        await pilot.press("f")
        await settled(pilot)
        await choose(pilot, "careful-work")
        await until(pilot, lambda: "Leaking" in screen.trouble)
        await settled(pilot)
        assert "Leave those out with x" in " ".join(shown(screen).split())
        assert "not compared" in said(app)
        assert "Leave out sources" in foot(app), "the way out is seen, and not what there is nothing to be seen of"
        assert "Details" not in foot(app)
        await pilot.press("x")
        await until(pilot, lambda: bool(screen.table.rows))
        assert "Left out, because" in shown(screen)


async def test_pairing_is_a_choice(demo: Home) -> None:
    mark(demo, "opus", "gpt")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        await pilot.press("p")
        await settled(pilot)
        await choose(pilot, "Always")
        await until(pilot, lambda: screen.spec.pairing == "order" and not screen.reading)
        await settled(pilot)
        found = told(screen)
        assert found.paired is (len(found.warm) == len(found.cold))
        assert ("nothing is paired" in shown(screen)) is not found.paired
        await pilot.press("p")
        await settled(pilot)
        await choose(pilot, "Never")
        await until(pilot, lambda: screen.spec.pairing == "none" and not screen.reading)
        await settled(pilot)
        assert "nothing is paired" not in shown(screen)
        assert not told(screen).paired


async def test_filtering_and_sorting_leave_the_comparison_as_it_is(demo: Home) -> None:
    mark(demo, "opus", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        document = screen.view.document
        screen.sort("-error_rate")
        bounds = [rate_bounds(row.unit.failures, row.unit.known) for row in screen.table.rows]
        at_least = [each.low for each in bounds if each]
        assert at_least == sorted(at_least, reverse=True)
        await pilot.press("slash", *"bad day", "enter")
        await settled(pilot)
        assert {row.unit.title.split(":")[0] for row in screen.table.rows} == {"Bad day"}
        assert screen.view.document is document


async def test_no_database(tmp_path: Path) -> None:
    app = WarmTui(Home(tmp_path / "home", (tmp_path / "nothing.db",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await comparing(pilot)
        assert "nothing.db" in shown(screen)
        await pilot.press("f")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen


async def test_one_arm_alone_is_no_end(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j", "w")
        assert "the cold arm is empty" in shown(await comparing(pilot))


async def test_of_a_picture_that_is_in_sight_nothing_is_below_the_edge(demo: Home) -> None:
    mark(demo, "claude", "llama")
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        view = (await comparing(pilot)).view
        for height in (24, 26, 30, 36):
            await pilot.resize_terminal(80, height)
            await settled(pilot)
            shown = [text_of(line) for line in view.lines][: view.size.height]
            assert any("Error rate up to the nth call" in line for line in shown), height
            assert any("dots: 95 %" in line for line in shown), f"its legend, {height} lines high"
