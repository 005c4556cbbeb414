"""The templates of a home: files of their names. Whole or not at all, and never over somebody else's change."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from warm_tui.errors import NotFound, Taken, Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.library.revisions import FOUND, Note, keep_revisions, take_over
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.secrets.own_key import key_of
from warm_tui.templates.formats import read_template, write_template
from warm_tui.templates.model import Template
from warm_tui.templates.sealing import believed, sealed
from warm_tui.watching import FileState, file_state
from warm_tui.writing import read_regular, write_whole

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")
LARGEST = 50_000_000
MOST_PROPOSALS = 100
# A file may change twice within one tick of its clock: only a state this old is believed.
SETTLED_SECONDS = 2.0
OWN = Note()


class Stored(NamedTuple):
    """A template and the file it was read from, as that stood."""

    template: Template
    path: Path
    stamp: str
    state: FileState | None = None
    """Of the file; None where it may have changed since without another telling."""
    key: bytes | None = None
    """The home's, by which it is known whose words are in it."""


class Unreadable(NamedTuple):
    path: Path
    why: str


class Known(NamedTuple):
    """What a reader of many need not read again, and when it has enough."""

    stored: Mapping[Path, Stored] = {}
    most: int | None = None
    left: Callable[[], bool] = bool
    """Nobody waits for them any more."""


def check_name(name: str) -> str:
    """A name that is safe as a file's, or why it is not."""
    if not NAME.fullmatch(name) or name.endswith((".", " ", ".json")) or ".." in name:
        raise Trouble(
            f"{name[:40]!r} cannot be a template's name: up to 80 letters, digits, spaces, '.', '_' and '-', "
            "beginning with a letter or digit."
        )
    return name


class TemplateFiles:
    """The operator's own."""

    word = "Template"

    def __init__(self, home: Home) -> None:
        self.home = home
        self.folder = home.root / "warm_sessions"
        self.folders: tuple[Path, ...] = (self.folder, home.root / "session-templates")
        self.bin = home.ours / "deleted"
        self.notes: list[str] = []
        """What could not be kept of what was saved."""

    def all(self, known: Known | None = None) -> tuple[list[Stored], list[Unreadable]]:
        """Every template, by name, and the files that are none."""
        known = known or Known()
        stored: dict[str, Stored] = {}
        bad: list[Unreadable] = []
        for folder in self.folders:
            for path in sorted(folder.glob("*.json"))[: known.most] if folder.is_dir() else ():
                if known.left():
                    break
                try:
                    check_name(path.stem)
                    if path.stem not in stored:
                        stored[path.stem] = self._unchanged(known.stored.get(path)) or self._read(path)
                except Trouble as trouble:
                    bad.append(Unreadable(path, str(trouble)))
        return sorted(stored.values(), key=lambda stored: stored.template.name.lower()), bad

    def find(self, name: str) -> Path | None:
        """Its file, readable or not."""
        check_name(name)
        return next((path for folder in self.folders if (path := folder / f"{name}.json").exists()), None)

    def load(self, name: str) -> Stored:
        path = self.find(name)
        if path is None:
            raise NotFound(self._why_not_found(name))
        return self._read(path)

    def _why_not_found(self, name: str) -> str:
        if Proposals(self.home).find(name) is not None:
            return f"'{name}' is a proposal of the agent: `warm-tui accept {name}` makes it a template."
        return f"Template '{name}' not found."

    def _read(self, path: Path) -> Stored:
        state = file_state(path)
        settled = time.time() - state.newest >= SETTLED_SECONDS
        return read_file(path, path.stem, self.key)._replace(state=state if settled else None, key=self.key)

    def _unchanged(self, stored: Stored | None) -> Stored | None:
        if stored is None or stored.state is None or stored.key != self.key:
            return None
        return stored if file_state(stored.path) == stored.state else None

    @cached_property
    def key(self) -> bytes | None:
        """None where none was made: reading makes no file."""
        return key_of(self.home) if (self.home.ours / "redaction.key").exists() else None

    def save(self, template: Template, expected: str | None = None, note: Note = OWN) -> Path:
        """Write it. `expected` is the stamp of what it replaces; without one, the name must be free.

        It becomes a revision only when its file is whole: after a kill between the two, the file is one by itself.
        """
        path = self.folder / f"{check_name(template.name)}.json"
        try:
            document = {**write_template(sealed(template, key_of(self.home))), "name": template.name}
            text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
        except ValueError as error:
            raise Trouble(f"{self.word} '{template.name}' cannot be written as JSON: {error}.") from error
        self.__dict__.pop("key", None)
        with self._alone(path):
            there = read_regular(path, LARGEST) if path.is_file() else None
            if expected is None and there is not None:
                raise Trouble(f"There is a {self.word.lower()} '{template.name}' already.")
            if expected is not None and (there is None or stamp_of(there) != expected):
                raise Trouble(f"{self.word} '{template.name}' was changed or deleted by somebody else meanwhile.")
            if there is None and (older := self.find(template.name)) is not None:
                there = read_regular(older, LARGEST)
            text += "\n"
            write_whole(path, text)
            self._keep_revision(template.name, there, text.encode(), note)
        return path

    def _keep_revision(self, name: str, before: bytes | None, after: bytes, note: Note) -> None:
        """With what stood there, where that is none yet. The template is saved, whether that can be kept or not."""
        states = []
        for raw, of in ((before, FOUND), (after, note)):
            with suppress(ValueError, RecursionError):
                document = json.loads(raw) if raw is not None else None
                if isinstance(document, dict):
                    states.append((stamp_of(raw or b""), document, of))
        self._in_library(lambda library: keep_revisions(library, name, states))

    def _in_library(self, act: Callable[[Library], None]) -> None:
        try:
            with open_library(self.home.library) as library:
                act(library)
        except (sqlite3.Error, Trouble, RecursionError, UnicodeError) as error:
            self.notes.append(f"The revision was not kept: {error}")

    def take_over_revisions(self, before: str, after: str) -> None:
        """What was kept of a template is kept of the one that it is renamed to."""
        self._in_library(lambda library: take_over(library, before, after))

    def delete(self, name: str) -> Path:
        """Out of the way, not gone: where it is kept is returned."""
        path = self.find(name)
        if path is None:
            raise NotFound(self._why_not_found(name))
        kept_at = self.bin / f"{name}.{time.strftime('%Y%m%d-%H%M%S')}.json"
        number = 1
        with self._alone(path):
            self.bin.mkdir(parents=True, exist_ok=True, mode=0o700)
            while kept_at.exists():
                number += 1
                kept_at = self.bin / f"{name}.{time.strftime('%Y%m%d-%H%M%S')}-{number}.json"
            try:
                os.replace(path, kept_at)
            except FileNotFoundError as error:
                raise NotFound(self._why_not_found(name)) from error
        return kept_at

    def restore(self, kept_at: Path, to: Path) -> None:
        """Undo a deletion."""
        with self._alone(to):
            if to.exists():
                raise Trouble(f"There is a template '{to.stem}' again already; the deleted one is kept as {kept_at}.")
            os.replace(kept_at, to)

    @contextmanager
    def _alone(self, path: Path) -> Iterator[None]:
        """One writer at a time in this folder."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(path.parent):
                yield
        except OSError as error:
            raise Trouble(f"{path} cannot be written: {error.strerror or error}.") from error


class Proposals(TemplateFiles):
    """What the agent would like to be templates: it may write and delete these, and nothing else."""

    word = "Proposal"

    def __init__(self, home: Home) -> None:
        super().__init__(home)
        self.folder = home.ours / "proposals"
        self.folders = (self.folder,)

    def _why_not_found(self, name: str) -> str:
        if TemplateFiles(self.home).find(name) is not None:
            return f"'{name}' is a template, and no proposal: only people delete templates."
        return f"Proposal '{name}' not found."

    def save(self, template: Template, expected: str | None = None, note: Note = OWN) -> Path:
        if expected is None and len(list(self.folder.glob("*.json"))) >= MOST_PROPOSALS:
            raise Trouble(f"There are {MOST_PROPOSALS} proposals already: none is added until some are decided on.")
        return super().save(template, expected, note)

    def _keep_revision(self, name: str, before: bytes | None, after: bytes, note: Note) -> None:
        """A proposal has none: it is the agent's, and becomes a template, or nothing."""

    def accept(self, name: str, called: str = "") -> Path:
        """It becomes a template, under its own name or another, which must be free."""
        proposal = self.load(name)
        templates = TemplateFiles(self.home)
        called = called or name
        if templates.find(called) is not None:
            raise Taken(f"There is a template '{called}' already: say another name for it.")
        path = templates.save(replace(proposal.template, name=called), note=Note("agent", "its proposal was accepted"))
        self.delete(name)
        return path


def read_file(path: Path, name: str, key: bytes | None = None) -> Stored:
    """A template of any of the formats, from any place. Without the home's key, nobody knows whose words are in it."""
    try:
        raw = read_regular(path, LARGEST)
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror or error}.") from error
    return Stored(parse(raw, name, str(path), key), path, stamp_of(raw))


def parse(raw: bytes | str, name: str, source: str, key: bytes | None = None) -> Template:
    try:
        template = read_template(json.loads(raw, parse_constant=lambda _: None, parse_float=_finite), name)
        return believed(template, key)
    except (ValueError, RecursionError) as error:
        raise Trouble(f"{source} is damaged or no template: {error}.") from error
    except Trouble as trouble:
        raise Trouble(f"{source} cannot be read as a template. {trouble}") from trouble


def _finite(text: str) -> float | None:
    number = float(text)
    return number if number - number == 0 else None


def stamp_of(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:32]
