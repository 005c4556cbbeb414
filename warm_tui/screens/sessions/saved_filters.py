"""Filters kept under a name, among the operator's choices."""

from __future__ import annotations

from warm_tui.config import Config


class SavedFilters:
    """What is kept. Only what changes is written: another instance keeps filters, too."""

    def __init__(self, choices: Config) -> None:
        self._choices = choices

    @property
    def queries(self) -> dict[str, str]:
        return self._choices.table("filters")

    def query(self, name: str) -> str:
        return self.queries.get(name, "")

    def keep(self, old_name: str, name: str, query: str) -> None:
        """Under another name, or for the first time under one."""
        self._choices.put("filters", name, query, instead_of=old_name)

    def forget(self, name: str) -> None:
        self._choices.drop("filters", name)

    def is_taken(self, name: str) -> bool:
        return name in self.queries
