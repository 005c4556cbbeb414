"""Whatever lies beside good recordings, they are read; what cannot be is told in a sentence; nothing is waited for."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Claude, Codex, opencode_session
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


def check(place: Path, tmp_path: Path) -> list[str]:
    """The good session is there with its calls; and what is said of the rest."""
    before = {path: os.lstat(path) for path in sorted(place.rglob("*"))}
    with Catalog(Home(tmp_path / "ours", (place,))) as catalog:
        found = [profile for profile in catalog.profiles() if profile.message_count]
        assert [profile.first_message for profile in found] in (["Do it"], ["Build it."])
        advice = catalog.sources[0].health().advice
    assert {path: os.lstat(path) for path in sorted(place.rglob("*"))}.keys() == before.keys()
    assert all(os.lstat(path).st_mtime_ns == was.st_mtime_ns for path, was in before.items())
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
