"""Families of failures in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warm_tui.presentation.figures import ago, percent, points
from warm_tui.presentation.verdicts import YOURS
from warm_tui.reliability.families import FailedCall, Family, Mend, State
from warm_tui.reliability.family_effects import Effect
from warm_tui.sessions.text import clean_line, plural

STATE_STYLES: dict[State, str] = {
    "new": "failed", "regressed": "failed", "ongoing": "", "resolved": "ok", "muted": "dim",
}  # fmt: skip
SEVERITY: Sequence[State] = ("muted", "resolved", "ongoing", "new", "regressed")
"""By which states are sorted: what is news first where the column is turned downwards."""
WENT = {"down": "it went down", "up": "it went up", "cannot tell": "cannot tell whether it went down"}


MOST_TOOLS = 2
LONG_AGO = 7 * 86_400.0


def as_of(newest: float, now: float) -> str:
    """Where nothing was recorded for long, nobody knows what goes on today."""
    return f" as of the last session, {ago(newest, now)}" if newest and now - newest > LONG_AGO else ""


def state_sentence(family: Family, exposed: int, now: float, newest: float) -> str:
    """What the state says, and of what it is said. `newest`: when the last of all sessions began."""
    then = as_of(newest, now)
    first, last = ago(family.first_seen, now), ago(family.last_seen, now)
    why = f" ({clean_line(family.why)})" if family.why else ""
    told = {
        "new": f"New{then}: first seen {first}, and never before, which is longer than chance would leave.",
        "ongoing": f"Ongoing{then}: first seen {first}, last {last}.",
        "regressed": f"Back after it was over{then}: first seen {first}, last {last}.",
        "resolved": f"Over{then}: last seen {last}, a silence longer than chance would leave.",
        "muted": f"Muted{why}: first seen {first}, last {last}.",
    }
    if family.state == "resolved" and family.why:
        told["resolved"] = f"Marked as resolved{why}, and not seen since: last {last}."
    had = f"{plural(family.count, 'call')} failed so, in {len(family.lives):,} of {plural(exposed, 'session')}"
    return f"{told[family.state]} {had} that could have had it: those that used {tools_in_words(family)}."


def tools_of(family: Family) -> list[str]:
    """What the tools are called that failed so, those that did most often first."""
    return [name for name, _ in Counter(call.tool for call in family.calls).most_common()]


def tools_in_words(family: Family) -> str:
    """As the transcripts call them; who used another of their kind could have had it, too."""
    names = " or ".join(map(clean_line, tools_of(family)[:MOST_TOOLS]))
    return f"the tool {names}" if tools_of(family) == [family.tool] else f"{names}, or another tool of that kind"


def why_failed(call: FailedCall) -> str:
    reason = clean_line(call.reason)
    return f"{YOURS}: {reason}; ours: {call.ours}" if call.ours else reason


def cost_sentence(family: Family) -> str:
    took = f"It took {plural(family.lost, 'call')}, those on the way to a mend included"
    if not family.mended:
        return f"{took}; nothing is known that mended it."
    were = "was" if family.mended == 1 else "were"
    # Where nothing is known to have been done, that was the same call again.
    by = "" if family.mends else ", by the same call again with nothing changed before it"
    return f"{took}; {family.mended:,} of {plural(family.count, 'failure')} {were} mended{by}."


def mend_words(mend: Mend) -> str:
    return clean_line(mend.told)


def worked(mend: Mend) -> str:
    return f"{mend.worked:,} of {mend.tried:,}"


def effect_words(effect: Effect | None) -> str:
    """Whether it went down since sessions began with a template, and what that rests on."""
    if effect is None:
        return "no session that could have had it began with this template"
    before, after = (
        f"{had:,} of {of:,} ({percent(had / of if of else None)})" for had, of in (effect.before, effect.after)
    )
    between = f" ({points(effect.low, effect.high)})" if effect.low is not None and effect.high is not None else ""
    return f"{WENT[effect.went]}{between}: {before} of the sessions before, {after} of those begun with it"


def effect_style(effect: Effect | None) -> str:
    return {"down": "ok", "up": "failed", "cannot tell": "dim"}[effect.went] if effect else "dim"
