"""The real agent, cold, warm with a template, and cold again: what its model saw, and what was recorded."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.test_hermes import needs_hermes, run_hermes, warm_tui
from tests.tui.conftest import events_not_moments as events_not_moments
from tests.tui.helpers import settled
from tests.tui.test_templates import shown
from warm_tui.app import WarmTui
from warm_tui.paths import Home

pytestmark = [*needs_hermes, pytest.mark.xdist_group("warm")]

STEPS = [[("terminal", {"command": "echo made > made.txt && cat made.txt"})], [("read_file", {"path": "made.txt"})]]
CONFIG = """# The operator's own words stay.
model:
  default: scripted   # a stand-in
  provider: custom
  base_url: {url}
  api_key: x
agent:
  environment_probe: false
"""


def seen(model: ScriptedModel) -> list[dict[str, Any]]:
    """What the model was sent first for the task: everything between the system prompt and the user's words."""
    request = next(request for request in model.requests if request.get("tools"))
    messages = request["messages"]
    assert messages[0]["role"] == "system"
    last_user = max(at for at, message in enumerate(messages) if message["role"] == "user")
    assert "Do what" in json.dumps(messages[last_user]["content"])
    return messages[1:last_user]


def play(home: Path, folder: Path, source_config: str = "") -> list[dict[str, Any]]:
    with ScriptedModel(STEPS) as model:
        config = home / "config.yaml"
        text = config.read_text() if config.exists() else CONFIG.format(url="URL")
        # Each model listens elsewhere; the rest of the file is the operator's.
        config.write_text(_with_url(text, model.url))
        run_hermes(home, folder, f"Do what the script says.{source_config}")
        config.write_text(text)
        return seen(model)


def _with_url(text: str, url: str) -> str:
    return text.replace("base_url: URL", f"base_url: {url}")


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one session, which began cold."""
    home = tmp_path_factory.mktemp("home")
    assert play(home, tmp_path_factory.mktemp("work")) == []
    return home


@pytest.fixture
def home(worked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(worked, tmp_path / "home"))


def test_cold_warm_and_cold_again(home: Path, tmp_path: Path) -> None:
    config = (home / "config.yaml").read_bytes()

    (first,) = warm_tui(home, "sessions")["sessions"]
    calls = [call["tool_call_id"] for call in warm_tui(home, "calls", first["session_id"])["calls"]]
    warm_tui(home, "build", "made", "--addendum", "Read what you wrote.", *(w for c in calls for w in ("--call", c)))
    conversation = warm_tui(home, "load", "made", "--full")["conversation"]
    assert [message["role"] for message in conversation] == ["system", *["user", "assistant", "tool"] * 2]

    told = warm_tui(home, "activate", "made", "--yes")
    promised = {way["messages"] for way in told["next_sessions"] if way["way"] == "command line"}
    assert promised == {len(conversation)}
    assert play(home, tmp_path) == conversation, "byte for byte what was previewed"
    sessions = warm_tui(home, "sessions")["sessions"]
    assert [session["tool_call_count"] for session in sessions] == [2, 2], "only what the agent did is recorded"

    warm_tui(home, "deactivate", "--yes")
    assert (home / "config.yaml").read_bytes() == config
    assert play(home, tmp_path) == []
    assert warm_tui(home, "list")["templates"][0]["usage_count"] == 1
    scanned = warm_tui(home, "build", "mined", "--min-messages", "2")["metrics"]
    assert (scanned["sessions_scanned"], scanned["sessions_qualified"]) == (3, 2), "a warm session is not mined"


async def test_what_was_picked_and_previewed_in_the_app_is_what_the_model_gets(home: Path, tmp_path: Path) -> None:
    config = (home / "config.yaml").read_bytes()
    app = WarmTui(Home(home, (home / "state.db",)))
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("f", "home", "down", "down", "down", "enter")
        await settled(pilot)
        await pilot.press("space", "space", "tab", "enter")
        await settled(pilot)
        app.screen.query_one("#hint-words", Input).value = "Make a file, then read it."
        await pilot.press("enter", "J", "u", "w")
        await settled(pilot)
        app.screen.query_one("#field-name", Input).value = "by-hand"
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("J")
        previewed = json.loads(shown(app.screen))  # type: ignore[arg-type]
        await pilot.press("a", "enter", "enter")
        await settled(pilot)
    assert previewed == warm_tui(home, "load", "by-hand", "--full")["conversation"]
    assert "Make a file, then read it." in json.dumps(previewed)
    assert play(home, tmp_path) == previewed
    warm_tui(home, "deactivate", "--yes")
    assert (home / "config.yaml").read_bytes() == config


PAGE = "The brie is made in wheels of two kilograms and kept for a month."


def test_a_fetched_page_reaches_a_warm_model_as_a_result_only_and_only_when_it_was_read(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    home = tmp_path_factory.mktemp("fetching")
    (home / "config.yaml").write_text(CONFIG.format(url="URL"))
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    fetch = f"curl -s -o copy.txt file://{page}; cat copy.txt"
    steps = [[("terminal", {"command": fetch})], [("terminal", {"command": f"echo '{PAGE}' > memo.txt"})],
             [("terminal", {"command": "cat memo.txt"})]]  # fmt: skip
    with ScriptedModel(steps) as model:
        text = (home / "config.yaml").read_text()
        (home / "config.yaml").write_text(_with_url(text, model.url))
        run_hermes(home, tmp_path, "Do what the script says.")
        (home / "config.yaml").write_text(text)
    warm_tui(home, "build", "fetched", "--min-messages", "2")
    loaded = warm_tui(home, "load", "fetched", "--full")
    assert {m["content"] for m in loaded["conversation"] if m["role"] == "user"} == {"Do what the script says."}
    texts = [pattern for pattern in loaded["outside"] if not pattern["read"]]
    assert {each["field"] for each in texts} == {"arguments", "result"}
    config = (home / "config.yaml").read_bytes()
    refused = subprocess.run(
        [sys.executable, "-m", "warm_tui", "--home", str(home), "activate", "fetched", "--yes"],
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert "from outside that nobody has read" in refused.stderr
    assert (home / "config.yaml").read_bytes() == config, "cold still"
    warm_tui(home, "activate", "fetched", "--allow-outside", "--yes")
    told = play(home, tmp_path)
    assert told == loaded["conversation"]
    assert not [m for m in told if m["role"] in ("user", "system") and "brie" in str(m)]
