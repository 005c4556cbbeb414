"""The templates as they are shown, and what is done to their files: copied, renamed, deleted and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from warm_tui.agent.prefill import Prefill
from warm_tui.comparisons.saved import latest_verdicts
from warm_tui.errors import Trouble
from warm_tui.library.revisions import Note
from warm_tui.library.warmth import uses_of
from warm_tui.paths import Home
from warm_tui.screens.shared.arranging import no_match
from warm_tui.sessions.text import plural
from warm_tui.templates.budget import Tokens, count_tokens
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.files import Known, Proposals, TemplateFiles, check_name
from warm_tui.templates.formats import as_version_2
from warm_tui.templates.model import Template
from warm_tui.templates.shelf import Row, proposed, shelf

FIRST = 60
Stamps: TypeAlias = list[tuple[str, int, int]]


class ShelfReading(NamedTuple):
    """What the files of templates and of the agent said, and how these files stood then."""

    rows: list[Row]
    unreadable: list[str]
    active: str
    stamps: Stamps
    provider: str
    whole: bool = True


def readings(home: Home, before: ShelfReading | None = None, left: Callable[[], bool] = bool) -> Iterator[ShelfReading]:
    """First as many as a screen shows, then all; where some were read `before`, all at once. For a worker."""
    if before is None:
        before = read_shelf(home, left=left, most=FIRST)
        if not left():
            yield before
        if before.whole:
            return
    whole = read_shelf(home, before, left)
    if not left():
        yield whole


def read_shelf(
    home: Home, before: ShelfReading | None = None, left: Callable[[], bool] = bool, most: int | None = None
) -> ShelfReading:
    """Files that are as they were `before` are not read again: ten thousand take seconds."""
    stamps = stamps_of(home)
    was = {row.stored.path: row for row in before.rows} if before else {}
    known = Known({path: row.stored for path, row in was.items()}, most, left)
    (rows, unreadable), (proposals, also_unreadable) = shelf(home, latest_verdicts(home), known), proposed(home)
    begun = uses_of(home)
    active, provider = Prefill(home).active(), Prefill(home).provider()

    def tokens_of(row: Row) -> Tokens:
        old = was.get(row.stored.path)
        if before and old and old.stored is row.stored and before.provider == provider:
            return old.tokens
        return count_tokens(build_conversation(row.stored.template, provider).messages)

    rows = [
        msgspec.structs.replace(
            row,
            active=active is not None and active.template == row.name and not row.proposal,
            begun_warm=0 if row.proposal else begun[row.name],
            tokens=tokens_of(row),
        )
        for row in (*rows, *proposals)
        if not left()
    ]
    troubles = [each.why for each in (*unreadable, *also_unreadable)]
    whole = most is None or len(rows) - len(proposals) + len(troubles) < most
    return ShelfReading(rows, troubles, active.template if active else "", stamps, provider, whole)


def stamps_of(home: Home) -> Stamps:
    """What changes when a template is written, used or activated, here or elsewhere."""
    prefill = Prefill(home)
    stamps = []
    for path in (*TemplateFiles(home).folders, *Proposals(home).folders, prefill.config, prefill.record):
        with suppress(OSError):
            status = path.stat()
            stamps.append((str(path), status.st_mtime_ns, status.st_size))
    return stamps


class TemplateShelf:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._files, self._proposals = TemplateFiles(home), Proposals(home)
        self._reading: ShelfReading | None = None
        self._deleted: list[tuple[Path, Path]] = []

    def take(self, reading: ShelfReading) -> None:
        self._reading = reading

    @property
    def reading(self) -> ShelfReading | None:
        return self._reading

    @property
    def is_read(self) -> bool:
        return self._reading is not None and self._reading.whole

    def changed(self) -> bool:
        """Whether it has been read, and what it was read from is other now."""
        return self._reading is not None and self.is_read and self._reading.stamps != stamps_of(self._home)

    @property
    def rows(self) -> list[Row]:
        return self._reading.rows if self._reading else []

    # --- what is told of it ---

    def header(self, shown: int, order: str) -> str:
        if self._reading is None:
            return ""
        active, unreadable = self._reading.active, self._reading.unreadable
        if active and self.is_read and not any(row.active for row in self.rows):
            active += " (deleted)"
        proposals = sum(row.proposal for row in self.rows)
        parts = [
            f"{shown:,} of {plural(len(self.rows), 'template')}" + (f" ({proposals:,} proposed)" if proposals else ""),
            "" if self._reading.whole else "reading the rest…",
            f"active: {active}" if active else "none is active",
            f"by {order.lstrip('-')} {'▼' if order.startswith('-') else '▲'}",
        ]
        parts += [f"{len(unreadable)} cannot be read: {unreadable[0]}"] if unreadable else []
        return "  ·  ".join(part for part in parts if part)

    def why_empty(self, filter_text: str) -> str:
        if self.rows:
            return no_match("template", filter_text)
        return "There is no template yet.\n\nPick calls on Curate and save them with w,\nor bring one in with i."

    # --- names ---

    def check_free(self, name: str) -> None:
        """Raises Trouble where a template cannot be called so."""
        check_name(name)
        if name in self._taken():
            raise Trouble(f"There is a template {name} already.")

    def free_name(self, name: str) -> str:
        """Like this one, with a number."""
        taken = self._taken()
        return next(free for number in range(2, 10_000) if (free := f"{name}-{number}") not in taken)

    def free_or_own_name(self, name: str) -> str:
        return self.free_name(name) if name in self._taken() else name

    def _taken(self) -> set[str]:
        return {row.name for row in self.rows if not row.proposal}

    # --- files ---

    def save(self, template: Template, name: str, note: Note) -> None:
        named = msgspec.structs.replace(as_version_2(template), name=name)
        self._files.save(msgspec.structs.replace(named, read={**named.read, "name": name}), note=note)

    def rename(self, row: Row, name: str) -> None:
        self._files.take_over_revisions(row.name, name)
        self.save(row.stored.template, name, Note(why=f"renamed from {row.name}"))
        self._files.delete(row.name)

    def accept(self, row: Row, name: str) -> None:
        """The proposal becomes a template of this name."""
        self._proposals.accept(row.name, name)

    def delete(self, row: Row) -> None:
        put_away = (self._proposals if row.proposal else self._files).delete(row.name)
        self._deleted.append((put_away, row.stored.path))

    def restore_last(self) -> str:
        """Its name; empty where nothing was deleted."""
        if not self._deleted:
            return ""
        put_away, path = self._deleted.pop()
        self._files.restore(put_away, path)
        return path.stem
