"""One at a time, whoever it is, and never longer than the process lives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warm_tui.locking import is_locked, locked


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    assert not is_locked(lock), "nobody ever held it"
    assert not lock.exists(), "asking leaves no file"
    with locked(lock):
        assert is_locked(lock)
        with pytest.raises(BlockingIOError), locked(lock, wait=False):
            pass
    assert not is_locked(lock)


def test_a_folder_is_locked_as_it_is(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(BlockingIOError), locked(tmp_path, wait=False):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_goes_with_its_process(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    held = f"import os; from pathlib import Path; from warm_tui.locking import locked; locked(Path({str(lock)!r})).__enter__(); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", held], check=False).returncode == 9
    assert not is_locked(lock)


def test_a_lock_that_is_never_given_back_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "a.lock"
    monkeypatch.setattr("warm_tui.locking.PATIENCE_SECONDS", 0.0)
    with locked(lock), pytest.raises(BlockingIOError, match="another program holds it"), locked(lock):
        pass


def test_a_lock_is_no_link_and_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "theirs").touch()
    (tmp_path / "link.lock").symlink_to(tmp_path / "theirs")
    os.mkfifo(tmp_path / "pipe.lock")
    for name in ("link.lock", "pipe.lock"):
        with pytest.raises(OSError, match=r"is a link|no regular file"), locked(tmp_path / name):
            pass
        assert not is_locked(tmp_path / name)
