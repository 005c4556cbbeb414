"""What can go wrong, as one sentence a person can act on."""

from __future__ import annotations

from collections.abc import Iterable


class Trouble(Exception):
    """It could not be done; the message is a whole sentence, meant to be shown."""


class NotFound(Trouble):
    """No template has this name."""


class Taken(Trouble):
    """Another template has this name."""


class Unread(Trouble):
    """A template holds text from outside that nobody has read."""


class ForeignPrefill(Trouble):
    """config.yaml names a prefill file that is not ours: it is set aside only where somebody agrees."""


class Leaking(Trouble):
    """What is to tell whether a template helps is what it was made from."""

    def __init__(self, sentence: str, sources: Iterable[str]) -> None:
        super().__init__(sentence)
        self.sources = list(sources)
        """The sessions, or the tasks, that it was made from."""


HOW_TO_BEGIN = "Start with --db FILE to name a database, or with --demo to see a sample."
"""Where there is nothing to read."""
