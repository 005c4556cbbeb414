"""Write the screenshots of the README from the demo: python -m tests.screenshots [NAME ...]"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.tui.helpers import settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.approvals.asking import prepare
from warm_tui.approvals.model import Answer, Submission
from warm_tui.approvals.place import Place, make_folder
from warm_tui.approvals.store import Store
from warm_tui.demo import build_demo
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor
from warm_tui.writing import write_whole

FOLDER = Path(__file__).parents[1] / "screenshots"

# name: the terminal's size, the session the cursor is on, the keys that are pressed
PICTURES = {
    "overview": ((180, 40), "", ("0",)),
    "sessions": ((160, 42), "split the monolith", ()),
    "transcript": ((120, 36), "Make a release", ("enter", "f", "f")),
    "narrow": ((80, 24), "Port the test suite", ()),
    "curate": ((160, 44), "", ("3", "space", "space", "space", "tab", "j", "b")),
    "templates": ((160, 42), "", ("4",)),
    "compaction": ((150, 40), "Rewrite the import jobs", ("5",)),
    "experiments": ((150, 40), "", ("7", "j")),
    "failures": ((150, 44), "", ("2", "j")),
    "compare": ((150, 44), "", ("6", "f", "down", "down", "down", "enter")),
    # Behind this one, requests wait in the bar of every screen.
    "approvals": ((166, 36), "", ("8",)),
}
ASKED: tuple[dict[str, Any], ...] = (
    {"action": "publish_package", "description": "Release 2.4 of the client", "requester": "ci", "timeout_seconds": 900,
     "details": {"command": "npm publish --access public", "branch": "main"}},
    {"action": "delete_data", "description": "The agent wants to call terminal (deletes trees).", "session_key": "demo-1",
     "requester": "hermes telegram", "details": {"tool": "terminal", "folder": "/srv/shop", "rule": "deletes_trees",
     "command": "systemctl stop shop-worker\nrm -rf /srv/shop/uploads/2023 /srv/shop/\u0441ache\u202e\npsql shop -c 'VACUUM'"}},
    {"action": "deploy_production", "description": "Deploy 2.3.1 to the shop", "requester": "ci",
     "details": {"command": "make deploy", "revision": "8e1c2f7"}},
)  # fmt: skip


def ask(home: Home) -> None:
    """Two wait, and one was answered; to whoever looks, a service runs."""
    with closing(Store(make_folder(home).database, b"")) as store:
        *_, last = [store.submit(prepare(Submission(**each), Redactor(b""))) for each in ASKED]
        store.answer(last.id, Answer(approve=False, by="ada", reason="not on a Friday"))
    write_whole(Place.of(home).running, json.dumps({"url": "http://127.0.0.1:6000"}))


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
        demo = Home(Path(), (Path("state.db"),))
        for name in names or PICTURES:
            if name != "approvals":
                asyncio.run(take(demo, name))
                continue
            ask(demo)
            with locked(Place.of(demo).lock):
                asyncio.run(take(demo, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
