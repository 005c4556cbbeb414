"""The families of failures of all sessions: from what is kept of each, read once, and what an operator said of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import NamedTuple

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.profiles import RULES, key_of
from warm_tui.reliability.failure_records import Fingerprint, LifeFailures, decode_failures, sign_of
from warm_tui.reliability.families import FailedLife, Families, Said, families_of
from warm_tui.reliability.filters import Filter
from warm_tui.reliability.profile import Profile

NOTHING_KEPT = LifeFailures()
AT_ONCE = 500


class Cost(NamedTuple):
    """What a family took of all sessions."""

    title: str
    lost: int


class KeptFailures:
    """What the library keeps of each life, decoded once: a life is read again only when it has changed."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, tuple[str, LifeFailures]]] = {}
        """By database and life, with the stamp it was kept under."""
        self._lock = Lock()
        """A worker that nobody waits for any more may not have ended yet."""

    def read(self, library: Library, database: str) -> Mapping[str, tuple[str, LifeFailures]]:
        with self._lock:
            rows = self._rows.setdefault(database, {})
            sql = "SELECT session_id, stamp FROM profiles WHERE database = ? AND rules = ?"
            stamps = dict(library.connection.execute(sql, (database, RULES)))
            for gone in rows.keys() - stamps.keys():
                del rows[gone]
            changed = [name for name, stamp in stamps.items() if name not in rows or rows[name][0] != stamp]
            for at in range(0, len(changed), AT_ONCE):
                among = changed[at : at + AT_ONCE]
                sql = (
                    "SELECT session_id, stamp, failures FROM profiles WHERE database = ? AND rules = ?"
                    f" AND session_id IN ({', '.join('?' * len(among))})"
                )
                for name, stamp, kept in library.connection.execute(sql, (database, RULES, *among)):
                    rows[name] = stamp, _decoded(kept)
            return dict(rows)


def _decoded(kept: bytes | None) -> LifeFailures:
    try:
        return decode_failures(kept) if kept else NOTHING_KEPT
    except msgspec.MsgspecError:
        return NOTHING_KEPT


def families(
    catalog: Catalog, query: Filter | None = None, *, now: float | None = None, kept: KeptFailures | None = None
) -> Families:
    """The families of all sessions, or of those that match: how it stands with one is told by all sessions.

    `kept`: what was read before, where somebody asks again.
    """
    profiles = catalog.profiles()
    matching = None
    if query is not None and query.terms:
        matching = {profile.life for profile in catalog.matching(query, profiles)}
    now = time.time() if now is None else now
    failed = failed_lives(catalog, profiles, kept or KeptFailures())
    return families_of(failed, said_of_families(catalog.library), now, matching)


def failed_lives(catalog: Catalog, profiles: Iterable[Profile], kept: KeptFailures) -> list[FailedLife]:
    """These lives, each with its failures."""
    places: dict[tuple[str, str, str], Mapping[str, tuple[str, LifeFailures]]] = {}
    for source in catalog.sources:
        # A home may stand in several places: a life is looked for in each of them.
        place = (source.machine, source.facts.agent, source.home)
        places[place] = {**places.get(place, {}), **kept.read(catalog.library, key_of(source.path))}
    nothing: Mapping[str, tuple[str, LifeFailures]] = {}
    own = ((each, (each.machine, each.agent, each.home)) for each in profiles)
    return [_failed_life(profile, places.get(place, nothing)) for profile, place in own]


def _failed_life(profile: Profile, rows: Mapping[str, tuple[str, LifeFailures]]) -> FailedLife:
    # Where another life has its id, too, it is told by a longer name.
    name = profile.session_id if profile.session_id in rows else profile.session_id.partition("/")[2]
    kept = rows[name][1] if name in rows else NOTHING_KEPT
    began = profile.started_at or 0.0
    return FailedLife(
        profile.session_id, began, profile.model or "", profile.home, profile.source, profile.session_ids, kept
    )


def costs(catalog: Catalog) -> dict[str, Cost]:
    """What each family cost that nobody muted or marked as resolved."""
    prints: dict[str, Fingerprint] = {}
    lost: Counter[str] = Counter()
    for life in failed_lives(catalog, catalog.profiles(), KeptFailures()):
        for name, print_ in life.kept.fingerprints.items():
            prints[name] = min(prints.get(name, print_), print_, key=lambda each: each.rank)
        for failure in life.kept.failures:
            lost[failure.family] += failure.lost
    said = said_of_families(catalog.library)
    return {name: Cost(prints[name].title, count) for name, count in lost.items() if sign_of(name) not in said}


# --- what an operator said ---


def said_of_families(library: Library) -> dict[str, Said]:
    """By the sign of the family."""
    rows = library.connection.execute("SELECT family, said, why, at FROM families")
    return {family: Said(said, why or "", at) for family, said, why, at in rows if said in ("muted", "resolved")}


def say_of_family(library: Library, family: str, said: Said) -> None:
    """It replaces what was said of it before."""
    with library.keeping() as connection:
        sql = "INSERT OR REPLACE INTO families (family, said, why, at) VALUES (?, ?, ?, ?)"
        connection.execute(sql, (sign_of(family), said.what, said.why, said.at))


def take_back(library: Library, family: str) -> None:
    with library.keeping() as connection:
        connection.execute("DELETE FROM families WHERE family = ?", (sign_of(family),))
