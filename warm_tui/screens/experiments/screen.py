"""Live experiments: which there are, their runs as they come in, and what to do about them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from warm_tui import actions
from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments import control
from warm_tui.experiments.plan import Plan, as_yaml
from warm_tui.experiments.progress import progress_of
from warm_tui.experiments.results import spec_of
from warm_tui.experiments.starting import parallel_of, plan_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Run, attempts_of
from warm_tui.reliability.filters import only_words
from warm_tui.reports.document import Document, Part, Say
from warm_tui.reports.experiment import latest_document, run_document, standing_document
from warm_tui.reports.lines import lines_of
from warm_tui.screens.experiments.experiment_list import ExperimentList, read_experiments, why_no_session
from warm_tui.screens.experiments.plan_dialogue import PlanDialogue, cancel_question
from warm_tui.screens.experiments.plans import Plans
from warm_tui.screens.experiments.table import ExperimentRow, ExperimentTable, RunTable, arranged_runs
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.reporting import Reporting
from warm_tui.screens.trials.table import Standing
from warm_tui.screens.trials.trialing import Trialing
from warm_tui.sessions.text import clean, clean_line
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.working import work

EMPTY_HINT = (
    "No trial and no experiment yet: both say whether a template helps.\n\n"
    "A trial draws which new sessions begin warm, by a rule of yours,\n"
    "and shows at any time what they came to. t makes a rule.\n\n"
    "An experiment runs the same tasks warm and cold with the real agent.\n"
    "n makes a plan and starts it; i takes a plan from a file."
)


class ExperimentsScreen(Trialing, Following, Reporting, Screen[None]):
    """A row a trial, a row an experiment, and a row a run."""

    BINDINGS: ClassVar = actions.bindings("experiments")
    SCOPES = ("trials", "experiments", "panes", "list", "app")
    MODE = "show-experiments"
    DETAILS = "#standing"
    NEED_SOMETHING = ("open", "resume", "pause", "cancel", "result", "details", "report", "other_pane", "zoom")
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE

    class Read(Message):
        def __init__(self, experiments: ExperimentList) -> None:
            self.experiments = experiments
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.experiments: ExperimentList | None = None

    @cached_property
    def library(self) -> FileWatch:
        return FileWatch([self.home.library])

    @cached_property
    def plans(self) -> Plans:
        return Plans(self.home)

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in the task, the arm, the state or the reason of a run", check=only_words)
        with Container(id="experiment-panes"):
            with Vertical(id="experiment-lists"):
                yield from self.trial_table()
                yield ExperimentTable(id="experiments")
            yield Divider()
            with Vertical(id="experiment"):
                yield Standing(id="standing", fills=True)
                yield RunTable(id="runs")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.view.focus()
        self.lay_out()
        self.load()

    @property
    def table(self) -> RunTable:
        return self.query_one(RunTable)

    @property
    def view(self) -> ExperimentTable:
        """What stands beside the runs."""
        return self.query_one(ExperimentTable)

    @property
    def chosen(self) -> ExperimentRow | None:
        return self.view.under_cursor

    @property
    def runs(self) -> list[Run]:
        row = self.chosen
        return self.experiments.runs.get(row.experiment.id, []) if self.experiments and row else []

    # --- what there is ---

    def follow(self) -> None:
        """What changes is read again; a clock goes on only where a run does."""
        if self.library.changed() or any(row.phase == "interrupted" for row in self.rows):
            self.load()
        elif any(run.state == "running" for run in self.runs):
            self.lay_out()

    def catch_up(self) -> None:
        if self.experiments is not None:
            self.load()

    @property
    def rows(self) -> list[ExperimentRow]:
        return self.experiments.rows if self.experiments else []

    def load(self) -> None:
        # Asked here, not by the thread: when the app ends, the widgets may go before it does.
        self.read(self.wanted if self.wanted is not None else self.under_cursor_id)
        self.read_rules()

    @work(thread=True, exclusive=True, group="experiments")
    def read(self, wanted: int | None) -> None:
        self.library.note()
        self.hand_on(self.Read(read_experiments(self.home, each)) for each in (wanted,))

    @property
    def under_cursor_id(self) -> int | None:
        return self.chosen.experiment.id if self.chosen else None

    def on_experiments_screen_read(self, message: Read) -> None:
        self.experiments, self.trouble = message.experiments.after(self.experiments), ""
        self.lay_out()
        if self.wanted is not None:
            at = self.experiments.place_of(self.wanted)
            if at is not None:
                self.view.move(at)
            self.wanted = None

    def show_trouble(self, why: Exception) -> None:  # noqa: ARG002 - it stands where the experiments would
        self.lay_out()

    def on_line_table_highlighted(self, message: LineTable.Highlighted) -> None:
        if self.experiments is None:
            return
        if isinstance(message.row, ExperimentRow):
            self.show_chosen()
            if message.row.experiment.id not in self.experiments.runs:
                self.load()
        elif self.table.has_focus or self.in_trials:
            self.show_standing()

    def lay_out(self) -> None:
        self.view.show(self.rows, now=time.time())
        why = clean_line(self.trouble) or (EMPTY_HINT if self.experiments is not None else "Reading…")
        self.show_empty("" if self.rows or self.has_trials else why)
        self.make_room(len(self.rows))
        self.show_chosen()

    def show_chosen(self) -> None:
        self.table.show(arranged_runs(self.runs, self.filter_text, self.table.order), now=time.time())
        self.show_standing()
        self.show_header()

    def show_standing(self) -> None:
        row = self.chosen
        self.set_class(self.in_trials, "-trial")
        if self.in_trials and self.trial is not None:
            self.document_view.show_document(self.document_of_trial(self.trial), keep=True)
        elif row is not None:
            progress = progress_of(parallel_of(row.experiment), self.runs, time.time())
            standing = standing_document(row.experiment, progress, row.phase, self.runs)
            parts = [*standing.parts, *self.reason_of_run()]
            self.document_view.show_document(replace(standing, parts=parts), keep=True)

    def reason_of_run(self) -> list[Part]:
        """Why the run under the cursor went as it did: in the table that may be cut."""
        run = self.table.under_cursor
        if run is None or not run.reason or not self.table.has_focus:
            return []
        return [Say(clean_line(f"Run {run.position + 1}, {run.arm}, {run.task}: {run.reason} (w: more)"), "dim")]

    def on_descendant_focus(self) -> None:
        self.note_focus()
        if self.experiments is not None:
            self.show_standing()

    def show_header(self) -> None:
        parts = [*self.told_trials(), *(self.experiments.told_counts if self.experiments else [])]
        if self.filter_text:
            parts.append(f"{len(self.table.rows):,} of {len(self.runs):,} runs with {self.filter_text!r}")
        self.query_one("#header", Static).update(clean_line("  ·  ".join(parts)))

    # --- going on, and ending ---

    def action_resume(self) -> None:
        self.do(control.resume)

    def action_pause(self) -> None:
        self.do(control.pause)

    def action_cancel(self) -> None:
        row = self.chosen
        if row is None:
            self.say_none()
            return
        if row.phase in ("done", "cancelled"):
            self.notify(f"It is {row.phase}: there is nothing to cancel.", markup=False)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.do(control.cancel)

        self.app.push_screen(cancel_question(row, self.runs), answered)

    def do(self, act: Callable[..., str]) -> None:
        if self.chosen is None:
            self.say_none()
        else:
            self.control(act, self.chosen.experiment.id)

    def say_none(self) -> None:
        elsewhere = "That is told of experiments: tab goes to them."
        self.notify(elsewhere if self.in_trials else "There is no experiment yet: n makes one.", markup=False)

    @work(thread=True, group="control")
    def control(self, act: Callable[..., str], number: int) -> None:
        try:
            sentence = act(self.home, number)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
        else:
            self.app.call_from_thread(self.notify, clean_line(sentence), markup=False)
        self.app.call_from_thread(self.load)

    # --- a new one ---

    @cached_property
    def dialogue(self) -> PlanDialogue:
        return PlanDialogue(self, self.plans, self.look_ahead, self.start)

    def action_new(self) -> None:
        self.dialogue.new()

    def action_from_file(self) -> None:
        self.dialogue.from_file()

    @work(thread=True, exclusive=True, group="planning")
    def look_ahead(self, plan: Plan, without_sources: bool) -> None:
        try:
            preview = self.plans.look_ahead(plan, without_sources=without_sources)
        except Leaking as leak:
            self.app.call_from_thread(self.dialogue.ask_without_sources, plan, leak)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            self.app.call_from_thread(self.dialogue.back)
        else:
            self.app.call_from_thread(self.dialogue.ask_start, preview)

    @work(thread=True, group="control")
    def start(self, plan: Plan) -> None:
        try:
            number = self.plans.start(plan)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            self.app.call_from_thread(self.dialogue.back)
            return
        sentence = f"Experiment {number} is started. It goes on also when you leave."
        self.app.call_from_thread(self.dialogue.begun)
        self.app.call_from_thread(self.notify, sentence, markup=False)
        self.app.call_from_thread(self.show_experiment, number)

    def show_experiment(self, number: int) -> None:
        self.wanted = number
        if self.is_mounted:
            self.load()

    # --- looking closer, and taking along ---

    def action_open(self) -> None:
        """A trial in Compare; an experiment's runs; a run's transcript."""
        if self.in_trials:
            self.action_compare_rule()
            return
        if self.view.has_focus:
            self.table.focus()
            return
        run = self.table.under_cursor
        if run is None:
            return
        if run.session_id and self.chosen is not None:
            where = f"run {run.position + 1}, {run.arm}, {run.task}, of experiment {self.chosen.experiment.id}"
            self.open_run(run.session_id, where)
        elif run.attempts:
            self.action_why()
        else:
            self.notify(clean_line(why_no_session(run)), markup=False)

    def action_why(self) -> None:
        run, row = self.table.under_cursor, self.chosen
        if run is None or row is None or self.in_trials:
            self.say_none()
        else:
            self.tell_why(row.experiment.id, run, max(40, self.size.width * 9 // 10 - 6))

    @work(thread=True, exclusive=True, group="open")
    def tell_why(self, number: int, run: Run, width: int) -> None:
        with open_library(self.home.library) as library:
            attempts = attempts_of(library, number).get(run.position, [])
        document = run_document(run, attempts)
        lines = lines_of(document, width)[1:]
        self.app.call_from_thread(self.app.push_screen, Pages(document.title, lines))

    @work(thread=True, exclusive=True, group="open")
    def open_run(self, session: str, where: str) -> None:
        try:
            with Catalog(self.home.archived) as catalog:
                profile = catalog.profile(session)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        from warm_tui.screens.transcript.screen import TranscriptScreen

        self.app.call_from_thread(self.app.push_screen, TranscriptScreen(profile, self.home.archived, where))

    def action_result(self) -> None:
        row = self.chosen
        if row is None:
            self.say_none()
        elif row.why_no_result:
            self.notify(row.why_no_result, markup=False)
        else:
            self.app.show_comparison(spec_of(row.experiment.id))  # type: ignore[attr-defined]

    def action_plan(self) -> None:
        row, text = self.chosen, clean(self.plan_text())
        if row is not None and text:
            lines = [[(line, "")] for line in text.split("\n")]
            self.app.push_screen(Pages(f"The plan of experiment {row.experiment.id}", lines))

    def action_again(self) -> None:
        """Another experiment of the same plan, which may be changed before."""
        if text := self.plan_text():
            self.dialogue.ask_again(text)

    def plan_text(self) -> str:
        """Of the experiment under the cursor; one that cannot be read is told."""
        if self.chosen is None or self.in_trials:
            self.say_none()
            return ""
        try:
            return as_yaml(plan_of(self.chosen.experiment.plan))
        except Trouble as trouble:
            self.say_wrong(str(trouble))
            return ""

    def action_copy(self) -> None:
        run = self.table.under_cursor
        if self.table.has_focus and run is not None and run.session_id:
            self.copy(run.session_id, clean_line(run.session_id))
        elif text := self.plan_text():
            self.copy(text, "the plan")

    def report(self) -> tuple[str, Document] | None:
        if self.in_trials and self.trial is not None:
            return "trial", self.document_of_trial(self.trial)
        row = self.chosen
        return ("experiment", latest_document(self.home, row.experiment, self.runs)) if row is not None else None

    @property
    def zoomed_pane(self) -> Widget:
        return self.document_view if self.in_trials else self.table
