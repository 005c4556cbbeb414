"""A screen that follows what others write: it is shown within two seconds, and idle costs nothing."""

from __future__ import annotations

from abc import abstractmethod

from warm_tui.screens.shared.frame import Frame

FOLLOW_SECONDS = 1.0


class Following(Frame):
    """Below the top, a screen asks nothing; on top again, it catches up."""

    def on_mount(self) -> None:
        self.set_interval(FOLLOW_SECONDS, self.follow_on_top)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.catch_up()

    def follow_on_top(self) -> None:
        """`is_current` would not do: it holds also for the screen right below the top."""
        if self.is_active:
            self.follow()

    @abstractmethod
    def follow(self) -> None:
        """Have the files changed? Only looked at here: whatever is read, a worker reads."""

    def catch_up(self) -> None:
        """On top again: what else may have changed meanwhile."""
        self.follow()
