"""What an experiment showed: tested at a look or at the end, and remembered for its template."""

from __future__ import annotations

from msgspec.structs import replace

from warm_tui.comparisons.arms import Asked, Compared, asked_of, compare_arms, experiment_arms, tell, told_of
from warm_tui.comparisons.saved import save_comparison
from warm_tui.experiments.looks import Look
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import experiment
from warm_tui.paths import Home


def asked_for(number: int) -> Asked:
    return Asked("experiment", experiment=number)


def result_of(home: Home, number: int) -> Compared:
    with Catalog(home.archived.present) as catalog:
        return compare_arms(catalog, asked_for(number))


def is_decided(home: Home, number: int, look: Look) -> bool:
    """Do the pairs of this look show a difference, at what the look may spend?"""
    with Catalog(home.archived.present) as catalog:
        found = replace(experiment(catalog.library, number), pairs_told=look.pairs, level=look.level)
        roots = catalog.roots()
        told = tell(experiment_arms(catalog, found, roots), roots, "order")
    return told.verdict in ("warm better", "warm worse")


def conclude(home: Home, number: int) -> str:
    """The verdict; it is saved as a comparison, so that the template's row shows it."""
    with Catalog(home.archived.present) as catalog:
        compared = compare_arms(catalog, asked_for(number))
        save_comparison(catalog.library, compared.title, compared.template, asked_of(compared), told_of(compared))
    return compared.comparison.verdict
