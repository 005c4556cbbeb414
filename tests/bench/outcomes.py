"""What came of sessions, as the rules say it, against what is known: rewards of tasks, or labels read by a person.

    python tests/bench/outcomes.py DATABASE [TRUTH.json]

TRUTH.json is a list of `session_id` and `reward` (1 is done, 0 is not), with `task` where there is one. Rules were
looked at on the even tasks alone: the odd ones are told apart, as what nobody tuned to.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from warm_tui.reliability.endings import ending_of, judge_ending
from warm_tui.reliability.session_outcome import SessionOutcome
from warm_tui.reliability.stats import wilson
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source


def outcomes(path: Path) -> Iterator[tuple[str, SessionOutcome]]:
    with open_source(path) as source:
        for session in source.sessions():
            life = read_life(source, session)
            if life.sessions[-1].id == session.id:
                ending = ending_of(life.sessions[-1], life.messages[-1], life.facts)
                yield life.sessions[0].id, judge_ending(ending, life.facts)


def main(path: Path, truth: Path | None) -> None:
    found = dict(outcomes(path))
    print(
        f"{path.stem}: {len(found)} sessions; "
        + ", ".join(f"{n} {o}" for o, n in Counter(o.reached for o in found.values()).items())
    )
    print("  by rule: " + ", ".join(f"{rule} {n}" for rule, n in Counter(o.rule for o in found.values()).most_common()))
    if truth is None:
        return
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    unknown: Counter[str] = Counter()
    for row in json.loads(truth.read_text()):
        outcome = found.get(row["session_id"])
        if outcome is None:
            continue
        half = "odd tasks" if row.get("task", 0) % 2 else "even tasks"
        unknown[half] += outcome.reached == "unknown"
        unknown[f"all of {half}"] += 1
        if outcome.reached != "unknown":
            right[half, outcome.reached].append((outcome.reached == "done") == (row["reward"] >= 1))
    for half in ("even tasks", "odd tasks"):
        print(f"  {half}: {unknown[half]} of {unknown[f'all of {half}']} unknown")
        for reached in ("done", "not-done"):
            said = right[half, reached]
            interval = wilson(sum(said), len(said))
            between = f" ({interval[0]:.0%} to {interval[1]:.0%})" if interval else ""
            print(f"    said {reached}: {sum(said)} of {len(said)} right{between}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
