"""A screen around one table: its filter, its sort order, and what Enter and Escape do with them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from contextlib import suppress
from typing import Any, ClassVar

from textual import events, on
from textual.css.query import NoMatches
from textual.timer import Timer
from textual.widget import Widget

from warm_tui import actions
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.line_table import LineTable


class Listing(Frame):
    """The screen has a table, and lays it out anew when the filter's text or the order change."""

    BINDINGS: ClassVar = actions.bindings("panes")
    HEADER_MEANS = f"{Frame.HEADER_MEANS} A click filters."
    filter_text = ""
    unread = ""
    """Why what is typed is no filter."""
    REST_SECONDS = 0.08
    NEED_SOMETHING: ClassVar[Collection[str]] = ()
    """Actions that are of no use before there is anything."""
    _zoomed_from: Widget | None = None
    _look_timer: Timer | None = None
    _look_is_due = False

    @property
    @abstractmethod
    def table(self) -> LineTable[Any]: ...

    @property
    @abstractmethod
    def view(self) -> Widget:
        """What stands beside the table."""

    @property
    def zoomed_pane(self) -> Widget:
        return self.view

    # --- how the panes share the room ---

    @property
    def divider(self) -> Divider:
        return self.query_one(Divider)

    @property
    def _pane_names(self) -> dict[bool, str]:
        name = type(self).__name__.removesuffix("Screen").lower()
        return {True: f"{name} beside", False: f"{name} above"}

    def on_mount(self) -> None:
        for beside, name in self._pane_names.items():
            with suppress(KeyError, ValueError, NoMatches):
                self.divider.put(beside, min(95.0, max(5.0, float(self.choices.table("panes")[name]))))

    @on(events.DescendantFocus)
    def show_pane_with_focus(self, event: events.DescendantFocus) -> None:
        """The line between the panes shows in which of them one is."""
        within = event.widget.ancestors_with_self
        for divider in self.query(Divider):
            divider.set_class(divider.behind in within, "-behind")
        for bar in self.query(FilterBar):
            if bar not in within:
                bar.left()

    @on(events.Click, "#header")
    def filter_by_click(self) -> None:
        self.action_filter()

    def on_divider_moved(self, message: Divider.Moved) -> None:
        name = self._pane_names[message.beside]
        if message.share is None:
            self.keep_choice(lambda: self.choices.drop("panes", name))
        else:
            self.keep_choice(lambda: self.choices.put("panes", name, f"{message.share:g}"))

    def action_shrink_pane(self) -> None:
        self.divider.step(-1)

    def action_grow_pane(self) -> None:
        self.divider.step(1)

    @abstractmethod
    def lay_out(self) -> None: ...

    @abstractmethod
    def action_open(self) -> None:
        """What Enter and a double click do with the row under the cursor."""

    def on_line_table_opened(self) -> None:
        self.action_open()

    def look(self) -> None:
        """Tell of the row under the cursor."""

    def look_soon(self) -> None:
        """When the cursor rests: it is painted at once, what is under it takes a moment."""
        self.stop_looking()
        self._look_timer = self.set_timer(self.REST_SECONDS, self.look_on_top)

    def look_on_top(self) -> None:
        """Below the top, the look waits until the screen is seen again."""
        self._look_is_due = not self.is_active
        if self.is_active:
            self.look()

    def on_screen_resume(self) -> None:
        if self._look_is_due:
            self.look_soon()

    def stop_looking(self) -> None:
        if self._look_timer is not None:
            self._look_timer.stop()

    def on_line_table_sort_asked(self, message: LineTable.SortAsked) -> None:
        if message.table is self.table:
            down = f"-{message.field}"
            self.sort(message.field if self.table.order == down else down)

    def sort(self, order: str) -> None:
        self.table.order = order
        self.lay_out()

    def action_sort_by(self) -> None:

        def chosen(name: str | None) -> None:
            if name:
                # A second choice of the same column turns it round.
                self.sort(name if self.table.order == f"-{name}" else f"-{name}")

        self.app.push_screen(ChooseOne("Sort by", self.sort_options(), self.table.order.lstrip("-")), chosen)

    def sort_options(self) -> list[tuple[str, str]]:
        return [(field.name, field.title or field.name) for field in self.table.fields]

    def action_filter(self) -> None:
        self.query_one(FilterBar).open(self.filter_text)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        unread, self.unread = self.unread, ""
        if message.query != self.filter_text or unread:
            self.set_filter(message.query)
        if message.done:
            self.table.focus()
            self.query_one(FilterBar).close(self.filter_text)
            self.filter_chosen()

    def on_filter_bar_unread(self, message: FilterBar.Unread) -> None:
        self.unread = message.why
        self.lay_out()

    def show_empty(self, why: str) -> None:
        """Nothing matches what was read before: that is no word on what is typed now."""
        was_empty = self.is_empty
        super().show_empty(f"{self.unread}\n\nEscape clears the filter; / changes it." if why and self.unread else why)
        if was_empty != self.is_empty:
            self.refresh_bindings()

    @property
    def is_empty(self) -> bool:
        """Whether words stand in place of what it is about."""
        return self.query_one("#empty").display

    @property
    def of_no_use(self) -> Collection[str]:
        """What a filter leaves nothing of is there all the same."""
        return self.NEED_SOMETHING if self.NEED_SOMETHING and self.is_empty and not self.filter_text else ()

    @property
    def filter_told(self) -> str:
        """For the header: nothing, while what is typed is no filter, as the one before it is not meant any more."""
        return "" if self.unread else self.filter_text

    def filter_chosen(self) -> None:
        """The operator has done with typing."""

    def set_filter(self, text: str) -> None:
        self.filter_text, self.unread = text, ""
        self.query_one(FilterBar).show(text)
        self.lay_out()

    def action_clear(self) -> None:
        if self.filter_text or self.unread:
            self.set_filter("")
        else:
            self.action_back()

    def action_other_pane(self) -> None:
        (self.table if self.view.has_focus else self.view).focus()

    def action_zoom(self) -> None:
        """Back again, the keys are for the pane for which they were before."""
        self.toggle_class("zoomed")
        if self.has_class("zoomed"):
            self._zoomed_from = self.focused
            self.zoomed_pane.focus()
        else:
            (self._zoomed_from or self.table).focus()
