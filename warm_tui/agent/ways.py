"""What the next session is given before its first word, by the way it begins: read as the installed agents read it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.agent import installed
from warm_tui.agent.hermes_config import prefill_at, settings_of
from warm_tui.agent.installed import Installed, read_by
from warm_tui.agent.prefill import Prefill
from warm_tui.agent.recording import COMMAND_LINE, CRON, GATEWAY, VARIABLE
from warm_tui.paths import Home
from warm_tui.sessions.text import plural
from warm_tui.writing import read_regular

WITH_MESSAGES = (COMMAND_LINE, GATEWAY, CRON)
WITHOUT = ("hermes -z", "TUI", "API server")
"""Ways into the agent that hand no first messages on, in no version so far."""
LARGEST = 20_000_000
UNKNOWN = Installed(Path("hermes"), None, "")


class Way(msgspec.Struct, frozen=True):
    """A way to begin a session, with what it will be given."""

    way: str
    hermes: str
    """The version; nothing where it is not known."""
    template: str
    """Ours that it is given; nothing where it is none of ours."""
    file: str
    messages: int
    why: str
    """Why it is given nothing, or somebody else's file."""
    hangs: bool = False
    """The agent waits for ever at its start: what it reads is a pipe."""

    @property
    def told(self) -> str:
        given = plural(self.messages, "message")
        if self.template:
            return f"{given} of {self.template}"
        return f"{given} of {self.file}, {self.why}" if self.messages else f"nothing: {self.why}"


def next_sessions(home: Home) -> list[Way]:
    """Each way into each version that is installed."""
    agents = {agent.version: agent for agent in installed.agents_here()} or {"": UNKNOWN}
    config, prefill = settings_of(home.root), Prefill(home)
    ways = []
    for agent in agents.values():
        ways += [_given(way, agent, config, home, prefill) for way in WITH_MESSAGES]
        ways += [Way(way, agent.version, "", "", 0, "it takes no first messages") for way in WITHOUT]
    return ways


def hanging(home: Home) -> list[str]:
    """The pipes that keep the agent from starting, with what to do about each."""
    prefill = Prefill(home)
    files = dict.fromkeys(way.file for way in next_sessions(home) if way.hangs)
    mend = {True: "`warm-tui deactivate` takes it away.", False: "Name a file there instead."}
    return [
        f"{file} is a pipe, and the agent waits for it at its start: no session begins. {mend[prefill.is_ours(file)]}"
        for file in files
    ]


def lines_of(ways: list[Way]) -> list[tuple[str, str]]:
    """Ways that are given the same stand together."""
    versions = dict.fromkeys(way.hermes for way in ways)
    told: dict[tuple[str, str], list[str]] = {}
    for way in ways:
        told.setdefault((way.hermes, way.told), []).append(way.way)
    several = len(versions) > 1
    return [
        (", ".join(names) + (f" ({version or 'unknown version'})" if several else ""), given)
        for (version, given), names in told.items()
    ]


def environment_variable(root: Path) -> str:
    """The file of first messages that the environment names: the home's own .env comes before ours."""
    try:
        lines = read_regular(root / ".env", LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    for line in reversed(lines):
        name, _, value = line.strip().removeprefix("export ").partition("=")
        if name.strip() == VARIABLE:
            return value.strip().strip("\"'")
    return os.environ.get(VARIABLE, "").strip()


def file_named(way: str, number: tuple[int, ...], config: Mapping[str, Any], variable: str) -> str:
    """The file that such a version reads, begun in this way."""
    named = (variable if place == VARIABLE else prefill_at(config, tuple(place)) for place in read_by(way, number))
    return next(filter(None, named), "")


def _given(way: str, agent: Installed, config: Mapping[str, Any], home: Home, prefill: Prefill) -> Way:
    variable = environment_variable(home.root)
    named = file_named(way, agent.number, config, variable)
    if not named:
        return Way(way, agent.version, "", "", 0, "no file is named where it looks")
    path = Path(named).expanduser()
    path = path if path.is_absolute() else home.root / path
    try:
        messages = json.loads(read_regular(path, LARGEST))
    except (OSError, ValueError, RecursionError):
        if hangs := path.is_fifo():
            why = f"{path} is a pipe, and the agent waits for it at its start"
        else:
            why = f"{path} cannot be read"
        return Way(way, agent.version, "", str(path), 0, why, hangs)
    count = len(messages) if isinstance(messages, list) else 0
    active = prefill.active()
    if active is not None and prefill.is_ours(str(path)):
        return Way(
            way, agent.version, active.template if count else "", str(path), count, "" if count else "it is empty"
        )
    by = f"{VARIABLE} names it" if named == variable else "config.yaml names it"
    return Way(way, agent.version, "", str(path), count, by)
