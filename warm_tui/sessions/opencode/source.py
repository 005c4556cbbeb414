"""opencode's sessions in the forms that are files: an export each, or the folders of older versions."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from warm_tui.sessions.model import Message, Session
from warm_tui.sessions.opencode.database import OpencodeDb, is_opencode_db
from warm_tui.sessions.opencode.facts import OPENCODE
from warm_tui.sessions.opencode.records import Told, loads, session_of
from warm_tui.sessions.recorded_files import (
    RecordedFile,
    check_is_open,
    files_in,
    is_barred,
    looks_like,
    state_of_files,
)
from warm_tui.sessions.recordings import FileSource, Listed, Reading
from warm_tui.sessions.source import STATE, Source
from warm_tui.watching import FileState, file_state
from warm_tui.writing import read_regular

ENDINGS = (".json",)
FOLDER, STORAGE, DATABASE = "opencode", "storage", "opencode.db"


class OpencodeReading(Reading):
    """An export: one document, read as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._session = Session(id="")
        self._told = Told()

    def take_line(self, line: bytes) -> None:
        document = loads(line)
        info = document.get("info") if isinstance(document, dict) else None
        if not isinstance(info, dict):
            raise ValueError("it is no export of a session")
        self._session, self._told = session_of(info), Told()
        for message in document.get("messages") or ():
            if isinstance(message, dict) and isinstance(message.get("info"), dict):
                self._told.take(message["info"], _list(message.get("parts")))

    def advance(self, file: RecordedFile, _enough: Callable[[], bool]) -> None:
        if self.offset != file.size:
            self.feed(read_regular(file.path))
            self.offset = file.size

    def sessions(self) -> dict[str, Session]:
        return {self._session.id: self._told.whole(self._session)} if self._session.id else {}

    def messages(self, session_id: str) -> list[Message]:  # noqa: ARG002 - an export is one session
        return self._told.messages


class StoredReading(OpencodeReading):
    """A session of an older version: a file of its own, a folder of its messages, one of each message's parts."""

    def take_line(self, line: bytes) -> None:
        info = loads(line)
        if not isinstance(info, dict):
            raise ValueError("it is no session")
        self._session, self._told = session_of(info), Told()
        storage = self._storage
        for message in _documents(storage / "message" / _plain(self._session.id)):
            if isinstance(message.get("id"), str):
                self._told.take(message, _documents(storage / "part" / _plain(message["id"])))

    def __init__(self, storage: Path) -> None:
        super().__init__()
        self._storage = storage


class OpencodeSource(FileSource):
    facts = OPENCODE
    endings = ENDINGS

    def reading(self, _file: RecordedFile) -> OpencodeReading:
        storage = self.path.parent
        return StoredReading(storage) if self.path.name == "session" else OpencodeReading()

    def listed(self, file: RecordedFile) -> list[Listed]:
        if self.path.name == "session":
            info = _document(file.path)
            return [Listed(session_of(info))] if info and info.get("id") else []
        reading = self.reading(file)
        reading.advance(file, lambda: False)
        return [Listed(session) for session in reading.sessions().values()]


class OpencodeReader:
    kind = "opencode"

    def usual_places(self) -> list[Path]:
        data = os.environ.get("XDG_DATA_HOME", "").strip()
        place = (Path(data).expanduser() if data else Path.home() / ".local" / "share") / FOLDER
        return [place] if self.claims(place) else []

    def claims(self, path: Path) -> bool:
        try:
            if path.name == FOLDER and is_barred(path):
                return os.path.lexists(path)
            if os.path.isfile(path):
                return _is_export(path) if path.suffix in ENDINGS else path.name != STATE and is_opencode_db(path)
            if os.path.isfile(path / DATABASE) or os.path.isdir(path / STORAGE / "session"):
                return True
            return os.path.isdir(path) and looks_like(files_in(path, ENDINGS), _is_export)
        except OSError:
            return False

    def open(self, path: Path) -> Source:
        place = _place(path)
        check_is_open(path if path.name == FOLDER else place.parent)
        return OpencodeDb(place) if os.path.isfile(place) and place.suffix != ".json" else OpencodeSource(place)

    def state(self, path: Path) -> FileState:
        place = _place(path)
        return state_of_files(files_in(place, ENDINGS)) if os.path.isdir(place) else file_state(place)


OPENCODE_READER = OpencodeReader()


def _place(path: Path) -> Path:
    """The database where there is one, else the sessions of older versions, else what was named."""
    if os.path.isfile(path / DATABASE):
        return path / DATABASE
    return path / STORAGE / "session" if os.path.isdir(path / STORAGE / "session") else path


def _is_export(path: Path) -> bool:
    document = _document(path)
    return isinstance(document.get("info"), dict) and isinstance(document.get("messages"), list)


def _document(path: Path) -> dict[str, Any]:
    try:
        document = loads(read_regular(path))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _documents(folder: Path) -> list[dict[str, Any]]:
    return [document for file in files_in(folder, ENDINGS) if (document := _document(file.path))]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _plain(name: str) -> str:
    """A name that leads to nowhere else."""
    return name if "/" not in name and name not in ("", ".", "..") else "_"
