"""The key that a home has for itself: what is made with it can be made nowhere else."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from warm_tui.paths import Home
from warm_tui.writing import read_ours, write_whole

LARGEST_KEY = 4_096


def key_of(home: Home) -> bytes:
    """This home's own key: what is made with it can be made nowhere else."""
    return _key(home.ours / "redaction.key")


def _key(path: Path) -> bytes:
    """Made once. Where it cannot be kept, one for now."""
    with suppress(OSError):
        if key := read_ours(path, LARGEST_KEY):
            return key
    made = secrets.token_bytes(32)
    with suppress(OSError):
        write_whole(path, made)
    return made
