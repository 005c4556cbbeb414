"""A service for approvals in a process of its own, and a program that asks it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from warm_tui.approvals.place import Place, Role, token_of
from warm_tui.paths import Home

ASKED = {"action": "restart", "description": "Restart it", "details": {"command": "systemctl restart web"}}


class Service(NamedTuple):
    home: Home
    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def place(self) -> Place:
        return Place.of(self.home)

    def ask(
        self, method: str, path: str, body: Any = None, role: Role | None = "agent", **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """The status, and the JSON that it always is."""
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        token = {"Authorization": f"Bearer {token_of(self.place, role)}"} if role else {}
        given = token | {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)) as connection:
            connection.request(method, path, raw, given)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def raw(self, sent: bytes) -> tuple[int, dict[str, Any]]:
        """What is answered to bytes that need not be HTTP."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=300) as connection:
            connection.sendall(sent)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status, json.loads(answer.read())

    def submit(self, **given: Any) -> str:
        status, document = self.ask("POST", "/confirm", ASKED | given)
        assert status == 202, document
        return str(document["id"])


def begin(root: Path, *words: str, **environment: str) -> Service:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "warm_tui", "--home", str(root), "confirm", "serve", "--port", "0",
         "--rate-limit", "0", "--json", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment},
    )  # fmt: skip
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    return Service(Home(root, ()), process, told.get("url", ""))


def end(service: Service, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """How it ended, and what it said of it."""
    service.process.send_signal(how)
    _, said = service.process.communicate(timeout=300)
    return service.process.returncode, said


@contextmanager
def serving(root: Path, *words: str) -> Iterator[Service]:
    service = begin(root, *words)
    try:
        yield service
    finally:
        code, said = end(service)
        assert (code, said) == (0, "")
