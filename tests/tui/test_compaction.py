"""The Compaction screen: every life, the picture of one, what survived, and picking what was lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.conftest import Record, assistant, result, user
from tests.tui.helpers import foot, notes, said, settled, tab, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.compaction.survival_table import PieceRow
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.written import Written

WIDE = (160, 48)


async def compaction(pilot: Pilot[None]) -> CompactionScreen:
    await settled(pilot)
    await pilot.press("5")
    screen = pilot.app.screen
    assert isinstance(screen, CompactionScreen)
    await until(pilot, lambda: screen.done and screen.life_read is not None)
    await settled(pilot)
    return screen


async def survival(pilot: Pilot[None], title: str) -> SurvivalScreen:
    screen = await compaction(pilot)
    screen.table.move(next(at for at, row in enumerate(screen.table.rows) if row.title == title))
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
    assert isinstance(pilot.app.screen, SurvivalScreen)
    return pilot.app.screen


def shown(screen: CompactionScreen) -> str:
    return "\n".join("".join(text for text, _ in line) for line in screen.view.lines)


def lives(screen: CompactionScreen) -> list[str]:
    return [row.title for row in screen.table.rows]


async def test_every_life_and_then_one(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        assert lives(screen)[0] == "All sessions"
        assert len(lives(screen)) == 9
        assert "8 of 8 sessions" in said(app)
        assert "14 compactions in 8 sessions" in shown(screen)
        await pilot.press("d")
        assert "By model" in shown(screen)
        await pilot.press("tab", "j")
        await settled(pilot)
        assert "INCONCLUSIVE" in shown(screen) or "WORSE AFTER THAN BEFORE" in shown(screen)
        assert "What survived each compaction" in shown(screen)


async def test_it_opens_at_the_session_one_came_from(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("b")
        await settled(pilot)
        table(app).move(titles(app).index("Port the test suite #2"))
        screen = await compaction(pilot)
        row = screen.table.under_cursor
        assert row is not None
        assert row.title == "Port the test suite", "the whole chain is one life"
        await pilot.press("d")
        assert "2 compactions in 3 sessions" in shown(screen)


async def test_sorting_and_filtering_leave_every_life_on_top(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        screen.sort("-difference")
        at_least = [row.change.low for row in screen.table.rows if row.change]
        assert at_least == sorted(at_least, reverse=True)
        assert lives(screen)[0] == "All sessions"
        await pilot.press("slash", *"llama", "enter")
        await settled(pilot)
        assert lives(screen) == ["All that match", "Rewrite the import jobs", "Label the photo archive"]
        await pilot.press("g")
        await settled(pilot)
        assert "3 compactions in 2 sessions" in shown(screen), "what is told of all is told of those that match"
        assert "2 of 8 sessions" in said(app)
        await pilot.press("escape")
        await settled(pilot)
        assert len(lives(screen)) == 9


async def test_by_mouse_alone(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click("ModeBar", offset=tab(pilot.app, "Compaction"))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CompactionScreen)
        await until(pilot, lambda: screen.done)
        await pilot.click("#lives", offset=(10, 3))
        await settled(pilot)
        assert screen.table.cursor == 2
        await pilot.click("#lives", offset=(10, 3), times=2)
        await settled(pilot)
        assert isinstance(app.screen, SurvivalScreen)


async def test_what_survived_and_the_summary(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        assert screen.table.heading(screen.table.rows[0]).startswith("compaction 1")
        assert "good calls lost" in said(app)
        await pilot.press("c")
        assert screen.table.heading(screen.table.rows[screen.table.cursor]).startswith("compaction 2")
        await pilot.press("o")
        await settled(pilot)
        assert isinstance(app.screen, Pages)
        assert "Historical Task Snapshot" in "".join(text for line in app.screen.lines for text, _ in line)
        await pilot.press("escape", "C", "enter")
        await settled(pilot)
        assert isinstance(screen.table.rows[1], PieceRow) is False, "Enter folds a compaction"


async def test_what_survived_says_so_where_nothing_matches(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        empty = screen.query_one("#empty", Static)
        assert not empty.display
        await pilot.press("slash", *"zzzz", "enter")
        await settled(pilot)
        assert empty.display
        assert "No message, and no call, matches 'zzzz'." in str(empty.content)
        await pilot.press("escape")
        await settled(pilot)
        assert not empty.display


async def test_no_cell_of_all_sessions_is_left_without_a_word(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        every = screen.table.rows[0]
        assert {f.name: f.show(every, 0.0)[0] for f in screen.table.FIELDS}["verdict"] == "told below"


async def test_a_lost_good_call_is_picked_into_the_draft(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        await pilot.press("l")
        await settled(pilot)
        rows = [row for row in screen.table.rows if isinstance(row, PieceRow)]
        assert rows
        assert all(row.piece.lost_success for row in rows)
        await pilot.press("j")
        row = screen.table.under_cursor
        assert isinstance(row, PieceRow)
        assert row.piece.call is not None
        await pilot.press("p")
        await until(pilot, lambda: bool(app.drafting.draft.patterns))
        (pattern,) = app.drafting.draft.patterns
        assert (pattern.origin.session_id, pattern.origin.call) == (
            row.piece.call[0].session_id, row.piece.call[0].key,
        )  # fmt: skip
        await settled(pilot)
        assert list(screen.table.marks.values()) == ["picked"]


async def test_only_calls_are_picked_and_failed_ones_for_a_reason(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        await pilot.press("p")
        await settled(pilot)
        assert "Only a call can be picked" in notes(app)
        failed = next(
            at for at, row in enumerate(screen.table.rows)
            if isinstance(row, PieceRow) and row.piece.call and row.piece.call[1].outcome == "failure"
        )  # fmt: skip
        screen.table.move(failed)
        await pilot.press("p")
        await settled(pilot)
        assert app.screen.query(Input)
        await pilot.press(*"shows the flag", "enter")
        await until(pilot, lambda: bool(app.drafting.draft.patterns))
        assert app.drafting.draft.patterns[0].origin.why == "shows the flag"


async def test_a_report_is_written(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await compaction(pilot)
        await pilot.press("j")
        await settled(pilot)
        await pilot.press("e", "enter")
        await until(pilot, lambda: isinstance(app.screen, Written))
        (path,) = (demo.ours / "reports").iterdir()
        assert path.suffix == ".html"
        assert "the summary" in path.read_text()


async def test_after_a_report_its_path_is_copied_and_another_place_chosen(
    demo: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    copied: list[str] = []
    monkeypatch.setattr(WarmTui, "copy_to_clipboard", lambda _, text: copied.append(text))
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await compaction(pilot)
        await pilot.press("e", "enter")
        await until(pilot, lambda: isinstance(app.screen, Written))
        (path,) = (demo.ours / "reports").iterdir()
        assert str(app.screen.query_one("#written-path", Static).content) == str(path)
        await pilot.press("y")
        assert copied == [str(path)]
        await settled(pilot)
        assert isinstance(app.screen, Written), "it may be opened, or written elsewhere, too"
        await pilot.press("o")
        await settled(pilot)
        assert "no desktop here that could open it. y copies the path" in notes(app)
        await pilot.press("y")
        await settled(pilot)
        assert copied == [str(path), str(path)]
        await pilot.click("#choose_elsewhere")
        await settled(pilot)
        app.screen.query_one(Input).value = str(tmp_path / "for-the-boss.html")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Written))
        assert (tmp_path / "for-the-boss.html").read_text().startswith("<!doctype html>")


async def test_zoom_and_the_other_pane(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await compaction(pilot)
        before = screen.view.size.height
        await pilot.press("z")
        await settled(pilot)
        assert screen.view.size.height > before
        assert screen.view.has_focus
        await pilot.press("z")
        assert screen.table.has_focus
        await pilot.press("tab", "z", "z")
        assert screen.view.has_focus, "where one was"
        await pilot.press("tab")
        assert screen.table.has_focus


async def test_no_compaction_and_no_database(record: Record, tmp_path: Path) -> None:
    path = record({"s": [user("go"), assistant(("a", "terminal", {})), result("a")]})
    app = WarmTui(Home(tmp_path / "home", (path,)))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await settled(pilot)
        assert "No session was compacted" in said(app, "#empty")
        assert list(foot(app))[:1] == ["Help"], "no key that would only say that there is nothing"
        for key in ("enter", "e", "s", "escape"):
            await pilot.press(key)
    app = WarmTui(Home(tmp_path / "home", (tmp_path / "nothing.db",)))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await settled(pilot)
        assert "nothing.db" in said(app, "#empty")
        assert "--demo" in said(app, "#empty")


async def test_the_database_grows_while_the_screen_is_open(demo: Home) -> None:
    import sqlite3

    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        await pilot.press("j", "j")
        under = screen.table.under_cursor
        with sqlite3.connect(demo.databases[0]) as connection:
            connection.execute("UPDATE sessions SET title = 'Renamed' WHERE title = 'Load-test the gateway'")
        connection.close()
        await until(pilot, lambda: "Renamed" in lives(screen))
        assert screen.table.under_cursor is not None
        assert under is not None
        assert screen.table.under_cursor.session_id == under.session_id, "the cursor stays where it was"


async def test_a_list_that_is_read_again_stays_until_all_has_been_read(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        whole = lives(screen)
        screen.post_message(screen.LivesRead(screen.lives[:1], done=False))
        await pilot.pause()
        assert lives(screen) == whole


async def test_enter_at_once_opens_what_the_cursor_is_on(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        screen.table.move(0)
        await settled(pilot)
        screen.table.move(3)
        screen.action_open()
        await until(pilot, lambda: isinstance(app.screen, SurvivalScreen))
        assert isinstance(app.screen, SurvivalScreen)
        assert app.screen.examined.title == screen.table.rows[3].title


async def test_a_key_pressed_twice_picks_once(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        await pilot.press("l", "j")
        row = screen.table.under_cursor
        assert isinstance(row, PieceRow)
        assert row.piece.call is not None
        screen.action_pick()
        screen.action_pick()
        await settled(pilot)
        assert len(app.drafting.draft.patterns) == 1


async def test_a_database_that_vanishes_is_told(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        for path in demo.root.glob("state.db*"):
            path.unlink()
        await until(pilot, lambda: bool(screen.trouble))
        assert "state.db" in said(app)
        # It is not tried again and again: what is under way comes to an end.
        await settled(pilot)
        await pilot.press("j")
        await settled(pilot)
        assert "state.db" in shown(screen), "no picture of another session stands beside the row"


async def test_what_was_left_of_a_shortened_call(record: Record, tmp_path: Path) -> None:
    def call(n: int) -> list[dict]:
        return [assistant((f"c{n}", "terminal", {"command": f"make {n}"})), result(f"c{n}")]

    retired = [{**row, "active": 0, "compacted": 1} for row in (*call(1), *call(2), *call(3))]
    kept = [call(2)[0], result("c2", "[terminal] ran make 2"), *call(3)]
    path = record({"s": [*retired, user("[CONTEXT COMPACTION]\nmade 1"), *kept]})
    app = WarmTui(Home(tmp_path / "home", (path,)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "s")
        await pilot.press("slash", *"shortened", "enter", "j")
        await settled(pilot)
        told = "\n".join("".join(text for text, _ in line) for line in screen.lines_under_cursor())
        assert "What compaction left of it" in told
        assert "[terminal] ran make 2" in told


async def test_keys_of_compaction_go_on_under_their_former_names(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text('[keys]\n"app.show-compression" = "f9"\n"compression.sort-by" = "f8"\n')
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f9")
        await settled(pilot)
        assert isinstance(app.screen, CompactionScreen)
        await pilot.press("f8")
        assert isinstance(app.screen, ChooseOne)


async def test_what_cannot_be_picked_is_said_in_plain_words(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await survival(pilot, "Reconcile the ledgers")
        await pilot.press("g", "p")
        assert not isinstance(screen.table.under_cursor, PieceRow)
        assert "move the cursor to one." in notes(app)
