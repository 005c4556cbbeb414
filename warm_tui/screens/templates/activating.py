"""Warm, and cold again: from the template under the cursor to sessions that begin with it, all or by rule."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable
from functools import partial

from warm_tui.agent import activation
from warm_tui.errors import ForeignPrefill, Trouble
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.templates.activation import (
    ALL,
    BY_RULE,
    activation_options,
    activation_question,
    deactivation_question,
    pause_question,
    running_rules,
    set_aside_question,
)
from warm_tui.screens.templates.outside import OutsideDialogue
from warm_tui.screens.templates.preview import Preview
from warm_tui.screens.templates.preview_pane import PreviewPane
from warm_tui.screens.templates.shelf_dialogue import confirm
from warm_tui.screens.templates.table import TemplateTable
from warm_tui.screens.trials.ruling import Ruling
from warm_tui.screens.trials.trial_list import pause
from warm_tui.sessions.text import clean_line
from warm_tui.templates.shelf import Row
from warm_tui.trials.rules import Rule
from warm_tui.widgets.working import work

ONLY_PROPOSED = "It is a proposal of the agent: A accepts it first."


class Activating(Ruling):
    _awaited: tuple[str, Callable[[Row, Preview], None]] | None = None
    """What is to be done with a template, of which the preview is still read."""

    @property
    @abstractmethod
    def pane(self) -> PreviewPane: ...

    @property
    @abstractmethod
    def table(self) -> TemplateTable: ...

    @abstractmethod
    def present_row(self) -> Row | None: ...

    @abstractmethod
    def names_for_rule(self, row: Row) -> list[str]: ...

    @abstractmethod
    def load(self) -> object: ...

    @abstractmethod
    def look(self) -> None: ...

    def when_read(self, act: Callable[[Row, Preview], None]) -> None:
        """With the template under the cursor, as soon as the preview is of that one."""
        row, preview = self.present_row(), self.pane.preview
        self._awaited = None
        if row is not None and preview is not None and preview.is_of(row.stored):
            act(row, preview)
        elif row is not None:
            self._awaited = row.identity, act

    def show_preview(self, preview: Preview) -> None:
        self.pane.show(preview)
        row = self.table.under_cursor
        if self._awaited is not None and row is not None and row.identity == self._awaited[0]:
            self.when_read(self._awaited[1])
        else:
            self._awaited = None

    def on_screen_suspend(self) -> None:
        """Whoever goes elsewhere wants it no more."""
        self._awaited = None

    def action_activate(self) -> None:
        """All sessions from now on, or by rule: never both, which the one that is refused says."""

        row = self.present_row()
        if row is None:
            return
        if row.proposal:
            self.notify(ONLY_PROPOSED, severity="warning", markup=False)
            return
        names = self.names_for_rule(row)

        def chosen(how: str | None) -> None:
            if how == ALL:
                self.ask_to_pause()
            elif how == BY_RULE:
                self.ask_rule(names=names)

        try:
            options = activation_options(self.home)
        except Trouble as trouble:
            self.say_wrong(str(trouble))
        else:
            self.app.push_screen(ChooseOne(f"Begin with {clean_line(row.name)}", options), chosen)

    def rules_changed(self) -> None:
        self.load()

    def ask_to_pause(self) -> None:
        """What rules draw is given up first, or nothing is begun; they are paused when all else was agreed to."""
        try:
            rules = running_rules(self.home)
        except Trouble as trouble:
            self.say_wrong(str(trouble))
            return
        if rules:
            confirm(self, pause_question(rules), partial(self.activate_for_all, rules))
        else:
            self.activate_for_all([])

    def activate_for_all(self, rules: list[Rule]) -> None:
        """`rules` are paused for it."""

        def begin(_row: Row, preview: Preview) -> None:
            if not preview.conversation.messages:
                self.say_wrong("It has nothing to tell: nothing was changed.")
                return
            go_on = partial(self.confirm_activation, preview, rules, replace=False)
            OutsideDialogue(self, self.look).before(preview, go_on)

        self.when_read(begin)

    def confirm_activation(self, preview: Preview, rules: list[Rule], *, replace: bool) -> None:
        try:
            question = activation_question(self.home, preview, replace=replace)
        except ForeignPrefill as foreign:
            again = partial(self.confirm_activation, preview, rules, replace=True)
            confirm(self, set_aside_question(foreign), again)
        except Trouble as trouble:
            self.say_wrong(str(trouble))
        else:
            confirm(self, question, partial(self.activate, preview, rules, replace))

    @work(thread=True, group="activate")
    def activate(self, preview: Preview, rules: list[Rule], replace: bool) -> None:
        def act() -> list[str]:
            paused = [pause(self.home, rule, preview.name) for rule in rules]
            try:
                change = activation.activate(self.home, preview.name, preview.conversation, replace=replace)
            except Trouble as trouble:
                raise Trouble(" ".join([str(trouble), *paused])) from trouble
            return [*paused, *change.told]

        told = activation.told_for(self.home, preview.provider)
        self.change_config(act, f"{preview.name} is active: the agent's next sessions start warm. {told}")

    def action_deactivate(self) -> None:
        try:
            question = deactivation_question(self.home)
        except Trouble as trouble:
            self.say_wrong(str(trouble))
            return
        if question is None:
            self.notify("No template is active.", markup=False)
        else:
            confirm(self, question, self.deactivate)

    @work(thread=True, group="activate")
    def deactivate(self) -> None:
        self.change_config(lambda: activation.deactivate(self.home).told, "The agent's next sessions start cold.")

    def change_config(self, act: Callable[[], list[str]], done: str) -> None:
        """In this worker's thread; say how it went, and read the shelf again."""
        try:
            notes = act()
        except (Trouble, sqlite3.Error) as error:
            self.app.call_from_thread(self.say_wrong, str(error))
        else:
            self.app.call_from_thread(self.tell_change, clean_line(" ".join([done, *notes])), bool(notes))
        self.app.call_from_thread(self.load)

    def tell_change(self, words: str, is_warning: bool) -> None:
        """What was said before is so no more."""
        self.app.clear_notifications()
        self.notify(words, severity="warning" if is_warning else "information", markup=False)
