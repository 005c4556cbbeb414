"""A verdict in words: a person's own with ours beside it, and how sure ours is."""

from __future__ import annotations

from warm_tui.presentation.figures import moment
from warm_tui.reliability.outcome import Verdict

YOURS = "yours"
NO_REASON = "no reason given"


def label(verdict: Verdict) -> str:
    """The kind of it, in a word or two."""
    return YOURS if verdict.is_own else verdict.kind.replace("_", " ")


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
    if verdict.is_own:
        said = f"{verdict.outcome}, {YOURS} since {moment(verdict.said_at)}: {verdict.reason or NO_REASON}"
        return f"{said}; {ours_in_words(verdict)}"
    # A reason often begins with the kind: "exit code 1: …".
    kind = label(verdict) if not verdict.reason.startswith(label(verdict)) else ""
    about = ", ".join(filter(None, (kind, "likely" if verdict.confidence == "likely" else "")))
    told = f"{verdict.outcome} ({about})" if about else verdict.outcome
    return f"{told}: {verdict.reason}" if verdict.reason else told


def in_a_sentence(verdict: Verdict) -> str:
    """What was found, and how sure that is."""
    if verdict.is_own:
        return f"You said {verdict.outcome}: {verdict.reason or NO_REASON}; {ours_in_words(verdict)}."
    sure = "likely" if verdict.confidence == "likely" else "certain"
    return f"{verdict.outcome.capitalize()} ({label(verdict)}), {sure}" + (
        f": {verdict.reason}" if verdict.reason else ""
    )


def ours_in_words(verdict: Verdict) -> str:
    return f"ours: {whole(verdict.ours)}" if verdict.ours else "ours is not known: the call is gone"
