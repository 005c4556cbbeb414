"""Reading what stands on other machines: a session, for whoever looks at it, and words in messages."""

from __future__ import annotations

from threading import Lock

from warm_tui.fleet.client import Fleet
from warm_tui.fleet.telling import Found, Read, Search, Transcript
from warm_tui.paths import Home
from warm_tui.sessions.elsewhere import About
from warm_tui.sessions.model import Message

READ_SECONDS, SEARCH_SECONDS = 30.0, 10.0
TRANSCRIPT_BYTES = 128_000_000


class AskingFleet:
    """The connection is made when somebody asks first, and kept."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._fleet: Fleet | None = None
        self._lock = Lock()

    @property
    def fleet(self) -> Fleet:
        with self._lock:
            self._fleet = self._fleet or Fleet(self.home)
            return self._fleet

    def transcript(self, about: About, session_id: str) -> tuple[list[Message], list[Message]]:
        asked = Read(about.sign, session_id)
        told = self.fleet.ask(
            about.machine, "transcript", asked, Transcript, seconds=READ_SECONDS, most=TRANSCRIPT_BYTES
        )
        return told.messages, told.taken_back

    def sessions_with_text(self, about: About, words: str) -> set[str]:
        asked = Search(about.sign, words)
        return set(self.fleet.ask(about.machine, "search", asked, Found, seconds=SEARCH_SECONDS).sessions)
