"""The Overview: key figures, the line, what is new and what waits; everything opens what stands behind it."""

from __future__ import annotations

import datetime
import re
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from tests.conftest import Record
from tests.tui.helpers import settled
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.visits import visits
from warm_tui.paths import Home
from warm_tui.presentation.figures import UNKNOWN_VALUE
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.tables import fit, natural_widths
from warm_tui.reports.document import Say, Table
from warm_tui.reports.overview import figures_table, overview_blocks
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.failures.screen import FailuresScreen
from warm_tui.screens.overview.gathering import Gathered, Gathering, last_shown
from warm_tui.screens.overview.screen import OverviewScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.widgets.linked_view import GUTTER, LinkedView
from warm_tui.widgets.mode_bar import ModeBar

SIZES = [(80, 24), (120, 36), (160, 48), (200, 60)]


def shown(pilot: Pilot[None]) -> str:
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


def view(pilot: Pilot[None]) -> LinkedView:
    return pilot.app.screen.query_one(LinkedView)


async def open_overview(pilot: Pilot[None]) -> OverviewScreen:
    await settled(pilot)
    await pilot.press("0")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, OverviewScreen)
    return screen


async def go_to(pilot: Pilot[None], place: str) -> None:
    """By keys, down to the first link that leads there."""
    links = view(pilot).links
    wanted = next(at for at, link in enumerate(links) if link.target.place == place)
    await pilot.press("g", *["j"] * wanted)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_at_every_size_the_conclusion_stands_first(demo: Home, size: tuple[int, int]) -> None:
    async with WarmTui(demo).run_test(size=size) as pilot:
        await open_overview(pilot)
        lines = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
        assert "failed in the last 14 days" in " ".join(lines[1:3])
        told = "\n".join(lines)
        assert "Errors by day" in "".join(lines[3:6]), "then the picture, and the figures are seen with it"
        assert (
            told.index("Errors by day") < told.index("dots: 95 %") < told.index("judged calls") < told.index("tokens")
        )
        assert all(len(link.target) == 2 for link in view(pilot).links)


async def test_what_is_known_later_moves_neither_the_picture_nor_the_figures(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        screen = await open_overview(pilot)
        assert screen.gathered is not None
        overview = screen.gathered.overview
        assert overview.costly
        assert overview.waiting
        whole = [text_of(line) for line in view(pilot).lines]
        view(pilot).show_linked(overview_blocks(replace(overview, costly=(), waiting=(), new=())))
        before = [text_of(line) for line in view(pilot).lines]
        figures = next(at for at, line in enumerate(whole) if "cost" in line)
        assert whole[: figures + 1] == before[: figures + 1]
        assert any("dots: 95 %" in line for line in before[:figures])


def columns_shown(pilot: Pilot[None]) -> list[int]:
    """Of each table, how many columns stand in it."""
    room = view(pilot)._drawn[0][1] - GUTTER
    tables = [each.part for block in view(pilot)._blocks for each in block.parts if isinstance(each.part, Table)]
    return [sum(map(bool, fit(list(t.columns), natural_widths(t.columns, t.rows), room))) for t in tables]


@pytest.mark.parametrize("keys", [["0"], ["0", "t"]], ids="-".join)
async def test_a_wider_terminal_never_shows_fewer_columns(demo: Home, keys: list[str]) -> None:
    async with WarmTui(demo).run_test(size=(60, 48)) as pilot:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        before: list[int] = []
        for width in range(60, 232, 4):
            await pilot.resize_terminal(width, 48)
            await pilot.pause()
            now = columns_shown(pilot)
            assert all(more >= less for more, less in zip(now, before, strict=False)), (
                f"at {width}: {before}, then {now}"
            )
            before = now


async def test_where_there_is_room_two_columns_stand_beside_each_other(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(200, 60)) as pilot:
        await open_overview(pilot)
        assert len({link.left for link in view(pilot).links}) == 2
        here = view(pilot).links[0].left
        await pilot.press("right")
        assert view(pilot).links[view(pilot).cursor].left != here
        await pilot.press("left")
        assert view(pilot).links[view(pilot).cursor].left == here
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        assert len({link.left for link in view(pilot).links}) == 1


async def test_a_key_figure_opens_the_sessions_behind_it(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        overview = await open_overview(pilot)
        assert overview.gathered is not None
        await go_to(pilot, "sessions")
        await pilot.press("enter")
        await settled(pilot)
        sessions = pilot.app.screen
        assert isinstance(sessions, SessionsScreen)
        trends = overview.gathered.overview.trends
        day = datetime.datetime.fromtimestamp(trends.middle).date().isoformat()
        assert sessions.filter_text == f"since:{day}", "no figure of hours that nobody would write"
        began = [profile for profile in sessions.sessions.profiles if (profile.started_at or 0) >= trends.middle]
        assert len(sessions.table.rows) == len(began)


async def test_by_mouse_alone(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 60)) as pilot:
        await settled(pilot)
        bar = pilot.app.screen.query_one(ModeBar)
        await pilot.click(bar, offset=(1, 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, OverviewScreen)
        link = next(link for link in view(pilot).links if link.target.place == "experiments")
        view(pilot).scroll_to(y=link.top, animate=False)
        await settled(pilot)
        await pilot.click(view(pilot), offset=(link.left + 5, link.top - view(pilot).scroll_offset.y))
        await settled(pilot)
        assert isinstance(pilot.app.screen, ExperimentsScreen)


async def test_an_experiment_that_waits_opens_with_the_cursor_on_it(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        await go_to(pilot, "experiments")
        target = view(pilot).links[view(pilot).cursor].target
        await pilot.press("enter")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ExperimentsScreen)
        assert screen.under_cursor_id == int(target.what)


async def test_each_mark_of_an_activation_opens_its_template(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        assert sum(link.target.place == "templates" and bool(link.target.what) for link in view(pilot).links) == 2
        await go_to(pilot, "templates")
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(pilot.app.screen, TemplatesScreen)


async def test_the_pages_and_the_way_back(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await open_overview(pilot)
        await pilot.press("t")
        assert "By source" in shown(pilot) or "By model" in "\n".join(str(line) for line in view(pilot).lines)
        await pilot.press("i")
        await settled(pilot)
        assert "Are long sessions more reliable?" in shown(pilot)
        await pilot.press("escape")
        assert screen.page == "overview"
        await pilot.press("tab", "tab", "tab")
        assert screen.page == "overview"
        await pilot.press("q")
        assert isinstance(pilot.app.screen, SessionsScreen)


async def test_a_line_of_the_trends_opens_its_sessions(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await open_overview(pilot)
        await pilot.press("t")
        links = view(pilot).links
        at = next(at for at, link in enumerate(links) if "source:" in link.target.what)
        await pilot.press("g", *["j"] * at, "enter")
        await settled(pilot)
        sessions = pilot.app.screen
        assert isinstance(sessions, SessionsScreen)
        assert "source:" in sessions.filter_text


async def test_the_period_is_chosen_and_remembered(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        screen = await open_overview(pilot)
        for days in (30, 56):
            await pilot.press("p")
            await settled(pilot)
            assert f"in the last {days} days" in shown(pilot)
        assert screen.unit == "week"
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        assert (await open_overview(pilot)).unit == "week"


async def test_what_is_shown_is_written_to_a_file(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        await pilot.press("e", "enter")
        await settled(pilot)
        assert isinstance(pilot.app.screen, Written)
    assert [path.suffix for path in (demo.ours / "reports").iterdir()] == [".html"]


async def test_its_words_are_explained(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        await pilot.press("E")
        assert isinstance(pilot.app.screen, Explain)


async def test_an_empty_home_says_what_to_do(tmp_path: Path) -> None:
    home = Home(tmp_path, (tmp_path / "state.db",))
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        assert "--demo" in shown(pilot)


async def test_a_visit_is_noted_once_and_what_came_since_is_new(demo: Home) -> None:
    with open_library(demo.library) as library:
        library.connection.execute("INSERT INTO visits (at, agent) VALUES (?, '')", (1_794_700_000.0,))
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        await pilot.press("p")
        await settled(pilot)
        assert any("New since" in str(line) for line in view(pilot).lines)
    with open_library(demo.library) as library:
        assert len(visits(library)) == 2


async def test_a_new_session_is_followed(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await open_overview(pilot)
        assert screen.gathered is not None
        before = screen.gathered.overview.total
        with sqlite3.connect(demo.databases[0]) as database:
            database.execute("INSERT INTO sessions (id, source, started_at) VALUES ('fresh', 'cli', 1794989000)")
        database.close()
        screen.next_read = 0.0
        screen.follow()
        await settled(pilot)
        assert screen.gathered.overview.total == before + 1


async def test_a_database_without_sessions_says_so(record: Record, tmp_path: Path) -> None:
    async with WarmTui(Home(tmp_path, (record({}),))).run_test(size=(120, 36)) as pilot:
        await open_overview(pilot)
        assert "No session has been recorded yet." in shown(pilot)


async def test_what_was_read_is_not_read_again_and_again(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await open_overview(pilot)
        for _ in range(3):
            screen.next_read = 0.0
            screen.follow()
            await settled(pilot)
        before = screen.gathered
        screen.next_read = 0.0
        screen.follow()
        await settled(pilot)
        assert screen.gathered is before


async def test_it_is_seen_first_once_something_is_remembered(demo: Home) -> None:
    async with WarmTui(demo, "overview").run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        assert isinstance(pilot.app.screen, OverviewScreen)
        await pilot.press("q")
        assert isinstance(pilot.app.screen, SessionsScreen)


async def test_the_first_time_sessions_are_seen_as_they_come(tmp_path: Path) -> None:
    async with WarmTui(Home(tmp_path, (tmp_path / "state.db",)), "overview").run_test() as pilot:
        await settled(pilot)
        assert isinstance(pilot.app.screen, SessionsScreen)


async def test_what_was_shown_last_stands_there_at_once(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await open_overview(pilot)
        assert screen.gathered is not None
        shown_first = screen.gathered.overview
    with open_library(demo.library) as library:
        last = last_shown(demo, library, "day")
        assert last is not None
        assert last.trends == shown_first.trends
        assert last_shown(demo, library, "week") is None
        assert last_shown(demo._replace(databases=()), library, "day") is None


async def test_what_fails_most_opens_its_family(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        link = next(link for link in view(pilot).links if link.target.place == "failures")
        await pilot.click(view(pilot), offset=(link.left + 5, link.top - view(pilot).scroll_offset.y))
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, FailuresScreen)
        assert screen.chosen is not None
        assert screen.chosen.family.id == link.target.what


@pytest.mark.parametrize("page", ["t", "i"])
async def test_its_key_brings_back_to_the_first_page(demo: Home, page: str) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await open_overview(pilot)
        for elsewhere in ((), ("1",)):
            await pilot.press(page, *elsewhere, "0")
            await settled(pilot)
            assert (pilot.app.screen, screen.page) == (screen, "overview")
            assert "failed in the last 14 days" in shown(pilot)


async def test_what_fails_most_is_of_all_sessions_and_a_mend_stands_with_its_odds(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(200, 60)) as pilot:
        screen = await open_overview(pilot)
        assert screen.gathered is not None
        assert "What fails most, over all time" in shown(pilot)
        mends = [words for each in screen.gathered.overview.costly if "mended" in (words := each.words)]
        assert mends
        told = r" \d+ of \d+ failures? mended, most often by .* \(\d+ of \d+ tries\)"
        assert all(re.search(told, words) for words in mends), mends


async def test_no_question_hides_its_interval_where_the_terminal_is_narrow(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await open_overview(pilot)
        await pilot.press("i")
        await settled(pilot)
        lines = ["".join(text for text, _ in line).rstrip() for line in view(pilot).lines]
        assert {"between", "95 %"} <= {word for line in lines for word in line.split("  ")}
        changes = [line for line in lines if "●" in line and " pp " in line]
        assert len(changes) == 6, "three by place, three by what a session begins with"
        assert all(re.search(r" to [+-]\d+\.\d pp$", line) for line in changes), "\n".join(changes)
        assert not any("…" in line for line in lines if line.strip()[:1].isdigit()), "a question is whole"


def test_of_a_part_of_the_sessions_nothing_is_concluded(demo: Home) -> None:
    """Others profile meanwhile, and nobody has counted yet how many there are."""
    with Catalog(demo) as catalog:
        everything = len(catalog.profiles())
    with open_library(demo.library) as library, library.writing() as connection:
        connection.execute("DELETE FROM profiles WHERE rowid % 2")
        connection.execute("DELETE FROM looks")
    shown: list[Gathered] = []
    gathering = Gathering(demo)
    assert not gathering.overview("day", 0, compute=False, show=shown.append)
    part = shown[-1].overview
    assert 0 < part.profiled < everything
    words = [each.part.text for block in overview_blocks(part) for each in block.parts if isinstance(each.part, Say)]
    assert words[0].startswith(f"Still reading: {part.profiled:,} sessions are profiled")
    assert "That is told when all sessions are read." in words
    assert not any("failed in the last" in each or "No change is shown" in each for each in words)
    changes = [cells[-1] for cells in figures_table(part)[0].rows]
    assert {text for text, _ in changes if text != UNKNOWN_VALUE} == {"still reading"}
    with Catalog(demo) as catalog:
        assert last_shown(demo, catalog.library, "day") is None, "a part is not what is shown at the next start"
    assert gathering.overview("day", 0, compute=True, show=shown.append)
    assert (shown[-1].overview.profiled, shown[-1].overview.still_reading) == (everything, False)
