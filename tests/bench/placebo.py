"""How often is a cut called one where nothing was cut, and how often a step found? python tests/bench/placebo.py [FOLDER]

Recorded: every session is cut at each twentieth between 15 and 85 % of its calls, and the parts are compared as a
compaction's are. Drawn: work that steps at the cut, that drifts, and that fails in runs. What is said beside a verdict
is the sentence's business: that lives drift.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from recorded import database, folder

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.compaction import NOTHING, Change, Counts, change
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.stats import Stratum, exact_test
from warm_tui.reliability.steps import Course, shape
from warm_tui.reports.compaction import headline

PLACES = tuple(hundredths / 100 for hundredths in range(15, 90, 5))
MIN_CALLS = 8
DRAWS = 1_000
DRAWN = (
    ("steps from 10 to 50 %", 100, 50, lambda at: 0.1 if at < 0.5 else 0.5, 0),
    ("steps from 10 to 50 %", 100, 25, lambda at: 0.1 if at < 0.25 else 0.5, 0),
    ("steps from 10 to 50 %", 100, 75, lambda at: 0.1 if at < 0.75 else 0.5, 0),
    ("steps from 50 to 10 %", 100, 50, lambda at: 0.5 if at < 0.5 else 0.1, 0),
    ("steps from 10 to 60 %", 40, 20, lambda at: 0.1 if at < 0.5 else 0.6, 0),
    ("steps from 15 to 35 %", 200, 100, lambda at: 0.15 if at < 0.5 else 0.35, 0),
    ("drifts from 5 to 30 %", 60, 45, lambda at: 0.05 + 0.25 * at, 0),
    ("drifts from 10 to 40 %", 100, 50, lambda at: 0.1 + 0.3 * at, 0),
    ("drifts from 5 to 25 %", 300, 150, lambda at: 0.05 + 0.2 * at, 0),
    ("drifts from 5 to 25 %", 1000, 500, lambda at: 0.05 + 0.2 * at, 0),
    ("stays at 20 %", 100, 50, lambda at: 0.2, 0),  # noqa: ARG005
    ("fails 15 %, in short runs", 100, 50, lambda at: 0.15, 0.6),  # noqa: ARG005
    ("fails 15 %, in short runs", 300, 150, lambda at: 0.15, 0.6),  # noqa: ARG005
    ("fails 25 %, in long runs", 200, 100, lambda at: 0.25, 0.85),  # noqa: ARG005
)  # fmt: skip
"""What it does, calls, where they are cut, the rate by place, and how often a call goes as the one before."""


def by_tool(calls: list[Judged]) -> dict[str, Counts]:
    tools: dict[str, Counts] = {}
    for call, verdict in calls:
        if not call.trivial and verdict.outcome != "unknown":
            tools[call.tool_name] = tools.get(call.tool_name, NOTHING) + Counts(1, verdict.outcome == "failure")
    return tools


def cut(calls: list[Judged], place: float) -> Change:
    at = round(len(calls) * place)
    before, after = by_tool(calls[:at]), by_tool(calls[at:])
    known = [(call, verdict.outcome) for call, verdict in calls if not call.trivial and verdict.outcome != "unknown"]
    return changed([(call.tool_name, outcome == "failure") for call, outcome in known], before, after)


def changed(course: Course, before: dict[str, Counts], after: dict[str, Counts]) -> Change:
    strata = [
        Stratum(one.failures, one.calls, other.failures, other.calls)
        for tool in {**before, **after}
        for one, other in [(before.get(tool, NOTHING), after.get(tool, NOTHING))]
    ]
    test = exact_test(strata)
    whole = [sum(part.values(), start=NOTHING) for part in (before, after)]
    return change(whole[0], whole[1], test, test.p_value, shape_of=lambda: shape(course, whole[0].calls))


def drawn(does: str, calls: int, at: int, rate: Callable[[float], float], alike: float) -> None:
    rng = Random(1)
    told: Counter[str] = Counter()
    for _ in range(DRAWS):
        failed: list[bool] = []
        for place in range(calls):
            again = bool(failed) and rng.random() < alike
            failed.append(failed[-1] if again else rng.random() < rate(place / calls))
        before, after = ({"t": Counts(len(part), sum(part))} for part in (failed[:at], failed[at:]))
        one = changed([("t", each) for each in failed], before, after)
        told[one.verdict] += 1
        told["no drift"] += one.verdict in ("degraded", "improved") and one.why != "drift"
    print(
        f"{does}, {calls} calls, cut behind {at}: called degraded {told['degraded'] / DRAWS:6.1%}, "
        f"improved {told['improved'] / DRAWS:6.1%}; with no drift named {told['no drift'] / DRAWS:6.1%}",
        flush=True,
    )


def main() -> None:
    for each in DRAWN:
        drawn(*each)
    where = folder()
    if where is None:
        print("name the folder of recorded sessions", file=sys.stderr)
        return
    for name in ("swe-structured", "tau-airline"):
        path = database(where, name)
        assert path is not None
        with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (path,))) as catalog:
            lives = [calls_of(catalog, profile.session_id) for profile in catalog.profiles()]
        lives = [calls for calls in lives if len(calls) >= MIN_CALLS]
        for place in PLACES:
            changes = [cut(calls, place) for calls in lives]
            told = Counter(one.verdict for one in changes)
            bare = sum(
                one.verdict in ("degraded", "improved") and "need not be the compaction" not in headline(one)
                for one in changes
            )
            print(
                f"{name}, {len(lives)} sessions, cut at {place:.0%}: called degraded {told['degraded'] / len(lives):6.1%}, "
                f"improved {told['improved'] / len(lives):6.1%}; without the caution {bare / len(lives):6.1%}   wanted: 0",
                flush=True,
            )


def calls_of(catalog: Catalog, session: str) -> list[Judged]:
    from warm_tui.library.compactions import examine

    return [each for each in examine(catalog, session).calls if not each[0].trivial]


if __name__ == "__main__":
    main()
