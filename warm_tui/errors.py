"""What can go wrong, as one sentence a person can act on."""

from __future__ import annotations


class Trouble(Exception):
    """It could not be done; the message is a whole sentence, meant to be shown."""
