"""What in a template came from outside: read before it is activated, or whole when asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Sequence

from warm_tui.errors import Trouble
from warm_tui.presentation.lines import Line
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.templates.activation import outside_question
from warm_tui.screens.templates.preview import Preview
from warm_tui.screens.templates.reading import ReadFirst
from warm_tui.sessions.invisible import shown
from warm_tui.sessions.text import clean_line
from warm_tui.templates.foreign import Foreign, foreign_of, let_stand
from warm_tui.templates.shelf import Row


def outside_lines(texts: Sequence[Foreign], waiting: Collection[str]) -> list[Line]:
    lines: list[Line] = []
    for text in texts:
        is_new = text.hash in waiting
        sign, state = ("!", "") if is_new else ("·", "  (not told)") if text.is_silent else ("✓", "  (read)")
        lines.append([(f"{sign} {clean_line(text.told)}{state}", "unknown" if is_new else "dim")])
        lines += [[("    ", ""), (line, "")] for line in shown(text.text).split("\n")]
    return lines


class OutsideDialogue:
    """`look_again` is called when something was let stand."""

    def __init__(self, screen: Frame, look_again: Callable[[], None]) -> None:
        self._screen, self._look_again = screen, look_again

    def before(self, preview: Preview, act: Callable[[], None]) -> None:
        """Act at once where nothing is unread, else when it was read."""
        if not preview.unread:
            act()
            return

        def answered(yes: bool | None) -> None:
            if yes and self._let_stand(preview):
                act()

        question = outside_question(preview)
        self._screen.app.push_screen(Confirm(question.title, question.text, question.yes), answered)

    def read_whole(self, row: Row, preview: Preview) -> None:
        waiting = {text.hash for text in preview.unread}

        def answered(yes: bool | None) -> None:
            if yes and waiting and self._let_stand(preview):
                self._screen.notify("It may stand, and is not asked about again until it changes.", markup=False)

        title = f"From outside in {clean_line(row.name)}"
        lines = outside_lines(foreign_of(row.stored.template), waiting)
        self._screen.app.push_screen(ReadFirst(title, lines, "I have read it" if waiting else ""), answered)

    def _let_stand(self, preview: Preview) -> bool:
        try:
            let_stand(self._screen.home, preview.unread)
        except (Trouble, sqlite3.Error) as trouble:
            self._screen.say_wrong(str(trouble))
            return False
        self._look_again()
        return True
