"""How often a trend is called where none is, and where there is one: sessions shuffled in time, thinned, or made worse.

python -m tests.bench.trends DATABASE... [--draws 400]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import SCALES, trends_of

END = 1_800_000_000.0
SOURCES, MODELS = ("cli", "telegram", "cron", "api"), ("small", "middle", "large")


def recorded(paths: list[str]) -> list[Profile]:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), tuple(map(Path, paths)))
        with Catalog(home) as catalog:
            return [p for p in catalog.profiles() if p.known_calls]


def drawn(sessions: list[Profile], count: int, rng: random.Random, halved: bool) -> list[Profile]:
    """So many sessions at any time; `halved`: in the second half, every other failure is none."""
    scale, found = SCALES["day"], []
    for number in range(count):
        at = END - rng.random() * 2 * scale.half * scale.seconds
        p = rng.choice(sessions)
        tools, failed = p.tool_failures, p.failed_calls
        if halved and at >= END - scale.half * scale.seconds:
            tools = {tool: (sum(rng.random() < 0.5 for _ in range(f)), calls) for tool, (f, calls) in tools.items()}
            failed = sum(f for f, _ in tools.values())
        found.append(
            replace(
                p, session_id=str(number), started_at=at, source=rng.choice(SOURCES), model=rng.choice(MODELS),
                tool_failures=tools, failed_calls=failed, relation="none",
            )
        )  # fmt: skip
    return found


def main() -> None:
    arguments = sys.argv[1:]
    draws = int(arguments.pop(arguments.index("--draws") + 1)) if "--draws" in arguments else 400
    paths = [each for each in arguments if each != "--draws"]
    for path in paths:
        sessions = recorded([path])
        for count in (20, 60, 100, 200, 400, 1000):
            for halved in (False, True):
                rng = random.Random(count)
                called: Counter[str] = Counter()
                for _ in range(draws if count < 1000 else draws // 4):
                    trends = trends_of(drawn(sessions, count, rng, halved), "day", END)
                    changes = [line.change for line in trends.lines]
                    called["any"] += any(change in ("better", "worse") for change in changes)
                    called["all"] += changes[0] in ("better", "worse")
                    called["draws"] += 1
                what = "failures halved" if halved else "shuffled in time"
                shares = {name: called[name] / called["draws"] for name in ("any", "all")}
                print(
                    f"{Path(path).stem}, {count:,} sessions, {what}: a change on any line in {shares['any']:.1%}, on that of "
                    f"all in {shares['all']:.1%} of {called['draws']} draws", flush=True,
                )  # fmt: skip


if __name__ == "__main__":
    main()
