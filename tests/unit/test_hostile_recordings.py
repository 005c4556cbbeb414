"""Whatever lies beside good recordings, they are read; what cannot be is told in a sentence; nothing is waited for."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Claude, Codex, opencode_session, opencode_tool
from warm_tui.doctor import examine
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.sessions import recorded_files
from warm_tui.sessions.readers import open_source


def claude(home: Path) -> Path:
    return Claude("good").says("Do it").runs("k1").write(home)


def codex(home: Path) -> Path:
    return Codex("good").says("Do it").runs("k1").write(home)


def opencode(home: Path) -> Path:
    path = home / "exports" / "session.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(opencode_session("good")))
    return path


PLACES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "claude-code": (claude, "projects"),
    "codex": (codex, "sessions"),
    "opencode": (opencode, "exports"),
}

DEEP = b"[" * 200_000
HOSTILE: dict[str, bytes] = {
    "binary": bytes(range(256)) * 64,
    "no text": b"\xff\xfe\x00{}\n",
    "deep": b'{"type":"user","message":' + DEEP + b"\n",
    "deep and closed": b'{"a":' + DEEP + b"]" * 200_000 + b"}\n",
    "a gigantic line": b'{"type":"user","x":"' + b"y" * 9_000_000,
    "wrong types": b'{"type":1,"uuid":[],"message":7,"timestamp":{},"payload":"no","info":3,"messages":{}}\n' * 5,
    "no objects": b'[]\n1\nnull\n"text"\n',
    "cut off": b'{"type":"user","message":{"role":"us',
    "empty lines": b"\n\n\n",
}


@pytest.fixture(params=PLACES)
def good(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A place with one good recording, and that."""
    make, folder = PLACES[request.param]
    path = make(tmp_path / "home")
    return tmp_path / "home" / folder, path


def beside(path: Path, name: str) -> Path:
    """First in the order of names, so that it is the first to be looked at."""
    return path.with_name(f"!{name}{path.suffix}")


def as_it_is(place: Path) -> dict[Path, tuple[int, int, int, bytes]]:
    """All that stands there: kind, size and time, and what is in it."""
    found = {path: os.lstat(path) for path in sorted(place.rglob("*")) or [place]}
    return {
        path: (was.st_mode, was.st_size, was.st_mtime_ns, path.read_bytes() if stat.S_ISREG(was.st_mode) else b"")
        for path, was in found.items()
    }


def check(place: Path, tmp_path: Path) -> list[str]:
    """The good session is there with its calls, nothing was written; and what is said of the rest."""
    before = as_it_is(place)
    with Catalog(Home(tmp_path / "ours", (place,))) as catalog:
        found = [profile for profile in catalog.profiles() if profile.message_count]
        assert [profile.first_message for profile in found] in (["Do it"], ["Build it."])
        source = catalog.sources[0]
        assert source.sessions_with_text("no such words") == set()
        advice = source.health().advice
    assert as_it_is(place) == before
    return advice


@pytest.mark.parametrize("bytes_", HOSTILE.values(), ids=HOSTILE)
def test_a_broken_file_hides_no_other(good: tuple[Path, Path], tmp_path: Path, bytes_: bytes) -> None:
    place, path = good
    beside(path, "broken").write_bytes(bytes_)
    (said,) = check(place, tmp_path)
    assert said == f"{beside(path, 'broken')} holds no session."


def test_links_pipes_and_folders_are_passed_over(good: tuple[Path, Path], tmp_path: Path) -> None:
    place, path = good
    outside = tmp_path / f"outside{path.suffix}"
    outside.write_bytes(path.read_bytes())
    beside(path, "a link").symlink_to(outside)
    beside(path, "a loop").symlink_to(place)
    os.mkfifo(beside(path, "a pipe"))
    beside(path, "a folder").mkdir()
    (said,) = check(place, tmp_path)
    assert said == f"{beside(path, 'a link')} is not read: a link, no file, or barred; so are 2 more."


def test_what_may_not_be_read_is_told(good: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, path = good
    barred = beside(path, "barred")
    barred.mkdir()
    scan = os.scandir

    def scandir(folder: str) -> object:
        if folder == os.fspath(barred):
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(recorded_files.os, "scandir", scandir)
    (said,) = check(place, tmp_path)
    assert said == f"{barred} is not read: a link, no file, or barred."


def test_doctor_names_what_is_wrong_with_each_place(good: tuple[Path, Path], tmp_path: Path) -> None:
    place, path = good
    beside(path, "broken").write_bytes(b"\0\1\2")
    assert "holds no session" in str(examine(Home(tmp_path / "ours", (place,))))


def test_a_place_that_is_gone_is_told(tmp_path: Path) -> None:
    path = claude(tmp_path)
    source = open_source(tmp_path / "projects")
    path.unlink()
    for folder in (path.parent, tmp_path / "projects"):
        folder.rmdir()
    with source, pytest.raises(Trouble, match="is not there"):
        source.sessions()


HALF = r"cut in a \ud83d"
"""As agents write a text that they have cut in the middle of a character."""


@pytest.mark.parametrize("make", ["claude-code", "codex", "opencode"])
def test_half_a_character_costs_no_record(tmp_path: Path, make: str) -> None:
    told = [
        lambda: Claude("c1").says("Do it").runs("k1", "HALF").runs("k2", "HALF", code=1).write(tmp_path),
        lambda: Codex("c1").says("Do it").runs("k1", "HALF").runs("k2", "HALF", code=1).write(tmp_path),
        lambda: opencode_in(tmp_path),
    ][["claude-code", "codex", "opencode"].index(make)]
    path = told()
    path.write_text(path.read_text().replace("HALF", HALF))
    place = tmp_path / PLACES[make][1]
    with Catalog(Home(tmp_path / "ours", (place,))) as catalog:
        (profile,) = catalog.profiles()
        _, life, calls = catalog.life(profile.session_id)
    assert [verdict.outcome for _, verdict in calls] == ["success", "failure"]
    assert all((call.result or "").endswith("cut in a \ufffd") for call in life.calls)


def opencode_in(home: Path) -> Path:
    path = opencode(home)
    parts = [opencode_tool(name, output="HALF", metadata={"exit": code}) for name, code in (("k1", 0), ("k2", 1))]
    path.write_text(json.dumps(opencode_session("good", parts)))
    return path
