"""The app: for now, a plain table of sessions."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Footer, Static

from warm_tui.errors import Trouble
from warm_tui.library.catalog import NEWEST_FIRST, Catalog, Listing
from warm_tui.paths import Home
from warm_tui.printing import age, interval, percent
from warm_tui.reliability.filters import Filter
from warm_tui.sessions.text import clean_line

WINDOW = 500


def styles(name: str) -> Path:
    """A stylesheet, inside the package when installed and beside it in a checkout."""
    packaged = Path(__file__).parent / "styles" / name
    return packaged if packaged.exists() else Path(__file__).parents[1] / "styles" / name


class WarmTui(App[None]):
    TITLE = "Warm TUI"
    CSS_PATH: ClassVar = styles("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit", id="quit"),
        Binding("ctrl+q", "quit", "Quit", id="quit-now", show=False),
    ]

    def __init__(self, home: Home) -> None:
        super().__init__()
        self.home = home

    def compose(self) -> ComposeResult:
        yield Static("Reading sessions…", id="status", markup=False)
        table: DataTable[Text] = DataTable(id="sessions", cursor_type="row", zebra_stripes=True)
        yield table
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns("session", "errors", "95 %", "calls", "failed", "age", "source", "title")
        self.load()

    @work(thread=True, exclusive=True, group="sessions")
    def load(self) -> None:
        try:
            with Catalog(self.home) as catalog:
                listing = catalog.window(Filter(), NEWEST_FIRST, WINDOW)
        except Trouble as trouble:
            self.call_from_thread(self.show_trouble, str(trouble))
            return
        self.call_from_thread(self.show, listing)

    def show(self, listing: Listing) -> None:
        now = datetime.datetime.now().timestamp()
        table = self.query_one(DataTable)
        for p in listing.profiles:
            cells = (
                p.session_id, percent(p.error_rate), interval(p), str(p.tool_call_count), str(p.failed_calls),
                age(p.started_at, now), p.source, clean_line(p.title or p.first_message)[:80],
            )  # fmt: skip
            table.add_row(*(Text(clean_line(cell)) for cell in cells))
        shown = len(listing.profiles)
        self.query_one("#status", Static).update(f"{1 if shown else 0}–{shown:,} of {listing.total:,} sessions")
        table.focus()

    def show_trouble(self, sentence: str) -> None:
        self.query_one("#status", Static).update(clean_line(sentence))
