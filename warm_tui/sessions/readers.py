"""Which reader opens a place: the first that claims it. Hermes' is asked last."""

from __future__ import annotations

from pathlib import Path

from warm_tui.sessions.chat.source import CHAT_READER
from warm_tui.sessions.claude_code.source import CLAUDE_CODE_READER
from warm_tui.sessions.codex.source import CODEX_READER
from warm_tui.sessions.elsewhere import ELSEWHERE_READER
from warm_tui.sessions.hermes.export import EXPORT_READER
from warm_tui.sessions.hermes.reader import HERMES_READER
from warm_tui.sessions.opencode.source import OPENCODE_READER
from warm_tui.sessions.source import Reader, Source
from warm_tui.watching import FileState

READERS: list[Reader] = [HERMES_READER, CODEX_READER, CLAUDE_CODE_READER, OPENCODE_READER, EXPORT_READER, CHAT_READER]


def reader_of(path: Path) -> Reader:
    """What nobody claims is taken for the first reader's, which takes any database: it says what is wrong with it."""
    return next((reader for reader in (ELSEWHERE_READER, *READERS[1:], READERS[0]) if reader.claims(path)), READERS[0])


def kinds() -> list[str]:
    return [reader.kind for reader in READERS]


def found_by_itself() -> list[Path]:
    """Every place of every agent on this machine, those of Hermes first."""
    return [path for reader in READERS for path in reader.usual_places()]


def open_source(path: Path) -> Source:
    return reader_of(path).open(path)


def state_of(path: Path) -> FileState:
    """Whether anything changed at a place since it was last asked for."""
    return reader_of(path).state(path)
