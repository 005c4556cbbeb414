"""Codex moves a session that is archived into a folder beside the others: it is a session like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_packed import packed
from warm_tui.demo.other_agents import Codex
from warm_tui.doctor import examine
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.sessions.codex.source import CODEX_READER
from warm_tui.sessions.readers import found_by_itself, reader_of, state_of


def archived(path: Path, home: Path) -> Path:
    target = home / "archived_sessions" / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    return path.rename(target)


def told(home: Path) -> dict[str, int]:
    """Each session's calls."""
    with Catalog(Home(home / "ours", (home,))) as catalog:
        return {profile.session_id: profile.tool_call_count for profile in catalog.profiles()}


def test_an_archived_session_is_one_like_the_others(tmp_path: Path) -> None:
    Codex("x1").says("Do it").runs("k1").write(tmp_path)
    archived(Codex("x2").says("Do that").runs("k2").runs("k3").write(tmp_path), tmp_path)
    assert told(tmp_path) == {"x1": 1, "x2": 2}
    report = examine(Home(tmp_path / "ours", (tmp_path / "sessions",))).databases[0]
    assert report.in_words.startswith("codex, 2 sessions")
    assert report.in_words.endswith(f"1 of them in {tmp_path / 'archived_sessions'}")


def test_it_is_the_same_after_it_was_archived(tmp_path: Path) -> None:
    path = Codex("x1").says("Do it").runs("k1").write(tmp_path)
    before = told(tmp_path), state_of(tmp_path / "sessions")
    path = archived(path, tmp_path)
    assert told(tmp_path) == before[0]
    assert state_of(tmp_path / "sessions") != before[1], "who follows the place looks again"
    packed(path)
    assert told(tmp_path) == before[0]


@pytest.mark.parametrize("pack", [False, True])
def test_one_that_was_taken_back_to_be_gone_on_with_counts_once(tmp_path: Path, pack: bool) -> None:
    path = archived(Codex("x1").says("Do it").runs("k1").write(tmp_path), tmp_path)
    if pack:
        packed(path)
    Codex("x1").says("Do it").runs("k1").runs("k2").write(tmp_path)
    assert told(tmp_path) == {"x1": 2}


def test_a_fork_of_an_archived_session_counts_only_what_is_new(tmp_path: Path) -> None:
    first = Codex("x1").says("Build it").runs("k1").runs("k2", code=1)
    archived(first.write(tmp_path), tmp_path)
    fork = Codex("x2", forked_from_id="x1")
    fork.lines += first.lines
    fork.runs("k3").write(tmp_path)
    assert told(tmp_path) == {"x1": 2, "x2": 1}


def test_the_place_is_found_where_all_are_archived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    archived(Codex("x1").says("Do it").runs("k1").write(tmp_path), tmp_path)
    assert found_by_itself().count(tmp_path / "sessions") == 1, "beside an empty one"
    for folder in sorted((tmp_path / "sessions").rglob("*"), reverse=True):
        folder.rmdir()
    (tmp_path / "sessions").rmdir()
    place = tmp_path / "archived_sessions"
    assert place in found_by_itself()
    assert reader_of(place) is CODEX_READER
    assert told(tmp_path) == {"x1": 1}
    with CODEX_READER.open(place) as source:
        assert source.home == tmp_path.name
