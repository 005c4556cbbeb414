"""Which Hermes is installed here, by its packages: running it only to ask would take seconds."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import NamedTuple

from warm_tui.agent.hermes_config import PLACES, TOP, WITHIN_AGENT
from warm_tui.agent.recording import COMMAND_LINE, VARIABLE
from warm_tui.agent.yaml_text import Place
from warm_tui.writing import read_regular

TOP_LEVEL_SINCE = (0, 16)
"""Before, the command line read `agent.prefill_messages_file` alone, and gateway and cron the top-level key alone."""
DEEPEST = 3
BEGINNING = 4_000
LARGEST = 50_000_000
NAMED_IN_A_SCRIPT = re.compile(
    r"(?<=[\"'])/(?:[^\"'\n]*/)?(?:python[\d.]*|hermes)(?=[\"'])"
    r"|(?<![/\w.@+-])(?:/[\w.@+-]+)*/(?:python[\d.]*|hermes)(?=[\s\"']|\Z)"
)
OUR_ENTRY = re.compile(r"^warm-tui\s*=\s*warm_tui\.agent\.plugin\s*$", re.MULTILINE)


class Installed(NamedTuple):
    program: Path
    packages: Path | None
    """The folder with its Python packages, where the program tells it."""
    version: str
    """Nothing where it is not known."""

    @property
    def number(self) -> tuple[int, ...]:
        return number_of(self.version)

    @property
    def name(self) -> str:
        return f"Hermes {self.version}" if self.version else "Hermes of an unknown version"

    @property
    def has_our_plugin(self) -> bool | None:
        """None: it is not known."""
        if self.packages is None:
            return None
        entries: Iterator[Path] = self.packages.glob("warm_tui-*.dist-info/entry_points.txt")
        return any(OUR_ENTRY.search(_text(path)) for path in entries)

    @property
    def asks_before_calls(self) -> bool | None:
        """Whether plugins may refuse what it is about to call; None: it is not known."""
        if self.packages is None:
            return None
        text = _text(self.packages / "hermes_cli" / "plugins.py")
        return "pre_tool_call" in text if text else None


def number_of(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def agents_here() -> list[Installed]:
    """Each once; first the one that a word typed in a terminal would run."""
    folders = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(place)]
    programs = [Path(folder) / "hermes" for folder in (*folders, str(Path(sys.executable).parent))]
    found: dict[Path, Installed] = {}
    for program in programs:
        if program.is_file() and os.access(program, os.X_OK):
            packages = next(_packages_of(program), None)
            found.setdefault(packages or program.resolve(), Installed(program, packages, _version(packages)))
    return list(found.values())


def version_of(program: Path) -> str:
    """Nothing where it is not known."""
    return _version(next(_packages_of(program), None))


def places_read(agents: Sequence[Installed]) -> tuple[Place, ...]:
    """Where config.yaml has to name the messages, so that each of these agents reads them."""
    if agents and all(agent.number >= TOP_LEVEL_SINCE for agent in agents):
        return (TOP,)
    return PLACES


def read_by(way: str, number: tuple[int, ...]) -> tuple[Place | str, ...]:
    """What tells this way into such a version where the first messages are, what wins first."""
    if number >= TOP_LEVEL_SINCE:
        return (VARIABLE, TOP, WITHIN_AGENT)
    return (WITHIN_AGENT,) if way == COMMAND_LINE else (VARIABLE, TOP)


def _packages_of(program: Path, depth: int = 0) -> Iterator[Path]:
    """Of the Python that a script runs by its first line, or names in what it does."""
    for named in NAMED_IN_A_SCRIPT.finditer(_text(program)[:BEGINNING]):
        path = Path(named[0])
        if path.name == "hermes" and path != program and depth < DEEPEST:
            yield from _packages_of(path, depth + 1)
        elif path.name != "hermes":
            yield from (each for each in path.parent.parent.glob("lib/python3*/site-packages") if _version(each))


def _version(packages: Path | None) -> str:
    for path in packages.glob("hermes_agent-*.dist-info") if packages is not None else ():
        with suppress(OSError, ValueError):
            return str(PathDistribution(path).version)
    return ""


def _text(path: Path) -> str:
    try:
        return read_regular(path, LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
