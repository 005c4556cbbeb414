"""The profiles of a table of any length: held as the library keeps them, which takes a fifth of what objects do."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain
from typing import Any, NamedTuple, overload

from msgspec.structs import replace

from warm_tui.library.profiling import decode_profile, encode_profile
from warm_tui.reliability.filters import SortKey, is_copy, told_apart
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.totals import Totals
from warm_tui.sessions.model import SessionName

WORDS_OF: dict[str, Callable[[Profile], Iterable[str | None]]] = {
    "source": lambda p: (p.source,),
    "model": lambda p: (p.model,),
    "agent": lambda p: (p.agent,),
    "home": lambda p: (p.home,),
    "machine": lambda p: (p.machine,),
    "project": lambda p: (p.project,),
    "tool": lambda p: p.tool_distribution,
    "kind": lambda p: p.kinds,
    "family": lambda p: p.families,
    "type": lambda p: (p.task_type, p.dominant_tool_type),
    "relation": lambda p: (p.relation,),
}
"""What can be completed behind `field:`."""
KNOWN_AT_ONCE = ("source", "model", "agent", "home", "machine", "project")
RUN = 4_096
"""So many are sorted at once: no other thread comes to its turn meanwhile."""
PARTS = 1 << 20
"""More than a life has."""


class Rows(Sequence[Profile]):
    """Lives, the newest first, each once."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._held: list[bytes] = []
        self._started = array("d")
        self._place: dict[str, int] = {}
        self._named: dict[tuple[str, str, str, str], str] = {}
        """Of a life whose id another has, too: by machine, agent, home and id, the name that it has here."""
        self._life_of: dict[str, str] = {}
        """Of sessions that compaction made."""
        self._heirs: dict[str, list[str]] = {}
        """The sessions that came from another, by that."""
        self.totals = Totals()
        self.words: dict[str, set[str]] = {field: set() for field in WORDS_OF}

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, at: int) -> Profile: ...
    @overload
    def __getitem__(self, at: slice) -> list[Profile]: ...
    def __getitem__(self, at: int | slice) -> Profile | list[Profile]:
        return (
            [decode_profile(each) for each in self._held[at]]
            if isinstance(at, slice)
            else decode_profile(self._held[at])
        )

    def __iter__(self) -> Iterator[Profile]:
        return map(decode_profile, self._held)

    def names_life(self, session_id: str) -> bool:
        return session_id in self._place

    @property
    def sessions(self) -> int:
        """How many there are where lives are told by their parts."""
        return len(self.names) + len(self._life_of)

    @property
    def lives(self) -> Sequence[str]:
        return self.names

    def add(self, profile: Profile, encoded: bytes | None = None) -> None:
        """Of a life that several places have, as where it was gone on with elsewhere, the one with the most in it."""
        at = self._place.get(profile.session_id)
        if at is not None and not is_copy(profile, other := self[at]):
            apart = told_apart(profile, other)
            self._named[_whole_name(profile)] = apart.session_id
            profile, encoded = apart, None
        name = profile.session_id
        if name in self._place:
            self.put(profile, encoded)
            return
        self._place[name] = len(self.names)
        self.names.append(name)
        self._held.append(encoded or encode_profile(profile))
        self.totals.add(profile)
        self._started.append(profile.started_at or 0.0)
        self._note(profile)

    def put(self, profile: Profile, encoded: bytes | None = None) -> None:
        change = Totals()
        self._put(profile, encoded, change)
        self.totals.gain(change)

    def put_all(self, encoded: Iterable[bytes]) -> tuple[list[str], list[int]]:
        """Whose they are, and where those stand. Also beside a screen that shows them: totals change in one go."""
        change = Totals()
        names, places = [], []
        for each in encoded:
            profile = decode_profile(each)
            names.append(profile.session_id)
            places.append(self._put(profile, each, change))
        self.totals.gain(change)
        return names, [place for place in places if place is not None]

    def _put(self, profile: Profile, encoded: bytes | None, change: Totals) -> int | None:
        if name := self._named.get(_whole_name(profile)):
            profile, encoded = replace(profile, session_id=name), None
        at = self._place.get(profile.session_id)
        if at is not None and profile.message_count >= (before := self[at]).message_count:
            self._held[at] = encoded or encode_profile(profile)
            change.add(before, -1)
            change.add(profile)
            self._note(profile)
        return at

    def keep_first_words(self, names: Iterable[str], before: Rows) -> None:
        """Of lives that are profiled anew, what they were called by: without a title they would be an id till then."""
        for name in names:
            at, was = self._place.get(name), before._place.get(name)
            if at is not None and was is not None and not (now := self[at]).message_count:
                self._held[at] = encode_profile(replace(now, first_message=before[was].first_message))

    def _note(self, profile: Profile) -> None:
        for field in WORDS_OF if profile.message_count else KNOWN_AT_ONCE:
            self.words[field].update(filter(None, WORDS_OF[field](profile)))
        for part in profile.parts[1:]:
            self._life_of[part.session_id] = profile.session_id
        for each in profile.parts or (profile,):
            heirs = self._heirs.setdefault(each.parent_session_id, []) if each.parent_session_id else None
            if heirs is not None and each.session_id not in heirs:
                heirs.append(each.session_id)

    def sort(self) -> None:
        """The newest first."""
        keys = list(zip(self._started, self.names, strict=True))
        self._place = {}
        order = gently_sorted(range(len(keys)), keys, down=True)
        del keys
        self.names, self._held = [self.names[at] for at in order], [self._held[at] for at in order]
        self._started = array("d", [self._started[at] for at in order])
        self._place = {name: at for at, name in enumerate(self.names)}

    # --- sessions of one id ---

    def own_name(self, shown: str) -> SessionName:
        """Whose name it is; of one that is not here, its id alone."""
        place = self.place_of(shown)
        if place is None:
            return SessionName(shown)
        profile: Profile = self[place]
        return next((part.name for part in profile.parts if part.session_id == shown), profile.name)

    def shown_name(self, name: SessionName) -> str:
        """Under which it is shown here; nothing where another of that id is. Of one that is not here, its id."""
        apart = [shown for (*_, session_id), shown in self._named.items() if session_id == name.id]
        here = [shown for shown in (name.id, *apart) if self.place_of(shown) is not None]
        if not here or not name.sign:
            return name.id
        return next((shown for shown in here if self.own_name(shown) == name), "")

    # --- lineage ---

    def life_of(self, session_id: str) -> str:
        """The life that a session is part of, by which it is named."""
        return self._life_of.get(session_id, session_id)

    def heirs_of(self, session_ids: Sequence[str]) -> list[str]:
        """The sessions that came from one of these."""
        return list(chain.from_iterable(self._heirs.get(each, ()) for each in session_ids))

    def place_of(self, session_id: str) -> int | None:
        """Where a session stands, or the life it is part of."""
        return self._place.get(self.life_of(session_id))

    # --- some of them, in another order ---

    def chosen(
        self,
        wanted: Callable[[Profile], bool] | None,
        keys: Sequence[SortKey],
        *,
        parts: bool = False,
        grouping: Grouping | None = None,
        left: Callable[[], bool] = bool,
    ) -> Chosen:
        """Those that are wanted, by a value of each, or by several. What is not known stands last, either way.

        `wanted`: None wants all of them. `left`: nobody waits for them any more.
        """
        found = array("q")
        values: list[list[Any]] = [[] for _ in keys]
        columns = [(key.value_of, column.append) for key, column in zip(keys, values, strict=True)]
        gathering = _Gathering(grouping) if grouping or wanted or parts else None
        for at, profile in enumerate(self):
            if left():
                break
            several = profile.parts if parts else ()
            for number, each in enumerate(several or (profile,), start=1 if several else 0):
                if wanted is None or wanted(each):
                    found.append(at * PARTS + number)
                    for value_of, keep in columns:
                        keep(value_of(each))
                    if gathering:
                        gathering.add(each)
        order: Sequence[int] = range(len(found))
        for key, column in zip(reversed(keys), reversed(values), strict=True):
            known = [at for at in order if column[at] is not None]
            order = [*gently_sorted(known, column, down=key.down), *(at for at in order if column[at] is None)]
        if gathering is None:
            return Chosen(self, array("q", [found[at] for at in order]), self.totals)
        order, groups = gathering.grouped(order)
        return Chosen(self, array("q", [found[at] for at in order]), gathering.totals, groups)


def _whole_name(profile: Profile) -> tuple[str, str, str, str]:
    return profile.machine, profile.agent, profile.home, profile.session_id


class Grouping(NamedTuple):
    """Of a session the name of its group; and in which order groups stand, from the one that comes first on."""

    name_of: Callable[[Profile], str]
    in_order: Callable[[Mapping[str, Totals]], Sequence[str]]


class Group(NamedTuple):
    name: str
    totals: Totals
    start: int
    """Where the first of it stands among all that were chosen."""


class _Gathering:
    """What is chosen, added up, and under which name each stands."""

    def __init__(self, grouping: Grouping | None) -> None:
        self._grouping = grouping
        self._names: list[str] = []
        self._by_name: dict[str, Totals] = {}
        self._all = Totals()

    def add(self, profile: Profile) -> None:
        if self._grouping is None:
            self._all.add(profile)
            return
        name = self._grouping.name_of(profile)
        if name not in self._by_name:
            self._by_name[name] = Totals()
        self._by_name[name].add(profile)
        self._names.append(name)

    @property
    def totals(self) -> Totals:
        return Totals.together(self._by_name.values()) if self._grouping else self._all

    def grouped(self, order: Sequence[int]) -> tuple[Sequence[int], list[Group]]:
        """In the same order, but what is of one group together."""
        if self._grouping is None:
            return order, []
        members: dict[str, list[int]] = {}
        for at in order:
            members.setdefault(self._names[at], []).append(at)
        groups, start = [], 0
        for name in self._grouping.in_order({name: self._by_name[name] for name in members}):
            groups.append(Group(name, self._by_name[name], start))
            start += len(members[name])
        return list(chain.from_iterable(members[group.name] for group in groups)), groups


class Chosen(Sequence[Profile]):
    """Some rows, or single sessions of theirs, in an order of their own."""

    def __init__(self, rows: Rows, keys: array[int], totals: Totals, groups: Sequence[Group] = ()) -> None:
        self._rows, self._keys, self.totals, self.groups = rows, keys, totals, groups

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, at: int) -> Profile: ...
    @overload
    def __getitem__(self, at: slice) -> list[Profile]: ...
    def __getitem__(self, at: int | slice) -> Profile | list[Profile]:
        if isinstance(at, slice):
            return [self._at(key) for key in self._keys[at]]
        return self._at(self._keys[at])

    def _at(self, key: int) -> Profile:
        place, number = divmod(key, PARTS)
        profile = self._rows[place]
        return profile.parts[number - 1] if number else profile

    @property
    def lives(self) -> Sequence[str]:
        return [self._rows.names[key // PARTS] for key in self._keys]

    def place_of(self, session_id: str) -> int | None:
        """Where a session stands, or the life it is part of."""
        place = self._rows.place_of(session_id)
        if place is None:
            return None
        parts = self._rows[place].parts
        number = next((number for number, part in enumerate(parts, start=1) if part.session_id == session_id), 0)
        for key in dict.fromkeys((place * PARTS + number, place * PARTS)):
            if key in self._keys:
                return self._keys.index(key)
        return None


def gently_sorted(items: Sequence[int], values: Sequence[Any], *, down: bool) -> list[int]:
    """As `sorted` would; in runs that are then joined, for that lets no other thread come to its turn meanwhile."""
    value_of = values.__getitem__
    runs = (sorted(items[at : at + RUN], key=value_of, reverse=down) for at in range(0, len(items), RUN))
    return list(merge(*runs, key=value_of, reverse=down))
