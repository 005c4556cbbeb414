"""The app in a terminal, going to every screen and window while hostile text stands wherever it can.

`python -m tests.tui.hostile.driven HOME REPORT` writes to REPORT what was seen where, and to its terminal what
a terminal would get.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Button, DataTable, Label, Static

import warm_tui
from tests.tui.helpers import all_read, settled, table
from tests.tui.hostile.kinds import KINDS, signs_in
from warm_tui.app import WarmTui
from warm_tui.library.revisions import Note
from warm_tui.paths import Home
from warm_tui.presentation.glossary import Explained
from warm_tui.presentation.lines import Line
from warm_tui.screens.approvals.screen import ApprovalsScreen
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.compare.screen import ChooseArms, CompareScreen, TwoFilters
from warm_tui.screens.curate.inbox import Inbox, Waiting
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.experiments.plan_dialogue import StartQuestion
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.failures.screen import FailuresScreen
from warm_tui.screens.overview.screen import OverviewScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.view_dialogue import ChooseView
from warm_tui.screens.shared.choose import Ask, Choice, ChooseOne, ChooseSome
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.own_verdicts import ChooseVerdict
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.tour import Card, Tour
from warm_tui.screens.shared.window import Window
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.reading import ReadFirst
from warm_tui.screens.templates.revisions import Revisions, RevisionsWindow
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.screens.trials.rule_draft import Offer
from warm_tui.screens.trials.rule_form import RuleForm
from warm_tui.sessions.text import clean_line
from warm_tui.templates.revisions import Entry as RevisionEntry
from warm_tui.widgets.filter_bar import FilterBar

Opened = Callable[[str], ModalScreen]
ALL = [kind.text for kind in KINDS]
FOURS = ["".join(ALL[at : at + 4]) for at in range(0, len(ALL), 4)]
OPTIONS = [(text, text) for text in ALL]
FIELDS = [
    *(Entry(f"at{at}", text, text, text) for at, text in enumerate(ALL)),
    *(Entry(f"of{at}", text, text, "", tuple(ALL)) for at, text in enumerate(ALL)),
]
# Windows that show many texts at once are opened once, the others with four of them at a time.
OF_ALL: dict[type[ModalScreen], Opened] = {
    ChooseOne: lambda title: ChooseOne(title, OPTIONS),
    ChooseView: lambda title: ChooseView(title, OPTIONS),
    ChooseVerdict: lambda title: ChooseVerdict(title, OPTIONS),
    ChooseArms: lambda title: ChooseArms(title, OPTIONS),
    ChooseSome: lambda title: ChooseSome(title, OPTIONS, ALL[:9]),
    Form: lambda title: Form(title, FIELDS, title, check),
    RuleForm: lambda title: RuleForm(
        title,
        {f"at{at}": text for at, text in enumerate(ALL)},
        [Offer(text, text) for text in ALL],
        ALL[:3],
        check,
        lambda _: ALL,
    ),
    Explain: lambda _: Explain([], [Explained(text, text, text) for text in ALL]),
    Tour: lambda title: Tour([Card(title, "\n".join(ALL))]),
    Pages: lambda title: Pages(title, [line_of(text) for text in ALL]),
    Confirm: lambda title: Confirm(title, "\n".join(ALL), ALL[1], ALL[2]),
    StartQuestion: lambda title: StartQuestion(title, [line_of(text) for text in ALL], "Start"),
    ReadFirst: lambda title: ReadFirst(title, [line_of(text) for text in ALL], "I have read it"),
    Inbox: lambda _: Inbox(
        [Waiting(text, clean_line(text), [(text, "mark")]) for text in ALL], lambda *_: None, lambda *_: None
    ),
    RevisionsWindow: lambda title: RevisionsWindow(
        Revisions(
            title,
            [RevisionEntry(at, 1.0, Note(text, text, text), text, text, not at) for at, text in enumerate(ALL)],
            {},
        ),
        lambda *_: [line_of(text) for text in ALL],
        lambda _: None,
    ),
    Write: lambda title: Write(title, "\r\n".join(ALL), f"\t{title}", check),
}
OF_EACH: dict[type[ModalScreen], Opened] = {
    Ask: lambda text: Ask(text, text, text),
    TwoFilters: lambda text: TwoFilters(text, [Entry(at, text, text, text) for at in ("warm", "cold")], text, check),
    Written: lambda text: Written(Path(text.replace("\0", "")), text),
}
KEYS: dict[type[Screen], list[str]] = {
    SessionsScreen: ["w", "w", "c", "c"],
    TranscriptScreen: ["x", "f", "f", "enter", *["pagedown"] * 5],
    CurateScreen: [*["space", "j"] * 3, "pagedown", "tab", "j"],
    TemplatesScreen: [*["j"] * 6, "J", "k", "G"],
    CompactionScreen: ["j", "j", "j", "tab", "pagedown"],
    SurvivalScreen: [*["j"] * 8],
    CompareScreen: ["j", "j", "j", "pagedown"],
    ExperimentsScreen: ["j", "k", "tab", "pagedown"],
    OverviewScreen: ["j", "G", "t", "G", "i", "G", "m", "G"],
    ApprovalsScreen: ["j", "tab", "pagedown", "tab", "j", "z", "z"],
    FailuresScreen: ["j", "j", "tab", "j", "pagedown", "z"],
}


def line_of(text: str) -> Line:
    return [(text, "mark")]


def check(_: object) -> None:
    """Nothing is wrong."""


def every_screen() -> set[type[Screen]]:
    """Each that the package has, but for those that are only the beginning of others."""
    for module in walk_packages(warm_tui.__path__, "warm_tui."):
        import_module(module.name)

    def below(kind: type[Screen]) -> Iterator[type[Screen]]:
        for each in kind.__subclasses__():
            yield each
            yield from below(each)

    ours = {kind for kind in below(Screen) if kind.__module__.startswith("warm_tui.")}
    return {kind for kind in ours if kind.compose is not Widget.compose and kind not in (Window, Choice)}


class Drive:
    def __init__(self, report: Path) -> None:
        self.report = report
        self.seen: dict[str, set[str]] = defaultdict(set)

    async def __call__(self, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, WarmTui)
        await settled(pilot)
        await self._screens(pilot)
        await self._windows(pilot)
        await self._rest(pilot)
        self.report.write_text(json.dumps({name: sorted(signs) for name, signs in self.seen.items()}))
        app.exit()

    def look(self, app: WarmTui, where: str = "") -> None:
        strips = app.screen._compositor.render_strips()
        self.seen[where or type(app.screen).__name__] |= signs_in("\n".join(strip.text for strip in strips))

    async def _screens(self, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, WarmTui)
        await self._press(pilot, SessionsScreen)
        table(app).move(0)
        await self._open(pilot, "enter", TranscriptScreen)
        await pilot.press("escape")
        screens = {
            "3": CurateScreen, "4": TemplatesScreen, "6": CompareScreen, "7": ExperimentsScreen, "2": FailuresScreen,
            "8": ApprovalsScreen, "0": OverviewScreen,
        }  # fmt: skip
        for key, kind in screens.items():
            await self._open(pilot, key, kind)
        await self._open(pilot, "5", CompactionScreen)
        await self._open(pilot, "enter", SurvivalScreen)
        await pilot.press("1")
        await settled(pilot)

    async def _open(self, pilot: Pilot[None], key: str, kind: type[Screen]) -> None:
        await pilot.press(key)
        await settled(pilot)
        assert isinstance(pilot.app.screen, kind), f"{key} led to {pilot.app.screen}, not to {kind}"
        await self._press(pilot, kind)

    async def _press(self, pilot: Pilot[None], kind: type[Screen]) -> None:
        self.look(pilot.app)
        for key in KEYS[kind]:
            await pilot.press(key)
            await settled(pilot)
            self.look(pilot.app)

    async def _windows(self, pilot: Pilot[None]) -> None:
        # A window is drawn over what is below it: nothing.
        pilot.app.push_screen(Screen())
        await settled(pilot)
        for window, opened in OF_ALL.items():
            await self._show(pilot, window, opened(ALL[0]))
        for window, opened in OF_EACH.items():
            for text in FOURS:
                await self._show(pilot, window, opened(text))
        pilot.app.pop_screen()

    async def _show(self, pilot: Pilot[None], kind: type[Screen], window: ModalScreen) -> None:
        assert type(window) is kind
        pilot.app.push_screen(window)
        await pilot.pause()
        self.look(pilot.app)
        if isinstance(window, (ChooseOne, ChooseSome, Explain, Inbox, RevisionsWindow)):
            await pilot.press("end")
            self.look(pilot.app)
        pilot.app.pop_screen()
        await pilot.pause()

    async def _rest(self, pilot: Pilot[None]) -> None:
        """What stands on no screen of ours, and widgets that we may use one day."""
        app = pilot.app
        assert isinstance(app, WarmTui)
        bar = app.screen.query_one(FilterBar)
        for text in ALL:
            bar.open(text)
            app.notify(text, title=text, markup=False)
            await pilot.pause()
            self.look(app, "FilterBar and notices")
        app.clear_notifications()
        rows = DataTable[str]()
        widgets = [
            rows,
            *(Label(text, markup=False) for text in ALL),
            *(Static(text, markup=False) for text in ALL[:4]),
        ]
        button = Button("x")
        button.label = ALL[1]
        button.tooltip = ALL[2]
        window = Pages("Others", [])
        app.push_screen(window)
        await pilot.pause()
        await window.mount(*widgets[1:], button, rows)
        rows.add_column("text")
        for text in ALL:
            rows.add_row(text)
        await pilot.pause()
        self.look(app, "other widgets")
        app.copy_to_clipboard("".join(ALL))


def main(root: Path, report: Path) -> None:
    import textual.app
    import textual.pilot

    textual.app.wait_for_idle = textual.pilot.wait_for_idle = all_read
    app = WarmTui(Home(root, (root / "state.db",)))
    app.animation_level = "none"
    app.run(auto_pilot=Drive(report))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
