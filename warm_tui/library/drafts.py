"""Templates in the making. Each step is kept, so that undo has no end and a kill loses nothing.

A draft's document is kept in parts, each once under its hash: a step costs what it changed, not the whole draft.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.library.db import Library
from warm_tui.library.parts import Document, put_parts, put_together


class DraftRecord(NamedTuple):
    """A draft as we know it: which, at what step of how many, and how often it was written."""

    id: int
    name: str
    step: int
    steps: int
    version: int
    updated_at: float


class ChangedElsewhereError(Exception):
    """Another instance has written the draft since we read it."""


class Drafts:
    def __init__(self, library: Library) -> None:
        self.library = library

    def all(self) -> list[DraftRecord]:
        """The one worked on last stands first."""
        rows = self.library.connection.execute(
            "SELECT id, name, step, steps, version, updated_at FROM drafts ORDER BY updated_at DESC, id DESC"
        )
        return [DraftRecord(*row) for row in rows]

    def open(self, draft: int) -> tuple[DraftRecord, Document] | None:
        record = next((each for each in self.all() if each.id == draft), None)
        return (record, self._document(record)) if record else None

    def version(self, draft: int) -> int | None:
        """How often it was written: a cheap look at whether another instance did."""
        row = self.library.connection.execute("SELECT version FROM drafts WHERE id = ?", (draft,)).fetchone()
        return int(row[0]) if row else None

    def create(self, name: str, document: Document) -> DraftRecord:
        with self.library.writing() as connection:
            made = connection.execute(
                "INSERT INTO drafts (name, step, steps, version, updated_at) VALUES (?, 0, 0, 0, ?)",
                (name, time.time()),
            )
            record = DraftRecord(int(made.lastrowid or 0), name, 0, 0, 0, time.time())
            self._write(record, document)
        return record

    def put(self, record: DraftRecord, name: str, document: Document) -> DraftRecord:
        """One step further; what had been undone is gone."""
        after = record._replace(
            name=name, step=record.step + 1, steps=record.step + 1, version=record.version + 1, updated_at=time.time()
        )
        with self.library.writing() as connection:
            self._claim(record, after)
            connection.execute("DELETE FROM draft_steps WHERE draft = ? AND step > ?", (record.id, record.step))
            self._write(after, document)
        return after

    def go(self, record: DraftRecord, by: int) -> tuple[DraftRecord, Document] | None:
        """Undo (-1) or redo (+1): to another step, if there is one."""
        step = record.step + by
        if not 0 <= step <= record.steps:
            return None
        after = record._replace(step=step, version=record.version + 1, updated_at=time.time())
        document = self._document(after)
        after = after._replace(name=str(document.get("name", "")))
        with self.library.writing():
            self._claim(record, after)
        return after, document

    def delete(self, record: DraftRecord) -> None:
        with self.library.writing() as connection:
            self._claim(record, record._replace(version=record.version + 1))
            connection.execute("DELETE FROM draft_steps WHERE draft = ?", (record.id,))
            connection.execute("DELETE FROM drafts WHERE id = ?", (record.id,))

    def _claim(self, record: DraftRecord, after: DraftRecord) -> None:
        """Write over what we read, and nothing newer."""
        done = self.library.connection.execute(
            "UPDATE drafts SET name = ?, step = ?, steps = ?, version = ?, updated_at = ? WHERE id = ? AND version = ?",
            (after.name, after.step, after.steps, after.version, after.updated_at, record.id, record.version),
        )
        if done.rowcount != 1:
            raise ChangedElsewhereError

    def _write(self, record: DraftRecord, document: Document) -> None:
        connection = self.library.connection
        connection.execute(
            "INSERT OR REPLACE INTO draft_steps (draft, step, body) VALUES (?, ?, ?)",
            (record.id, record.step, put_parts(connection, document)),
        )

    def _document(self, record: DraftRecord) -> Document:
        try:
            sql = "SELECT body FROM draft_steps WHERE draft = ? AND step = ?"
            (body,) = self.library.connection.execute(sql, (record.id, record.step)).fetchone()
            return put_together(self.library.connection, body)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise Trouble(f"The draft {record.name} is damaged.") from error
