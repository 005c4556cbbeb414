"""Each way into the newest Hermes, with a template active: what its model was given, against what Warm TUI says of it.

    python -m tests.e2e.ways_in [--keep DIR]

What was given is counted at the model's side; what was said beforehand is what `activate` printed, and what was said
afterwards is the plugin's record. A gateway is asked three times: before, while it goes on, and started anew.
Then the same where a rule draws the template, which a gateway that goes on takes up, too.
"""

from __future__ import annotations

import argparse
import json
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.versions import VERSIONS, Agent, install, save_template

LIMIT_SECONDS = 120.0
BY_RULE = 4
"""The messages of the template as it is told to any provider."""


class Row(NamedTuple):
    way: str
    said: int
    given: int
    recorded: str

    @property
    def agrees(self) -> bool:
        return self.said == self.given and (self.recorded == "warm") == (self.given > 0)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Ways:
    def __init__(self, agent: Agent, model: ScriptedModel) -> None:
        self.agent, self.model = agent, model
        self.webhook, self.api = free_port(), free_port()
        route = {"secret": "INSECURE_NO_AUTH", "prompt": "{words}", "deliver": "log"}
        extra = {"host": "127.0.0.1", "port": self.webhook, "routes": {"task": route}}
        settings = {"webhook": {"enabled": True, "extra": extra}}
        config = agent.home / "config.yaml"
        config.write_text(config.read_text() + f"platforms: {json.dumps(settings)}\n")
        keys = {
            "API_SERVER_ENABLED": "true",
            "API_SERVER_KEY": "0123456789abcdef-key",
            "API_SERVER_PORT": str(self.api),
        }
        (agent.home / ".env").write_text("".join(f"{name}={value}\n" for name, value in keys.items()))

    def given(self, marker: str) -> int | None:
        """So many messages stood before these words, and after the system prompt, in the first request with them."""
        for request in self.model.requests:
            messages = request.get("messages") or []
            words = [at for at, m in enumerate(messages) if m["role"] == "user" and marker in json.dumps(m)]
            if request.get("tools") and words:
                return sum(message["role"] != "system" for message in messages[: words[-1]])
        return None

    def wait_for(self, marker: str) -> int:
        until = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < until:
            found = self.given(marker)
            if found is not None:
                return found
            time.sleep(0.1)
        raise AssertionError(f"no request with {marker!r} came")

    def recorded(self, count: int) -> str:
        """What the newest record says, once there are so many."""
        until = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < until:
            with sqlite3.connect(f"file:{self.agent.home}/warm_tui/library.db?mode=ro", uri=True) as library:
                rows = library.execute("SELECT template FROM arms ORDER BY started_at").fetchall()
            if len(rows) >= count:
                return "warm" if rows[-1][0] == "steps" else "cold"
            time.sleep(0.1)
        return "not recorded"

    def post(self, url: str, body: dict[str, Any], **headers: str) -> None:
        data = json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answered:
            assert answered.status in (200, 202), answered.status

    @contextmanager
    def gateway(self) -> Iterator[int]:
        log = (self.agent.folder / "gateway.log").open("a")
        process = subprocess.Popen(
            [str(self.agent.programs / "hermes"), "gateway", "run"], cwd=self.agent.work, env=self.agent.environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            for port in (self.webhook, self.api):
                self._wait_until_it_listens(process, port)
            yield process.pid
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.close()

    def _wait_until_it_listens(self, process: subprocess.Popen[bytes], port: int) -> None:
        until = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < until and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        raise AssertionError((self.agent.folder / "gateway.log").read_text()[-3000:])

    # --- the ways ---

    def chat(self, words: str) -> None:
        self.agent.run("hermes", "chat", "-q", words, "-Q", "--yolo")

    def one_task(self, words: str) -> None:
        self.agent.run("hermes", "-z", words)

    def job(self, words: str) -> None:
        self.agent.run("hermes", "cron", "create", "30m", words, "--name", "job", "--deliver", "local")
        listed = json.loads((self.agent.home / "cron" / "jobs.json").read_text())
        jobs = listed["jobs"] if isinstance(listed, dict) else listed
        self.agent.run("hermes", "cron", "run", jobs[-1]["id"])
        self.agent.run("hermes", "cron", "tick")

    def hook(self, words: str) -> None:
        self.post(f"http://127.0.0.1:{self.webhook}/webhooks/task", {"words": words, "id": words})

    def server(self, words: str) -> None:
        body = {"model": "hermes-agent", "messages": [{"role": "user", "content": words}]}
        url = f"http://127.0.0.1:{self.api}/v1/chat/completions"
        self.post(url, body, Authorization="Bearer 0123456789abcdef-key")


def table(ways: Ways) -> list[Row]:
    agent, rows = ways.agent, list[Row]()

    def row(name: str, said: int, begin: Callable[[str], None]) -> None:
        words = f"Work on it. (way {len(rows)})"
        begin(words)
        rows.append(Row(name, said, ways.wait_for(words), ways.recorded(len(rows) + 1)))

    with ways.gateway() as process:
        row("gateway, before", 0, ways.hook)
        told = agent.ours("activate", "steps", "--yes")
        said = {way["way"]: way["messages"] for way in told["next_sessions"]}
        assert [(each["process"], each["what"]) for each in told["running"]] == [(process, "gateway")], told["running"]
        row("gateway, as it goes on", 0, ways.hook)
    row("chat -q", said["command line"], ways.chat)
    row("hermes -z", said["hermes -z"], ways.one_task)
    row("cron", said["cron"], ways.job)
    with ways.gateway():
        row("gateway, started anew", said["gateway"], ways.hook)
        row("API server", said["API server"], ways.server)
    assert agent.ours("deactivate", "--yes")["running"] == []
    row("chat -q, afterwards", 0, ways.chat)
    with ways.gateway():
        row("gateway, before a rule", 0, ways.hook)
        number = str(agent.ours("trials", "add", "steps", "--share", "1", "--holdout", "0")["rule"]["number"])
        row("gateway, as it goes on, by rule", BY_RULE, ways.hook)
        row("API server, by rule", BY_RULE, ways.server)
        row("cron, by rule", BY_RULE, ways.job)
        agent.ours("trials", "edit", number, "--share", "0")
        row("gateway, drawn cold", 0, ways.hook)
    agent.ours("trials", "edit", number, "--share", "1")
    row("chat -q, by rule", BY_RULE, ways.chat)
    row("hermes -z, by rule", BY_RULE, ways.one_task)
    agent.ours("trials", "remove", number)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="Where environments are kept, or are already.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="warm-tui-ways-") as passing:
        folder = Path(passing)
        (folder / "run").mkdir()
        agent = Agent(install(VERSIONS[-1], (chosen.keep or folder) / VERSIONS[-1], "aiohttp"), folder / "run")
        agent.ours("plugin", "enable", "--yes")
        save_template(agent)
        with ScriptedModel([]) as model:
            agent.model_is(model.url)
            rows = table(Ways(agent, model))
    print(f"{'way in':34}{'said':>6}{'given':>7}  recorded")
    for row in rows:
        print(f"{row.way:34}{row.said:6}{row.given:7}  {row.recorded}{'' if row.agrees else '   NOT AS SAID'}")
    return 0 if all(row.agrees for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
