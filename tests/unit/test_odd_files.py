"""Pipes and devices in the places of small files: nothing hangs, the agent's start least of all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.commands import at, run
from warm_tui.agent.hermes_cli import find_hermes, on_the_path
from warm_tui.errors import Trouble
from warm_tui.paths import Home

PLACES = (
    ".env", "config.yaml", "warm_tui/redaction.key", "warm_tui/activation.json", "warm_tui/prefill.json",
    "warm_tui/config.toml", "warm_tui/activation.lock", "warm_tui/library.db", "warm_tui/library.lock",
    "warm_tui/config.yaml.before", "warm_sessions/notes.json", "state.db", "warm_tui/experiments.db",
)  # fmt: skip
SECONDS = 300


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.fixture(params=[pipe, device])
def odd(request: pytest.FixtureRequest, demo: Home) -> Home:
    """Every small file there is, at once, is none."""
    for name in PLACES:
        path = demo.root / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        request.param(path)
    return demo


def test_no_command_hangs(odd: Home, tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    os.mkfifo(file)
    commands = (
        ["sessions"], ["doctor"], ["list"], ["load", "notes"], ["load", "log-triage", "--output", str(tmp_path / "a")],
        ["inject", "log-triage", str(file)], ["activate", "log-triage", "--yes"], ["deactivate", "--yes"],
        ["experiment", "run", str(file)], ["experiment", "list"], ["verdicts"],
    )  # fmt: skip
    script = "import sys; from warm_tui.__main__ import main; main()"
    # Beside each other: each alone takes as long as importing does.
    running = [
        subprocess.Popen([sys.executable, "-c", script, *at(odd), *words], stdout=-3, stderr=subprocess.PIPE, text=True)
        for words in commands
    ]
    for words, process in zip(commands, running, strict=True):
        _, errors = process.communicate(timeout=SECONDS)
        assert "Traceback" not in errors, (words, errors)


def test_the_agents_start_does_not_hang(odd: Home) -> None:
    code = (
        "from warm_tui.agent.plugin import _Memory\n"
        "memory = _Memory(lambda: None); memory.on_start('s', 'm', 'cli'); memory.on_end('s', True, False)\n"
        "print(memory.slash('status'))\n"
    )
    environment = {**os.environ, "HERMES_HOME": str(odd.root)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert "began cold" in done.stdout


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_no_pipe_beside_a_database_is_opened(demo: Home, ending: str) -> None:
    os.mkfifo(f"{demo.databases[0]}{ending}")
    command = [sys.executable, "-m", "warm_tui", *at(demo), "sessions"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert f"state.db{ending} is not a regular file" in done.stderr


def test_the_agents_start_reads_no_pipe_that_the_settings_name(demo: Home, tmp_path: Path) -> None:
    from warm_tui.agent.recording import COMMAND_LINE, arm_of, snapshot

    os.mkfifo(tmp_path / "theirs.json")
    with (demo.root / "config.yaml").open("a") as config:
        config.write(f"prefill_messages_file: {tmp_path / 'theirs.json'}\n")
    assert arm_of(snapshot(demo), demo, COMMAND_LINE) == ("", "")


@pytest.mark.parametrize("places", ["", ".", "bin", ":", "::bin:"])
def test_hermes_is_looked_for_in_whole_places_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: str
) -> None:
    for folder in (tmp_path, tmp_path / "bin"):
        folder.mkdir(exist_ok=True)
        (folder / "hermes").write_text("#!/bin/sh\n")
        (folder / "hermes").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", places)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none" / "python"))
    assert on_the_path("hermes") is None
    with pytest.raises(Trouble, match="not found"):
        find_hermes()
    monkeypatch.setenv("PATH", f"{places}:{tmp_path / 'bin'}")
    assert find_hermes() == tmp_path / "bin" / "hermes"


def test_a_killed_writers_file_is_gone_after_the_next_start(demo: Home) -> None:
    left = [folder / ".x.0123456789ab.warm-tui-new" for folder in demo.written if folder.is_dir()]
    for path in left:
        path.touch()
    run(*at(demo), "list")
    assert len(left) >= 3
    assert not [path for path in left if path.exists()]
