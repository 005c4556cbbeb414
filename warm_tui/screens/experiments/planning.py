"""From a few fields to a plan that may run: the form, the tasks, the plan as text, and what it would do."""

from __future__ import annotations

import re
from abc import abstractmethod
from contextlib import suppress
from pathlib import Path

from textual import work

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments import control
from warm_tui.experiments.forecast import outlook_of
from warm_tui.experiments.plan import Plan, Task, as_yaml, check_plan, parse_plan, read_plan, tasks_of, words_of
from warm_tui.experiments.starting import begin, checked
from warm_tui.library.catalog import Catalog
from warm_tui.reports.experiment import outlook_lines
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line
from warm_tui.templates.files import TemplateFiles

COMMENT = """\
# Further settings, for a task:  files: {name: text}   setup: COMMAND   minutes: 10
# For the whole:  model: NAME   budget: {runs: 40, dollars: 5, minutes: 60}   looks: [0.5]   seed: 7
"""
WHOLE = re.compile(r"[0-9]{1,6}")
FIRST = "Find out why the build fails, and mend it."


class Planning(Frame):
    """What a screen of experiments does to begin one. What was filled in stands there again the next time."""

    filled_in: dict[str, str] = {}  # noqa: RUF012 - replaced, never changed
    tasks_written = FIRST

    @abstractmethod
    def begun(self, number: int) -> None:
        """There is another experiment."""

    def action_new(self) -> None:
        files = TemplateFiles(self.home)
        names = [stored.template.name for stored in files.all()[0]]
        if not names:
            self.notify("There is no template to try yet: make one on screen 2.", severity="warning", markup=False)
            return
        active = Prefill(self.home).active()
        template = active.template if active is not None and active.template in names else names[0]
        fields = (
            Entry("name", "Name", "does-it-help"),
            Entry("template", "Template of the warm arm", template),
            Entry("folder", "Folder that each task starts from (a copy; may be empty)"),
            Entry("check", "Command that says whether a task is done (exit code 0)", "", "for example: pytest -q"),
            Entry("repeats", "How often each task runs in each arm", "2"),
            Entry("parallel", "Runs at once", "2"),
            Entry("minutes", "Minutes that a run may take", "10"),
            Entry("flags", "Flags for hermes chat", "--yolo", "--yolo lets it run commands without asking"),
        )
        entries = [entry._replace(value=self.filled_in.get(entry.name, entry.value)) for entry in fields]

        def check(values: dict[str, str]) -> None:
            files.load(values["template"])
            check_plan(self.plan_from(values, FIRST))

        def filled(values: dict[str, str] | None) -> None:
            if values is not None:
                self.filled_in = values
                self.ask_tasks(values)

        self.app.push_screen(Form("A new experiment", entries, "Go on", check), filled)

    def plan_from(self, values: dict[str, str], prompts: str) -> Plan:
        folder = str(_path(values["folder"]).absolute()) if values["folder"] else ""
        like = Task("task", FIRST, folder, check=values["check"], minutes=_number("Minutes", values["minutes"]))
        return Plan(
            values["name"],
            values["template"],
            tuple(tasks_of(prompts, like)),
            repeats=_whole("Repeats", values["repeats"]),
            parallel=_whole("Runs at once", values["parallel"]),
            flags=tuple(words_of(values["flags"])),
        )

    def ask_tasks(self, values: dict[str, str]) -> None:
        def check(text: str) -> None:
            check_plan(self.plan_from(values, text))

        def written(text: str | None) -> None:
            if text is not None:
                self.tasks_written = text
                self.ask_plan(as_yaml(self.plan_from(values, text), COMMENT))

        self.app.push_screen(Write("The tasks: a paragraph each", self.tasks_written, "", check), written)

    def ask_plan(self, text: str) -> None:
        """The whole plan, to be looked over; what the form does not ask for is added here."""
        here = Path.cwd()

        def written(taken: str | None) -> None:
            if taken is not None:
                self.look_ahead(parse_plan(taken, here))

        self.app.push_screen(Write("The plan", text, "", lambda taken: _parsed(taken, here)), written)

    def action_from_file(self) -> None:
        def named(name: str | None) -> None:
            if not name or not name.strip():
                return
            try:
                self.look_ahead(read_plan(_path(name.strip())))
            except Trouble as trouble:
                self.say_wrong(str(trouble))

        self.app.push_screen(Ask("The plan's file (YAML or TOML)"), named)

    # --- what it would do, and then doing it ---

    @work(thread=True, exclusive=True, group="planning")
    def look_ahead(self, plan: Plan, without_sources: bool = False) -> None:
        try:
            with Catalog(self.home.present) as catalog:
                plan, notes = checked(catalog, plan, without_sources=without_sources)
            lines = [*outlook_lines(plan, outlook_of(self.home, plan)), *notes, *_missing()]
        except Leaking as leak:
            self.app.call_from_thread(self.ask_without, plan, leak)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
        else:
            self.app.call_from_thread(self.ask_start, plan, lines)

    def ask_without(self, plan: Plan, leak: Trouble) -> None:
        told = clean_line(str(leak)).replace(" (--without-sources)", "")
        question = Confirm("These tasks would leak", told, "Leave them out")

        def answered(yes: bool | None) -> None:
            if yes:
                self.look_ahead(plan, without_sources=True)

        self.app.push_screen(question, answered)

    def ask_start(self, plan: Plan, lines: list[str]) -> None:
        told = "\n".join(clean_line(line) for line in lines)
        question = Confirm("Start the experiment?", told, "Start")

        def answered(yes: bool | None) -> None:
            if yes:
                self.start(plan)

        self.app.push_screen(question, answered)

    @work(thread=True, group="control")
    def start(self, plan: Plan) -> None:
        try:
            with Catalog(self.home.present) as catalog:
                number = begin(catalog, plan)
            control.resume(self.home, number)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        self.filled_in, self.tasks_written = {}, FIRST
        told = f"Experiment {number} is started. It goes on also when you leave."
        self.app.call_from_thread(self.notify, told, markup=False)
        self.app.call_from_thread(self.begun, number)

    def say_wrong(self, sentence: str) -> None:
        self.notify(clean_line(sentence), severity="error", markup=False)


def _parsed(text: str, folder: Path) -> None:
    parse_plan(text, folder)


def _missing() -> list[str]:
    """It can be planned where it cannot be run."""
    try:
        find_hermes()
    except Trouble as trouble:
        return [f"! {trouble} It cannot be started here."]
    return []


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise Trouble(f"There is no folder {text[:60]}.") from error


def _whole(name: str, text: str) -> int:
    if not WHOLE.fullmatch(text):
        raise Trouble(f"{name}: {text[:20]!r} is no whole number.")
    return int(text)


def _number(name: str, text: str) -> float:
    with suppress(ValueError):
        return float(text)
    raise Trouble(f"{name}: {text[:20]!r} is no number.")
