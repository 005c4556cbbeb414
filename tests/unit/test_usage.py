"""Tokens and cost are the agent's own totals: what was spent beside the work, and by way of a cache, is in them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Record, assistant, result, user
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation import figures
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.hermes.archive import Archive

ROWS = [user("go"), assistant(("a", "terminal", {})), result("a")]
COUNTED = {
    "input_tokens": 1_000, "output_tokens": 100, "cache_read_tokens": 5_000, "cache_write_tokens": 300,
    "estimated_cost_usd": 0.5, "cost_status": "estimated",
}  # fmt: skip
MAIN = {"model": "large", **COUNTED}
SUMMARIES = {
    "model": "small", "task": "compression", "input_tokens": 40, "output_tokens": 10, "cache_read_tokens": 5,
    "estimated_cost_usd": 0.01,
}  # fmt: skip


@pytest.fixture
def profile(record: Record, tmp_path: Path):
    def made(*usage: dict[str, Any], **session: Any) -> Profile:
        path = record({"s": ROWS}, s=session)
        with Archive(path) as archive:
            for row in usage:
                archive.add_usage(session_id="s", **row)
        return read(path, tmp_path)

    return made


def read(path: Path, tmp_path: Path) -> Profile:
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        (only,) = catalog.profiles()
        return only


def test_what_was_spent_beside_the_work_is_apart_and_in_the_total(profile) -> None:
    spent = profile(MAIN, SUMMARIES, **COUNTED)
    assert (spent.input_tokens, spent.output_tokens) == (1_040, 110)
    assert (spent.cache_read_tokens, spent.cache_write_tokens) == (5_005, 300)
    assert (spent.total_tokens, spent.auxiliary_tokens) == (6_455, 55)
    assert spent.cost_usd == pytest.approx(0.51)
    assert spent.auxiliary_cost_usd == pytest.approx(0.01)


def test_a_sessions_row_or_its_models_rows_may_lack_what_the_other_has(profile) -> None:
    """A gateway writes the row anew, an old database has no rows by model: the greater is the total."""
    assert profile(**COUNTED).total_tokens == 6_400
    assert profile(MAIN).total_tokens == 6_400
    assert profile(MAIN, **{**COUNTED, "input_tokens": 2_000}).input_tokens == 2_000


def test_what_nobody_counted_is_unknown(profile) -> None:
    nothing = profile()
    assert (nothing.total_tokens, nothing.input_tokens, nothing.cost_usd) == (None, None, None)
    assert figures.tokens(nothing) == "unknown"
    beside = profile(SUMMARIES)
    assert (beside.total_tokens, beside.auxiliary_tokens) == (None, 55), "the work was not counted"
    assert figures.tokens(beside) == "unknown, and 55 auxiliary"


def test_what_was_billed_is_better_than_an_estimate(profile) -> None:
    assert profile(SUMMARIES, **COUNTED, actual_cost_usd=0.25).cost_usd == pytest.approx(0.26)


def test_as_it_is_said(profile) -> None:
    assert figures.tokens(profile(input_tokens=7, output_tokens=3)) == "7 in, 3 out"
    spent = profile(MAIN, SUMMARIES, **COUNTED)
    told = "6,455: 1,040 in, 110 out, cache 5,005 read, 300 written, 55 of it auxiliary"
    assert figures.tokens(spent) == told
    assert figures.cost(spent) == "$0.5100, $0.0100 of it auxiliary"


def test_a_filter_by_tokens_is_by_all_of_them(profile) -> None:
    spent = profile(**COUNTED)
    assert parse_filter("tokens>6k").meets(spent, 0.0)
    assert parse_filter("tokens:unknown").meets(profile(), 0.0)


def test_a_table_of_an_older_agent_is_read_as_far_as_it_goes(record: Record, tmp_path: Path) -> None:
    path = record({"s": ROWS}, s=COUNTED)
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP TABLE session_model_usage;"
        "CREATE TABLE session_model_usage (session_id TEXT, model TEXT, input_tokens INTEGER);"
        "INSERT INTO session_model_usage VALUES ('s', 'large', 1500);"
    )
    connection.close()
    assert (read(path, tmp_path).input_tokens, read(path, tmp_path).auxiliary_tokens) == (1_500, None)


def test_without_the_table_nobody_knows_what_was_spent_beside_the_work(record: Record, tmp_path: Path) -> None:
    path = record({"s": ROWS}, s=COUNTED)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE session_model_usage")
    connection.close()
    spent = read(path, tmp_path)
    assert (spent.total_tokens, spent.auxiliary_tokens, spent.auxiliary_cost_usd) == (6_400, None, None)


def test_what_a_model_spends_later_is_seen(record: Record, tmp_path: Path) -> None:
    path = record({"s": ROWS}, s=COUNTED)
    assert read(path, tmp_path).auxiliary_tokens == 0
    with Archive(path) as archive:
        archive.add_usage(session_id="s", **SUMMARIES)
    assert read(path, tmp_path).auxiliary_tokens == 55


def test_an_archive_keeps_what_was_spent(record: Record, tmp_path: Path) -> None:
    theirs = record({"s": ROWS}, name="theirs.db", s=COUNTED)
    with Archive(theirs) as archive:
        archive.add_usage(session_id="s", **SUMMARIES)
    path = tmp_path / "archive.db"
    for _ in range(2):
        with Archive(path) as archive:
            archive.adopt(theirs, str)
    spent = read(path, tmp_path)
    assert (spent.total_tokens, spent.auxiliary_tokens) == (6_400, 55)
