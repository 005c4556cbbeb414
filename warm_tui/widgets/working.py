"""What is done beside the keys, and is shown when it was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import textual
from textual.app import App
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.worker import Worker

P = ParamSpec("P")


def work(
    *, group: str, thread: bool = False, exclusive: bool = False
) -> Callable[[Callable[P, Any]], Callable[P, Worker[Any]]]:
    """As Textual's, which however puts all that is given to a worker in words, to be logged, before it begins: of a
    long transcript that takes a second and three times its memory."""
    return textual.work(group=group, thread=thread, exclusive=exclusive, description=group)


class ShownWhileThere(App[None]):
    def call_from_thread(self, callback: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Of a screen that is left the widgets go before it does: what would be shown on them is shown no more."""
        screen = getattr(callback, "__self__", None)

        def call() -> Any:
            try:
                return callback(*args, **named)
            except NoMatches:
                if self.is_running and not (isinstance(screen, Screen) and not screen.display):
                    raise
                return None

        return super().call_from_thread(call)
