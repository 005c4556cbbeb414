"""Which home `hermes` would run in here: its profiles, and the one that was chosen to stay."""

from __future__ import annotations

import os
import re
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.paths import PROFILES
from warm_tui.writing import read_regular

DEFAULT = "default"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
MOST_BYTES = 200


def default_home() -> Path:
    """A profile's folder in HERMES_HOME decides. Any other does not: the profile chosen to stay comes before it."""
    named = _named_home()
    if named is not None and named.parent.name == PROFILES:
        return named
    root = root_of_profiles()
    sticky = sticky_profile(root)
    return root / PROFILES / sticky if sticky else named or root


def root_of_profiles() -> Path:
    """The home above them all, found as Hermes finds it."""
    native, named = Path.home() / ".hermes", _named_home()
    if named is None or named.resolve().is_relative_to(native.resolve()):
        return native
    return named.parent.parent if named.parent.name == PROFILES else named


def home_of_profile(name: str) -> Path:
    root = root_of_profiles()
    names = profiles(root)
    if name not in names:
        raise Trouble(f"There is no profile {name!r} in {root}; there are: {', '.join(names)}.")
    return root if name == DEFAULT else root / PROFILES / name


def profiles(root: Path) -> list[str]:
    """The default one first."""
    try:
        names = sorted(path.name for path in (root / PROFILES).iterdir() if path.is_dir())
    except OSError:
        names = []
    return [DEFAULT, *(name for name in names if NAME.fullmatch(name))]


def sticky_profile(root: Path) -> str:
    """What `hermes profile use` chose; nothing where that is the default one."""
    try:
        name = read_regular(root / "active_profile", MOST_BYTES).decode().strip()
    except (OSError, ValueError):
        return ""
    return name if NAME.fullmatch(name) and name != DEFAULT else ""


def _named_home() -> Path | None:
    named = os.environ.get("HERMES_HOME", "").strip()
    return Path(named).expanduser() if named else None
