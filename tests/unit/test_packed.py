"""Codex packs rollouts that were not gone on with for a week: they are read as they were."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Codex
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.sessions import recorded_files
from warm_tui.sessions.codex.source import CODEX_READER
from warm_tui.sessions.readers import reader_of
from warm_tui.sessions.recorded_files import EDGE

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    from backports.zstd import compress


def packed(path: Path) -> Path:
    """In place of the file, with its time."""
    target = path.with_name(f"{path.name}.zst")
    target.write_bytes(compress(path.read_bytes()))
    os.utime(target, ns=(path.stat().st_mtime_ns,) * 2)
    path.unlink()
    return target


def rollout(name: str, calls: int = 3) -> Codex:
    told = Codex(name).says("Do it")
    for at in range(calls):
        told.runs(f"{name}-{at}", f"no {at}", code=at % 2)
    return told


def profiles(home: Path) -> list[Profile]:
    """Anew, with nothing remembered."""
    with Catalog(Home(home / "ours", (home / "sessions",))) as catalog:
        found = catalog.profiles()
    (home / "ours" / "warm_tui" / "library.db").unlink()
    return found


@pytest.mark.parametrize("calls", [3, EDGE // 100])
def test_a_packed_rollout_is_what_it_was(tmp_path: Path, calls: int) -> None:
    path = rollout("x1", calls).line("event_msg", type="thread_name_updated", thread_name="Its title").write(tmp_path)
    was = profiles(tmp_path)
    assert [(profile.title, profile.tool_call_count) for profile in was] == [("Its title", calls)]
    packed(path)
    assert profiles(tmp_path) == was


def test_a_folder_or_a_file_is_known_by_it(tmp_path: Path) -> None:
    path = packed(rollout("x1").write(tmp_path))
    assert [reader_of(each) for each in (path, tmp_path, tmp_path / "sessions")] == [CODEX_READER] * 3
    with CODEX_READER.open(path) as source:
        assert [session.id for session in source.sessions()] == ["x1"]
        assert source.sessions_with_text("do it") == {"x1"}
        assert [len(source.messages("x1", first)) for first in (1, 2, -1)] == [1, 2, 7]


def test_one_that_was_unpacked_to_be_gone_on_with_counts_once(tmp_path: Path) -> None:
    path = rollout("x1").write(tmp_path)
    older = packed(path)
    rollout("x1", calls=5).write(tmp_path)
    assert older.exists()
    assert [profile.tool_call_count for profile in profiles(tmp_path)] == [5]


@pytest.mark.parametrize("how", ["cut off", "no such format", "empty"])
def test_what_cannot_be_unpacked_is_told_and_the_rest_goes_on(tmp_path: Path, how: str) -> None:
    rollout("x1").write(tmp_path)
    path = packed(rollout("x2", calls=300).write(tmp_path))
    whole = path.read_bytes()
    path.write_bytes({"cut off": whole[: len(whole) // 2], "no such format": b"text", "empty": b""}[how])
    with CODEX_READER.open(tmp_path) as source:
        assert [session.id for session in source.sessions()] == ["x1"]
        said = source.health().advice
    assert how == "empty" or said[0].startswith(f"{path} cannot be read: it is damaged")


def test_a_small_file_that_says_it_is_large_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_files, "LONGEST_LINE", 1 << 20)
    path = rollout("x1").write(tmp_path)
    bomb = path.with_name("rollout-2026-bomb.jsonl.zst")
    bomb.write_bytes(compress(bytes(200 << 20)))
    assert bomb.stat().st_size < 1 << 16
    with CODEX_READER.open(tmp_path) as source:
        assert [session.id for session in source.sessions()] == ["x1"]
        assert source.health().advice == [f"{bomb} holds no session."]


@pytest.mark.parametrize(("limit", "most"), [("MOST_LINES", 100), ("MOST_BYTES", 100_000)])
def test_one_that_unpacks_to_more_than_an_agent_writes_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    rollout("x1").write(tmp_path)
    path = rollout("x2").write(tmp_path)
    path.write_bytes(path.read_bytes() + (b"\n" if limit == "MOST_LINES" else b" " * 2_000 + b"\n") * 100)
    path = packed(path)
    monkeypatch.setattr(recorded_files, limit, most)
    with CODEX_READER.open(tmp_path) as source:
        assert [session.id for session in source.sessions()] == ["x1"]
        (said,) = source.health().advice
        monkeypatch.undo()
        rollout("x3").write(tmp_path)
        assert len(source.sessions()) == 2, "it is not tried again while it is as it was"
        assert source.health().advice == [said]
    assert said.startswith(f"{path} cannot be read: it unpacks to more than ")


def test_one_that_is_damaged_later_is_told_when_it_is_opened(tmp_path: Path) -> None:
    path = packed(rollout("x1", calls=300).write(tmp_path))
    with CODEX_READER.open(tmp_path) as source:
        assert len(source.sessions()) == 1
        path.write_bytes(path.read_bytes()[:-40])
        with pytest.raises(Trouble, match="cannot be read: it is damaged"):
            source.messages("x1")
