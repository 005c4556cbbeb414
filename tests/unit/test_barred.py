"""Of all that a machine has, one place may be barred, damaged or gone: a sentence says so, and the others go on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.commands import document, run
from tests.unit.test_opencode import in_database
from warm_tui.demo.other_agents import Claude, Codex, opencode_session
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import feed
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.sessions.codex.source import CodexSource


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home with sessions of Claude Code, Codex and opencode."""
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "HERMES_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    Claude("c1").says("Do it").runs("k1").write(tmp_path / ".claude")
    Codex("x1").says("Do it").runs("k1").write(tmp_path / ".codex")
    (tmp_path / ".local" / "share" / "opencode").mkdir(parents=True)
    in_database(tmp_path / ".local" / "share" / "opencode", opencode_session("o1"))
    return tmp_path


def bar(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """As for a user who may not look into it; root may look into everything."""

    def barring(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *args: Any, **options: Any) -> Any:
            within = Path(os.fsdecode(path)).is_relative_to(folder) if not isinstance(path, int) else False
            if within and (ask is scandir or Path(os.fsdecode(path)) != folder):
                raise PermissionError(errno.EACCES, "Permission denied", os.fsdecode(path))
            return ask(path, *args, **options)

        return asked

    scandir = os.scandir
    for name in ("scandir", "stat", "lstat", "open", "listdir"):
        monkeypatch.setattr(os, name, barring(getattr(os, name)))


PLACES = {
    "claude-code": (".claude/projects", {"x1", "o1"}),
    "codex": (".codex/sessions", {"c1", "o1"}),
    "opencode": (".local/share/opencode", {"c1", "x1"}),
}


@pytest.mark.parametrize("whole", [False, True], ids=["its folder", "its home"])
@pytest.mark.parametrize("agent", PLACES)
def test_a_barred_place_is_told_and_the_others_go_on(
    machine: Path, monkeypatch: pytest.MonkeyPatch, agent: str, whole: bool
) -> None:
    place, others = PLACES[agent]
    with monkeypatch.context() as barred:
        bar(barred, (machine / place).parent if whole and agent != "opencode" else machine / place)
        assert {each["session_id"] for each in document("sessions")["sessions"]} == others
        assert run("sessions").stderr == f"{machine / place} may not be read by this user.\n"
        assert f"problem    {machine / place} may not be read by this user.\n" in run("doctor", check=False).stdout


def test_a_barred_folder_in_a_place_is_told(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = machine / ".claude" / "projects" / "-home-dev-work"
    with monkeypatch.context() as barred:
        bar(barred, folder)
        assert {each["session_id"] for each in document("sessions")["sessions"]} == {"x1", "o1"}
        assert f"{folder} is not read: a link, no file, or barred." in document("doctor")["advice"]


def test_a_barred_home_of_hermes_hides_no_other_agent(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = machine / ".hermes"
    home.mkdir()
    with monkeypatch.context() as barred:
        bar(barred, home)
        assert {each["session_id"] for each in document("sessions")["sessions"]} == {"c1", "x1", "o1"}
        assert f"{home / 'state.db'} may not be read by this user." in run("doctor", check=False).stdout


def test_barred_profiles_of_hermes_are_told(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = machine / ".hermes" / "profiles"
    (profiles / "work").mkdir(parents=True)
    with monkeypatch.context() as barred:
        bar(barred, profiles)
        assert {each["session_id"] for each in document("sessions")["sessions"]} == {"c1", "x1", "o1"}
        assert f"{profiles / 'state.db'} may not be read by this user." in run("doctor", check=False).stdout


def test_what_stands_in_place_of_a_profiles_database_is_told(machine: Path) -> None:
    pipe, link = (machine / ".hermes" / "profiles" / name / "state.db" for name in ("pipe", "link"))
    for place in (pipe, link):
        place.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    link.symlink_to(machine / "nowhere")
    told = run("sessions").stderr
    assert f"{pipe} is not a regular file." in told
    assert f"There is no Hermes database at {link}" in told
    assert {each["session_id"] for each in document("sessions")["sessions"]} == {"c1", "x1", "o1"}


def test_a_damaged_database_hides_no_other_place(machine: Path) -> None:
    database = machine / ".local" / "share" / "opencode" / "opencode.db"
    database.write_bytes(b"no database")
    assert {each["session_id"] for each in document("sessions")["sessions"]} == {"c1", "x1"}
    assert run("sessions").stderr == f"{database} cannot be read: file is not a database.\n"
    assert run("--db", str(database), "sessions", check=False).returncode == 1


def test_what_proves_unreadable_only_later_is_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Claude("c1").says("Do it").runs("k1").write(tmp_path)
    Codex("x1").says("Do it").runs("k1").write(tmp_path)
    home = Home(tmp_path / "ours", (tmp_path / "sessions", tmp_path / "projects"))

    def damaged(*_: object) -> None:
        raise Trouble("It is damaged.")

    for name in ("_look", "glimpse"):
        monkeypatch.setattr(CodexSource, name, damaged)
    asked: list[Callable[[Catalog], object]] = [
        lambda catalog: [profile.session_id for profile in catalog.profiles()],
        lambda catalog: sorted(catalog.with_text(parse_filter("text:it"))["it"] & {"c1", "x1"}),
        lambda catalog: [catalog.find("c")[1].id],
        lambda catalog: list(catalog.roots()),
        lambda catalog: [name for fed in feed(catalog, str, lambda: False) for name in fed.profiled],
    ]
    for ask in asked:
        with Catalog(home) as catalog:
            assert ask(catalog) == ["c1"]
            assert catalog.notes == ["It is damaged."]
        (tmp_path / "ours" / "warm_tui" / "library.db").unlink(missing_ok=True)
    with Catalog(home._replace(databases=home.databases[:1])) as catalog, pytest.raises(Trouble, match="damaged"):
        catalog.profiles()


@pytest.mark.parametrize("ending", [".jsonl", ".db"])
def test_a_link_that_leads_nowhere_is_no_place(tmp_path: Path, ending: str) -> None:
    for name, to in (("loop", "loop"), ("gone", "nowhere")):
        link = tmp_path / f"{name}{ending}"
        link.symlink_to(tmp_path / f"{to}{ending}")
        done = run("--db", str(link), "sessions", check=False)
        assert done.returncode == 1
        assert done.stderr.startswith((f"There is no Hermes database at {link}", f"{link} cannot be read: "))
