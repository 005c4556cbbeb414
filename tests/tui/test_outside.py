"""Text from outside is marked, and read before it starts a session; proposals of the agent are decided on."""

from __future__ import annotations

import msgspec
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.helpers import click_in_footer, notes, said, settled
from tests.tui.test_templates import WIDE, names, shown, templates
from tests.unit.test_foreign import PAGE, pattern, template
from warm_tui.agent.prefill import Prefill
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.shared.forms import Confirm, Form
from warm_tui.screens.templates.reading import ReadFirst
from warm_tui.templates.files import Proposals, TemplateFiles
from warm_tui.templates.model import Whose


async def at_template(pilot: Pilot[None], name: str):
    screen = await templates(pilot)
    screen.move_to(name)
    await settled(pilot)
    return screen


def keys_shown(app: WarmTui) -> set[str]:
    return {
        binding.description
        for _, binding, enabled, _ in app.screen.active_bindings.values()
        if enabled and binding.show
    }


async def test_activating_asks_and_names_what_came_from_outside(demo: Home) -> None:
    TemplateFiles(demo).save(template())
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await at_template(pilot, "t")
        assert "◂ from outside by web_extract" in shown(screen)
        assert "1 unread from outside" in said(app, "#preview-head")
        assert "no problems" not in said(app, "#preview-head"), "what is to be said of it stands right below"
        assert "note" in said(app, "#preview-head")
        await pilot.press("a", "enter")
        assert isinstance(app.screen, Confirm)
        assert "pattern 1, result: from outside by web_extract" in said(app, ".confirm Static")
        assert "The brie is made" in said(app, ".confirm Static")
        await pilot.press("escape", "a", "enter", "escape")
        await settled(pilot)
        assert Prefill(demo).active() is None
        await pilot.press("a", "enter", "enter")
        await settled(pilot)
        assert "prefill_messages_file" in said(app, ".confirm Static"), "and only then what changes"
        await pilot.press("enter")
        await settled(pilot)
        active = Prefill(demo).active()
        assert active is not None
        assert active.template == "t"
        assert "unread" not in said(app, "#preview-head")
        await pilot.press("x", "enter")
        await settled(pilot)
        await pilot.press("a", "enter")
        assert "prefill_messages_file" in said(app, ".confirm Static"), "it was read"
        await pilot.press("escape")
        stored = TemplateFiles(demo).load("t")
        TemplateFiles(demo).save(msgspec.structs.replace(template(pattern(result=f"{PAGE}!")), name="t"), stored.stamp)
        screen.load()
        await settled(pilot)
        await pilot.press("a", "enter")
        assert "from outside by web_extract" in said(app, ".confirm Static"), "changed, it is asked about again"


async def test_how_a_text_begins_says_that_it_goes_on(demo: Home) -> None:
    TemplateFiles(demo).save(template(pattern(result=f"{PAGE} " * 20)))
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await at_template(pilot, "t")
        await pilot.press("a", "enter")
        await settled(pilot)
        began = next(line for line in said(app, ".confirm Static").split("\n") if line.strip().startswith(PAGE[:10]))
        assert began.endswith("…")


async def test_it_is_read_whole_and_let_stand_by_key_or_mouse(demo: Home) -> None:
    long = f"{PAGE}\n" * 80 + "the last line of it"
    TemplateFiles(demo).save(template(pattern(result=long)))
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_template(pilot, "t")
        await pilot.press("o")
        await settled(pilot)
        assert isinstance(app.screen, ReadFirst)
        view = app.screen.query_one("#outside")
        await pilot.press("end")
        assert "the last line of it" in "\n".join("".join(t for t, _ in line) for line in view.lines)
        assert view.scroll_offset.y > 0
        await pilot.press("escape")
        await settled(pilot)
        assert "unread" in said(app, "#preview-head")
        await pilot.press("o")
        await settled(pilot)
        await pilot.click("#take")
        await settled(pilot)
        assert "unread" not in said(app, "#preview-head")
        screen.move_to("careful-work")
        await settled(pilot)
        await pilot.press("o")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen is screen


async def test_words_of_nobody_become_ones_own_by_taking_them(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await at_template(pilot, "log-triage")
        assert "they are not told" in shown(screen)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, CurateScreen)
        assert "from outside" in [flag for row in app.screen.pane.draft_list.rows for flag in row.flags.told]
        await pilot.press("tab", "enter")
        await settled(pilot)
        assert "Nobody knows whose words" in notes(app)
        assert app.screen.query_one("#hint-words", Input).value.startswith("The API answers 500")
        await pilot.press("enter")
        await settled(pilot)
        first, second = app.drafting.draft.patterns
        assert (first.whose.context, second.whose) == ("user", Whose())
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
    assert [p.whose.context for p in TemplateFiles(demo).load("log-triage").template.patterns] == ["user", ""]


async def test_calls_from_outside_are_marked_where_they_are_picked(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        at = next(at for at, line in enumerate(screen.table.rows) if screen.table.identity(line) != "web_search"
                  and getattr(line, "candidate", None) and line.candidate.call.tool_name == "web_search")  # fmt: skip
        screen.table.move(at)
        await settled(pilot)
        assert "result: from outside by web_search" in shown(screen)
        field = next(field for field in screen.table.FIELDS if field.name == "verdict")
        assert "◂" in screen.table.cell(field, screen.table.rows[at])[0]


async def test_proposals_are_shown_and_decided_on(demo: Home) -> None:
    Proposals(demo).save(msgspec.structs.replace(template(), name="careful-work"))
    Proposals(demo).save(msgspec.structs.replace(template(), name="other"))
    kept = TemplateFiles(demo).load("careful-work").stamp
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        assert "(2 proposed)" in said(app)
        assert names(screen).count("careful-work") == 2
        assert "Accept" not in keys_shown(app)
        screen.table.move(
            next(at for at, row in enumerate(screen.table.rows) if row.identity == "proposal/careful-work")
        )
        await settled(pilot)
        assert "Accept" in keys_shown(app)
        await pilot.press("a", "enter")
        await settled(pilot)
        assert "A accepts it first" in notes(app)
        assert Prefill(demo).active() is None
        assert app.screen is screen, "it is not opened as a draft either"
        await click_in_footer(pilot, "Accept")
        assert isinstance(app.screen, Form)
        assert app.screen.query_one("#field-name", Input).value == "careful-work-2", "its own name is taken"
        app.screen.query_one("#field-name", Input).value = "careful-work"
        await pilot.press("enter")
        assert "There is a template careful-work already" in said(app, ".form-error")
        app.screen.query_one("#field-name", Input).value = "taken-in"
        await pilot.press("enter")
        await settled(pilot)
        assert TemplateFiles(demo).load("careful-work").stamp == kept
        assert TemplateFiles(demo).load("taken-in").template.patterns[0].whose.result == "outside"
        screen.table.move(next(at for at, row in enumerate(screen.table.rows) if row.identity == "proposal/other"))
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert Proposals(demo).find("other") is None
        await pilot.press("u")
        await settled(pilot)
        assert Proposals(demo).find("other") is not None
