"""Which call tried again what had failed: the same tool, soon after, for much the same; and what made it work."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from warm_tui.reliability.again import changes_between, same_call
from warm_tui.reliability.failure_records import NOBODY_KNOWS, NOTHING_CHANGED, WEAKENED
from warm_tui.reliability.hunks import leaves_out_what_failed
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.searches import found_nothing
from warm_tui.reliability.shortfall import falls_short, is_left_running
from warm_tui.reliability.weakening import weakens
from warm_tui.reliability.words import command_of
from warm_tui.sessions.model import Call

REMEMBERED = 6
"""A failure is mended within so many calls, by one that shares so much of what it speaks of."""
ALIKE = 0.5
LONGEST_WORDS = 600
"""A shorter answer is the complaint itself."""
LONGEST_COMPLAINT = 20_000
"""So much of an answer is looked through for what it quotes."""


class WayOut(NamedTuple):
    at: int
    """The call that mended it."""
    since: int
    """The failed one that it mended."""
    again: bool = False
    """It was a change, after which the same call as before worked."""


class NoWay(NamedTuple):
    """There is nothing to learn of it."""

    why: int
    """One of the signs that are kept in place of a shape."""
    again: bool
    """It was the same call as one of those that failed."""


def same_aim(words: Set[str], others: Set[str]) -> bool:
    """Of what two calls of one tool speak of."""
    shared = len(words & others)
    return shared >= 2 and shared >= ALIKE * max(len(words), len(others))


def worked_short(calls: Sequence[Call], verdicts: Sequence[Verdict], failed: int, at: int) -> bool:
    """It worked, and did not do what had failed: it asks for less, found nothing, or was begun and not waited for."""
    first, second = calls[failed], calls[at]
    if verdicts[at].outcome != "success":
        return False
    if verdicts[at].kind == "benign_exit" or found_nothing(second):
        return True
    was_waited_for = verdicts[failed].kind != "timeout" and not is_left_running(first.arguments)
    if was_waited_for and is_left_running(second.arguments):
        return True
    if same_call(first, second):
        return False
    said = _said(first, verdicts[failed])
    return falls_short(first.arguments, second.arguments, said) or leaves_out_what_failed(
        first.arguments, second.arguments, (first.result or "")[:LONGEST_COMPLAINT]
    )


def way_out(calls: Sequence[Call], verdicts: Sequence[Verdict], failed: Sequence[int], at: int) -> WayOut | None:
    """What one may learn of a call after tries that failed: itself, or the one change that made the same call work.

    None where nobody knows what it was, and where the change let it work by asking for less.
    """
    way = way_or_none(calls, verdicts, failed, at)
    return way if isinstance(way, WayOut) else None


def way_or_none(calls: Sequence[Call], verdicts: Sequence[Verdict], failed: Sequence[int], at: int) -> WayOut | NoWay:
    since = next((each for each in reversed(failed) if same_call(calls[each], calls[at])), None)
    if since is None:
        changes = changes_between(calls, verdicts, failed[-1], at) if command_of(calls[at].arguments) else []
        return NoWay(NOBODY_KNOWS, again=False) if changes else WayOut(at, failed[-1])
    changes, said = changes_between(calls, verdicts, since, at), _said(calls[since], verdicts[since])
    if any(weakens(calls[each].arguments, calls[at].arguments, said) for each in changes):
        return NoWay(WEAKENED, again=True)
    if len(changes) != 1:
        return NoWay(NOBODY_KNOWS if changes else NOTHING_CHANGED, again=True)
    return WayOut(changes[0], since, again=True)


def _said(call: Call, verdict: Verdict) -> str:
    words = (call.result or "").replace("\\n", "\n")
    return f"{verdict.reason}\n{words if len(words) <= LONGEST_WORDS else ''}"
