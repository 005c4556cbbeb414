"""The conclusion first, on each screen that has one: what it rests on is one key below it, or one click, and remembered."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.helpers import settled, table, titles
from tests.tui.snapshots.test_compare import marked
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.screens.shared.detailed import Detailed

SCREENS = {
    "5": ("We cannot tell whether compaction hurt", "How to read this"),
    "6": ("The arms differ in ", "The figures, metric by metric"),
    "7": ("Not decided yet: 5 of 16 runs have ended.", "The figures, arm by arm"),
}
"""Of each by its key, how its conclusion begins, and what the details hold."""
WIDE = (160, 48)


async def opened(pilot: Pilot[None], key: str) -> Detailed:
    await settled(pilot)
    await pilot.press(key)
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, Detailed)
    return screen


def lines(screen: Detailed) -> list[str]:
    return [text_of(line) for line in screen.document_view.lines]


def has_details(screen: Detailed, heading: str) -> bool:
    return heading in lines(screen)


async def test_that_there_are_details_is_seen_also_where_the_pictures_have_no_room(demo: Home) -> None:
    marked(demo)
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "6")
        (told,) = (at for at, line in enumerate(lines(screen)) if line.startswith("▸ d  Details: "))
        assert told < min(screen.document_view.size.height, lines(screen).index("Error rate up to the nth call"))
        assert lines(screen)[told].endswith("Error rate by tool"), "what has no room is left out whole"
        await pilot.click(screen.document_view, offset=(4, told))
        assert has_details(screen, SCREENS["6"][1])


@pytest.mark.parametrize("key", SCREENS)
async def test_the_conclusion_and_its_picture_come_first_and_one_key_tells_what_they_rest_on(
    demo: Home, key: str
) -> None:
    marked(demo)
    conclusion, heading = SCREENS[key]
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, key)
        before = app.focused
        assert lines(screen)[1].startswith(conclusion)
        assert lines(screen)[-1].startswith("▸ d  Details: "), "what is folded is told"
        assert heading in lines(screen)[-1]
        assert not has_details(screen, heading)
        await pilot.press("d")
        assert has_details(screen, heading)
        assert app.focused is screen.document_view, "they can be gone through at once"
        await pilot.press("d")
        assert not has_details(screen, heading)
        assert app.focused is before


async def test_what_is_chosen_on_one_screen_holds_on_the_others_and_after_a_restart(demo: Home) -> None:
    marked(demo)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "5")
        await opened(pilot, "6")
        await pilot.press("d")
        for key, (_, heading) in SCREENS.items():
            assert has_details(await opened(pilot, key), heading)
    assert Config(demo.ours / "config.toml").text("details") == "open"
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        assert has_details(await opened(pilot, "7"), SCREENS["7"][1])


@pytest.mark.parametrize("key", SCREENS)
async def test_a_click_on_the_line_unfolds_them_and_folds_them(demo: Home, key: str) -> None:
    marked(demo)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, key)
        view = screen.document_view
        for is_open in (True, False):
            at = next(at for at, line in enumerate(lines(screen)) if line.startswith(("▸ d", "▾ d")))
            await pilot.click(view, offset=(view.gutter.left + 4, view.gutter.top + at - view.scroll_offset.y))
            await pilot.pause()
            assert has_details(screen, SCREENS[key][1]) is is_open


@pytest.mark.parametrize(("key", "action"), [("5", "compaction"), ("6", "compare"), ("7", "experiments")])
async def test_the_line_names_the_key_that_was_chosen_for_it(demo: Home, key: str, action: str) -> None:
    marked(demo)
    Config(demo.ours / "config.toml").put("keys", f"{action}.details", "D")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, key)
        assert lines(screen)[-1].startswith("▸ D  Details: ")
        await pilot.press("D")
        assert has_details(screen, SCREENS[key][1])


async def test_the_picture_takes_the_room_that_they_leave(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 60)) as pilot:
        screen = await opened(pilot, "5")
        await pilot.press("j", "j")
        await settled(pilot)
        folded = lines(screen)
        assert len(folded) == screen.document_view.scrollable_content_region.height, "all of it is seen"
        await pilot.press("d")
        assert lines(screen).index("▾ d  Details") < len(folded) - 1


async def test_in_a_low_terminal_the_line_is_in_sight_below_the_picture(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Rewrite the import jobs"))
        screen = await opened(pilot, "5")
        view = screen.document_view
        at = next(at for at, line in enumerate(lines(screen)) if line.startswith("▸ d  Details"))
        assert at < view.scrollable_content_region.height
        await pilot.click(view, offset=(view.gutter.left + 4, view.gutter.top + at))
        assert has_details(screen, "How to read this")
