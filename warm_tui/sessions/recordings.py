"""Sessions that agents write as files: listed by their beginnings and ends, read whole only when asked for.

A file that has grown is read on from where it ended. Nothing is written, and no link is followed.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.sessions.lineage import NewestLives
from warm_tui.sessions.model import LARGEST_NUMBER, Message, Session
from warm_tui.sessions.recorded_files import (
    RecordedFile,
    files_of,
    holds,
    passed_over,
    read_lines,
)
from warm_tui.sessions.source import NO_MESSAGES, Health, Source, Stamp
from warm_tui.sessions.text import plural

KEPT_OPEN = 3
"""Files whose messages stay at hand: the transcript's, and those it is compared with."""


UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)", re.DOTALL
)
_HALF = 6
"""The length of an escape that is half a character: two of them are one."""


def mended(line: bytes) -> bytes:
    """JSON with a sign in place of half a character: agents cut texts, and what remains is no text."""
    if b"\\ud" in line or b"\\uD" in line:
        line = _ESCAPE.sub(lambda found: rb"\ufffd" if len(found[0]) == _HALF else found[0], line)
    return line.decode("utf-8", "replace").encode()


class Listed(NamedTuple):
    """A session as its file's edges tell it."""

    session: Session
    origin: str = ""
    """What it has in common with the sessions that were copied from it, or it from them."""


class Reading(ABC):
    """One file's sessions, as far as they were read: line by line, where nothing else is said."""

    def __init__(self) -> None:
        self.offset = 0
        self.whole: RecordedFile | None = None
        """The file when all of it had been read."""
        self.unreadable = 0

    def feed(self, line: bytes) -> None:
        try:
            self.take_line(line)
        except UNREADABLE:
            self._feed_mended(line)

    def _feed_mended(self, line: bytes) -> None:
        try:
            self.take_line(mended(line))
        except UNREADABLE:
            self.unreadable += 1

    @abstractmethod
    def take_line(self, line: bytes) -> None:
        """Raises before anything has changed, where it cannot be read."""

    def advance(self, file: RecordedFile, enough: Callable[[], bool]) -> None:
        """Read on to the end of the file, or until that is enough."""
        for line, offset in read_lines(file.path, self.offset) if self.whole != file else ():
            self.feed(line)
            self.offset = offset
            if enough():
                return
        self.whole = file

    @abstractmethod
    def sessions(self) -> dict[str, Session]: ...

    @abstractmethod
    def messages(self, session_id: str) -> list[Message]: ...


def find_blocks(messages: Sequence[Message], _parent: Sequence[Message] | None, begin: int) -> list[range]:
    """What compaction left of what stood before, for agents that mark it: what it kept, and the summary."""
    blocks: list[range] = []
    for at, message in enumerate(messages):
        if at < begin or not (message.carried or message.is_summary):
            continue
        if blocks and blocks[-1].stop == at and not messages[at - 1].is_summary:
            blocks[-1] = range(blocks[-1].start, at + 1)
        else:
            blocks.append(range(at, at + 1))
    return blocks


def count_copies(messages: Sequence[Message], original: Sequence[Message]) -> int:
    """How many at the beginning repeat those of another session, for agents whose calls have ids of their own."""
    ids = {call.id for message in original for call in message.calls}
    words = {(message.role, message.text) for message in original}
    copied = 0
    for at, message in enumerate(messages):
        if message.answers in ids or any(call.id in ids for call in message.calls):
            copied = at + 1
    for message in messages[copied:]:
        if message.calls or message.answers or (message.role, message.text) not in words:
            break
        copied += 1
    return copied


def moment(value: Any) -> float | None:
    """A time as files have it: ISO 8601, or seconds or milliseconds since 1970."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < LARGEST_NUMBER:
        return float(value) / 1000 if value > 1e11 else float(value)
    return None


class FileSource(Source):
    """A folder of recordings, or one file of it."""

    endings: tuple[str, ...] = (".jsonl",)
    folders: tuple[str, ...] = ()
    """What its folders in the agent's home are called; what stands in the first may be put away into the others."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.troubles: list[str] = []
        self._listed: dict[Path, tuple[RecordedFile, list[Listed]]] = {}
        self._failed: dict[RecordedFile, OSError] = {}
        """What cannot be read as it is: it is not tried again until it has changed."""
        self._readings: OrderedDict[Path, Reading] = OrderedDict()
        self._sessions: dict[str, tuple[Session, RecordedFile]] = {}
        self._missing: set[str] = set()
        """Asked for, and not there when all was last looked at."""
        self._files: list[RecordedFile] | None = None
        self._recall: Callable[[], dict[Path, tuple[RecordedFile, list[Listed]]]] | None = None
        self._recalled: dict[Path, tuple[RecordedFile, list[Listed]]] = {}

    # --- what each format has to tell ---

    @abstractmethod
    def listed(self, file: RecordedFile) -> list[Listed]:
        """The sessions in a file, as cheaply as they can be told."""

    @abstractmethod
    def reading(self, file: RecordedFile) -> Reading: ...

    # --- which files there are ---

    def files(self) -> list[RecordedFile]:
        return files_of((self.path, *self._put_away()), self.endings)

    def passed_over(self) -> list[str]:
        return [path for folder in (self.path, *self._put_away()) for path in passed_over(folder, self.endings)]

    def _put_away(self) -> list[Path]:
        others = self.folders[1:] if self.path.name in self.folders[:1] else ()
        return [folder for name in others if os.path.isdir(folder := self.path.with_name(name))]

    # --- what was told before ---

    def recall(self, known: Callable[[], dict[Path, tuple[RecordedFile, list[Listed]]]]) -> None:
        """What its files told when they were last looked at: of what is as it was, that holds."""
        self._recall = known

    def _take_recalled(self) -> None:
        if self._recall is not None:
            recall, self._recall = self._recall, None
            self._recalled = recall()
            self._listed = {**self._recalled, **self._listed}

    def news(self) -> tuple[list[tuple[RecordedFile, list[Listed]]], list[Path]]:
        """What differs from what was recalled: told anew, and gone."""
        if self._files is None:
            return [], []
        was, self._recalled = self._recalled, self._listed
        changed = [each for path, each in self._listed.items() if was.get(path, (None,))[0] != each[0]]
        return changed, [path for path in was if path not in self._listed]

    # --- what follows ---

    def glimpse(self, limit: int) -> NewestLives | None:
        """Before all files were looked at: the sessions in those that changed last."""
        self._take_recalled()
        files = self.files() if self._files is None else []
        if sum(file.path not in self._listed for file in files) <= limit:
            return None
        latest = sorted(files, key=attrgetter("changed"), reverse=True)[:limit]
        for file in latest:
            with suppress(OSError):
                self._listed[file.path] = file, self.listed(file)
        known = [self._listed[file.path] for file in latest if file.path in self._listed]
        found = [session for session, _ in self._related(known).values()]
        return NewestLives(len(files), found[:limit])

    def sessions(self) -> list[Session]:
        return [session for session, _ in self._look().values()]

    def session(self, session_id: str) -> Session | None:
        found = self._find(session_id)
        return found[0] if found else None

    def count_sessions(self) -> int:
        return len(self._look())

    def related(self) -> list[Session]:
        found = self.sessions()
        parents = {session.came_from for session in found if session.came_from}
        return [session for session in found if session.came_from or session.id in parents]

    def stamps(self) -> dict[str, Stamp]:
        return {name: file.stamp for name, (_, file) in self._look().items()}

    def stamp(self, session_id: str) -> Stamp:
        found = self._find(session_id)
        return found[1].as_it_is().stamp if found else NO_MESSAGES

    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        found = self._find(session_id)
        if found is None:
            return []
        messages = self._read(found[1].as_it_is(), session_id, first).messages(session_id)
        return messages if first < 0 else messages[:first]

    def whole(self, session: Session) -> Session:
        found = self._find(session.id)
        told = self._read(found[1]).sessions().get(session.id) if found else None
        if told is None:
            return session
        return replace(
            told,
            agent=session.agent,
            home=session.home,
            parent_id=session.parent_id,
            branched_from=session.branched_from,
            delegated_from=session.delegated_from,
        )

    def sessions_with_text(self, words: str) -> set[str]:
        sought = words.casefold()
        # What JSON never encodes otherwise is looked for in the bytes first.
        plain = sought.encode() if sought.isascii() and sought.replace(" ", "").isalnum() else b""
        return {
            name
            for name, (_, file) in self._look().items()
            if holds(file, plain, folded=True)
            and any(sought in message.text.casefold() for message in self._read(file).messages(name))
        }

    def sessions_with_call(self, call_id: str) -> list[str]:
        sought = call_id.encode("utf-8", "replace")
        found = sorted(self._look().items(), key=lambda each: each[1][0].started_at or 0.0)
        return [
            name
            for name, (_, file) in found
            if holds(file, sought, folded=False)
            and any(message.answers == call_id for message in self._read(file).messages(name))
        ]

    def health(self) -> Health:
        look = self._look()
        advice = list(dict.fromkeys(self.troubles))
        empty = [os.fspath(file.path) for file, told in self._listed.values() if file.size and not told]
        advice += _told_of("holds no session", "do", empty)
        advice += _told_of("is not read: a link, no file, or barred", "are", self.passed_over())
        if not look:
            advice.append(f"No session of {self.facts.agent} was found there.")
        files = {file.path: file.size for _, file in look.values()}
        state = f"{plural(len(files), 'file')} of {sum(files.values()) / 1e6:,.1f} MB"
        for folder in self._put_away():
            state += f", {sum(path.is_relative_to(folder) for path in files):,} of them in {folder}"
        return Health(len(look), None, state, advice=advice)

    # --- how files are read ---

    def _find(self, session_id: str) -> tuple[Session, RecordedFile] | None:
        """Without a look at the folder, where that was looked at before, and once only for one that is not there."""
        found = self._sessions.get(session_id)
        if found is None and session_id not in self._missing:
            found = self._look().get(session_id)
            if found is None:
                self._missing.add(session_id)
        return found

    def _look(self) -> dict[str, tuple[Session, RecordedFile]]:
        """Every session by its id, the newest first, as the files are now."""
        if not os.path.exists(self.path):
            raise Trouble(f"{self.path} is not there.")
        files = self.files()
        if files == self._files:
            return self._sessions
        self._take_recalled()
        self._missing.clear()
        self.troubles = []
        known: dict[Path, tuple[RecordedFile, list[Listed]]] = {}
        for file in files:
            was = self._listed.get(file.path)
            if was and was[0] == file:
                known[file.path] = was
                continue
            try:
                if failed := self._failed.get(file):
                    raise failed
                known[file.path] = file, self.listed(file)
            except OSError as error:
                self.troubles.append(f"{file.path} cannot be read: {error.strerror or error}.")
                if not isinstance(error, PermissionError):
                    self._failed[file] = error
        self._listed, self._files = known, files
        self._sessions = self._related(known.values())
        return self._sessions

    def _related(self, known: Iterable[tuple[RecordedFile, list[Listed]]]) -> dict[str, tuple[Session, RecordedFile]]:
        """Of files that begin with the same record, the first is what the others were copied from."""
        rows: list[tuple[Listed, RecordedFile]] = []
        names: set[str] = set()
        for file, listed in known:
            for each in listed:
                name = each.session.id
                if name in names:
                    name = f"{file.path.parent.name}.{name}"
                    each = each._replace(session=replace(each.session, id=name))
                if name not in names:
                    names.add(name)
                    rows.append((each, file))
        first: dict[str, str] = {}
        for each, _ in sorted(rows, key=lambda row: (row[0].session.replays, row[1].changed, row[0].session.id)):
            if each.origin:
                first.setdefault(each.origin, each.session.id)
        found = []
        for each, file in rows:
            session, copied_from = each.session, first.get(each.origin, "")
            if copied_from and copied_from != session.id and session.branched_from not in names:
                session = replace(session, branched_from=copied_from, parent_id=None)
            found.append((replace(session, agent=self.facts.agent, home=self.home), file))
        found.sort(key=lambda row: (row[0].started_at or 0.0, row[0].id), reverse=True)
        return {session.id: (session, file) for session, file in found}

    def _read(self, file: RecordedFile, session_id: str = "", first: int = -1) -> Reading:
        """All that is in a file, or the beginning of it."""
        reading = self._readings.pop(file.path, None)
        if reading is None or (reading.offset > file.size and reading.whole != file):
            reading = self.reading(file)
        try:
            reading.advance(file, lambda: 0 <= first < len(reading.messages(session_id)))
        except OSError as error:
            raise Trouble(f"{file.path} cannot be read: {error.strerror or error}.") from error
        self._readings[file.path] = reading
        while len(self._readings) > KEPT_OPEN:
            self._readings.popitem(last=False)
        return reading


def _told_of(what: str, verb: str, paths: list[str]) -> Iterable[str]:
    """One sentence, however many there are."""
    if paths:
        yield f"{paths[0]} {what}{f'; so {verb} {len(paths) - 1:,} more' if paths[1:] else ''}."
