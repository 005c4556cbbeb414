"""What every screen shares: the home it looks at, the choices it remembers, where exports go."""

from __future__ import annotations

import mimetypes
import sqlite3
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Static

from warm_tui import actions
from warm_tui.config import Config
from warm_tui.errors import Trouble
from warm_tui.outputs import write_unused
from warm_tui.paths import Home
from warm_tui.presentation.lines import cropped
from warm_tui.screens.shared.marks import Marks
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.headline import Headline
from warm_tui.widgets.key_footer import KeyFooter
from warm_tui.widgets.mode_bar import ModeBar, stands_alone
from warm_tui.widgets.timers import SureTimers
from warm_tui.writing import looks_only


def panes_beside_from(width: int) -> list[tuple[int, str]]:
    """Panes stand beside each other where each then shows all that it showed when they stood one above the other."""
    return [(0, "-tiny"), (60, "-narrow"), (width, "-wide")]


LONGEST_NAME = 16
NEVER_BESIDE = panes_beside_from(0)[:2]
"""For a screen whose picture has use for every column."""


class OfHome(Protocol):
    """What a screen asks of the app it is in."""

    home: Home
    choices: Config
    marks: Marks


class Frame(SureTimers, Screen[None]):
    """A screen that knows the app it is in."""

    SCOPES: ClassVar[tuple[str, ...]] = ("app",)
    HORIZONTAL_BREAKPOINTS = panes_beside_from(160)
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (16, "-tall"), (32, "-high")]  # noqa: RUF012 - as Textual declares it

    @property
    def of_no_use(self) -> Collection[str]:
        """Actions whose keys would only say now that there is nothing to do: the footer has better ones."""
        return ()

    @property
    def home(self) -> Home:
        return cast(OfHome, self.app).home

    def home_changed(self, made_of_it: tuple[str, ...]) -> None:
        """There are more places to look at: what was made for those before is made anew."""
        for name in made_of_it:
            self.__dict__.pop(name, None)
        if self.is_mounted and (load := getattr(self, "load", None)) is not None:
            load()

    @property
    def choices(self) -> Config:
        return cast(OfHome, self.app).choices

    @property
    def marks(self) -> Marks:
        return cast(OfHome, self.app).marks

    def save_marks_first(self) -> None:
        """For a worker that reads marks: a key pressed just before may not have been told to the library yet."""
        with suppress(Trouble, sqlite3.Error):
            self.marks.save(self.home)

    MODE: ClassVar[str] = ""
    HEADER_MEANS: ClassVar[str] = "How much there is, how much of it is shown, and in what order."

    def top(self) -> ComposeResult:
        """The screens' names, and what this one shows."""
        with Horizontal(id="top", classes="-above" if stands_alone(self.app.size) else ""):
            where = cropped(clean_line(self.home.called), LONGEST_NAME)
            told = " · ".join(filter(None, (where, "read-only" * looks_only())))
            yield ModeBar(self.MODE, told, self.home, must_tell=bool(self.home.profile) or looks_only())
            yield Headline(self.HEADER_MEANS)

    @on(events.Resize)
    def stack_top(self, event: events.Resize) -> None:
        self.query_one("#top").set_class(stands_alone(event.size), "-above")

    def below(self) -> ComposeResult:
        yield KeyFooter()
        # Covers the screen where there is no room for it.
        yield Static("Warm TUI needs a terminal of 60 by 16 at least.", id="tiny", markup=False)

    def empty(self) -> Static:
        """Tells why there is nothing, in place of it."""
        return Static("", id="empty", markup=False)

    def show_empty(self, why: str) -> None:
        empty = self.query_one("#empty", Static)
        empty.display = bool(why)
        if why:
            empty.update(why)

    def action_back(self) -> None:
        self.app.pop_screen()

    def remember(self, **choices: Any) -> None:
        self.keep_choice(lambda: self.choices.remember(**choices))

    def keep_choice(self, keep: Callable[[], None]) -> None:
        """Where that cannot be, say so once and go on."""
        try:
            keep()
        except Trouble as trouble:
            self.choices.trouble = str(trouble)
            self.notify(clean_line(f"{trouble} Choices are kept until you leave."), severity="warning", markup=False)

    def action_quit_now(self) -> None:
        self.app.exit()

    def reachable(self) -> list[actions.Action]:
        """The actions valid here, for the help and the palette."""
        return [action for scope in self.SCOPES for action in actions.of(scope)]

    def copy(self, text: str, what: str) -> None:
        """What was selected with the mouse comes before what is under the cursor."""
        if selected := self.get_selected_text():
            text, what = selected, "the selected text"
        self.app.copy_to_clipboard(text)
        self.notify(f"Copied {what}.", markup=False)

    def save_export(self, name: str, text: str) -> None:
        path = self.home.ours / "exports" / f"{time.strftime('%Y%m%d-%H%M%S')}-{name}"
        if self.app.is_web:
            self.hand_to_browser(path.name, text)
            return
        try:
            written = write_unused(path, text)
        except OSError as error:
            self.say_wrong(f"{path} could not be written: {error.strerror or error}.")
        else:
            self.say_written(written)

    def hand_to_browser(self, name: str, text: str) -> None:
        """To whoever looks on from there: no file is written here. Pages and pictures are opened, others saved."""
        method: Literal["browser", "download"] = "browser" if name.endswith((".html", ".svg")) else "download"
        kind = mimetypes.guess_type(name)[0] or "text/plain"
        self.app.deliver_text(StringIO(text), save_filename=name, open_method=method, encoding="utf-8", mime_type=kind)
        self.notify(f"{name} was handed to the browser.", markup=False)

    def say_wrong(self, sentence: str) -> None:
        self.notify(clean_line(sentence), severity="error", markup=False)

    @property
    def passing_note(self) -> str:
        return "The sample home is gone when you leave: copy it before." if self.home.passing else ""

    def say_written(self, path: Path) -> None:
        self.notify(clean_line(f"Written to {path}. {self.passing_note}"), markup=False)
