"""The four questions of the research, answered of one's own sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from warm_tui.comparisons.saved import ComparisonSummary, saved_comparisons
from warm_tui.errors import Trouble
from warm_tui.insights.ruled import Ruled, ruled_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import compacted, glimpse
from warm_tui.library.experiments import experiments
from warm_tui.library.profiles import Progress
from warm_tui.reliability.pooled import Effect, Pooled, effect_of, pooled
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.questions import Beginnings, Lengths, beginnings_of, lengths_of


class Trial(msgspec.Struct, frozen=True):
    """One experiment, and what its arms showed; None while it has no result."""

    number: int
    name: str
    template: str
    state: str
    result: ComparisonSummary | None


class Insights(msgspec.Struct, frozen=True):
    sessions: int
    lengths: Lengths
    beginnings: Beginnings
    compaction: Pooled
    trials: tuple[Trial, ...]
    ruled: tuple[Ruled, ...] = ()
    """The same of trials by rule."""


def insights_of(
    catalog: Catalog, progress: Progress | None = None, stopped: Callable[[], bool] = lambda: False
) -> Insights:
    profiles = catalog.profiles(progress)
    effects = list(_effects(catalog, profiles, stopped))
    return Insights(
        len(profiles), lengths_of(profiles), beginnings_of(profiles), pooled(effects), _trials(catalog),
        ruled_of(catalog),
    )  # fmt: skip


def _effects(catalog: Catalog, profiles: Sequence[Profile], stopped: Callable[[], bool]) -> Iterator[Effect]:
    """Every life that was compacted, without a look at what survived."""
    for profile in compacted(profiles):
        if stopped():
            return
        try:
            examined = glimpse(catalog, profile.session_id)
        except Trouble:
            continue
        if examined.impact.whole is not None:
            yield effect_of(profile.session_id, examined.title, profile.model or "", examined.impact, [])


def _trials(catalog: Catalog) -> tuple[Trial, ...]:
    results = {
        saved.spec.experiment: saved.summary
        for saved in reversed(saved_comparisons(catalog.library))
        if saved.spec.experiment
    }
    return tuple(
        Trial(each.id, each.name, each.template, each.state, results.get(each.id))
        for each in experiments(catalog.library)
    )
