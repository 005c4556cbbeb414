"""By what runs were made: told where it is not the same for all, since it may be what differs between the arms."""

from __future__ import annotations

from typing import Any

import pytest

from warm_tui.comparisons.makers import makers_in_words
from warm_tui.library.experiments import Run
from warm_tui.reports.experiment import runs_table

NEW, OLD = "0.19.0", "0.15.2"


def made(*of: tuple[str, str], **settings: Any) -> list[Run]:
    """In pairs: the machine and the version of each run."""
    return [
        Run(at, "t", 0, "warm" if at % 2 else "cold", machine=machine, hermes=version, **{"state": "ended"} | settings)
        for at, (machine, version) in enumerate(of)
    ]


def test_what_one_version_made_on_one_machine_each_is_no_news() -> None:
    assert makers_in_words(made(*[("", NEW)] * 4)) == []
    assert makers_in_words(made(*[("ada", NEW)] * 2, *[("bob", NEW)] * 2)) == []
    assert makers_in_words(made(*[("ada", NEW)] * 2, *[("bob", OLD)] * 2, state="queued")) == []
    assert makers_in_words(made(*[("ada", NEW)] * 2, *[("bob", "")] * 2, state="not started")) == [], "no results"


def test_versions_are_told_with_the_machines_that_have_them() -> None:
    assert makers_in_words(made(*[("ada", NEW)] * 2, *[("bob", OLD)] * 2, *[("", "")] * 2)) == [
        (
            "Hermes was not the same for all runs, and may be what differs between them: 0.15.2 made 2 runs on bob;"
            " 0.19.0 made 2 runs on ada; a version not known made 2 runs."
        ),
        "Both runs of each pair were made by one version.",
    ]


def test_pairs_that_were_parted_are_named() -> None:
    assert makers_in_words(made(("ada", NEW), ("bob", OLD), ("ada", NEW), ("cyd", NEW)))[1:] == [
        "In 1 pair (1), the two runs were made by two versions of Hermes: that may be what differs between them.",
        "In 2 pairs (1, 2), the two runs were made on two machines: that may be what differs between them.",
    ]


@pytest.mark.parametrize(
    ("machine", "versions", "told"),
    [("", (NEW, NEW), []), ("ada", (NEW, NEW), ["machine", "Hermes"]), ("", (NEW, OLD), ["Hermes"])],
)
def test_which_run_is_of_which_is_told_where_it_is_not_the_same(
    machine: str, versions: tuple[str, str], told: list[str]
) -> None:
    table = runs_table(made(*[(machine, version) for version in versions]), 0.0)
    titles = [column.title for column in table.columns]
    assert [each for each in titles if each in ("machine", "Hermes")] == told
    for row, version in zip(table.rows, versions, strict=True):
        assert [row[titles.index(each)] for each in told] == [{"machine": machine, "Hermes": version}[e] for e in told]
