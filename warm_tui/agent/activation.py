"""Let the agent's next sessions start warm, or cold again, and remember that: for the screen and the command alike."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from warm_tui.agent.prefill import Plan, Prefill, hash_of
from warm_tui.library.db import open_library
from warm_tui.library.uses import Use, end_activation, record_use
from warm_tui.paths import Home
from warm_tui.templates.conversation import Conversation


class Change(NamedTuple):
    """What was done to config.yaml, and what could not be remembered of it."""

    plan: Plan
    notes: list[str]


def activate(home: Home, name: str, conversation: Conversation, *, replace: bool = False) -> Change:
    """`replace` sets aside a prefill file that is not ours; else ForeignPrefill is raised."""
    plan = Prefill(home).activate(name, conversation.messages, replace)
    return Change(plan, count_use(home, name, "activated", conversation))


def deactivate(home: Home) -> Change:
    plan = Prefill(home).deactivate()
    if not home.library.exists():
        return Change(plan, [])
    with open_library(home.library) as library:
        try:
            end_activation(library)
        except sqlite3.Error as error:
            return Change(plan, [f"The end of the activation was not noted: {error}. Later sessions count as warm."])
    return Change(plan, [])


def count_use(home: Home, name: str, how: Use, conversation: Conversation) -> list[str]:
    """A template is used all the same where its use cannot be counted: why not is returned."""
    with open_library(home.library) as library:
        notes = list(library.notes)
        try:
            record_use(library, name, how, hash_of(conversation.messages))
        except sqlite3.Error as error:
            notes.append(f"This use was not counted: {error}.")
    return notes


def override_warning(home: Home) -> str:
    """What is to be said where an environment variable decides, whatever is activated; nothing where none does."""
    named = Prefill(home).overridden()
    return f"HERMES_PREFILL_MESSAGES_FILE names {named}, which wins over config.yaml." if named else ""
