"""The windows on the way to an experiment: a form, the tasks, the plan as text, what it does; and out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments.forecast import few_tasks
from warm_tui.experiments.plan import Plan, parse_plan, read_plan
from warm_tui.library.experiments import Run
from warm_tui.presentation.lines import Line, text_of
from warm_tui.screens.experiments.plans import PlanPreview, Plans, path_of
from warm_tui.screens.experiments.table import ExperimentRow
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.pieces_view import PiecesView

T = TypeVar("T")
QUESTIONS = (
    Entry("name", "Name"),
    Entry("template", "Template of the warm arm"),
    Entry("folder", "Folder of each task", placeholder="each run gets a copy; may be empty"),
    Entry("check", "Check: 0 if a task is done", placeholder="for example: pytest -q"),
    Entry("repeats", "Times a task runs in an arm"),
    Entry("parallel", "Runs at once"),
    Entry("minutes", "Minutes that a run may take"),
    Entry("model", "Model", placeholder="as config.yaml says"),
    Entry("dollars", "Budget in dollars", placeholder="none"),
    Entry("budget_minutes", "Budget in minutes", placeholder="none"),
    Entry("runs", "Budget in runs", placeholder="none"),
    Entry("flags", "Flags for hermes chat", placeholder="--yolo lets it run commands without asking"),
)
SAVING_SECONDS = 1.0


class StartQuestion(Confirm):
    """Each of its figures can be explained: nobody starts what they do not know the price of."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("E", "app.explain", "Explain", id="app.explain")]
    KIND = "confirm forecast"
    SCROLLS = False

    def __init__(self, title: str, lines: Sequence[Line], take: str) -> None:
        self._lines = [[(clean_line(text), style) for text, style in line] for line in lines]
        super().__init__(title, "\n".join(map(text_of, self._lines)), take, "Back")

    def body(self) -> ComposeResult:
        yield PiecesView()

    def on_mount(self) -> None:
        view = self.query_one(PiecesView)
        view.show(self._lines)
        view.focus()


class PlanDialogue:
    """`look_ahead` and `start` are workers of the screen; the first answers with a call of one of the `ask_` below.

    Escape goes one step back. What was filled in and written is kept, on disk.
    """

    def __init__(
        self, screen: Frame, plans: Plans, look_ahead: Callable[[Plan, bool], object], start: Callable[[Plan], object]
    ) -> None:
        self._screen, self._plans, self._look_ahead, self._start = screen, plans, look_ahead, start
        self._saving: Timer | None = None
        self._back: Callable[[], None] = lambda: None
        """To the plan that is looked ahead with, where one may change it."""
        self._begun: Callable[[], None] = lambda: None

    def new(self) -> None:
        fields = self._plans.fields()
        if fields is None:
            sentence = "There is no template to try yet: make one on Curate."
            self._screen.notify(sentence, severity="warning", markup=False)
            return

        def filled(values: dict[str, str] | None) -> None:
            self._plans.save()
            if values is not None:
                self._plans.keep_fields(values)
                self._ask_tasks()

        entries = [
            entry._replace(value=fields[entry.name], options=self._plans.templates if entry.name == "template" else ())
            for entry in QUESTIONS
        ]
        keep = self._keeping(self._plans.keep_fields)
        window = Form("A new experiment", entries, "Go on", self._plans.check_fields, keep)
        self._screen.app.push_screen(window, filled)

    def _keeping(self, keep: Callable[[T], None]) -> Callable[[T], None]:
        """Kept at once, and on disk soon: not at each key."""

        def kept(value: T) -> None:
            keep(value)
            if self._saving is not None:
                self._saving.stop()
            self._saving = self._screen.app.set_timer(SAVING_SECONDS, self._plans.save)

        return kept

    def _ask_tasks(self) -> None:
        def written(tasks: str | None) -> None:
            self._plans.save()
            if tasks is None:
                self.new()
            else:
                self._plans.keep_tasks(tasks)
                self._ask_made_plan()

        keep = self._keeping(self._plans.keep_tasks)
        window = Write("The tasks: a paragraph each", self._plans.tasks, "", self._plans.check_tasks, keep)
        self._screen.app.push_screen(window, written)

    def _ask_made_plan(self) -> None:
        self._begun = lambda: self._plans.begun(None)
        self._ask_plan(self._plans.write_plan(), self._plans.keep_text, self._ask_tasks, self._ask_made_plan)

    def ask_again(self, was: str) -> None:
        """The whole plan of an earlier experiment, to be looked over and changed."""
        self._begun = lambda: self._plans.begun(was)

        def keep(text: str) -> None:
            self._plans.keep_changed(was, text)

        self._ask_plan(self._plans.changed(was), keep, lambda: None, lambda: self.ask_again(was))

    def _ask_plan(
        self, text: str, keep: Callable[[str], None], leave: Callable[[], None], back: Callable[[], None]
    ) -> None:
        folder = Path.cwd()

        def check(plan: str) -> None:
            parse_plan(plan, folder)

        def written(plan: str | None) -> None:
            self._plans.save()
            if plan is None:
                leave()
            else:
                self._back = back
                self._look_ahead(parse_plan(plan, folder), False)

        self._screen.app.push_screen(Write("The plan", text, "", check, self._keeping(keep)), written)

    def begun(self) -> None:
        """An experiment has begun, and what it was made of is no draft any more."""
        self._begun()

    def back(self) -> None:
        """To where it can be changed, when it cannot be started, or is not wanted."""
        self._back()

    def from_file(self) -> None:
        def named(name: str | None) -> None:
            if not name or not name.strip():
                return
            try:
                plan = read_plan(path_of(name.strip()))
            except Trouble as trouble:
                self._screen.say_wrong(str(trouble))
            else:
                self._back = self._begun = lambda: None
                self._look_ahead(plan, False)

        self._screen.app.push_screen(Ask("The plan's file (YAML or TOML)"), named)

    def ask_without_sources(self, plan: Plan, leak: Leaking) -> None:
        sentence = clean_line(str(leak)).replace(" (--without-sources)", "")

        def answered(yes: bool | None) -> None:
            if yes:
                self._look_ahead(plan, True)
            else:
                self.back()

        self._screen.app.push_screen(Confirm("These tasks would leak", sentence, "Leave them out"), answered)

    def ask_start(self, preview: PlanPreview) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._start(preview.plan)
            else:
                self.back()

        few = few_tasks(preview.plan)
        lines = [line for line in preview.lines if not few or few not in text_of(line)]
        title = "Start it, though it can show nothing?" if few else "Start the experiment?"
        lines = [[(few, "strong")], [], *lines] if few else lines
        window = StartQuestion(title, lines, "Start it all the same" if few else "Start")
        self._screen.app.push_screen(window, answered)


def cancel_question(row: ExperimentRow, runs: Sequence[Run]) -> Confirm:
    going = sum(run.state == "running" for run in runs)
    text = "What was run stays; the rest will not be run, and there is no result."
    text += f"\n\n{plural(going, 'run goes', 'runs go')} on and would be lost; p lets them end." if going else ""
    return Confirm(f"Cancel {clean_line(row.experiment.name)}?", text, "Cancel the experiment", "Leave it")
