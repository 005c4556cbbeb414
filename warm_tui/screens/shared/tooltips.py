"""What a pointer left lying somewhere says stands in nobody's way: a key, a click or a scroll takes it away."""

from __future__ import annotations

from textual import events
from textual.app import App

LETS_GO = (events.Key, events.Paste, events.MouseDown, events.MouseScrollUp, events.MouseScrollDown)


class Pointed(App[None]):
    """Textual takes a tooltip away when the mouse moves on: until then it covers what one has begun to work on."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, LETS_GO):
            self.take_tooltips_away()
        await super().on_event(event)

    def take_tooltips_away(self) -> None:
        """Also one that is about to come, and those of screens that are seen below a window."""
        for screen in self.screen_stack:
            if screen._tooltip_timer is not None:
                screen._tooltip_timer.stop()
            screen._clear_tooltip()
