"""Having what the members tell: only what has changed travels, and what was had last stays when one is away."""

from __future__ import annotations

import os
import re
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.fleet.client import Fleet, Request
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.known import note_seen
from warm_tui.fleet.messages import HomeThere, Member
from warm_tui.fleet.telling import Names, Since, Told, digest_of
from warm_tui.library.profiles import RULES
from warm_tui.library.profiling import decode_profile, encode_profile
from warm_tui.paths import Home
from warm_tui.reliability.failure_records import LifeFailures, encode_failures
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_LETTER
from warm_tui.sessions.elsewhere import ENDING, FACTS, About, Kept, LifeThere
from warm_tui.sessions.text import clean_line
from warm_tui.writing import check_may_change

ASKED_SECONDS = 30.0
LOOK_SECONDS = 0.02
FIELDS = Profile.__struct_fields__
PARTS_AT = FIELDS.index("parts")
NO_FAILURES = encode_failures(LifeFailures())
SIGN = re.compile(r"[0-9a-f]{8}")
LARGEST = 200_000_000
LARGEST_FIGURE, MOST_CALLS = 1e13, 10_000_000
GAINS = ("proficiency_gain", "adjusted_gain")
"""Of what one answer may come to, unpacked."""


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


class Gatherer:
    def __init__(self, home: Home, fleet: Fleet) -> None:
        self.folder, self.fleet = Folder.of(home), fleet

    def round(self, stopped: Callable[[], bool] = bool) -> Round:
        """Ask each home of each member for what has changed; one that is slow holds up none of the others."""
        check_may_change()
        members = [each for each in self.fleet.members() if not each.away]
        troubles = [each.refused for each in members if each.refused]
        asked: list[tuple[HomeKept, Request[Told]]] = []
        for member in members:
            for there in () if member.refused else member.standing.homes:
                if there.agent in FACTS and SIGN.fullmatch(there.sign):
                    kept = HomeKept.of(self.folder, member, there)
                    since = Since(there.sign, kept.cursor())
                    asked.append((kept, self.fleet.submit(member, "changed", since, Told, seconds=ASKED_SECONDS)))
        result = Round(len(members), len(asked), troubles=tuple(troubles))
        for kept, request in as_answered(asked, stopped):
            try:
                told = request.answer()
                result = result._replace(
                    lives=result.lives + kept.take(told, self.fleet),
                    bytes=result.bytes + len(told.lives),
                    again=result.again or told.more or told.at_work or kept.differs,
                    fresh=result.fresh or kept.is_fresh,
                )
            except (Trouble, OSError, sqlite3.Error) as trouble:
                result = result._replace(troubles=(*result.troubles, str(trouble)))
            except Exception as error:
                # Whatever one member tells, the others are had.
                sentence = f"What {request.member} tells cannot be taken: {type(error).__name__}."
                result = result._replace(troubles=(*result.troubles, sentence))
        note_seen(self.folder, members)
        return result

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


class HomeKept:
    """The file in which one home of a member is kept."""

    def __init__(self, path: Path, about: About) -> None:
        self.path, self.about = path, about
        self.is_fresh = not os.path.exists(path)
        self.differs = False

    @classmethod
    def of(cls, folder: Folder, member: Member, there: HomeThere) -> HomeKept:
        """Names and agents come from the member, but not where anything is kept."""
        path = folder.path / "homes" / member.name / f"{there.sign}{ENDING}"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        about = About(member.name, clean_line(there.name)[:80], there.agent, there.sign, shape=RULES)
        return cls(path, about)

    def cursor(self) -> bytes:
        """Nothing where it was kept by another version of ours: then all of it is had anew."""
        if self.is_fresh:
            return b""
        with Kept(self.path, making=True) as kept:
            before = kept.about
        return before.cursor if before is not None and before.shape == RULES else b""

    def take(self, told: Told, fleet: Fleet) -> int:
        """Keep what was told. How many lives that were."""
        lives = [self._taken(life, told) for life in unpacked(told.lives)]
        with Kept(self.path, making=True) as kept:
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
        there = fleet.ask(self.about.machine, "names", Since(self.about.sign), Names, seconds=ASKED_SECONDS).stamps
        here = kept.stamps()
        # What is there and not here was missed: all is had anew.
        self.differs = any(here.get(name) != stamp for name, stamp in there.items())
        cursor = b"" if self.differs else told.cursor
        kept.put(replace(self.about, cursor=cursor), [], [name for name in here if name not in there])

    def _taken(self, life: LifeThere, told: Told) -> LifeThere:
        """Under the name by which the scheduler knows the machine, whatever the machine says of itself."""
        profile = msgspec.structs.replace(bridged(life.profile, told.fields), machine=self.about.machine)
        failures = life.failures if told.shape == RULES else NO_FAILURES
        parts = tuple(replace(part, machine=self.about.machine) for part in profile.parts)
        if not all(map(is_possible, (profile, *parts))):
            raise Trouble(f"What {self.about.machine} tells of a session cannot be: it is left out with the others.")
        return LifeThere(
            life.name, life.stamp, life.sessions, life.counts, encode_profile(replace(profile, parts=parts)), failures
        )


def unpacked(raw: bytes) -> list[LifeThere]:
    if not raw:
        return []
    try:
        unpacking = zlib.decompressobj()
        body = unpacking.decompress(raw, LARGEST)
        if unpacking.unconsumed_tail:
            raise Trouble("What a member tells is too much for one answer.")
        lives = msgspec.msgpack.decode(body, type=list[LifeThere])
        if all(len(life.sessions) == len(life.counts) for life in lives):
            return lives
        raise ValueError("of some sessions it is not told how long they are")
    except (zlib.error, ValueError) as error:
        raise Trouble("What a member tells of its sessions cannot be read.") from error


def bridged(raw: bytes, fields: tuple[str, ...]) -> Profile:
    """A profile whose fields stand in another order: what both versions know of it."""
    try:
        if fields == FIELDS:
            return decode_profile(raw)
        return _profile(msgspec.json.decode(raw), fields)
    except (msgspec.MsgspecError, TypeError) as error:
        raise Trouble("What a member tells of its sessions cannot be read.") from error


def is_possible(profile: Profile) -> bool:
    """All that is reckoned with these figures ends, and gives figures."""
    told = {name: getattr(profile, name) for name in FIELDS if hasattr(profile, name)}
    numbers = {name: each for name, each in told.items() if isinstance(each, int | float)}
    calls = profile.successful_calls + profile.failed_calls + profile.unknown_calls
    return (
        all((-1 if name in GAINS else 0) <= each <= LARGEST_FIGURE for name, each in numbers.items())
        and all(each <= 1 for name, each in numbers.items() if "rate" in name or name in GAINS)
        and calls <= MOST_CALLS
        and len(profile.course) == len(profile.course_tools)
        and all(0 <= ord(letter) - FIRST_LETTER < len(profile.tool_distribution) for letter in profile.course_tools)
    )


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
