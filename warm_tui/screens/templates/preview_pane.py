"""The conversation of a template beside the list: as a chat with what is wrong in it, or as JSON."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from warm_tui.presentation import glossary
from warm_tui.screens.templates.preview import Preview
from warm_tui.templates.conversation import Problem
from warm_tui.widgets.chat import Chat, as_chat, as_json
from warm_tui.widgets.pieces_view import PiecesView


class PreviewPane(Vertical):
    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.preview: Preview | None = None
        self._as_json = False

    def compose(self) -> ComposeResult:
        head = Static("", id="preview-head", markup=False)
        head.tooltip = glossary.explained("preview head")
        yield head
        # The list has room for its beginning.
        yield Static("", id="preview-purpose", markup=False)
        yield PiecesView(id="preview")

    @property
    def view(self) -> PiecesView:
        return self.query_one(PiecesView)

    def show(self, preview: Preview) -> None:
        """The place is kept where the same template is read again."""
        keep = preview.shows_the_same_as(self.preview)
        self.preview = preview
        self._lay_out(keep=keep)

    def clear(self) -> None:
        self._tell("", "")
        self.view.show([])

    def _tell(self, summary: str, purpose: str) -> None:
        self.query_one("#preview-head", Static).update(summary)
        self.query_one("#preview-purpose", Static).update(purpose)
        self.query_one("#preview-purpose").display = bool(purpose)

    def toggle_json(self) -> None:
        self._as_json = not self._as_json
        self._lay_out(keep=False)

    def go_to_problem(self, number: int) -> None:
        """To the message that it is about, or to the top."""
        if self.preview is None:
            return
        message = self.preview.problems[number].message
        starts = self._chat(self.preview).starts
        self.view.go_to(starts[message] if message is not None and message < len(starts) else 0)
        self.view.focus()

    def _chat(self, preview: Preview) -> Chat:
        messages = preview.conversation.messages
        said = [*preview.problems, *(Problem(None, note) for note in preview.notes)]
        return (
            as_json(messages) if self._as_json else as_chat(messages, said, preview.marks, preview.conversation.failed)
        )

    def _lay_out(self, *, keep: bool) -> None:
        if self.preview is not None:
            self._tell(self.preview.summary(), self.preview.purpose)
            self.view.show(self._chat(self.preview).lines, keep=keep)
