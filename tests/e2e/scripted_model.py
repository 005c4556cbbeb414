"""A model that plays a script: an OpenAI-compatible server, so that the real agent runs its real tools.

    with ScriptedModel([[("terminal", {"command": "ls"})], [("read_file", {"path": "a"})]]) as model:
        ...  # point the agent at model.url

Each step is one assistant turn of one or more calls, or what it says at the end of a turn; after the last it says that it is done. What the
agent sent is kept in `model.requests`.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = str | Sequence[tuple[str, dict[str, Any] | str]]


class ScriptedModel:
    def __init__(self, steps: Sequence[Step], final: str = "Done.", port: int = 0) -> None:
        self.steps = list(steps)
        self.final = final
        self.played = 0
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        """What each request was let in by."""
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        with self._lock:
            self.requests.append(request)
            # Without tools it is asked for something beside the task: a title, a summary.
            if not request.get("tools"):
                return {"role": "assistant", "content": "The work went on."}, "stop"
            if self.played >= len(self.steps):
                return {"role": "assistant", "content": self.final}, "stop"
            step = self.steps[self.played]
            self.played += 1
        if isinstance(step, str):
            return {"role": "assistant", "content": step}, "stop"
        calls = [
            {
                "id": f"call_{uuid.uuid4().hex[:20]}",
                "type": "function",
                "index": at,
                "function": {"name": tool, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for at, (tool, given) in enumerate(step)
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                self.reply(
                    {"object": "list", "data": [{"id": "scripted", "object": "model", "context_length": 200_000}]}
                )

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
                model.keys.append(self.headers.get("Authorization", ""))
                message, reason = model.answer(request)
                # The agent compacts its context by what it is told here.
                prompt = 3000 + len(json.dumps(request.get("messages", []))) // 4
                usage = {"prompt_tokens": prompt, "completion_tokens": 40, "total_tokens": prompt + 40}
                common = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": 1, "model": "scripted"}
                if request.get("stream"):
                    self.stream(common, message, reason, usage)
                else:
                    choice = {"index": 0, "message": message, "finish_reason": reason}
                    self.reply({**common, "object": "chat.completion", "choices": [choice], "usage": usage})

            def reply(self, value: dict[str, Any]) -> None:
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def stream(
                self, common: dict[str, Any], message: dict[str, Any], reason: str, usage: dict[str, int]
            ) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                for delta, finish in ((message, None), ({}, reason)):
                    chunk = {
                        **common,
                        "object": "chat.completion.chunk",
                        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
                        **({"usage": usage} if finish else {}),
                    }
                    self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.write(b"data: [DONE]\n\n")
                self.close_connection = True

        return Handler
