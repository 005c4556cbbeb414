"""The app: its modes, themes and keys, and the actions that work everywhere."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import SystemCommand
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen

from warm_tui import actions, themes
from warm_tui.choices import remapped_keys, wrong_choices
from warm_tui.config import Config
from warm_tui.leaving import end_app_by
from warm_tui.outputs import write_unused
from warm_tui.paths import Home
from warm_tui.saved_views import SavedViews
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.view_dialogue import view_in_words
from warm_tui.screens.shared import first_time
from warm_tui.screens.shared.acting import Acting
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.guarding import Guarded
from warm_tui.screens.shared.marks import Marks
from warm_tui.screens.shared.pages import Pages, help_text
from warm_tui.screens.shared.tooltips import Pointed
from warm_tui.screens.shared.window import Window
from warm_tui.screens.shared.with_fleet import WithFleet
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.output import HarmlessErrors, NothingHidden
from warm_tui.widgets.timers import SureTimers
from warm_tui.widgets.working import ShownWhileThere, work

if TYPE_CHECKING:
    from warm_tui.comparisons.spec import ComparisonSpec
    from warm_tui.insights.overview import Target
    from warm_tui.screens.shared.drafting import Drafting

GOING_TURNS = 60.0
"""Looks for a screen that is there at rest; ten times as many while it is being read."""
NOTHING_HIDDEN = NothingHidden()
KNOWS_OSC = os.environ.get("TERM", "") not in ("linux", "dumb")
"""These would print what is meant for the desktop."""


class WarmTui(SureTimers, ShownWhileThere, WithFleet, Guarded, Acting, Pointed):
    TITLE = "Warm TUI"
    CSS_PATH: ClassVar = themes.stylesheets()  # type: ignore[assignment]
    BINDINGS: ClassVar = actions.bindings("app")
    ENABLE_COMMAND_PALETTE = True
    waiting_approvals: int | None = None

    def __init__(self, home: Home, opens: str = "sessions") -> None:
        """`opens`: the screen that is seen first."""
        super().__init__()
        # Profiling runs beside the screen: a key shall not wait five milliseconds for each turn it takes.
        sys.setswitchinterval(0.0001)
        # Nor shall it wait for a look through everything for garbage, of which there is little.
        gc.set_threshold(5_000, 5, 400)
        self.error_console.push_render_hook(HarmlessErrors())
        self.home, self.opens = home, opens
        self.title = f"{self.TITLE}: profile {home.profile}" if home.profile else self.TITLE
        self.choices = Config(home.ours / "config.toml")
        self.marks = Marks()
        self._drafting: Drafting | None = None
        self._made: dict[type[Frame], Frame] = {}
        for theme in themes.THEMES:
            self.register_theme(theme)

    def tell_that_more_wait(self) -> None:
        """By a bell, and by a notice of the desktop, which many terminals make of OSC 9. In no words of who asks."""
        how = self.choices.text("approvals_notice", "desktop")
        if how not in ("desktop", "bell"):
            return
        from warm_tui.presentation.approvals import requests_wait

        self.bell()
        if how == "desktop" and self._driver is not None and not self.is_web and KNOWS_OSC:
            self._driver.write(f"\x1b]9;Warm TUI: {requests_wait(self.waiting_approvals or 0)} for a yes\x07")

    def on_unmount(self) -> None:
        if self._drafting is not None:
            self._drafting.close()

    async def _shutdown(self) -> None:
        for screen in self._made.values():
            if screen.is_running and screen not in self.screen_stack:
                # Textual closes such in no order: what is read meanwhile would be shown on half a screen.
                await screen.remove()
        await super()._shutdown()

    def on_mount(self) -> None:
        end_app_by(self.exit)
        is_known = os.path.isfile(self.home.library)
        self.show_theme(self.choices.text("theme", themes.DEFAULT))
        self.set_keymap(self.remapped)
        for sentence in wrong_choices(self.choices):
            self.say(sentence)
        # The first time, sessions come one by one, and there is nothing to look back on yet.
        if self.opens == "overview" and is_known:
            self.action_show_overview()
        self.call_after_refresh(first_time.greet, self, self.home.passing, is_known, self.say)

    @property
    def remapped(self) -> dict[str, str]:
        return remapped_keys(self.choices)

    def get_default_screen(self) -> Screen[object]:
        """Not by a mode: its first widgets are mounted before it is on the stack, and an Input looks for it there."""
        return SessionsScreen()  # type: ignore[return-value]

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = [*super().get_line_filters(), NOTHING_HIDDEN]
        if self.native_ansi_color:
            # Where no colour is asked for, Textual greys those of the terminal, which it does not know, to black.
            return [NoColor() if isinstance(each, Monochrome) else each for each in filters]
        return filters

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.default_variables()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every action of where the palette was opened, then those of all other screens, which go there first."""
        here = screen.reachable() if isinstance(screen, Frame) else IN_WINDOWS
        for action in actions.each_once(here):
            yield SystemCommand(action.named, self.help_and_keys(action), partial(self.act, screen, action))
        if isinstance(screen, Frame):
            elsewhere = [each for each in actions.ACTIONS if each not in here and each.scope in PATHS]
            for action in actions.each_once([*here, *elsewhere]):
                if action in elsewhere:
                    go = partial(self.go_and_act, action)
                    yield SystemCommand(action.named, self.help_and_keys(action), go, discover=False)
            for name, view in SavedViews(self.choices).views.items():
                words = clean_line(view_in_words(view))
                yield SystemCommand(clean_line(f"View: {name}"), words, partial(self.show_view, name))

    def help_and_keys(self, action: actions.Action) -> str:
        keys = self.remapped.get(f"{action.scope}.{action.id}", action.keys)
        return f"{action.help} ({actions.readable(keys)})"

    @work(exclusive=True, group="palette")
    async def go_and_act(self, action: actions.Action) -> None:
        """Where it is valid, once what stands there has been read."""
        for step in PATHS[action.scope]:
            await (self if hasattr(self, f"action_{step}") else self.screen).run_action(step)
            await self.in_time(lambda: self.screen.is_mounted and not self.is_reading(self.screen))

        def is_there() -> bool:
            """What a screen opens may have to be read first, when the cursor rests."""
            return isinstance(self.screen, Frame) and action.scope in self.screen.SCOPES

        if await self.in_time(is_there):
            self.call_after_refresh(self.act, self.screen, action)
        else:
            self.say(f"{actions.SCOPE_TITLES[action.scope]} has nothing to show yet.")

    def is_reading(self, screen: Screen[object]) -> bool:
        at_work = any(worker.node is screen and not worker.is_finished for worker in self.workers)
        return at_work or screen.message_queue_size > 0  # what was read is yet to be taken

    async def in_time(self, holds: Callable[[], bool]) -> bool:
        patience = GOING_TURNS
        while patience > 0:
            await asyncio.sleep(0.05)
            if holds():
                return True
            patience -= 0.1 if self.is_reading(self.screen) else 1
        return False

    @property
    def drafting(self) -> Drafting:
        """The draft, which every screen may add to."""
        if self._drafting is None:
            from warm_tui.screens.shared.drafting import Drafting

            self._drafting = Drafting(self.home, self.say)
        return self._drafting

    def say(self, sentence: str) -> None:
        self.notify(clean_line(sentence), severity="warning", markup=False)

    # --- going from screen to screen ---

    def go_to(self, kind: type[Frame]) -> Frame | None:
        """Down to where the screen lies, or on top with it. A screen is made once, and stays as it was left."""
        if not isinstance(self.screen, Frame):
            return None
        # What was said of one screen has no sense on another.
        self.clear_notifications()
        if any(isinstance(screen, kind) for screen in self.screen_stack):
            while not isinstance(self.screen, kind):
                self.pop_screen()
            return self.screen
        screen = self._made.setdefault(kind, kind())
        if not self.is_screen_installed(screen):
            self.install_screen(screen, kind.__name__)
        self.push_screen(screen)
        return screen

    def action_show_overview(self) -> None:
        from warm_tui.screens.overview.screen import OverviewScreen

        screen = self.go_to(OverviewScreen)
        if isinstance(screen, OverviewScreen):
            screen.show_first_page()
        for below in self.screen_stack:
            if isinstance(below, SessionsScreen):
                below.end_visit()

    def action_show_sessions(self) -> None:
        self.go_to(SessionsScreen)

    def show_view(self, name: str) -> None:
        screen = self.go_to(SessionsScreen)
        if isinstance(screen, SessionsScreen):
            screen.use_view(name)

    def action_show_curate(self) -> None:
        from warm_tui.screens.curate.screen import CurateScreen

        self.go_to(CurateScreen)

    def action_show_templates(self) -> None:
        from warm_tui.screens.templates.screen import TemplatesScreen

        self.go_to(TemplatesScreen)

    def action_show_compaction(self) -> None:
        from warm_tui.screens.compaction.screen import CompactionScreen
        from warm_tui.screens.transcript.screen import TranscriptScreen

        before = self.screen
        here = ""
        if isinstance(before, SessionsScreen):
            here = before.under_cursor_id
        elif isinstance(before, TranscriptScreen):
            here = before.profile.session_id
        screen = self.go_to(CompactionScreen)
        if here and isinstance(screen, CompactionScreen):
            screen.show_session(here)

    def action_show_compare(self) -> None:
        from warm_tui.screens.compare.screen import CompareScreen

        self.go_to(CompareScreen)

    def action_show_experiments(self) -> None:
        from warm_tui.screens.experiments.screen import ExperimentsScreen

        self.go_to(ExperimentsScreen)

    def action_show_failures(self) -> None:
        from warm_tui.screens.failures.screen import FailuresScreen

        self.go_to(FailuresScreen)

    def action_show_approvals(self) -> None:
        from warm_tui.screens.approvals.screen import ApprovalsScreen

        self.go_to(ApprovalsScreen)

    def show_sessions_with(self, query: str) -> None:
        before = self.screen
        screen = self.go_to(SessionsScreen)
        if isinstance(screen, SessionsScreen) and isinstance(before, Frame):
            screen.visit(query, before)

    def show_comparison(self, spec: ComparisonSpec) -> None:
        from warm_tui.screens.compare.screen import CompareScreen

        screen = self.go_to(CompareScreen)
        if isinstance(screen, CompareScreen):
            screen.show_arms(spec)

    def show_template(self, name: str) -> None:
        from warm_tui.screens.templates.screen import TemplatesScreen

        screen = self.go_to(TemplatesScreen)
        if isinstance(screen, TemplatesScreen):
            screen.show_template(name)

    def show_target(self, target: Target) -> None:
        """What stands behind something, on its screen."""
        if target.place == "sessions":
            self.show_sessions_with(target.what)
        elif target.place == "templates" and target.what:
            self.show_template(target.what)
        elif target.place == "experiments" and target.what:
            self.show_experiment(int(target.what))
        elif target.place == "trials":
            self.show_experiment(int(target.what), is_rule=True)
        else:
            getattr(self, f"action_show_{target.place}")()
            if target.place in ("failures", "curate") and target.what:
                self.screen.show_part(target.what)  # type: ignore[attr-defined]

    def show_experiment(self, number: int, *, is_rule: bool = False) -> None:
        from warm_tui.screens.experiments.screen import ExperimentsScreen

        screen = self.go_to(ExperimentsScreen)
        if isinstance(screen, ExperimentsScreen):
            (screen.go_to_rule if is_rule else screen.show_experiment)(number)

    def action_help(self) -> None:
        screen = self.screen
        if isinstance(screen, Frame):
            self.push_screen(Pages("Keys", help_text(screen.reachable(), self.remapped)))
        elif isinstance(screen, Window):
            self.push_screen(Pages("Keys", screen.keys_told()))

    def action_explain(self) -> None:
        from warm_tui.screens.shared.explain import explanation_of

        if (window := explanation_of(self.screen)) is not None:
            self.push_screen(window)

    def action_choose_theme(self) -> None:
        before = self.theme

        def chosen(name: str | None) -> None:
            self.show_theme(name or before)
            if name:
                self.screen_stack[0].remember(theme=name)  # type: ignore[attr-defined]
                if self.theme != name:
                    self.say("This terminal has 16 colours, and is shown in its own: others will show what you chose.")

        self.push_screen(ChooseOne("Theme", list(themes.TITLES.items()), before, self.show_theme), chosen)

    def show_theme(self, name: str) -> None:
        self.theme = themes.fitting(name, self.console.color_system)

    def action_picture(self) -> None:
        path = self.home.ours / "pictures" / f"{time.strftime('%Y%m%d-%H%M%S')}.svg"
        if self.is_web:
            self.screen_stack[0].hand_to_browser(path.name, self.export_screenshot())  # type: ignore[attr-defined]
            return
        try:
            path = write_unused(path, self.export_screenshot())
        except OSError as error:
            self.notify(f"{path} could not be written: {error.strerror}.", severity="error", markup=False)
        else:
            self.notify(f"A picture was saved as {path}.", markup=False)

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard, which works from afar, and to this machine's, where it has one."""
        # Half of a character has no bytes.
        text = text.encode("utf-8", "replace").decode()
        super().copy_to_clipboard(text)
        if self.is_web:
            return
        if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            self.copy_locally(text)

    @work(thread=True, exclusive=True, group="clipboard")
    def copy_locally(self, text: str) -> None:
        import pyperclip

        # The terminal has had it already: where this fails, there is nothing to say.
        with suppress(pyperclip.PyperclipException, OSError):
            pyperclip.copy(text)

    def action_quit_now(self) -> None:
        self.exit()


IN_WINDOWS = [action for action in actions.of("app") if action.id in ("help", "choose-theme", "picture", "quit-now")]
PATHS = {
    "overview": ["show_overview"],
    "overview-links": ["show_overview"],
    "sessions": ["show_sessions"],
    "transcript": ["show_sessions", "open"],
    "curate": ["show_curate"],
    "templates": ["show_templates"],
    "compaction": ["show_compaction"],
    "timeline": ["show_compaction"],
    "survival": ["show_compaction", "open"],
    "compare": ["show_compare"],
    "trials": ["show_experiments"],
    "experiments": ["show_experiments"],
    "failures": ["show_failures"],
    "approvals": ["show_approvals"],
}
"""The actions that lead to where those of a scope are valid."""
