"""The footer: the keys that matter most, as many as have room; help and the palette always."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

HELP = "help"


@dataclass(frozen=True)
class FootKey:
    """One of the keys; a click does what pressing it does."""

    key: str
    display: str
    title: str
    action: str
    enabled: bool = True
    tooltip: str = ""
    palette: bool = False
    """It stands at the right, behind a line."""

    @property
    def words(self) -> tuple[str, str]:
        """The key and what it does, with the blanks around them."""
        return (f"▏{self.display}", f" {self.title} ") if self.palette else (f" {self.display} ", f"{self.title} ")

    @property
    def width(self) -> int:
        return sum(map(cell_len, self.words))


class KeyFooter(Widget):
    """Keys come in the order in which the actions are declared; the last of them go where there is no room.

    One line that is drawn, and not a widget for each key as Textual's footer makes them: what is valid changes with
    the row under the cursor, and making widgets anew was a fifth of the work behind each key.
    """

    COMPONENT_CLASSES = {  # noqa: RUF012 - as Textual declares it
        "key-footer--key",
        "key-footer--title",
        "key-footer--edge",
        "key-footer--hover",
    }
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.valid: list[FootKey] = []
        self._under_mouse: FootKey | None = None
        self._to_read = False

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        """What is valid is asked once, when the screen stands."""
        if self.app.app_focus and screen is self.screen and not self._to_read:
            self._to_read = True
            self.call_after_refresh(self._read)

    def _read(self) -> None:
        self._to_read = False
        if not self.is_attached or self._pruning:
            return
        if not self.screen.is_mounted:
            # What is valid depends on what the screen is made of.
            self._changed(self.screen)
        elif (valid := _valid(self.app, self.screen)) != self.valid:
            self.valid = valid
            self.refresh()

    @property
    def shown(self) -> list[tuple[int, FootKey]]:
        """The keys there is room for, each with the column where it begins."""
        kept = [key for key in self.valid if key.palette or key.action == HELP]
        left = self.size.width - sum(key.width for key in kept)
        for key in self.valid:
            if key not in kept:
                left -= key.width
                if left < 0:
                    break
                kept.append(key)
        placed, at = [], 0
        for key in self.valid:
            if key in kept:
                placed.append((self.size.width - key.width if key.palette else at, key))
                at += key.width
        return placed

    def render_line(self, y: int) -> Strip:
        if y:
            return Strip.blank(self.size.width, self.rich_style)
        segments: list[Segment] = []
        at = 0
        for begin, key in self.shown:
            segments += [Segment(" " * (begin - at), self.rich_style), *self._drawn(key)]
            at = begin + key.width
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _drawn(self, key: FootKey) -> list[Segment]:
        hover = self.get_component_rich_style("key-footer--hover", partial=True)
        state = Style(dim=not key.enabled or None) + (hover if key == self._under_mouse else Style())
        styles = [self.get_component_rich_style(f"key-footer--{part}") + state for part in ("key", "title")]
        drawn = [Segment(words, style) for words, style in zip(key.words, styles, strict=True)]
        if key.palette:
            edge = self.get_component_rich_style("key-footer--edge")
            drawn[:1] = [Segment(key.words[0][:1], edge), Segment(key.words[0][1:], styles[0])]
        return drawn

    def _at(self, x: int) -> FootKey | None:
        return next((key for begin, key in self.shown if begin <= x < begin + key.width), None)

    def _point_at(self, key: FootKey | None) -> None:
        if key != self._under_mouse:
            self._under_mouse = key
            self.tooltip = key.tooltip if key else None
            self.refresh()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point_at(self._at(event.x))

    def on_leave(self) -> None:
        self._point_at(None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        key = self._at(event.x)
        if key is None:
            return
        if key.enabled:
            self.app.simulate_key(key.key)
        else:
            self.app.bell()


def _valid(app: App[object], screen: Screen[object]) -> list[FootKey]:
    """What can be pressed now, and is of use, each action once, and the palette last."""
    active, of_no_use = screen.active_bindings, getattr(screen, "of_no_use", ())
    found: dict[str, FootKey] = {}
    for each in active.values():
        if each.binding.show and each.binding.action not in of_no_use:
            found.setdefault(each.binding.action, _foot_key(app, each))
    palette = active.get(app.COMMAND_PALETTE_BINDING)
    return [*found.values(), *([replace(_foot_key(app, palette), palette=True)] if palette else [])]


def _foot_key(app: App[object], active: ActiveBinding) -> FootKey:
    binding = active.binding
    display = app.get_key_display(binding)
    tooltip = active.tooltip or binding.tooltip or binding.description
    return FootKey(binding.key, display, binding.description, binding.action, active.enabled, tooltip)
