"""Taking somebody out of a fleet for good, where the authority is."""

from __future__ import annotations

import ssl
from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.fleet.authority import Authority
from warm_tui.fleet.credentials import Credentials, check_welcome
from warm_tui.fleet.folder import Folder, check_address, check_name
from warm_tui.fleet.known import forget
from warm_tui.fleet.line import Line
from warm_tui.fleet.quiet import quiet
from warm_tui.fleet.scheduler import TELLING_SECONDS
from warm_tui.fleet.wire import SMALL_BYTES
from warm_tui.paths import Home
from warm_tui.writing import read_ours

PATIENCE_SECONDS = TELLING_SECONDS + 5.0
"""The scheduler waits for members that are slow before it answers."""
NOBODY_ANSWERS = "No scheduler answers; one on this machine reads it when it starts, another has to be told again."
NOT_TOLD = "No scheduler was told: {}"
ITS_LAST_DEED = "The scheduler told the members, and ends."
ANOTHER = "This machine's own has another certificate from now on: start it again."


class Left(NamedTuple):
    revoked: int
    """How many certificates held until now."""
    said: str


class Teller:
    """The scheduler is believed as long as this is there, though its own certificate holds no more."""

    def __init__(self, folder: Folder) -> None:
        quiet()
        self.credentials = Credentials.of(folder, "operator")
        self.address = check_address(folder.known_address())
        self.context = self.credentials.context(ssl.Purpose.SERVER_AUTH)
        self.line = Line(self.address, self.credentials)

    def tell(self, folder: Folder, name: str) -> None:
        try:
            check_welcome(self.address, self.credentials, context=self.context)
            told = {"pem": read_ours(folder.revoked).decode(), "name": name}
            self.line.ask("take_revoked", told, deadline=PATIENCE_SECONDS, most=SMALL_BYTES).result()
        finally:
            self.line.close()


def leave(home: Home, name: str) -> Left:
    """Whatever goes wrong in telling it, it is revoked."""
    folder = Folder.of(home)
    authority = Authority.of(folder)
    check_name(name)
    teller, said = None, ""
    try:
        teller = Teller(folder)
    except (Trouble, OSError, ValueError) as why:
        said = NOT_TOLD.format(why)
    count = authority.revoke(name)
    own = authority.revoked_of(folder.credentials("scheduler"))
    if own:
        authority.issue("scheduler", own, folder.credentials("scheduler"))
    if teller is not None:
        try:
            teller.tell(folder, name)
            said = ITS_LAST_DEED if name == own else "The scheduler knows."
        except Exception:
            said = NOBODY_ANSWERS
    # Last: until it is told, the scheduler tells of it.
    forget(folder, name)
    return Left(count, f"{said} {ANOTHER}" if own else said)
