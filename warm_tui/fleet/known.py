"""What is known here of the machines of a fleet, without asking any: everybody who was ever heard of."""

from __future__ import annotations

import time
from contextlib import suppress

import msgspec

from warm_tui.fleet.folder import Folder
from warm_tui.fleet.messages import Member
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.sessions.elsewhere import AWAY_SECONDS, SEEN, LastSeen, last_seen
from warm_tui.writing import write_whole

LOCK = "seen.lock"
"""The app, an experiment and commands write down whom they heard of, each with what the others did."""


def note_seen(folder: Folder, members: list[Member], trouble: str = "", *, are_all: bool = False) -> None:
    """Who was there now; of the others it stays what was last heard of them. `are_all`: these are not there."""
    folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder.path / LOCK):
        before = last_seen(folder.path)
        # Whoever asks may have heard of one just before it left.
        members = [each for each in members if each.last_seen > before.left.get(each.name, 0.0)]
        told = {member.name: msgspec.Raw(msgspec.json.encode(member)) for member in members}
        now = {member.name: member.last_seen for member in members}
        left = {name: at for name, at in before.left.items() if name not in now}
        others = {name: _as_away(raw) for name, raw in before.told.items()} if are_all else before.told
        heard = LastSeen(before.machines | now, others | told, trouble, left)
        write_whole(folder.path / SEEN, msgspec.json.encode(heard))


def _as_away(raw: msgspec.Raw) -> msgspec.Raw:
    with suppress(msgspec.MsgspecError):
        return msgspec.Raw(msgspec.json.encode(msgspec.json.decode(raw, type=Member)._replace(away=True)))
    return raw


def known_members(home: Home, now: float) -> list[Member]:
    """As they last were; who was not heard of for a while is away."""
    seen = last_seen(Folder.of(home).path)
    found = []
    for name, raw in sorted(seen.told.items()):
        try:
            member = msgspec.json.decode(raw, type=Member)
        except msgspec.MsgspecError:
            # Another version of ours wrote it down.
            continue
        silent = now - seen.machines.get(name, 0.0) > AWAY_SECONDS
        found.append(member._replace(away=member.away or silent))
    return found


def with_away(home: Home, members: list[Member], now: float) -> list[Member]:
    """Those that are there, and as they last were those that are not: the scheduler forgets them at once."""
    there = {member.name for member in members}
    away = [each._replace(away=True) for each in known_members(home, now) if each.name not in there]
    return sorted([*members, *away])


def forget(folder: Folder, name: str) -> None:
    """It has left for good: it is away no more."""
    with locked(folder.path / LOCK):
        before = last_seen(folder.path)
        seen = {each: at for each, at in before.machines.items() if each != name}
        told = {each: raw for each, raw in before.told.items() if each != name}
        if told != before.told:
            left = before.left | {name: time.time()}
            write_whole(folder.path / SEEN, msgspec.json.encode(LastSeen(seen, told, before.trouble, left)))


def trouble_of(home: Home) -> str:
    return last_seen(Folder.of(home).path).trouble
