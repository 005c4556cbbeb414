"""A life call by call: the running error rate, the size of the context, and where compaction cut it."""

from __future__ import annotations

import pytest

from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import Examined, effects, examine
from warm_tui.paths import Home
from warm_tui.presentation.pictures import outcome_of
from warm_tui.reliability.bounds import RUNNING
from warm_tui.reliability.stats import wilson
from warm_tui.reliability.timeline import Timeline, timeline_of


@pytest.fixture
def lives(demo: Home) -> list[Examined]:
    with Catalog(demo) as catalog:
        return [examine(catalog, effect.session_id) for effect in effects(catalog)]


def of(life: Examined) -> Timeline:
    return timeline_of(life.life, life.calls, life.survived, outcome_of)


def test_each_call_stands_once_in_the_segment_it_was_made_in(lives: list[Examined]) -> None:
    for life in lives:
        timeline = of(life)
        assert len(timeline.points) == sum(segment.calls for segment in life.impact.segments)
        for segment, start, stop in timeline.spans():
            points = timeline.points[start:stop]
            assert {point.segment for point in points} <= {segment}
            assert sum(point.failed is True for point in points) == life.impact.segments[segment].counts.failures


def test_the_running_rate_is_of_the_last_calls_of_its_segment(lives: list[Examined]) -> None:
    for timeline in map(of, lives):
        for _, start, stop in timeline.spans():
            known = []
            for point in timeline.points[start:stop]:
                known += [point.failed] if point.failed is not None else []
                last = known[-RUNNING:]
                assert point.rate == (sum(last) / len(last) if last else None)
                assert (point.low, point.high) == (wilson(sum(last), len(last)) or (0.0, 1.0))
                assert point.of == len(last)


def test_the_context_falls_at_each_cut_by_what_survival_tells(lives: list[Examined]) -> None:
    """Each message is rounded by itself, which adds up to less than one in a hundred."""
    for life in lives:
        for cut, survival in zip(of(life).cuts, life.survived, strict=True):
            assert cut.index == survival.index
            assert cut.before == pytest.approx(survival.tokens_before, rel=0.01)
            assert cut.after == pytest.approx(survival.tokens_after, rel=0.01)
            assert cut.kept == survival.calls("kept")


def test_between_cuts_the_context_only_grows(lives: list[Examined]) -> None:
    for timeline in map(of, lives):
        for _, start, stop in timeline.spans():
            contexts = [point.context for point in timeline.points[start:stop]]
            assert contexts == sorted(contexts)
            assert min(contexts, default=1) > 0


def test_what_was_not_looked_at_is_not_told(lives: list[Examined]) -> None:
    life = lives[0]
    cuts = timeline_of(life.life, life.calls, [], outcome_of).cuts
    assert {cut.kept for cut in cuts} == {None}
    assert all(cut.after for cut in cuts)
