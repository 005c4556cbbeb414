"""In what order, groups and columns the sessions are shown, and the views that are kept of all that."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from warm_tui.errors import Trouble
from warm_tui.library.catalog import NEWEST_FIRST
from warm_tui.library.grouped_rows import GroupedRows
from warm_tui.library.rows import Group
from warm_tui.reliability.filters import check_order
from warm_tui.reliability.totals import GROUPINGS
from warm_tui.saved_views import SavedViews, View
from warm_tui.screens.sessions.feeding import Feeding
from warm_tui.screens.sessions.table import (
    FIELD_BY_NAME,
    LEAST_BESIDE,
    SessionTable,
    chosen_fields,
    field_options,
    usual_fields,
)
from warm_tui.screens.sessions.view_dialogue import ViewDialogue
from warm_tui.screens.shared.choose import ChooseOne, ChooseSome
from warm_tui.screens.shared.listing import Listing


class Ordering(Feeding, Listing):
    go_to_top = False
    """When it has been sorted."""

    def show_as_chosen(self) -> None:
        """As it was when it was left."""
        config, table = self.choices, self.table
        table.order = NEWEST_FIRST
        with suppress(Trouble):
            table.order = check_order(config.text("sort", NEWEST_FIRST))
        with suppress(Trouble):
            self.sessions.group_by(config.text("group"))
        with suppress(Trouble):
            self.sessions.set_filter(config.text("filter"))
        table.grouping = self.sessions.grouping
        self.filter_text = self.sessions.filter_text
        self.put_columns(config.texts("columns"))

    # --- the order ---

    def sort(self, order: str) -> None:
        self.remember(sort=order)
        self.go_to_top = True
        super().sort(order)

    def on_line_table_sort_asked(self, message: SessionTable.SortAsked) -> None:
        message.prevent_default()
        first, *second = self.table.order.split(",")
        if message.then:
            self.put_second(message.field)
        elif first == f"-{message.field}":
            self.sort(",".join([message.field, *second]))
        else:
            self.sort(f"-{message.field}")

    def action_sort_by(self) -> None:
        by = self.table.order.partition(",")[0].lstrip("-")
        self.app.push_screen(ChooseOne("Sort by", field_options(), by), self.sort_down)

    def sort_down(self, field: str | None) -> None:
        if field:
            self.sort(f"-{field}")

    def action_reverse(self) -> None:
        order = self.table.order
        self.sort(order[1:] if order.startswith("-") else f"-{order}")

    def action_then_by(self) -> None:
        first, *second = self.table.order.split(",")
        options = [each for each in field_options() if each[0] != first.lstrip("-")]
        by = second[0].lstrip("-") if second else ""
        self.app.push_screen(ChooseOne("Then by", [("", "Nothing more"), *options], by), self.put_second)

    def put_second(self, field: str | None) -> None:
        """What decides between those that the order leaves alike; the same once more turns it round."""
        first, *second = self.table.order.split(",")
        if field == "":
            self.sort(first)
        elif field and field != first.lstrip("-"):
            self.sort(f"{first},{field if second == [f'-{field}'] else f'-{field}'}")

    # --- groups ---

    def action_group_by(self) -> None:
        options = [("", "No groups"), *((name, name) for name in GROUPINGS)]
        self.app.push_screen(ChooseOne("Group by", options, self.sessions.grouping), self.group)

    def group(self, grouping: str | None) -> None:
        if grouping is not None:
            self.sessions.group_by(grouping)
            self.table.grouping = grouping
            self.remember(group=grouping)
            self.go_to_top = True
            self.lay_out()

    @property
    def groups(self) -> Sequence[Group]:
        rows = self.table.rows
        return rows.chosen.groups if isinstance(rows, GroupedRows) else ()

    def fold(self, group: Group) -> None:
        self.sessions.folded ^= {group.name}
        self.show_folds()

    def action_fold_all(self) -> None:
        """All of them, or where all are, none."""
        groups = {group.name for group in self.groups}
        if groups:
            self.sessions.folded = set() if groups <= self.sessions.folded else groups
            self.show_folds()
        else:
            self.notify("The sessions are not grouped.", markup=False)

    def show_folds(self) -> None:
        if isinstance(self.table.rows, GroupedRows):
            self.show_rows(self.table.rows.chosen, self.table.now)

    # --- columns ---

    def action_choose_columns(self) -> None:
        chosen = [field.name for field in self.table.fields]
        self.app.push_screen(ChooseSome("Columns", field_options(), chosen), self.set_columns)

    def set_columns(self, names: list[str] | None) -> None:
        if names:
            self.put_columns(names)
            self.remember(columns=names)
            self.table.redraw()

    def put_columns(self, names: list[str]) -> None:
        """Without any, those that are usual."""
        known = {name for name in names if name in FIELD_BY_NAME}
        self.has_own_columns = bool(known)
        self.table.fields = chosen_fields(known) or usual_fields(self.sessions.profiles.words)
        # What somebody asked for is shown wherever it has room.
        self.table.least_beside = 0 if known else LEAST_BESIDE

    # --- views ---

    @property
    def current_view(self) -> View:
        columns = [field.name for field in self.table.fields] if self.has_own_columns else []
        return View(self.filter_text, self.table.order, self.sessions.grouping, columns)

    def action_saved_views(self) -> None:
        ViewDialogue(self, SavedViews(self.choices), self.use_view).open(self.current_view)

    def use_view(self, name: str) -> None:
        view = SavedViews(self.choices).view(name)
        try:
            view.check()
        except Trouble as trouble:
            self.say_wrong(f"The view {name} cannot be used: {trouble}")
            return
        changes: dict[str, Any] = {"filter": view.filter}
        if view.sort is not None:
            self.table.order = changes["sort"] = check_order(view.sort or NEWEST_FIRST)
        if view.group is not None:
            self.sessions.group_by(view.group)
            self.table.grouping = changes["group"] = self.sessions.grouping
        if view.columns is not None:
            changes["columns"] = view.columns
            self.put_columns(view.columns)
            self.table.redraw()
        self.go_to_top = True
        self.set_filter(view.filter)
        self.remember(**changes)
