"""A verdict in words: a person's own with ours beside it, and how sure ours is."""

from __future__ import annotations

from warm_tui.presentation.figures import moment
from warm_tui.reliability.outcome import Verdict

YOURS = "yours"
NO_REASON = "no reason given"


def label(verdict: Verdict) -> str:
    """The kind of it, in a word."""
    return YOURS if verdict.is_own else verdict.kind


def why(verdict: Verdict) -> str:
    """The reason alone, and whose it is where it is a person's."""
    return f"{YOURS}: {verdict.reason or NO_REASON}" if verdict.is_own else verdict.reason


def sentence(verdict: Verdict) -> str:
    """The reason; of a person's also the day it was said, and what the rules say."""
    if not verdict.is_own:
        return verdict.reason
    return f"{verdict.reason or NO_REASON} ({moment(verdict.said_at)[:10]}); {ours_in_words(verdict)}"


def reason_and_ours(verdict: Verdict) -> str:
    """Of a person's, beside the time it was said."""
    return f"{verdict.reason or NO_REASON}; {ours_in_words(verdict)}"


def whole(verdict: Verdict) -> str:
    """All that is to be said of it."""
    return "; ".join(in_parts(verdict))


def in_parts(verdict: Verdict) -> list[str]:
    """The same, a person's and ours apart: on one line, ours would be cut off."""
    if verdict.is_own:
        said = f"{verdict.outcome}, {YOURS} since {moment(verdict.said_at)}: {verdict.reason or NO_REASON}"
        return [said, ours_in_words(verdict)]
    likely = ", likely" if verdict.confidence == "likely" else ""
    return [f"{verdict.outcome} ({verdict.kind}{likely}) {verdict.reason}"]


def in_a_sentence(verdict: Verdict) -> str:
    """What was found, and how sure that is."""
    if verdict.is_own:
        return f"You said {verdict.outcome}: {verdict.reason or NO_REASON}; {ours_in_words(verdict)}."
    sure = "likely" if verdict.confidence == "likely" else "certain"
    return f"{verdict.outcome.capitalize()} ({verdict.kind}), {sure}" + (
        f": {verdict.reason}" if verdict.reason else ""
    )


def ours_in_words(verdict: Verdict) -> str:
    return f"ours: {whole(verdict.ours)}".rstrip() if verdict.ours else "ours is not known: the call is gone"
