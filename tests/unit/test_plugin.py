"""The plugin: light, harmless, and right about what a session begins with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from tests.unit.commands import run
from warm_tui.agent import plugin, tool
from warm_tui.agent.approving import Approvals
from warm_tui.agent.plugin import ACTIONS, register
from warm_tui.agent.prefill import Prefill
from warm_tui.agent.recording import Recorder
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.paths import Home
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.files import TemplateFiles


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


class Context:
    """What Hermes hands to a plugin; `broken` names what it has not."""

    def __init__(self, broken: str = "") -> None:
        self.broken, self.given = broken, {}
        self.taken: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name == self.broken:
            raise AttributeError(name)

        def take(*words: Any, **named: Any) -> None:
            key = words[0] if words else named.get("name", "")
            self.given[f"{name} {key}"] = (words, named)
            self.taken.append(f"{name} {key}")

        return take

    def hook(self, name: str) -> Callable[..., None]:
        return self.given[f"register_hook {name}"][0][1]


@pytest.fixture(autouse=True)
def agents_home(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(demo.root))
    monkeypatch.delenv("HERMES_PREFILL_MESSAGES_FILE", raising=False)


def arms(home: Home) -> dict[str, tuple[Any, ...]]:
    with open_library(home.library) as library:
        sql = "SELECT session_id, template, model, platform, completed, interrupted FROM arms"
        return {row[0]: row[1:] for row in library.connection.execute(sql)}


def activate(home: Home, name: str) -> None:
    messages = build_conversation(TemplateFiles(home).load(name).template, "anthropic").messages
    Prefill(home).activate(name, messages)


# --- light and harmless ---


def test_importing_it_brings_nothing_heavy() -> None:
    script = (
        "import sys; import warm_tui.agent.plugin as p; "
        "C = type('C', (), {'__getattr__': lambda s, n: lambda *a, **k: None}); p.register(C()); "
        "print([n for n in ('textual', 'scipy', 'numpy', 'rich', 'sqlite_utils', 'click', 'ruamel.yaml', 'msgspec') "
        "if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_is_found_by_its_entry_point() -> None:
    from importlib.metadata import entry_points

    (found,) = entry_points(group="hermes_agent.plugins", name="warm-tui")
    assert found.load() is plugin


def test_what_is_registered() -> None:
    context = Context()
    register(context)
    assert set(context.given) == {
        "register_tool warm_session", "register_command warm", "register_cli_command warm",
        "register_hook on_session_start", "register_hook pre_llm_call", "register_hook pre_api_request", "register_hook on_session_end",
         "register_hook post_api_request", "register_hook pre_tool_call", "register_hook post_tool_call", "register_hook on_session_finalize",
        "register_hook post_llm_call",
    }  # fmt: skip
    named = context.given["register_tool warm_session"][1]
    assert (named["toolset"], named["emoji"]) == ("skills", "🔥")
    assert set(named["schema"]["parameters"]["properties"]) == {
        "action", "name", "description", "min_messages", "max_sessions", "source_filter", "tags", "session_id",
        "compare_with",
    }  # fmt: skip


@pytest.mark.parametrize(
    "broken", ["register_tool", "register_command", "register_cli_command", "register_hook", "register_middleware"]
)
def test_an_agent_that_lacks_a_part_gets_the_others(broken: str) -> None:
    context = Context(broken)
    register(context)
    assert context.given
    assert not any(name.startswith(f"{broken} ") for name in context.given)


def test_a_failure_stays_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no")

    context = Context()
    register(context)
    monkeypatch.setattr(Recorder, "started", fail)
    monkeypatch.setattr(tool, "answer", fail)
    monkeypatch.setattr(tool, "slash", fail)
    context.hook("on_session_start")(session_id="s", model="m", platform="cli")
    assert json.loads(plugin.use_tool({"action": "list"})) == {
        "success": False, "error": "warm_session failed: RuntimeError."
    }  # fmt: skip
    assert context.given["register_command warm"][0][1]("list") == "/warm failed: RuntimeError."


def test_an_agent_that_tells_no_session_of_a_call_tells_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(Approvals, "before_call", lambda _, call: calls.append(call.session_id))
    context = Context()
    register(context)
    before = context.hook("pre_tool_call")
    context.hook("on_session_start")(session_id="one", model="m", platform="cli")
    before(tool_name="terminal", args={}, task_id="at random")
    context.hook("on_session_start")(session_id="two", model="m", platform="telegram")
    before(tool_name="terminal", args={}, task_id="two")
    before(tool_name="terminal", args={}, task_id="three", session_id="one")
    assert calls == ["one", "two", "one"]


# --- the tool ---


def use(**args: Any) -> dict[str, Any]:
    return json.loads(plugin.use_tool(args))


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is the words that decide: a process each time took most of the time."""

    def run_here(command: Sequence[str], **_: Any) -> CompletedProcess[str]:
        ours = len(tool.OUR_COMMAND)
        assert [*command[:ours]] == [*tool.OUR_COMMAND]
        return run(*command[ours:], check=False)

    monkeypatch.setattr(tool.subprocess, "run", run_here)


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({}, "Unknown action 'None'. Actions: build, list, load, delete, profile, compress-check, compare."),
        ({"action": "burn"}, "Unknown action 'burn'."),
        ({"action": ["list"]}, "Unknown action"),
        ({"action": "build"}, "name is required for 'build'."),
        ({"action": "load", "name": "  "}, "name is required for 'load'."),
        ({"action": "delete", "name": 7}, "name must be a text."),
        ({"action": "profile"}, "session_id is required for 'profile'."),
        ({"action": "compare", "session_id": "a"}, "compare_with is required for 'compare'."),
        ({"action": "build", "name": "a", "min_messages": "many"}, "min_messages must be a whole number."),
        ({"action": "build", "name": "a", "min_messages": 1e999}, "min_messages must be a whole number."),
        ({"action": "build", "name": "a", "max_sessions": "9" * 30}, "max_sessions must be a whole number."),
        ({"action": "build", "name": "a", "description": "x" * 200_000}, "description has more than 2,000 characters."),
        ({"action": "list", "tags": ["a", "b"]}, "list takes one tag at most."),
        (
            {"action": "delete", "name": "notes"},
            "'notes' is a template, and no proposal: only people delete templates.",
        ),
        ({"action": "build", "name": "a", "tags": [1]}, "tags must be a list of texts."),
        ({"action": "load", "name": "x"}, "Template 'x' not found."),
        ({"action": "load", "name": "a\x00b"}, "name holds a NUL character."),
        ({"action": "profile", "session_id": "nobody"}, "There is no session 'nobody'"),
        ({"action": "build", "name": "a", "min_messages": -3}, "--min-messages"),
    ],
)
def test_every_mistake_is_told(args: dict[str, Any], told: str) -> None:
    found = use(**args)
    assert found["success"] is False
    assert told in found["error"]


def test_arguments_that_are_no_object_are_told() -> None:
    assert json.loads(plugin.use_tool("list"))["error"] == "The arguments must be an object."


def test_each_action_answers_as_the_command_does(demo: Home) -> None:
    with Catalog(demo) as catalog:
        first, second = (p.session_id for p in catalog.profiles()[:2])
    assert use(action="build", name="mine", description="--json", tags="a, b")["name"] == "mine"
    listed = use(action="list", tags=["a"])
    assert ([row["name"] for row in listed["proposals"]], listed["templates"]) == (["mine"], [])
    assert (use(action="load", name="mine")["proposal"], use(action="load", name="notes")["proposal"]) == (True, False)
    assert use(action="profile", session_id=first)["session_id"] == first
    assert use(action="compress_check", session_id=first)["has_compression"] is False
    assert use(action="compare", session_id=first, compare_with=second)["method"] == "two sessions"
    assert use(action="delete", name="mine")["success"]
    assert json.loads(plugin.use_tool({"action": "profile"}, session_id=first))["session_id"] == first, "its own"


def shelves(home: Home) -> dict[str, bytes]:
    folders = (home.root / "warm_sessions", home.root / "session-templates")
    return {path.name: path.read_bytes() for folder in folders for path in folder.glob("*.json")}


@pytest.mark.usefixtures("no_process")
def test_a_model_never_touches_what_a_person_made(demo: Home) -> None:
    before = shelves(demo)
    assert len(before) == 3
    for name in ("careful-work", "log-triage", "notes"):
        assert use(action="delete", name=name)["success"] is False
        assert use(action="build", name=name, min_messages=2)["success"], "beside it, as a proposal"
        assert use(action="build", name=name, min_messages=2)["error"].startswith("There is a proposal")
        assert use(action="load", name=name)["proposal"] is False
    assert shelves(demo) == before
    assert use(action="delete", name="careful-work")["success"], "its own"
    assert shelves(demo) == before


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize(
    "name", ["../../evil", "/tmp/evil", "--output=/tmp/evil", "a/b", "..", "-h", "a\nb", "\x1b[31m"]
)
@pytest.mark.parametrize("action", ["build", "load", "delete"])
def test_names_of_a_model_reach_no_other_folder(demo: Home, action: str, name: str) -> None:
    before = {path for path in demo.root.parent.rglob("*") if "warm_tui" not in path.parts}
    found = use(action=action, name=name)
    assert found["success"] is False
    assert {path for path in demo.root.parent.rglob("*") if "warm_tui" not in path.parts} == before
    assert "\x1b" not in json.dumps(found)
    assert not Path("/tmp/evil").exists()


def test_what_is_long_is_cut_and_says_so() -> None:
    told = tool.shortened({"success": True, "rows": [{"text": "x" * 1000}] * 50, "few": [1, 2]})
    assert len(json.dumps(told)) <= tool.LONGEST
    assert len(told["rows"]) == 10
    assert "rows: 10 of 50 are shown" in told["cut"]
    assert told["few"] == [1, 2]
    assert "cut" not in tool.shortened({"success": True, "few": [1]})
    huge = {f"k{at}": ["x" * 5000] * 40 for at in range(60)}
    for far in (huge, {"a": {"x" * 100_000: 1}}, {f"k{at}": "x" * 90 for at in range(500)}):
        told = tool.shortened({"success": True, **far})
        assert len(json.dumps(told)) <= tool.LONGEST
        assert told["success"]
        assert told["cut"]


def test_a_command_that_hangs_is_ended(demo: Home) -> None:
    assert tool.ask(demo.root, ["list"], 0.01)["error"] == "list took longer than 0.01 seconds."


@pytest.mark.parametrize("trap", ["json.py", "click.py", "warm_tui/__init__.py"])
def test_code_of_the_agents_project_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str) -> None:
    (tmp_path / trap).parent.mkdir(exist_ok=True)
    (tmp_path / trap).write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f".{os.pathsep}")
    assert use(action="list")["success"]
    assert not (tmp_path / "sprung").exists()


# --- /warm ---


def test_where_nobody_tells_whose_tool_it_is_the_only_session_of_the_process_asks() -> None:
    context = Context()
    register(context)
    handler = context.given["register_tool warm_session"][1]["handler"]
    with patch.object(tool, "answer", lambda *given: {"current": given[-1]}):
        assert json.loads(handler({}))["current"] == ""
        context.hook("on_session_start")(session_id="one", model="m", platform="cli")
        assert json.loads(handler({}))["current"] == "one"
        assert json.loads(handler({}, session_id="told"))["current"] == "told"
        context.hook("on_session_start")(session_id="two", model="m", platform="cli")
        assert json.loads(handler({}))["current"] == ""


def test_the_slash_command(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    # A chat waits for ten; a busy machine may need more to begin a process.
    monkeypatch.setattr(tool, "SLASH_SECONDS", tool.SECONDS)
    context = Context()
    register(context)
    warm = context.given["register_command warm"][0][1]
    assert warm("").startswith("This session began cold. The next ones start cold.")
    assert "careful-work  (8 patterns)" in warm("list")
    assert warm("use nothing") == "Template 'nothing' not found."
    assert use(action="build", name="proposed", min_messages=2)["success"]
    assert "? proposed  (proposed)" in warm("list")
    assert (
        warm("use proposed") == "'proposed' is a proposal of the agent: `warm-tui accept proposed` makes it a template."
    )
    assert "from outside that nobody has read" in warm("use notes")
    assert Prefill(demo).active() is None
    assert warm("use careful-work").startswith("Active: careful-work. This session stays as it began")
    assert warm("status").startswith("This session began cold. The next ones start warm with careful-work.")
    assert warm("off").startswith("Off.")
    assert Prefill(demo).active() is None
    assert warm("use") == warm("dance") == tool.USAGE


def test_actions_and_words_are_the_same() -> None:
    assert set(tool.WORDS) == set(ACTIONS)


@pytest.mark.parametrize("named", ["--home=x", "--profile", "--demo"])
def test_hermes_warm_means_the_home_that_this_hermes_runs_in(demo: Home, named: str) -> None:
    given: list[list[str]] = []

    def ran(words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        given.append(words[len(plugin.OUR_COMMAND) :])
        return subprocess.CompletedProcess(words, 0)

    with patch.object(subprocess, "run", ran):
        plugin._pass_on(SimpleNamespace(words=["sessions"]))
        plugin._pass_on(SimpleNamespace(words=[named, "sessions"]))
    assert given == [["--home", str(demo.root), "sessions"], [named, "sessions"]], "unless another one is named"
