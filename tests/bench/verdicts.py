"""How right are the verdicts? Our judge against a word search and Hermes' own display rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from recorded import LabelledCall, folder, labelled_calls

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.verdict import judge
from warm_tui.sessions.hermes.facts import HERMES

NAMES = ("hermes-0.19", "compaction-inplace", "compaction-chain", "swe-structured", "swe-text")
WORDS = ("error", "failed", "exception", "traceback", "denied", "not found")


class Judged(Protocol):
    """A call as far as the judge sees it."""

    @property
    def arguments(self) -> str: ...

    @property
    def result(self) -> str: ...


def verdict_of(call: Judged) -> Verdict:
    return judge(call.arguments, call.result, HERMES.stand_ins)


def ours(call: Judged) -> bool:
    return verdict_of(call).outcome == "failure"


def word_search(call: LabelledCall) -> bool:
    text = call.result.lower()
    return any(word in text for word in WORDS)


def hermes_rule() -> Callable[[LabelledCall], bool] | None:
    try:
        from agent.display import _detect_tool_failure
    except ImportError:
        return None
    return lambda call: _detect_tool_failure(call.tool, call.result)[0]


def ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for index in order[at : end + 1]:
            out[index] = (at + end) / 2
        at = end + 1
    return out


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    a, b = ranks(left), ranks(right)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    spread_a = sum((x - mean_a) ** 2 for x in a)
    spread_b = sum((y - mean_b) ** 2 for y in b)
    if not spread_a or not spread_b:
        return None
    return sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True)) / (spread_a * spread_b) ** 0.5


def measure(calls: list[LabelledCall], says: Callable[[LabelledCall], bool]) -> tuple[str, ...]:
    truth = [call.label in ("fail", "masked") for call in calls]
    told = [says(call) for call in calls]
    pairs = list(zip(truth, told, strict=True))
    hits, false = sum(t and s for t, s in pairs), sum(s and not t for t, s in pairs)
    missed, negatives = sum(t and not s for t, s in pairs), sum(not t for t in truth)
    precision = hits / (hits + false) if hits + false else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    sessions = sorted({call.session_id for call in calls})
    by_session: dict[str, list[tuple[bool, bool]]] = {session: [] for session in sessions}
    for call, pair in zip(calls, pairs, strict=True):
        by_session[call.session_id].append(pair)
    rates = [[sum(pair[side] for pair in rows) / len(rows) for rows in by_session.values()] for side in (0, 1)]
    correlation = spearman(*rates) if len(sessions) > 2 else None
    return (
        f"{precision:.3f}",
        f"{recall:.3f}",
        f"{f1:.3f}",
        f"{false / negatives:.2%}" if negatives else "–",
        f"{correlation:.3f}" if correlation is not None else "–",
        f"{false + missed}",
    )


def without_findings(calls: list[LabelledCall], structured: list[LabelledCall]) -> list[LabelledCall]:
    """Without the calls of linters that found something: by their exit code alone, the labels call those failures."""
    findings = [verdict_of(call).kind == "benign_exit" and call.label == "fail" for call in structured]
    return [call for call, found in zip(calls, findings, strict=True) if not found]


def main() -> None:
    where = folder()
    if where is None:
        print("skipped: there is no folder of recorded sessions here")
        return
    judges: list[tuple[str, Callable[[LabelledCall], bool]]] = [("ours", ours), ("word search", word_search)]
    if (hermes := hermes_rule()) is not None:
        judges.append(("Hermes' rule", hermes))
    else:
        print("(hermes-agent is not installed here: its own rule is left out)")
    heads = ("sessions", "calls", "judge", "precision", "recall", "F1", "false pos.", "rank corr.", "wrong")
    print("{:20}{:>7}  {:13}{:>10}{:>8}{:>8}{:>12}{:>12}{:>7}".format(*heads))
    for name in NAMES:
        calls = labelled_calls(where, name)
        if name.startswith("swe") and calls:
            answered = without_findings(calls, labelled_calls(where, "swe-structured"))
            row = (name, len(answered), "no findings", *measure(answered, ours))
            print("{:20}{:>7}  {:13}{:>10}{:>8}{:>8}{:>12}{:>12}{:>7}".format(*row))
        for title, says in judges if calls else ():
            row = (name, len(calls), title, *measure(calls, says))
            print("{:20}{:>7}  {:13}{:>10}{:>8}{:>8}{:>12}{:>12}{:>7}".format(*row))
        if name == "hermes-0.19" and calls:
            masked = [call for call in calls if call.label == "masked"]
            agreed = sum(ours(call) == (call.label == "fail") for call in calls if call.label != "masked")
            print(f"{'':20}masked found {sum(map(ours, masked))} of {len(masked)};", end=" ")
            print(f"agrees on {agreed} of {len(calls) - len(masked)} others")
        if name == "swe-structured" and calls:
            called = sum(verdict_of(call).kind == "masked" for call in calls if call.label == "ok")
            good = sum(call.label == "ok" for call in calls)
            print(f"{'':20}successes called masked: {called} of {good}, 1 in {good // called if called else '∞'}")


if __name__ == "__main__":
    main()
