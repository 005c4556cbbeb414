"""A version of the real Hermes from nothing to an experiment: cold, warm, read, recorded, asked, and compared.

    python -m tests.e2e.versions                     # all of VERSIONS, each in a fresh virtual environment
    python -m tests.e2e.versions 0.15.2 --keep DIR   # this one, in DIR/0.15.2, which is used again

Each version prints a row: what was found at its model's side, and what Warm TUI said of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from tests.e2e.scripted_model import ScriptedModel, Step
from tests.e2e.sparing import QUICKER
from tests.e2e.trial_model import EXAMPLE, TrialModel
from warm_tui.agent.plugin import ACTIONS
from warm_tui.experiments.probe import reaches_model
from warm_tui.paths import Home
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern

VERSIONS = ("0.13.0", "0.15.2", "0.16.0", "0.17.0", "0.18.2", "0.19.0")
CHECKOUT = Path(__file__).parents[2]
TASK = "Do what the script says."
WORK: list[Step] = [
    [("terminal", {"command": "echo made > made.txt && cat made.txt"})],
    [("read_file", {"path": "made.txt"})],
    [("terminal", {"command": "cat nothing.txt"})],
]


def install(version: str, folder: Path, *beside: str) -> Path:
    """A virtual environment with this Hermes and this checkout; by uv where it is there. Its folder of programs."""
    programs = folder / "bin"
    if (programs / "warm-tui").is_file():
        return programs
    wanted = [f"hermes-agent=={version}", "-e", str(CHECKOUT), *beside]
    # A test has no place for data: uv would look there for what it has installed, and end.
    own = {name: value for name, value in os.environ.items() if name != "XDG_DATA_HOME"}
    uv, python = shutil.which("uv"), str(programs / "python")
    if uv:
        made = [uv, "venv", "-q", "--python", sys.executable, str(folder)]
        subprocess.run(made, check=True, capture_output=True, env=own)
        command = [uv, "pip", "install", "-q", "--python", python, *wanted]
    else:
        # Not all is compiled: most of its modules are never imported here.
        venv.create(folder)
        command = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-compile", *wanted]
    subprocess.run(command, check=True, capture_output=True, env=own)
    return programs


class Agent:
    """One installed version, with a home of its own."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.home = programs, folder, folder / "home"
        self.work = folder / "work"
        for path in (self.home, self.work):
            path.mkdir()
        self.model_is("http://127.0.0.1:9/v1")

    def model_is(self, url: str) -> None:
        """The rest of the file is as it was made by others."""
        config = self.home / "config.yaml"
        text = (
            config.read_text()
            if config.exists()
            else "# mine\nmodel:\n  base_url: none\nagent:\n  max_turns: 60\n  environment_probe: false\n"
        )
        model = f"default: scripted\n  provider: custom\n  api_key: x\n  base_url: {url}"
        lines = [
            line
            for line in text.splitlines(keepends=True)
            if line.split(":")[0].strip() not in ("default", "provider", "api_key")
        ]
        config.write_text("".join(f"  {model}\n" if line.strip().startswith("base_url:") else line for line in lines))

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HERMES", "PYTHON"))}
        path = f"{self.programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
        return {**kept, **QUICKER, "PATH": path, "HERMES_HOME": str(self.home), "HOME": str(self.folder / "user"),
                "XDG_CACHE_HOME": str(self.folder / "cache"), "VIRTUAL_ENV": ""}  # fmt: skip

    def run(self, program: str, *words: str, seconds: float = 300) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(self.programs / program), *words], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=seconds,
        )  # fmt: skip
        assert done.returncode == 0, (program, words, done.stdout[-2000:], done.stderr[-2000:])
        return done

    def ours(self, *words: str, seconds: float = 300) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.run("warm-tui", *words, "--json", seconds=seconds).stdout)
        return document

    def session(self, steps: list[Step]) -> tuple[str, ScriptedModel]:
        """One session of the command line; its id, and its model with all it was sent."""
        with ScriptedModel(steps) as model:
            self.model_is(model.url)
            self.run("hermes", "chat", "-q", TASK, "-Q", "--yolo", "--source", "cli")
            assert model.played == len(steps), "it took every step"
        return self.ours("sessions", "--limit", "1")["sessions"][0]["session_id"], model

    def recorded(self) -> dict[str, str]:
        with sqlite3.connect(f"file:{self.home}/warm_tui/library.db?mode=ro", uri=True) as library:
            return dict(library.execute("SELECT session_id, template FROM arms"))


def before_the_task(model: ScriptedModel) -> list[dict[str, Any]]:
    """What the model was sent between the system prompt and the user's words, in its first request."""
    messages = next(request["messages"] for request in model.requests if request.get("tools"))
    last_user = max(at for at, message in enumerate(messages) if message["role"] == "user")
    assert TASK in json.dumps(messages[last_user]["content"])
    return [message for message in messages[:last_user] if message["role"] != "system"]


def results(model: ScriptedModel) -> list[dict[str, Any]]:
    """What the model was answered in its own session, in the order of its calls."""
    told = max((request["messages"] for request in model.requests if request.get("tools")), key=len)
    last_user = max(at for at, message in enumerate(told) if message["role"] == "user")
    return [json.JSONDecoder().raw_decode(m["content"])[0] for m in told[last_user:] if m["role"] == "tool"]


# --- the steps ---


def cold_session(agent: Agent) -> str:
    cold, model = agent.session(WORK)
    assert before_the_task(model) == []
    (session,) = agent.ours("sessions")["sessions"]
    assert (session["tool_call_count"], session["failed_calls"]) == (3, 1)
    verdicts = [call["outcome"] for call in agent.ours("calls", cold)["calls"]]
    assert verdicts == ["success", "success", "failure"]
    assert agent.recorded() == {cold: ""}, "the plugin recorded it as cold"
    return cold


def save_template(agent: Agent) -> None:
    """Of no session, so that any may be compared."""
    result = '{"output": "src", "exit_code": 0, "error": null}'
    said = {"tool_name": "terminal", "arguments": {"command": "ls src"}, "result": result, "context": EXAMPLE}
    TemplateFiles(Home(agent.home, ())).save(new_template("steps", [Pattern(**said, whose=WRITTEN_BY_HAND)]))


def warm_session(agent: Agent, cold: str) -> int:
    """Its work is to ask each action of the tool."""
    save_template(agent)
    conversation = [m for m in agent.ours("load", "steps", "--full")["conversation"] if m["role"] != "system"]
    assert conversation
    before = (agent.home / "config.yaml").read_bytes()
    told = agent.ours("activate", "steps", "--yes")
    (promised,) = {way["messages"] for way in told["next_sessions"] if way["way"] == "command line"}
    asked: list[dict[str, Any]] = [
        {"action": "build", "name": "own", "min_messages": 2},
        {"action": "list"},
        {"action": "load", "name": "own"},
        {"action": "profile", "session_id": cold},
        {"action": "compress-check", "session_id": cold},
        {"action": "compare", "compare_with": cold},
        {"action": "delete", "name": "own"},
    ]
    assert {each["action"] for each in asked} == set(ACTIONS)
    warm, model = agent.session([[("warm_session", each)] for each in asked])
    given = before_the_task(model)
    assert given == conversation, f"{len(given)} of {len(conversation)} messages arrived"
    assert promised == len(agent.ours("load", "steps", "--full")["conversation"])
    assert agent.recorded() == {cold: "", warm: "steps"}, "the plugin recorded it as warm"
    assert [each["success"] for each in results(model)] == [True] * len(asked), [e.get("error") for e in results(model)]
    agent.model_is("http://127.0.0.1:9/v1")
    assert agent.ours("deactivate", "--yes")["changed"]
    assert (agent.home / "config.yaml").read_bytes() == before.replace(*_urls(agent, before)), "byte for byte"
    return len(given)


def _urls(agent: Agent, before: bytes) -> tuple[bytes, bytes]:
    """Each model listens elsewhere: the one change that is not ours."""
    line = next(line for line in before.split(b"\n") if b"base_url:" in line)
    now = next(line for line in (agent.home / "config.yaml").read_bytes().split(b"\n") if b"base_url:" in line)
    return line, now


def experiment(agent: Agent) -> str:
    tasks = [{"id": "one", "prompt": "Work on it. (ref one)", "minutes": 10, "check": "test -f finished.txt"}]
    plan = agent.folder / "plan.yaml"
    plan.write_text(json.dumps({"name": "pair", "template": "steps", "tasks": tasks, "flags": ["--yolo"]}))
    with TrialModel(calls=3) as model:
        agent.model_is(model.url)
        told = agent.ours("experiment", "run", str(plan), seconds=900)
    assert sorted(model.arms) == [("one", False), ("one", True)], model.arms
    assert [(run["state"], run["task_success"]) for run in told["runs"]] == [("ended", True)] * 2, told["runs"]
    return str(told["verdict"])


def probe(agent: Agent) -> bool | None:
    """What is asked where an agent does not write its requests down."""
    conversation = json.dumps(agent.ours("load", "steps", "--full")["conversation"]).encode()

    def run(words: list[str], environment: dict[str, str]) -> object:
        return subprocess.run(words, cwd=agent.work, env=environment, stdin=subprocess.DEVNULL, timeout=300)

    reached = reaches_model(agent.programs / "hermes", agent.folder, conversation, "probe", run)
    assert reached, reached
    return reached


def stops_without_template(agent: Agent) -> str:
    """What takes the first messages out of the agent's reach is seen at its first warm run."""
    task = {"id": "one", "prompt": "Work on it. (ref one)", "minutes": 10, "setup": "printf '[]' > ../prefill.json"}
    plan = agent.folder / "emptied.yaml"
    plan.write_text(
        json.dumps({"name": "emptied", "template": "steps", "tasks": [task], "repeats": 3, "flags": ["--yolo"]})
    )
    with TrialModel(calls=3) as model:
        agent.model_is(model.url)
        told = agent.ours("experiment", "run", str(plan), seconds=900)
    assert told["state"] == "paused", told
    assert not any(run["state"] == "ended" and run["arm"] == "warm" for run in told["runs"]), told["runs"]
    agent.ours("experiment", "cancel", str(told["id"]))
    return str(told["why"])


def own_review(agent: Agent) -> list[str]:
    """What the agent kept by itself in a turn, and what its review kept of it, by itself and not by others."""
    config = agent.home / "config.yaml"
    before = config.read_bytes()
    skill = "---\nname: build-notes\ndescription: How the build runs.\n---\n\n# Build\n\nRun make.\n"
    turn: list[Step] = [[("memory", {"action": "add", "target": "user", "content": "Likes short answers."})]]
    review: list[Step] = [
        [
            ("memory", {"action": "add", "target": "memory", "content": "Make builds it."}),
            ("terminal", {"command": "ls"}),
        ],
        [("skill_manage", {"action": "create", "name": "build-notes", "content": skill})],
        [("memory", {"action": "remove", "target": "memory", "old_text": "nothing like this"})],
    ]
    with ScriptedModel([*turn, "Done.", *review]) as model:
        agent.model_is(model.url)
        with config.open("a") as file:
            file.write("memory: {nudge_interval: 1}\n")
        said = agent.run("python", str(Path(__file__).with_name("reviewed_session.py")), model.url).stdout
        assert model.played == len(model.steps), "the review went on to its end"
    config.write_bytes(before)
    session = said.rpartition("session ")[2].strip()
    told = agent.ours("profile", session)
    assert sorted((each["what"], each["by"]) for each in told["learned_writes"]) == [
        ("memory", "review"), ("skill", "review"), ("user profile", "turn"),
    ], told["learned_writes"]  # fmt: skip
    return sorted(each["words"] for each in told["learned_writes"])


def by_rule(agent: Agent) -> int:
    """How many messages a session is given that a rule draws warm; none where no plugin is asked before requests."""
    number = agent.ours("trials", "add", "steps", "--share", "1", "--holdout", "0")["rule"]["number"]
    session, model = agent.session(WORK)
    agent.ours("trials", "remove", str(number))
    given = before_the_task(model)
    assert agent.recorded()[session] == ("steps" if given else ""), "as the plugin recorded it"
    return len(given)


def drive(programs: Path, folder: Path) -> dict[str, Any]:
    """All of it; what was counted."""
    agent = Agent(programs, folder)
    agent.ours("plugin", "enable", "--yes")
    cold = cold_session(agent)
    given = warm_session(agent, cold)
    told = agent.ours("doctor")["plugin"]
    assert told["enabled"]
    assert told["loaded_by"] == next(iter(told["versions"].values()))
    return {"warm messages": given, "actions": len(ACTIONS), "experiment": experiment(agent),
            "by rule": by_rule(agent), "learned": own_review(agent), "asked with a model of ours": probe(agent), "without its template": stops_without_template(agent)}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", default=VERSIONS, metavar="VERSION")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="Where environments are kept, or are already.")
    chosen = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="warm-tui-versions-") as passing:
        for version in chosen.versions:
            folder = Path(passing) / f"run-{version}"
            folder.mkdir()
            try:
                facts = drive(install(version, (chosen.keep or Path(passing)) / version), folder)
                told = "ok  " + ", ".join(f"{name}: {value}" for name, value in facts.items())
            except (AssertionError, subprocess.SubprocessError) as error:
                failed += 1
                told = f"FAILED  {error}"
            print(f"{version:8}{told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
