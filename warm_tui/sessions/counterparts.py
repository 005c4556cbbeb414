"""How a call of one agent is told in the tools of the agent that is warmed: a row for each tool that has a counterpart.

The names on the right are those of Hermes' tools; an argument that is not named has no counterpart and is left out.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

NO_NAMES: Mapping[str, str] = {}
SHELLS = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh")


def as_is(value: Any) -> Any:
    return value


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def command_line(value: Any) -> Any:
    """Of a program and its words: what a shell was given to run, where it was one."""
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return value
    if len(value) == 3 and value[0] in SHELLS and value[1] in ("-c", "-lc"):
        return value[2]
    return shlex.join(value)


class Counterpart(NamedTuple):
    tool: str
    names: Mapping[str, str] = NO_NAMES
    """Of each argument, what it is called there."""
    fixed: Mapping[str, Any] = {}
    """What has to be said besides."""
    values: Mapping[str, Callable[[Any], Any]] = {}
    """How a value is told there, where that differs."""
    ran: bool = False
    """Its result is a command's: output and exit code."""

    def arguments(self, theirs: Mapping[str, Any]) -> dict[str, Any]:
        told = {
            ours: self.values.get(name, as_is)(theirs[name])
            for name, ours in self.names.items()
            if theirs.get(name) is not None
        }
        return {**self.fixed, **told}

    def result(self, words: str) -> str:
        """Of a call that went well."""
        if not self.ran:
            return words
        return json.dumps({"output": words, "exit_code": 0, "error": None}, ensure_ascii=False)
