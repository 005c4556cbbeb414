"""How often is a cut called one where nothing was cut? On recorded sessions: python tests/bench/placebo.py [FOLDER]

Every session is cut at a quarter, a half and three quarters of its calls, and the parts are compared as a
compaction's are. What is said beside a verdict is the sentence's business: that lives drift.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from recorded import database, folder

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.compaction import NOTHING, Counts, change
from warm_tui.reliability.places import share_as_large
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.stats import Stratum, exact_test
from warm_tui.reports.compaction import headline

PLACES = (0.25, 0.5, 0.75)
MIN_CALLS = 8


def by_tool(calls: list[Judged]) -> dict[str, Counts]:
    tools: dict[str, Counts] = {}
    for call, verdict in calls:
        if not call.trivial and verdict.outcome != "unknown":
            tools[call.tool_name] = tools.get(call.tool_name, NOTHING) + Counts(1, verdict.outcome == "failure")
    return tools


def cut(calls: list[Judged], place: float):
    at = round(len(calls) * place)
    before, after = by_tool(calls[:at]), by_tool(calls[at:])
    strata = [
        Stratum(one.failures, one.calls, other.failures, other.calls)
        for tool in {**before, **after}
        for one, other in [(before.get(tool, NOTHING), after.get(tool, NOTHING))]
    ]
    test = exact_test(strata)
    whole = [sum(part.values(), start=NOTHING) for part in (before, after)]
    known = [(call, verdict.outcome) for call, verdict in calls if not call.trivial and verdict.outcome != "unknown"]
    course = [(call.tool_name, outcome == "failure") for call, outcome in known]
    return change(whole[0], whole[1], test, test.p_value, places=lambda: share_as_large(course, whole[0].calls))


def main() -> None:
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
                f"improved {told['improved'] / len(lives):6.1%}; without the caution {bare / len(lives):6.1%}   wanted: 0"
            )


def calls_of(catalog: Catalog, session: str) -> list[Judged]:
    from warm_tui.library.compactions import examine

    return [each for each in examine(catalog, session).calls if not each[0].trivial]


if __name__ == "__main__":
    main()
