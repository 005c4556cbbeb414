"""Ways to look at the sessions, kept under a name among the operator's choices."""

from __future__ import annotations

from typing import Any

import msgspec

from warm_tui.config import Config
from warm_tui.errors import Trouble
from warm_tui.reliability.filters import check_order, parse_filter
from warm_tui.reliability.totals import check_grouping

FILTERS, VIEWS = "filters", "views"


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it leaves open stays as it is: of a filter that was kept alone, all else."""

    filter: str = ""
    sort: str | None = None
    group: str | None = None
    columns: list[str] | None = None
    """Empty: those that are usual."""

    @property
    def is_filter_alone(self) -> bool:
        return self == View(self.filter)

    def check(self) -> None:
        """Raises Trouble where it cannot be shown."""
        parse_filter(self.filter)
        check_order(self.sort or "started_at")
        check_grouping(self.group or "")


class SavedViews:
    """What is kept. Only what changes is written: another instance keeps views, too."""

    def __init__(self, choices: Config) -> None:
        self._choices = choices

    @property
    def views(self) -> dict[str, View]:
        """Filters that were kept alone stand in a table of their own, as plain text."""
        filters = {name: View(query) for name, query in self._choices.table(FILTERS).items()}
        return filters | {
            name: view for name, kept in self._choices.tables(VIEWS).items() if (view := _view(kept)) is not None
        }

    def view(self, name: str) -> View:
        return self.views.get(name, View())

    def keep(self, old_name: str, name: str, view: View) -> None:
        """Under another name, or for the first time under one."""
        table, other = (FILTERS, VIEWS) if view.is_filter_alone else (VIEWS, FILTERS)
        value: Any = view.filter if view.is_filter_alone else msgspec.to_builtins(view)
        self._choices.put(table, name, value, instead_of=old_name)
        for each in {name, old_name} & self._choices.names_in(other):
            self._choices.drop(other, each)

    def forget(self, name: str) -> None:
        for table in (FILTERS, VIEWS):
            if name in self._choices.names_in(table):
                self._choices.drop(table, name)

    def is_taken(self, name: str) -> bool:
        return name in self.views


def _view(kept: dict[str, Any]) -> View | None:
    try:
        return msgspec.convert(kept, View)
    except msgspec.ValidationError:
        return None


def wrong_views(choices: Config) -> list[str]:
    """Those that cannot be shown, each in a sentence."""
    sentences = []
    for name, kept in choices.tables(VIEWS).items():
        view = _view(kept)
        try:
            if view is None:
                raise Trouble("it has a filter, sort, group and columns, and all but columns are text.")
            view.check()
        except Trouble as trouble:
            sentences.append(f"the view {name!r} cannot be shown: {trouble}")
    return sentences
