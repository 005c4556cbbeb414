"""Starting the agent's next sessions warm with the template under the cursor, and cold again."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from textual import work

from warm_tui.agent.prefill import Plan, Prefill, hash_of
from warm_tui.errors import Trouble
from warm_tui.library.db import open_library
from warm_tui.library.uses import end_activation, record_use
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.templates.table import TemplateTable
from warm_tui.sessions.text import clean, clean_line
from warm_tui.templates.budget import Tokens
from warm_tui.templates.conversation import Conversation, Problem
from warm_tui.templates.shelf import Row


class Look(NamedTuple):
    """A template as its model would get it, and what is to be said of it."""

    name: str
    stamp: str
    provider: str
    conversation: Conversation
    tokens: Tokens
    problems: list[Problem]
    secrets: int


class Activating(Frame):
    """What a screen with a shelf of templates can do about what the agent starts with."""

    seen: Look | None

    @property
    def prefill(self) -> Prefill:
        return Prefill(self.home)

    @property
    def chosen(self) -> Row | None:
        return self.query_one(TemplateTable).under_cursor

    @abstractmethod
    def load(self) -> Any:
        """Read the shelf again."""

    def action_activate(self) -> None:
        row, look = self.chosen, self.seen
        if row is None:
            return
        if not row.stored.path.exists():
            self.notify(f"The file of {row.name} is gone.", severity="warning", markup=False)
            self.load()
            return
        if look is None or look.name != row.name or look.stamp != row.stored.stamp:
            self.notify("It is still being read; try again.", markup=False)
            return
        if not look.conversation.messages:
            self.notify("It has nothing to tell: nothing was changed.", severity="error", markup=False)
            return
        self.confirm_activation(row, look, replace=False)

    def confirm_activation(self, row: Row, look: Look, *, replace: bool) -> None:
        try:
            plan = self.prefill.plan_activation(replace)
        except Trouble as trouble:
            if "somebody else" in str(trouble) and not replace:
                question = f"{trouble}\n\nIt comes back when you deactivate."
                self.app.push_screen(
                    Confirm("Set it aside?", clean_lines(question), "Set aside"),
                    lambda sure: self.confirm_activation(row, look, replace=True) if sure else None,
                )
            else:
                self.notify(clean_line(str(trouble)), severity="error", markup=False)
            return
        told = [
            shown_change(plan),
            f"The agent's next sessions start with the {len(look.conversation.messages)} messages of {row.name}.",
        ]
        if look.secrets:
            told.insert(
                0, f"! {look.secrets} secrets stand in it: the provider would get them. Enter on the list edits it.\n"
            )
        if overridden := self.prefill.overridden():
            told.append(f"HERMES_PREFILL_MESSAGES_FILE names {overridden}, which wins over config.yaml.")

        def sure(yes: bool | None) -> None:
            if yes:
                self.activate(row.name, look.conversation, replace)

        take = "Activate with secrets" if look.secrets else "Activate"
        self.app.push_screen(Confirm(f"Activate {row.name}?", clean_lines("\n".join(told)), take), sure)

    @work(thread=True, group="activate")
    def activate(self, name: str, told: Conversation, replace: bool) -> None:
        def act() -> str:
            self.prefill.activate(name, told.messages, replace)
            with open_library(self.home.library) as library:
                record_use(library, name, "activated", hash_of(told.messages))
            return f"{name} is active: the agent's next sessions start warm."

        self.done(act)

    def action_deactivate(self) -> None:
        try:
            plan = self.prefill.plan_deactivation()
        except Trouble as trouble:
            self.notify(clean_line(str(trouble)), severity="error", markup=False)
            return
        if not plan.changed:
            self.notify("No template is active.", markup=False)
            return

        def sure(yes: bool | None) -> None:
            if yes:
                self.deactivate()

        self.app.push_screen(Confirm("Start cold again?", clean_lines(shown_change(plan)), "Deactivate"), sure)

    @work(thread=True, group="activate")
    def deactivate(self) -> None:
        def act() -> str:
            self.prefill.deactivate()
            with open_library(self.home.library) as library:
                end_activation(library)
            return "The agent's next sessions start cold."

        self.done(act)

    def done(self, act: Callable[[], str]) -> None:
        """Do it in this thread; say how it went, and read the shelf again."""
        try:
            told, severity = act(), "information"
        except (Trouble, sqlite3.Error) as error:
            told, severity = str(error), "error"
        self.app.call_from_thread(self.notify, clean_line(told), severity=severity, markup=False)
        self.app.call_from_thread(self.load)


def shown_change(plan: Plan) -> str:
    return plan.difference if plan.changed else f"{plan.path} points to Warm TUI's file already."


def clean_lines(text: str) -> str:
    return "\n".join(clean(line) for line in text.split("\n"))
