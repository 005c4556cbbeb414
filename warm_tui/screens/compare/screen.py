"""Warm against cold: the sessions of both arms, and what their comparison proves."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from warm_tui import actions
from warm_tui.comparisons.arms import compare_arms, home_of
from warm_tui.comparisons.saved import SavedComparison, forget_comparison, save_comparison, saved_comparisons
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.errors import Leaking, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.warmth import WarmthIndex
from warm_tui.reliability.filters import only_words, parse_filter
from warm_tui.reports.comparison import comparison_document
from warm_tui.reports.document import Document, Say
from warm_tui.screens.compare.table import UnitTable, arranged
from warm_tui.screens.shared.arranging import no_match
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.detailed import Detailed
from warm_tui.screens.shared.forms import Confirm, Entry, Form, WrongField
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.reading import Reading
from warm_tui.screens.shared.reporting import Reporting
from warm_tui.screens.shared.window import or_back
from warm_tui.sessions.text import clean_line
from warm_tui.templates.shelf import shelf
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.document_view import DocumentView
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.working import work

MARKS, FILTERS, TEMPLATE, SAVED, FORGET = "marks", "filters", "template:", "saved:", "\x00forget"
PAIRINGS = (
    ("auto", "By task, where the same tasks ran in both arms"),
    ("order", "Always: by task, else the nth warm with the nth cold session"),
    ("none", "Never: all warm sessions against all cold ones"),
)
ENTER_GOES_ON, ENTER_TAKES = "empty: the rest; enter: on to the cold one", "empty: the rest; enter: compare"
EMPTY_HINT = (
    "No arms yet.\n\nOn screen 1, w puts a session in the warm arm and c in the cold one.\n"
    "Or press f to choose: two filters, a template's sessions, a saved comparison."
)


class ChooseArms(ChooseOne):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("D,delete", "forget", "Forget")]

    def action_forget(self) -> None:
        option = self.query_one(OptionList).highlighted_option
        if option is not None and option.id and option.id.startswith(SAVED):
            self.dismiss(FORGET + option.id.removeprefix(SAVED))


class TwoFilters(Form):
    """Two that belong together: from the first, Enter goes on to the second as long as nothing stands there."""

    @on(Input.Submitted)
    def go_on(self, event: Input.Submitted) -> None:
        first, second = self.query(Input)
        if event.input is first and not second.value:
            event.prevent_default()
            second.focus()


class CompareScreen(Detailed, Listing, Reading, Reporting, Screen[None]):
    """Two arms, side by side."""

    BINDINGS: ClassVar = actions.bindings("compare")
    SCOPES = ("compare", "panes", "list", "app")
    MODE = "show-compare"
    DETAILS = "#comparison"
    NEED_SOMETHING = ("open", "details", "pairing", "save", "report", "other_pane", "zoom")
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE

    class Done(Message):
        def __init__(self, compared: ArmComparison, document: Document) -> None:
            self.compared, self.document = compared, document
            super().__init__()

    class Offered(Message):
        def __init__(self, saved: list[SavedComparison], templates: list[str]) -> None:
            self.saved, self.templates = saved, templates
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.spec = ComparisonSpec("marks")
        self.compared: ArmComparison | None = None
        self.leaking = False
        """Whether sessions that the template was made from stand in the way."""
        self.reading = False
        self.saved: list[SavedComparison] = []
        self.arms_seen: dict[str, str] = {}
        """The sessions that were marked warm and cold when the comparison was chosen."""

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in the arm, the title, the id or the model", check=only_words)
        with Container(id="compare-panes"):
            yield UnitTable(id="units")
            yield Divider()
            yield DocumentView(id="comparison", fills=True)
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.table.focus()
        self.lay_out()
        self.load(self.spec)

    def on_screen_resume(self) -> None:
        """Other sessions may have been marked meanwhile, and verdicts set. Who marks arms wants to see them."""
        if not (self.is_mounted and (self.compared or self.trouble or self.reading)):
            return
        arms = self.marks.arms
        if self.spec.kind != "marks" and arms and arms != self.arms_seen:
            self.notify("These arms were marked since; f goes back to another comparison.", markup=False)
            self.ask_for(ComparisonSpec("marks", pairing=self.spec.pairing))
        else:
            self.load(self.spec)

    @property
    def table(self) -> UnitTable:
        return self.query_one(UnitTable)

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)

    # --- comparing, in a thread of its own ---

    @work(thread=True, exclusive=True, group="compare")
    def load(self, spec: ComparisonSpec) -> None:
        self.reading = True
        self.hand_on(self.comparisons(spec))

    def comparisons(self, spec: ComparisonSpec) -> Iterator[Done]:
        self.save_marks_first()
        with Catalog(home_of(self.home, spec)) as catalog:
            compared = compare_arms(catalog, spec)
        yield self.Done(compared, comparison_document(compared))

    def show_arms(self, spec: ComparisonSpec) -> None:
        """From another screen, perhaps before this one is there."""
        self.spec, self.arms_seen = spec, self.marks.arms
        if self.is_mounted:
            self.ask_for(spec)

    def ask_for(self, spec: ComparisonSpec) -> None:
        self.spec, self.arms_seen = spec, self.marks.arms
        self.reading = True
        self.show_header()
        self.load(spec)

    def on_compare_screen_done(self, message: Done) -> None:
        self.reading = False
        same = self.compared is not None and self.compared.spec == message.compared.spec
        self.compared, self.trouble, self.leaking = message.compared, "", False
        self.refresh_bindings()
        self.lay_out()
        self.view.show_document(message.document, keep=same)

    def show_trouble(self, why: Exception) -> None:
        self.reading, self.compared, self.leaking = False, None, isinstance(why, Leaking)
        self.refresh_bindings()
        sentence = str(why).replace("(--without-sources)", "with x")
        self.lay_out()
        self.view.show_document(Document("Not compared", [Say(sentence, "failed")]))

    def lay_out(self) -> None:
        comparison = self.compared.comparison if self.compared else None
        rows = arranged(comparison.warm, comparison.cold, self.filter_text, self.table.order) if comparison else []
        self.table.show(rows, now=time.time())
        told = self.trouble or (comparison and (comparison.warm or comparison.cold))
        why = "Comparing…" if self.compared is None else self.why_empty(self.compared)
        if comparison and self.filter_text and not rows:
            told, why = None, no_match("session of either arm", self.filter_text)
        self.show_empty("" if told else why)
        self.show_header()

    def why_empty(self, compared: ArmComparison) -> str:
        if compared.spec == ComparisonSpec("marks") and not compared.comparison.in_both_arms:
            return EMPTY_HINT
        return "\n".join([compared.title, "", *map(clean_line, compared.notes), "", EMPTY_HINT])

    def show_header(self) -> None:
        comparison = self.compared.comparison if self.compared else None
        parts = ["comparing…"] if self.reading else ["not compared"] if self.trouble else []
        if self.compared and comparison:
            sizes = f"{len(comparison.warm):,} warm, {len(comparison.cold):,} cold"
            shown = f"{len(self.table.rows):,} of {sizes} match {self.filter_told!r}"
            parts.append(shown if self.filter_told else sizes)
            parts.append(self.compared.title)
        self.query_one("#header", Static).update(clean_line("  ·  ".join(parts)))

    # --- which arms ---

    def action_from(self) -> None:
        self.offer()

    @work(thread=True, exclusive=True, group="offer")
    def offer(self) -> None:
        saved: list[SavedComparison] = []
        templates: list[str] = []
        # Without a database, what was saved could not be compared either.
        with suppress(Trouble), Catalog(self.home) as catalog:
            saved, warmth = saved_comparisons(catalog.library), WarmthIndex(catalog.library)
            templates = [row.name for row in shelf(self.home)[0] if warmth.knows(row.name)]
        self.post_message(self.Offered(saved, templates))

    def on_compare_screen_offered(self, message: Offered) -> None:
        self.saved = message.saved
        options = [
            (MARKS, "The sessions marked warm and cold on screen 1"),
            (FILTERS, "The sessions of two filters…"),
            *((TEMPLATE + name, f"Warm by the template {name}, against others") for name in message.templates),
            *((SAVED + saved.name, f"Saved: {saved.name} ({saved.summary.verdict})") for saved in message.saved),
        ]
        self.app.push_screen(ChooseArms("Compare", [(key, clean_line(title)) for key, title in options]), self.chosen)

    def chosen(self, what: str | None) -> None:
        if what is None:
            return
        pairing = self.spec.pairing
        if what == MARKS:
            if not self.marks.arms:
                self.notify("No session is marked yet: on screen 1, w marks one as warm and c as cold.", markup=False)
            self.ask_for(ComparisonSpec("marks", pairing=pairing))
        elif what == FILTERS:
            self.ask_filters()
        elif what.startswith(TEMPLATE):
            self.ask_for(ComparisonSpec("template", template=what.removeprefix(TEMPLATE), pairing=pairing))
        elif what.startswith(FORGET):
            self.ask_forget(what.removeprefix(FORGET))
        else:
            saved = next(saved for saved in self.saved if saved.name == what.removeprefix(SAVED))
            try:
                self.ask_for(saved.spec)
            except Trouble as trouble:
                self.say_wrong(str(trouble))

    def ask_filters(self) -> None:
        spec = self.spec
        enter = ENTER_TAKES if spec.cold_filter else ENTER_GOES_ON
        entries = (
            Entry("warm", f"The warm arm ({enter})", spec.warm_filter, "for example: model:opus age<7d"),
            Entry("cold", f"The cold arm ({ENTER_TAKES})", spec.cold_filter, "for example: model:opus age>7d"),
        )

        def check(values: dict[str, str]) -> None:
            for arm, words in values.items():
                try:
                    parse_filter(words)
                except Trouble as trouble:
                    raise WrongField(arm, str(trouble)) from trouble
            if not any(values.values()):
                raise Trouble("Name a filter for one arm at least.")

        def taken(values: dict[str, str]) -> None:
            self.ask_for(ComparisonSpec("filters", values["warm"], values["cold"], pairing=spec.pairing))

        self.app.push_screen(TwoFilters("Two filters", entries, "Compare", check), or_back(taken, self.offer))

    def action_pairing(self) -> None:
        def chosen(pairing: str | None) -> None:
            if pairing:
                self.ask_for(replace(self.spec, pairing=pairing))

        self.app.push_screen(ChooseOne("Pair the sessions", PAIRINGS, self.spec.pairing), chosen)

    def action_without_sources(self) -> None:
        self.ask_for(replace(self.spec, without_sources=not self.spec.without_sources))

    # --- keeping, looking, taking along ---

    def action_save(self) -> None:
        comparison = self.compared.comparison if self.compared else None
        if comparison is None or not (comparison.warm or comparison.cold):
            self.notify("There is no comparison to save.", markup=False)
            return
        self.ask_name()

    def ask_name(self, name: str = "") -> None:
        self.app.push_screen(Ask("Save the comparison as", name), self.named)

    def ask_forget(self, name: str) -> None:
        question = Confirm("Forget a comparison", f"Forget {clean_line(name)}? Its sessions stay.", "Forget it")

        def answered(yes: bool | None) -> None:
            if yes:
                self.forget(name)

        self.app.push_screen(question, answered)

    def named(self, name: str | None) -> None:
        if name := (name or "").strip():
            self.look_up(name)

    @work(thread=True, group="keep")
    def look_up(self, name: str) -> None:
        """A name that is in use is asked about: by now somebody else may use it, too."""
        in_use = False
        with suppress(Trouble), Catalog(self.home) as catalog:
            in_use = name in {saved.name for saved in saved_comparisons(catalog.library)}
        self.app.call_from_thread(self.ask_to_replace if in_use else self.save_as, name)

    def ask_to_replace(self, name: str) -> None:
        question = Confirm(f"There is a comparison {clean_line(name)}", "Save this one in its place?", "Replace it")
        self.app.push_screen(question, or_back(lambda _: self.save_as(name), lambda: self.ask_name(name)))

    def save_as(self, name: str) -> None:
        compared = self.compared
        if compared is not None:
            if compared.spec.kind == "marks":
                # Marks change: what is saved are the sessions that are marked now.
                arms = compared.comparison.warm, compared.comparison.cold
                warm, cold = (tuple(i for unit in units for i in unit.session_ids) for units in arms)
                compared = replace(compared, spec=replace(compared.spec, kind="sessions", warm=warm, cold=cold))
            self.keep(name, compared)

    @work(thread=True, group="keep")
    def keep(self, name: str, compared: ArmComparison) -> None:
        self.write_to_library(
            lambda catalog: save_comparison(catalog.library, name, compared),
            f"Saved as {name}.",
        )

    @work(thread=True, group="keep")
    def forget(self, name: str) -> None:
        self.write_to_library(lambda catalog: forget_comparison(catalog.library, name), f"Forgot {name}.")

    def write_to_library(self, write: Callable[[Catalog], None], done: str) -> None:
        try:
            with Catalog(self.home) as catalog:
                write(catalog)
        except Trouble as trouble:
            done = str(trouble)
        self.app.call_from_thread(self.notify, clean_line(done), markup=False)

    def action_open(self) -> None:
        row = self.table.under_cursor
        if row is not None:
            self.open_session(row.unit.session_id)

    @work(thread=True, exclusive=True, group="open")
    def open_session(self, session_id: str) -> None:
        home = home_of(self.home, self.spec)
        try:
            with Catalog(home) as catalog:
                profile = catalog.profile(session_id)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        from warm_tui.screens.transcript.screen import TranscriptScreen

        self.app.call_from_thread(self.app.push_screen, TranscriptScreen(profile, home))

    def action_copy(self) -> None:
        row = self.table.under_cursor
        if row is not None:
            self.copy(row.unit.session_id, clean_line(row.unit.session_id))

    @property
    def of_no_use(self) -> Collection[str]:
        """Of what was not compared nothing is to be seen: what leads on comes first."""
        return self.NEED_SOMETHING if self.trouble else super().of_no_use

    def report(self) -> tuple[str, Document] | None:
        if self.compared is None or not (self.compared.comparison.warm or self.compared.comparison.cold):
            return None
        return "comparison", comparison_document(self.compared, whole=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        return action != "without_sources" or self.leaking or self.spec.without_sources
