"""The real Hermes, driven by its command line: a home made for one run, one task, one session."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from warm_tui.agent.hermes_config import KEY, parse_config
from warm_tui.agent.processes import MARK
from warm_tui.errors import Trouble
from warm_tui.templates.building import own_secrets
from warm_tui.templates.secrets import is_named_so, looks_secret
from warm_tui.writing import write_whole

SOURCE = "warm-tui"
PREFILL = "HERMES_PREFILL_MESSAGES_FILE"
# What of a home makes the agent what it is. Sessions, logs, jobs and caches do not.
FOLDERS = ("memories", "skills", "plugins", "skins", "mcp-tokens", "personalities")
LARGEST_FILE = 5_000_000
NOT_COPIED = re.compile(r".*\.(db|db-wal|db-shm|sqlite\w*|lock|pid|log|sock|bak)", re.DOTALL)
SESSION = re.compile(r"^session_id: (\S+)", re.MULTILINE)
LEAST_SECRET = 8


def find_hermes() -> Path:
    """The command on the path, else the one beside our own Python."""
    found = shutil.which("hermes")
    beside = Path(sys.executable).with_name("hermes")
    if found:
        return Path(found)
    if os.access(beside, os.X_OK):
        return beside
    raise Trouble("Hermes was not found: there is no command hermes on the PATH, nor beside this Python.")


def freeze_home(root: Path, target: Path) -> None:
    """Config, credentials, memory and skills as they stand; no template that happens to be active."""
    target.mkdir(parents=True, mode=0o700)
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if path.is_dir():
            if path.name in FOLDERS:
                shutil.copytree(path, target / path.name, symlinks=False, ignore=_unreadable, dirs_exist_ok=True)
        elif _is_wanted(path):
            shutil.copy2(path, target / path.name)
            (target / path.name).chmod(0o600)
    config = target / "config.yaml"
    if config.exists():
        write_whole(config, without_prefill(config.read_text("utf-8", "replace"), root / "config.yaml"))


def _is_wanted(path: Path) -> bool:
    with suppress(OSError):
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or NOT_COPIED.fullmatch(path.name):
            return False
        return status.st_size <= LARGEST_FILE
    return False


def _unreadable(folder: str, names: list[str]) -> list[str]:
    """Pipes, sockets and links to nowhere cannot be copied."""
    return [
        name
        for name in names
        if not (os.path.isdir(path := os.path.join(folder, name)) or os.path.isfile(path)) or name == "__pycache__"
    ]


def without_prefill(text: str, path: Path) -> str:
    """The same settings, and no messages before the first: which arm is warm is for the experiment to say."""
    from io import StringIO

    from ruamel.yaml import YAML

    config: Any = parse_config(text, path)
    agent = config.get("agent")
    if not config.get(KEY) and not (isinstance(agent, dict) and agent.get(KEY)):
        return text
    config.pop(KEY, None)
    if isinstance(agent, dict):
        agent.pop(KEY, None)
    out = StringIO()
    YAML().dump(config, out)
    return out.getvalue()


def environment_of(home: Path, prefill: Path | None, token: str) -> dict[str, str]:
    """Ours, but for what would tie the run to another home or session."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("HERMES_HOME", PREFILL) and not name.startswith("HERMES_SESSION")
    }
    kept |= {"HERMES_HOME": str(home), MARK: token}
    return kept | ({PREFILL: str(prefill)} if prefill is not None else {})


def chat(hermes: Path, prompt: str, model: str, flags: Sequence[str]) -> list[str]:
    # Joined by "=", so that a prompt that begins with a dash is no option.
    chosen = [f"--model={model}"] if model else []
    return [str(hermes), "chat", f"--query={prompt}", "-Q", "--source", SOURCE, *chosen, *flags]


def session_in(output: str) -> str:
    found = SESSION.findall(output)
    return found[-1] if found else ""


# --- what must not leave the home ---


def secrets_of(root: Path, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The credentials that a run is given, the longest first: they are masked in all that is kept of it."""
    found = set(own_secrets(root / ".env"))
    found |= {value for name, value in environment.items() if _is_secret(name, value)}
    with suppress(OSError, Trouble):
        found.update(_named_secret(parse_config((root / "config.yaml").read_text("utf-8", "replace"), root)))
    for path in sorted([*root.glob("*.json"), *root.glob(".*.json"), *root.glob("mcp-tokens/*.json")]):
        with suppress(OSError, ValueError, RecursionError):
            if path.stat().st_size <= LARGEST_FILE:
                found.update(_named_secret(json.loads(path.read_bytes())))
    return sorted((each for each in found if len(each) >= LEAST_SECRET), key=lambda each: (-len(each), each))


def _named_secret(value: Any, name: str = "") -> Iterable[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _named_secret(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _named_secret(inner, name)
    elif isinstance(value, str) and _is_secret(name, value):
        yield value


def _is_secret(name: str, value: str) -> bool:
    return is_named_so(name) and looks_secret(value, quoted=True) and not value.startswith(("/", "http"))
