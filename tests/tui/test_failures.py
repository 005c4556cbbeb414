"""The Failures screen: what fails most, what stands behind it, and what is done about it, by keys and by mouse."""

from __future__ import annotations

import json

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tests.conftest import Record, assistant, result, user
from tests.tui.helpers import click_in_footer, foot, notes, said, settled, tab, titles
from tests.unit.test_kept_families import PSQL
from warm_tui.app import WarmTui
from warm_tui.insights.overview import Target
from warm_tui.library.db import open_library
from warm_tui.library.families import said_of_families
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.reliability.failure_records import sign_of
from warm_tui.reliability.families import FailedCall, Mend
from warm_tui.screens.failures.family_list import Group
from warm_tui.screens.failures.screen import FailuresScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern, Template
from warm_tui.widgets.mode_bar import ModeBar

SIZES = [(80, 24), (120, 36), (160, 48), (200, 60)]


def done(output: str, code: int) -> str:
    return json.dumps({"output": output, "exit_code": code, "error": None})


MENDED = [
    user("fetch it"),
    assistant(("c1", "terminal", {"command": "curl http://localhost:80/report"})),
    result("c1", done("curl: (7) Failed to connect to localhost port 80", 7)),
    assistant(("c2", "terminal", {"command": "curl http://localhost:8080/report --retry 3"})),
    result("c2", done("42", 0)),
]


@pytest.fixture
def home(record: Record) -> Home:
    path = record({"one": MENDED, "two": MENDED, "three": PSQL})
    return Home(path.parent, (path,))


async def failures(pilot: Pilot[None]) -> FailuresScreen:
    await settled(pilot)
    await pilot.press("2")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, FailuresScreen)
    return screen


def families(screen: FailuresScreen) -> list[str]:
    return [row.family.print.program for row in screen.table.rows]


def behind(screen: FailuresScreen) -> list[str]:
    return [type(row).__name__ for row in screen.view.rows]


@pytest.mark.parametrize("size", SIZES)
async def test_what_fails_most_and_what_stands_behind_it(home: Home, size: tuple[int, int]) -> None:
    async with WarmTui(home).run_test(size=size) as pilot:
        screen = await failures(pilot)
        assert families(screen) == ["curl", "psql"]
        assert "3 failures in 2 families" in said(pilot.app)
        assert behind(screen) == ["Group", "Mend", "Group", "FailedCall", "FailedCall"]
        await pilot.press("j")
        await settled(pilot)
        assert behind(screen) == ["Group", "FailedCall"]
        assert screen.view.size.height >= 2


async def test_enter_goes_behind_it_and_then_to_the_call(home: Home) -> None:
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        await pilot.press("enter")
        assert screen.view.has_focus
        await pilot.press("G")
        call = screen.view.under_cursor
        assert isinstance(call, FailedCall)
        await pilot.press("enter")
        await settled(pilot)
        transcript = pilot.app.screen
        assert isinstance(transcript, TranscriptScreen)
        assert transcript.profile.session_id == call.session_id == "one"
        await pilot.press("escape")
        await settled(pilot)
        assert pilot.app.screen is screen


async def test_a_double_click_opens_a_call(home: Home) -> None:
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        await pilot.click(screen.view, offset=(10, 4), times=2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, TranscriptScreen)


async def test_order_and_filter_stay_as_they_were_left(home: Home) -> None:
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        screen.sort("title")
        await pilot.press("slash", *"psql", "enter")
        await settled(pilot)
        assert families(screen) == ["psql"]
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        assert (screen.table.order, screen.filter_text, families(screen)) == ("title", "psql", ["psql"])
        await pilot.press("escape")
        await settled(pilot)
        assert families(screen) == ["curl", "psql"]
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        assert (await failures(pilot)).filter_text == ""


@pytest.mark.parametrize("kept", ['sort = "-nothing"', 'filter = "errors>>"', "filter = 3"])
async def test_choices_that_mean_nothing_are_passed_over(home: Home, kept: str) -> None:
    home.ours.mkdir(parents=True, exist_ok=True)
    (home.ours / "config.toml").write_text(f"[failures]\n{kept}\n")
    async with WarmTui(home).run_test(size=(160, 48)) as pilot:
        assert families(await failures(pilot)) == ["curl", "psql"]


async def test_where_the_picture_has_no_room_the_key_for_it_is_told(home: Home) -> None:
    async with WarmTui(home).run_test(size=(80, 24)) as pilot:
        screen = await failures(pilot)
        assert "Zoom" in foot(screen.app)


@pytest.mark.parametrize("size", SIZES)
async def test_what_to_begin_with_is_read_whole(record: Record, size: tuple[int, int]) -> None:
    path = record({"one": MENDED, **dict.fromkeys(("two", "three", "four"), PSQL)})
    async with WarmTui(Home(path.parent, (path,))).run_test(size=size) as pilot:
        screen = await failures(pilot)
        assert families(screen) == ["psql", "curl"]
        seen = " ".join(screen.about.render_line(y).text.strip() for y in range(screen.about.size.height))
        assert "of those that something mended, curl: Failed to connect to localhost port … costs most" in seen
        assert "curl http://localhost:8080/report --retry 3 (1 of 1)." in " ".join(seen.split())


async def test_one_key_picks_what_mended_it(home: Home) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        await pilot.press("p")
        await settled(pilot)
        (pattern,) = app.drafting.draft.patterns
        mend = screen.table.rows[0].family.mends[0]
        assert (pattern.origin.session_id, pattern.origin.call) == (mend.session_id, mend.call)
        assert pattern.origin.why == "it mended: curl: Failed to connect to localhost port …"
        await pilot.press("p")
        await settled(pilot)
        assert "in the draft already" in notes(app)
        await pilot.press("j", "p")
        await settled(pilot)
        assert "Nothing is known that mended it" in notes(app)
        assert len(app.drafting.draft.patterns) == 1


async def test_by_mouse_alone(home: Home) -> None:
    """From the names of the screens to a row, to a button below, to what stands behind it, and back."""
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.click(ModeBar, offset=tab(app, " 2 "))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, FailuresScreen)
        await pilot.click(screen.table, offset=(10, 2))
        await settled(pilot)
        assert screen.chosen is not None
        assert screen.chosen.family.print.program == "psql"
        await pilot.click(screen.table, offset=(10, 1))
        await settled(pilot)
        await click_in_footer(pilot, "Pick")
        assert len(app.drafting.draft.patterns) == 1
        await pilot.click(screen.view, offset=(10, 2))
        assert screen.view.has_focus
        assert isinstance(screen.view.under_cursor, Mend)
        await click_in_footer(pilot, "Open")
        assert isinstance(app.screen, TranscriptScreen)


async def test_it_is_muted_with_a_word_and_taken_back(home: Home) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        name = screen.table.rows[0].family.id
        await pilot.press("m")
        assert isinstance(app.screen, Ask)
        await pilot.press(*"known", "enter")
        await settled(pilot)
        assert [row.family.state for row in screen.table.rows] == ["ongoing", "muted"], "it comes last"
        assert screen.chosen is not None
        assert screen.chosen.family.id == name, "the cursor stays on it"
        with open_library(home.library) as library:
            assert said_of_families(library)[sign_of(name)].why == "known"
        await pilot.press("m")
        await settled(pilot)
        assert families(screen) == ["curl", "psql"]


async def test_what_is_asked_names_the_family_and_begins_with_no_word_of_another_kind(home: Home) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await failures(pilot)
        name = screen.table.rows[0].family.id
        for key, asked in (("m", "Why mute"), ("v", "How was it mended:")):
            screen.show_part(name)
            await pilot.press(key)
            await settled(pilot)
            title = app.screen.query_one(".window").border_title
            assert title == f"{asked} curl: Failed to connect to localhost port …?"
            assert not app.screen.query_one(Input).value
            await pilot.press(*"known", "enter")
            await settled(pilot)


async def test_it_is_marked_as_resolved(home: Home) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        await pilot.press("v", *"by hand", "enter")
        await settled(pilot)
        assert screen.table.rows[0].family.state == "resolved"
        await pilot.press("v")
        await settled(pilot)
        assert screen.table.rows[0].family.state == "ongoing"


async def test_the_sessions_that_had_it(home: Home) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        await failures(pilot)
        await pilot.press("j", "o")
        await settled(pilot)
        assert isinstance(app.screen, SessionsScreen)
        assert [profile.session_id for profile in app.screen.table.rows] == ["three"]
        assert titles(app)


async def test_words_choose_families_and_fields_sessions(home: Home) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        await pilot.press("slash", *"relation", "enter")
        await settled(pilot)
        assert families(screen) == ["psql"]
        await pilot.press("escape", "slash", *"id:one", "enter")
        await settled(pilot)
        assert families(screen) == ["curl"]
        assert screen.table.rows[0].family.count == 1
        assert said(pilot.app).startswith("only in sessions with id:one · "), "fields are of the sessions"
        await pilot.press("slash")
        pilot.app.screen.query_one(Input).value = "errors>many"
        await settled(pilot)
        assert "is not a number" in said(pilot.app, "#filter-error")


@pytest.mark.parametrize("query", ["psql", "id:three"])
async def test_a_link_to_one_that_the_filter_hides_clears_it_and_says_so(home: Home, query: str) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        hidden = next(row.family.id for row in screen.table.rows if row.family.print.program == "curl")
        await pilot.press("slash", *query, "enter")
        await settled(pilot)
        assert families(screen) == ["psql"]
        await pilot.press("1")
        app.show_target(Target("failures", hidden))
        await settled(pilot)
        assert screen.chosen is not None
        assert screen.chosen.family.id == hidden
        assert "The filter hid it" in notes(app)


@pytest.mark.parametrize(("query", "kept"), [("state:muted", ["curl"]), ("-state:muted", ["psql"])])
async def test_a_state_chooses_families(home: Home, query: str, kept: list[str]) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        assert families(screen) == ["curl", "psql"]
        await pilot.press("m", *"not now", "enter")
        await settled(pilot)
        await pilot.press("slash", *query, "enter")
        await settled(pilot)
        assert families(screen) == kept
        assert "only in sessions" not in said(pilot.app), "a state is of a family, and not of its sessions"


async def test_a_click_on_a_header_sorts(home: Home) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        await pilot.click(screen.table, offset=(4, 0))
        await settled(pilot)
        assert families(screen) == ["psql", "curl"]
        await pilot.click(screen.table, offset=(4, 0))
        await settled(pilot)
        assert families(screen) == ["curl", "psql"]


async def test_a_template_that_speaks_to_it_is_opened(home: Home) -> None:
    pattern = Pattern(
        tool_name="terminal", arguments={"command": "curl http://localhost:9/report --retry 3"}, whose=WRITTEN_BY_HAND
    )
    TemplateFiles(home).save(Template(name="web", patterns=(pattern,)))
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        screen = await failures(pilot)
        assert behind(screen)[:4] == ["Group", "Mend", "Group", "Speaker"]
        await pilot.press("tab", "j")
        assert type(screen.view.under_cursor).__name__ == "Speaker", "headings are passed over"
        await pilot.press("g")
        assert screen.view.cursor == 1, "that of the first group, too"
        await pilot.press("j", "shift+tab")
        assert screen.focused in (screen.table, screen.view), "what only tells has nothing to stand on"
        screen.view.focus()
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)


@pytest.mark.parametrize(("keys", "words"), [([], "What fails most"), (["tab"], "curl: Failed to connect")])
async def test_a_report_of_all_or_of_the_one_looked_behind(home: Home, keys: list[str], words: str) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        await failures(pilot)
        await pilot.press(*keys, "e")
        await settled(pilot)
        app.screen.query_one(OptionList).highlighted = 1
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Written)
        (written,) = (home.ours / "reports").glob("*.md")
        assert written.read_text().startswith(f"# {words}")


async def test_a_new_session_is_shown(home: Home, record: Record) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        record({"one": MENDED, "two": MENDED, "three": PSQL, "four": PSQL})
        screen.follow()
        await settled(pilot)
        assert {row.family.print.program: row.family.count for row in screen.table.rows} == {"curl": 2, "psql": 2}


async def test_where_nothing_failed_that_is_said(record: Record) -> None:
    path = record({"well": [user("go"), assistant(("c", "terminal", {"command": "ls"})), result("c", done("a", 0))]})
    async with WarmTui(Home(path.parent, (path,))).run_test(size=(80, 24)) as pilot:
        await failures(pilot)
        assert said(pilot.app, "#empty").startswith("No call failed.")


async def test_the_cursor_passes_headings_and_every_row_can_be_told(home: Home) -> None:
    async with WarmTui(home).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        assert isinstance(screen.view.under_cursor, Mend), "the first that is no heading"
        await pilot.press("tab")
        for row in screen.view.rows:
            assert (
                screen.view.heading(row) if isinstance(row, Group) else screen.view.cell(screen.view.fields[0], row)[0]
            )


async def test_the_line_of_a_family_is_low_rather_than_half_of_it_unseen(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await failures(pilot)
        assert any("0%│" in text_of(line) for line in screen.about.lines)
        assert screen.about.line_count <= screen.about.size.height
