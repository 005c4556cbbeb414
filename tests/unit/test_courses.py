"""How often calls of an arm had failed up to the nth, and how sure that is."""

from __future__ import annotations

from tests.unit.test_compare import arm
from warm_tui.comparisons.courses import band_of_errors, course_of_errors


def test_errors_up_to_the_nth_call() -> None:
    assert course_of_errors(arm("w", "x.", ".x")) == [(1.0, 0.5), (2.0, 0.5)]
    assert course_of_errors(arm("w", "x.", ".x", "...x")) == [(1.0, 1 / 3), (2.0, 2 / 6)], "as long as two go on"
    assert course_of_errors([]) == []


def test_the_band_of_a_course_holds_it_and_grows_narrower() -> None:
    units = arm("w", *["x.....x...", ".x......x.", "..x......."] * 4)
    rates, band = dict(course_of_errors(units)), band_of_errors(units)
    assert all(low <= rates[at] <= high for at, low, high in band)
    assert band[-1][2] - band[-1][1] < band[0][2] - band[0][1]
    assert band_of_errors([]) == []


def test_sessions_that_fail_as_a_whole_tell_less_than_their_calls() -> None:
    alike, unlike = arm("w", *["x..x..x..x"] * 6), arm("w", *["x" * 10] * 2, *["x" + "." * 9] * 4)
    (_, low, high), (_, lower, higher) = band_of_errors(alike)[-1], band_of_errors(unlike)[-1]
    assert course_of_errors(alike)[-1] == course_of_errors(unlike)[-1]
    assert higher - lower > 1.3 * (high - low)
