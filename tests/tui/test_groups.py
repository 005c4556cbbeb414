"""Sessions by two keys, in groups, with what they come to below them; views that are kept; a range by mouse."""

from __future__ import annotations

from itertools import groupby

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tests.conftest import DEMO_LIVES
from tests.tui.helpers import said, settled, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.library.rows import Group
from warm_tui.paths import Home
from warm_tui.reliability.filters import sort_profiles
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.totals import Totals
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.sessions.view_dialogue import ChooseView
from warm_tui.screens.transcript.screen import TranscriptScreen

WIDE = (160, 48)


async def choose(pilot: Pilot[None], key: str, option: str) -> None:
    await pilot.press(key)
    options = pilot.app.screen.query_one(OptionList)
    options.highlighted = next(at for at, each in enumerate(options.options) if each.id == option)
    await pilot.press("enter")
    await settled(pilot)


def header_of(app: WarmTui, name: str) -> tuple[int, int]:
    """Where the name of a column stands."""
    left = 2
    for field, width in zip(table(app).fields, table(app)._widths, strict=True):
        if field.name == name:
            return left, 0
        left += width + 2 if width else 0
    raise AssertionError(name)


def line(app: WarmTui, y: int) -> str:
    return table(app).render_line(y).text


def groups(app: WarmTui) -> list[Group]:
    return [row for row in table(app).rows if isinstance(row, Group)]


def profiles(app: WarmTui) -> list[Profile]:
    return [row for row in table(app).rows if isinstance(row, Profile)]


# --- a second key ---


async def test_a_second_key_decides_between_those_that_are_alike(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await choose(pilot, "s", "source")
        await choose(pilot, "S", "tool_call_count")
        assert table(app).order == "-source,-tool_call_count"
        assert profiles(app) == sort_profiles(profiles(app), "-source,-tool_call_count")
        assert "source▼" in line(app, 0)
        assert "calls▽" in line(app, 0)
        assert "by source ▼, then calls ▼" in said(app)
        await pilot.press("r")
        assert table(app).order == "source,-tool_call_count"
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert table(again).order == "source,-tool_call_count", "it is remembered"
        await choose(pilot, "S", "tool_call_count")
        assert table(again).order == "source,tool_call_count", "chosen once more it is turned round"
        await choose(pilot, "S", "")
        assert table(again).order == "source"


async def test_a_second_key_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click(SessionTable, offset=header_of(app, "source"))
        await pilot.click(SessionTable, offset=header_of(app, "tool_call_count"), control=True)
        assert table(app).order == "-source,-tool_call_count"
        await pilot.click(SessionTable, offset=header_of(app, "source"))
        assert table(app).order == "source,-tool_call_count", "the first is turned round, the second stays"
        await pilot.click(SessionTable, offset=header_of(app, "tool_call_count"), control=True)
        assert table(app).order == "source,tool_call_count"
        await pilot.click(SessionTable, offset=header_of(app, "failed_calls"))
        assert table(app).order == "-failed_calls", "another first key stands alone"


# --- what they come to ---


async def test_the_last_line_tells_what_the_shown_come_to(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        last = table(app).size.height - 1
        totals = Totals.of(profiles(app))
        assert table(app).rows.totals == totals
        assert line(app, last).startswith(f"Σ {DEMO_LIVES} sessions, ")
        assert f" {totals.tool_call_count:,} " in line(app, last)
        await pilot.press("slash", *"source:cron", "enter")
        await settled(pilot)
        few, last = Totals.of(profiles(app)), table(app).size.height - 1
        assert line(app, last).startswith("Σ 3 sessions ")
        assert f" {few.failed_calls} " in line(app, last)
        at, _ = header_of(app, "error_rate")
        await pilot.hover(SessionTable, offset=(at, last))
        told = f"{few.tool_call_count} calls, {few.failed_calls} failed"
        assert told in str(table(app).tooltip)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 60)])
async def test_no_row_stands_behind_the_last_line(demo: Home, size: tuple[int, int]) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        painted = [strip.text for strip in app.screen._compositor.render_strips()]
        assert any(f"Σ {DEMO_LIVES} sessions, " in text for text in painted), "nor so far: it is painted anew"
        known = table(app).rows.totals.outcomes
        assert any(f"{known.done} of {known.known} done" in text for text in painted)
        await pilot.press("end")
        await settled(pilot)
        sessions = table(app)
        assert profiles(app)[-1].title is not None
        assert (profiles(app)[-1].title or "")[:20] in line(app, min(sessions.size.height - 2, len(sessions.rows)))
        before = sessions.cursor
        await pilot.click(SessionTable, offset=(10, sessions.size.height - 1))
        assert (sessions.cursor, app.screen.focused) == (before, sessions)


# --- groups ---


@pytest.mark.parametrize("by", ["source", "model", "agent", "home", "project", "day"])
async def test_groups_by_keys(demo: Home, by: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await choose(pilot, "B", by)
        assert len(profiles(app)) == sum(group.totals.sessions for group in groups(app)) == DEMO_LIVES
        parted = [
            list(rows) for heading, rows in groupby(table(app).rows, lambda row: isinstance(row, Group)) if not heading
        ]
        assert [Totals.of(part) for part in parted] == [group.totals for group in groups(app)]  # type: ignore[arg-type]
        assert f"in {len(groups(app))} group" in said(app)
        assert f"grouped by {by}" in said(app)
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert groups(again), "they are remembered"
        await choose(pilot, "B", "")
        assert not groups(again)


async def test_groups_are_folded_told_of_and_marked_by_keys(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await choose(pilot, "B", "source")
        first = groups(app)[0]
        assert table(app).under_cursor == first
        assert f"{first.totals.sessions} sessions, " in said(app, "#profile")
        await pilot.press("enter")
        assert [len(rows) for rows in (groups(app), profiles(app))] == [
            len(groups(app)),
            DEMO_LIVES - first.totals.sessions,
        ]
        assert line(app, 1).startswith("▸ ")
        await pilot.press("F")
        assert profiles(app) == []
        assert said(app).startswith(f"{DEMO_LIVES} in ")
        await pilot.press("F")
        assert len(profiles(app)) == DEMO_LIVES
        await pilot.press("space")
        assert len(table(app).marks) == first.totals.sessions
        await pilot.press("escape", "g", "c")
        assert list(table(app).marks.values()) == ["cold"] * first.totals.sessions
        await pilot.press("j", "enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)


async def test_groups_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await choose(pilot, "B", "source")
        size = groups(app)[0].totals.sessions
        await pilot.click(SessionTable, offset=(0, 1))
        assert len(profiles(app)) == DEMO_LIVES - size
        await pilot.click(SessionTable, offset=(20, 1), times=2)
        assert len(profiles(app)) == DEMO_LIVES
        at, _ = header_of(app, "failed_calls")
        await pilot.hover(SessionTable, offset=(at, 1))
        assert f"of {size} sessions together" in str(table(app).tooltip)


async def test_groups_hold_where_they_are_sorted_filtered_and_shown_by_parts(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await choose(pilot, "B", "source")
        await choose(pilot, "s", "failed_calls")
        failed = [group.totals.failed_calls for group in groups(app)]
        assert failed == sorted(failed, reverse=True), "what has most to mend stands first"
        await pilot.press("slash", *"source:cron", "enter")
        await settled(pilot)
        assert [group.name for group in groups(app)] == ["cron"]
        await pilot.press("escape", "b")
        await settled(pilot)
        assert sum(group.totals.sessions for group in groups(app)) == len(profiles(app)) > DEMO_LIVES


# --- a range, drawn by mouse ---


async def test_a_range_is_marked_by_drawing_along_the_margin(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        sessions = table(app)
        ids = [row.session_id for row in profiles(app)]
        await pilot.mouse_down(SessionTable, offset=(0, 3))
        await pilot.hover(SessionTable, offset=(1, 7))
        assert "●" in line(app, 5), "it is seen while one draws"
        await pilot.hover(SessionTable, offset=(1, 6))
        assert sessions.marks == {}
        await pilot.mouse_up(SessionTable, offset=(1, 6))
        await settled(pilot)
        assert sessions.marks == dict.fromkeys(ids[2:6], "marked")
        assert app.screen.get_selected_text() is None
        await pilot.press("u")
        assert sessions.marks == {}, "one drawing is one step"
        await pilot.click(SessionTable, offset=(0, 3))
        assert list(sessions.marks) == [ids[2]], "a click marks, as ever"


async def test_drawing_beyond_the_edge_scrolls(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        sessions, height = table(app), table(app).size.height
        await pilot.mouse_down(SessionTable, offset=(0, 1))
        for _ in range(3):
            await pilot.hover(SessionTable, offset=(0, height))
            await pilot.hover(SessionTable, offset=(1, height))
        assert sessions.scroll_offset.y > 0
        await pilot.mouse_up(SessionTable, offset=(1, height))
        await settled(pilot)
        assert len(sessions.marks) == sessions.page_height + sessions.scroll_offset.y


# --- views ---


async def see_the_worst(pilot: Pilot[None]) -> None:
    await pilot.press("slash", *"calls>5", "enter")
    await choose(pilot, "s", "error_rate")
    await choose(pilot, "S", "title")
    await choose(pilot, "B", "source")
    await pilot.press("o", "home", "space", "escape")
    await settled(pilot)


async def test_a_view_is_saved_and_chosen_from_the_list(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await see_the_worst(pilot)
        seen = titles_and_groups(app)
        assert "title" not in {field.name for field in table(app).fields}
        await choose(pilot, "f", "\0save")
        await pilot.press(*"worst", "enter")
        await settled(pilot)
        await pilot.press("escape")
        await choose(pilot, "B", "")
        await choose(pilot, "s", "title")
        assert titles_and_groups(app) != seen
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f")
        assert isinstance(again.screen, ChooseView)
        await pilot.press("enter")
        await settled(pilot)
        assert titles_and_groups(again) == seen
        assert again.screen.query_one(Input).value == "calls>5"
        assert table(again).order == "-error_rate,-title"
        assert table(again).cursor == 0
    third = WarmTui(demo)
    async with third.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert titles_and_groups(third) == seen, "it is how one left"


def titles_and_groups(app: WarmTui) -> list[str | None]:
    return [row.name if isinstance(row, Group) else row.title for row in table(app).rows]


async def test_a_view_is_found_by_the_palette_from_anywhere(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text('[views."by [b]day"]\nsort = "title"\ngroup = "day"\ncolumns = []\n')
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await settled(pilot)
        await pilot.press("ctrl+p")
        await settled(pilot)
        assert isinstance(app.screen, CommandPalette)
        app.screen.query_one(Input).value = "view: by"
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count > 0)
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: bool(groups(app)))
        assert table(app).order == "title"


async def test_a_view_that_cannot_be_shown_changes_nothing(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text('[views.odd]\nfilter = "source:cron"\nsort = "frob"\n')
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f", "enter")
        await settled(pilot)
        assert len(titles(app)) == DEMO_LIVES
        assert any("The view odd cannot be used" in note.message for note in app._notifications)


async def test_a_filter_kept_alone_leaves_the_order_and_the_groups(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.choices.remember(filters={"timer": "source:cron"})
        await choose(pilot, "B", "model")
        await choose(pilot, "f", "timer")
        assert {profile.source for profile in profiles(app)} == {"cron"}
        assert groups(app)
