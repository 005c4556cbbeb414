"""What the operator chose: theme, sort, filter, columns, keys; in config.toml, whose comments are kept."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from warm_tui.errors import Trouble
from warm_tui.locking import locked
from warm_tui.writing import check_ours, looks_only, read_regular, write_whole

LARGEST = 5_000_000
NOTIFY = "trials_notify"
"""Where the operator is told of a rule that was switched off."""


class Config:
    """The choices of one home. Written when one changes; a file that cannot be read is told and left alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: str | None = None
        self._values: dict[str, Any] = {}
        try:
            self._values = tomllib.loads(self._text())
        except (OSError, ValueError, RecursionError) as error:
            self.trouble = f"{path} cannot be read and is left as it is: {_why(error)}."

    def text(self, name: str, default: str = "") -> str:
        value = self._values.get(name, default)
        return value if isinstance(value, str) else default

    def is_text(self, name: str) -> bool:
        """Or nothing at all."""
        return isinstance(self._values.get(name, ""), str)

    def number(self, name: str, default: float) -> float:
        value = self._values.get(name, default)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else default

    def texts(self, name: str) -> list[str]:
        value = self._values.get(name)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def table(self, name: str) -> dict[str, str]:
        value = self._values.get(name)
        return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}

    def tables(self, name: str) -> dict[str, dict[str, Any]]:
        """A table of tables."""
        value = self._values.get(name)
        return {k: v for k, v in value.items() if isinstance(v, dict)} if isinstance(value, dict) else {}

    def names_in(self, table: str) -> set[str]:
        value = self._values.get(table)
        return set(value) if isinstance(value, dict) else set()

    def remember(self, **choices: Any) -> None:
        """Set some choices and keep everything else in the file, comments included."""
        self._values |= choices
        self._change(lambda values: values.update(choices))

    def put(self, table: str, name: str, value: str | dict[str, Any], instead_of: str = "") -> None:
        """Set one entry of a table, and let another go; those that another instance set meanwhile stay."""
        entries = {key: self._values[table][key] for key in self.names_in(table) - {instead_of}}
        self._values[table] = entries | {name: value}

        def change(values: Any) -> None:
            _drop(values, table, instead_of)
            if not isinstance(values.get(table), dict):
                values[table] = {}
            values[table][name] = value

        self._change(change)

    def drop(self, table: str, name: str) -> None:
        self._values[table] = {key: self._values[table][key] for key in self.names_in(table) - {name}}
        self._change(lambda values: _drop(values, table, name))

    def _change(self, change: Callable[[Any], None]) -> None:
        """Read, changed and written by one instance at a time."""
        if self.trouble or looks_only():
            return
        try:
            if self._changed(change) == self._text():
                return
            # Made by somebody's hand it may be a link, which is read, but not put an end to.
            check_ours(self.path)
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.path.with_suffix(".lock")):
                after = self._changed(change)
                write_whole(self.path, after)
            self._values = tomllib.loads(after)
        except (OSError, ValueError, RecursionError) as error:
            raise Trouble(f"{self.path} could not be written: {_why(error)}.") from error

    def _changed(self, change: Callable[[Any], None]) -> str:
        import tomlkit

        document = tomlkit.parse(self._text())
        change(document)
        return tomlkit.dumps(document)

    def _text(self) -> str:
        try:
            return read_regular(self.path, LARGEST).decode("utf-8")
        except FileNotFoundError:
            return ""


def _drop(values: Any, table: str, name: str) -> None:
    entries = values.get(table)
    if isinstance(entries, dict) and name in entries:
        del entries[name]


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
