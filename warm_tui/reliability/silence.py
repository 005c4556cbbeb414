"""Is a silence longer than chance would leave it? By the sessions in which something could have happened."""

from __future__ import annotations

from math import exp, lgamma

from warm_tui.reliability.stats import LEVEL


def is_over(hits: int, sessions: int, silent: int) -> bool:
    """Whether something seen in `hits` of so many sessions, and in none of the last `silent` ones, has ended.

    Were it as likely in each session as in any other, its places would be drawn by lot. The silence is one of as
    many gaps as it was seen, and it is told only where chance would leave none so long, 95 times in 100.
    """
    return hits > 0 and silent > 0 and hits * chance_of_gap(hits, sessions, silent) <= LEVEL


def chance_of_gap(hits: int, sessions: int, silent: int) -> float:
    """That none of so many hits falls among `silent` of all sessions."""
    if hits > sessions - silent:
        return 0.0
    return exp(_log_choose(sessions - silent, hits) - _log_choose(sessions, hits))


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
