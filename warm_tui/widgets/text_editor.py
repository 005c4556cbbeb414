"""Where several lines are written; importing it takes longer than a screen without it takes to be drawn."""

from __future__ import annotations

from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from warm_tui.sessions.invisible import in_sight


class TextEditor(TextArea):
    """As a line of it is: what is invisible stands there as a symbol."""

    def edit(self, edit: Edit) -> EditResult:
        # Terminals paste a carriage return for the end of a line.
        edit.text = in_sight(edit.text.replace("\r\n", "\n").replace("\r", "\n"))
        return super().edit(edit)
