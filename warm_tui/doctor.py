"""What was found, what is missing, what to do."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from warm_tui import __version__
from warm_tui.agent.asking_state import asking_state
from warm_tui.agent.hermes_cli import on_the_path
from warm_tui.agent.plugin_state import PluginState, plugin_state
from warm_tui.agent.trials import beside_rules, warmed_by
from warm_tui.agent.ways import hanging
from warm_tui.errors import Trouble
from warm_tui.library.db import set_aside
from warm_tui.paths import Home
from warm_tui.presentation.figures import ago
from warm_tui.presentation.fleet import fleet_lines
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.text import plural


class DatabaseReport(msgspec.Struct):
    path: str
    readable: bool
    agent: str = ""
    schema_version: int | None = None
    sessions: int | None = None
    messages: int | None = None
    text_index: bool = False
    state: str = ""
    problem: str | None = None

    @property
    def in_words(self) -> str:
        if not self.readable:
            return self.problem or "cannot be read"
        schema = f", schema {self.schema_version}" if self.schema_version else ""
        state = f", {self.state}" if self.state else ""
        messages = f", {plural(self.messages, 'message')}" if self.messages is not None else ""
        return f"{self.agent}, {plural(self.sessions or 0, 'session')}{messages}{schema}{state}"


class Report(msgspec.Struct):
    version: str
    python: str
    sqlite: str
    home: str
    profile: str
    databases: list[DatabaseReport]
    library: str
    fleet: list[str]
    """Each machine of the fleet, and how it is."""
    found: dict[str, bool]
    hermes: dict[str, str]
    """The version of each program that is installed."""
    plugin: PluginState
    warmed_by: str
    """By which way the next sessions begin warm: the prefill file, rules, or nothing."""
    approvals: str
    """Whether the agent asks before what cannot be undone, and whether anybody could answer."""
    problems: list[str]
    advice: list[str]

    @property
    def healthy(self) -> bool:
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]

    def lines(self) -> list[tuple[str, str]]:
        lines = [
            ("warm-tui", f"{self.version}, Python {self.python}, SQLite {self.sqlite}"),
            ("home", f"{self.home} (profile {self.profile})" if self.profile else self.home),
        ]
        for db in self.databases:
            lines.append(("database", f"{db.path}: {db.in_words}"))
        lines.append(("library", self.library))
        lines += [("machine", line) for line in self.fleet]
        lines += [("found" if there else "missing", name) for name, there in self.found.items()]
        lines += [
            ("hermes", f"{program}, {version or 'of an unknown version'}") for program, version in self.hermes.items()
        ]
        lines += lines_of_plugin(self.plugin)
        lines.append(("warm by", self.warmed_by))
        lines.append(("approvals", self.approvals))
        lines += [("problem", text) for text in self.problems]
        lines += [("to do", text) for text in self.advice]
        return lines


def examine(home: Home) -> Report:
    examined = [_examine_database(path) for path in home.databases]
    databases = [report for report, _ in examined]
    problems = [db.problem for db in databases if db.problem]
    advice = []
    if problems:
        advice.append("Name a database with --db FILE, or see the sample with --demo.")
    advice += [sentence for _, sentences in examined for sentence in sentences]
    problems += hanging(home)
    advice += beside_rules(home)
    library, problem = _examine_library(home.library)
    if problem:
        advice.append(problem)
    advice += [f"{path} is a library that was set aside, as damaged or newer." for path in set_aside(home.library)]
    root, plugin, asking = home.root, plugin_state(home), asking_state(home)
    return Report(
        version=__version__,
        python=".".join(map(str, sys.version_info[:3])),
        sqlite=sqlite3.sqlite_version,
        home=str(root),
        profile=home.profile,
        databases=databases,
        library=library,
        fleet=fleet_lines(home),
        found={
            "config.yaml": os.path.isfile(root / "config.yaml"),
            "warm_sessions": os.path.isdir(root / "warm_sessions"),
            "session-templates": os.path.isdir(root / "session-templates"),
            "hermes on the PATH": on_the_path("hermes") is not None,
        },
        hermes=plugin.versions,
        plugin=plugin,
        warmed_by=warmed_by(home),
        approvals=asking.told,
        problems=problems,
        advice=[*advice, *([] if home.passing else [*plugin.advice, *asking.advice])],
    )


def lines_of_plugin(state: PluginState) -> list[tuple[str, str]]:
    now = time.time()
    there = {True: "installed beside", False: "not installed beside", None: "not known whether beside"}
    lines = [
        ("plugin", f"{there[has]} Hermes {state.versions[program] or 'of an unknown version'} ({program})")
        for program, has in state.installed.items()
    ]
    lines.append(("plugin", "switched on" if state.enabled else "not switched on"))
    if state.loaded_at is not None:
        by = f" by Hermes {state.loaded_by}" if state.loaded_by else ""
        lines.append(("plugin", f"taken in last{by} {ago(state.loaded_at, now)}"))
    recorded = f"{state.recorded_session}, {ago(state.recorded_at, now)}" if state.recorded_at else "none yet"
    lines.append(("plugin", f"last session recorded: {recorded}"))
    return lines


def _examine_database(path: Path) -> tuple[DatabaseReport, list[str]]:
    """And what to do about it."""
    try:
        with open_source(path) as source:
            health, agent = source.health(), source.facts.agent
    except Trouble as trouble:
        return DatabaseReport(path=str(path), readable=False, problem=str(trouble)), []
    report = DatabaseReport(
        path=str(path),
        readable=True,
        agent=agent,
        schema_version=health.schema_version,
        sessions=health.sessions,
        messages=health.messages,
        text_index=health.text_index,
        state=health.state,
    )
    return report, health.advice


def _examine_library(path: Path) -> tuple[str, str | None]:
    """Without making one: a doctor changes nothing."""
    folder = path.parent
    while not os.path.exists(folder) and folder != folder.parent:
        folder = folder.parent
    if os.path.isfile(path):
        return f"{path}, {path.stat().st_size:,} bytes", None
    if not os.access(folder, os.W_OK):
        return (
            "cannot be made",
            f"{folder} cannot be written, so profiles and verdicts will not be remembered.",
        )
    return f"not made yet; it will be {path}", None
