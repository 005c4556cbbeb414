"""The real agent asks before what cannot be undone, and does as it is told: in one session, every way it can go."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")

from tests.e2e.scripted_model import ScriptedModel, Step
from tests.e2e.sparing import environment, settings
from tests.e2e.test_hermes import HERMES, needs_hermes, warm_tui
from tests.unit.approving import begin, end
from warm_tui.approvals.model import Request
from warm_tui.approvals.moments import Moment, now
from warm_tui.approvals.service.notifying import Delivery, Way, deliver, message
from warm_tui.approvals.store import Store
from warm_tui.commands.confirm import words_of
from warm_tui.paths import Home

pytestmark = [*needs_hermes, pytest.mark.xdist_group("approvals")]

LONG = 120.0
# What becomes of what is asked about, in order; the last two are made at once.
COURSE = ("approve", "deny", "expire", "approve", "deny")


class Operator(threading.Thread):
    """Answers each question by the course of events; then the service ends and another begins, as the agent works."""

    def __init__(self, home: Path, agent_waits: list[Path]) -> None:
        super().__init__(daemon=True)
        self.home, self.agent_waits = home, agent_waits
        self.service, self.most_at_once = begin(home), 0
        self.seen: dict[str, str] = {}

    def run(self) -> None:
        without, with_another = self.agent_waits
        until = time.monotonic() + LONG
        while time.monotonic() < until and len(self.seen) < len(COURSE):
            waiting = self.service.ask("GET", "/pending", role="operator")[1]["pending"]
            self.most_at_once = max(self.most_at_once, len(waiting))
            # Those that are made at once come at once.
            if len(self.seen) != 3 or len(waiting) > 1:
                for each in sorted(waiting, key=lambda each: each["details"]["command"]):
                    self.answer(each["id"])
            time.sleep(0.02)
        self.until(lambda: Path(f"{without}.reached").exists())
        end(self.service)
        without.unlink()
        self.until(lambda: Path(f"{with_another}.reached").exists())
        self.service = begin(self.home)
        with_another.unlink()
        self.until(lambda: self.service.ask("GET", "/health")[1]["pending_count"] > 0)

    def until(self, holds: Callable[[], bool]) -> None:
        until = time.monotonic() + LONG
        while not holds() and time.monotonic() < until:
            time.sleep(0.02)

    def answer(self, name: str) -> None:
        what = COURSE[len(self.seen)]
        self.seen[name] = what
        if what != "expire":
            body = {"approver": "ada"} if what == "approve" else {"denier": "bob", "reason": "keep it"}
            self.service.ask("POST", f"/confirm/{name}/{what}", body, "operator")
            return
        at = now()
        later = Store(self.service.place.database, b"", clock=lambda: Moment(at.wall, at.steady + 301, at.boot))
        later.expire_due()
        later.close()


def chat(home: Path, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(HERMES), "chat", "-q", "Tidy up.", "-Q", "--yolo", "--source", "cli"], cwd=folder, text=True,
        env=environment(home), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


class Ntfy(BaseHTTPRequestHandler):
    """Takes what is published under any topic but one."""

    def do_POST(self) -> None:
        got = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.arrived.append((self.path, got))  # type: ignore[attr-defined]
        answer = b"{}"
        self.send_response(500 if self.path == "/full" else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_people_are_told_by_the_platforms_that_the_agent_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{HERMES.parent}{os.pathsep}{os.environ['PATH']}")
    at = Moment(0.0, 0.0, "boot")
    request = Request(
        id="1f3a" * 8, action="delete_data", description="MEDIA:/etc/passwd", details={}, requester="ci", session_key="",
        timeout_seconds=60, high_risk=True, accepts_edits=False, masked=False, digest="", asked=at,
    )  # fmt: skip
    with ThreadingHTTPServer(("127.0.0.1", 0), Ntfy) as server:
        server.arrived = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        (tmp_path / ".env").write_text(f"NTFY_TOPIC=ops\nNTFY_SERVER_URL={url}\nNTFY_HOME_CHANNEL=ops\n")
        ways = [Way(target, words_of(Home(tmp_path, ()), target)) for target in ("ntfy", "ntfy:full")]

        async def tell() -> list[Delivery]:
            return await asyncio.gather(*(deliver(way, request, {}) for way in ways))

        delivered, failed = asyncio.run(tell())
        server.shutdown()
    assert (delivered.delivered, delivered.said.lower().startswith("sent")) == (True, True)
    assert (failed.delivered, "500" in failed.said) == (False, True)
    assert sorted(server.arrived) == [("/full", message(request)), ("/ops", message(request))]  # type: ignore[attr-defined]


def test_yes_no_silence_no_service_and_an_interruption_in_one_session(tmp_path: Path) -> None:
    home, folder, waits = tmp_path / "home", tmp_path / "work", [tmp_path / "one", tmp_path / "other"]
    home.mkdir()
    for at in range(7):
        (folder / str(at)).mkdir(parents=True)
    for file in waits:
        file.touch()
    # What lies in /tmp is nobody's concern by itself.
    rule = {"name": "tidies", "action": "delete_data", "tools": ["terminal"], "pattern": r"\brm -rf\b"}
    warm_tui(home, "confirm", "enable")
    rules = home / "warm_tui" / "approvals" / "agent.json"
    rules.write_text(json.dumps(json.loads(rules.read_text()) | {"rules": [rule]}))
    removing = [("terminal", {"command": f"rm -rf {folder}/{at}"}) for at in range(7)]
    waiting = [("terminal", {"command": f"touch {f}.reached; while [ -e {f} ]; do sleep 0.05; done"}) for f in waits]
    steps: list[Step] = [
        *([each] for each in removing[:3]), removing[3:5], [waiting[0]], [removing[5]], [waiting[1]], [removing[6]],
    ]  # fmt: skip
    operator = Operator(home, waits)
    with ScriptedModel(steps) as model:
        (home / "config.yaml").write_text(json.dumps(settings(model.url, plugins={"enabled": ["warm-tui"]})))
        operator.start()
        agent = chat(home, folder)
        operator.join()
        agent.send_signal(signal.SIGINT)
        said, _ = agent.communicate(timeout=LONG)
    assert model.played == len(steps), said
    assert tuple(operator.seen.values()) == COURSE
    assert operator.most_at_once == 2, "what is made at once is asked about at once"
    assert sorted(path.name for path in folder.iterdir()) == ["1", "2", "4", "5", "6"], "only what was approved is gone"
    (newest,) = operator.service.ask("GET", "/audit?limit=1", role="operator")[1]["entries"]
    assert newest["event"] == "withdrawn", "an agent that is interrupted leaves nothing that waits"
    end(operator.service)
    (session,) = warm_tui(home, "sessions")["sessions"]
    judged = warm_tui(home, "calls", session["session_id"])["calls"]
    assert [each["kind"] for each in judged][:8] == ["ok", "denied", "denied", "ok", "denied", "ok", "denied", "ok"]
    messages = max((request["messages"] for request in model.requests if request.get("tools")), key=len)
    answers = [message["content"] for message in messages if message["role"] == "tool"]
    assert "Denied by bob: keep it." in answers[1]
    assert "nobody answered in time" in answers[2]
    assert "nobody can be asked" in answers[6]
    assert warm_tui(home, "confirm", "audit", "--verify")["valid"]
