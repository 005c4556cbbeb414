"""What was counted of drawn sessions, kept: a trial of ten thousand is told without a look at their profiles.

A session is counted once, when it has come to its end, and stands so however it goes on, or when it is gone from
the agent's database; but what was judged by other rules, or before somebody judged a call themselves, is judged anew
where that is possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from warm_tui.library.db import Library
from warm_tui.library.profiles import judged_by
from warm_tui.library.trials import chances_of
from warm_tui.trials.figures import Figures, Finished

COLUMNS = ", ".join(Figures._fields)
SQL = (
    f"INSERT OR REPLACE INTO figures (session_id, mark, at, {COLUMNS})"
    f" VALUES ({', '.join('?' * (3 + len(Figures._fields)))})"
)
DREW = "draws AS d JOIN trials AS t ON t.number = d.rule AND d.at >= t.since AND d.root = d.session_id"


class Counted(NamedTuple):
    """Of a session, with when it may be counted from."""

    session_id: str
    at: float
    figures: Figures


class Drawings(NamedTuple):
    """How many sessions a rule drew, the first when and the last."""

    sessions: int = 0
    first: float = 0.0
    last: float = 0.0


def figures_seen(library: Library) -> tuple[float, ...]:
    """Others as soon as a session is counted, or counted anew: a row that is replaced gets another number."""
    sql = "SELECT COUNT(*), TOTAL(rowid), TOTAL(failures), TOTAL(known) FROM figures"
    return tuple(library.connection.execute(sql).fetchone())


def kept_standings(library: Library) -> dict[int, tuple[str, bytes]]:
    """What was told of each rule last, with a mark of what that rested on."""
    rows = library.connection.execute("SELECT rule, mark, told FROM standings")
    return {rule: (mark, told) for rule, mark, told in rows}


def keep_standings(library: Library, standings: Iterable[tuple[int, str, bytes]]) -> None:
    library.remember("INSERT OR REPLACE INTO standings (rule, mark, told) VALUES (?, ?, ?)", list(standings))


def uncounted(library: Library) -> list[str]:
    """Sessions that drew and are not counted, or were judged otherwise then."""
    sql = (
        "SELECT d.session_id FROM draws AS d LEFT JOIN figures AS f ON f.session_id = d.session_id"
        " WHERE d.root = d.session_id AND d.rule IS NOT NULL AND f.mark IS NOT ?"
    )
    return [name for (name,) in library.connection.execute(sql, (judged_by(library),))]


def keep_counted(library: Library, counted: Iterable[Counted], gone: Iterable[str]) -> None:
    """Those that are `gone` stay as they were counted."""
    mark = judged_by(library)
    library.remember(SQL, [(each.session_id, mark, each.at, *each.figures) for each in counted])
    library.remember("UPDATE figures SET mark = ? WHERE session_id = ?", [(mark, name) for name in gone])


def finished_of(library: Library) -> dict[int, list[Finished]]:
    """By rule, in the order in which they came to their end."""
    figures = ", ".join(f"f.{name}" for name in Figures._fields)
    sql = (
        f"SELECT d.rule, f.at, d.content, d.chances, {figures}"
        f" FROM figures AS f JOIN {DREW} AND d.session_id = f.session_id ORDER BY f.at, f.session_id"
    )
    found: dict[int, list[Finished]] = {}
    for rule, at, content, chances, *counted in library.connection.execute(sql):
        found.setdefault(rule, []).append(Finished(at, content, chances_of(chances), Figures(*counted)))
    return found


def drawings_of(library: Library) -> dict[int, Drawings]:
    sql = f"SELECT d.rule, COUNT(*), MIN(d.at), MAX(d.at) FROM {DREW} GROUP BY d.rule"
    return {rule: Drawings(*rest) for rule, *rest in library.connection.execute(sql)}


def reasons_not_drawn(library: Library) -> dict[str, int]:
    """Of the sessions that a rule was for and that could not be drawn, how many there are of each reason."""
    sql = "SELECT reason, COUNT(*) FROM draws WHERE root = session_id AND rule IS NULL GROUP BY reason ORDER BY 2 DESC"
    return dict(library.connection.execute(sql))


def without_draw(library: Library, names: Iterable[str]) -> list[str]:
    """Those of which nothing is written down."""
    sql = "SELECT 1 FROM draws WHERE session_id = ?"
    return [name for name in names if library.connection.execute(sql, (name,)).fetchone() is None]
