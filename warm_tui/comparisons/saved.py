"""Comparisons that were saved: which arms they were of, and what came of it."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress

import msgspec

from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec, decoded_spec
from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.paths import Home


class ComparisonSummary(msgspec.Struct, frozen=True):
    """What a comparison showed when it was saved."""

    verdict: str
    warm_sessions: int
    cold_sessions: int
    warm_error_rate: float | None
    cold_error_rate: float | None
    p_value: float | None
    low: float | None = None
    high: float | None = None
    """Between these the true difference of the rates lies, 95 times in 100; it was not kept from the beginning."""

    @property
    def difference(self) -> float | None:
        if self.warm_error_rate is None or self.cold_error_rate is None:
            return None
        return self.warm_error_rate - self.cold_error_rate


class SavedComparison(msgspec.Struct, frozen=True):
    name: str
    template: str
    encoded_spec: bytes
    summary: ComparisonSummary
    at: float

    @property
    def spec(self) -> ComparisonSpec:
        return decoded_spec(self.encoded_spec)


def summary_of(compared: ArmComparison) -> ComparisonSummary:
    comparison = compared.comparison
    difference = comparison.primary.difference
    return ComparisonSummary(
        verdict=comparison.announced,
        warm_sessions=len(comparison.warm),
        cold_sessions=len(comparison.cold),
        warm_error_rate=difference.second,
        cold_error_rate=difference.first,
        p_value=difference.p_value,
        low=difference.low,
        high=difference.high,
    )


def save_comparison(library: Library, name: str, compared: ArmComparison) -> None:
    """Under this name, in place of one that had it."""
    spec, summary = msgspec.json.encode(compared.spec), msgspec.json.encode(summary_of(compared))
    with library.keeping() as connection:
        connection.execute("DELETE FROM comparisons WHERE name = ?", (name,))
        connection.execute(
            "INSERT INTO comparisons (name, template, asked, told, at) VALUES (?, ?, ?, ?, ?)",
            (name, compared.template, spec, summary, time.time()),
        )


def saved_comparisons(library: Library) -> list[SavedComparison]:
    """The newest first; one that cannot be read any more is passed over."""
    columns = "name, template, CAST(asked AS BLOB), CAST(told AS BLOB), CAST(at AS REAL)"
    sql = f"SELECT {columns} FROM comparisons ORDER BY at DESC"
    saved = []
    for name, template, spec, summary, at in library.connection.execute(sql):
        with suppress(msgspec.MsgspecError):
            saved.append(
                SavedComparison(name, template, spec, msgspec.json.decode(summary, type=ComparisonSummary), at)
            )
    return saved


def forget_comparison(library: Library, name: str) -> None:
    with library.keeping() as connection:
        connection.execute("DELETE FROM comparisons WHERE name = ?", (name,))


def latest_verdicts(home: Home) -> dict[str, str]:
    """For each template what its latest saved comparison showed."""
    if not os.path.exists(home.library):
        return {}
    with suppress(sqlite3.Error, Trouble), open_library(home.library) as library:
        saved = saved_comparisons(library)
        return {
            comparison.template: comparison.summary.verdict for comparison in reversed(saved) if comparison.template
        }
    return {}
