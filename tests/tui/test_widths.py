"""A wider terminal shows no less, and words are cut only where no column has room to give; panes give each other room."""

from __future__ import annotations

import json
from operator import ge

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from tests.conftest import NOW, Record, assistant, result, user
from tests.tui.helpers import settled, table
from tests.tui.snapshots.test_compare import marked
from tests.tui.test_templates import templates
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.tables import GAP, Column, fit, natural_widths
from warm_tui.reports.document import Table
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.compaction.table import LifeTable
from warm_tui.screens.failures.table import DetailTable
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.document_view import DocumentView
from warm_tui.widgets.line_table import EDGES, MEASURED, LineTable

# Every few, and those beside the widths at which a screen is laid out otherwise.
WIDTHS = sorted({*range(60, 221, 8), 119, 120, 121, 159, 160, 161, 199, 200, 201, 220})


def shown(app: WarmTui) -> dict[str, list[int]]:
    """What each column of each table of the screen is sure of, those in documents too: more may be taken back."""
    widths = {}
    for each in app.screen.query(LineTable):
        sure = fit(each.columns, each.usual_widths, each._room[1])
        assert all(map(ge, each._widths, sure))
        widths[str(each.id)] = sure
    for view in app.screen.query(DocumentView):
        room = view.scrollable_content_region.width
        for at, part in enumerate(view.document.whole if view.document else ()):
            if isinstance(part, Table):
                widths[f"{view.id} {at}"] = fitted(part, room)
    return widths


def fitted(part: Table, room: int) -> list[int]:
    columns: list[Column] = list(part.columns)
    return fit(columns, natural_widths(columns, part.rows), room)


def cut_beside_room(each: LineTable[object]) -> list[str]:
    """What is cut although some column has more than it fills."""
    rows = [row for row in each.rows[:MEASURED] if not each.heading(row)]
    texts = {
        field.title: [field.title, each.total(field)[0], *(each.cell(field, row)[0] for row in rows)]
        for field, width in zip(each.fields, each._widths, strict=True)
        if width
    }
    fills = {title: max(map(cell_len, of_it)) for title, of_it in texts.items()}
    widths = {field.title: width for field, width in zip(each.fields, each._widths, strict=True) if width}
    spare = sum(max(0, widths[title] - fills[title]) for title in fills)
    spare += each.size.width - EDGES - sum(widths.values()) - GAP * (len(widths) - 1)
    return [title for title in fills if fills[title] > widths[title]] if spare > 0 else []


SCREENS = (["1"], ["2"], ["3"], ["3", "space"], ["4"], ["5"], ["5", "j", "enter"], ["6"], ["7"], ["8"])


@pytest.mark.parametrize("keys", SCREENS, ids="-".join)
async def test_a_wider_terminal_shows_no_less_and_cuts_nothing_beside_room(demo: Home, keys: list[str]) -> None:
    """Where panes come to stand beside each other, words may have less, but no column goes."""
    marked(demo)
    app = WarmTui(demo)
    async with app.run_test(size=(WIDTHS[0], 48)) as pilot:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        assert isinstance(app.screen, SurvivalScreen) is ("enter" in keys)
        before: dict[str, list[int]] = {}
        laid_out = app.screen.classes
        for width in WIDTHS:
            await pilot.resize_terminal(width, 48)
            await pilot.pause()
            now = shown(app)
            assert now
            for name, widths in before.items():
                same = app.screen.classes == laid_out
                less = [at for at, one in enumerate(widths) if now[name][at] < (one if same else bool(one))]
                assert not less, f"{name} at {width}: columns {less} had {widths}, have {now[name]}"
            cut = {str(each.id): cut_beside_room(each) for each in app.screen.query(LineTable) if each.size.width}
            assert not any(cut.values()), f"at {width}, {cut} is cut beside room"
            before, laid_out = now, app.screen.classes


async def test_a_column_that_somebody_chose_is_shown_wherever_it_has_room(demo: Home) -> None:
    chosen = ["title", "model", "started_at", "error_rate", "error_rate_high", "total_tokens", "cost_usd", "relation"]
    app = WarmTui(demo)
    async with app.run_test(size=(156, 48)) as pilot:
        await settled(pilot)
        usual = {field.name for field, width in zip(table(app).fields, table(app)._widths, strict=True) if width}
        assert "cost_usd" not in usual, "beside the profile it has no room"
        app.screen.set_columns(chosen)
        await settled(pilot)
        assert len(table(app).fields) == len(chosen)
        assert all(table(app)._widths)


async def test_of_many_rows_those_that_are_scrolled_to_are_not_cut_beside_room(record: Record) -> None:
    long = "and what nobody saw at the top: a title of many words"
    ids = {f"s{at:03}": [user("hello")] for at in range(MEASURED * 2)}
    titles = {
        name: {"title": f"{name} {long if name == 's000' else ''}", "started_at": NOW + int(name[1:])} for name in ids
    }
    path = record(ids, **titles)
    app = WarmTui(Home(path.parent, (path,)))
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        column = [field.title for field in table(app).fields].index("title")
        assert table(app)._natural[column] < cell_len(long)
        await pilot.press("end")
        await settled(pilot)
        assert table(app)._natural[column] >= cell_len(f"s000 {long}")
        await pilot.press("home")
        assert table(app)._natural[column] >= cell_len(f"s000 {long}"), "by scrolling a column only grows"


async def drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(offset=start)
    await pilot.hover(offset=end)
    await pilot.mouse_up(offset=end)
    await settled(pilot)


@pytest.mark.parametrize(("size", "by"), [((160, 48), (-30, 0)), ((80, 24), (0, -4))], ids=["beside", "above"])
async def test_panes_are_resized_by_mouse_and_stay_so(demo: Home, size: tuple[int, int], by: tuple[int, int]) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        x, y = app.screen.query_one(Divider).region.offset
        await drag(pilot, (x, y), (x + by[0], y + by[1]))
        assert app.screen.query_one(Divider).region.offset == (x + by[0], y + by[1])
        assert app.focused is table(app), "nothing else changed"
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        divider = app.screen.query_one(Divider)
        assert divider.region.offset == (x + by[0], y + by[1])
        await pilot.click(Divider, times=2)
        await settled(pilot)
        assert divider.region.offset == (x, y), "a double click puts it back"
    assert Config(demo.ours / "config.toml").table("panes") == {}


@pytest.mark.parametrize("size", [(160, 48), (80, 24)], ids=["beside", "above"])
async def test_panes_are_resized_by_keys_and_stay_so(demo: Home, size: tuple[int, int]) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        for key in "1234567":
            await pilot.press(key)
            await settled(pilot)
            divider = app.screen.query_one(Divider)
            before = divider.region.offset
            await pilot.press("less_than_sign")
            await settled(pilot)
            assert divider.region.offset < before, key
            await pilot.press("greater_than_sign", "greater_than_sign")
            await settled(pilot)
            assert divider.region.offset > before, key
    assert len(Config(demo.ours / "config.toml").table("panes")) == 7


async def test_a_pane_keeps_some_room_whatever_is_asked(demo: Home) -> None:
    Config(demo.ours / "config.toml").put("panes", "sessions beside", "400")
    Config(demo.ours / "config.toml").put("panes", "sessions above", "much")
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        x = app.screen.query_one(Divider).region.x
        assert 100 < x < 159
        await drag(pilot, (x, 9), (2, 9))
        assert table(app).size.width >= 20
        for _ in range(60):
            await pilot.press("greater_than_sign")
        await settled(pilot)
        assert app.screen.query_one("#profile").size.width >= 20


async def test_a_cursor_that_moves_as_rows_come_is_in_sight(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await settled(pilot)
        table = pilot.app.screen.query_one(LifeTable)
        rows = list(table.rows)
        assert len(rows) > table.page_height
        table.show([], now=0.0)
        await settled(pilot)
        table.show(rows, now=0.0)
        table.move(len(rows) - 1)
        await settled(pilot)
        assert table.scroll_offset.y == len(rows) - table.page_height


async def test_what_a_template_is_for_is_read_to_its_end_in_any_width(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await templates(pilot)
        row = screen.table.under_cursor
        assert row is not None
        assert row.stored.template.description not in app.export_screenshot().replace("&#160;", " ")
        purpose = screen.query_one("#preview-purpose")
        drawn = [purpose.render_line(y).text.strip() for y in range(purpose.size.height)]
        assert " ".join(drawn) == row.stored.template.description
        await pilot.press("G")
        await settled(pilot)
        assert not purpose.display, "of one that says nothing, no line is empty"


async def test_where_nothing_worked_the_words_of_a_failure_have_the_room(record: Record) -> None:
    words = "cat: a-file-that-was-never-written: No such file or directory"
    told = json.dumps({"output": words, "exit_code": 1, "error": None})
    rows = [
        user("Look."),
        assistant(("c", "terminal", {"command": "cat a-file-that-was-never-written"})),
        result("c", told),
    ]
    path = record({"s": rows})
    app = WarmTui(Home(path.parent, (path,)))
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        assert "worked" not in [field.name for field in app.screen.query_one(DetailTable).fields]
        assert f"exit code 1: {words}" in app.export_screenshot().replace("&#160;", " ")


async def test_of_a_failure_zoomed_the_line_over_time_is_whole(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("2", "z")
        await settled(pilot)
        about = app.screen.query_one("#about", DocumentView)
        shown = [text_of(line) for line in about.lines][: about.size.height]
        assert any("how many did" in line for line in shown)
        assert any("dots: 95 %" in line for line in shown), "its legend is in sight, too"
