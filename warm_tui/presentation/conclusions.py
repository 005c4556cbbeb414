"""What is concluded, in plain words, for somebody who has no time: what it is, how sure, what would tell.

It claims what the verdict does and nothing more; the figures stand behind it.
"""

from __future__ import annotations

from warm_tui.comparisons.compare import Comparison
from warm_tui.presentation.figures import percent
from warm_tui.reliability.compaction import Change
from warm_tui.reliability.pooled import Group
from warm_tui.reliability.stats import is_named
from warm_tui.reliability.wanted import calls_wanted
from warm_tui.sessions.text import plural

CANNOT_TELL = "We cannot tell whether compaction hurt"
NOT_ITS_DOING = "That need not be the compaction's doing: work drifts where nothing is compacted, too."
DRIFTS_HERE = "Here a steady drift is not ruled out."
MOST_WANTED = 100_000


def of_change(change: Change) -> str:
    """Of one life: before its first compaction against after it."""
    before, after = change.before, change.after
    rates = f"{percent(before.rate)} of {plural(before.calls, 'rated call')} failed before it"
    rates += f", {percent(after.rate)} of {after.calls:,} after it"
    if change.verdict == "degraded":
        return f"Work went worse after compaction: {rates}. {_not_its_doing(change)}"
    if change.verdict == "improved":
        return f"Work went better after compaction: {rates}. {_not_its_doing(change)}"
    if change.verdict == "preserved":
        return f"Work went no worse after compaction: {rates}."
    if change.why == "no calls":
        return f"{CANNOT_TELL}: {'before' if not before.calls else 'after'} it there is no call whose outcome is known."
    if change.why == "no failures":
        return "Nothing failed, neither before compaction nor after it: there is nothing to compare."
    if change.why == "other tools":
        return f"{CANNOT_TELL}: other tools were used after it, and each by itself shows no change."
    return _too_few(change)


def _not_its_doing(change: Change) -> str:
    return f"{NOT_ITS_DOING} {DRIFTS_HERE}" if change.why == "drift" else NOT_ITS_DOING


def _too_few(change: Change) -> str:
    wanted, calls = calls_wanted(change), change.before.calls + change.after.calls
    if wanted.more is not None:
        return f"{CANNOT_TELL}; about {plural(wanted.more, 'more call')} would tell."
    if wanted.in_all is not None:
        return f"{CANNOT_TELL}: it takes about {wanted.in_all:,} calls to tell, and there are {calls:,}."
    return f"{CANNOT_TELL}: before and after are too alike to be told apart by {plural(calls, 'call')}."


def of_group(group: Group, *, shown: bool) -> str:
    """Of many lives; `shown`: whether a difference is."""
    difference = group.difference
    sessions = plural(group.lives, "session")
    if difference.difference is None:
        return f"{CANNOT_TELL}: no session has calls with a known outcome both before and after it."
    if group.lives == 1:
        return f"{CANNOT_TELL}: one session proves nothing."
    if shown:
        way = "more" if difference.difference > 0 else "fewer"
        rates = f"{percent(group.before.rate)} before, {percent(group.after.rate)} after"
        return f"After compaction {way} calls fail, on average over {sessions}: {rates}. {NOT_ITS_DOING}"
    if difference.p_value is None:
        return f"{CANNOT_TELL}: {sessions} are too few; from six on a difference can be shown."
    wanted = difference.wanted
    if is_named(*difference.units) and wanted is not None and group.lives < wanted <= MOST_WANTED:
        return f"{CANNOT_TELL}; about {wanted:,} sessions would tell, and there are {group.lives:,}."
    return f"{CANNOT_TELL}: over {sessions} no difference is shown."


def of_comparison(comparison: Comparison) -> str:
    """Warm against cold."""
    difference = comparison.primary.difference
    differs = " and ".join(confounder.name for confounder in comparison.confounders)
    if not comparison.warm or not comparison.cold:
        empty = "warm" if comparison.cold else "cold" if comparison.warm else ""
        return f"There is nothing to compare: {f'the {empty} arm is empty' if empty else 'both arms are empty'}."
    if comparison.verdict in ("warm better", "warm worse"):
        way = "less" if comparison.verdict == "warm better" else "more"
        rates = f"{percent(difference.second)} of their calls, against {percent(difference.first)} of the cold ones"
        if comparison.confounders:
            return f"The arms differ in {differs}: warm sessions failed {way}, and it may be due to that."
        return f"Warm sessions fail {way}: {rates}."
    also = f" The arms also differ in {differs}." if differs else ""
    return f"We cannot tell whether warm sessions fail less{_why(comparison)}.{also}"


def _why(comparison: Comparison) -> str:
    difference = comparison.primary.difference
    units = "tasks" if comparison.paired else "sessions in each arm"
    if difference.difference is None:
        return ": an arm has no call whose outcome is known"
    if comparison.withheld:
        return " yet"
    if comparison.verdict == "not enough data":
        return f": it takes {'6 tasks' if comparison.paired else '4 sessions in each arm'} at least"
    wanted = difference.wanted
    if is_named(*difference.units) and wanted is not None and min(difference.units) < wanted <= MOST_WANTED:
        return f"; about {wanted:,} {units} would tell"
    return ": the difference between them may be chance"


HELPS_UNKNOWN = "We cannot tell whether the template helps"
OF_EXPERIMENTS = {
    "warm better": "Warm runs failed less than cold ones: the template helped.",
    "warm worse": "Warm runs failed more than cold ones: the template hurt.",
    "no difference shown": f"{HELPS_UNKNOWN}: the difference between warm and cold runs may be chance.",
    "confounded": f"{HELPS_UNKNOWN}: the arms differ in more than the template.",
    "not enough data": f"{HELPS_UNKNOWN}: too few tasks ran in both arms.",
}


def of_experiment(verdict: str, phase: str, finished: int, total: int) -> str:
    """Before it is opened in Compare, with its figures; without a verdict, how far it is from one."""
    if phase == "cancelled":
        return "It was cancelled: there is no result."
    if verdict:
        return OF_EXPERIMENTS.get(verdict, f"{HELPS_UNKNOWN}: {verdict}.")
    return f"Not decided yet: {finished:,} of {plural(total, 'run')} have ended."
