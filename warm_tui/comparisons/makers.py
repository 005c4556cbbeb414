"""By what an experiment's runs were made: where that is not the same for all, it may be what differs between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from warm_tui.library.experiments import NO_RESULT, Run
from warm_tui.sessions.text import plural

NOT_KNOWN = "a version not known"
MOST_NAMED = 10


def makers_told(runs: Sequence[Run]) -> list[str]:
    """What of a run's makers is not the same for all, by the name of its field."""
    elsewhere = any(run.machine for run in runs)
    several = len({run.hermes for run in runs if run.hermes}) > 1
    return [name for name, is_told in (("machine", elsewhere), ("hermes", elsewhere or several)) if is_told]


def makers_in_words(runs: Sequence[Run]) -> list[str]:
    """Of the runs that came to something. Nothing where one version made all, and each pair on one machine."""
    made = [run for run in runs if run.finished and run.state not in NO_RESULT]
    versions: dict[str, list[Run]] = {}
    for run in made:
        versions.setdefault(run.hermes or NOT_KNOWN, []).append(run)
    sentences = []
    if len(versions) > 1:
        each = "; ".join(f"{name} made {_told(versions[name])}" for name in sorted(versions))
        sentences.append(f"Hermes was not the same for all runs, and may be what differs between them: {each}.")
        sentences += _parted(made, lambda run: run.hermes, "by two versions of Hermes") or [
            "Both runs of each pair were made by one version."
        ]
    return [*sentences, *_parted(made, lambda run: run.machine, "on two machines")]


def _told(runs: Sequence[Run]) -> str:
    machines = sorted({run.machine for run in runs})
    where = f" on {_some(name or 'this machine' for name in machines)}" if machines != [""] else ""
    return f"{plural(len(runs), 'run')}{where}"


def _parted(made: Sequence[Run], of: Callable[[Run], str], what: str) -> list[str]:
    pairs: dict[int, set[str]] = {}
    for run in made:
        pairs.setdefault(run.pair, set()).add(of(run))
    parted = sorted(pair for pair, makers in pairs.items() if len(makers) > 1)
    if not parted:
        return []
    named = _some(f"{pair + 1:,}" for pair in parted)
    pairs_named = f"{plural(len(parted), 'pair')} ({named})"
    return [f"In {pairs_named}, the two runs were made {what}: that may be what differs between them."]


def _some(names: Iterable[str]) -> str:
    all_of = [*names]
    beside = len(all_of) - MOST_NAMED
    return ", ".join(all_of[:MOST_NAMED]) + (f" and {beside:,} more" if beside > 0 else "")
