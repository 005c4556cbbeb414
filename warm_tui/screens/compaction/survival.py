"""What survived each compaction of one life, message by message and call by call; lost calls can be picked."""

from __future__ import annotations

import time
from functools import cached_property
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static

from warm_tui import actions
from warm_tui.library.compactions import Examined
from warm_tui.presentation.figures import shrunk
from warm_tui.presentation.lines import Line, text_of
from warm_tui.presentation.recorded import body_of
from warm_tui.reliability.filters import only_words
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.survival import Survival
from warm_tui.screens.compaction.survival_table import CutRow, PieceRow, SurvivalTable, arranged
from warm_tui.screens.shared.arranging import no_match
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.picking import InPlace, Picking
from warm_tui.sessions.excerpt import excerpt
from warm_tui.sessions.text import clean, clean_line, plural
from warm_tui.sessions.transcript import Item, transcript
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.pieces_view import PiecesView


class SurvivalScreen(Listing, Picking, Screen[None]):
    BINDINGS: ClassVar = actions.bindings("survival")
    SCOPES = ("survival", "panes", "list", "app")
    MODE = "show-compaction"

    def __init__(self, found_as: str, examined: Examined) -> None:
        """`found_as`: the name of the life, which tells it apart."""
        super().__init__()
        self.found_as, self.examined = found_as, examined
        self.only_lost = False
        self.folded: frozenset[int] = frozenset()

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words; also kept, shortened, told, gone, lost, ok, failed", check=only_words)
        with Container(id="survival-panes"):
            yield SurvivalTable(id="pieces")
            yield Divider()
            yield PiecesView(id="piece")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.table.focus()
        self.lay_out()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.lay_out()

    @property
    def table(self) -> SurvivalTable:
        return self.query_one(SurvivalTable)

    @property
    def view(self) -> PiecesView:
        return self.query_one("#piece", PiecesView)

    def lay_out(self) -> None:
        rows = arranged(self.examined.survived, self.filter_text, self.only_lost, self.folded)
        picked = self.drafting.picked_calls()
        self.table.marks = {
            self.table.identity(row): "picked"
            for row in rows
            if isinstance(row, PieceRow)
            and row.piece.call
            and (row.piece.call[0].session_id, row.piece.call[0].key) in picked
        }
        self.table.show(rows, now=time.time())
        lost = sum(piece.lost_success for survival in self.examined.survived for piece in survival.pieces)
        lost_calls = plural(lost, "good call") + " lost"
        parts = [f"only {lost_calls}" if self.only_lost else lost_calls, clean_line(self.examined.title)]
        self.query_one("#header", Static).update("  ·  ".join(parts))
        self.show_empty("" if rows else self.why_empty())
        self.show_piece()

    def why_empty(self) -> str:
        if self.filter_text:
            return no_match("good call that was lost" if self.only_lost else "message, and no call,", self.filter_text)
        return "No good call was lost." if self.only_lost else "Nothing is recorded of what stood before."

    def action_clear(self) -> None:
        if not self.stop_picking():
            super().action_clear()

    def sort(self, order: str) -> None:
        """What was said stays in the order in which it was said."""

    def on_line_table_highlighted(self) -> None:
        self.show_piece()

    def show_piece(self) -> None:
        self.view.show(self.lines_under_cursor())

    def lines_under_cursor(self) -> list[Line]:
        row = self.table.under_cursor
        if isinstance(row, CutRow):
            return summary_lines(row.survival)
        if row is None:
            return []
        piece = row.piece
        if piece.call is None:
            return [[(line, "")] for line in clean(excerpt(piece.text)).split("\n")]
        call, verdict = piece.call
        lines = [[(clean_line(call.tool_name), "strong")], *body_of(Item("call", call.session_id, call=call), verdict)]
        if piece.left:
            lines += [[], [("What compaction left of it", "strong")]]
            lines += [[(line, "unknown")] for line in clean(excerpt(piece.left)).split("\n")]
        return lines

    def on_line_table_mark_asked(self, message: LineTable.MarkAsked) -> None:
        message.table.move(message.at)
        self.action_pick()

    def action_open(self) -> None:
        row = self.table.under_cursor
        if isinstance(row, CutRow):
            self.folded ^= {row.survival.index}
            self.lay_out()
        elif row is not None:
            self.app.push_screen(Pages(row.piece.role, self.lines_under_cursor()))

    def action_summary(self) -> None:
        row = self.table.under_cursor
        if row is not None:
            self.app.push_screen(Pages(f"Compaction {row.survival.index}", summary_lines(row.survival)))

    def action_only_lost(self) -> None:
        self.only_lost = not self.only_lost
        self.lay_out()

    def action_next_cut(self) -> None:
        self.go(1)

    def action_previous_cut(self) -> None:
        self.go(-1)

    def go(self, step: int) -> None:
        cuts = [at for at, row in enumerate(self.table.rows) if isinstance(row, CutRow)]
        ahead = [at for at in cuts if (at - self.table.cursor) * step > 0]
        if ahead:
            self.table.move(min(ahead) if step > 0 else max(ahead))

    def action_pick(self) -> None:
        row = self.table.under_cursor
        call = row.piece.call if isinstance(row, PieceRow) else None
        if call is None:
            self.notify("Only a call can be picked: move the cursor to one.", markup=False)
        else:
            facts = self.examined.life.facts
            self.pick_call(InPlace(call[0], lambda: self.items, self.verdicts, facts, self.found_as))

    @cached_property
    def items(self) -> list[Item]:
        return transcript(self.examined.life, None)

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], Verdict]:
        return {(call.session_id, call.key): verdict for call, verdict in self.examined.calls}

    def after_pick(self) -> None:
        super().after_pick()
        self.lay_out()
        self.table.action_cursor_down()

    def action_copy(self) -> None:
        self.copy(
            "\n".join(text_of(line) for line in self.lines_under_cursor()),
            "what is under the cursor",
        )


def summary_lines(survival: Survival) -> list[Line]:
    """How the context shrank, and the words it shrank to."""
    lines: list[Line] = [
        [
            (f"Compaction {survival.index}", "strong"),
            ("  in place" if survival.in_place else "  into a new session", "dim"),
            (f"  {clean_line(survival.session_id)}", "dim"),
        ]
    ]
    if survival.recorded:
        cut = f"{survival.share_cut:.0%} of it gone" if survival.share_cut is not None else ""
        lines.append([(f"{shrunk(survival.tokens_before, survival.tokens_after)} tokens of context, {cut}", "")])
    else:
        lines.append([("What stood before it is not in the database.", "unknown")])
    lines.append([])
    if survival.summary is None:
        return [*lines, [("No summary was recorded.", "unknown")]]
    lines += [[("The summary", "strong")], *([(line, "")] for line in clean(excerpt(survival.summary)).split("\n"))]
    lines += [[], [("As the model gets it, with the agent's own words around it", "strong")]]
    return [*lines, *([(line, "dim")] for line in clean(excerpt(survival.whole_summary or "")).split("\n"))]
