"""What trials show, where all sessions are told together: a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from warm_tui.insights.overview import Item, Target
from warm_tui.library.catalog import Catalog
from warm_tui.library.trials import rules_of
from warm_tui.trials.verdict import Verdict


class Ruled(msgspec.Struct, frozen=True):
    """A template under a rule, and what came of the sessions that it drew."""

    rule: int
    when: str
    template: str
    state: str
    why: str
    verdict: Verdict
    warm: int
    cold: int
    warm_rate: float | None
    cold_rate: float | None
    low: float | None
    high: float | None
    proposed: float | None
    """The larger share that is proposed for the rule."""


def ruled_of(catalog: Catalog) -> tuple[Ruled, ...]:
    if not rules_of(catalog.library.connection):
        return ()
    # What reckons takes a while to import.
    from warm_tui.comparisons.trials import proposed, trials_of

    return tuple(
        Ruled(
            trial.rule.number, trial.rule.when.told, each.template, trial.rule.state, trial.rule.why, each.verdict,
            each.warm, each.cold, each.warm_rate, each.cold_rate, each.low, each.high,
            larger.warm_share if (larger := proposed(trial)) is not None else None,
        )
        for trial in trials_of(catalog)
        for each in trial.shown
    )  # fmt: skip


def running_trials(ruled: Sequence[Ruled]) -> Iterable[Item]:
    for each in ruled:
        if each.state == "running":
            words = f"trial {each.rule} ({each.when}), {each.template}: {each.verdict}"
            style = {"helps": "ok", "harms": "failed"}.get(each.verdict, "")
            yield Item(f"{words}, {each.warm:,} warm and {each.cold:,} cold", Target("trials", str(each.rule)), style)


def waiting_trials(ruled: Sequence[Ruled]) -> Iterable[Item]:
    """Those that somebody has to decide on; a rule once."""
    for each in {each.rule: each for each in ruled}.values():
        target = Target("trials", str(each.rule))
        if each.state == "switched off":
            yield Item(f"trial {each.rule} ({each.when}) is {each.why}: change it, or remove it", target, "failed")
        elif each.proposed is not None:
            words = f"trial {each.rule} ({each.when}) helps: {each.proposed:.0%} warm is proposed"
            yield Item(words, target, "mark")
