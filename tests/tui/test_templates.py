"""The shelf of templates and the preview: what the model gets, activating, and the files."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, TextArea

from tests.tui.helpers import notes, said, settled, until
from warm_tui.agent.prefill import Prefill
from warm_tui.app import WarmTui
from warm_tui.library.db import open_library
from warm_tui.library.uses import usage
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.shared.forms import Confirm, Form, Write
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.templates.reading import ReadFirst
from warm_tui.screens.templates.revisions import RevisionsWindow
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.files import TemplateFiles
from warm_tui.widgets.pieces_view import PiecesView

WIDE = (160, 48)


async def templates(pilot: Pilot[None]) -> TemplatesScreen:
    await settled(pilot)
    await pilot.press("4")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, TemplatesScreen)
    return screen


def names(screen: TemplatesScreen) -> list[str]:
    return [row.name for row in screen.table.rows]


def shown(screen: TemplatesScreen) -> str:
    return "\n".join("".join(text for text, _ in line) for line in screen.view.lines)


async def test_the_shelf_and_the_preview(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        assert names(screen) == ["careful-work", "log-triage", "notes"]
        assert "3 of 3 templates" in said(app)
        assert "for anthropic" in said(app, "#preview-head")
        assert "no problems" in said(app, "#preview-head")
        assert "calls terminal" in shown(screen)
        await pilot.press("j")
        await settled(pilot)
        assert "ERROR|Traceback" in shown(screen)


async def test_the_preview_is_what_load_prints(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        await pilot.press("J")
        template = TemplateFiles(demo).load("careful-work").template
        assert json.loads(shown(screen)) == build_conversation(template, "anthropic").messages
        await pilot.press("v", "home", "enter")
        await settled(pilot)
        assert json.loads(shown(screen)) == build_conversation(template, "openai").messages
        await pilot.press("y")
        assert json.loads(app.clipboard) == build_conversation(template, "openai").messages
        await pilot.press("j", "y")
        await settled(pilot)
        below = TemplateFiles(demo).load("log-triage").template
        assert json.loads(app.clipboard) == build_conversation(below, "openai").messages, "not of the one before it"


async def test_activating_shows_the_change_first_and_can_be_left(demo: Home) -> None:
    config = (demo.root / "config.yaml").read_bytes()
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        await pilot.press("a", "enter")
        assert isinstance(app.screen, Confirm)
        assert "+prefill_messages_file" in said(app, ".confirm Static")
        await pilot.press("escape")
        await settled(pilot)
        assert (demo.root / "config.yaml").read_bytes() == config
        await pilot.press("a", "enter", "enter")
        await settled(pilot)
        active = Prefill(demo).active()
        assert active is not None
        assert active.template == "careful-work"
        assert [row.name for row in screen.shelf.rows if row.active] == ["careful-work"]
        with open_library(demo.library) as library:
            assert usage(library)["careful-work"] == 1
        await pilot.press("x", "enter")
        await settled(pilot)
        assert (demo.root / "config.yaml").read_bytes() == config
        assert "none is active" in said(app)
        await pilot.press("x")
        assert "No template is active" in notes(app)


async def test_somebody_elses_prefill_is_set_aside_only_when_told(demo: Home) -> None:
    with (demo.root / "config.yaml").open("a") as file:
        file.write("prefill_messages_file: theirs.json\n")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        await pilot.press("a", "enter")
        assert "theirs.json" in said(app, ".confirm Static")
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")
        await settled(pilot)
        assert Prefill(demo).active() is not None
        await pilot.press("x", "enter")
        await settled(pilot)
        assert "theirs.json" in (demo.root / "config.yaml").read_text()


async def test_a_broken_config_is_told(demo: Home) -> None:
    (demo.root / "config.yaml").write_text("a: [1")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        await pilot.press("a", "enter")
        assert "is not valid YAML" in notes(app)


async def test_problems_are_listed_and_gone_to(demo: Home) -> None:
    leaking = {
        "patterns": [
            {"tool_name": "terminal", "arguments": {"command": "ls"}, "result_summary": "a\n" * 60},
            {
                "tool_name": "terminal",
                "arguments": {"command": "env"},
                "result_summary": "DB_PASSWORD=" + "q8Zr41LmPx0",
            },
        ]
    }
    (demo.root / "warm_sessions" / "a-leak.json").write_text(json.dumps(leaking))
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        assert "1 problem" in said(app, "#preview-head")
        assert "A secret stands in pattern 2, result" in shown(screen)
        await pilot.press("p")
        assert "message 5" in str(app.screen.query_one(OptionList).get_option_at_index(0).prompt)
        await pilot.press("enter")
        await pilot.pause()
        assert screen.view.scroll_offset.y > 0
        await pilot.press("tab", "a", "enter", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Confirm)
        assert "1 secret stands in it" in said(app, ".confirm Static")


async def test_editing_opens_a_draft_that_saves_over_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        await pilot.press("enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        assert len(screen.drafting.draft.patterns) == 8
        screen.pane.draft_list.focus()
        await pilot.press("d", "w", "enter")
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)
        assert len(TemplateFiles(demo).load("careful-work").template.patterns) == 7
        assert app.screen.chosen is not None
        assert app.screen.chosen.name == "careful-work"


async def test_a_template_of_an_older_format_is_edited_and_kept_as_ours(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        await pilot.press("G", "enter")
        await settled(pilot)
        await pilot.press("w", "enter")
        await settled(pilot)
        if not isinstance(app.screen, TemplatesScreen):
            await pilot.press("home", "down", "enter")
            await settled(pilot)
        template = TemplateFiles(demo).load("notes").template
        assert template.format == "version 2"
        assert len(template.patterns) == 2


async def test_duplicate_rename_delete_and_undo(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        await pilot.press("c", "enter")
        await settled(pilot)
        assert names(screen) == ["careful-work", "careful-work-2", "log-triage", "notes"]
        assert screen.chosen is not None
        assert screen.chosen.name == "careful-work-2"
        await pilot.press("r")
        assert isinstance(app.screen, Form)
        app.screen.query_one(Input).value = "notes"
        await pilot.press("enter")
        assert "There is a template notes already" in said(app, ".form-error")
        app.screen.query_one(Input).value = "other"
        await pilot.press("enter")
        await settled(pilot)
        assert names(screen) == ["careful-work", "log-triage", "notes", "other"]
        await pilot.press("d")
        await settled(pilot)
        assert names(screen) == ["careful-work", "log-triage", "notes"]
        await pilot.press("u")
        await settled(pilot)
        assert names(screen) == ["careful-work", "log-triage", "notes", "other"]
        await pilot.press("u")
        assert "Nothing was deleted" in notes(app)


async def test_export_and_import_by_path_and_by_paste(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        await pilot.press("e")
        await settled(pilot)
        (exported,) = (demo.ours / "exports").iterdir()
        await pilot.press("i", "home", "enter")
        app.screen.query_one(Input).value = "/nowhere.json"
        await pilot.press("enter")
        assert "cannot be read" in said(app, ".form-error")
        app.screen.query_one(Input).value = str(exported)
        await pilot.press("enter")
        await pilot.pause()
        app.screen.query_one(Input).value = "back"
        await pilot.press("enter")
        await settled(pilot)
        assert "back" in names(screen)
        await pilot.press("i", "end", "enter")
        assert isinstance(app.screen, Write)
        app.screen.query_one("#text", TextArea).text = "no json"
        await pilot.pause()
        assert "is damaged" in said(app, ".form-error")
        app.screen.query_one("#text", TextArea).text = json.dumps({"name": "pasted one", "patterns": []})
        await pilot.pause()
        await pilot.press("ctrl+s")
        await pilot.pause()
        await pilot.press("enter")
        await settled(pilot)
        assert "pasted one" in names(screen)


async def test_a_pack_is_written_and_read_before_it_is_taken_in(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        screen.move_to("log-triage")
        await pilot.press("P")
        await settled(pilot)
        (pack,) = (demo.ours / "exports").glob("*-log-triage.pack.json")
        for way in ("leave it", "by key", "by mouse"):
            await pilot.press("i", "home", "enter")
            app.screen.query_one(Input).value = str(pack)
            await pilot.press("enter")
            await settled(pilot)
            assert isinstance(app.screen, ReadFirst)
            assert "log-triage: " in str(app.screen.query_one(PiecesView).lines[0])
            if way == "leave it":
                await pilot.press("n")
            elif way == "by key":
                await pilot.press("enter")
            else:
                await pilot.click("#take")
            await settled(pilot)
            if way == "leave it":
                assert not isinstance(app.screen, Form)
                continue
            app.screen.query_one(Input).value = f"taken {way}"
            await pilot.press("enter")
            await settled(pilot)
            assert f"taken {way}" in names(screen)
        pack.write_text(pack.read_text().replace("log", "lag"))
        await pilot.press("i", "home", "enter")
        app.screen.query_one(Input).value = str(pack)
        await pilot.press("enter")
        assert "is damaged, or was changed" in said(app, ".form-error")
        await pilot.press("escape", "i", "end", "enter")
        app.screen.query_one("#text", TextArea).text = pack.read_text().replace("lag", "log")
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert isinstance(app.screen, ReadFirst), "a pasted one is read, too"


async def test_two_templates_side_by_side(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        await pilot.press("equals_sign")
        assert "Mark two templates" in notes(app)
        await pilot.press("space", "space", "equals_sign")
        assert isinstance(app.screen, Pages)
        told = "\n".join("".join(text for text, _ in line) for line in app.screen.lines)
        assert "-" in told
        assert "+" in told


async def test_sorting_and_filtering(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        await pilot.press("slash", *"ops", "enter")
        await settled(pilot)
        assert names(screen) == ["log-triage"]
        await pilot.press("escape", "slash", *"nothing", "enter")
        await settled(pilot)
        assert "No template matches" in said(app, "#empty")
        await pilot.press("escape")
        await pilot.click("#shelf", offset=(5, 0))
        assert screen.table.order == "-name"
        assert names(screen) == ["notes", "log-triage", "careful-work"]


async def test_the_shelf_follows_what_is_written_elsewhere(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        (demo.root / "warm_sessions" / "new.json").write_text('{"patterns": []}')
        (demo.root / "warm_sessions" / "half.json").write_text("{")
        await until(pilot, lambda: "new" in names(screen))
        assert "1 cannot be read" in said(app)


async def test_without_templates_it_says_what_to_do(tmp_path: Path) -> None:
    app = WarmTui(Home(tmp_path, (tmp_path / "state.db",)))
    async with app.run_test(size=WIDE) as pilot:
        await templates(pilot)
        assert "There is no template yet" in said(app, "#empty")
        for key in ("a", "enter", "d", "r", "c", "e", "y", "p", "J", "equals_sign", "space"):
            await pilot.press(key)
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)


async def test_going_from_screen_to_screen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        kinds = []
        for key in ("3", "4", "3", "1", "4", "q"):
            await pilot.press(key)
            await settled(pilot)
            kinds.append(type(app.screen).__name__)
        assert kinds == [
            "CurateScreen",
            "TemplatesScreen",
            "CurateScreen",
            "SessionsScreen",
            "TemplatesScreen",
            "SessionsScreen",
        ]


async def test_the_revisions_of_a_template_are_compared_and_gone_back_to(demo: Home) -> None:
    files = TemplateFiles(demo)
    before = files.load("log-triage")
    files.save(msgspec.structs.replace(before.template, patterns=before.template.patterns[:1]), before.stamp)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await templates(pilot)
        screen.move_to("log-triage")
        await pilot.press("R")
        await settled(pilot)
        window = app.screen
        assert isinstance(window, RevisionsWindow)
        view = window.query_one(PiecesView)
        assert "revision 1" in str(view.lines[0])
        assert "revision 2" in str(view.lines[0])
        await pilot.press("equals_sign")
        assert "what stands there now" in str(view.lines[-1])
        await pilot.press("j", "enter")
        await settled(pilot)
        assert "as it was at revision 1" in said(app, ".confirm Static")
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is window, "leaving the question leaves what it was asked of"
        await pilot.press("enter", "enter")
        await settled(pilot)
        assert "log-triage is as it was at revision 1." in notes(app)
        assert len(files.load("log-triage").template.patterns) == len(before.template.patterns)
        await pilot.press("R")
        await settled(pilot)
        await pilot.click(OptionList, offset=(5, 1))
        await settled(pilot)
        assert isinstance(app.screen, Confirm), "a click chooses, too"
