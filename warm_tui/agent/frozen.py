"""A Hermes home as it stands, copied for runs that shall not change it, nor see what it remembers of others."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

from warm_tui.agent.hermes_config import KEY, parse_config
from warm_tui.errors import Trouble
from warm_tui.secrets.credentials import LARGEST_FILE
from warm_tui.writing import copy_regular, read_regular, write_whole

# What of a home makes the agent what it is. Sessions, logs, jobs and caches do not.
FOLDERS = ("memories", "skills", "plugins", "skins", "mcp-tokens", "personalities")
# `active_profile` would lead the agent from the home that it is given to another one.
NOT_COPIED = re.compile(r"active_profile|.*\.(db|db-wal|db-shm|sqlite\w*|lock|pid|log|sock|bak)", re.DOTALL)
# What lets it reach its model: the operator may mend it while runs wait.
SETTINGS = ("config.yaml", ".env", "auth.json")
PREFILL = "HERMES_PREFILL_MESSAGES_FILE"
# Settings that tie an agent to a home, a session or a folder: the run has its own.
TIES = re.compile(rf"{PREFILL}|HERMES_DUMP_REQUEST\w*|HERMES_HOME|HERMES_SESSION\w*|_HERMES_\w*|TERMINAL_CWD")


def freeze_home(root: Path, target: Path) -> None:
    """Config, credentials, memory and skills as they stand; no template that happens to be active."""
    target.mkdir(parents=True, mode=0o700)
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if path.is_dir():
            if path.name in FOLDERS:
                copy_folder(path, target / path.name)
        elif _is_wanted(path):
            _copy_file(path, target / path.name)
    for name in ("config.yaml", ".env"):
        if (target / name).exists():
            write_whole(target / name, untied(root / name))


def untied(path: Path) -> bytes:
    """A file of settings without what would tie the agent to another home, session or folder."""
    raw = read_regular(path, LARGEST_FILE)
    text = raw.decode("utf-8", "replace")
    if path.name == "config.yaml":
        return untied_config(text, path).encode()
    return untied_env(text).encode() if path.name == ".env" else raw


def refresh_settings(root: Path, target: Path) -> list[str]:
    """Take over into the copy of a home what was changed of its settings since; which of them were."""
    changed = []
    for name in SETTINGS:
        path, copy = root / name, target / name
        if not path.is_file():
            continue
        with suppress(Trouble):
            wanted = untied(path)
            if not copy.is_file() or not _says_the_same(name, wanted, read_regular(copy, LARGEST_FILE)):
                write_whole(copy, wanted)
                changed.append(name)
    return changed


def _says_the_same(name: str, one: bytes, other: bytes) -> bool:
    """However it is laid out: a template that was activated since is taken out of it again."""
    if name != "config.yaml":
        return one == other
    return parse_config(one.decode(), Path(name)) == parse_config(other.decode("utf-8", "replace"), Path(name))


def _is_wanted(path: Path) -> bool:
    with suppress(OSError):
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or NOT_COPIED.fullmatch(path.name):
            return False
        return status.st_size <= LARGEST_FILE
    return False


def _copy_file(path: Path, target: Path) -> None:
    copy_regular(path, target)
    target.chmod(0o600 if not os.access(path, os.X_OK) else 0o700)


def copy_folder(folder: Path, target: Path, above: tuple[Path, ...] = ()) -> None:
    """What links lead to is copied, since skills are often links; a link to a folder it lies in is left out."""
    real = folder.resolve()
    if real in above:
        return
    target.mkdir(mode=0o700, exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name != "__pycache__":
                copy_folder(path, target / path.name, (*above, real))
        elif path.is_file():
            _copy_file(path, target / path.name)


def untied_config(text: str, path: Path) -> str:
    """The same settings, and no messages before the first: which arm is warm is for the experiment to say."""
    from ruamel.yaml import YAML

    parse_config(text, path)
    config: Any = YAML().load(text) or {}
    tied = [(config, KEY)]
    for part, key in (("agent", KEY), ("terminal", "cwd")):
        if isinstance(config.get(part), Mapping):
            tied.append((config[part], key))
    if not any(key in part for part, key in tied):
        return text
    for part, key in tied:
        part.pop(key, None)
    out = StringIO()
    YAML().dump(config, out)
    return out.getvalue()


def untied_env(text: str) -> str:
    """The same lines without those that win over what a run is given."""
    return "".join(
        line
        for line in text.splitlines(keepends=True)
        if not TIES.fullmatch(line.partition("=")[0].strip().removeprefix("export").strip())
    )
