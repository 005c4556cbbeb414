"""What fails most: the families of failures, and behind each what mended it, its templates and its calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from typing import ClassVar, Protocol, cast

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from warm_tui import actions
from warm_tui.errors import HOW_TO_BEGIN, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library
from warm_tui.library.families import KeptFailures, say_of_family, take_back
from warm_tui.reliability.families import FailedCall, Family, Mend, Said
from warm_tui.reports.document import Document
from warm_tui.reports.failures import conclusion, costs_most, families_document, family_document
from warm_tui.screens.failures.family_list import FamiliesRead, FamilyRow, Wanted, arranged, details_of, readings
from warm_tui.screens.failures.table import DetailTable, FamilyTable
from warm_tui.screens.shared.arranging import no_match
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.opening import Opening
from warm_tui.screens.shared.picking import Picking
from warm_tui.screens.shared.reading import Reading
from warm_tui.screens.shared.rejudging import Rejudging
from warm_tui.screens.shared.reporting import Reporting
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.text import clean_line
from warm_tui.templates.building import candidates_in
from warm_tui.templates.model import Pattern
from warm_tui.templates.speaking import KeptShapes, Speaker
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.document_view import DocumentView
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.working import work

CHOICES = "failures"
"""The table of config.toml that keeps how the list was left."""
NAMED = 36
"""So much of a family's name has room above a question."""
PLACEHOLDER = "words of a failure, its tool; state:new; other fields are of its sessions: source:cron, failed>1, age<7d"


class OfFamilies(Protocol):
    """What this screen asks of the app it is in."""

    def show_sessions_with(self, query: str) -> None: ...

    def show_template(self, name: str) -> None: ...


class FailuresScreen(Listing, Following, Reading, Rejudging, Picking, Opening, Reporting, Screen[None]):
    """A row a family."""

    BINDINGS: ClassVar = actions.bindings("failures")
    SCOPES = ("failures", "panes", "list", "app")
    MODE = "show-failures"
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE
    REST_SECONDS = 0.04

    class Read(Message):
        def __init__(self, read: FamiliesRead) -> None:
            self.read = read
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.kept, self.shapes = KeptFailures(), KeptShapes()
        self.families_read: FamiliesRead | None = None
        self.wanted = ""
        self.looked_at = ""
        """The family that is told of."""

    @cached_property
    def databases(self) -> FileWatch:
        return FileWatch(self.home.databases, state_of)

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder=PLACEHOLDER, check=Wanted.read)
        with Container(id="failure-panes"):
            yield FamilyTable(id="families")
            yield Divider()
            with Vertical(id="family"):
                yield DocumentView(id="about")
                yield DetailTable(id="details")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        chosen = self.choices.table(CHOICES)
        if chosen.get("sort", "").lstrip("-") in {field.name for field in self.table.FIELDS}:
            self.table.order = chosen["sort"]
        with suppress(Trouble):
            Wanted.read(chosen.get("filter", ""))
            self.filter_text = chosen.get("filter", "")
            self.query_one(FilterBar).show(self.filter_text)
        # It has no line of its own to stand on: a key goes from the list to what stands behind it.
        self.about.can_focus = False
        self.table.focus()
        self.lay_out()
        self.load()

    @property
    def table(self) -> FamilyTable:
        return self.query_one(FamilyTable)

    @property
    def view(self) -> DetailTable:
        return self.query_one(DetailTable)

    @property
    def about(self) -> DocumentView:
        return self.query_one(DocumentView)

    @property
    def of_families(self) -> OfFamilies:
        return cast(OfFamilies, self.app)

    @property
    def chosen(self) -> FamilyRow | None:
        return self.table.under_cursor

    # --- which there are ---

    def load(self) -> None:
        self.databases.note()
        self.note_verdicts()
        self.read_families(self.filter_text)

    @work(thread=True, exclusive=True, group="families")
    def read_families(self, query: str, act: Callable[[Library], None] | None = None) -> None:
        """`act`: what is to be said of one of them before."""
        self.hand_on(self.readings(query, act))

    def readings(self, query: str, act: Callable[[Library], None] | None) -> Iterator[Read]:
        if act is not None:
            with open_library(self.home.library) as library:
                act(library)
        with Catalog(self.home) as catalog:
            yield from map(self.Read, readings(catalog, query, self.kept, self.shapes, time.time()))

    def follow(self) -> None:
        if self.families_read is not None and self.families_read.done and self.databases.changed():
            self.load()

    def catch_up(self) -> None:
        super().catch_up()
        if self.families_read is not None:
            self.read_again_if_judged()

    def read_again(self) -> None:
        self.load()

    def on_failures_screen_read(self, message: Read) -> None:
        before = self.families_read
        read = message.read
        if not read.done and before is not None and before.query == read.query:
            # What templates say stays until it has been looked at again.
            read = read._replace(spoken=before.spoken)
        self.families_read, self.trouble = read, ""
        self.lay_out()
        self.go_to_wanted()
        self.look_soon()

    def show_trouble(self, why: Exception) -> None:  # noqa: ARG002 - the headline tells it
        self.lay_out()

    def show_part(self, family: str) -> None:
        """Move the cursor to it, once it has been read."""
        self.wanted = family
        if self.is_mounted:
            self.go_to_wanted()

    def go_to_wanted(self) -> None:
        """A filter that hides it is cleared for now: the one that was chosen is kept for the next time."""
        wanted, read = self.wanted, self.families_read
        if wanted and self.filter_text and read is not None and read.done and self.table.place_of(wanted) is None:
            self.set_filter("")
            self.notify("The filter hid it, and was cleared.", markup=False)
        elif read is not None and read.done and not read.query:
            # It may have gone since the link was drawn.
            self.wanted = ""
        if wanted and self.move_to(wanted):
            self.wanted = ""

    def move_to(self, family: str) -> bool:
        at = self.table.place_of(family)
        if at is not None:
            self.table.move(at)
        return at is not None

    def set_filter(self, text: str) -> None:
        before, wanted = Wanted.read(self.filter_text), Wanted.read(text)
        super().set_filter(text)
        if before.sessions != wanted.sessions:
            self.read_families(text)

    def sort(self, order: str) -> None:
        super().sort(order)
        self.keep_choice(lambda: self.choices.put(CHOICES, "sort", order))

    def filter_chosen(self) -> None:
        self.keep_choice(lambda: self.choices.put(CHOICES, "filter", self.filter_text))

    def lay_out(self) -> None:
        table, read = self.table, self.families_read
        rows = arranged(read, Wanted.read(self.filter_text), table.order) if read else []
        table.show(rows, now=time.time())
        self.query_one("#header", Static).update(clean_line(self.headline()))
        self.show_empty("" if rows else self.why_empty())
        self.show_details()

    def headline(self) -> str:
        if self.trouble or self.families_read is None:
            return self.trouble or "reading…"
        total = len(self.families_read.families.all)
        shown = f"{len(self.table.rows):,} of {total:,} shown  ·  " if len(self.table.rows) != total else ""
        told = Wanted.read(self.filter_told).sessions_told
        return f"{f'{told}  ·  ' * bool(told)}{shown}{conclusion(self.families_read.families)}"

    def why_empty(self) -> str:
        if self.trouble:
            return f"{self.trouble}\n\n{HOW_TO_BEGIN}"
        if self.families_read is None:
            return "Looking for failures…"
        if self.families_read.families.all:
            return no_match("failure", self.filter_text)
        if self.filter_text:
            return f"No call failed in the sessions that match {self.filter_text!r}.\n\nEscape clears the filter."
        return "No call failed.\n\nHere stand failures that are the same trouble, those that cost most first."

    # --- the one under the cursor ---

    def on_line_table_highlighted(self, message: FamilyTable.Highlighted) -> None:
        if isinstance(message.row, FamilyRow):
            self.look_soon()

    def look(self) -> None:
        self.show_details()

    def show_details(self) -> None:
        row, read = self.chosen, self.families_read
        now = time.time()
        if row is None or read is None:
            self.view.show([], now=now)
            return
        same, self.looked_at = self.looked_at == row.family.id, row.family.id
        # What to begin with is read whole, in a low terminal too.
        self.about.set_class(costs_most(row.family, read.families.all), "-costs-most")
        self.about.show_document(family_document(row.family, read.families, (), now), keep=same)
        self.view.show(details_of(row), now=now)
        if not same:
            self.view.move(0)

    def on_line_table_opened(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """From a family to what stands behind it, and from there to where it was made."""
        detail = self.view.under_cursor
        if not self.view.has_focus:
            self.view.focus()
        elif isinstance(detail, (Mend, FailedCall)):
            self.open_call(detail.session_id, detail.call, detail.life)
        elif isinstance(detail, Speaker):
            self.of_families.show_template(detail.template)

    def action_pick(self) -> None:
        """The mend under the cursor, or the one that worked most often."""
        row, detail = self.chosen, self.view.under_cursor
        mend = detail if isinstance(detail, Mend) and self.view.has_focus else row.mend if row else None
        if row is None or mend is None:
            self.notify("Nothing is known that mended it.", markup=False)
            return
        if not self.drafting.record:
            self.drafting.open_last()
        if self.drafting.has((mend.session_id, mend.call)):
            self.notify("It is in the draft already.", markup=False)
        else:
            self.pick_soon(partial(self.pattern_of_mend, mend, f"it mended: {row.family.title}"))

    def pattern_of_mend(self, mend: Mend, why: str) -> Pattern | None:
        with Catalog(self.home) as catalog:
            candidates = candidates_in(catalog, catalog.profile(mend.life))
        name = (mend.session_id, mend.call)
        candidate = next((each for each in candidates if each.name == name), None)
        return self.drafting.pattern_of(candidate, why) if candidate is not None else None

    def action_mute(self) -> None:
        self.say_of("muted", "Why mute")

    def action_resolve(self) -> None:
        self.say_of("resolved", "How was it mended:")

    def say_of(self, what: str, question: str) -> None:
        """Said once more, it is taken back."""
        row = self.chosen
        if row is None:
            return
        family = row.family
        if family.state == what and (what == "muted" or family.why):
            self.read_families(self.filter_text, lambda library: take_back(library, family.id))
            self.notify("That was taken back.", markup=False)
            return

        def answered(why: str | None) -> None:
            if why is not None:
                said = Said("muted" if what == "muted" else "resolved", why.strip(), time.time())
                self.read_families(self.filter_text, lambda library: say_of_family(library, family.id, said))

        # The word of a mute says nothing of how it was mended.
        word = family.why if what == "resolved" and family.state != "muted" else ""
        self.app.push_screen(Ask(f"{question} {clean_line(family.title)}?", word), answered)

    def action_its_sessions(self) -> None:
        if self.chosen is not None:
            self.of_families.show_sessions_with(f"family:{self.chosen.family.id}")

    def action_copy(self) -> None:
        if self.chosen is not None:
            self.copy(self.chosen.family.id, f"the id of {clean_line(self.chosen.family.title)}")

    def action_clear(self) -> None:
        if not self.stop_picking():
            had_filter = bool(self.filter_text)
            super().action_clear()
            if had_filter:
                self.filter_chosen()

    # --- reports ---

    def report(self) -> tuple[str, Document] | None:
        """Of the family one looks behind, else of all of them."""
        read, row = self.families_read, self.chosen
        if read is None:
            return None
        if row is not None and not self.table.has_focus:
            return f"failure-{row.family.id}", _whole(row.family, read)
        return "failures", families_document(read.families, read.spoken, time.time(), query=read.query)


def _whole(family: Family, read: FamiliesRead) -> Document:
    return family_document(family, read.families, read.spoken.get(family.id, ()), time.time(), whole=True)
