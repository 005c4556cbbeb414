"""The servers that the commands of `hard_daily` ask, all on this machine alone."""

from __future__ import annotations

import http.server
import os
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(os.environ.get("HARD_DAILY_ROOT", "/tmp/hard-daily"))


PAGES = {
    "/health": (200, "application/json", '{"status": "ok", "errors": 0, "failed_checks": []}\n'),
    "/jobs.json": (
        200,
        "application/json",
        '[{"job": 3, "state": "failed", "error": "Connection refused"}, {"job": 4, "state": "done", "error": null}]\n',
    ),
    "/errors.html": (
        200,
        "text/html",
        "<h1>Error reference</h1>\n<p>500 Internal Server Error: the request failed.</p>\n<p>fatal: not a git repository</p>\n",
    ),
    "/api/users": (
        500,
        "application/json",
        '{"error": "internal server error", "detail": "relation \\"users\\" does not exist"}\n',
    ),
    "/private": (401, "application/json", '{"error": "token expired"}\n'),
}


class Handler(http.server.BaseHTTPRequestHandler):
    seen = 0

    def do_GET(self) -> None:
        code, kind, body = PAGES.get(self.path, (404, "text/plain", "no such page\n"))
        if self.path == "/slow":
            time.sleep(4)
        if self.path == "/flaky":
            Handler.seen += 1
            code, body = (503, "busy\n") if Handler.seen % 3 else (200, "fetched on the third attempt\n")
        if self.path == "/old":
            code, body = 302, ""
        self.send_response(code)
        if code == 302:
            self.send_header("Location", "/health")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(OSError):
            if self.command != "HEAD":
                self.wfile.write(body.encode())

    do_POST = do_PUT = do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_) -> None:
        pass


@contextmanager
def web():
    serving = http.server.ThreadingHTTPServer(("127.0.0.1", 18114), Handler)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield
    serving.shutdown()


@contextmanager
def postgres():
    folder = ROOT / "pg"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.chown(folder, "nobody")
    bindir = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    control = ["setpriv", "--reuid=nobody", "--clear-groups", str(bindir / "pg_ctl"), "-D", str(folder / "data")]
    subprocess.run([*control, "init", "-o", "-U dev -A trust"], check=True, capture_output=True, cwd=folder)
    subprocess.run(
        [*control, "-w", "-l", str(folder / "log"), "-o", "-p 15514 -k /tmp -c listen_addresses=", "start"],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        yield
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], check=False, capture_output=True, cwd=folder)


@contextmanager
def redis():
    server = subprocess.Popen(
        ["redis-server", "--port", "16314", "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(1)
    subprocess.run(["redis-cli", "-p", "16314", "set", "greeting", "hi"], capture_output=True, check=False)
    yield
    server.terminate()


@contextmanager
def mariadb():
    folder = ROOT / "my"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        ["mariadb-install-db", f"--datadir={folder}", "--user=root", "--auth-root-authentication-method=normal"],
        capture_output=True,
        check=True,
    )
    server = subprocess.Popen(
        [
            "mariadbd",
            "--no-defaults",
            f"--datadir={folder}",
            "--user=root",
            "--socket=/tmp/hard-daily-my.sock",
            "--skip-networking",
            f"--pid-file={folder}/pid",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(40):
        if Path("/tmp/hard-daily-my.sock").exists():
            break
        time.sleep(0.5)
    yield
    server.terminate()
    server.wait(30)
