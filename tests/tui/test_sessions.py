"""The table of sessions, by keys alone and by mouse."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from textual.widgets import SelectionList

from tests.conftest import DEMO_LIVES
from tests.tui.helpers import said, settled, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import add_note
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.screens.sessions import feeding
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.pages import Pages
from warm_tui.sessions.model import SessionName

WIDE = (160, 48)


async def test_it_opens_on_the_newest_session(unread_demo: Home) -> None:
    app = WarmTui(unread_demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert titles(app)[0] == "Paginate the order list"
        assert len(table(app).rows) == DEMO_LIVES
        assert not table(app).pending
        assert f"1–43 of {DEMO_LIVES}" in said(app)
        assert "Paginate the order list" in said(app, "#profile")


async def test_the_profile_follows_the_cursor(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j", "down")
        await settled(pilot)
        told = said(app, "#profile")
        assert "Nightly backup check 1" in told
        assert "✓✓" in told


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        ("G", DEMO_LIVES - 1),
        ("G,g", 0),
        ("j,j,k", 1),
        ("end", DEMO_LIVES - 1),
        ("pagedown", 42),
        ("pagedown,pageup", 0),
        ("k", 0),
    ],
)
async def test_moving(demo: Home, keys: str, row: int) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press(*keys.split(","))
        assert table(app).cursor == row


async def test_sorting_by_keys(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("s")
        assert isinstance(app.screen, ChooseOne)
        # A letter goes to the next one that begins with it; j and k move, as in every list.
        await pilot.press("t", "t", "j", "k", "e", "enter")
        assert titles(app)[0] == "Bad day: still nothing builds"
        await pilot.press("r")
        assert table(app).order == "error_rate"
        assert "by errors, at most ▲" in said(app), "or the figures would seem out of order"
        assert titles(app)[0] == "Cache the price list", "2 of 46 failed: more is known of it than of 0 of 3"
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert table(again).order == "error_rate", "the order is remembered"


async def test_sorting_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        left = 2
        for field, width in zip(table(app).fields, table(app)._widths, strict=True):
            if field.name == "tool_call_count":
                break
            left += width + 2 if width else 0
        await pilot.click(SessionTable, offset=(left, 0))
        assert titles(app)[0] == "Marathon: split the monolith"
        await pilot.click(SessionTable, offset=(left, 0))
        assert table(app).order == "tool_call_count"


async def test_another_order_is_shown_from_its_top(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j", "r")
        assert table(app).cursor == 0
        assert "by age ▲" in said(app)


async def test_columns_can_be_chosen_and_are_remembered(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("o")
        app.screen.query_one(SelectionList).deselect_all()
        await pilot.press("space", "escape")
        assert [field.name for field in table(app).fields] == ["title"]
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert [field.name for field in table(again).fields] == ["title"]


@pytest.mark.parametrize("name", ["outcome", "project"])
async def test_a_column_that_was_asked_for_stands_before_the_usual_ones(demo: Home, name: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert name not in [field.name for field in table(app).fields]
        await pilot.press("o")
        app.screen.query_one(SelectionList).select(name)
        await pilot.press("escape")
        await settled(pilot)
        seen = {field.name: width for field, width in zip(table(app).fields, table(app)._widths, strict=True)}
        assert seen[name]
        assert not all(seen.values()), "there is not room for all"


async def test_help_lists_the_keys_of_where_one_is(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Pages)
        assert any("Filter the sessions" in text for line in app.screen.lines for text, _ in line)
        await pilot.press("escape")
        assert isinstance(app.focused, SessionTable)


async def test_the_palette_has_every_action(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        commands = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Sessions: Filter", "Theme", "Picture of the screen", "Sessions: Export", "Moving: Down"} <= commands
        await pilot.press("ctrl+p", *"reverse")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert table(app).order == "started_at"


async def test_themes_are_shown_live_and_put_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("T", "down")
        assert app.theme == "warm-light"
        await pilot.press("escape")
        assert app.theme == "warm-dark"
        await pilot.press("T", "down", "enter")
    again = WarmTui(demo)
    async with again.run_test(size=WIDE):
        assert again.theme == "warm-light"


async def test_keys_can_be_remapped(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text('# mine\n[keys]\n"sessions.reverse" = "R"\n')
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("r")
        assert table(app).order == "-started_at"
        await pilot.press("R")
        assert table(app).order == "started_at"
    assert (demo.ours / "config.toml").read_text().startswith("# mine\n"), "comments are kept"


async def test_a_config_that_cannot_be_read_is_told_and_left_alone(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text("theme = [broken")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("r")
    assert (demo.ours / "config.toml").read_text() == "theme = [broken"


async def test_pictures_and_exports(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+s", "e")
        await settled(pilot)
    (picture,) = (demo.ours / "pictures").glob("*.svg")
    assert "Paginate" in picture.read_text()
    (export,) = (demo.ours / "exports").glob("*sessions.json")
    assert json.loads(export.read_text())["total"] == DEMO_LIVES
    assert export.stat().st_mode & 0o777 == 0o600


async def test_the_table_follows_a_live_database(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j")
        writer = sqlite3.connect(demo.databases[0])
        writer.execute("INSERT INTO sessions (id, source, title, started_at) VALUES ('new', 'cli', 'Brand new', 9e9)")
        writer.commit()
        await until(pilot, lambda: "Brand new" in titles(app))
        under = table(app).under_cursor
        assert under is not None
        assert under.title == "Make a release", "the cursor stays where it was"
        writer.close()


async def test_a_database_that_vanishes_is_told(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for file in demo.root.glob("state.db*"):
            file.unlink()
        await until(pilot, lambda: "no Hermes database" in app.screen_stack[0].sessions.trouble)  # type: ignore[attr-defined]
        assert len(table(app).rows) == DEMO_LIVES, "what was read stays"


async def test_an_empty_state_says_where_it_looked_and_what_to_do(tmp_path: Path) -> None:
    app = WarmTui(Home(tmp_path, (tmp_path / "state.db",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        told = said(app, "#empty")
        assert str(tmp_path / "state.db") in told
        assert "--demo" in told


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_quits(demo: Home, key: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press(key)
    assert app.return_code == 0


async def test_it_may_quit_or_change_size_while_loading(unread_demo: Home) -> None:
    app = WarmTui(unread_demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.resize_terminal(130, 40)
        await pilot.resize_terminal(50, 10)
        await pilot.press("q")
    assert app.return_code == 0


async def test_profiling_can_be_stopped_and_gone_on_with(unread_demo: Home) -> None:
    app = WarmTui(unread_demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("x")
        assert app.screen_stack[0].sessions.stopped  # type: ignore[attr-defined]
        await pilot.press("x")
        await settled(pilot)
        assert not table(app).pending


async def test_zoom(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("z")
        assert not table(app).display or table(app).size.width == 0
        await pilot.press("z")
        assert table(app).size.width > 50
        await pilot.press("j")
        assert table(app).cursor == 1


async def test_a_database_that_is_replaced_is_read_anew(demo: Home, tmp_path: Path) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        other = sqlite3.connect(tmp_path / "other.db")
        source = sqlite3.connect(demo.databases[0])
        source.backup(other)
        other.execute("DELETE FROM sessions WHERE source != 'cron'")
        other.commit()
        other.close()
        source.close()
        (tmp_path / "other.db").replace(demo.databases[0])
        await until(pilot, lambda: len(table(app).rows) == 3)


async def test_two_at_the_same_time_see_each_others_verdicts(demo: Home) -> None:
    """A verdict that another instance sets is in the profile at the next look, and nobody's is lost."""
    from warm_tui.library.verdicts import set_verdict

    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        at = titles(app).index("Make a release")
        table(app).move(at)
        under = table(app).under_cursor
        assert under is not None
        with Catalog(demo) as other:
            _, _, judged = other.life(under.session_id)
            failed = next(call for call, verdict in judged if verdict.outcome == "failure")
            set_verdict(other.library, SessionName(failed.session_id), failed.key, "success", "by another")
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        after = table(app).under_cursor
        assert after is not None
        assert after.failed_calls == under.failed_calls - 1


async def test_choices_that_cannot_be_kept_are_told_and_work_all_the_same(demo: Home) -> None:
    shutil.rmtree(demo.ours)
    demo.ours.write_text("in the way of the folder")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("r")
        assert table(app).order == "started_at"
    assert app.return_code in (0, None)


async def test_an_idle_app_reads_nothing(unread_demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does what it remembers itself make it look again and again."""
    for file in unread_demo.root.glob("state.db*"):
        os.utime(file, (1, 1))
    reads: list[str] = []
    real = feeding.feed

    def counted(*given, **named):
        reads.append("read")
        return real(*given, **named)

    monkeypatch.setattr(feeding, "feed", counted)
    app = WarmTui(unread_demo)
    async with app.run_test(size=WIDE) as pilot:
        for _ in range(3):
            await settled(pilot)
            app.screen.follow()  # type: ignore[attr-defined]
        await settled(pilot)
        before = len(reads)
        for _ in range(5):
            app.screen.follow()  # type: ignore[attr-defined]
            await settled(pilot)
        assert len(reads) == before <= 3


async def test_what_others_write_to_the_library_is_no_reason_to_read_all_again(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An experiment writes there several times a second; a verdict of another instance is shown all the same."""
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        loads: list[int] = []
        monkeypatch.setattr(screen, "load", lambda: loads.append(1))
        with open_library(demo.library) as library:
            add_note(library, 2, "something happened")
        await until(pilot, lambda: not (screen.databases.changed() or screen.library.changed()))
        await settled(pilot)
        assert loads == []
        with open_library(demo.library) as library:
            keep_marks(library, [{screen.sessions.profiles[0].name: "warm"}])
        await until(pilot, lambda: loads == [1])
