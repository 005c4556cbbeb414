"""Where a home keeps what belongs to its fleet, and who is who in one."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.writing import read_ours, write_whole

Role: TypeAlias = Literal["scheduler", "operator", "member"]
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
PORT = 8786
_ADDRESS = re.compile(r"(?:tls://)?(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::(?P<port>\d{1,5}))?")


class Away(Trouble):
    """A member, or the scheduler, is not there, or did not answer in time."""


class NotLetIn(Trouble):
    """The two do not believe each other: trying again changes nothing."""


def check_installed() -> None:
    """Told before anything of the engine is imported."""
    for name in ("cryptography", "distributed"):
        if find_spec(name) is None:
            raise Trouble(f"A fleet needs {name}: pip install 'warm-tui[fleet]' brings it.")


class Folder(NamedTuple):
    """The files of one home's fleet. Only the machine with the authority has all of them."""

    path: Path

    @classmethod
    def of(cls, home: Home) -> Folder:
        return cls(home.ours / "fleet")

    @property
    def authority(self) -> Path:
        """The key and the certificate that sign all others: it never leaves its machine."""
        return self.path / "authority.pem"

    @property
    def issued(self) -> Path:
        """Each certificate that was ever signed, without its key."""
        return self.path / "issued"

    @property
    def revoked(self) -> Path:
        return self.path / "revoked.pem"

    @property
    def address(self) -> Path:
        """Where the scheduler was last reached."""
        return self.path / "scheduler"

    @property
    def drained(self) -> Path:
        """There while this machine shall get no new work."""
        return self.path / "drained"

    def credentials(self, role: Role) -> Path:
        return self.path / f"{role}.pem"

    def handed_out(self, name: str) -> Path:
        """What a member takes along, until it is carried there."""
        return self.path / "members" / f"{name}.pem"

    def known_address(self) -> str:
        try:
            return read_ours(self.address, 1_000).decode().strip()
        except (OSError, ValueError):
            raise Trouble("No scheduler is known here: name it, or start one by `warm-tui fleet scheduler`.") from None

    def note_address(self, address: str) -> None:
        write_whole(self.address, f"{address}\n")


def check_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise Trouble(f"{name!r} is no name of a machine: small letters, digits and minus signs, up to 63.")
    return name


def check_address(address: str) -> str:
    """HOST, HOST:PORT or tls://HOST:PORT as the last of these; another protocol is refused."""
    found = _ADDRESS.fullmatch(address.strip())
    port = int(found["port"] or PORT) if found else 0
    if found is None or not 0 < port < 65_536:
        raise Trouble(
            f"{address!r} is no address of a scheduler, like tls://host:{PORT}. There is no other way than TLS."
        )
    return f"tls://{found['host']}:{port}"
