"""Failures that are the same trouble, as one: how often, since when, what mended it, and whether it is over.

Pure: from what is kept of each life to families, the same in whatever order the lives come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from warm_tui.reliability.failure_records import Failure, Fingerprint, LifeFailures, sign_of
from warm_tui.reliability.silence import chance_of_gap, is_over
from warm_tui.reliability.stats import LEVEL, wilson

State: TypeAlias = Literal["new", "ongoing", "regressed", "resolved", "muted"]
DAY = 86_400.0
NEWS_DAYS = 14
"""For so long what appeared is called new, and what came back regressed."""
MOST_BUCKETS, FEW_BUCKETS, A_BUCKET = 60, 6, 4
"""Of a trend, and how many sessions one has where there are enough of them."""
WIDTHS = (1, 7, 30, 90, 365)
"""Of buckets, in days: the narrowest of which there are not too many."""


class Said(msgspec.Struct, frozen=True):
    """What an operator said of a family."""

    what: Literal["muted", "resolved"]
    why: str
    at: float


class FailedLife(NamedTuple):
    """A life with what is kept of its failures."""

    name: str
    started_at: float
    model: str
    home: str
    source: str
    sessions: tuple[str, ...]
    kept: LifeFailures


class FailedCall(msgspec.Struct, frozen=True, gc=False):
    life: str
    session_id: str
    call: str
    """Its key in that session."""
    at: float
    tool: str
    reason: str
    mended: bool
    ours: str = ""
    """Where a person judged it: what the rules say."""


class Mend(msgspec.Struct, frozen=True):
    """What was tried after a failure with the same aim: calls of one shape, and how often they worked."""

    shape: str
    worked: int
    tried: int
    life: str
    session_id: str
    call: str
    """The newest that worked."""
    words: str
    """What that one was told to do."""
    again: bool = False
    """It was a change, after which the same call as before worked."""

    @property
    def told(self) -> str:
        return f"{self.words or self.shape}{', then the same call again' * self.again}"

    @property
    def share(self) -> tuple[float, float] | None:
        """Between these its true share lies, 95 times in 100."""
        return wilson(self.worked, self.tried)


class Bucket(msgspec.Struct, frozen=True):
    """A stretch of a trend, by when sessions began: of those that could have had it, how many did."""

    start: float
    failures: int
    sessions: int
    exposed: int


class Family(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    print: Fingerprint
    count: int
    lost: int
    """Calls that it took: those that failed, and those until it was mended or tried no more."""
    mended: int
    """Failures after which a call with the same aim worked."""
    lives: tuple[str, ...]
    homes: tuple[str, ...]
    models: tuple[str, ...]
    first_seen: float
    last_seen: float
    starts: tuple[float, ...]
    """When the sessions began that had it, in order."""
    state: State
    why: str = ""
    """The word with which it was muted, or marked as resolved."""
    trend: tuple[Bucket, ...] = ()
    mends: tuple[Mend, ...] = ()
    calls: tuple[FailedCall, ...] = ()
    """The newest first."""
    shapes: frozenset[str] = frozenset()
    """What was asked for when it failed."""

    @property
    def title(self) -> str:
        return self.print.title

    @property
    def tool(self) -> str:
        return self.print.tool

    @property
    def kind(self) -> str:
        return self.print.kind


class Exposed(NamedTuple):
    """The sessions that could have had a family, in the order in which they began.

    They used its tool, and are of a home and a source in which it was ever seen: what fails in the job of a timer
    says nothing of a chat.
    """

    starts: list[float]
    lives: list[str]


class Families(NamedTuple):
    """Those that cost most first, the muted ones last."""

    all: list[Family]
    exposed: Mapping[str, Exposed]
    """By family."""
    newest: float = 0.0
    """When the last session began, whatever failed in it: what a state is told as of."""

    @property
    def failures(self) -> int:
        return sum(family.count for family in self.all)

    def named(self, name: str) -> list[Family]:
        """Those whose id begins so, or what tells it from all others."""
        return [family for family in self.all if family.id.startswith(name) or sign_of(family.id).startswith(name)]


class _Tally:
    """What is gathered of one family."""

    def __init__(self, fingerprint: Fingerprint) -> None:
        self.fingerprint = fingerprint
        self.lives: list[FailedLife] = []
        self.failures: list[tuple[FailedLife, Failure]] = []

    def add(self, life: FailedLife, failure: Failure, fingerprint: Fingerprint) -> None:
        if not self.lives or self.lives[-1] is not life:
            self.lives.append(life)
            if fingerprint.rank < self.fingerprint.rank:
                self.fingerprint = fingerprint
        self.failures.append((life, failure))

    @property
    def starts(self) -> tuple[float, ...]:
        return tuple(life.started_at for life in self.lives)

    @property
    def times(self) -> list[float]:
        return [failure.at or life.started_at for life, failure in self.failures]

    @property
    def last_seen(self) -> float:
        return max(self.times)


Place: TypeAlias = tuple[str, str]
"""A home and a source."""


class _Users:
    """Which sessions used a tool, and where."""

    def __init__(self) -> None:
        self._lives: dict[tuple[str, Place], list[tuple[float, str]]] = defaultdict(list)
        self._found: dict[tuple[str, frozenset[Place]], Exposed] = {}

    def add(self, life: FailedLife) -> None:
        for tool in life.kept.tools:
            self._lives[tool, (life.home, life.source)].append((life.started_at, life.name))

    def of(self, tool: str, lives: Iterable[FailedLife]) -> Exposed:
        places = frozenset((life.home, life.source) for life in lives)
        if (tool, places) not in self._found:
            users = sorted(each for place in places for each in self._lives[tool, place])
            self._found[tool, places] = Exposed([start for start, _ in users], [name for _, name in users])
        return self._found[tool, places]


def families_of(
    lives: Iterable[FailedLife], said: Mapping[str, Said], now: float, among: Container[str] | None = None
) -> Families:
    """All families of these lives, or of those named in `among`: their state is still that of all lives.

    `said`: by the sign of a family.

    A life that has no time stands at the beginning of all.
    """
    ordered = sorted(lives, key=lambda life: (life.started_at, life.name))
    newest = ordered[-1].started_at if ordered else 0.0
    tallies, exposed = _tallied(ordered)
    states = {
        name: state_of(tally.starts, exposed[name].starts, tally.last_seen, said.get(sign_of(name)), now)
        for name, tally in tallies.items()
    }
    if among is not None:
        ordered = [life for life in ordered if life.name in among]
        tallies, exposed = _tallied(ordered)
    edges = _edges([life.started_at for life in ordered if life.started_at > 0])
    found = [
        _family(name, tally, exposed[name].starts, edges, states[name], said.get(sign_of(name)))
        for name, tally in tallies.items()
    ]
    found.sort(key=lambda family: (family.state == "muted", -family.lost, -family.count, family.id))
    return Families(found, exposed, newest)


def _tallied(ordered: Iterable[FailedLife]) -> tuple[dict[str, _Tally], dict[str, Exposed]]:
    users = _Users()
    tallies: dict[str, _Tally] = {}
    for life in ordered:
        users.add(life)
        prints = life.kept.fingerprints
        for failure in life.kept.failures:
            tally = tallies.get(failure.family)
            if tally is None:
                tally = tallies[failure.family] = _Tally(prints[failure.family])
            tally.add(life, failure, prints[failure.family])
    return tallies, {name: users.of(tally.fingerprint.tool, tally.lives) for name, tally in tallies.items()}


def _family(
    name: str, tally: _Tally, exposed: Sequence[float], edges: Sequence[float], state: State, said: Said | None
) -> Family:
    failures, times, starts = tally.failures, tally.times, tally.starts
    calls = [
        FailedCall(
            life.name, life.sessions[failure.session], failure.call, at, failure.tool, failure.reason,
            failure.mend is not None, failure.ours,
        )
        for (life, failure), at in zip(failures, times, strict=True)
    ]  # fmt: skip
    calls.sort(key=lambda call: (-call.at, call.life, call.session_id, call.call))
    return Family(
        id=name,
        print=tally.fingerprint,
        count=len(failures),
        lost=sum(failure.lost for _, failure in failures),
        mended=sum(call.mended for call in calls),
        lives=tuple(life.name for life in tally.lives),
        homes=_named(life.home for life in tally.lives),
        models=_named(life.model for life in tally.lives),
        first_seen=min(times),
        last_seen=tally.last_seen,
        starts=starts,
        state=state,
        why=said.why if said else "",
        trend=_trend(edges, [life.started_at for life, _ in failures], starts, exposed),
        mends=tuple(_mends(failures)),
        calls=tuple(calls),
        shapes=frozenset(life.kept.shapes[failure.shape] for life, failure in failures),
    )


def _named(names: Iterable[str]) -> tuple[str, ...]:
    """Those most often met first."""
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


# --- the state ---


def state_of(
    starts: Sequence[float], exposed: Sequence[float], last_seen: float, said: Said | None, now: float
) -> State:
    """From when the sessions began that had it, and those that could have had it."""
    if said is not None and said.what == "muted":
        return "muted"
    hits, places = len(starts), [bisect_left(exposed, start) for start in starts]
    sessions, first = len(exposed), places[0]
    if said is not None and said.what == "resolved" and last_seen <= said.at:
        return "resolved"
    if _is_silent(hits, first, sessions, bisect_right(exposed, starts[-1])):
        return "resolved"
    recent = now - NEWS_DAYS * DAY
    if said is not None and said.what == "resolved":
        return "regressed" if next((start for start in starts if start > said.at), last_seen) >= recent else "ongoing"
    for at in range(hits - 1, 0, -1):
        if starts[at] < recent:
            break
        if _is_silent(at, first, places[at], places[at - 1] + 1):
            return "regressed"
    is_news = starts[0] >= recent and chance_of_gap(hits, sessions, first) <= LEVEL
    return "new" if is_news else "ongoing"


def since_then(family: Family, exposed: Exposed, said: Said | None, since: float) -> Literal["new", "back", ""]:
    """Whether it was never seen before a moment, or was over then, and has been seen since."""
    if family.state == "muted" or family.last_seen < since:
        return ""
    if family.first_seen >= since:
        return "new"
    before = bisect_left(family.starts, since)
    if before == len(family.starts):
        return ""
    last = max((call.at for call in family.calls if call.at < since), default=family.first_seen)
    starts = exposed.starts[: bisect_left(exposed.starts, since)]
    then = state_of(family.starts[:before], starts, last, said, since) if before else ""
    return "back" if then == "resolved" else ""


def _is_silent(hits: int, first: int, sessions: int, behind: int) -> bool:
    """Seen last just before place `behind`, and not up to `sessions`. What was seen once may have begun anywhere."""
    if hits == 1:
        return is_over(1, sessions, sessions - behind)
    # The first is where its time begins: the others lie anywhere behind it.
    return is_over(hits - 1, sessions - first - 1, sessions - behind)


# --- the trend ---


def _edges(starts: Sequence[float]) -> list[float]:
    """Where the buckets begin, and behind them where the last one ends."""
    if not starts:
        return []
    first, last = starts[0] // DAY, starts[-1] // DAY
    most = min(MOST_BUCKETS, max(FEW_BUCKETS, len(starts) // A_BUCKET))
    width = next((width for width in WIDTHS if (last - first) // width < most), WIDTHS[-1])
    buckets = int((last - first) // width) + 1
    # The last bucket is whole: one just begun would look as if something had ended.
    end = last + 1
    return [(end - (buckets - at) * width) * DAY for at in range(buckets + 1)]


def _trend(
    edges: Sequence[float], failures: Sequence[float], starts: Sequence[float], exposed: Sequence[float]
) -> tuple[Bucket, ...]:
    buckets = []
    for low, high in pairwise(edges):
        counts = [bisect_left(values, high) - bisect_left(values, low) for values in (failures, starts, exposed)]
        buckets.append(Bucket(low, *counts))
    return tuple(buckets)


# --- what mended it ---


def _mends(failures: Sequence[tuple[FailedLife, Failure]]) -> list[Mend]:
    """By how often it worked: of what was tried seldom, as far as that tells.

    The same call again is none: what had been changed before it is, if anything had.
    """
    worked: Counter[tuple[str, bool]] = Counter()
    tried: Counter[tuple[str, bool]] = Counter()
    newest: dict[tuple[str, bool], tuple[float, str, str, str, str]] = {}
    for life, failure in failures:
        for each in failure.tries:
            if each.shape < 0:
                continue
            what = life.kept.shapes[each.shape], each.again
            tried[what] += 1
            worked[what] += each.worked
            if each.worked:
                at = failure.at or life.started_at
                own = (at, life.name, life.sessions[each.session], each.call, each.words)
                newest[what] = max(newest.get(what, own), own)
    mends = [
        Mend(what[0], worked[what], tried[what], life, session_id, call, words, what[1])
        for what, (_, life, session_id, call, words) in newest.items()
    ]
    return sorted(mends, key=lambda mend: (-(mend.share or (0.0, 0.0))[0], -mend.worked, mend.shape, mend.again))
