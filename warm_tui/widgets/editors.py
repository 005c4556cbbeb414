"""Where text is written: what is invisible in it stands there as a symbol, also where it was pasted.

They are given `shown` text; `unshown` makes of theirs what was meant.
"""

from __future__ import annotations

from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from warm_tui.sessions.invisible import in_sight


class LineEditor(Input):
    def replace(self, text: str, start: int, end: int) -> None:
        super().replace(in_sight(text), start, end)


class TextEditor(TextArea):
    def edit(self, edit: Edit) -> EditResult:
        # Terminals paste a carriage return for the end of a line.
        edit.text = in_sight(edit.text.replace("\r\n", "\n").replace("\r", "\n"))
        return super().edit(edit)
