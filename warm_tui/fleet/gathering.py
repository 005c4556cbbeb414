"""Having what the members tell: only what has changed travels, and what was had last stays when one is away."""

from __future__ import annotations

import os
import re
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.fleet.client import Fleet, Request
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.known import note_seen
from warm_tui.fleet.messages import HomeThere, Member
from warm_tui.fleet.possible import can_be, failures_can_be, profile_can_be, session_can_be
from warm_tui.fleet.telling import Names, Since, Told, digest_of
from warm_tui.library.profiles import RULES
from warm_tui.library.profiling import decode_profile, encode_profile
from warm_tui.paths import Home
from warm_tui.reliability.failure_records import LifeFailures, decode_failures, encode_failures
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.elsewhere import ENDING, FACTS, About, Kept, LifeThere
from warm_tui.sessions.text import clean_line
from warm_tui.writing import check_may_change

ASKED_SECONDS = 30.0
LOOK_SECONDS = 0.02
FIELDS = Profile.__struct_fields__
PARTS_AT = FIELDS.index("parts")
SIGN = re.compile(r"[0-9a-f]{8}")
LARGEST = 64_000_000
"""Of what one answer may come to, unpacked: members send a quarter of that at once."""
MOST_LIVES, MOST_BYTES = 2_000_000, 4_000_000_000
"""Of what a home may tell in one breath, unpacked, always with more to come."""
MOST_HOMES, MOST_KEPT_BYTES = 200, 4_000_000_000
"""Of one member, whatever it tells from one beat to another, and of one of these."""
PATIENCE_SECONDS = 600.0
"""Somebody who is at work all the time, and tells of no session."""
NAMES_BYTES = 128_000_000
NO_FIGURES = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError, msgspec.MsgspecError)
"""What comes of reckoning with what cannot be."""


class Round(NamedTuple):
    """What one look at all members brought."""

    machines: int = 0
    homes: int = 0
    lives: int = 0
    bytes: int = 0
    again: bool = False
    """There is more to be had at once."""
    fresh: bool = False
    """A home was had for the first time."""
    troubles: tuple[str, ...] = ()


class Breath(NamedTuple):
    """What one home has told while there was always more to come."""

    lives: int
    bytes: int
    since: float
    """When it last told of a session."""


class Gatherer:
    def __init__(self, home: Home, fleet: Fleet) -> None:
        self.folder, self.fleet = Folder.of(home), fleet
        self._breath: dict[Path, Breath] = {}
        self._endless: dict[Path, str] = {}
        """Of whom no more is asked, and why."""

    def round(self, stopped: Callable[[], bool] = bool) -> Round:
        """Ask each home of each member for what has changed; one that is slow holds up none of the others."""
        check_may_change()
        members = [each for each in self.fleet.members() if not each.away]
        troubles = [each.refused for each in members if each.refused]
        asked: list[tuple[HomeKept, Request[Told]]] = []
        for member in members:
            for there in homes_of(member):
                try:
                    kept = HomeKept.of(self.folder, member, there, [each for each, _ in asked])
                    if kept.path in self._endless:
                        raise Trouble(self._endless[kept.path])
                    since = Since(there.sign, kept.cursor())
                except (Trouble, OSError, sqlite3.Error) as trouble:
                    troubles.append(str(trouble))
                    continue
                asked.append((kept, self.fleet.submit(member, "changed", since, Told, seconds=ASKED_SECONDS)))
        result = Round(len(members), len(asked), troubles=tuple(dict.fromkeys(troubles)))
        for kept, request in as_answered(asked, stopped):
            try:
                told = request.answer()
                lives = kept.take(told, self.fleet)
                again = told.more or told.at_work or kept.differs
                result = result._replace(
                    lives=result.lives + lives,
                    bytes=result.bytes + len(told.lives),
                    fresh=result.fresh or kept.is_fresh,
                )
                self._take_breath(kept, lives, kept.told_bytes, again)
                result = result._replace(again=again or result.again)
            except (Trouble, OSError, sqlite3.Error) as trouble:
                result = result._replace(troubles=(*result.troubles, str(trouble)))
            except NO_FIGURES as error:
                # Whatever one member tells, the others are had.
                sentence = f"What {request.member} tells cannot be taken: {type(error).__name__}."
                result = result._replace(troubles=(*result.troubles, sentence))
        note_seen(self.folder, members, are_all=True)
        return result

    def _take_breath(self, kept: HomeKept, lives: int, size: int, again: bool) -> None:
        """Trouble for one that never comes to an end."""
        if not again:
            self._breath.pop(kept.path, None)
            return
        now = time.monotonic()
        before = self._breath.get(kept.path, Breath(0, 0, now))
        breath = Breath(before.lives + lives, before.bytes + size, now if lives else before.since)
        self._breath[kept.path] = breath
        if breath.lives > MOST_LIVES or breath.bytes > MOST_BYTES or now - breath.since > PATIENCE_SECONDS:
            said = f"{kept.about.machine} tells of sessions of {kept.about.home} without end: no more is asked."
            self._endless[kept.path] = said
            raise Trouble(said)

    def until_all_is_had(self, stopped: Callable[[], bool] = bool) -> Round:
        told = self.round(stopped)
        while told.again and not stopped():
            more = self.round(stopped)
            told = more._replace(lives=told.lives + more.lives, bytes=told.bytes + more.bytes)
        return told


def as_answered(
    asked: list[tuple[HomeKept, Request[Told]]], stopped: Callable[[], bool]
) -> Iterator[tuple[HomeKept, Request[Told]]]:
    """Those that are answered first, then those whose time is over."""
    waiting = asked
    while waiting and not stopped():
        done = [each for each in waiting if each[1].done or time.monotonic() > each[1].until]
        yield from done
        waiting = [each for each in waiting if each not in done]
        if not done:
            time.sleep(LOOK_SECONDS)
    for _, request in waiting:
        request.cancel()


def homes_of(member: Member) -> Iterable[HomeThere]:
    """Each once, and those alone that are understood."""
    homes = () if member.refused else member.standing.homes
    return {each.sign: each for each in homes if each.agent in FACTS and SIGN.fullmatch(each.sign)}.values()


class HomeKept:
    """The file in which one home of a member is kept."""

    def __init__(self, path: Path, about: About) -> None:
        self.path, self.about = path, about
        self.is_fresh = not os.path.exists(path)
        self.differs = False
        self.told_bytes = 0
        """Unpacked, of what was told last."""

    @classmethod
    def of(cls, folder: Folder, member: Member, there: HomeThere, beside: Iterable[HomeKept] = ()) -> HomeKept:
        """Names and agents come from the member, but not where anything is kept."""
        path = folder.path / "homes" / member.name / f"{there.sign}{ENDING}"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        asked = (each.path for each in beside if each.path.parent == path.parent)
        kept = {path, *path.parent.glob(f"*{ENDING}"), *asked}
        if not path.exists() and len(kept) > MOST_HOMES:
            raise Trouble(f"{member.name} tells of more than {MOST_HOMES} homes: the others are left out.")
        about = About(member.name, clean_line(there.name)[:80], there.agent, there.sign, shape=RULES)
        return cls(path, about)

    def cursor(self) -> bytes:
        """Nothing where it was kept by another version of ours: then all of it is had anew."""
        if self.is_fresh:
            return b""
        with self._kept() as kept:
            before = kept.about
        return before.cursor if before is not None and before.shape == RULES else b""

    @contextmanager
    def _kept(self) -> Iterator[Kept]:
        """One that is damaged is given up: all that stood in it can be had anew."""
        try:
            with Kept(self.path, making=True) as kept:
                yield kept
        except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
            # The others of SQLite's errors are of their own kind: that it is busy, or the disk full.
            if type(error) is sqlite3.DatabaseError or isinstance(error, msgspec.MsgspecError):
                for ending in ("", "-wal", "-shm"):
                    Path(f"{self.path}{ending}").unlink(missing_ok=True)
                raise Trouble(f"{self.path} was damaged: it is had anew.") from error
            raise

    def take(self, told: Told, fleet: Fleet) -> int:
        """Keep what was told. How many lives that were."""
        body = unpacked(told.lives)
        self.told_bytes = len(body)
        lives = [self._taken(life, told) for life in lives_in(body)]
        if lives and not self.is_fresh and self.path.stat().st_size > MOST_KEPT_BYTES:
            raise Trouble(f"{self.about.machine} tells of more than is kept here of {self.about.home}.")
        with self._kept() as kept:
            before = kept.about
            if before is not None and before.cursor == told.cursor and not lives:
                return 0
            gone = list(kept.stamps()) if told.anew else []
            kept.put(replace(self.about, cursor=told.cursor), lives, gone)
            if not (told.more or told.at_work) and digest_of(kept.stamps()) != told.digest:
                self._mend(kept, told, fleet)
        return len(lives)

    def _mend(self, kept: Kept, told: Told, fleet: Fleet) -> None:
        """Sessions that are gone there are no change that travels: their names are asked for."""
        asked = Since(self.about.sign)
        there = fleet.ask(self.about.machine, "names", asked, Names, seconds=ASKED_SECONDS, most=NAMES_BYTES).stamps
        here = kept.stamps()
        # What is there and not here was missed: all is had anew.
        self.differs = any(here.get(name) != stamp for name, stamp in there.items())
        cursor = b"" if self.differs else told.cursor
        kept.put(replace(self.about, cursor=cursor), [], [name for name in here if name not in there])

    def _taken(self, life: LifeThere, told: Told) -> LifeThere:
        """Under the name by which the scheduler knows the machine, whatever the machine says of itself."""
        profile = bridged(life.profile, told.fields)
        failures = decode_failures(life.failures) if told.shape == RULES else LifeFailures()
        if not (
            profile_can_be(profile)
            and all(map(session_can_be, life.sessions))
            and can_be(life.counts)
            and failures_can_be(failures, max(1, len(profile.parts)))
        ):
            raise Trouble(f"What {self.about.machine} tells of a session cannot be: it is left out with the others.")
        parts = tuple(replace(part, machine=self.about.machine) for part in profile.parts)
        profile = replace(profile, machine=self.about.machine, parts=parts)
        kept = encode_profile(profile), encode_failures(failures)
        return LifeThere(life.name, life.stamp, life.sessions, life.counts, *kept)


def unpacked(raw: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(raw, LARGEST)
    except zlib.error as error:
        raise Trouble("What a member tells of its sessions cannot be read.") from error
    if unpacking.unconsumed_tail:
        raise Trouble("What a member tells is too much for one answer.")
    return body


def lives_in(body: bytes) -> list[LifeThere]:
    if not body:
        return []
    try:
        lives = msgspec.msgpack.decode(body, type=list[LifeThere])
        if all(len(life.sessions) == len(life.counts) for life in lives):
            return lives
        raise ValueError("of some sessions it is not told how long they are")
    except (ValueError, msgspec.MsgspecError) as error:
        raise Trouble("What a member tells of its sessions cannot be read.") from error


def bridged(raw: bytes, fields: tuple[str, ...]) -> Profile:
    """A profile whose fields stand in another order: what both versions know of it."""
    try:
        if fields == FIELDS:
            return decode_profile(raw)
        return _profile(msgspec.json.decode(raw), fields)
    except (msgspec.MsgspecError, TypeError) as error:
        raise Trouble("What a member tells of its sessions cannot be read.") from error


def _profile(values: list[Any], fields: tuple[str, ...]) -> Profile:
    named = dict(zip(fields, values, strict=False))
    parts = tuple(_profile(part, fields) for part in named.pop("parts", ()))
    ours = msgspec.structs.fields(Profile)
    usual = [named[each.encode_name] if each.encode_name in named else _usual(each) for each in ours]
    usual[PARTS_AT] = ()
    return replace(msgspec.convert(usual, Profile), parts=parts)


def _usual(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    if field.required:
        raise TypeError(f"{field.name} is missing")
    return field.default
