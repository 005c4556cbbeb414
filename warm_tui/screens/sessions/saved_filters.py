"""Filters kept under a name, among the operator's choices."""

from __future__ import annotations

from warm_tui.config import Config


class SavedFilters:
    """What is kept; and what would be, to be remembered by the screen."""

    def __init__(self, choices: Config) -> None:
        self._choices = choices

    @property
    def queries(self) -> dict[str, str]:
        return self._choices.table("filters")

    def query(self, name: str) -> str:
        return self.queries.get(name, "")

    def with_name(self, old_name: str, name: str, query: str) -> dict[str, str]:
        """Under another name, or for the first time under one."""
        return self.without(old_name) | {name: query}

    def without(self, name: str) -> dict[str, str]:
        return {other: query for other, query in self.queries.items() if other != name}

    def is_taken(self, name: str) -> bool:
        return name in self.queries
