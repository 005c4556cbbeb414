"""A transcript of a session that goes on: what the agent adds appears at the end, and nothing else moves."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.transcript.going import GoingAbout
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.text import plural

REST = 4
"""It is read again no sooner than after so many times as long as reading took: a long one is not read all the time."""


class FollowingAgent(GoingAbout, Following):
    follows = True
    _grew = False
    """More has come since it was opened, or it was asked for."""
    _watch: FileWatch | None = None
    _reading_since: float | None = None
    _not_before = 0.0
    _seen: int | None = None
    """So many items there were when it was opened, or when the end was last on the screen."""

    @abstractmethod
    def load(self) -> object: ...

    def reads(self, path: Path) -> None:
        """What is written there from now on is more."""
        self._reading_since = time.monotonic()
        watch = FileWatch([path], state_of)
        watch.note()
        self._watch = watch

    def has_read(self) -> None:
        """All of it."""
        if self._reading_since is not None:
            now = time.monotonic()
            self._not_before, self._reading_since = now + REST * (now - self._reading_since), None

    def follow(self) -> None:
        resting = self._reading_since is not None or time.monotonic() < self._not_before
        if self.follows and not resting and self._watch is not None and self._watch.changed():
            self.load()

    @contextmanager
    def staying_at_end(self) -> Iterator[None]:
        """What is shown anew within: whoever is at the end sees the end afterwards, and nobody else is moved."""
        view = self.view
        count, was_last, was_at_end = view.own_count, view.cursor == len(view.items) - 1, view.is_at_end
        was_in_sight = view.in_sight[1] == len(view.items) - 1
        yield
        more = bool(count) and view.own_count > count
        # A session is shown from its beginning before it is read whole: that is nothing new.
        if self._seen is None or not more:
            return
        self._grew = True
        if self.follows and was_last and was_in_sight:
            view.move(len(view.items) - 1)
        if self.follows and (was_at_end or (was_last and was_in_sight)):
            view.show_end()

    def how_it_follows(self) -> str:
        view = self.view
        if self._seen is None:
            return ""
        if view.in_sight[1] == len(view.items) - 1:
            self._seen = view.own_count
        if not self.follows:
            return "not following"
        fresh = view.own_count - self._seen
        if self._grew and fresh > 0:
            return f"{plural(fresh, 'new one')} below"
        return "following" if self._grew else ""

    def action_follow(self) -> None:
        """Go along with the agent, from the end on, or let what is shown stay as it is."""
        self.follows = not self.follows
        if self.follows:
            self._grew = True
            self.view.move(len(self.view.items) - 1)
            self.view.show_end()
            self.follow()
        self.show_header()
