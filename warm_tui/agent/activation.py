"""Let the agent's next sessions start warm, or cold again, and remember that: for the screen and the command alike."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from warm_tui.agent.config_file import Plan
from warm_tui.agent.prefill import Prefill, hash_of
from warm_tui.agent.recording import VARIABLE
from warm_tui.agent.running import Agent, running_agents
from warm_tui.agent.trials import refuse_beside_rules, still_paused
from warm_tui.agent.ways import environment_variable
from warm_tui.library.db import IN_MEMORY, open_library
from warm_tui.library.trials import rules_of
from warm_tui.library.uses import Use, end_activation, record_use
from warm_tui.paths import Home
from warm_tui.templates.conversation import Conversation


class Change(NamedTuple):
    """What was done to config.yaml, and what has to be said of it."""

    plan: Plan
    notes: list[str]
    """What could not be remembered of it, and what it leaves to be done."""
    running: list[Agent]
    """Who stays as they were."""

    @property
    def told(self) -> list[str]:
        return [*self.notes, *(agent.told for agent in self.running)]


def activate(home: Home, name: str, conversation: Conversation, *, replace: bool = False) -> Change:
    """`replace` sets aside a prefill file that is not ours; else ForeignPrefill is raised."""
    notes = []
    if home.library.exists():
        with open_library(home.library) as library:
            refuse_beside_rules(rules_of(library.connection))
            if library.path == IN_MEMORY:
                notes.append(f"Whether rules draw sessions is not known: {library.notes[-1]}")
    plan = Prefill(home).activate(name, conversation.messages, replace)
    return Change(plan, [*notes, *count_use(home, name, "activated", conversation)], running_agents(home))


def deactivate(home: Home) -> Change:
    plan = Prefill(home).deactivate()
    notes: list[str] = []
    if home.library.exists():
        with open_library(home.library) as library:
            try:
                end_activation(library)
                if plan.changed and (left := still_paused(rules_of(library.connection))):
                    notes.append(left)
            except sqlite3.Error as error:
                notes.append(f"The end of the activation was not noted: {error}. Later sessions count as warm.")
    return Change(plan, notes, running_agents(home) if plan.changed else [])


def count_use(home: Home, name: str, how: Use, conversation: Conversation) -> list[str]:
    """A template is used all the same where its use cannot be counted: why not is returned."""
    with open_library(home.library) as library:
        notes = list(library.notes)
        try:
            record_use(library, name, how, hash_of(conversation.messages))
        except sqlite3.Error as error:
            notes.append(f"This use was not counted: {error}.")
    return notes


def told_for(home: Home, provider: str) -> str:
    """Whose model the messages are made for, beside the one that config.yaml names."""
    prefill = Prefill(home)
    model, rules = prefill.model(), prefill.provider()
    whose = "any provider" if provider == "any" else provider
    if not model:
        return f"It is told as {whose} takes it; config.yaml names no model."
    if provider == rules or (provider == "any" and rules != "mistral"):
        return f"It is told as {whose} takes it, for {model}, which config.yaml names."
    return f"! It is told as {whose} takes it, but config.yaml names {model}, whose provider is {rules}."


def override_warning(home: Home) -> str:
    """What is to be said where an environment variable decides, whatever is activated; nothing where none does."""
    named = environment_variable(home.root)
    return f"{VARIABLE} names {named}, which wins over config.yaml." if named else ""
