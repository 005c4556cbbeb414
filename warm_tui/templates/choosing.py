"""Which calls make the best template: what each is worth, and how the places are shared out among the tools."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from warm_tui.library.families import Cost
from warm_tui.reliability.session_outcome import Reached
from warm_tui.sessions.text import plural
from warm_tui.templates.mining import MOST_ARGUMENTS, Candidate

TOOLS_COVERED = 8
GOAL: Mapping[Reached, float] = {"done": 1.0, "unknown": 0.0, "not-done": -1.0}
"""What a call is worth more for what came of its session: one step of many that led nowhere is no example."""
COSTLY: Mapping[Reached, float] = {"done": 1.5, "unknown": 0.9, "not-done": 0.0}
"""What a mend is worth more each time that the calls double which its family took."""
Costs: TypeAlias = Mapping[str, Cost]
"""By family; nothing of those that nobody knows of, or that are no trouble any more."""
NO_COSTS: Costs = MappingProxyType({})


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    candidate: Candidate
    success_count: int
    session_types: tuple[str, ...]
    why: str


def choose(candidates: Iterable[Candidate], most: int, costs: Costs = NO_COSTS) -> list[Choice]:
    """Few that cover much: tools as successful work uses them, no shape twice, what mends costly failures first."""
    good = [candidate for candidate in candidates if candidate.good]
    if not good or most <= 0:
        return []
    by_shape: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in good:
        by_shape[candidate.shape].append(candidate)
    times = sorted(candidate.recorded_at or 0.0 for candidate in good)
    rank = Rank(times[0], times[-1], costs)
    by_tool: dict[str, list[tuple[float, Candidate, list[Candidate]]]] = defaultdict(list)
    for alike in by_shape.values():
        best = max(alike, key=rank.of_one)
        by_tool[best.tool].append((rank.of_one(best) + rank.of_many(len({each.life for each in alike})), best, alike))
    use = Counter(candidate.tool for candidate in good)
    places = share_out({tool: use[tool] for tool in by_tool}, {t: len(of_tool) for t, of_tool in by_tool.items()}, most)
    chosen: list[Choice] = []
    for tool, room in places.items():
        of_all = f"{tool} is {use[tool] / len(good):.0%} of the successful calls"
        share = f"{of_all}, so {room} of {sum(places.values())} suggestions are of it"
        chosen += [_choice(best, alike, share, costs) for best, alike in _various(by_tool[tool], room)]
    order = {"init": 0, "sequence": 1, "retry": 2, "final": 3}
    return sorted(chosen, key=lambda c: (order.get(c.candidate.kind, 1), c.candidate.call.position))


class Rank:
    def __init__(self, oldest: float, newest: float, costs: Costs = NO_COSTS) -> None:
        self.oldest, self.span, self.costs = oldest, (newest - oldest) or 1.0, costs

    def of_one(self, candidate: Candidate) -> float:
        return worth(candidate, self.costs) + self.of_age(candidate.recorded_at)

    def of_age(self, recorded_at: float | None) -> float:
        return 0.5 * ((recorded_at or self.oldest) - self.oldest) / self.span

    @staticmethod
    def of_many(sessions: int) -> float:
        return math.log2(1 + sessions)


def cost_of_mended(candidate: Candidate, costs: Costs) -> Cost | None:
    return costs.get(candidate.family) if candidate.mends is not None else None


def worth(candidate: Candidate, costs: Costs = NO_COSTS) -> float:
    """What a call is worth by itself, whatever other calls there are."""
    size = len(candidate.call.arguments) + len(candidate.call.result or "")
    cost = cost_of_mended(candidate, costs)
    return (
        1.5 * (candidate.mends is not None)
        + COSTLY[candidate.outcome] * math.log2(1 + (cost.lost if cost else 0))
        + GOAL[candidate.outcome]
        + 0.4 * bool(candidate.context)
        + 0.3 * (candidate.verdict.kind == "ok")
        - 1.0 * (len(candidate.call.arguments) > MOST_ARGUMENTS)
        - 0.3 * min(1.0, size / 20_000)
    )


def share_out(use: dict[str, int], most_of: dict[str, int], places: int) -> dict[str, int]:
    """Places by largest remainder, one at least for each of the tools used most, none beyond what there is."""
    tools = sorted(use, key=lambda tool: (-use[tool], tool))
    given = dict.fromkeys(tools[: min(TOOLS_COVERED, places)], 1)
    while sum(given.values()) < places:
        total = sum(use.values())
        open_to_more = [tool for tool in tools if given.get(tool, 0) < most_of[tool]]
        if not open_to_more:
            break
        lacking = max(open_to_more, key=lambda tool: (use[tool] / total * places - given.get(tool, 0), use[tool]))
        given[lacking] = given.get(lacking, 0) + 1
    return given


def _various(
    ranked: list[tuple[float, Candidate, list[Candidate]]], room: int
) -> list[tuple[Candidate, list[Candidate]]]:
    """The best, each time preferring what begins otherwise than those already taken."""
    taken: list[tuple[Candidate, list[Candidate]]] = []
    heads: Counter[str] = Counter()
    rest = sorted(ranked, key=lambda each: -each[0])[: max(200, 4 * room)]
    while rest and len(taken) < room:
        best = max(rest, key=lambda each: each[0] - 2.0 * heads[_head(each[1].shape)])
        rest.remove(best)
        heads[_head(best[1].shape)] += 1
        taken.append((best[1], best[2]))
    return taken


def _head(shape: str) -> str:
    return " ".join(shape.split()[:2])


def _choice(best: Candidate, alike: Sequence[Candidate], share: str, costs: Costs) -> Choice:
    sessions = {candidate.life for candidate in alike}
    recovered = [_recovered(best, cost_of_mended(best, costs))] if best.mends is not None else []
    often = f"its shape succeeded {len(alike):,}× in {len(sessions):,} session{'s' * (len(sessions) != 1)}"
    reached = ["its session reached its goal"] if best.outcome == "done" else []
    parts = [*recovered, *reached, often, share]
    return Choice(
        candidate=best,
        success_count=len(sessions),
        session_types=tuple(sorted({candidate.task_type for candidate in alike})),
        why="; ".join(parts),
    )


def _recovered(mend: Candidate, cost: Cost | None) -> str:
    told = "after it what had failed before worked" if mend.then_again else "it recovered from a failure"
    family = f", of a family that cost {plural(cost.lost, 'call')}: {cost.title}" if cost else ""
    return f"{told} ({mend.fixed[:80]}){family}"
