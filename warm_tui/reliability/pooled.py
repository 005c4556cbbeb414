"""What compaction did over all sessions: each life before its first cut against after it, lives as units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from warm_tui.reliability.compaction import NOTHING, Counts, Impact, Segment, merged, total
from warm_tui.reliability.stats import Difference
from warm_tui.reliability.survival import Survival

SHARES = ((0.5, "less than half"), (0.8, "half to four fifths"), (float("inf"), "more than four fifths"))
UNKNOWN_SHARE = "unknown how much"


class Effect(msgspec.Struct, frozen=True):
    """One life, as far as the pooled effect needs it."""

    session_id: str
    """Of its first session; behind its agent or its home, where another has that id, too."""
    title: str
    model: str
    compactions: int
    before: dict[str, Counts]
    after: dict[str, Counts]
    share_cut: float | None
    """How much of the context went, on average over its compactions."""
    impact: Impact
    agent: str = ""
    home: str = ""


class Group(msgspec.Struct, frozen=True):
    """Some lives, or one tool in all of them."""

    name: str
    lives: int
    compactions: int
    before: Counts
    after: Counts
    difference: Difference


class Pooled(msgspec.Struct, frozen=True):
    all: Group
    by_tool: list[Group]
    by_model: list[Group]
    by_share: list[Group]


def effect_of(session_id: str, title: str, model: str, impact: Impact, survived: Sequence[Survival]) -> Effect:
    shares = [survival.share_cut for survival in survived if survival.share_cut is not None]
    first, rest = impact.segments[0], impact.segments[1:]
    return Effect(
        session_id,
        title,
        model,
        len(impact.segments) - 1,
        first.tools,
        merged(_tools(rest)),
        sum(shares) / len(shares) if shares else None,
        impact,
    )


def _tools(segments: Iterable[Segment]) -> Iterable[dict[str, Counts]]:
    return (segment.tools for segment in segments)


def pooled(effects: Sequence[Effect]) -> Pooled:
    tools = sorted({tool for effect in effects for tool in (*effect.before, *effect.after)})
    return Pooled(
        _group("all", effects),
        _hardest(_group(tool, effects, tool) for tool in tools),
        _hardest(_grouped(effects, lambda effect: effect.model or "unknown model")),
        _grouped(effects, share_named),
    )


def share_named(effect: Effect) -> str:
    if effect.share_cut is None:
        return UNKNOWN_SHARE
    return next(name for limit, name in SHARES if effect.share_cut < limit)


def _grouped(effects: Iterable[Effect], named: Callable[[Effect], str]) -> list[Group]:
    groups: dict[str, list[Effect]] = {}
    for effect in effects:
        groups.setdefault(named(effect), []).append(effect)
    order = [name for _, name in SHARES]
    names = sorted(groups, key=lambda name: (order.index(name) if name in order else len(order), name))
    return [_group(name, groups[name]) for name in names]


def _hardest(groups: Iterable[Group]) -> list[Group]:
    """Where it hurts most for certain first; what has nothing to compare last."""

    def key(group: Group) -> tuple[bool, bool, float]:
        difference = group.difference
        # What a single life says comes behind what several agree on.
        known = difference.difference if difference.low is None else difference.low
        return (difference.difference is None, difference.low is None, -(known or 0.0))

    return sorted(groups, key=key)


def _group(name: str, effects: Sequence[Effect], tool: str | None = None) -> Group:
    """Only lives with calls on both sides can tell a difference."""
    from warm_tui.reliability.clusters import paired

    def counts(of: dict[str, Counts]) -> Counts:
        return total(of) if tool is None else of.get(tool, NOTHING)

    sides = [(counts(effect.before), counts(effect.after), effect.compactions) for effect in effects]
    telling = [(before, after, cuts) for before, after, cuts in sides if before.calls and after.calls]
    difference = paired(
        [[(float(before.failures), float(before.calls))] for before, _, _ in telling],
        [[(float(after.failures), float(after.calls))] for _, after, _ in telling],
    )
    return Group(
        name,
        len(telling),
        sum(cuts for _, _, cuts in telling),
        sum((before for before, _, _ in telling), start=NOTHING),
        sum((after for _, after, _ in telling), start=NOTHING),
        difference[0] if difference else Difference(None, None, (0, 0)),
    )
