"""How the error rate of an arm goes on, call by call, and how well it is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from warm_tui.comparisons.units import Unit
from warm_tui.reliability.stats import Z_95

PLACES = 60
"""At how many calls the band is worked out: between them it is a line."""


def course_of_errors(units: Sequence[Unit]) -> list[tuple[float, float]]:
    """The error rate of all calls up to the nth of each session, as long as enough sessions go on."""
    min_sessions = max(2, len(units) // 10) if len(units) > 1 else 1
    points: list[tuple[float, float]] = []
    failures = known = 0
    longest = max((len(unit.course) for unit in units), default=0)
    for at in range(longest):
        letters = [unit.course[at] for unit in units if at < len(unit.course)]
        if len(letters) < min_sessions:
            break
        failures += letters.count("x")
        known += len(letters) - letters.count("?")
        if known:
            points.append((float(at + 1), failures / known))
    return points


def band_of_errors(units: Sequence[Unit]) -> list[tuple[float, float, float]]:
    """The 95 % interval of that rate, with sessions as units: the calls of one resemble each other."""
    import numpy as np

    from warm_tui.reliability.clustering import wilson_by, worth

    points = [int(at) for at, _ in course_of_errors(units)]
    last = len(points) - 1
    places = sorted({points[round(each * last / (PLACES - 1))] for each in range(PLACES)}) if points else []
    if not places:
        return []
    counted = [(_up_to(unit.course, "x", places), _up_to(unit.course, ".x", places)) for unit in units]
    sessions = np.array(counted, dtype=float).transpose(0, 2, 1)
    known = worth(sessions)
    low, high = wilson_by(known.rate, known.cautious, Z_95)
    return [(float(at), max(0.0, float(a)), min(1.0, float(b))) for at, a, b in zip(places, low, high, strict=True)]


def _up_to(course: str, letters: str, places: Sequence[int]) -> list[int]:
    """How many of these letters stand in the course up to each place."""
    counts = [0, *accumulate(letter in letters for letter in course)]
    return [counts[min(at, len(course))] for at in places]
