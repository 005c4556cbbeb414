"""Which Hermes is installed, what the next session is given by each way into it, and who runs already."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import NEWEST
from warm_tui.agent import installed
from warm_tui.agent.installed import Installed, places_read
from warm_tui.agent.prefill import Prefill
from warm_tui.agent.running import running_agents
from warm_tui.agent.ways import WITHOUT, hanging, lines_of, next_sessions
from warm_tui.doctor import examine
from warm_tui.paths import Home

MESSAGES = [{"role": "user", "content": "Look."}, {"role": "assistant", "content": "Done."}]
OLD = Installed(Path("/opt/old/bin/hermes"), None, "0.15.2")
UNKNOWN = Installed(Path("/opt/shim/hermes"), None, "")
CONFIG = "model: m\nagent:\n  max_turns: 9\n"
agents_here = installed.agents_here


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.delenv("HERMES_PREFILL_MESSAGES_FILE", raising=False)
    root = tmp_path / "home"
    root.mkdir()
    (root / "config.yaml").write_text(CONFIG)
    return Home(root, ())


def given(home: Home) -> dict[str, tuple[str, int]]:
    return {way.way: (way.template, way.messages) for way in next_sessions(home) if way.way not in WITHOUT}


def here(monkeypatch: pytest.MonkeyPatch, *agents: Installed) -> None:
    monkeypatch.setattr(installed, "agents_here", lambda: list(agents))


# --- what is written is what is read ---


@pytest.mark.parametrize(
    ("agents", "both"),
    [
        ((NEWEST,), False),
        ((OLD,), True),
        ((UNKNOWN,), True),
        ((), True),
        ((NEWEST, OLD), True),
        ((NEWEST, UNKNOWN), True),
    ],
)
def test_each_installed_agent_is_given_the_template_and_then_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch, agents: tuple[Installed, ...], both: bool
) -> None:
    here(monkeypatch, *agents)
    plan = Prefill(home).activate("mine", MESSAGES)
    assert plan.after is not None
    assert plan.after.count(b"prefill_messages_file") == 1 + both
    shown = [line for line in plan.difference.split("\n") if line.startswith("+") and "prefill_messages_file" in line]
    assert len(shown) == 1 + both, "each line is shown before"
    assert given(home) == dict.fromkeys(("command line", "gateway", "cron"), ("mine", 2))
    assert not Prefill(home).plan_activation().changed
    Prefill(home).deactivate()
    assert (home.root / "config.yaml").read_text() == CONFIG
    assert set(given(home).values()) == {("", 0)}


def test_a_home_edited_elsewhere_meanwhile_loses_our_two_lines_alone(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    here(monkeypatch, OLD)
    Prefill(home).activate("mine", MESSAGES)
    config = home.root / "config.yaml"
    config.write_text(config.read_text().replace("max_turns: 9", "max_turns: 10\n  # mine") + "more: 1\n")
    Prefill(home).deactivate()
    assert config.read_text() == CONFIG.replace("max_turns: 9", "max_turns: 10\n  # mine") + "more: 1\n"


def test_what_stood_in_either_place_comes_back(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    here(monkeypatch, OLD)
    config = home.root / "config.yaml"
    config.write_text("prefill_messages_file: a.json\nagent:\n  prefill_messages_file: b.json\n")
    Prefill(home).activate("mine", MESSAGES, replace=True)
    config.write_text(config.read_text() + "more: 1\n")
    Prefill(home).deactivate()
    assert config.read_text() == 'prefill_messages_file: "a.json"\nagent:\n  prefill_messages_file: "b.json"\nmore: 1\n'


def test_an_older_agent_that_came_later_is_given_it_by_activating_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    Prefill(home).activate("mine", MESSAGES)
    here(monkeypatch, NEWEST, OLD)
    cold = [way for way in next_sessions(home) if way.hermes == "0.15.2" and way.way == "command line"]
    assert [way.told for way in cold] == ["nothing: no file is named where it looks"]
    assert Prefill(home).activate("mine", MESSAGES).changed
    assert set(given(home).values()) == {("mine", 2)}
    Prefill(home).deactivate()
    assert (home.root / "config.yaml").read_text() == CONFIG


# --- what wins over it ---


def test_the_environment_wins_but_not_over_the_command_line_of_an_older_one(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = home.root / "theirs.json"
    theirs.write_text(json.dumps(MESSAGES * 2))
    (home.root / ".env").write_text(f"KEY=x\nexport HERMES_PREFILL_MESSAGES_FILE='{theirs}'\n")
    here(monkeypatch, NEWEST, OLD)
    Prefill(home).activate("mine", MESSAGES)
    assert dict(lines_of(next_sessions(home))) == {
        "command line, gateway, cron (0.19.0)": f"4 messages of {theirs}, HERMES_PREFILL_MESSAGES_FILE names it",
        "hermes -z, TUI, API server (0.19.0)": "nothing: it takes no first messages",
        "command line (0.15.2)": "2 messages of mine",
        "gateway, cron (0.15.2)": f"4 messages of {theirs}, HERMES_PREFILL_MESSAGES_FILE names it",
        "hermes -z, TUI, API server (0.15.2)": "nothing: it takes no first messages",
    }


def test_a_file_that_nobody_can_read_gives_nothing(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    prefill.file.write_bytes(b"[{")
    assert {way.told for way in next_sessions(home) if way.way not in WITHOUT} == {
        f"nothing: {prefill.file} cannot be read"
    }
    assert not hanging(home)


def test_a_pipe_in_its_place_keeps_the_agent_from_starting_and_is_told(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    prefill.file.unlink()
    os.mkfifo(prefill.file)
    assert {way.told for way in next_sessions(home) if way.way not in WITHOUT} == {
        f"nothing: {prefill.file} is a pipe, and the agent waits for it at its start"
    }
    (sentence,) = hanging(home)
    assert sentence.endswith("no session begins. `warm-tui deactivate` takes it away.")
    assert sentence in examine(home).problems
    prefill.deactivate()
    assert not hanging(home)
    assert not prefill.file.exists()


def test_somebody_elses_pipe_is_told_and_left(home: Home, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "theirs")
    home.root.joinpath("config.yaml").write_text(f"prefill_messages_file: {tmp_path}/theirs\n")
    (sentence,) = hanging(home)
    assert sentence.endswith("Name a file there instead.")


# --- which one is installed ---


def program(folder: Path, version: str, script: str = "") -> Path:
    """An installed Hermes, as far as its files go."""
    packages = folder / "lib" / "python3.11" / "site-packages" / f"hermes_agent-{version}.dist-info"
    packages.mkdir(parents=True)
    (packages / "METADATA").write_text(f"Metadata-Version: 2.1\nName: hermes-agent\nVersion: {version}\n")
    (folder / "bin").mkdir()
    (folder / "bin" / "hermes").write_text(script or f"#!{folder}/bin/python\nimport sys\n")
    (folder / "bin" / "hermes").chmod(0o755)
    return folder / "bin" / "hermes"


def test_the_version_is_told_by_the_packages_of_each_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spaced = tmp_path / "with a space"
    new = program(spaced, "0.19.0", f"#!/bin/sh\n'''exec' \"{spaced}/bin/python\" \"$0\" \"$@\"\n' '''\n")
    old = program(tmp_path / "old", "0.13.0")
    for name, script in (
        ("wrapped", f'#!/bin/bash\nexec "{old}" "$@"\n'),
        ("shim", '#!/bin/bash\nexec pyenv exec hermes "$@"\n'),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "hermes").write_text(script)
        (tmp_path / name / "hermes").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere" / "python"))
    path = [new.parent, tmp_path / "wrapped", old.parent, tmp_path / "shim", "relative"]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, path)))
    found = agents_here()
    assert [(agent.program, agent.version) for agent in found] == [
        (new, "0.19.0"), (tmp_path / "wrapped" / "hermes", "0.13.0"), (tmp_path / "shim" / "hermes", ""),
    ]  # fmt: skip
    assert len(places_read(found)) == 2
    assert [agent.has_our_plugin for agent in found] == [False, False, None]
    entries = spaced / "lib" / "python3.11" / "site-packages" / "warm_tui-1.dist-info"
    entries.mkdir()
    (entries / "entry_points.txt").write_text("[hermes_agent.plugins]\nwarm-tui = warm_tui.agent.plugin\n")
    assert agents_here()[0].has_our_plugin


# --- who runs already ---


@pytest.fixture
def agents(home: Home, tmp_path: Path) -> Iterator[dict[str, int]]:
    """Processes that look like Hermes: in this home by its files or by their environment, or in another home."""
    script = tmp_path / "hermes"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nkept = open(sys.argv[-1] + '/state.db', 'a')\nprint(flush=True)\nsys.stdin.read()\n"
    )
    script.chmod(0o755)
    (tmp_path / "elsewhere").mkdir()
    started = {
        "gateway": [str(script), "-p", "x", "gateway", "run", str(home.root)],
        "chat": [str(script), "chat", str(home.root)],
        "one task": [str(script), "chat", "-q", "work", str(home.root)],
        "another service": [str(script), "dashboard", str(home.root)],
        "another home's": [str(script), "gateway", str(tmp_path / "elsewhere")],
    }
    running = {
        name: subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for name, words in started.items()
    }
    for process in running.values():
        assert process.stdout is not None
        process.stdout.readline()
    yield {name: process.pid for name, process in running.items()}
    for process in running.values():
        process.communicate()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no /proc here")
def test_who_stays_as_it_was_is_named_with_how_to_start_it_anew(home: Home, agents: dict[str, int]) -> None:
    found = {agent.process: agent for agent in running_agents(home)}
    assert set(found) == {agents["gateway"], agents["chat"]}
    gateway = found[agents["gateway"]]
    assert gateway.told == (
        f"The gateway (process {agents['gateway']}) stays as it began. `hermes gateway restart` starts it anew."
    )
    assert found[agents["chat"]].what == "agent"
