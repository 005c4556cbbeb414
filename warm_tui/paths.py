"""Where things are: the Hermes home, its database, and what is ours in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

EXPORTS = ("exports", "reports", "pictures")
"""The folders of ours for what people want to take along."""
PROFILES = "profiles"
"""The folder of a Hermes home in which its profiles stand, each a home of its own."""


class Home(NamedTuple):
    """A Hermes home and the databases to read."""

    root: Path
    databases: tuple[Path, ...]
    passing: bool = False
    """Gone when the app is left: a sample."""
    fleet: bool = False
    """Homes on other machines are shown beside it, and had while the app is open."""

    @property
    def profile(self) -> str:
        """The name of the Hermes profile that this home is; nothing for one that is none."""
        root = self.root.absolute()
        return root.name if root.parent.name == PROFILES else ""

    @property
    def called(self) -> str:
        """What tells it from others in a title: its profile, or its folder; nothing for the usual one, and a sample."""
        usual = self.passing or self.root.absolute() == Path.home() / ".hermes"
        return self.profile or ("" if usual else self.root.absolute().name)

    @property
    def ours(self) -> Path:
        return self.root / "warm_tui"

    @property
    def written(self) -> tuple[Path, ...]:
        """The folders that we write files in."""
        exports = (self.ours / name for name in EXPORTS)
        return self.root, self.root / "warm_sessions", self.ours, *exports

    @property
    def archive(self) -> Path:
        """What the agent did in experiments, as it records it itself."""
        return self.ours / "experiments.db"

    @property
    def archived(self) -> Home:
        """The same home, seen through the sessions of its experiments."""
        return self._replace(databases=(self.archive,))

    @property
    def present(self) -> Home:
        """The same home without the databases that are not there: its agent may never have run yet."""
        return self._replace(databases=tuple(path for path in self.databases if os.path.exists(path)))

    @property
    def library(self) -> Path:
        return self.ours / "library.db"


def find_home(root: Path, databases: tuple[str, ...] = ()) -> Home:
    """The home to work on. It need not exist: whoever reads it says so."""
    named = {os.path.realpath(Path(name).expanduser()): Path(name).expanduser() for name in databases}
    return Home(root, tuple(named.values()) or (root / "state.db",))
