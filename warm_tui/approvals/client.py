"""Ask the service of a home, by its socket: nobody else can stand there. The standard library alone."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from warm_tui.approvals.place import Place, Role, socket_address, token_of
from warm_tui.errors import Trouble

SECONDS = 10.0
LARGEST_ANSWER = 100_000_000


class NotThere(Trouble):
    """No service answers."""


class Said(Trouble):
    """The service refused, in its own words."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        super().__init__(str(document.get("error") or f"The service answered {status}."))
        self.status, self.document = status, document


class _Connection(http.client.HTTPConnection):
    def __init__(self, place: Place, seconds: float) -> None:
        super().__init__("localhost", timeout=seconds)
        self.place = place

    def connect(self) -> None:
        with socket_address(self.place) as path:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(self.timeout)
            self.sock.connect(path)


class Client:
    def __init__(self, place: Place, role: Role) -> None:
        self.place, self.role = place, role

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, wait: float = 0.0) -> dict[str, Any]:
        """What it answers; Said where it refuses, NotThere where there is none."""
        headers = {"Authorization": f"Bearer {token_of(self.place, self.role)}", "Content-Type": "application/json"}
        raw = json.dumps(body).encode() if body is not None else None
        try:
            with closing(_Connection(self.place, SECONDS + wait)) as connection:
                connection.request(method, path, raw, headers)
                answered = connection.getresponse()
                document = json.loads(answered.read(LARGEST_ANSWER))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NotThere(
                f"No service for approvals answers ({type(error).__name__}): `warm-tui confirm serve` starts it."
            ) from error
        if not isinstance(document, dict):
            raise NotThere("What answers is no service for approvals.")
        if answered.status >= 400:
            raise Said(answered.status, document)
        return document
