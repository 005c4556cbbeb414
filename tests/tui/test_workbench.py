"""The workbench of Curate: what the agent will be given, words written in place, pairs, and all of it by mouse."""

from __future__ import annotations

import json

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.curating import WIDE, curate, kept, picked
from tests.tui.helpers import notes, said, settled
from tests.unit.commands import run
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.screens.curate.call_list import Batch
from warm_tui.screens.curate.draft_list import DraftList
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.templates.shortlist import Entry
from warm_tui.widgets.row_strips import MARGIN


def told(screen: CurateScreen) -> str:
    return "\n".join(text_of(line) for line in screen.pane.conversation.view.lines)


def marked(screen: CurateScreen) -> str:
    """What of the conversation is marked as changed, or gone."""
    view = screen.pane.conversation.view
    lines = zip(view._margins, view.lines, strict=True) if view._margins else ()
    return "\n".join(text_of(line) for margin, line in lines if margin[0].strip())


def said_by_user(screen: CurateScreen) -> list[str]:
    return [pattern.context for pattern in screen.drafting.draft.patterns]


async def with_draft(pilot: Pilot[None], count: int = 3) -> CurateScreen:
    screen = await curate(pilot)
    await pilot.press(*["space"] * count)
    await settled(pilot)
    return screen


# --- the live conversation ---


async def test_each_act_shows_at_once_what_the_agent_will_be_given_and_marks_what_changed(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        screen = await curate(pilot)
        assert "is shown here" in told(screen)
        await pilot.press("space", "space")
        await settled(pilot)
        assert "write_file" in marked(screen)
        assert "KeyError" in told(screen)
        assert "KeyError" not in marked(screen), "what was there before the last act is not marked"
        await pilot.press("tab", "J")
        await settled(pilot)
        assert "gone" in marked(screen), "it stands elsewhere"
        await pilot.press("d")
        await settled(pilot)
        assert marked(screen).startswith("gone: ")
        assert "KeyError" not in told(screen).replace(marked(screen), "")
        await pilot.press("u")
        await settled(pilot)
        assert "KeyError" in marked(screen), "undone, it is back"
        assert screen.pane.conversation.view.scroll_offset.y > 0, "and in sight"


async def test_the_conversation_is_folded_away_by_a_key_and_by_its_head(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        screen = await with_draft(pilot, 2)
        pane = screen.pane.conversation
        assert not pane.is_open, "where there is little room"
        assert said(pilot.app, "#conversation-head").startswith("▸ v  As anthropic gets it: 12 messages")
        await pilot.press("v")
        await settled(pilot)
        assert pane.is_open
        assert said(pilot.app, "#conversation-head").startswith("▾ As anthropic gets it")
        assert pane.view.size.height >= 4
        await pilot.click("#conversation-head")
        await settled(pilot)
        assert not pane.is_open
        await pilot.resize_terminal(120, 36)
        await settled(pilot)
        assert not pane.is_open, "as it was chosen"
        await pilot.press("v")
        await settled(pilot)
        assert pane.is_open


@pytest.mark.parametrize("size", [(120, 36), (160, 48), (200, 60)])
async def test_there_is_room_for_it_below_the_draft_or_beside_it(demo: Home, size: tuple[int, int]) -> None:
    async with WarmTui(demo).run_test(size=size) as pilot:
        screen = await with_draft(pilot)
        draft, conversation = screen.pane.draft_list, screen.pane.conversation.view
        assert screen.pane.conversation.is_open
        assert not conversation.region.overlaps(draft.region)
        assert conversation.size.height >= 8
        await pilot.press("tab", "tab")
        assert screen.focused is conversation
        await pilot.press("z")
        await settled(pilot)
        assert conversation.size.height >= size[1] - 4
        await pilot.press("z", "tab")
        assert screen.focused is screen.table


# --- the words of the user, written in place ---


async def test_words_are_written_in_the_row_and_kept_by_enter_and_dropped_by_escape(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot, 2)
        before = said_by_user(screen)
        await pilot.press("tab", "enter", "end", *" Now.", "escape")
        await settled(pilot)
        assert said_by_user(screen) == before
        assert pilot.app.screen is screen, "no window"
        assert isinstance(screen.focused, DraftList)
        await pilot.press("enter", "end", *" Now.", "enter")
        await settled(pilot)
        assert said_by_user(screen) == [f"{before[0]} Now.", before[1]]
        assert "Now." in marked(screen)
        steps = len(kept(demo))
        await pilot.press("enter", "enter")
        await settled(pilot)
        assert len(kept(demo)) == steps, "the same words are no step"
        await pilot.press("u")
        assert said_by_user(screen) == before


async def test_clicks_that_come_faster_than_calls_are_picked_pick_what_was_clicked(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        clicked = [3, 5, 6]
        for row in clicked:
            # None is waited for, as on a machine that is busy.
            screen.table.on_click(events.Click(screen.table, 0, row + 1, 0, 0, 1, False, False, False))
        await settled(pilot)
        entries = [screen.table.rows[row] for row in clicked]
        assert picked(screen) == [entry.call[1] for entry in entries if isinstance(entry, Entry)]


async def test_who_has_not_moved_yet_stays_at_the_top_while_calls_arrive(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        entries = [row for row in screen.table.rows if isinstance(row, Entry)]
        for moved in (0, 1):
            screen.calls.begin("mined")
            arrived = Batch(entries[10:], "half is read…", True, done=False)
            screen.on_curate_screen_arrived(CurateScreen.Arrived("mined", arrived))
            screen.table.move(moved)
            chosen = screen.table.under_cursor
            screen.on_curate_screen_arrived(CurateScreen.Arrived("mined", Batch(entries[:10], "", False, done=True)))
            assert screen.table.under_cursor == (chosen if moved else entries[0])


async def test_words_of_several_lines_stay_so(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot, 1)
        await pilot.press("tab", "enter")
        pilot.app.screen.query_one("#hint-words", Input).value = "one␊two"
        await pilot.press("enter")
        await settled(pilot)
        assert said_by_user(screen) == ["one\ntwo"]
        await pilot.press("enter")
        assert pilot.app.screen.query_one("#hint-words", Input).value == "one␊two"


async def test_of_joined_patterns_the_words_that_all_answer_are_written(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot, 2)
        await pilot.press("tab", "j", "b", "enter")
        await settled(pilot)
        screen.query_one("#hint-words", Input).value = "Both, please."
        await pilot.press("enter")
        await settled(pilot)
        assert said_by_user(screen)[0] == "Both, please."
        assert told(screen).count("Both, please.") == 1


async def test_words_are_written_by_mouse(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot, 2)
        await pilot.click(DraftList, offset=(10, 2), times=2)
        await settled(pilot)
        line = screen.query_one("#hint-words", Input)
        assert line.has_focus
        assert line.region.y == screen.pane.draft_list.region.y + 2, "over its row"
        await pilot.press("end", *" Well.")
        await pilot.click(DraftList, offset=(10, 1))
        await settled(pilot)
        assert said_by_user(screen)[1].endswith(" Well."), "a click elsewhere keeps it"
        assert not screen.query_one("#hint").display


# --- a failure and what mended it ---


async def test_a_failure_and_what_mended_it_are_picked_as_one_pattern(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot, 1)
        (pattern,) = screen.drafting.draft.patterns
        assert pattern.mended is not None
        assert len(screen.pane.draft_list.rows) == 1
        assert "✗ failed, the next call mended it" in told(screen)
        assert "KeyError" in told(screen)
        await pilot.press("tab")
        await settled(pilot)
        detail = "\n".join(text_of(line) for line in screen.view.lines)
        assert detail.index("terminal  ✗ failed") < detail.index("files_modified")
        await pilot.press("p")
        await settled(pilot)
        assert screen.drafting.draft.patterns[0].mended is None
        assert "KeyError" not in told(screen).replace(marked(screen), "")
        await pilot.press("p")
        assert "no failed call" in notes(pilot.app)
        await pilot.press("u", "o", "end", "enter")
        await settled(pilot)
        pilot.app.screen.query_one("#text").text = "It broke."  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert "It broke." in marked(screen)
        await pilot.press("d")
        assert picked(screen) == [], "both go together"


async def test_a_call_is_picked_without_the_failure_that_it_mended(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("p")
        await settled(pilot)
        (pattern,) = screen.drafting.draft.patterns
        assert (pattern.kind, pattern.mended) == ("retry", None)


# --- the same figure everywhere ---


async def test_the_tokens_of_a_call_are_the_same_wherever_they_stand(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        for at, row in enumerate(screen.table.rows):
            assert isinstance(row, Entry)
            screen.drafting.step(screen.drafting.draft)
            await screen.pick_candidate(row.candidate, "")
            drafted = screen.pane.draft_list.rows[at]
            assert row.tokens == drafted.flags.tokens or drafted.flags.secrets, row.candidate.call.arguments
            if at == 8:
                break
        while len(picked(screen)) > 1:
            screen.pane.draft_list.move(1)
            screen.pane.drop()
        await settled(pilot)
        one = str(screen.table.rows[0].tokens)  # type: ignore[union-attr]
        assert f"{one} tokens" in said(pilot.app, "#draft-head")
        await pilot.press("w")
        pilot.app.screen.query_one("#field-name", Input).value = "one"
        await pilot.press("enter")
        await settled(pilot)
        assert f"{one} tokens" in said(pilot.app, "#preview-head")
        row = pilot.app.screen.table.under_cursor  # type: ignore[attr-defined]
        assert (row.name, str(row.tokens)) == ("one", one)
    document = json.loads(run("--home", str(demo.root), "load", "one", "--json").stdout)
    assert f"≈{document['tokens']:,}" == one


# --- by mouse ---


async def test_a_row_goes_where_it_is_dragged_and_a_click_on_its_edge_joins_and_splits(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await with_draft(pilot)
        a, b, c = picked(screen)
        rows = screen.pane.draft_list
        await pilot.mouse_down(DraftList, offset=(10, 1))
        await pilot._post_mouse_events([_moved()], DraftList, offset=(10, 2), button=1)
        assert [row.pattern.origin.call for row in rows.rows] == [b, a, c], "it is seen where it would stand"
        assert picked(screen) == [a, b, c], "and is not there yet"
        await pilot._post_mouse_events([_moved()], DraftList, offset=(10, 3), button=1)
        await pilot.mouse_up(DraftList, offset=(10, 3))
        await settled(pilot)
        assert picked(screen) == [b, c, a]
        await pilot.mouse_down(DraftList, offset=(0, 3))
        await pilot._post_mouse_events([_moved()], DraftList, offset=(0, 2), button=1)
        await pilot.mouse_up(DraftList, offset=(0, 2))
        await settled(pilot)
        assert picked(screen) == [b, a, c]
        assert not any(pattern.joined for pattern in screen.drafting.draft.patterns), "that was no click on its edge"
        await pilot.click(DraftList, offset=(MARGIN - 1, 2))
        await settled(pilot)
        assert [pattern.joined for pattern in screen.drafting.draft.patterns] == [False, True, False]
        assert rows.explanation_at(0, 2) is not None
        await pilot.click(DraftList, offset=(0, 2))
        await settled(pilot)
        assert not any(pattern.joined for pattern in screen.drafting.draft.patterns)


def _moved() -> type:
    from textual.events import MouseMove

    return MouseMove
