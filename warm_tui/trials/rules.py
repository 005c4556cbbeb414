"""The rules that decide which new sessions are drawn: an ordered list, of which the first that matches decides.

Read within the agent, at the first request of a session: nothing here takes more than the standard library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.trials.guessing import TASKS, guessed_task

DEFAULT_SHARE = 0.9
DEFAULT_HOLDOUT = 0.05
MOST_TEMPLATES = 8


class Beginning(NamedTuple):
    """What is known of a session at its first request."""

    session_id: str
    source: str = ""
    model: str = ""
    folder: str = ""
    words: str = ""
    """The first message of the user."""


class When(NamedTuple):
    """Which sessions a rule is for; what is empty asks nothing."""

    source: str = ""
    model: str = ""
    folder: str = ""
    words: str = ""
    task: str = ""
    """What the first message seems to ask for: a guess."""

    def matches(self, session: Beginning) -> bool:
        """The source by its whole name, the model by a part of it, a folder with all within, words each anywhere."""
        said = session.words.casefold()
        return (
            (not self.source or self.source.casefold() == session.source.casefold())
            and self.model.casefold() in session.model.casefold()
            and (not self.folder or _is_within(session.folder, self.folder))
            and all(word in said for word in self.words.casefold().split())
            and (not self.task or self.task == guessed_task(session.words))
        )

    @property
    def told(self) -> str:
        given = [f"{name} {value}" for name, value in zip(self._fields, self, strict=True) if value and name != "task"]
        return ", ".join([*given, *([f"task {self.task} (a guess)"] if self.task else [])]) or "all sessions"


class Revision(NamedTuple):
    """A template as it was when it was put under a rule: the messages, known by their hash, never change."""

    template: str
    content: str


class Rule(NamedTuple):
    number: int
    """What it is called by; never given again."""
    when: When
    revisions: tuple[Revision, ...]
    salt: str
    """Two rules with other salts draw independently, though their sessions are the same."""
    share: float = DEFAULT_SHARE
    """The part of the sessions that start warm; several templates have equal parts of it."""
    holdout: float = DEFAULT_HOLDOUT
    """The part that stays cold whatever the share is: without it nobody would know for how long it helps."""
    running: bool = True
    why: str = ""
    """Why it does not run, where nobody paused it."""
    since: float = 0.0
    """What was drawn before tells nothing of it: harm was shown, and somebody let it run again all the same."""
    paused_for: str = ""
    """The template that all sessions were to begin with: its activation paused the rule, and nobody by hand."""

    @property
    def warm_share(self) -> float:
        return min(self.share, 1.0 - self.holdout)

    @property
    def state(self) -> str:
        return "running" if self.running else "switched off" if self.why else "paused"

    @property
    def paused_told(self) -> str:
        return f"paused by the activation of {self.paused_for}" if self.paused_for else "paused by hand"

    @property
    def chances(self) -> dict[str, float]:
        """How likely each revision is drawn; what is left is cold."""
        return {each.content: self.warm_share / len(self.revisions) for each in self.revisions}


def first_match(rules: Iterable[Rule], session: Beginning) -> Rule | None:
    """One that is paused is passed over, as though it were not there."""
    return next((rule for rule in rules if rule.running and rule.when.matches(session)), None)


def check_rule(rule: Rule) -> None:
    """Raises Trouble where it could not be drawn by."""
    for name, value in (("share", rule.share), ("holdout", rule.holdout)):
        if not 0.0 <= value <= 1.0:
            raise Trouble(f"The {name} is a part of the sessions: a number from 0 to 1, not {value:g}.")
    check_task(rule.when.task)
    contents = {each.content for each in rule.revisions}
    if not contents:
        raise Trouble("A rule needs a template.")
    if len(contents) < len(rule.revisions):
        raise Trouble("Two of its templates make the same conversation: they could not be told apart.")
    if len(contents) > MOST_TEMPLATES:
        raise Trouble(f"A rule takes at most {MOST_TEMPLATES} templates: with more, none of them would ever be shown.")


def check_task(task: str) -> None:
    if task and task not in TASKS:
        raise Trouble(f"No task is guessed that is called {task[:20]!r}; there are {', '.join(TASKS)}.")


def _is_within(folder: str, parent: str) -> bool:
    if not folder:
        return False
    inner, outer = (os.path.normpath(os.path.expanduser(each)) for each in (folder, parent))
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)
