"""The footer: the keys that matter most, as many as have room; help and the palette always."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

AROUND_KEY = 3
"""The blanks of one."""
EDGE = 2
HELP = "help"


class KeyFooter(Footer):
    """Keys come in the order in which the actions are declared; the last of them go where there is no room."""

    def compose(self) -> ComposeResult:
        keys = list(super().compose())
        kept = [key for key in keys if _always(key)]
        left = self.app.size.width - EDGE - sum(_width(key) for key in kept)
        for key in keys:
            if key not in kept:
                left -= _width(key)
                if left < 0:
                    break
                kept.append(key)
        yield from (key for key in keys if key in kept)

    def on_resize(self) -> None:
        if self._bindings_ready:
            self.call_after_refresh(self.recompose)


def _always(key: Widget) -> bool:
    return isinstance(key, FooterKey) and (key.has_class("-command-palette") or key.action == HELP)


def _width(key: Widget) -> int:
    return cell_len(key.key_display) + cell_len(key.description) + AROUND_KEY if isinstance(key, FooterKey) else 0
