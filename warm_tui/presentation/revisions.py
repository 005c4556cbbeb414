"""A revision of a template in one line."""

from __future__ import annotations

from datetime import datetime

from warm_tui.sessions.text import clean_line
from warm_tui.templates.revisions import Entry


def revision_line(entry: Entry) -> str:
    """Which, when, by whom, what changed and why."""
    when = datetime.fromtimestamp(entry.at).strftime("%Y-%m-%d %H:%M") if entry.at else "not kept yet"
    now = "●" if entry.current else " "
    made = f"{clean_line(entry.maker):12}  {clean_line(entry.changed)}"
    why = f"  “{clean_line(entry.note.why)}”" if entry.note.why else ""
    suggested = "  (suggested)" if entry.note.suggestion else ""
    return f"{now} {entry.number:>3}  {when:16}  {made}{why}{suggested}"
