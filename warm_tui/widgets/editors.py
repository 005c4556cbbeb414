"""Where a line is written: what is invisible in it stands there as a symbol, also where it was pasted.

They are given `shown` text; `unshown` makes of theirs what was meant.
"""

from __future__ import annotations

from textual.widgets import Input

from warm_tui.sessions.invisible import in_sight


class LineEditor(Input):
    def replace(self, text: str, start: int, end: int) -> None:
        super().replace(in_sight(text), start, end)
