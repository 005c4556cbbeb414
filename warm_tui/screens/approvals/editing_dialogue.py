"""The windows in which what is asked for is changed: which part of it, that part, and the whole once more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from warm_tui.approvals import operating
from warm_tui.approvals.model import Request
from warm_tui.presentation.approvals import answer_in_words, body_of
from warm_tui.screens.approvals import editing
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Confirm, Write
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import or_back


class EditingDialogue:
    """Escape goes one step back. `do` is a worker of the screen."""

    def __init__(self, screen: Frame, request: Request, do: Callable[[Callable[[], str]], object]) -> None:
        self._screen, self._request, self._do = screen, request, do
        self._parts = editing.parts(request.details)

    def begin(self) -> None:
        if hindrance := editing.why_not(self._request):
            self._screen.notify(hindrance, severity="warning", markup=False)
        elif len(self._parts) == 1:
            self._edit(self._parts[0][0], lambda: None)
        else:
            self._choose_part()

    def _choose_part(self) -> None:
        def chosen(part: str | None) -> None:
            if part:
                self._edit(part, self._choose_part)

        self._screen.app.push_screen(ChooseOne(f"Edit what of {self._request.action}?", self._parts), chosen)

    def _edit(self, part: str, back: Callable[[], None], text: str | None = None) -> None:
        """`text`: as it was written before, where one comes back to it."""
        details = self._request.details

        def check(text: str) -> None:
            editing.edited(details, part, text)

        def written(text: str) -> None:
            self._approve(editing.edited(details, part, text), partial(self._edit, part, back, text))

        window = Write(dict(self._parts)[part], editing.text_of(details, part), check=check, begin_with=text)
        self._screen.app.push_screen(window, or_back(written, back))

    def _approve(self, details: Any, back: Callable[[], None]) -> None:
        """Shown whole once more, as it will run."""
        request = self._request
        if details == request.details:
            self._screen.notify("Nothing was changed: y says yes to it as it is.", markup=False)
            return

        def sure(_: bool) -> None:
            home = self._screen.home
            self._do(lambda: answer_in_words(operating.approve(home, request.id, edited={"details": details})))

        text = "\n".join(body_of(replace(request, details=details)))
        window = Confirm(f"Yes to {request.action}, as you edited it", text, "Yes, run this")
        self._screen.app.push_screen(window, or_back(sure, back))
