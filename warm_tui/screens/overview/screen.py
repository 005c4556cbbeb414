"""How it goes, all sessions together: what changed, what is new, what waits; everything opens what stands behind it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import HOW_TO_BEGIN, Trouble
from warm_tui.insights.overview import Target
from warm_tui.reliability.trends import UNITS, Unit
from warm_tui.reports.document import Document, Say
from warm_tui.reports.linked import Block, Linked
from warm_tui.reports.overview import overview_blocks, overview_document, span, trends_document, trends_parts
from warm_tui.screens.overview.fleet_page import FleetPage
from warm_tui.screens.overview.gathering import Gathered, Gathering
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.reading import Reading
from warm_tui.screens.shared.reporting import Reporting
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.linked_view import LinkedView
from warm_tui.widgets.working import work

if TYPE_CHECKING:
    from warm_tui.insights.answers import Insights

Page: TypeAlias = Literal["overview", "trends", "questions", "fleet"]
PAGES: tuple[tuple[Page, str], ...] = (
    ("overview", "Overview"), ("trends", "Trends"), ("questions", "Four questions"), ("fleet", "Fleet"),
)  # fmt: skip
LEAST_SECONDS, PATIENCE = 2.0, 1.0
SHARE = 10
"""What takes long to gather is gathered so much more seldom."""


class OverviewScreen(Following, Reading, Reporting, Screen[None]):
    BINDINGS: ClassVar = actions.bindings("overview")
    SCOPES = ("overview", "overview-links", "list", "app")
    MODE = "show-overview"
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE

    class Read(Message):
        def __init__(self, gathered: Gathered) -> None:
            self.gathered = gathered
            super().__init__()

    class Answered(Message):
        def __init__(self, insights: Insights) -> None:
            self.insights = insights
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.page: Page = "overview"
        self.unit: Unit = "day"
        self.gathered: Gathered | None = None
        self.insights: Insights | None = None
        self.reading = False
        self.is_whole = False
        """What is shown is of all that there is."""
        self.is_painted = Event()
        self.next_read = 0.0
        """Not before then is it gathered again by itself."""

    @cached_property
    def files(self) -> FileWatch:
        return FileWatch([*self.home.databases, self.home.library], state_of)

    @cached_property
    def fleet(self) -> FleetPage:
        return FleetPage(self.home)

    @cached_property
    def gathering(self) -> Gathering:
        return Gathering(self.home)

    def compose(self) -> ComposeResult:
        yield from self.top()
        with Container(id="overview-panes"):
            yield LinkedView(id="overview")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        chosen = self.choices.text("period", "day")
        self.unit = next((unit for unit in UNITS if unit == chosen), "day")
        self.view.focus()
        self.show_page()
        self.load()

    @property
    def view(self) -> LinkedView:
        return self.query_one(LinkedView)

    @property
    def of_no_use(self) -> Collection[str]:
        of_fleet = () if self.page == "fleet" else ("drain",) if self.home.fleet else ("machines", "drain")
        return of_fleet if self.page in ("overview", "trends") else (*of_fleet, "period")

    # --- gathering ---

    @property
    def others_profile(self) -> bool:
        """The Sessions screen below is at it: what it computes is remembered, and read from there."""
        from warm_tui.screens.sessions.screen import SessionsScreen

        return any(isinstance(screen, SessionsScreen) and screen.sessions.feeding for screen in self.app.screen_stack)

    def load(self) -> None:
        if not self.reading:
            self.reading = True
            self.files.note()
            self.read(self.unit, compute=not self.others_profile)

    @work(thread=True, exclusive=True, group="overview")
    def read(self, unit: Unit, *, compute: bool) -> None:
        worker, began, is_whole = get_current_worker(), time.monotonic(), False

        def show(gathered: Gathered) -> None:
            if not worker.is_cancelled:
                self.post_message(self.Read(gathered))
                # What is seen first is painted before anything is computed.
                self.is_painted.wait(PATIENCE)

        try:
            is_whole = self.gathering.overview(unit, self.known_total(), compute=compute, show=show)
        except (Trouble, sqlite3.Error) as error:
            if not worker.is_cancelled:
                self.post_message(self.Failed(error))
        finally:
            if not worker.is_cancelled:
                # Of a part, it goes on as soon as it may.
                took = (SHARE if is_whole else 1) * (time.monotonic() - began)
                self.next_read, self.is_whole = time.monotonic() + max(LEAST_SECONDS, took), is_whole
                self.reading = False

    def known_total(self) -> int:
        """How many sessions there are, as far as the Sessions screen has counted."""
        from warm_tui.screens.sessions.screen import SessionsScreen

        return max(
            (screen.sessions.total for screen in self.app.screen_stack if isinstance(screen, SessionsScreen)), default=0
        )

    def follow(self) -> None:
        if self.page == "fleet" and self.fleet.files.changed():
            self.fleet.files.note()
            self.show_page(keep=True)
        waits = not self.is_whole and not self.trouble
        if time.monotonic() >= self.next_read and (self.files.changed() or waits):
            self.load()

    def on_overview_screen_read(self, message: Read) -> None:
        if message.gathered.overview.trends.unit == self.unit:
            self.gathered, self.trouble = message.gathered, ""
            if self.page != "questions":
                self.show_page(keep=True)
        self.call_after_refresh(self.is_painted.set)

    def show_trouble(self, why: Exception) -> None:  # noqa: ARG002 - the headline tells it
        self.show_page(keep=True)

    @work(thread=True, exclusive=True, group="questions")
    def answer(self) -> None:
        worker = get_current_worker()
        self.hand_on(self.answers(lambda: worker.is_cancelled))

    def answers(self, stopped: Callable[[], bool]) -> Iterator[Answered]:
        yield self.Answered(self.gathering.insights(stopped))

    def on_overview_screen_answered(self, message: Answered) -> None:
        self.insights = message.insights
        if self.page == "questions":
            self.show_page(keep=True)

    # --- showing ---

    def show_page(self, *, keep: bool = False) -> None:
        blocks = self.blocks()
        self.view.show_linked(blocks, keep=keep)
        self.show_empty("" if blocks else self.why_empty())
        self.query_one("#header", Static).update(self.headline(), layout=False)

    def blocks(self) -> list[Block]:
        if self.page == "questions":
            if self.insights is None:
                return [Block([Linked(Say("Asking your sessions…", "dim"))])]
            from warm_tui.reports.insights import insights_parts

            return [Block(insights_parts(self.insights))]
        if self.page == "fleet":
            return [Block(self.fleet.parts(time.time()))]
        if self.gathered is None or not self.gathered.overview.total:
            return []
        overview = self.gathered.overview
        return overview_blocks(overview) if self.page == "overview" else [Block(trends_parts(overview))]

    def headline(self) -> str:
        title = dict(PAGES)[self.page]
        if self.page == "fleet":
            return title
        if self.gathered is None:
            return title
        overview = self.gathered.overview
        profiled = "still reading…" if overview.still_reading else ""
        trends = overview.trends
        compared = f"{span(trends)} against the {trends.days} before, by {trends.by}"
        shown = "" if self.page == "questions" else compared
        # The list of it may be below the edge.
        waits = f"{len(overview.waiting):,} waiting for you" if overview.waiting and self.page == "overview" else ""
        parts = [clean_line(self.trouble), title, plural(overview.total, "session"), waits, profiled, shown]
        return "  ·  ".join(part for part in parts if part)

    def why_empty(self) -> str:
        if self.trouble:
            return f"{clean_line(self.trouble)}\n\n{HOW_TO_BEGIN}"
        if self.gathered is None:
            return "Reading the sessions…"
        return "No session has been recorded yet.\n\nRun Hermes once, or start with --demo to see a sample."

    def document(self) -> Document | None:
        if self.page == "questions":
            from warm_tui.reports.insights import insights_document

            return None if self.insights is None else insights_document(self.insights)
        if self.page == "fleet":
            return self.fleet.document(time.time())
        if self.gathered is None:
            return None
        overview = self.gathered.overview
        return overview_document(overview) if self.page == "overview" else trends_document(overview)

    def report(self) -> tuple[str, Document] | None:
        document = self.document()
        return (self.page, document) if document else None

    # --- what the operator does ---

    def on_linked_view_opened(self, message: LinkedView.Opened) -> None:
        self.open_target(message.target)

    def open_target(self, target: Target) -> None:
        if target.place in ("trends", "questions"):
            self.go_to_page("trends" if target.place == "trends" else "questions")
        elif target.place == "session" and self.gathered is not None:
            from warm_tui.screens.transcript.screen import TranscriptScreen

            profile = self.gathered.profiles.get(target.what)
            if profile is not None:
                self.app.push_screen(TranscriptScreen(profile))
        else:
            self.app.show_target(target)  # type: ignore[attr-defined]

    def go_to_page(self, page: Page) -> None:
        self.page = page
        self.show_page()
        self.refresh_bindings()
        if page == "questions":
            self.answer()

    def show_first_page(self) -> None:
        if self.page != "overview":
            self.go_to_page("overview")

    def action_next_page(self) -> None:
        names = [name for name, _ in PAGES if name != "fleet" or self.home.fleet]
        self.go_to_page(names[(names.index(self.page) + 1) % len(names)])

    def action_trends(self) -> None:
        self.go_to_page("overview" if self.page == "trends" else "trends")

    def action_questions(self) -> None:
        self.go_to_page("overview" if self.page == "questions" else "questions")

    def action_machines(self) -> None:
        self.go_to_page("overview" if self.page == "fleet" else "fleet")

    def action_drain(self) -> None:
        target = self.view.under_cursor if self.page == "fleet" else None
        if target is None:
            self.notify("The Fleet page (m) lists machines: drain the one under the cursor there.")
        else:
            self.drain(target.what.partition(":")[2])

    @work(thread=True, exclusive=True, group="drain")
    def drain(self, name: str) -> None:
        said = self.fleet.drained(name)
        self.app.call_from_thread(self.notify, said, markup=False)
        self.app.call_from_thread(self.show_page, keep=True)

    def action_period(self) -> None:
        self.unit = UNITS[(UNITS.index(self.unit) + 1) % len(UNITS)]
        self.remember(period=self.unit)
        self.reading = False
        self.load()

    def action_copy(self) -> None:
        document = self.document()
        if document is not None:
            sentence = next((part.text for part in document.parts if isinstance(part, Say)), "")
            self.copy(sentence, "the conclusion")

    def action_back(self) -> None:
        """From a page to the first one, from there to the sessions."""
        if self.page != "overview":
            self.go_to_page("overview")
        else:
            super().action_back()
