"""The fleet as a document: its machines, and what is odd about one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warm_tui.fleet.messages import Member
from warm_tui.insights.overview import Target
from warm_tui.presentation.fleet import COLUMNS, notes_of, row_of
from warm_tui.reports.document import Document, Heading, Say, Table
from warm_tui.reports.linked import Linked, document_of
from warm_tui.sessions.text import plural

HOW_TO_BEGIN = "`warm-tui fleet init --member NAME` lets a machine in; `warm-tui fleet scheduler` brings them together."


def fleet_parts(members: Sequence[Member], now: float, trouble: str) -> list[Linked]:
    """Each machine leads to its sessions."""
    if not members:
        return [Linked(Say("No machine is in a fleet with this one.", "strong")), Linked(Say(trouble or HOW_TO_BEGIN))]
    away = [member for member in members if member.away]
    homes = sum(len(member.standing.homes) for member in members)
    told = f"{plural(len(members), 'machine')} with {plural(homes, 'home')}"
    parts = [
        Linked(Say(f"{told}, {plural(len(away), 'machine')} away." if away else f"{told}; all are there.", "strong")),
        *([Linked(Say(trouble, "failed"))] if trouble else []),
        Linked(
            Table(COLUMNS, [row_of(member, now) for member in members]),
            [Target("sessions", f"machine:{member.name}") for member in members],
        ),
    ]
    notes = [note for member in members for note in notes_of(member, now)]
    return [*parts, *([Linked(Heading("What is odd"))] if notes else []), *(Linked(Say(note)) for note in notes)]


def fleet_document(members: Sequence[Member], now: float, trouble: str) -> Document:
    facts: dict[str, object] = {
        "members": [msgspec.to_builtins(member._asdict()) for member in members],
        "trouble": trouble,
    }
    return document_of("Fleet", fleet_parts(members, now, trouble), facts)
