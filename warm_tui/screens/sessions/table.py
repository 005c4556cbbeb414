"""The table of sessions: what its columns show of a profile."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import ClassVar

from textual.events import Click, MouseDown, MouseMove
from textual.message import Message

from warm_tui.library.grouped_rows import GroupedRows, Line
from warm_tui.library.rows import Chosen, Group, Rows
from warm_tui.presentation import outcomes
from warm_tui.presentation.claims import COLD, WARM, change_arrow, change_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, age, percent, rate_style, short, signed
from warm_tui.presentation.glossary import numbers_of_profile
from warm_tui.presentation.pictures import Scale, Span, span_line
from warm_tui.presentation.tables import arrows_of
from warm_tui.presentation.totals import group_name, total_in_words, total_shown
from warm_tui.reliability.bounds import BOUNDS_OF, change_is_shown
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.row_strips import MARGIN

BAR = 10
RATES = Scale(0.0, 1.0)


def rate_bar(p: Profile) -> Shown:
    """The rate on a line from 0 to 100 %, with its interval."""
    if p.error_rate is None:
        return "·" * BAR, "dim"
    span = Span(p.error_rate_low, p.error_rate, p.error_rate_high)
    return span_line(span, RATES, BAR), rate_style(p.error_rate, p.known_calls)


BLOCKS = "▁▂▃▄▅▆▇█"


def trend(p: Profile) -> Shown:
    if p.early_error_rate is None or p.late_error_rate is None or p.proficiency_gain is None:
        return UNKNOWN_VALUE, "dim"
    early, late = (BLOCKS[min(7, int(rate * 8))] for rate in (p.early_error_rate, p.late_error_rate))
    return f"{early}{change_arrow(p.proficiency_gain)}{late}", _change_style(p)


def _change_style(p: Profile) -> str:
    return change_style(p.proficiency_gain, shown=change_is_shown(p))


def _tokens(p: Profile) -> Shown:
    count = p.total_tokens
    return ("unknown", "dim") if count is None else (short(count, 1_000), "")


RELATIONS = {"compression_chain": "chain", "compression_in_place": "in place", "none": ""}

FIELDS: tuple[Field, ...] = (
    Field("title", "title", 36, lambda p, _: (clean_line(p.title or p.first_message or p.session_id), ""), min_width=36, grow=3, computed=False),
    Field("agent", "agent", 11, lambda p, _: (clean_line(p.agent), ""), rank=4, computed=False),
    Field("home", "home", 8, lambda p, _: (clean_line(p.home), "dim"), rank=6, computed=False),
    Field("machine", "machine", 10, lambda p, _: (clean_line(p.machine), ""), rank=4, computed=False),
    Field("project", "project", 14, lambda p, _: (clean_line(PurePath(p.project or "").name), "dim"), min_width=8, rank=16, computed=False),
    Field("source", "source", 8, lambda p, _: (clean_line(p.source), ""), rank=5, computed=False),
    Field("model", "model", 16, lambda p, _: (clean_line(p.model or UNKNOWN_VALUE), ""), min_width=16, rank=9, computed=False),
    Field("started_at", "age", 4, lambda p, now: (age(p.started_at, now), "dim"), right=True, rank=3, computed=False),
    Field("message_count", "messages", 8, lambda p, _: (f"{p.message_count:,}", ""), right=True, rank=12),
    Field("tool_call_count", "calls", 6, lambda p, _: (f"{p.tool_call_count:,}", ""), right=True, rank=1),
    Field("failed_calls", "failed", 6, lambda p, _: (f"{p.failed_calls:,}", ""), right=True, rank=4),
    Field("error_rate", "errors", 7, lambda p, _: (percent(p.error_rate), rate_style(p.error_rate, p.known_calls)), right=True),
    Field("error_rate_high", "0   95 % 100", BAR, lambda p, _: rate_bar(p), rank=2),
    Field("late_error_rate", "trend", 5, lambda p, _: trend(p), rank=6),
    Field("proficiency_gain", "change", 9, lambda p, _: (signed(p.proficiency_gain), _change_style(p)), right=True, rank=13),
    Field("dominant_tool_type", "tools", 8, lambda p, _: (p.dominant_tool_type, "dim"), rank=8),
    Field("outcome", "outcome", 10, lambda p, _: outcomes.piece(p.outcome), rank=15),
    Field("task_type", "task", 8, lambda p, _: (p.task_type, "dim"), rank=14),
    Field("total_tokens", "tokens", 8, lambda p, _: _tokens(p), right=True, rank=10),
    Field("cost_usd", "cost", 8, lambda p, _: (f"${p.cost_usd:,.2f}" if p.cost_usd is not None else UNKNOWN_VALUE, ""), right=True, rank=11),
    Field("compactions", "compacted", 9, lambda p, _: (str(p.compactions or ""), ""), right=True, rank=7),
    Field("relation", "relation", 9, lambda p, _: (RELATIONS.get(p.relation, p.relation), "dim"), rank=15),
)  # fmt: skip
LEAST_BESIDE = 111
INTERVAL = "interval"
ON_REQUEST = ("outcome", "project")
BEFORE_THE_USUAL = 1
"""The rank of a column that somebody asked for, though it is not usual: behind all others it would seldom be seen."""
FIELD_BY_NAME = {field.name: field for field in FIELDS}


def usual_fields(words: Mapping[str, Collection[str]]) -> tuple[Field, ...]:
    """The columns of a table in which nobody chose any; `words`: what stands in its rows, by field."""
    agents, homes = (len(words.get(name, ())) for name in ("agent", "home"))
    told = {"agent": agents > 1, "home": homes > agents, "machine": bool(words.get("machine"))}
    return tuple(field for field in FIELDS if told.get(field.name, field.name not in ON_REQUEST))


def chosen_fields(names: Collection[str]) -> tuple[Field, ...]:
    """The columns of a table in which somebody chose these."""
    chosen = (field for field in FIELDS if field.name in names)
    return tuple(field._replace(rank=BEFORE_THE_USUAL) if field.name in ON_REQUEST else field for field in chosen)


def field_options() -> list[tuple[str, str]]:
    """The columns to choose from. The one with the interval has a scale for a title: that stands behind its name."""
    interval = f"{INTERVAL} ({FIELD_BY_NAME['error_rate_high'].title})"
    return [(field.name, interval if field.name == "error_rate_high" else field.title) for field in FIELDS]


def order_in_words(order: str, grouping: str = "", *, short: bool = False) -> str:
    """`short`: as it stands over the column, where there is no room for words."""
    if short and order.removeprefix("-") in FIELD_BY_NAME:
        field = order.removeprefix("-")
        title = INTERVAL if field == "error_rate_high" else FIELD_BY_NAME[field].title
        by = f"{title} {arrows_of(order, BOUNDS_OF)[field]}"
    else:
        by = f"by {', then '.join(_order_in_words(each) for each in order.split(','))}"
    return by + (f", grouped by {grouping}" if grouping else "")


def _order_in_words(order: str) -> str:
    """A rate is sorted by what is known of it: without a word, the figures would seem out of order."""
    field, down = order.removeprefix("-"), order.startswith("-")
    titles = {"error_rate_high": INTERVAL}
    title = titles.get(field) or (FIELD_BY_NAME[field].title if field in FIELD_BY_NAME else field)
    bound = f", at {'least' if down else 'most'}" if field in BOUNDS_OF else ""
    return f"{title}{bound} {'▼' if down else '▲'}"


class SessionTable(LineTable[Line]):
    FIELDS: ClassVar = FIELDS
    MARKS: ClassVar = {"marked": "●", "warm": "W", "cold": "C", "open": "▾", "folded": "▸"}
    MARK_STYLES: ClassVar = {"warm": WARM, "cold": COLD}
    HAS_TOTALS = True
    least_beside = LEAST_BESIDE
    BOUNDED: ClassVar = BOUNDS_OF.keys()
    TERMS: ClassVar = {"error_rate_high": INTERVAL}

    rows: Rows | Chosen | GroupedRows

    class RangeMarked(Message):
        """The mouse was drawn along the margin, over the rows of these lives."""

        def __init__(self, lives: Sequence[str]) -> None:
            self.lives = lives
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = Rows()
        self.grouping = ""
        self.is_filling = False
        """Not all that will stand in it is known."""
        self._drawn_from: int | None = None
        self._drawn_over: tuple[str, ...] = ()
        self._was_drawn = False

    @property
    def profile(self) -> Profile | None:
        """Of the session under the cursor."""
        row = self.under_cursor
        return None if isinstance(row, Group) else row

    def numbers(self, row: Line) -> dict[str, str]:
        return {} if isinstance(row, Group) else numbers_of_profile(row)

    def identity(self, row: Line) -> str:
        return f"\0{row.name}" if isinstance(row, Group) else row.session_id

    def place_of(self, identity: str) -> int | None:
        if identity.startswith("\0"):
            return self.rows.heading_of(identity[1:]) if isinstance(self.rows, GroupedRows) else None
        return self.rows.place_of(identity)

    def cell(self, field: Field, row: Line) -> Shown:
        if not isinstance(row, Group):
            return super().cell(field, row)
        if field is self.fields[0]:
            return f"{group_name(row.name, self.grouping)}  {plural(row.totals.sessions, 'session')}", "group"
        return total_shown(field.name, row.totals)

    def mark_of(self, row: Line) -> str:
        """That of its life, also where only a part is shown."""
        if isinstance(row, Group):
            return "folded" if isinstance(self.rows, GroupedRows) and row.name in self.rows.folded else "open"
        return "marked" if row.life in self._drawn_over else self.marks.get(row.life, "")

    # --- what all of it comes to ---

    def total(self, field: Field) -> Shown:
        totals = self.rows.totals
        if field is self.fields[0]:
            known = totals.outcomes
            done = f", {known.done:,} of {known.known:,} done" if known.known else ""
            return f"{plural(totals.sessions, 'session')}{' so far' if self.is_filling else ''}{done}", "mark"
        return total_shown(field.name, totals)

    def total_explained(self, field: Field) -> str:
        return total_in_words("outcome" if field is self.fields[0] else field.name, self.rows.totals)

    def explanation(self, field: Field, row: Line | None = None) -> str:
        if isinstance(row, Group):
            return "\n".join(filter(None, (total_in_words(field.name, row.totals), super().explanation(field))))
        return super().explanation(field, row)

    # --- a range of marks, drawn along the margin ---

    def on_mouse_down(self, event: MouseDown) -> None:
        at = event.y - 1 + self.scroll_offset.y
        if event.x < MARGIN and event.y and not self.is_at_totals(event.y) and at < len(self.rows):
            # Text is not selected meanwhile.
            self.screen.clear_selection()
            self.capture_mouse()
            self._drawn_from, self._was_drawn = at, False

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._drawn_from is None:
            return
        if event.y < 1:
            self.scroll_relative(y=-1, animate=False)
        elif event.y > self.page_height:
            self.scroll_relative(y=1, animate=False)
        here = min(max(event.y, 1), self.page_height) - 1 + self.scroll_offset.y
        low, high = sorted((self._drawn_from, max(0, min(here, len(self.rows) - 1))))
        drawn = self.rows[low : high + 1] if low < high or self._drawn_over else []
        self._drawn_over = tuple(row.life for row in drawn if not isinstance(row, Group))
        self.refresh()

    def on_mouse_up(self) -> None:
        if self._drawn_from is not None:
            self.release_mouse()
            drawn, self._drawn_from, self._drawn_over = self._drawn_over, None, ()
            self._was_drawn = bool(drawn)
            if drawn:
                self.post_message(self.RangeMarked(drawn))

    def on_click(self, event: Click) -> None:
        """The end of a drawing is none."""
        if self._was_drawn:
            self._was_drawn = False
            event.prevent_default()
