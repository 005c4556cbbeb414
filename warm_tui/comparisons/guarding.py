"""A rule that does harm is switched off by whoever notices first, and the operator is told of it once."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.comparisons.trials import Trial, guard, trials_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import SENT, Notice, note_sent, notices_of, taken_to_send
from warm_tui.paths import Home
from warm_tui.writing import looks_only


class Looked(NamedTuple):
    trials: list[Trial]
    notices: list[Notice]
    """Of all rules that were ever switched off, the latest first."""


def look_at_trials(catalog: Catalog, target: str) -> Looked:
    """How trials stand; where anything may be changed, harm is acted on, and told at `target` if there is one."""
    trials = trials_of(catalog)
    if not looks_only():
        trials = guard(catalog, trials)
        _send_due(catalog.home, catalog.library, target)
    return Looked(trials, notices_of(catalog.library))


def look(home: Home, target: str) -> list[Notice]:
    """For whoever passes by: as long as no rule runs it costs next to nothing."""
    from warm_tui.agent.trials import kept_rules

    rules = [] if looks_only() else kept_rules(home)
    if any(rule.running for rule in rules):
        with Catalog(home.present) as catalog:
            return look_at_trials(catalog, target).notices
    if not rules:
        return []
    with Library(home.library) as library:
        _send_due(home, library, target)
        return notices_of(library)


def _send_due(home: Home, library: Library, target: str) -> None:
    for notice in taken_to_send(library, target):
        from warm_tui.agent.hermes_cli import send

        why_not = send(home.root, notice.target, notice.said)
        note_sent(library, notice, f"not sent: {why_not}" if why_not else SENT)
