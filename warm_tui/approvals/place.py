"""Where approvals keep what is theirs: one folder of the home, for its owner's eyes alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.writing import check_may_change, open_folder, read_ours, write_whole

Role: TypeAlias = Literal["agent", "operator"]
ROLES: tuple[Role, Role] = ("agent", "operator")
LONGEST_TOKEN = 1_000
SHORTEST_TOKEN = 20
LONGEST_SOCKET = 100


class Place(NamedTuple):
    folder: Path

    @classmethod
    def of(cls, home: Home) -> Place:
        return cls(home.ours / "approvals")

    @property
    def database(self) -> Path:
        return self.folder / "approvals.db"

    @property
    def lock(self) -> Path:
        """Held by the service as long as it runs."""
        return self.folder / "service.lock"

    @property
    def running(self) -> Path:
        """Where the service is reached, for those who may."""
        return self.folder / "service.json"

    @property
    def socket(self) -> Path:
        return self.folder / "service.sock"

    @property
    def settings(self) -> Path:
        """Whether the plugin asks, and for what."""
        return self.folder / "agent.json"

    def token_file(self, role: Role) -> Path:
        return self.folder / f"{role}.token"


def make_folder(home: Home) -> Place:
    check_may_change()
    if not home.root.is_dir():
        raise Trouble(f"There is no home {home.root}: name another with --home.")
    place = Place.of(home)
    try:
        place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.folder.chmod(0o700)
    except OSError as error:
        raise Trouble(f"{place.folder} cannot be written: {error.strerror or error}.") from error
    return place


def tokens(place: Place) -> dict[Role, str]:
    """Made at the first start."""
    return {role: _made(place.token_file(role)) for role in ROLES}


def _made(path: Path) -> str:
    try:
        if (kept := _token_in(path)) is not None:
            os.chmod(path, 0o600)
            return kept
        made = secrets.token_urlsafe(32)
        write_whole(path, made + "\n")
        return made
    except OSError as error:
        raise Trouble(f"{path} cannot be used: {error.strerror or error}.") from error


def _token_in(path: Path) -> str | None:
    try:
        token = read_ours(path, LONGEST_TOKEN).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    if len(token) < SHORTEST_TOKEN:
        raise Trouble(f"{path} holds no token: remove it, and the next start makes one.")
    return token


def token_of(place: Place, role: Role) -> str:
    """Trouble where there is none."""
    try:
        token = _token_in(place.token_file(role))
    except OSError as error:
        raise Trouble(f"{place.token_file(role)} cannot be read: {error.strerror or error}.") from error
    if token is None:
        raise Trouble("No service for approvals was started here yet: `warm-tui confirm serve` does that.")
    return token


def role_of(given: str, known: dict[Role, str]) -> Role | None:
    """All are compared, each in the same time whatever was given."""
    hashed = hashlib.sha256(given.encode("utf-8", "replace")).digest()
    matches = [role for role in ROLES if hmac.compare_digest(hashed, hashlib.sha256(known[role].encode()).digest())]
    return matches[-1] if matches else None


@contextmanager
def socket_address(place: Place) -> Iterator[str]:
    """What the socket is called where it is listened on or asked at: the name of one may only be short."""
    path = os.fspath(place.socket)
    if len(os.fsencode(path)) <= LONGEST_SOCKET:
        yield path
        return
    descriptor = open_folder(place.folder)
    try:
        yield f"/proc/self/fd/{descriptor}/{place.socket.name}"
    finally:
        os.close(descriptor)


def read_json(path: Path) -> dict[str, Any]:
    """Nothing where it is not there, or is no such file."""
    try:
        value = json.loads(read_ours(path, 1_000_000))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
