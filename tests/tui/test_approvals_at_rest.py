"""Approvals while one looks on: what the footer offers, which rows of the log are seen, and where notices stand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from textual.widgets._toast import Toast

from tests.tui.helpers import foot, settled
from warm_tui.app import WarmTui
from warm_tui.approvals.asking import Prepared
from warm_tui.approvals.model import Answer, Submission
from warm_tui.approvals.place import make_folder
from warm_tui.approvals.store import Store
from warm_tui.paths import Home
from warm_tui.screens.approvals.screen import ApprovalsScreen
from warm_tui.widgets.key_footer import KeyFooter


@pytest.fixture
def store(demo: Home) -> Iterator[Store]:
    with closing(Store(make_folder(demo).database, b"")) as store:
        yield store


def ask(store: Store, number: int) -> str:
    asked = Submission(action=f"deploy_{number}", description="Deploy", details={"command": "make deploy"})
    return store.submit(Prepared(asked, "", False)).id


async def test_where_nothing_waits_the_footer_offers_what_can_be_done(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await pilot.press("8")
        await settled(pilot)
        assert list(foot(pilot.app))[:2] == ["Service", "Help"]


async def test_where_something_waits_the_footer_offers_the_answers(demo: Home, store: Store) -> None:
    ask(store, 1)
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await pilot.press("8")
        await settled(pilot)
        assert list(foot(pilot.app))[:3] == ["Next pane", "Yes", "No"]


async def test_the_newest_rows_of_the_log_stay_in_sight(demo: Home, store: Store) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        name = ask(store, 0)
        await pilot.press("8")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ApprovalsScreen)
        for number in range(1, 12):
            store.answer(name, Answer(approve=False, by="ada", reason="no"))
            name = ask(store, number)
            screen.load()
            await settled(pilot)
        log = screen.log_table
        assert len(log.rows) > log.page_height
        assert log.scroll_offset.y == 0
        assert "deploy_11" in log.render_line(1).text


@pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=str)
async def test_a_notice_leaves_the_keys_to_be_read(demo: Home, size: tuple[int, int]) -> None:
    async with WarmTui(demo).run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        for key in ("3", "space", "w", "enter"):
            await pilot.press(key)
            await settled(pilot)
        notice = pilot.app.screen.query_one(Toast)
        assert notice.region.height == 1
        assert notice.region.bottom == pilot.app.screen.query_one(KeyFooter).region.y
        assert "Saved as " in str(notice.render())
