"""What is told a person once, in whichever home: kept in the user's cache, since a sample is gone when it is left."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from textual.app import App

from warm_tui.writing import looks_only, write_whole

TOUR: Final = "tour-was-shown"
NUMBERS: Final = "numbers-were-told"
NUMBERS_MOVED = "Failures is on key 2 now; Curate, Templates, Compaction, Compare and Experiments are on 3 to 7."


def greet(app: App[None], is_sample: bool, is_known: bool, say: Callable[[str], None]) -> None:
    """Over the sample, by a tour; one that was broken off has shown nothing. `is_known`: others were learnt there."""
    if is_sample:
        if is_first_time(TOUR):
            from warm_tui.screens.shared.tour import Tour

            app.push_screen(Tour(), lambda _: note_told(TOUR))
    elif is_first_time(NUMBERS):
        note_told(NUMBERS)
        if is_known:
            say(NUMBERS_MOVED)


def is_first_time(what: str) -> bool:
    """Where it cannot be kept that it was told, it is not told, rather than each time."""
    mark = _mark(what)
    folder = next(each for each in mark.parents if each.exists())
    return not mark.exists() and not looks_only() and os.access(folder, os.W_OK)


def note_told(what: str) -> None:
    with suppress(OSError):
        write_whole(_mark(what), "")


def _mark(what: str) -> Path:
    import platformdirs

    return platformdirs.user_cache_path("warm-tui") / what
