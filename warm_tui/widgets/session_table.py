"""The table of sessions: only the lines on the screen are ever made, however many sessions there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from warm_tui import actions
from warm_tui.printing import UNKNOWN_VALUE, age, percent, signed
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.text import clean_line
from warm_tui.tables import GAP, Column, fit
from warm_tui.widgets.selectable import SelectableLines

Shown = tuple[str, str]
"""A cell's text and the name of its style."""

BAR = 10


class Field(NamedTuple):
    """A column: what it is sorted by, how wide it is, and what it shows of a profile."""

    name: str
    title: str
    width: int
    show: Callable[[Profile, float], Shown]
    right: bool = False
    least: int = 0
    rank: int = 0
    computed: bool = True


def rate_bar(p: Profile) -> Shown:
    """The rate on a line from 0 to 100 %, with its interval."""
    if p.error_rate is None or p.error_rate_low is None or p.error_rate_high is None:
        return "·" * BAR, "dim"
    cells = ["·"] * BAR
    for at in range(_cell(p.error_rate_low), _cell(p.error_rate_high) + 1):
        cells[at] = "─"
    cells[_cell(p.error_rate)] = "●"
    return "".join(cells), rate_style(p.error_rate)


def _cell(share: float) -> int:
    return min(BAR - 1, int(share * BAR))


BLOCKS = "▁▂▃▄▅▆▇█"


def trend(p: Profile) -> Shown:
    if p.early_error_rate is None or p.late_error_rate is None or p.proficiency_gain is None:
        return UNKNOWN_VALUE, "dim"
    early, late = (BLOCKS[min(7, int(rate * 8))] for rate in (p.early_error_rate, p.late_error_rate))
    gain = p.proficiency_gain
    arrow, style = ("↘", "ok") if gain < 0 else ("↗", "failed") if gain > 0 else ("→", "dim")
    return f"{early}{arrow}{late}", style


def rate_style(rate: float | None) -> str:
    return "dim" if rate is None else "ok" if rate < 0.05 else "unknown" if rate < 0.2 else "failed"


def _tokens(p: Profile) -> Shown:
    if p.input_tokens is None or p.output_tokens is None:
        return "unknown", "dim"
    count = p.input_tokens + p.output_tokens
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.1f}{unit}", ""
    return str(count), ""


RELATIONS = {"compression_chain": "chain", "compression_in_place": "in place", "none": ""}

FIELDS: tuple[Field, ...] = (
    Field("title", "title", 60, lambda p, _: (clean_line(p.title or p.first_message or p.session_id), ""), least=28, computed=False),
    Field("source", "source", 9, lambda p, _: (clean_line(p.source), ""), rank=5, computed=False),
    Field("model", "model", 16, lambda p, _: (clean_line(p.model or UNKNOWN_VALUE), ""), least=8, rank=9, computed=False),
    Field("started_at", "age", 4, lambda p, now: (age(p.started_at, now), "dim"), right=True, rank=3, computed=False),
    Field("message_count", "msgs", 6, lambda p, _: (f"{p.message_count:,}", ""), right=True, rank=12),
    Field("tool_call_count", "calls", 6, lambda p, _: (f"{p.tool_call_count:,}", ""), right=True, rank=1),
    Field("failed_calls", "fail", 5, lambda p, _: (f"{p.failed_calls:,}", ""), right=True, rank=6),
    Field("error_rate", "errors", 6, lambda p, _: (percent(p.error_rate), rate_style(p.error_rate)), right=True),
    Field("error_rate_high", "0   95 % 100", BAR, lambda p, _: rate_bar(p), rank=2),
    Field("late_error_rate", "e→l", 3, lambda p, _: trend(p), rank=4),
    Field("proficiency_gain", "gain", 9, lambda p, _: (signed(p.proficiency_gain), "dim"), right=True, rank=13),
    Field("dominant_tool_type", "tools", 8, lambda p, _: (p.dominant_tool_type, "dim"), rank=8),
    Field("task_type", "task", 8, lambda p, _: (p.task_type, "dim"), rank=14),
    Field("input_tokens", "tokens", 8, lambda p, _: _tokens(p), right=True, rank=10),
    Field("cost_usd", "cost", 8, lambda p, _: (f"${p.cost_usd:,.2f}" if p.cost_usd is not None else UNKNOWN_VALUE, ""), right=True, rank=11),
    Field("compactions", "cuts", 4, lambda p, _: (str(p.compactions or ""), ""), right=True, rank=7),
    Field("relation", "relation", 9, lambda p, _: (RELATIONS.get(p.relation, p.relation), "dim"), rank=15),
)  # fmt: skip
FIELD_BY_NAME = {field.name: field for field in FIELDS}
MARGIN = 2
MARKS = {"marked": "●", "warm": "W", "cold": "C"}


class SessionTable(SelectableLines, can_focus=True):
    """A header and a line a session. Knows nothing of where the sessions come from."""

    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"session-table--{name}"
        for name in ("header", "sorted", "cursor", "cursor-blurred", "dim", "ok", "failed", "unknown", "mark")
    }

    cursor: reactive[int] = reactive(0, repaint=False)

    class Highlighted(Message):
        def __init__(self, profile: Profile | None) -> None:
            self.profile = profile
            super().__init__()

    class Opened(Message):
        pass

    class Scrolled(Message):
        pass

    class MarkAsked(Message):
        """By mouse: this row, or all from the last marked one to it."""

        def __init__(self, *, up_to: bool) -> None:
            self.up_to = up_to
            super().__init__()

    class SortAsked(Message):
        def __init__(self, field: str) -> None:
            self.field = field
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Profile] = ()
        self.pending: set[str] = set()
        self.marks: dict[str, str] = {}
        self.order = "-started_at"
        self.fields: tuple[Field, ...] = FIELDS
        self.now = 0.0
        self._widths: list[int] = []
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        self._version = 0

    # --- what it shows ---

    def show(self, rows: Sequence[Profile], *, now: float) -> None:
        """Other rows; the cursor stays on the session it was on, if that is still among them."""
        under = self.under_cursor
        self.rows, self.now = rows, now
        at = next((at for at, row in enumerate(rows) if under and row.session_id == under.session_id), None)
        self._version += 1
        self._measure()
        self.cursor = at if at is not None else max(0, min(self.cursor, len(rows) - 1))
        self._announce()
        self.refresh()

    def redraw(self) -> None:
        self._version += 1
        self._measure()
        self.refresh()

    @property
    def under_cursor(self) -> Profile | None:
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def _measure(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.rows) + 1)
        room = max(20, self.size.width - 3)
        columns = [Column(f.title, f.right, f.least, f.rank) for f in self.fields]
        natural = [max(f.width, cell_len(f.title)) if not f.least else f.width for f in self.fields]
        self._widths = fit(columns, natural, room)
        slack = room - sum(self._widths) - GAP * (sum(map(bool, self._widths)) - 1)
        if self._widths and self._widths[0] and slack > 0:
            self._widths[0] += slack

    def on_resize(self) -> None:
        self.redraw()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    # --- the cursor ---

    def watch_cursor(self, old: int, new: int) -> None:
        if old == new:
            return
        self._refresh_line(old)
        self._refresh_line(new)
        self._reveal(new)
        self._announce()

    def _refresh_line(self, row: int) -> None:
        self.refresh(Region(0, row + 1 - self.scroll_offset.y, self.size.width, 1))

    def _reveal(self, row: int) -> None:
        height = max(1, self.size.height - 1)
        top = self.scroll_offset.y
        if row < top:
            self.scroll_to(y=row, animate=False)
        elif row >= top + height:
            self.scroll_to(y=row - height + 1, animate=False)

    def _announce(self) -> None:
        self.post_message(self.Highlighted(self.under_cursor))

    def move(self, to: int) -> None:
        self.cursor = max(0, min(to, len(self.rows) - 1))

    def action_cursor_down(self) -> None:
        self.move(self.cursor + 1)

    def action_cursor_up(self) -> None:
        self.move(self.cursor - 1)

    def action_page_down(self) -> None:
        self.move(self.cursor + max(1, self.size.height - 2))

    def action_page_up(self) -> None:
        self.move(self.cursor - max(1, self.size.height - 2))

    def action_first(self) -> None:
        self.move(0)

    def action_last(self) -> None:
        self.move(len(self.rows) - 1)

    def on_click(self, event: events.Click) -> None:
        """A click in the margin marks, one with shift or ctrl marks up to there."""
        if self.text_selection is not None:
            return
        if event.y == 0:
            if field := self._field_at(event.x):
                self.post_message(self.SortAsked(field.name))
            return
        row = event.y - 1 + self.scroll_offset.y
        if 0 <= row < len(self.rows):
            self.move(row)
            if event.shift or event.ctrl:
                self.post_message(self.MarkAsked(up_to=True))
            elif event.x < MARGIN:
                self.post_message(self.MarkAsked(up_to=False))
            elif event.chain > 1:
                self.post_message(self.Opened())

    def _field_at(self, x: int) -> Field | None:
        left = MARGIN
        for field, width in zip(self.fields, self._widths, strict=True):
            if width and left <= x < left + width + GAP:
                return field
            left += width + GAP if width else 0
        return None

    # --- lines ---

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if len(self._widths) != len(self.fields):
            self._measure()
        if y == 0:
            return self._header(width)
        line = y - 1 + self.scroll_offset.y
        if line >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        return self.selectable(self.strip_of(line), line)

    @property
    def line_count(self) -> int:
        return len(self.rows)

    def strip_of(self, line: int) -> Strip:
        row, at, width = self.rows[line], line, self.size.width
        mark = self.marks.get(row.session_id, "")
        key = (row.session_id, self._version, width, at == self.cursor, self.has_focus, mark)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._line(row, at == self.cursor, mark, width)
            self._strips[key] = strip
        return strip

    def _header(self, width: int) -> Strip:
        style = self.get_component_rich_style("session-table--header")
        chosen = self.get_component_rich_style("session-table--sorted")
        by, arrow = self.order.lstrip("-"), "▼" if self.order.startswith("-") else "▲"
        segments = [Segment("  ", style)]
        for field, room in zip(self.fields, self._widths, strict=True):
            if room:
                title = f"{field.title}{arrow}" if field.name == by else field.title
                segments.append(Segment(_padded(title, room, field.right), chosen if field.name == by else style))
                segments.append(Segment(" " * GAP, style))
        return Strip(segments).adjust_cell_length(width, style)

    def _line(self, row: Profile, under_cursor: bool, mark: str, width: int) -> Strip:
        base = self.rich_style
        if under_cursor:
            base += self.get_component_rich_style(f"session-table--cursor{'' if self.has_focus else '-blurred'}")
        waiting = row.session_id in self.pending
        segments = [Segment(f"{MARKS.get(mark, ' ')} ", base + self._style("mark"))]
        for field, room in zip(self.fields, self._widths, strict=True):
            if not room:
                continue
            text, style = ("…", "dim") if waiting and field.computed else field.show(row, self.now)
            segments.append(Segment(_padded(text, room, field.right), base + self._style(style)))
            segments.append(Segment(" " * GAP, base))
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        if not name:
            return Style()
        style = self.get_component_rich_style(f"session-table--{name}", partial=True)
        return Style(color=style.color, bold=style.bold, dim=style.dim)


def _padded(text: str, width: int, right: bool) -> str:
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - length) + text if right else text + " " * (width - length)
