"""Nothing recorded reaches the terminal but as text: each screen and window, in a terminal, byte for byte."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from io import StringIO
from pathlib import Path

from rich.traceback import Traceback

from tests.tui.hostile.driven import KEYS, OF_ALL, OF_EACH, every_screen
from tests.tui.hostile.kinds import KINDS, poison, signs_in
from tests.tui.hostile.terminal import COPIED, got_through, run_in_terminal
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.inbox import Inbox
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.written import Written

CHECKOUT = Path(__file__).parents[2]
FEW = 2
"""Of a screen: which of the texts stand on it depends on what it shows of them."""


def test_every_screen_and_window_is_driven() -> None:
    assert every_screen() == {*KEYS, *OF_ALL, *OF_EACH}, "a screen or window that hostile text is not tried on"


def test_no_hostile_byte_reaches_the_terminal(unread_demo: Home, tmp_path: Path) -> None:
    poison(unread_demo)
    report = tmp_path / "report.json"
    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(CHECKOUT)}
    words = ["-m", "tests.tui.hostile.driven", str(unread_demo.root), str(report)]
    stream, code = run_in_terminal(words, env, size=(200, 100))
    assert code == 0, stream[-3000:]
    seen = json.loads(report.read_text())
    every = {kind.sign for kind in KINDS}
    for window in (*OF_ALL, *OF_EACH):
        assert set(seen[window.__name__]) == every, window
    for screen in KEYS:
        assert len(seen[screen.__name__]) >= FEW, screen
    assert set().union(*(seen[screen.__name__] for screen in KEYS)) == every
    assert set(seen["FilterBar and notices"]) == every
    assert len(seen["other widgets"]) >= FEW

    copied = COPIED.findall(stream)
    assert [signs_in(b64decode(each).decode("utf-8", "replace")) for each in copied] == [every], "what was copied"
    assert got_through(stream) == []


OF_THEIR_OWN = {
    Explain: "What it means",
    Written: "Written",
    Inbox: f"{len(KINDS)} suggestions of the last sessions",
}
"""Titles that nothing recorded stands in."""


async def test_the_title_of_a_window_is_no_markup(demo: Home) -> None:
    """A tool may be called anything."""
    app = WarmTui(demo)
    async with app.run_test() as pilot:
        for window, opened in (OF_ALL | OF_EACH).items():
            app.push_screen(opened("[/b] [@click=app.quit_now]x"))
            await pilot.pause()
            told = OF_THEIR_OWN.get(window, r"\[/b] \[@click=app.quit_now]x")
            assert app.screen.query_one(".window").border_title in (told, f"Revisions of {told}")
            app.pop_screen()


def test_what_a_crash_says_is_harmless(demo: Home) -> None:
    app = WarmTui(demo)
    app.error_console.file = told = StringIO()
    try:
        raise ValueError("".join(kind.text for kind in KINDS))
    except ValueError as error:
        app.error_console.print(Traceback.from_exception(type(error), error, error.__traceback__))
    assert signs_in(told.getvalue().replace("\n", ""))
    assert got_through(told.getvalue()) == []
