"""What a trial has shown: valid whenever one looks, by how likely each session was drawn, and said in words."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.trials.betting import (
    bets,
    bets_of,
    evidence,
    interval,
    threshold,
    wanted_to_halve,
)
from warm_tui.trials.figures import LARGEST, Drawn
from warm_tui.trials.verdict import Shown, shown

LEVEL = 0.05


def drawn(share: float, warm_rate: float, cold_rate: float, count: int, seed: int = 1, calls: int = 20) -> list[Drawn]:
    chance = Random(seed)
    sessions = []
    for _ in range(count):
        warm = chance.random() < share
        failures = sum(chance.random() < (warm_rate if warm else cold_rate) for _ in range(calls))
        sessions.append(Drawn(warm, share, failures, calls))
    return sessions


SESSIONS = st.lists(
    st.builds(Drawn, st.booleans(), st.floats(0.02, 0.98), st.integers(0, 9), st.integers(9, 12)),
    min_size=1, max_size=30,
)  # fmt: skip


@given(SESSIONS)
def test_a_bet_is_fair_whatever_came_before(sessions: list[Drawn]) -> None:
    """Of what the last session may have drawn, weighted by how likely it was, the mean is the difference it has."""
    *before, last = sessions
    means = []
    for warm_rate, cold_rate in ((3, 3), (0, 9), (9, 1)):
        effects = [
            float(bets_of([*before, Drawn(warm, last.chance, failures, 20)]).effect[-1])
            for warm, failures in ((True, warm_rate), (False, cold_rate))
        ]
        means.append(effects[0] * last.chance + effects[1] * (1 - last.chance) - (warm_rate - cold_rate) / 20)
    assert means == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


@given(SESSIONS)
def test_no_session_brings_more_than_was_reckoned_with(sessions: list[Drawn]) -> None:
    of = bets_of(sessions)
    assert (of.least - 1e-9 <= of.effect).all()
    assert (of.effect <= of.most + 1e-9).all()
    assert (of.least <= -LARGEST + 1e-9).all()
    assert (of.most >= LARGEST - 1e-9).all()


@given(SESSIONS)
def test_the_interval_is_where_nobody_has_won_enough(sessions: list[Drawn]) -> None:
    of = bets_of(sessions)
    low, high = interval(of, LEVEL)
    assert -LARGEST <= low <= high <= LARGEST
    middle = (low + high) / 2
    assert all(evidence(of, larger, middle)[-1] < threshold(LEVEL) for larger in (True, False))
    assert (low > 0) == (evidence(of, True)[-1] >= threshold(LEVEL)) or abs(low) < 1e-5
    assert (high < 0) == (evidence(of, False)[-1] >= threshold(LEVEL)) or abs(high) < 1e-5


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_looking_after_each_session_claims_seldom_what_is_not_there(share: float) -> None:
    """Where looking at a fixed test as often claims it in a third of trials."""
    rng = np.random.default_rng(7)
    warm = rng.random((400, 300)) < share
    rate = np.minimum(rng.beta(0.3, 3.0, warm.shape), LARGEST)
    of = bets(warm, np.full(warm.shape, share), rate)
    claimed = np.maximum(evidence(of, True), evidence(of, False)) >= threshold(LEVEL)
    assert claimed.any(axis=1).mean() <= 0.05


def test_several_trials_at_once_are_reckoned_as_each_alone() -> None:
    many = [drawn(0.5, 0.1, 0.2, 30, seed) for seed in range(3)]
    together = bets(
        *(np.array([[getattr(s, name) for s in one] for one in many]) for name in ("warm", "chance", "rate"))
    )
    for at, one in enumerate(many):
        alone = bets_of(one)
        assert np.allclose([part[at] for part in together[:3]], alone[:3])


def test_what_differs_much_is_shown_in_either_direction() -> None:
    assert shown("t", drawn(0.5, 0.05, 0.25, 150)).verdict == "helps"
    assert shown("t", drawn(0.5, 0.25, 0.05, 150)).verdict == "harms"
    assert shown("t", drawn(0.5, 0.1, 0.1, 150)).verdict == "nothing shown yet"


def test_sessions_drawn_at_other_chances_count_by_these() -> None:
    """A rule whose share was raised, while sessions became harder: who draws cold later is not worse for it."""
    early, late = drawn(0.5, 0.02, 0.02, 150), drawn(0.9, 0.2, 0.2, 300, seed=2)
    found = shown("t", [*early, *late])
    assert found.verdict == "nothing shown yet"
    assert found.warm_rate is not None
    assert found.cold_rate is not None
    assert found.warm_rate - found.cold_rate > 0.03, "as the plain means would have it"


def test_a_template_among_several_has_to_show_more() -> None:
    sessions = drawn(0.5, 0.1, 0.2, 120)
    alone, among = shown("t", sessions), shown("t", sessions, templates=3)
    assert (alone.level, among.level) == (0.05, pytest.approx(0.05 / 3))
    assert alone.low is not None
    assert among.low is not None
    assert among.low < alone.low


def test_without_a_control_group_nothing_can_be_shown() -> None:
    everyone = [Drawn(True, 1.0, 1, 10)] * 50
    found = shown("t", everyone)
    assert (found.verdict, found.warm, found.cold, found.cold_rate) == ("no control group", 50, 0, None)
    assert found.warm_rate == pytest.approx(0.1)
    assert "No session draws cold" in found.told


def test_before_the_first_session_nothing_is_said() -> None:
    assert shown("t", []) == Shown("t", "nothing shown yet", 0, 0, None, None)
    few = "Nothing shown yet. How many sessions that takes can be said once 10 of them drew cold."
    assert shown("t", []).told == few


def test_a_session_that_failed_altogether_counts_as_one_in_which_half_did() -> None:
    assert [Drawn(True, 0.5, failures, 10).rate for failures in (0, 5, 10)] == [0.0, 0.5, 0.5]


def test_it_is_said_how_many_sessions_it_would_take_and_how_long() -> None:
    found = shown("t", drawn(0.5, 0.1, 0.1, 60)).at_a_rate_of(4.0)
    assert found.wanted is not None
    assert found.days == -(-found.wanted // 4)
    assert found.told == (
        f"Nothing shown yet. About {found.wanted} more sessions, {found.days} days as they come now, would show it if"
        " failures were halved."
    )
    assert shown("t", drawn(0.5, 0.1, 0.1, 12)).wanted is None, "of too few"
    many = shown("t", drawn(0.5, 0.1, 0.1, 2_000))
    assert (many.verdict, many.wanted, many.days) == ("nothing shown yet", 0, None)
    assert many.told.endswith("half of all such trials would have shown it by now.")


def test_the_fewer_draw_cold_the_longer_it_takes() -> None:
    cold = [session for session in drawn(0.5, 0.1, 0.1, 200) if not session.warm]
    wanted = [wanted_to_halve(cold, share, LEVEL) for share in (0.5, 0.9, 0.95)]
    assert None not in wanted
    assert wanted == sorted(wanted, key=lambda number: number or 0)
    assert wanted_to_halve([Drawn(False, 0.5, 0, 10)] * 20, 0.5, LEVEL) is None, "nothing to halve"


def test_a_verdict_is_said_in_a_sentence() -> None:
    found = shown("t", drawn(0.5, 0.05, 0.25, 150))
    assert found.low is not None
    assert found.high is not None
    assert found.told == (
        f"It helps: {-found.high * 100:.1f} to {-found.low * 100:.1f} in a hundred calls fewer fail, as a mean over"
        f" {found.warm} warm sessions and {found.cold} cold."
    )
