"""What may be asked of a member, by name: nothing else is run there for a request."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import msgspec

from warm_tui.paths import Home


class Function(NamedTuple):
    """A function of the member's home and of the request, which is imported when it is first asked for."""

    place: str
    """Its module and its name. It takes a Home and a struct, and gives a struct."""
    is_run: bool = False
    """It is a run of an experiment: a member that is drained begins none."""

    def found(self) -> Callable[[Home, Any], msgspec.Struct]:
        module, _, name = self.place.rpartition(".")
        return getattr(import_module(module), name)  # type: ignore[no-any-return]


FUNCTIONS = {
    "changed": Function("warm_tui.fleet.telling.changed"),
    "names": Function("warm_tui.fleet.telling.names"),
    "transcript": Function("warm_tui.fleet.telling.transcript"),
    "search": Function("warm_tui.fleet.telling.search"),
    "echo": Function("warm_tui.fleet.member_tasks.echo"),
    "drain": Function("warm_tui.fleet.member_tasks.drain"),
    "run": Function("warm_tui.fleet.runs.run", is_run=True),
    "take_bundle": Function("warm_tui.fleet.runs.take_bundle"),
    "end_run": Function("warm_tui.fleet.runs.end_run"),
    "forget": Function("warm_tui.fleet.runs.forget"),
}
