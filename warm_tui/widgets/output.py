"""What goes to the terminal: below every widget, whatever it shows, nothing gets through but text and styles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from warm_tui.sessions.invisible import without_hidden
from warm_tui.sessions.text import clean


class NothingHidden(LineFilter):
    """Each line of each widget passes here last. What a terminal would obey goes; the line stays as wide as it was."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's
        if all(map(_is_plain, segments)):
            return segments
        return [segment if _is_plain(segment) else _harmless(segment) for segment in segments]


def _is_plain(segment: Segment) -> bool:
    text, style, control = segment
    return not control and text.isprintable() and text.isascii() and (style is None or style.link is None)


def _harmless(segment: Segment) -> Segment:
    text = without_hidden(segment.text).replace("\n", "").replace("\t", "")
    if text != segment.text:
        text = set_cell_size(text, cell_len(segment.text))
    # A link is an escape sequence around its address.
    style = segment.style.update_link(None) if segment.style is not None and segment.style.link else segment.style
    return Segment(text, style)


class HarmlessErrors(RenderHook):
    """What is printed of a crash, after the app is gone: an error's own words may hold what was recorded."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Harmless(renderable) for renderable in renderables]


class _Harmless:
    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        segments: Iterable[Segment] = console.render(self._renderable, options)
        for text, style, _ in segments:
            yield Segment(clean(text), style.update_link(None) if style is not None and style.link else style)
