"""Write the screenshots of the README from the demo: python -m tests.screenshots [NAME ...]"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from tests.tui.helpers import settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.demo import build_demo
from warm_tui.paths import Home

FOLDER = Path(__file__).parents[1] / "screenshots"

# name: the terminal's size, the session the cursor is on, the keys that are pressed
PICTURES = {
    "overview": ((180, 40), "", ("0",)),
    "sessions": ((150, 40), "split the monolith", ()),
    "transcript": ((120, 36), "Make a release", ("enter", "f", "f")),
    "narrow": ((80, 24), "Port the test suite", ()),
    "curate": ((160, 44), "", ("2", "space", "space", "space", "tab", "j", "b")),
    "templates": ((150, 40), "", ("3",)),
    "compaction": ((150, 40), "Rewrite the import jobs", ("4",)),
    "experiments": ((150, 40), "", ("6", "j")),
    "failures": ((150, 44), "", ("7", "j")),
    "compare": ((150, 44), "", ("5", "f", "down", "down", "down", "enter")),
}


async def take(home: Home, name: str) -> None:
    size, title, keys = PICTURES[name]
    app = WarmTui(home)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        table(app).move(next(at for at, found in enumerate(titles(app)) if title in found))
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        app.save_screenshot(f"{name}.svg", str(FOLDER))


def main(*names: str) -> None:
    """All of them, or those that are named; whatever the terminal can show, and whose home it is."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"COLORTERM": "truecolor", "TERM": "xterm-256color", "HOME": folder}
        home = Path(folder) / ".hermes"
        build_demo(home)
        os.chdir(home)
        for name in names or PICTURES:
            asyncio.run(take(Home(Path(), (Path("state.db"),)), name))


if __name__ == "__main__":
    main(*sys.argv[1:])
