"""When something was, so that time goes on whatever is done to the clock, and while the machine sleeps."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from warm_tui.writing import read_regular

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""It goes on while the machine sleeps, when `time.monotonic` stands still; macOS calls it monotonic."""


class Moment(msgspec.Struct, frozen=True):
    wall: float
    steady: float
    """Seconds since the machine was started, those included in which it slept. Nobody can set it."""
    boot: str
    """Which start of the machine that was."""


def now() -> Moment:
    return Moment(time.time(), time.clock_gettime(CLOCK), _boot())


def seconds_since(then: Moment, at: Moment) -> float:
    """By the clock on the wall only where the machine was started anew. Below 0, the clock was set back meanwhile."""
    return at.steady - then.steady if at.boot == then.boot else at.wall - then.wall


def seconds_left(then: Moment, seconds: float, at: Moment) -> float:
    """None where the time cannot be known: what nobody can tell is over."""
    gone = seconds_since(then, at)
    return max(0.0, seconds - gone) if gone >= 0 else 0.0


def _boot() -> str:
    try:
        return read_regular(BOOT_ID, 100).decode().strip()
    except (OSError, ValueError):
        return ""
