"""How the members of a fleet are told: a row each, and what is odd about one as a sentence."""

from __future__ import annotations

import os
import time

from warm_tui.fleet.messages import Member
from warm_tui.paths import Home
from warm_tui.presentation.figures import UNKNOWN_VALUE, ago, duration, percent
from warm_tui.presentation.tables import Cell, Column
from warm_tui.sessions.text import clean_line, plural

CLOCK_SECONDS = 5.0
"""A clock that is further off is told of."""
COLUMNS = (
    Column("machine"), Column("state"), Column("homes", min_width=8, rank=3), Column("runs", right=True),
    Column("load", right=True, rank=2), Column("Warm TUI", rank=4), Column("Hermes", rank=4), Column("seen", rank=1),
)  # fmt: skip


def fleet_lines(home: Home) -> list[str]:
    """Each machine that was ever heard of, and how it was when it was last; nothing where there is no fleet."""
    if not os.path.isdir(home.ours / "fleet"):
        return []
    from warm_tui.fleet.known import known_members, trouble_of

    now = time.time()
    lines = []
    for member in known_members(home, now):
        runs = f"{member.standing.runs} of {plural(member.standing.slots, 'run')}"
        told = (clean_line(member.name), state_of(member)[0], plural(len(member.standing.homes), "home"), runs)
        seen = f"Warm TUI {clean_line(member.standing.version)}, seen {ago(member.last_seen, now)}"
        lines += [", ".join((*told, seen)), *notes_of(member, now)]
    return [*lines, *filter(None, (trouble_of(home),))]


def state_of(member: Member) -> tuple[str, str]:
    if member.away:
        return "away", "failed"
    if member.refused:
        return "not understood", "failed"
    return ("drained", "unknown") if member.standing.drained else ("there", "ok")


def row_of(member: Member, now: float) -> list[Cell]:
    standing = member.standing
    homes = ", ".join(dict.fromkeys(clean_line(home.name) for home in standing.homes))
    return [
        clean_line(member.name),
        state_of(member),
        homes or "none",
        f"{standing.runs} of {standing.slots}",
        UNKNOWN_VALUE if member.load is None else percent(member.load),
        clean_line(standing.version) or UNKNOWN_VALUE,
        clean_line(standing.hermes) or UNKNOWN_VALUE,
        ago(member.last_seen, now),
    ]


def notes_of(member: Member, now: float) -> list[str]:
    notes = [note for note in (member.refused, member.skew) if note]
    if member.away:
        homes = plural(len(member.standing.homes), "home")
        when = ago(member.last_seen, now)
        notes.append(
            f"{clean_line(member.name)} is away, last seen {when}: of its {homes} is shown what was had until then."
        )
    ahead = member.standing.ahead_seconds
    if ahead is not None and abs(ahead) > CLOCK_SECONDS:
        off = duration(abs(ahead))
        notes.append(
            f"The clock of {member.name} is {off} {'ahead of' if ahead > 0 else 'behind'} the scheduler's:"
            " the ages of its sessions are off by that."
        )
    return notes
