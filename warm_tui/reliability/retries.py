"""Which call tried again what had failed: the same tool, soon after, for much the same."""

from __future__ import annotations

from collections.abc import Set

REMEMBERED = 6
"""A failure is mended within so many calls, by one that shares so much of what it speaks of."""
ALIKE = 0.5


def same_aim(words: Set[str], others: Set[str]) -> bool:
    shared = len(words & others)
    return shared >= 2 and shared >= ALIKE * max(len(words), len(others))
