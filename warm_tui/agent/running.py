"""Agents that run now: what they begin sessions with, they read when they were started."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec

from warm_tui.paths import Home
from warm_tui.writing import read_regular

PROCESSES = Path("/proc")
PROGRAMS = ("hermes", "hermes-agent")
# They end by themselves, or take no first messages.
PASSING = ("-z", "--oneshot", "-q", "--query", "--tui")
KINDS = {"": "agent", "chat": "agent", "gateway": "gateway"}
"""By the subcommand. What any other one begins is given no first messages, or reads them anew."""
OWN_OPTIONS = ("-p", "--profile")


class Agent(msgspec.Struct, frozen=True):
    """A process of Hermes in this home."""

    process: int
    what: str
    restart: str

    @property
    def told(self) -> str:
        return f"The {self.what} (process {self.process}) stays as it began. {self.restart}"


def running_agents(home: Home) -> list[Agent]:
    """Where there is no /proc, only the gateway that the home itself names is known."""
    if not PROCESSES.is_dir():
        process = _named_gateway(home)
        return [_agent(home, process, "gateway")] if process else []
    found = []
    for entry in sorted(PROCESSES.glob("[0-9]*"), key=lambda entry: int(entry.name)):
        words = _words(entry)
        is_asked = words and int(entry.name) != os.getpid() and not set(words) & set(PASSING)
        if is_asked and (what := _what(words)) and _is_at(entry, words, home):
            found.append(_agent(home, int(entry.name), what))
    return found


def _agent(home: Home, process: int, what: str) -> Agent:
    profile = f"-p {home.profile} " if home.profile else ""
    if what == "gateway":
        return Agent(process, what, f"`hermes {profile}gateway restart` starts it anew.")
    return Agent(process, what, "Leave it and start it again.")


def _words(entry: Path) -> list[str]:
    """What came after the name of the program; nothing where it is no Hermes."""
    with suppress(OSError):
        words = [os.fsdecode(word) for word in read_regular(entry / "cmdline").split(b"\0")]
        for at, word in enumerate(words[:4]):
            if Path(word).name in PROGRAMS or word.startswith("hermes_cli"):
                return [word, *words[at + 1 :]]
    return []


def _what(words: list[str]) -> str:
    """Nothing where it is no agent that could have been started warm."""
    named = [word for before, word in pairwise(words) if word[:1] not in ("", "-") and before not in OWN_OPTIONS]
    return KINDS.get(named[0] if named else "", "")


def _is_at(entry: Path, words: list[str], home: Home) -> bool:
    """Known by the files of the home that it holds open, or by the home it was given."""
    root = home.root.resolve()
    with suppress(OSError):
        for descriptor in (entry / "fd").iterdir():
            with suppress(OSError):
                if Path(os.readlink(descriptor)).parent in (root, root / "logs"):
                    return True
        if not set(words) & set(OWN_OPTIONS):
            variables = read_regular(entry / "environ").split(b"\0")
            given = [each.removeprefix(b"HERMES_HOME=") for each in variables if each.startswith(b"HERMES_HOME=")]
            return bool(given) and Path(os.fsdecode(given[0])).resolve() == root
    return False


def _named_gateway(home: Home) -> int:
    with suppress(OSError, ValueError, TypeError, KeyError):
        process = int(json.loads(read_regular(home.root / "gateway.pid"))["pid"])
        os.kill(process, 0)
        return process
    return 0
