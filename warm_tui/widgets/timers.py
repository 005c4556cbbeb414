"""What was put off for a moment comes to pass."""

from __future__ import annotations

from textual.message_pump import MessagePump
from textual.timer import Timer, TimerCallback


class SureTimers(MessagePump):
    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """Textual's skips what is late between its first two looks at the clock, and one that is skipped goes on to
        the next time: of a timer that fires once there is none. Seen on a busy machine, where the cursor stood on a
        row and the pane never told of it."""
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False
        return timer
