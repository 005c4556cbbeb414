"""What came of sessions, as the rules say it, against what is known: rewards of tasks, or labels read by a person.

    python tests/bench/outcomes.py DATABASE [TRUTH.json]
    python tests/bench/outcomes.py ends DATABASE

`ends` shows every place where a session could have ended, and of which the rules then would not say unknown, with what
came next: for a reader, since few sessions end with words that tell.

TRUTH.json is a list of `session_id` and `reward` (1 is done, 0 is not), with `task` where there is one. Rules were
looked at on the even tasks alone: the odd ones are told apart, as what nobody tuned to.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from warm_tui.reliability.endings import ending_of, judge_ending
from warm_tui.reliability.session_outcome import SessionOutcome
from warm_tui.reliability.stats import wilson
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source

LEFT = 150


def outcomes(path: Path) -> Iterator[tuple[str, SessionOutcome]]:
    with open_source(path) as source:
        for session in source.sessions():
            life = read_life(source, session)
            if life.sessions[-1].id == session.id:
                ending = ending_of(life.sessions[-1], life.messages[-1], life.facts)
                yield life.sessions[0].id, judge_ending(ending, life.facts)


def ends(path: Path) -> None:
    with open_source(path) as source:
        for session in source.sessions():
            life = read_life(source, session)
            last, messages, facts = replace(life.sessions[-1], end_reason="", handed_on=False), life.messages[-1], life.facts  # fmt: skip
            said = [at for at, each in enumerate(messages) if each.role == "user" and facts.words_of_user(each.text)]
            for cut in sorted({cut for at in said for cut in (at, at + 1) if cut}):
                outcome = judge_ending(ending_of(last, messages[:cut], facts), facts)
                if outcome.reached != "unknown":
                    print(f"{session.id}, message {cut}: {outcome.reached} by {outcome.rule}, {outcome.reason}")
                    for at, each in [*enumerate(messages[:cut])][-3:] + [(cut, each) for each in messages[cut : cut + 1]]:  # fmt: skip
                        words = " ".join(each.text.split())
                        print(f"   {'then' if at == cut else '    '} {each.role}: {words[:LEFT]} … {words[-LEFT:]}")


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


if __name__ == "__main__" and sys.argv[1:2] == ["ends"]:
    ends(Path(sys.argv[2]))
elif __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
