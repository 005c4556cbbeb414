"""A table with another above or below it: at its end the cursor goes on there."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.message import Message

from warm_tui.widgets.line_table import LineTable

Row = TypeVar("Row")


class Neighbour(LineTable[Row]):
    class Left(Message):
        """Over an end."""

        def __init__(self, table: LineTable[Any], *, down: bool) -> None:
            self.table, self.down = table, down
            super().__init__()

    def action_cursor_down(self) -> None:
        if self.cursor >= len(self.rows) - 1:
            self.post_message(self.Left(self, down=True))
        super().action_cursor_down()

    def action_cursor_up(self) -> None:
        if self.cursor <= 0:
            self.post_message(self.Left(self, down=False))
        super().action_cursor_up()
