"""Draining a member, or letting it have runs again."""

from __future__ import annotations

from msgspec.structs import replace

from warm_tui.fleet.client import Fleet
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.known import note_seen
from warm_tui.fleet.member_tasks import Drain
from warm_tui.paths import Home
from warm_tui.writing import check_may_change


def drain(home: Home, fleet: Fleet, name: str, drained: bool, seconds: float) -> None:
    """What is known of it here follows at once; its next beat says the same."""
    check_may_change()
    member = fleet.member(name)
    fleet.submit(member, "drain", Drain(drained), Drain, seconds=seconds).answer()
    note_seen(Folder.of(home), [member._replace(standing=replace(member.standing, drained=drained))])


def turn(home: Home, fleet: Fleet, name: str, seconds: float) -> bool:
    """The other way round than it is. Whether it is drained now."""
    drained = not fleet.member(name).standing.drained
    drain(home, fleet, name, drained, seconds)
    return drained
