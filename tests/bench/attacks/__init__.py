"""The parts of the attack: each a module with a function `run`, found by its being here."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """One thing that was tried, what came of it, and whether that is what must hold."""

    what: str
    found: str
    wanted: str
    holds: bool
