"""What the tests of experiments share: a home, a stand-in for the agent, and how to run a plan."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.unit import fake_hermes
from warm_tui.agent.processes import end_all
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.runner import run_experiment
from warm_tui.experiments.starting import begin
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Experiment, Run, load_experiment, runs_of
from warm_tui.paths import Home
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern

SECRET = "sk-aVerySecretKey0123456789"
PATTERN = Pattern(
    tool_name="terminal",
    arguments={"command": "ls"},
    result='{"output": "a"}',
    context="Look around.",
    whose=WRITTEN_BY_HAND,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home with a template, a key and some memory; the command `hermes` is a stand-in."""
    root = tmp_path / "home"
    (root / "memories").mkdir(parents=True)
    (root / "memories" / "MEMORY.md").write_text("Short answers.")
    (root / ".env").write_text(f"OPENAI_API_KEY={SECRET}\n")
    (root / "config.yaml").write_text("# Mine.\nmodel: m\nprefill_messages_file: /elsewhere.json\n")
    (root / "state.db").write_text("")
    (root / "sessions").mkdir()
    (root / "sessions" / "old.json").write_text("{}")
    log = fake_hermes.install(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{log.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SAID", SECRET)
    home = Home(root, (root / "state.db",))
    TemplateFiles(home).save(new_template("careful", [PATTERN]))
    return home


def told(home: Home) -> list[dict[str, Any]]:
    """What the agent was given, run by run."""
    log = home.root.parent / "bin" / "log.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def tasks(count: int, **settings: Any) -> tuple[Task, ...]:
    return tuple(Task(f"t{at}", f"Task {at}.", **settings) for at in range(count))


def begun(home: Home, plan: Plan) -> int:
    with Catalog(home._replace(databases=())) as catalog:
        return begin(catalog, plan)


def run(home: Home, plan: Plan) -> tuple[Experiment, list[Run]]:
    number = begun(home, plan)
    return run_experiment(home, number, Event()), runs(home, number)


def runs(home: Home, number: int) -> list[Run]:
    with open_library(home.library) as library:
        return runs_of(library, number)


def let_go(home: Home) -> None:
    """The runs of tasks that wait go on to their end."""
    (home.root.parent / "bin" / fake_hermes.GO).touch()


def going_down(home: Home, says: str, *, errors: str = "", code: int = 1) -> None:
    """From now on, every run of the agent ends like this."""
    down = home.root.parent / "bin" / fake_hermes.DOWN
    whole = down.with_suffix(".new")
    whole.write_text(json.dumps({"says": says, "errors": errors, "code": code}))
    whole.rename(down)


def coming_up(home: Home) -> None:
    (home.root.parent / "bin" / fake_hermes.DOWN).unlink()


def states(found: list[Run]) -> Counter[str]:
    return Counter(run.state for run in found)


def found(home: Home, number: int) -> Experiment:
    with open_library(home.library) as library:
        return load_experiment(library, number)


def until(holds: Callable[[], bool], seconds: float = 300.0) -> None:
    """The limit only ends a test that would wait for ever."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not come to pass"
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path) -> Iterator[None]:
    """What a test began, and nothing else, is ended with it: other tests have agents that hang as well."""
    yield
    end_all("", tmp_path)
