"""The windows on the way to an experiment: a form, the tasks, the plan as text, and what it would do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments.plan import Plan, parse_plan, read_plan
from warm_tui.screens.experiments.plans import PlanPreview, Plans, path_of
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line

QUESTIONS = (
    Entry("name", "Name"),
    Entry("template", "Template of the warm arm"),
    Entry("folder", "Folder that each task starts from (a copy; may be empty)"),
    Entry("check", "Command that says whether a task is done (exit code 0)", placeholder="for example: pytest -q"),
    Entry("repeats", "How often each task runs in each arm"),
    Entry("parallel", "Runs at once"),
    Entry("minutes", "Minutes that a run may take"),
    Entry("flags", "Flags for hermes chat", placeholder="--yolo lets it run commands without asking"),
)


class PlanDialogue:
    """`look_ahead` and `start` are workers of the screen; the first answers with a call of one of the `ask_` below."""

    def __init__(
        self, screen: Frame, plans: Plans, look_ahead: Callable[[Plan, bool], object], start: Callable[[Plan], object]
    ) -> None:
        self._screen, self._plans, self._look_ahead, self._start = screen, plans, look_ahead, start

    def new(self) -> None:
        fields = self._plans.fields()
        if fields is None:
            sentence = "There is no template to try yet: make one on screen 2."
            self._screen.notify(sentence, severity="warning", markup=False)
            return

        def filled(values: dict[str, str] | None) -> None:
            if values is not None:
                self._plans.fill_in(values)
                self._ask_tasks()

        entries = [entry._replace(value=fields[entry.name]) for entry in QUESTIONS]
        self._screen.app.push_screen(Form("A new experiment", entries, "Go on", self._plans.check_fields), filled)

    def _ask_tasks(self) -> None:
        def written(tasks: str | None) -> None:
            if tasks is not None:
                self.ask_plan(self._plans.write_tasks(tasks))

        window = Write("The tasks: a paragraph each", self._plans.tasks, "", self._plans.check_tasks)
        self._screen.app.push_screen(window, written)

    def ask_plan(self, text: str) -> None:
        """The whole plan, to be looked over and changed."""
        folder = Path.cwd()

        def check(plan: str) -> None:
            parse_plan(plan, folder)

        def written(plan: str | None) -> None:
            if plan is not None:
                self._look_ahead(parse_plan(plan, folder), False)

        self._screen.app.push_screen(Write("The plan", text, "", check), written)

    def from_file(self) -> None:
        def named(name: str | None) -> None:
            if not name or not name.strip():
                return
            try:
                plan = read_plan(path_of(name.strip()))
            except Trouble as trouble:
                self._screen.say_wrong(str(trouble))
            else:
                self._look_ahead(plan, False)

        self._screen.app.push_screen(Ask("The plan's file (YAML or TOML)"), named)

    def ask_without_sources(self, plan: Plan, leak: Leaking) -> None:
        sentence = clean_line(str(leak)).replace(" (--without-sources)", "")

        def answered(yes: bool | None) -> None:
            if yes:
                self._look_ahead(plan, True)

        self._screen.app.push_screen(Confirm("These tasks would leak", sentence, "Leave them out"), answered)

    def ask_start(self, preview: PlanPreview) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._start(preview.plan)

        text = "\n".join(clean_line(line) for line in preview.lines)
        self._screen.app.push_screen(Confirm("Start the experiment?", text, "Start"), answered)
