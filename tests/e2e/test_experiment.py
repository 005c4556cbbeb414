"""Live experiments with the real agent: warm and cold on the same tasks, killed and gone on with, and things going wrong."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.sparing import environment, settings
from tests.e2e.test_hermes import HERMES, needs_hermes
from tests.e2e.trial_model import EXAMPLE, TrialModel
from warm_tui.paths import Home
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern

pytestmark = needs_hermes
SECRET = "sk-aVerySecretKey0123456789"
RESULT = '{"output": "src", "exit_code": 0, "error": null}'


def task(name: str, **settings: Any) -> dict[str, Any]:
    return {"id": name, "prompt": f"Work on it. (ref {name})", "minutes": 10, **settings}


class Bench:
    """A home, a template in it, and our command line."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "home", folder / "cache"
        self.root.mkdir()
        self.home = Home(self.root, (self.root / "state.db",))
        said = {"tool_name": "terminal", "arguments": {"command": "ls src"}, "result": RESULT, "context": EXAMPLE}
        pattern = Pattern(**said, whose=WRITTEN_BY_HAND)
        TemplateFiles(self.home).save(new_template("steps", [pattern]))
        (self.root / "skills" / "mine").mkdir(parents=True)
        (self.root / "skills" / "mine" / "SKILL.md").write_text(
            "---\nname: mine\ndescription: Mine.\n---\nBe careful.\n"
        )
        (self.root / "memories").mkdir()
        (self.root / "memories" / "MEMORY.md").write_text("The operator likes short answers.\n")
        (self.root / ".env").write_text(f"OPENAI_API_KEY={SECRET}\n")

    def model(self, url: str, key: str = SECRET, **more: Any) -> None:
        (self.root / "config.yaml").write_text(json.dumps(settings(url, key, **more)))

    def plan(self, tasks: int | list[dict[str, Any]], **settings: Any) -> Path:
        if isinstance(tasks, int):
            tasks = [task(f"t{at}", check="test -f finished.txt") for at in range(tasks)]
        plan = {"name": "trial", "template": "steps", "tasks": tasks, "flags": ["--yolo"], "parallel": 2, **settings}
        path = self.root.parent / "plan.yaml"
        path.write_text(json.dumps(plan))
        return path

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "warm_tui", "--home", str(self.root), *words]

    @property
    def environment(self) -> dict[str, str]:
        path = f"{HERMES.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        user = str(self.root.parent / "user")
        given = environment(self.root, PATH=path, XDG_CACHE_HOME=str(self.cache), HOME=user)
        del given["HERMES_HOME"]
        return given

    def run(self, *words: str, code: int = 0) -> dict[str, Any]:
        command = self.words("experiment", *words, "--json")
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=900)
        assert done.returncode == code, done.stdout[-2000:] + done.stderr[-2000:]
        return json.loads(done.stdout)

    def traces(self) -> dict[str, str]:
        """Every file of the home that is not ours."""
        files = [path for path in self.root.rglob("*") if path.is_file() and "warm_tui" not in path.parts]
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}

    def leftovers(self) -> list[Path]:
        return [path for path in self.cache.rglob("*") if path.is_file() and path.suffix != ".lock"]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_template_that_helps_is_found_to_help(bench: Bench) -> None:
    plan = bench.plan(6)
    with TrialModel(calls=4) as model:
        # A template that is active makes neither arm warm.
        bench.model(model.url, prefill_messages_file=str(bench.root / "other.json"))
        (bench.root / "other.json").write_text(json.dumps([{"role": "user", "content": "Another template's words."}]))
        before = bench.traces()
        told = bench.run("run", str(plan))
    assert Counter(run["state"] for run in told["runs"]) == {"ended": 12}
    assert (told["verdict"], told["comparison"]["verdict"]) == ("warm better", "warm better")
    assert told["comparison"]["paired"]
    assert told["comparison"]["tasks"] == 6
    wanted = Counter((run["task"], run["arm"] == "warm") for run in told["runs"])
    assert Counter(model.arms) == wanted, "the template was in each warm run and in no cold one"
    assert "Another template's words." not in json.dumps(model.requests)
    assert all(run["task_success"] and run["session_id"] for run in told["runs"])
    assert bench.traces() == before, "the home is as it was, byte for byte"
    assert bench.leftovers() == []
    listed = subprocess.run(bench.words("list", "--json"), capture_output=True, text=True, check=True)
    (template,) = json.loads(listed.stdout)["templates"]
    assert template["usage_count"] == 1
    secret = SECRET.encode()
    ours = [path for path in bench.root.rglob("*") if path.is_file() and "warm_tui" in path.parts]
    assert [path.name for path in ours if secret in path.read_bytes()] == []
    # A run opens like any other session.
    session = told["runs"][0]["session_id"]
    calls = subprocess.run(
        [*bench.words()[:3], "--home", str(bench.root), "--db", told["archive"], "calls", session, "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert len(json.loads(calls.stdout)["calls"]) == told["runs"][0]["calls"] == 4


def test_killed_three_times_each_run_is_there_once(bench: Bench) -> None:
    plan = bench.plan(1, repeats=3)
    with TrialModel(calls=2) as model:
        bench.model(model.url)
        command = bench.words("experiment", "run", str(plan))
        for kill in range(3):
            begun = subprocess.Popen(
                command, env=bench.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            wait_for(bench, ENDED, kill + 1)
            os.kill(begun.pid, signal.SIGKILL)
            begun.wait()
            command = bench.words("experiment", "run", str(plan), "--resume")
        told = bench.run("run", str(plan), "--resume")
    assert Counter(run["state"] for run in told["runs"]) == {"ended": 6}
    sessions = [run["session_id"] for run in told["runs"]]
    assert len(set(sessions)) == 6
    with sqlite3.connect(told["archive"]) as archive:
        kept = {row[0] for row in archive.execute("SELECT id FROM sessions")}
    assert kept == set(sessions), "no session of a run that was cut off"
    assert Counter(run["arm"] for run in told["runs"]) == {"warm": 3, "cold": 3}
    assert len(model.arms) <= 6 + 3 * 2, "what was finished was not done again"
    assert bench.leftovers() == []


ENDED = "SELECT COUNT(*) FROM runs WHERE state = 'ended'"


def wait_for(bench: Bench, sql: str, least: int) -> None:
    """Until the library counts so many."""
    library, limit = bench.home.library, time.monotonic() + 300
    while time.monotonic() < limit:
        if library.exists():
            with sqlite3.connect(f"file:{library}?mode=ro", uri=True) as connection:
                try:
                    (count,) = connection.execute(sql).fetchone()
                except sqlite3.Error:
                    count = 0
            if count >= least:
                return
        time.sleep(0.05)
    raise AssertionError("the runs did not come")


def test_what_goes_wrong_is_a_state_and_the_rest_goes_on(bench: Bench) -> None:
    tasks = [
        task("fine", check="test -f finished.txt", files={"notes/read.me": "Hello."}, setup="test -f notes/read.me"),
        task("undone", check="test -f never.txt"),
        task("no-setup", setup="echo nothing is here >&2; exit 3"),
        task("no-check", check="no-such-command-at-all"),
        task("slow", minutes=0.01),
        task("leaves", setup="touch here"),
    ]
    with TrialModel(calls=2) as model:
        bench.model(model.url)
        told = bench.run("run", str(bench.plan(tasks)))
    assert len(told["runs"]) == 12
    by_task = {run["task"]: run for run in told["runs"]}
    assert {name: run["state"] for name, run in by_task.items()} == {
        "fine": "ended", "undone": "ended", "no-setup": "not started", "no-check": "ended", "slow": "timed out",
        "leaves": "ended",
    }  # fmt: skip
    assert [by_task[name]["task_success"] for name in ("fine", "undone", "no-check", "leaves")] == [
        True,
        False,
        None,
        None,
    ]
    assert by_task["no-setup"]["reason"] == "The setup command ended with 3: nothing is here"
    assert "The check itself failed" in by_task["no-check"]["reason"]
    assert "0.01 minutes" in by_task["slow"]["reason"]
    assert {note.partition(":")[0] for note in told["comparison"]["notes"]} >= {"Timed out", "Not started"}


def test_a_model_that_is_down_is_waited_for(bench: Bench) -> None:
    """Until it answers, with nothing counted meanwhile; then all of it is done."""
    with TrialModel(calls=2) as model:
        port = model.url.rpartition(":")[2].partition("/")[0]
    bench.model(f"http://127.0.0.1:{port}/v1", agent={"api_max_retries": 1})
    command = bench.words("experiment", "run", str(bench.plan(1)), "--json")
    going = subprocess.Popen(command, env=bench.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_for(bench, "SELECT COUNT(*) FROM experiments WHERE waits_for = 'model'", 1)
    with TrialModel(calls=2, port=int(port)) as model:
        out, _ = going.communicate(timeout=300)
    told = json.loads(out)
    assert {(run["state"], run["task_success"]) for run in told["runs"]} == {("ended", True)}
    assert Counter(warm for _, warm in model.arms) == {True: 1, False: 1}
    nothing = [each for run in told["runs"] for each in run["attempts"] if each["outage"]]
    assert all("Connection error" in each["reason"] for each in nothing)
    assert told["set_aside"] == len(nothing) >= 2


def test_an_agent_that_deletes_its_folder_or_leaves_processes_behind(bench: Bench, tmp_path: Path) -> None:
    """Its commands are played by the model: the folder goes, and a process in a session of its own stays."""
    mark = tmp_path / "still-there"
    commands = [f"setsid sh -c 'sleep 20; touch {mark}' >/dev/null 2>&1 < /dev/null & sleep 0.2", "rm -rf ../work"]

    class Leaving(TrialModel):
        def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
            message, reason = super().answer(request)
            done = sum(each["role"] == "assistant" for each in request.get("messages", []))
            if reason == "tool_calls":
                arguments = {"command": commands[min(done, 1)]}
                message["tool_calls"][0]["function"]["arguments"] = json.dumps(arguments)
            return message, reason

    with Leaving(calls=2) as model:
        bench.model(model.url)
        told = bench.run("run", str(bench.plan([task("gone", check="test -f finished.txt")])))
    assert {run["state"] for run in told["runs"]} == {"ended"}
    assert {run["task_success"] for run in told["runs"]} == {False}
    assert all(run["reason"].startswith("The task's folder was gone") for run in told["runs"])
    left = subprocess.run(["pgrep", "-f", str(mark)], capture_output=True, text=True).stdout.split()
    assert left == []


def test_without_hermes_nothing_begins(bench: Bench) -> None:
    bench.model("http://127.0.0.1:9/v1")
    script = (
        "import sys; from warm_tui.agent import hermes_cli; hermes_cli.on_the_path = lambda name: None; "
        "sys.executable = '/nowhere/python'; from warm_tui.__main__ import main; "
        f"sys.argv = ['warm-tui', '--home', {str(bench.root)!r}, 'experiment', 'run', {str(bench.plan(1))!r}, '--json']; "
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=bench.environment)
    assert done.returncode == 1
    assert "Hermes was not found" in json.loads(done.stdout)["error"]
