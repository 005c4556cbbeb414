"""A screen whose conclusion comes first: what that rests on is folded below it, on all of them alike, remembered."""

from __future__ import annotations

from typing import ClassVar

from textual.widget import Widget

from warm_tui import actions
from warm_tui.choices import DETAILS, remapped_keys
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.document_view import DocumentView

CHOICE = "details"
FOLDED, OPEN = DETAILS


class Detailed(Frame):
    DETAILS: ClassVar[str]
    """The id of the view."""
    _came_from: Widget | None = None
    """Where one was before one began to read them."""

    @property
    def document_view(self) -> DocumentView:
        return self.query_one(self.DETAILS, DocumentView)

    @property
    def details_are_open(self) -> bool:
        return self.choices.text(CHOICE) == OPEN

    def on_mount(self) -> None:
        self.fold_details()

    def on_screen_resume(self) -> None:
        """Another of these screens may have been asked."""
        if self.is_mounted and self.document_view.details_open != self.details_are_open:
            self.fold_details()

    def fold_details(self) -> None:
        self.document_view.fold_details(
            is_open=self.details_are_open, key=self.key_of("details"), zoom_key=self.key_of("zoom")
        )
        self.set_class(self.details_are_open, "-details")

    def key_of(self, name: str) -> str:
        (scope, keys), *_ = ((of, each.keys) for of in self.SCOPES for each in actions.of(of) if each.id == name)
        return actions.readable(remapped_keys(self.choices).get(f"{scope}.{name}", keys))

    def on_document_view_details_asked(self) -> None:
        self.action_details()

    def action_details(self) -> None:
        self.remember(**{CHOICE: FOLDED if self.details_are_open else OPEN})
        self.fold_details()
        view = self.document_view
        view.go_to_details()
        if self.details_are_open and not view.has_focus:
            self._came_from = self.focused
            view.focus()
        elif view.has_focus and self._came_from is not None and self._came_from.display:
            self._came_from.focus()
