"""What an experiment showed: tested at a look or at the end, and remembered for its template."""

from __future__ import annotations

from msgspec.structs import replace

from warm_tui.comparisons.arms import compare_arms, comparison_of, experiment_arms
from warm_tui.comparisons.saved import save_comparison
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.experiments.looks import Look
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import load_experiment
from warm_tui.paths import Home


def spec_of(number: int) -> ComparisonSpec:
    return ComparisonSpec("experiment", experiment=number)


def result_of(home: Home, number: int) -> ArmComparison:
    with Catalog(home.archived.present) as catalog:
        return compare_arms(catalog, spec_of(number))


def is_decided(home: Home, number: int, look: Look) -> bool:
    """Do the pairs of this look show a difference, at what the look may spend?"""
    with Catalog(home.archived.present) as catalog:
        at_look = replace(load_experiment(catalog.library, number), pairs_told=look.pairs, level=look.level)
        roots = catalog.roots()
        comparison = comparison_of(experiment_arms(catalog, at_look, roots), roots, "order")
    return comparison.verdict in ("warm better", "warm worse")


def conclude(home: Home, number: int) -> str:
    """The verdict; it is saved as a comparison, so that the template's row shows it."""
    with Catalog(home.archived.present) as catalog:
        compared = compare_arms(catalog, spec_of(number))
        save_comparison(catalog.library, compared.title, compared)
    return compared.comparison.announced
