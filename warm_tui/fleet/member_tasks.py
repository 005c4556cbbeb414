"""What every member can be asked: whether it answers, and to get no new work."""

from __future__ import annotations

import time

import msgspec

from warm_tui.fleet.folder import Folder
from warm_tui.paths import Home
from warm_tui.writing import write_whole


class Echo(msgspec.Struct, frozen=True):
    words: str = ""
    wait_seconds: float = 0.0


class Drain(msgspec.Struct, frozen=True):
    drained: bool = True


def echo(_home: Home, request: Echo) -> Echo:
    time.sleep(request.wait_seconds)
    return request


def drain(home: Home, request: Drain) -> Drain:
    """It is remembered: a member that begins anew stays drained."""
    flag = Folder.of(home).drained
    if request.drained:
        write_whole(flag, "")
    else:
        flag.unlink(missing_ok=True)
    return request
