"""Commands act on the home that `hermes` itself would run in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.commands import run
from warm_tui.homes import default_home, profiles, sticky_profile
from warm_tui.paths import Home, find_home


@pytest.fixture
def user_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with a Hermes home and the profiles dev and ops in it."""
    for name in ("dev", "ops"):
        (tmp_path / ".hermes" / "profiles" / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("HERMES_HOME", raising=False)
    return tmp_path


def stay(root: Path, profile: str) -> None:
    (root / "active_profile").write_text(f"{profile}\n")


# What is in active_profile, in HERMES_HOME (below the user's home), and the home that is meant.
ORDERS = [
    ("", "", ".hermes"),
    ("dev", "", ".hermes/profiles/dev"),
    ("default", "", ".hermes"),
    ("dev", ".hermes", ".hermes/profiles/dev"),
    ("dev", ".hermes/profiles/ops", ".hermes/profiles/ops"),
    ("", ".hermes/profiles/ops", ".hermes/profiles/ops"),
    ("dev", "elsewhere", "elsewhere"),
    ("", "elsewhere/profiles/ops", "elsewhere/profiles/ops"),
]


@pytest.mark.parametrize(("sticky", "variable", "meant"), ORDERS)
def test_the_order_is_hermes_own(
    user_home: Path, monkeypatch: pytest.MonkeyPatch, sticky: str, variable: str, meant: str
) -> None:
    if sticky:
        stay(user_home / ".hermes", sticky)
    if variable:
        (user_home / variable).mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv("HERMES_HOME", str(user_home / variable))
    assert default_home() == user_home / meant


@pytest.mark.parametrize(("sticky", "variable", "meant"), ORDERS)
def test_hermes_itself_runs_there(user_home: Path, sticky: str, variable: str, meant: str) -> None:
    pytest.importorskip("hermes_cli")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HERMES_")}
    if sticky:
        stay(user_home / ".hermes", sticky)
    if variable:
        (user_home / variable).mkdir(parents=True, exist_ok=True)
        environment["HERMES_HOME"] = str(user_home / variable)
    script = "import sys; sys.argv = ['hermes', 'profile']; import hermes_cli.main, os, hermes_constants as c; print(c.get_hermes_home())"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stdout.splitlines()[-1]) == user_home / meant


def test_a_profile_in_another_root_is_its_own_roots(user_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = user_home / "elsewhere"
    (other / "profiles" / "lab").mkdir(parents=True)
    monkeypatch.setenv("HERMES_HOME", str(other))
    stay(other, "lab")
    stay(user_home / ".hermes", "dev")
    assert default_home() == other / "profiles" / "lab"


@pytest.mark.parametrize("written", ["", "../../etc", "a" * 300, "Two Words", "\udcff"])
def test_what_is_no_name_leads_nowhere(user_home: Path, written: str) -> None:
    (user_home / ".hermes" / "active_profile").write_bytes(written.encode("utf-8", "surrogateescape"))
    assert default_home() == user_home / ".hermes"


def test_a_pipe_in_its_place_is_not_waited_for(user_home: Path) -> None:
    os.mkfifo(user_home / ".hermes" / "active_profile")
    assert sticky_profile(user_home / ".hermes") == ""


def test_a_profile_is_named_by_an_option(user_home: Path) -> None:
    stay(user_home / ".hermes", "dev")
    assert profiles(user_home / ".hermes") == ["default", "dev", "ops"]

    def home_of(*words: str) -> tuple[str, str]:
        report = json.loads(run(*words, "doctor", "--json", check=False).stdout)
        return report["home"], report["profile"]

    root = user_home / ".hermes"
    assert home_of() == (str(root / "profiles" / "dev"), "dev")
    assert home_of("--profile", "ops") == (str(root / "profiles" / "ops"), "ops")
    assert home_of("--profile", "default") == (str(root), "")
    assert home_of("--home", str(root)) == (str(root), ""), "what is named is meant"


def test_a_profile_that_is_not_there_is_told(user_home: Path) -> None:
    done = run("--profile", "prod", "sessions", check=False)
    assert done.returncode == 2
    assert f"There is no profile 'prod' in {user_home / '.hermes'}; there are: default, dev, ops." in done.stderr
    assert run("--profile", "dev", "--home", "x", "sessions", check=False).returncode == 2


def test_activating_says_whose_sessions_start_warm(user_home: Path, demo: Home) -> None:
    dev = user_home / ".hermes" / "profiles" / "dev"
    stay(user_home / ".hermes", "dev")
    (dev / "warm_sessions").mkdir()
    template = next((demo.root / "warm_sessions").glob("*.json"))
    (dev / "warm_sessions" / template.name).write_bytes(template.read_bytes())
    assert (
        "The next sessions of profile dev start with"
        in run("activate", template.stem, "--yes", "--allow-outside").stdout
    )
    assert "prefill_messages_file" in (dev / "config.yaml").read_text()
    assert not (user_home / ".hermes" / "config.yaml").exists()
    assert run("deactivate", "--yes").stdout == "The next sessions of profile dev start cold.\n"


def test_a_title_names_the_home_where_it_is_not_the_usual_one(user_home: Path) -> None:
    usual = user_home / ".hermes"
    assert find_home(usual).called == ""
    assert find_home(usual / "profiles" / "dev").called == "dev"
    assert find_home(user_home / "another").called == "another"
    assert Home(user_home / "sample", (), passing=True).called == ""
