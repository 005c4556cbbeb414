"""Whether an agent hands the first messages on, asked with a model of our own: where nothing else tells.

Nothing of the operator's is in it: no settings, no credentials, no work. What the agent is answered is one word.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from warm_tui.agent.hermes_cli import chat, environment_of, start_warm
from warm_tui.agent.proof import holds
from warm_tui.experiments.workspace import remove
from warm_tui.writing import write_whole

NAME, ANSWER = "stand-in", "Done."
PROMPT = "Say that it is done."
KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
"""Of our environment: the rest may name a model, or hold a key."""
LARGEST = 50_000_000


def reaches_model(
    hermes: Path, folder: Path, conversation: bytes, token: str, run: Callable[[list[str], dict[str, str]], object]
) -> bool | None:
    """Whether the first request held most of the conversation. None: no request came."""
    home = folder / "probe"
    with StandIn() as model:
        remove(home)
        home.mkdir(mode=0o700)
        write_whole(home / "prefill.json", conversation)
        settings = {"default": NAME, "provider": "custom", "base_url": model.url, "api_key": NAME}
        write_whole(home / "config.yaml", json.dumps({"model": settings}) + "\n")
        start_warm(home, home / "prefill.json")
        environment = environment_of(home, home, home / "prefill.json", token)
        known = {name: value for name, value in environment.items() if name in KEPT or name not in os.environ}
        try:
            run(chat(hermes, PROMPT, "", ()), known)
        finally:
            remove(home)
        return holds(model.first, json.loads(conversation)) if model.first is not None else None


class StandIn:
    """A model on this machine alone; it keeps the first request for the work, and is done with it at once."""

    def __init__(self) -> None:
        self.first: Any = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, request: Any) -> None:
        if self.first is None and PROMPT in json.dumps(request):
            self.first = request

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self._send({"object": "list", "data": [{"id": NAME, "object": "model", "context_length": 200_000}]})

            def do_POST(self) -> None:
                request: Any = {}
                with suppress(ValueError):
                    request = json.loads(self.rfile.read(min(LARGEST, int(self.headers["Content-Length"] or 0))))
                model.take(request)
                streamed = isinstance(request, dict) and bool(request.get("stream"))
                message = {"role": "assistant", "content": ANSWER}
                choice = {"index": 0, "delta" if streamed else "message": message, "finish_reason": "stop"}
                kind = "chat.completion.chunk" if streamed else "chat.completion"
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                told = {"id": NAME, "object": kind, "created": 1, "model": NAME, "choices": [choice], "usage": usage}
                self._send(told, streamed=streamed)

            def _send(self, value: Any, *, streamed: bool = False) -> None:
                body = json.dumps(value).encode()
                body = b"data: " + body + b"\n\ndata: [DONE]\n\n" if streamed else body
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler
