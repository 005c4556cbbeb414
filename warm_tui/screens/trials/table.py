"""The rules in their order, with what each has shown so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from warm_tui import actions
from warm_tui.presentation.figures import UNKNOWN_VALUE, points
from warm_tui.reports.trials import shows, state
from warm_tui.screens.shared.neighbour import Neighbour
from warm_tui.screens.trials.trial_list import TrialRow
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.document_view import DocumentView
from warm_tui.widgets.fields import Field, Shown

MOST_LINES = 6
"""With its header; more rules are scrolled to."""


def _difference(row: TrialRow) -> Shown:
    """Of one template; of several, each has its own."""
    each = row.trial.shown[0] if len(row.trial.shown) == 1 else None
    if each is None or each.low is None or each.high is None:
        return (UNKNOWN_VALUE if each else ""), "dim"
    return points(each.low, each.high), shows(row.trial)[1]


def _templates(row: TrialRow) -> Shown:
    return clean_line(", ".join(each.template for each in row.rule.revisions)), "dim"


def _warm(row: TrialRow) -> Shown:
    return f"{sum(each.warm for each in row.trial.shown):,}", "warm"


def _cold(row: TrialRow) -> Shown:
    return f"{max((each.cold for each in row.trial.shown), default=0):,}", "cold"


def _field(name: str, title: str, width: int, show: Any, **how: Any) -> Field:
    return Field(name, title, width, lambda row, _: show(row), computed=how.pop("computed", False), **how)


TRIAL_FIELDS = (
    _field("number", "rule", 4, lambda row: (f"{row.rule.number}", "dim"), right=True),
    _field("when", "for which", 30, lambda row: (clean_line(row.rule.when.told), ""), min_width=12, grow=1),
    _field("templates", "template", 18, _templates, min_width=10, rank=2),
    _field("state", "state", 12, lambda row: state(row.rule)),
    _field("share", "share", 5, lambda row: (f"{row.rule.warm_share:.0%}", ""), right=True),
    _field("warm", "warm", 5, _warm, right=True, computed=True, rank=1),
    _field("cold", "cold", 5, _cold, right=True, computed=True, rank=1),
    _field("difference", "difference", 18, _difference, computed=True, rank=3),
    _field("shows", "shows", 17, lambda row: shows(row.trial), computed=True),
)  # fmt: skip


KEYS: list[BindingType] = [
    replace(binding, action=f"screen.{binding.action}")
    for binding in actions.bindings("trials")
    if isinstance(binding, Binding)
]
"""What is done to a rule, in its table and in what stands below it; the screen does it."""
RULE_ACTIONS = frozenset(action.id.replace("-", "_") for action in actions.of("trials"))


class Standing(DocumentView):
    """Of a rule, or of what else the cursor is on: the screen says whether these keys are of use."""

    BINDINGS: ClassVar[list[BindingType]] = KEYS


class TrialTable(Neighbour[TrialRow]):
    BINDINGS: ClassVar[list[BindingType]] = [*actions.bindings("list"), *KEYS]
    FIELDS: ClassVar = TRIAL_FIELDS
    TERMS: ClassVar[Mapping[str, str]] = {"state": "state of a rule", "difference": "difference of a trial"}

    def identity(self, row: TrialRow) -> str:
        return str(row.rule.number)
