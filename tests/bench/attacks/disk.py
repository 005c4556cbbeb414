"""A disk that is full, or fills up in the middle of a write: a sentence each time, and nothing of before is lost."""

from __future__ import annotations

import io
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from attacks import Figure
from attacks.damage import in_child
from attacks.kills import LIBRARY, Step, _experiment, _messages, _save

LEFT = (0, 4_096, 12_288, 40_960)
"""Bytes that are free when the write begins."""
MEGABYTES = 8
Act = Callable[[Path], str]
"""What was said of it; nothing where it could be done."""


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, _small_disk(Path(folder) / "disk") as (disk, how):
        master = _prepared(Path(folder) / "home")
        for name, act in ACTS.items():
            wrong = [why for left in LEFT if (why := _tried(master, disk, act, left, how))]
            for why in wrong:
                print(f"    {name}: {why}", file=sys.stderr)
            yield Figure(f"full disk ({how}): {name}", f"{len(wrong)} of {len(LEFT)} wrong", "0", not wrong)


@contextmanager
def _small_disk(place: Path) -> Iterator[tuple[Path, str]]:
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        yield place, "files may not grow"
        return
    try:
        yield place, "tmpfs"
    finally:
        subprocess.run(["umount", str(place)], check=True)


def _prepared(root: Path) -> Path:
    (root / "warm_tui").mkdir(parents=True)
    (root / "config.yaml").write_text("model: gpt-5  # mine\n")
    (root / "warm_tui" / "config.toml").write_text('theme = "warm-light"  # mine\n')
    _database(root / "state.db")
    for step in (_save, *LIBRARY.values()):
        step(root, "before", 0)
    return root


def _database(path: Path) -> None:
    from warm_tui.sessions.hermes.archive import Archive

    with Archive(path) as archive:
        archive.add_session(id="s", source="cli", started_at=1.0)
        archive.add_messages([{"session_id": "s", "role": "user", "content": "Look.", "timestamp": 1.0}])


def _tried(master: Path, disk: Path, act: Act, left: int, how: str) -> str:
    home = disk / "home"
    for each in disk.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    shutil.copytree(master, home)
    before = {name: (home / name).read_bytes() for name in ("state.db", "config.yaml")}

    if act is ACTS["deactivate"]:
        _activated(home)

    def with_a_full_disk() -> None:
        if how == "tmpfs":
            _fill(disk, left)
        else:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (left, resource.RLIM_INFINITY))
        said = act(home)
        assert "Traceback" not in said, said

    if wrong := in_child(with_a_full_disk):
        return f"{left} bytes left: {wrong}"
    (disk / "ballast").unlink(missing_ok=True)
    return in_child(lambda: _check(home, before)) or in_child(lambda: _again(act, home))


def _fill(disk: Path, left: int) -> None:
    free = os.statvfs(disk)
    with (disk / "ballast").open("wb") as ballast:
        ballast.write(b"x" * (free.f_bavail * free.f_frsize - left))


def _again(act: Act, home: Path) -> None:
    said = act(home)
    assert not said, f"with room again: {said}"


def _check(home: Path, before: dict[str, bytes]) -> None:
    """The next start finds all that was there."""
    from attacks.kills import _sound
    from tests.unit.commands import run as command
    from warm_tui.agent.prefill import Prefill
    from warm_tui.config import Config
    from warm_tui.paths import Home
    from warm_tui.templates.files import TemplateFiles
    from warm_tui.writing import ENDING

    command("--home", str(home), "list")
    assert not [path for path in home.rglob("*") if ENDING in path.name], "a half file"
    stored, bad = TemplateFiles(Home(home, ())).all()
    assert "before-0" in [each.template.name for each in stored], "the template is lost"
    assert not bad, bad
    connection = _sound(home)
    for table in LIBRARY:
        ((rows,),) = connection.execute(f"SELECT count(*) FROM {table} WHERE rowid IS NOT NULL")
        assert rows, f"of {table} nothing is there"
    connection.close()
    assert Config(home / "warm_tui" / "config.toml").text("theme") == "warm-light"
    assert (home / "state.db").read_bytes() == before["state.db"]
    Prefill(Home(home, ())).deactivate()
    assert (home / "config.yaml").read_bytes() == before["config.yaml"]


# --- what is done on it ---


def _command(*words: str) -> Act:
    def act(home: Path) -> str:
        from warm_tui.__main__ import main

        sys.argv = ["warm-tui", "--home", str(home), *(word.format(home=home, disk=home.parent) for word in words)]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
            try:
                main()
            except SystemExit as leaving:
                return errors.getvalue() if leaving.code else ""
        return ""

    return act


def _told(act: Callable[[Path], object]) -> Act:
    """By what the screens know how to tell."""

    def told(home: Path) -> str:
        from warm_tui.errors import Trouble

        try:
            act(home)
        except (Trouble, sqlite3.Error) as error:
            assert str(error)
            return str(error)
        except OSError as error:
            assert error.strerror
            return error.strerror
        return ""

    return told


def _step(step: Step) -> Act:
    """As an instance does that may be killed; each time as another one."""
    return _told(lambda home: step(home, f"now{os.getpid()}", 0))


def _choice(home: Path) -> None:
    from warm_tui.config import Config

    Config(home / "warm_tui" / "config.toml").put("filters", "now", "calls>1" * 900)


def _draft(home: Path) -> str:
    from warm_tui.paths import Home
    from warm_tui.screens.shared.drafting import Drafting
    from warm_tui.templates.draft import empty

    said: list[str] = []
    drafting = Drafting(Home(home, ()), said.append)
    for number in range(20):
        drafting.step(empty(f"draft {number} {'x' * 2_000}"))
    drafting.close()
    return " ".join(said)


def _export(home: Path) -> None:
    from warm_tui.outputs import write_unused

    write_unused(home / "warm_tui" / "exports" / "a.json", "x" * 50_000)


def _archive(home: Path) -> None:
    _database(home / "warm_tui" / f"archive{os.getpid()}.db")


def _key(home: Path) -> None:
    from warm_tui.paths import Home
    from warm_tui.secrets.redactor import redactor_of

    assert len(redactor_of(Home(home, ())).key) == 32


def _begun(home: Path) -> str:
    from warm_tui.library.db import open_library

    with open_library(home / "warm_tui" / f"another{os.getpid()}" / "library.db") as library:
        return " ".join(library.notes)


def _activated(home: Path) -> None:
    from warm_tui.agent.prefill import Prefill
    from warm_tui.paths import Home

    Prefill(Home(home, ())).activate("large", _messages("large", 0) * 10)  # type: ignore[arg-type]


ACTS: dict[str, Act] = {
    "save": _step(_save),
    "activate": _told(_activated),
    "activate, by the command": _command("activate", "before-0", "--yes", "--allow-outside"),
    "deactivate": _command("deactivate", "--yes"),
    **{table: _step(step) for table, step in LIBRARY.items()},
    "drafts": _draft,
    "config": _told(_choice),
    "experiments": _step(_experiment),
    "exports": _told(_export),
    "load --output": _command("load", "before-0", "--output", "{disk}/out.json", "--overwrite", "--allow-outside"),
    "profiles": _command("sessions", "--sort", "error_rate"),
    "an archive": _told(_archive),
    "the key of placeholders": _told(_key),
    "a library": _begun,
}
