"""How a picture is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from tests.tui.helpers import settled, table, titles

SIZES = {"wide": (160, 48), "middling": (120, 36), "narrow": (80, 24)}


def after(*keys: str, title: str = "") -> Callable[[Pilot[None]], Awaitable[None]]:
    """Go to the session with these words in its title, and press keys, each when the one before has had its effect."""

    async def run(pilot: Pilot[None]) -> None:
        await settled(pilot)
        if title:
            table(pilot.app).move(next(at for at, name in enumerate(titles(pilot.app)) if title in name))
            await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return run
