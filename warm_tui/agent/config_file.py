"""Hermes' config.yaml as a file: read within bounds, written whole, and by one of us at a time."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from warm_tui.agent.hermes_config import LARGEST, shown_of
from warm_tui.errors import Trouble
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.writing import read_regular, write_whole


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What would be done to config.yaml."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def difference(self) -> str:
        """Only our settings are told: what stands around them may be a key or a password, so no more than its name."""
        before, after = (
            [shown_of(line) for line in (side or b"").decode("utf-8", "replace").splitlines()]
            for side in (self.before, self.after)
        )
        return "\n".join(difflib.unified_diff(before, after, str(self.path), str(self.path), lineterm="", n=2))


class ConfigFile:
    def __init__(self, home: Home) -> None:
        self.path = home.root.absolute() / "config.yaml"
        self.lock = home.ours / "activation.lock"

    def read(self) -> bytes | None:
        try:
            return read_regular(self.path, LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Trouble(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def carry_out(self, plan: Plan) -> None:
        if plan.changed and plan.after is None:
            self.path.resolve().unlink()
        elif plan.changed and plan.after is not None:
            self._write(plan.after)

    def _write(self, content: bytes) -> None:
        """With the mode it had, and where a link points to, not in the link's place."""
        path = self.path.resolve()
        if not path.exists():
            write_whole(path, content)
            return
        status = path.stat()
        if not os.access(path, os.W_OK):
            raise Trouble(f"{self.path} cannot be written: it is read-only.")
        write_whole(path, content, status.st_mode & 0o777, owner=(status.st_uid, status.st_gid))

    @contextmanager
    def alone(self) -> Iterator[None]:
        try:
            self.lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.lock):
                yield
        except OSError as error:
            raise Trouble(f"{error.filename or self.path} cannot be written: {error.strerror or error}.") from error


def decoded(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text; it is left as it is.") from error
