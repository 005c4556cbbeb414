"""A transcript of any length: only the lines on the screen are made, and only what is open has a body."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from warm_tui import actions
from warm_tui.presentation.glossary import Explained, of_lines, of_piece, of_words
from warm_tui.presentation.heads import head_of, indent_of
from warm_tui.presentation.lines import Line, piece_at, text_of, with_found
from warm_tui.presentation.pictures import FAILING, outcome_of
from warm_tui.presentation.recorded import Everything, Fold, laid_out
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.model import Call
from warm_tui.sessions.transcript import Item
from warm_tui.widgets.palette import CLASSES, Palette
from warm_tui.widgets.row_strips import fitted
from warm_tui.widgets.selectable import SelectableLines

NOTHING: frozenset[str] = frozenset()
EDGE = ("  │ ", "dim")
"""Left of what stands within an item."""


class TranscriptView(SelectableLines, can_focus=True):
    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES | {"transcript--cursor"}

    cursor: reactive[int] = reactive(0, repaint=False)

    class Moved(Message):
        pass

    class Refolded(Message):
        """Other items are shown than before."""

    def __init__(self) -> None:
        super().__init__(id="transcript")
        self.told: Sequence[Item] = ()
        """All there is."""
        self.items: Sequence[Item] = ()
        """Of that what is shown: the work of helpers is folded away until it is asked for."""
        self.places: Sequence[int] = ()
        """Of each item that is shown, where it stands in all."""
        self.unfolded_helpers: set[str] = set()
        self._failed: Counter[str] = Counter()
        """Of each helper, how many of its calls failed."""
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self.open: set[int] = set()
        # What was folded or unfolded by hand stays so, whatever else is shown around it.
        self._turned: dict[tuple[str, ...], bool] = {}
        self.search_text = ""
        self.kinds: list[str] = []
        """Of each item how its call ended, or what it is."""
        self.failures: list[int] = []
        """Where calls stand that failed."""
        self.own_failures: list[int] = []
        """Those that count: a helper's count where its session does, and plans and questions count nowhere."""
        self.own_count = self.call_count = self.uncounted = 0
        # Session and key of the calls that are in the draft.
        self.picked: Container[tuple[str, str]] = ()
        self._bodies: dict[int, list[Line]] = {}
        self._room = 0
        # Lists and objects within JSON that are unfolded.
        self._unfolded: dict[tuple[str, ...], Everything | frozenset[str]] = {}
        self._ends: list[int] = []
        self._palette: Palette | None = None

    # --- what it shows ---

    def show(self, told: Sequence[Item], verdicts: dict[tuple[str, str], Verdict]) -> None:
        """These from now on. What is on the screen stays where it is, whatever has come before or behind it."""
        known, self.told, self.verdicts = (self.told, self.verdicts), told, verdicts
        kept = {at: body for at, body in self._bodies_in_told().items() if self._is_as_in(*known, at)}
        self._show_unfolded(kept)

    def _bodies_in_told(self) -> dict[int, list[Line]]:
        return {self.places[at]: body for at, body in self._bodies.items()}

    def _show_unfolded(self, bodies: dict[int, list[Line]]) -> None:
        """What is folded away is not there at all, for cursor, figures and minimap; `bodies`: by their place in all."""
        held, line, was_below = self.under_cursor, self.top_of(self.cursor) if self._ends else 0, self.is_at_end
        self.places = [at for at, item in enumerate(self.told) if self.unfolded_helpers.issuperset(item.within)]
        items = self.items = self.told if len(self.places) == len(self.told) else [self.told[at] for at in self.places]
        self._bodies = {at: bodies[place] for at, place in enumerate(self.places) if place in bodies}
        self._count()
        self.open = set(self.failures)
        if self._turned:
            for at, item in enumerate(items):
                self._put_open(at, self._turned.get(item.identity, at in self.open))
        self.measure()
        at = self.cursor
        if held is not None and not (at < len(items) and items[at].identity == held.identity):
            at = next((at for at, item in enumerate(items) if item.identity == held.identity), at)
        self.cursor = max(0, min(at, len(items) - 1))
        moved = self.top_of(self.cursor) - line if held is not None and items else 0
        if moved and not was_below:
            self.scroll_to(y=self.scroll_offset.y + moved, animate=False)

    def _is_as_in(self, told: Sequence[Item], verdicts: dict[tuple[str, str], Verdict], at: int) -> bool:
        """Whether an item is what it was: what has been laid out of it is good still."""
        if at >= len(self.told) or self.told[at] != told[at]:
            return False
        call = told[at].call
        return call is None or verdicts.get(_name_of(call)) == self.verdicts.get(_name_of(call))

    @property
    def is_at_end(self) -> bool:
        """Whether the last line is on the screen, and is not there only because all are."""
        return self.line_count > self.size.height and self.scroll_offset.y + self.size.height >= self.line_count

    def show_end(self) -> None:
        self.scroll_to(y=max(0, self.line_count - self.size.height), animate=False)

    def _count(self) -> None:
        """Once for all, so that no key waits for it in a long transcript."""
        self.kinds = [self.outcome(at) or item.kind for at, item in enumerate(self.items)]
        self.failures = [at for at, kind in enumerate(self.kinds) if kind in FAILING]
        own = [at for at, item in enumerate(self.items) if not item.within]
        calls = [call for at in own if (call := self.items[at].call) is not None]
        self.own_count, self.uncounted = len(own), sum(call.trivial for call in calls)
        self.call_count = len(calls) - self.uncounted
        counted = ((at, self.items[at]) for at in self.failures)
        self.own_failures = [at for at, item in counted if not item.within and item.call and not item.call.trivial]
        helpers = (item for item in self.told if item.within and item.call)
        self._failed = Counter(item.within[-1] for item in helpers if self._outcome_of(item) in FAILING)

    def measure(self) -> None:
        heights = (1 + (len(self.body(at)) if at in self.open else 0) for at in range(len(self.items)))
        self._ends = list(accumulate(heights))
        self.virtual_size = Size(self.size.width, self.line_count)
        self.refresh()

    def verdict(self, at: int) -> Verdict | None:
        call = self.items[at].call if 0 <= at < len(self.items) else None
        return self.verdicts.get(_name_of(call)) if call else None

    def outcome(self, at: int) -> str:
        return self._outcome_of(self.items[at])

    def _outcome_of(self, item: Item) -> str:
        verdict = self.verdicts.get(_name_of(item.call)) if item.call else None
        return outcome_of((item.call, verdict)) if item.call and verdict else ""

    def body(self, at: int) -> list[Line]:
        lines = self._bodies.get(at)
        if lines is None:
            item = self.items[at]
            unfolded = self._unfolded.get(item.identity, NOTHING)
            room = self._room - cell_len(text_of([*indent_of(item), EDGE]))
            lines = self._bodies[at] = laid_out(item, self.verdict(at), unfolded, room)
        return lines

    def fold_values(self) -> None:
        """Unfold all values under the cursor, or fold them."""
        item = self.under_cursor
        if item is not None:
            self._fold(self.cursor, NOTHING if self._unfolded.get(item.identity) else Everything())

    def _fold(self, at: int, unfolded: Everything | frozenset[str]) -> None:
        self._unfolded[self.items[at].identity] = unfolded
        self._bodies.pop(at, None)
        self.turn(at, True)

    def fold_at(self, at: int, within: int) -> bool:
        """Fold or unfold the value that a line of an open item stands for, where it does for one."""
        line = self.body(at)[within - 1] if within and at in self.open else None
        if not isinstance(line, Fold):
            return False
        held = self._unfolded.get(self.items[at].identity, NOTHING)
        if isinstance(held, Everything):
            held = frozenset(each.path for each in self.body(at) if isinstance(each, Fold))
        self._fold(at, held ^ {line.path})
        return True

    def forget(self, at: int) -> None:
        """Something about this item has changed."""
        self._bodies.pop(at, None)
        self._count()
        self.measure()

    # --- moving ---

    @property
    def under_cursor(self) -> Item | None:
        return self.items[self.cursor] if 0 <= self.cursor < len(self.items) else None

    @property
    def place(self) -> int:
        """Where the cursor stands in all there is."""
        return self.places[self.cursor] if self.places else 0

    def top_of(self, at: int) -> int:
        return self._ends[at - 1] if at else 0

    def move(self, to: int) -> None:
        self.cursor = max(0, min(to, len(self.items) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        if old == new or not self._ends:
            return
        self._reveal(new)
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """What is under the cursor stays in sight; within what is longer than the screen, where one was."""
        if self._room != (room := self.size.width - self.styles.scrollbar_size_vertical):
            self._room = room
            self._bodies.clear()
            self.measure()
        if self._ends and not self.top_of(self.cursor) < self.scroll_offset.y < self._ends[self.cursor]:
            self._reveal(self.cursor)

    def _reveal(self, at: int) -> None:
        top, bottom, height = self.top_of(at), self._ends[at], self.size.height
        if top < self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        elif bottom > self.scroll_offset.y + height:
            self.scroll_to(y=min(top, max(0, bottom - height)), animate=False, force=True)

    def reveal_found(self) -> None:
        """Unfold what is under the cursor down to the line that was searched for."""
        at = self.cursor
        head = text_of(self.head(at)).lower()
        if self.search_text in head:
            return
        self.turn(at, True)
        lines = [text_of(line).lower() for line in self.body(at)]
        hit = next((n for n, line in enumerate(lines) if self.search_text in line), None)
        if hit is not None:
            line = self.top_of(at) + 1 + hit
            if not self.scroll_offset.y <= line < self.scroll_offset.y + self.size.height:
                self.scroll_to(y=max(0, line - self.size.height // 2), animate=False)

    def toggle(self) -> None:
        if self.under_cursor is not None:
            self.turn(self.cursor, not self.is_open(self.under_cursor, self.cursor))

    def is_open(self, item: Item, at: int) -> bool:
        return item.session_id in self.unfolded_helpers if item.kind == "helper" else at in self.open

    def turn(self, at: int, opened: bool) -> None:
        if self.items[at].kind == "helper":
            self.turn_helpers((self.items[at].session_id,), opened)
            return
        self._turned[self.items[at].identity] = opened
        self._put_open(at, opened)
        self.measure()

    def turn_helpers(self, names: Iterable[str], opened: bool) -> None:
        (self.unfolded_helpers.update if opened else self.unfolded_helpers.difference_update)(names)
        self._show_unfolded(self._bodies_in_told())
        self.post_message(self.Refolded())

    def reveal(self, place: int) -> None:
        """Go to an item, wherever it is folded away."""
        if not self.unfolded_helpers.issuperset(self.told[place].within):
            self.turn_helpers(self.told[place].within, True)
        self.move(bisect_left(self.places, place))

    def _put_open(self, at: int, opened: bool) -> None:
        (self.open.add if opened else self.open.discard)(at)

    def below(self) -> int:
        """How many lines of the item under the cursor are still below the edge."""
        bottom = self._ends[self.cursor] if self._ends else 0
        return bottom - self.scroll_offset.y - self.size.height

    def action_cursor_down(self) -> None:
        if self.below() > 0:
            self.scroll_relative(y=1, animate=False)
        else:
            self.move(self.cursor + 1)

    def action_cursor_up(self) -> None:
        if self._ends and self.top_of(self.cursor) < self.scroll_offset.y:
            self.scroll_relative(y=-1, animate=False)
        else:
            self.move(self.cursor - 1)

    def action_page_down(self) -> None:
        if self.below() > 0:
            self.scroll_relative(y=max(1, self.size.height - 1), animate=False)
            return
        self.move(max(self.cursor + 1, self.item_at(self.top_of(self.cursor) + self.size.height - 1)))

    def action_page_up(self) -> None:
        self.move(min(self.cursor - 1, self.item_at(max(0, self.top_of(self.cursor) - self.size.height + 1))))

    @property
    def in_sight(self) -> tuple[int, int]:
        """The first and the last item of which a line is on the screen."""
        top = self.scroll_offset.y
        return (self.item_at(top), self.item_at(top + self.size.height - 1)) if self._ends else (0, -1)

    def action_first(self) -> None:
        self.move(0)

    def action_last(self) -> None:
        self.move(len(self.items) - 1)

    def item_at(self, line: int) -> int:
        return min(len(self.items) - 1, bisect_right(self._ends, line))

    def on_click(self, event: events.Click) -> None:
        line = event.y + self.scroll_offset.y
        if line < self.line_count and self.text_selection is None:
            at = self.item_at(line)
            if at == self.cursor and line == self.top_of(at):
                self.toggle()
            else:
                self.fold_at(at, line - self.top_of(at))
            self.move(at)

    # --- what it means ---

    def explained(self) -> list[Explained]:
        """Whatever may stand in a transcript."""
        return of_words(("calls", "minimap", "match", "compaction", "carried-over", "helper", "verdict on a call"))

    def explained_here(self) -> list[Explained]:
        return of_lines((), [self.head(self.cursor)] if self.items else ())

    def explanation_at(self, x: int, y: int) -> str:
        line = y + self.scroll_offset.y
        at = self.item_at(line) if line < self.line_count else -1
        piece = piece_at(self.head(at), x) if at >= 0 and line == self.top_of(at) else None
        found = of_piece(*piece) if piece else None
        return found.text if found else ""

    # --- lines ---

    def notify_style_update(self) -> None:
        self._palette = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        if line >= self.line_count:
            return Strip.blank(self.scrollable_content_region.width, self.rich_style)
        return self.selectable(self.strip_of(line), line)

    @property
    def line_count(self) -> int:
        return self._ends[-1] if self._ends else 0

    def strip_of(self, line: int) -> Strip:
        width, base = self.scrollable_content_region.width, self.rich_style
        at = self.item_at(line)
        within = line - self.top_of(at)
        self._palette = self._palette or Palette(self)
        if at == self.cursor:
            base += self.get_component_rich_style("transcript--cursor")
        parts = self.head(at) if within == 0 else [*indent_of(self.items[at]), EDGE, *self.body(at)[within - 1]]
        segments = [
            Segment(text, base + self._palette.style(name)) for text, name in with_found(parts, self.search_text)
        ]
        return fitted(segments, width, base)

    def head(self, at: int) -> Line:
        return self.head_of(self.items[at], self.verdict(at), is_open=self.is_open(self.items[at], at))

    def head_of(self, item: Item, verdict: Verdict | None, *, is_open: bool) -> Line:
        picked = item.call is not None and _name_of(item.call) in self.picked
        return head_of(item, verdict, is_open=is_open, picked=picked, failed=self._failed[item.session_id])


def _name_of(call: Call) -> tuple[str, str]:
    return call.session_id, call.key
