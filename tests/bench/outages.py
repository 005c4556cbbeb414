"""Outages injected into an experiment that goes on, with the real Hermes: what was shown, what was counted, and what the
model had counted.

`python tests/bench/outages.py [NAME ...]` plays all of them, or those named. The full disks need root: a small disk is
mounted for them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.e2e.test_experiment import Bench
from tests.e2e.test_hermes import HERMES
from tests.e2e.trial_model import TASK, TrialModel

TASKS, CALLS, OUT_SECONDS = 6, 3, 20.0
DOLLARS_IN, DOLLARS_OUT = 0.00001, 0.00005
BUDGET = 0.75
SMALL_DISK = 120_000_000
JUMPING = """
import os, time
_real = time.time
def _jumped():
    try:
        with open({file!r}) as file:
            return _real() + float(file.read() or 0)
    except (OSError, ValueError):
        return _real()
time.time = _jumped
"""


class FailingModel(TrialModel):
    """It goes down and comes up again at the same address, refuses wrong keys, and counts what it played to its end."""

    def __init__(self) -> None:
        super().__init__(calls=CALLS)
        self.is_down = False
        self.ended: Counter[tuple[str, bool]] = Counter()
        self.dollars = 0.0
        self._quiet()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        """With prices, as Hermes asks for them."""
        plain = super()._handler()
        prices = {"prompt": str(DOLLARS_IN), "completion": str(DOLLARS_OUT)}
        model = {"id": "scripted", "object": "model", "context_length": 200_000, "pricing": prices}

        class Handler(plain):  # type: ignore[misc, valid-type]
            def do_GET(self) -> None:  # noqa: N802
                if self.path == "/v1/models":
                    self.reply({"object": "list", "data": [model]})
                else:
                    # Who answers to everything is taken for a server of another kind.
                    self.send_error(404)

        return Handler

    def _quiet(self) -> None:
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]

    def go_down(self) -> None:
        self.is_down = True
        self._server.shutdown()
        self._server.server_close()

    def come_up(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", self._server.server_port), self._handler())
        self._quiet()
        self.is_down = False
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        if self.is_down:
            raise ConnectionResetError
        message, reason = super().answer(request)
        # As the server tells the agent.
        tokens = 3000 + len(json.dumps(request.get("messages", []))) // 4
        self.dollars += (tokens * DOLLARS_IN + 40 * DOLLARS_OUT) if request.get("tools") else 0.0
        conversation = json.dumps(request.get("messages", []))
        tasks = TASK.findall(conversation)
        if request.get("tools") and tasks and reason == "stop":
            self.ended[tasks[-1], "Begin with the folder that is named" in conversation] += 1
        return message, reason

    def failures(self, task: str, warm: bool) -> int:
        return min(self.failing(task, warm), CALLS - 1)


class Injection(NamedTuple):
    bench: Bench
    model: FailingModel
    process: subprocess.Popen[str]
    command: list[str]
    environment: dict[str, str]

    def runs(self) -> list[dict[str, Any]]:
        return rows(self.bench, "SELECT * FROM runs ORDER BY position")

    def until(self, holds: Callable[[], bool], seconds: float = 240.0) -> None:
        limit = time.monotonic() + seconds
        while not holds() and time.monotonic() < limit:
            time.sleep(0.1)

    def until_ended(self, count: int) -> None:
        self.until(lambda: sum(run["state"] == "ended" for run in self.runs()) >= count)

    def until_paused(self) -> None:
        self.until(lambda: any(each["state"] == "paused" for each in rows(self.bench, "SELECT * FROM experiments")))

    def agents(self) -> list[int]:
        tokens = [f"WARM_TUI_RUN={run['token']}".encode() for run in self.runs() if run["token"]]
        going = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if set(tokens) & set((entry / "environ").read_bytes().split(b"\0")):
                    going.append(int(entry.name))
        return going


def rows(bench: Bench, sql: str) -> list[dict[str, Any]]:
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(bench.home.library)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]
    return []


# --- what goes wrong ---


def model_down(at: Injection) -> subprocess.Popen[str]:
    at.until_ended(3)
    at.model.go_down()
    time.sleep(60.0)
    at.model.come_up()
    return at.process


def disk_full(at: Injection, folder: Path) -> subprocess.Popen[str]:
    at.until_ended(3)
    with contextlib.suppress(OSError), (folder / "filling").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    at.until_paused()
    time.sleep(OUT_SECONDS)
    (folder / "filling").unlink()
    return at.process


def hermes_removed(at: Injection) -> subprocess.Popen[str]:
    at.until_ended(3)
    command = Path(at.environment["PATH"].split(os.pathsep)[0]) / "hermes"
    aside = command.rename(command.with_suffix(".aside"))
    at.until_paused()
    time.sleep(OUT_SECONDS)
    aside.rename(command)
    return at.process


def mended_settings(at: Injection) -> subprocess.Popen[str]:
    at.until_paused()
    at.bench.model(at.model.url, agent={"api_max_retries": 1})
    return at.process


def runner_killed(at: Injection) -> subprocess.Popen[str]:
    at.until_ended(3)
    at.until(lambda: len(at.agents()) >= 2)
    before = len(at.agents())
    os.kill(at.process.pid, signal.SIGKILL)
    at.process.wait()
    began = time.monotonic()
    at.until(lambda: not at.agents(), 30)
    print(f"  agents and what they began: {before} before, {len(at.agents())} after {time.monotonic() - began:.1f} s")
    return begin([*at.command[:-1], "--resume", "--json"], at.environment)


def agent_killed(at: Injection) -> subprocess.Popen[str]:
    at.until_ended(2)
    for _ in range(2):
        at.until(lambda: bool(at.agents()))
        with contextlib.suppress(OSError, IndexError):
            os.kill(max(at.agents()), signal.SIGKILL)
        time.sleep(3.0)
    return at.process


def nothing(at: Injection) -> subprocess.Popen[str]:
    return at.process


def clock_jumps(at: Injection) -> subprocess.Popen[str]:
    for ended, offset in ((2, 86_400), (5, -86_400), (8, 0)):
        at.until_ended(ended)
        (at.bench.root.parent / "offset").write_text(str(offset))
    return at.process


OUTAGES: dict[str, Callable[..., subprocess.Popen[str]]] = {
    "model down for a minute": model_down, "disk of the runs full": disk_full, "disk of the home full": disk_full,
    "Hermes removed": hermes_removed, "network name wrong": mended_settings,
    "no credentials": mended_settings, "runner killed": runner_killed,
    "agent killed twice": agent_killed, "clock jumps a day": clock_jumps,
    "a budget of dollars": nothing,
}  # fmt: skip


# --- one after the other ---


def begin(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


@contextlib.contextmanager
def small_disk(folder: Path, wanted: bool) -> Iterator[Path]:
    folder.mkdir()
    if wanted:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        if wanted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def play(name: str, outage: Callable[..., subprocess.Popen[str]]) -> None:
    with tempfile.TemporaryDirectory() as temporary, FailingModel() as model:
        top = Path(temporary)
        with small_disk(top / "home-disk", "home full" in name) as of_home, small_disk(
            top / "runs-disk", "runs full" in name
        ) as of_runs:  # fmt: skip
            bench = Bench(of_home)
            bench.cache = of_runs
            url = "http://no-such-host.invalid/v1" if "name" in name else model.url
            bench.model(url, agent={"api_max_retries": 1})
            if name == "no credentials":
                (bench.root / "config.yaml").write_text("{}")
                (bench.root / ".env").write_text("")
            command = top / "bin" / "hermes"
            command.parent.mkdir()
            command.write_text(f'#!/bin/sh\nexec {HERMES} "$@"\n')
            command.chmod(0o755)
            (of_home / "sitecustomize.py").write_text(JUMPING.format(file=str(of_home / "offset")))
            environment = {**bench.environment, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
            if "clock" in name:
                environment["PYTHONPATH"] = os.pathsep.join(
                    [str(of_home), *filter(None, [os.environ.get("PYTHONPATH")])]
                )
            words = bench.words(
                "experiment",
                "run",
                str(bench.plan(TASKS, **({"budget": {"dollars": BUDGET}} if "dollars" in name else {}))),
                "--json",
            )
            injection = Injection(bench, model, begin(words, environment), words, environment)
            seen = Seen(bench)
            process = outage(
                injection,
                *(
                    {"home": of_home, "runs": of_runs}[w]
                    for w in name.split()
                    if "full" in name and w in ("home", "runs")
                ),
            )
            out, _ = process.communicate(timeout=900)
            seen.stop()
            show(name, json.loads(out), model, seen)


class Seen:
    """What the experiment said of itself, as it went."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.said, self._stopped = bench, list[str](), threading.Event()
        self.waited = 0.0
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stopped.wait(0.1):
            for each in rows(self.bench, "SELECT * FROM experiments"):
                self.waited += 0.1 * (each["state"] == "paused")
                word = f"{each['state']}: {each['why']}" if each["why"] else each["state"]
                if not self.said or self.said[-1] != word:
                    self.said.append(word)


def show(name: str, told: dict[str, Any], model: FailingModel, seen: Seen) -> None:
    runs = told["runs"]
    ended = Counter((run["task"], run["arm"] == "warm") for run in runs if run["state"] == "ended")
    attempts = rows(
        seen.bench, "SELECT runs.task, runs.arm, attempts.* FROM attempts JOIN runs USING (experiment, position)"
    )
    kept = Counter((each["task"], each["arm"] == "warm") for each in attempts if each["state"] == "ended")
    nothing = Counter(each["outage"] or each["reason"] for each in attempts if each["state"] not in ("ended",))
    arms = {arm: sum(run["arm"] == arm for run in runs if run["state"] == "ended") for arm in ("warm", "cold")}
    right = sum(
        run["calls"] == CALLS and run["failures"] == model.failures(run["task"], run["arm"] == "warm")
        for run in runs
        if run["state"] == "ended"
    )
    longest = max(run["seconds"] or 0.0 for run in runs)
    print(f"\n{name}")
    for word in seen.said:
        print(f"  shown: {word}")
    print(
        f"  state {told['state']}, verdict {told['verdict']}; waited {seen.waited:.0f} s; longest run {longest:.0f} s"
    )
    print(
        f"  runs ended: {arms['warm']} warm, {arms['cold']} cold of {len(runs)}; states {dict(Counter(r['state'] for r in runs))}"
    )
    print(
        f"  not done: {sum(run['task_success'] is False for run in runs)}; attempts that came to nothing: {dict(nothing)}"
    )
    print(f"  ended attempts kept: {kept.total()}; played to their end at the model: {model.ended.total()}; "
          f"{'equal' if kept == model.ended else 'UNEQUAL'}")  # fmt: skip
    print(f"  runs whose calls and failures are what the model played: {right} of {ended.total()}")
    print(f"  dollars: {told['cost_usd'] or 0.0:.4f}; at the model {model.dollars:.4f}")
    print(f"  files left over: {len(seen.bench.leftovers())}", flush=True)


def main(names: list[str]) -> None:
    for name, outage in OUTAGES.items():
        if not names or any(each in name for each in names):
            play(name, outage)


if __name__ == "__main__":
    main(sys.argv[1:])
