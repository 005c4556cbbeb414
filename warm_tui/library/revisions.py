"""Each state that a template was saved in, with who made it and why. Of what two states share, one copy is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from warm_tui.errors import NotFound
from warm_tui.library.db import Library
from warm_tui.library.parts import PARTS, Document, put_parts, put_together
from warm_tui.library.suggestions import accept_suggestions

COLUMNS = "number, stamp, body, CAST(at AS REAL), by, why, suggestion"


class Note(NamedTuple):
    """What is said of a revision by whoever saves it."""

    by: str = "operator"
    why: str = ""
    suggestion: str = ""


FOUND = Note("", "as it was found")
"""Of what was written by another program, by hand, or before revisions were kept."""


class Revision(NamedTuple):
    """`outline`: the document, with the hashes of its patterns in place of them."""

    number: int
    stamp: str
    outline: Document
    at: float
    note: Note

    @property
    def patterns(self) -> list[str]:
        """None are known of one that was written in another format."""
        parts = self.outline.get(PARTS)
        return parts if isinstance(parts, list) else []

    @property
    def is_outlined(self) -> bool:
        return isinstance(self.outline.get(PARTS), list)


def keep_revisions(library: Library, template: str, states: Iterable[tuple[str, Document, Note]]) -> None:
    """In their order, each with its stamp; one that is the newest already is not kept again.

    What it was made of, where that was suggested, is accepted by that: at once with the revision, or not at all.
    """
    with library.keeping() as connection:
        for stamp, document, note in states:
            sql = "SELECT number, stamp FROM template_revisions WHERE template = ? ORDER BY number DESC LIMIT 1"
            number, newest = connection.execute(sql, (template,)).fetchone() or (0, "")
            if stamp != newest:
                body = put_parts(connection, document)
                row = (template, number + 1, stamp, body, time.time(), *note)
                sql = "INSERT INTO template_revisions (template, number, stamp, body, at, by, why, suggestion)"
                connection.execute(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            accept_suggestions(connection, note.suggestion.split())


def kept_revisions(library: Library, template: str) -> list[Revision]:
    """The oldest first."""
    sql = f"SELECT {COLUMNS} FROM template_revisions WHERE template = ? ORDER BY number"
    rows = library.connection.execute(sql, (template,))
    return [Revision(row[0], row[1], json.loads(row[2]), row[3], Note(*row[4:])) for row in rows]


def document_of(library: Library, template: str, number: int) -> dict[str, Any]:
    sql = "SELECT body FROM template_revisions WHERE template = ? AND number = ?"
    row = library.connection.execute(sql, (template, number)).fetchone()
    if row is None:
        raise NotFound(f"Template '{template}' has no revision {number}.")
    return put_together(library.connection, row[0])


def take_over(library: Library, before: str, after: str) -> None:
    """What was kept of a template is kept of one that is made of it, too."""
    with library.keeping() as connection:
        connection.execute(
            "INSERT INTO template_revisions (template, number, stamp, body, at, by, why, suggestion)"
            " SELECT :after, number + (SELECT COALESCE(MAX(number), 0) FROM template_revisions WHERE template = :after)"
            ", stamp, body, at, by, why, suggestion FROM template_revisions WHERE template = :before"
            " AND stamp NOT IN (SELECT stamp FROM template_revisions WHERE template = :after)",
            {"after": after, "before": before},
        )
