"""The small web service that the commands of `hard_worlds` ask: its good answers talk of errors, some are errors."""

from __future__ import annotations

import http.server
import json
from collections import Counter
from typing import Any, ClassVar

PORT = 8947
JSON, TEXT, HTML = "application/json", "text/plain", "text/html"
PAGES: dict[str, tuple[int, str, str]] = {
    "/": (200, HTML, "<html><head><title>Tideline</title></head><body>0 errors</body></html>\n"),
    "/v1/stations": (
        200, JSON,
        '[{"id":"KBOS","state":"offline","last_error":"sensor timeout"},{"id":"KSFO","state":"ok","last_error":null}]\n',
    ),
    "/v1/alerts": (
        200, JSON, '{"alerts":[{"level":"critical","text":"Feed failed 3 times: connection reset by peer"}]}\n',
    ),
    "/metrics": (
        200, TEXT,
        'http_requests_total{code="500"} 41\nhttp_requests_total{code="200"} 9912\nfetch_errors_total 7\n',
    ),
    "/files/stations.csv": (200, "text/csv", "id,name,lat\nKBOS,Boston,42.4\nKSFO,San Francisco,37.6\n"),
    "/old": (301, JSON, ""),
    "/login": (401, JSON, '{"detail":"Authentication credentials were not provided."}\n'),
    "/boom": (500, JSON, '{"detail":"Internal Server Error","trace":"KeyError: station"}\n'),
    "/busy": (503, HTML, "<html><body><h1>503 Service Unavailable</h1></body></html>\n"),
}  # fmt: skip
NOT_FOUND = (404, JSON, '{"detail":"Not Found"}\n')
ACCEPTED = (201, JSON, '{"accepted":1,"rejected":0,"errors":[]}\n')
NOT_JSON = (422, JSON, '{"detail":"body is not valid JSON","errors":["line 1 column 1"]}\n')
TRIES = 3


class Handler(http.server.BaseHTTPRequestHandler):
    asked: ClassVar[Counter[str]] = Counter()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, code: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if code == 301:
            self.send_header("Location", "/v1/stations")
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path.startswith("/wobbly"):
            self.asked[self.path] += 1
            is_up = self.asked[self.path] % TRIES == 0
            self.answer(*((200, TEXT, "up\n") if is_up else (503, TEXT, "warming up\n")))
        else:
            self.answer(*PAGES.get(self.path, NOT_FOUND))

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            json.loads(body)
            self.answer(*ACCEPTED)
        except ValueError:
            self.answer(*NOT_JSON)


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
