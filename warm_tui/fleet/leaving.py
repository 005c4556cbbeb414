"""Taking somebody out of a fleet for good, where the authority is."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.fleet.authority import Authority
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.credentials import Credentials
from warm_tui.fleet.folder import Away, Folder, NotLetIn
from warm_tui.fleet.known import forget
from warm_tui.paths import Home

NOBODY_ANSWERS = "No scheduler answers; one on this machine reads it when it starts, another has to be told again."
ITS_LAST_DEED = "The scheduler told the members, and ends."
ANOTHER = "This machine's own has another certificate from now on: start it again."


class Left(NamedTuple):
    revoked: int
    """How many certificates held until now."""
    said: str


def leave(home: Home, name: str) -> Left:
    """The scheduler is reached before: its own certificate may be the one that holds no more."""
    folder = Folder.of(home)
    authority = Authority.of(folder)
    own = _own_scheduler(folder)
    try:
        with Fleet(home) as fleet:
            fleet.members()
            count = authority.revoke(name)
            fleet.tell_revoked(folder, name)
            said = ITS_LAST_DEED if name == own else "The scheduler knows."
    except (Away, NotLetIn):
        count, said = authority.revoke(name), NOBODY_ANSWERS
    if name == own and count:
        authority.issue("scheduler", name, folder.credentials("scheduler"))
        said = f"{said} {ANOTHER}"
    forget(folder, name)
    return Left(count, said)


def _own_scheduler(folder: Folder) -> str:
    try:
        return Credentials.of(folder, "scheduler").name
    except Trouble:
        return ""
