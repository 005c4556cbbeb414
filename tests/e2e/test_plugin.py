"""The plugin within the real agent: its model calls each action, arms are recorded, and failures stay ours."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.scripted_model import ScriptedModel, Step
from tests.e2e.sparing import environment, settings
from tests.e2e.test_hermes import HERMES, needs_hermes, run_hermes, warm_tui
from warm_tui.agent.plugin import ACTIONS
from warm_tui.library.db import open_library

pytestmark = [*needs_hermes, pytest.mark.xdist_group("plugin")]

WORK: list[Step] = [[("terminal", {"command": f"echo step {at} > made.txt && cat made.txt"})] for at in range(3)]


def hermes(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(HERMES), *words], env=environment(home), cwd=home,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def play(home: Path, folder: Path, steps: list[Step]) -> ScriptedModel:
    """One session in which the model makes these calls; what is set in config.yaml stays set."""
    with ScriptedModel(steps) as model:
        config = home / "config.yaml"
        text = config.read_text()
        config.write_text(text.replace("http://url", model.url))
        run_hermes(home, folder, "Do what the script says.")
        config.write_text(text)
        assert model.played == len(steps)
        return model


def results(model: ScriptedModel) -> list[dict[str, Any]]:
    """What the model was answered, in the order of its calls."""
    told = max((request["messages"] for request in model.requests if request.get("tools")), key=len)
    # Hermes puts a warning of its own behind a failure that comes again.
    return [json.JSONDecoder().raw_decode(message["content"])[0] for message in told if message["role"] == "tool"]


def newest(home: Path) -> str:
    return warm_tui(home, "sessions", "--limit", "1")["sessions"][0]["session_id"]


def arms(home: Path) -> dict[str, tuple[str, str, str, int | None]]:
    with sqlite3.connect(f"file:{home}/warm_tui/library.db?mode=ro", uri=True) as library:
        rows = library.execute("SELECT session_id, template, model, platform, completed FROM arms")
        return {row[0]: tuple(row[1:]) for row in rows}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose agent has the plugin, and has worked twice."""
    home = tmp_path_factory.mktemp("home")
    (home / "config.yaml").write_text(json.dumps(settings("http://url")))
    assert warm_tui(home, "plugin", "enable", "--yes")["changed"]
    folder = tmp_path_factory.mktemp("work")
    for _ in range(2):
        play(home, folder, WORK)
    return home


@pytest.fixture
def home(worked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(worked, tmp_path / "home"))


class Asked(NamedTuple):
    """One session, whose model used the tool of templates; of two that were there, and beside a template of a person's."""

    home: Path
    sessions: tuple[str, str]
    curated: bytes
    actions: list[str]
    model: ScriptedModel


@pytest.fixture(scope="module")
def asked(worked: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    home = Path(shutil.copytree(worked, tmp_path_factory.mktemp("asked") / "home"))
    one, other = (session["session_id"] for session in warm_tui(home, "sessions")["sessions"][:2])
    warm_tui(home, "build", "curated", "--min-messages", "2", "--addendum", "A person made this.")
    curated = (home / "warm_sessions" / "curated.json").read_bytes()
    actions: list[dict[str, Any]] = [
        {"action": "build", "name": "made", "description": "d", "min_messages": 2, "tags": ["a"]},
        {"action": "list"},
        {"action": "load", "name": "made"},
        {"action": "profile", "session_id": one},
        {"action": "compress-check", "session_id": one},
        {"action": "compare", "session_id": one, "compare_with": other},
        {"action": "delete", "name": "made"},
        {"action": "build"},
        {"action": "load", "name": "../../config"},
        {"action": "load", "name": "nothing"},
        {"action": "explode"},
        {"action": "delete", "name": "curated"},
        {"action": "build", "name": "curated", "min_messages": 2, "description": "better"},
        {"action": "load", "name": "curated"},
    ]
    model = play(home, tmp_path_factory.mktemp("work"), [[("warm_session", arguments)] for arguments in actions])
    return Asked(home, (one, other), curated, [each["action"] for each in actions], model)


def test_the_model_gets_an_answer_to_each_action(asked: Asked) -> None:
    one, _ = asked.sessions
    model, found = asked.model, results(asked.model)[:11]
    assert set(asked.actions[:7]) == set(ACTIONS)
    assert [each["success"] for each in found] == [True] * 7 + [False] * 4
    build, listed, load, profile, check, compare, _, *wrong = found
    assert (build["name"], build["pattern_count"] > 0) == ("made", True)
    assert [[row["name"] for row in listed[kind]] for kind in ("proposals", "templates")] == [["made"], ["curated"]]
    assert (load["name"], load["message_count"] > 0, load["problems"], load["proposal"]) == ("made", True, [], True)
    assert (profile["session_id"], profile["tool_call_count"], profile["error_rate"]) == (one, len(WORK), 0.0)
    assert (check["has_compression"], check["verdict"]) == (False, None)
    assert (compare["warm_calls"], compare["verdict"]) == (len(WORK), "not enough data")
    assert wrong[0]["error"] == "name is required for 'build'."
    assert "cannot be a template's name" in wrong[1]["error"] or "not found" in wrong[1]["error"]
    assert wrong[2]["error"] == "Template 'nothing' not found."
    assert wrong[3]["error"].startswith("Unknown action 'explode'")
    tools = [each for request in model.requests for each in request.get("tools") or ()]
    (tool,) = {json.dumps(each) for each in tools if each["function"]["name"] == "warm_session"}
    assert "compare_with" in tool
    assert all(len(json.dumps(each)) < 8_100 for each in found), "short enough for a model to read"


def test_a_model_that_deletes_and_builds_anew_touches_nothing_that_a_person_made(asked: Asked) -> None:
    home, (deleted, built, loaded) = asked.home, results(asked.model)[11:14]
    assert deleted["error"] == "'curated' is a template, and no proposal: only people delete templates."
    assert (built["success"], loaded["proposal"]) == (True, False)
    assert (home / "warm_sessions" / "curated.json").read_bytes() == asked.curated
    assert [path.name for path in (home / "warm_tui" / "proposals").iterdir()] == ["curated.json"]
    taken = hermes(home, "warm", "accept", "curated", "--json")
    assert "There is a template 'curated' already" in json.loads(taken.stdout)["error"]
    assert warm_tui(home, "activate", "curated", "--yes")["changed"], "by a person, and of local work alone"
    assert warm_tui(home, "deactivate", "--yes")["changed"]
    warm_tui(home, "accept", "curated", "--as", "theirs")
    assert {row["name"] for row in warm_tui(home, "list")["templates"]} >= {"curated", "theirs"}


def test_who_began_warm_is_recorded_session_by_session(home: Path, tmp_path: Path) -> None:
    cold = warm_tui(home, "sessions")["sessions"][-1]["session_id"]
    warm_tui(home, "build", "recorded", "--min-messages", "2", "--session", cold)
    warm_tui(home, "activate", "recorded", "--yes")
    play(home, tmp_path, WORK)
    warm = newest(home)
    warm_tui(home, "deactivate", "--yes")
    play(home, tmp_path, WORK)
    again = newest(home)
    found = arms(home)
    assert [found[session][0] for session in (cold, warm, again)] == ["", "recorded", ""]
    assert found[warm] == ("recorded", "scripted", "cli", 1), "with the model, the platform, and how it ended"
    told = warm_tui(home, "compare", "--template", "recorded", "--without-sources")
    assert told["sessions"]["warm"] == [warm]
    assert again in told["sessions"]["cold"]
    assert not any("less certain" in note for note in told["notes"])


@pytest.mark.parametrize("how", ["locked", "damaged"])
def test_whatever_the_library_is_the_agents_session_goes_on(home: Path, tmp_path: Path, how: str) -> None:
    library = home / "warm_tui" / "library.db"
    kept = library.read_bytes()
    holder = None
    for ending in ("-wal", "-shm"):
        library.with_name(f"{library.name}{ending}").unlink(missing_ok=True)
    if how == "locked":
        open_library(library).close()
        holder = sqlite3.connect(library, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
    else:
        library.write_bytes(b"no library at all" * 400)
    try:
        model = play(home, tmp_path, [*WORK[:2], [("warm_session", {"action": "list"})]])
        assert len(results(model)) == 3
        assert isinstance(results(model)[-1]["success"], bool)
    finally:
        if holder is not None:
            holder.close()
        for path in library.parent.glob("library.db*"):
            path.unlink()
        library.write_bytes(kept)


def test_hermes_warm_is_a_door_to_our_commands(home: Path) -> None:
    plugin = warm_tui(home, "doctor")["plugin"]
    assert (plugin["enabled"], plugin["loaded_by"]) == (True, next(iter(plugin["versions"].values())))
    done = hermes(home, "warm", "sessions", "--limit", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["count"] == 1
    assert hermes(home, "warm", "profile", "nothing").returncode == 1
