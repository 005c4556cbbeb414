"""Small statistics that need no library. Each is tested against scipy."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054


def wilson(failures: int, calls: int) -> tuple[float, float] | None:
    """The 95 % Wilson interval of a rate within one session; None where there is no rate."""
    if calls <= 0:
        return None
    rate = failures / calls
    z2 = Z_95 * Z_95
    center = rate + z2 / (2 * calls)
    half = Z_95 * sqrt(rate * (1 - rate) / calls + z2 / (4 * calls * calls))
    scale = 1 + z2 / calls
    return max(0.0, (center - half) / scale), min(1.0, (center + half) / scale)
