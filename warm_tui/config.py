"""What the operator chose: theme, sort, filter, columns, keys; in config.toml, whose comments are kept."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from warm_tui.errors import Trouble
from warm_tui.writing import write_whole


class Config:
    """The choices of one home. Written when one changes; a file that cannot be read is told and left alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: str | None = None
        self._values: dict[str, Any] = {}
        try:
            self._values = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            self.trouble = f"{path} cannot be read and is left as it is: {error}."

    def text(self, name: str, default: str = "") -> str:
        value = self._values.get(name, default)
        return value if isinstance(value, str) else default

    def number(self, name: str, default: float) -> float:
        value = self._values.get(name, default)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else default

    def texts(self, name: str) -> list[str]:
        value = self._values.get(name)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def table(self, name: str) -> dict[str, str]:
        value = self._values.get(name)
        return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}

    def remember(self, **choices: Any) -> None:
        """Set some choices and keep everything else in the file, comments included."""
        if self.trouble or all(self._values.get(name) == value for name, value in choices.items()):
            return
        import tomlkit

        self._values |= choices
        try:
            document = tomlkit.parse(self.path.read_text("utf-8")) if self.path.exists() else tomlkit.document()
            document.update(choices)
            write_whole(self.path, tomlkit.dumps(document))
        except (OSError, ValueError) as error:
            raise Trouble(f"{self.path} could not be written: {error}.") from error
