"""Write the screenshots of the README from the demo: python -m tests.screenshots"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from warm_tui.app import WarmTui
from warm_tui.demo import build_demo

FOLDER = Path(__file__).parents[1] / "screenshots"


async def sessions(folder: Path) -> None:
    app = WarmTui(build_demo(folder, now=time.time()))
    async with app.run_test(size=(132, 36)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        app.save_screenshot("sessions.svg", str(FOLDER))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(sessions(Path(folder)))


if __name__ == "__main__":
    main()
