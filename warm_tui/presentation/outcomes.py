"""What came of a session, in words: done, not done, or unknown, and how that is known."""

from __future__ import annotations

from warm_tui.presentation.figures import UNKNOWN_VALUE, moment
from warm_tui.presentation.lines import Piece
from warm_tui.presentation.pictures import GLYPHS
from warm_tui.presentation.verdicts import NO_REASON, YOURS
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Rate, SessionOutcome

WORDS = {"done": "done", "not-done": "not done", "unknown": "unknown"}
STYLES = {"done": "ok", "not-done": "failed", "unknown": "unknown"}


def piece(reached: str) -> Piece:
    """A glyph and a word; what nobody can tell is grey."""
    style = STYLES[reached]
    return f"{GLYPHS[style]} {WORDS[reached]}", "dim" if reached == "unknown" else style


def whole(p: Profile) -> str:
    """With the reason; beside what somebody said also what the rules do."""
    return f"{WORDS[p.outcome]}{_reason(p.outcome_confidence, p.outcome_reason)}{_ours(p.ruled_outcome)}"


def whole_of(outcome: SessionOutcome) -> str:
    at = f" ({moment(outcome.said_at)[:10]})" if outcome.said_at is not None else ""
    return f"{WORDS[outcome.reached]}{_reason(outcome.confidence, outcome.reason)}{at}"


def _reason(confidence: str, reason: str) -> str:
    if confidence == YOURS:
        return f", {YOURS}: {reason or NO_REASON}"
    return f"{', likely' if confidence == 'likely' else ''}: {reason}" if reason else ""


def _ours(ruled: SessionOutcome | None) -> str:
    return "" if ruled is None else f"; the rules say: {whole_of(ruled)}"


def rate_in_words(rate: Rate) -> str:
    """Of how many that is known, and of how many it is not."""
    if not rate.known:
        return f"{rate.unknown:,} unknown" if rate.unknown else UNKNOWN_VALUE
    return f"{rate.done:,} of {rate.known:,}" + (f", {rate.unknown:,} unknown" if rate.unknown else "")
