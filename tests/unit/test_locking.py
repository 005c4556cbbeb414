"""One at a time, whoever it is, and never longer than the process lives."""

from __future__ import annotations

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
