"""What came of a session: whether it reached its goal, as far as that can be known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

import msgspec

Reached: TypeAlias = Literal["done", "not-done", "unknown"]
REACHED: tuple[Reached, ...] = get_args(Reached)
Sure: TypeAlias = Literal["certain", "likely", "yours"]


class SessionOutcome(msgspec.Struct, frozen=True, gc=False):
    reached: Reached = "unknown"
    reason: str = ""
    confidence: Sure = "certain"
    rule: str = ""
    said_at: float | None = None
    """When a person said it."""

    @property
    def is_own(self) -> bool:
        """A person's, not the rules'."""
        return self.confidence == "yours"


class Rate(msgspec.Struct, frozen=True):
    """How many of some sessions reached their goal. Those of which nobody can tell count in no rate."""

    done: int = 0
    not_done: int = 0
    unknown: int = 0

    @property
    def known(self) -> int:
        return self.done + self.not_done

    @property
    def rate(self) -> float | None:
        return self.done / self.known if self.known else None


def rate_of(outcomes: Iterable[str]) -> Rate:
    counts = dict.fromkeys(REACHED, 0)
    for reached in outcomes:
        counts[reached] += 1  # type: ignore[index]
    return Rate(counts["done"], counts["not-done"], counts["unknown"])


def read_reached(word: str) -> Reached | None:
    """However somebody writes it: `not done`, `not_done`, `not-done`."""
    plain = word.strip().casefold().replace("_", "-").replace(" ", "-")
    return next((reached for reached in REACHED if reached == plain), None)
