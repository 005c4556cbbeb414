"""The app in a browser: who is answered, and what pages are made of; no browser is needed for that."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from click.testing import CliRunner

pytest.importorskip("textual_serve")

from aiohttp import ClientSession, CookieJar, WSServerHandshakeError
from aiohttp.web import AppRunner, SockSite

from warm_tui.cli import cli
from warm_tui.commands.web import words_of_app
from warm_tui.web.guard import Asked, refusal
from warm_tui.web.server import BrowserServer

SAYS_HELLO = (
    "import sys; sys.stdout.buffer.write(b'__GANGLION__\\nD\\0\\0\\0\\5hello'); sys.stdout.flush(); sys.stdin.read()"
)
ROUTES = ["/", "/page.css", "/page.js", "/icon.svg", "/static/js/textual.js", "/static/", "/download/some", "/nowhere"]
OURS = Asked("GET", "/", "127.0.0.1:8000", None, "", "right")


class Browsing:
    """A server, and a browser that keeps what it is given."""

    def __init__(self, server: BrowserServer, session: ClientSession) -> None:
        self.server, self.session = server, session
        self.base = f"http://127.0.0.1:{server.port}"

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with self.session.get(self.base + path, headers=headers, allow_redirects=False) as answer:
            self.headers = answer.headers
            return answer.status, (await answer.read()).decode("utf-8", "replace")

    async def open_link(self) -> None:
        assert (await self.get(self.server.link.removeprefix(self.base)))[0] == 200


@pytest_asyncio.fixture
async def browsing() -> AsyncIterator[Browsing]:
    server = BrowserServer([sys.executable, "-c", SAYS_HELLO], 0)
    runner = AppRunner(await server.make_app(), shutdown_timeout=1.0)
    await runner.setup()
    await SockSite(runner, server.socket).start()
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield Browsing(server, session)
    await runner.cleanup()


async def test_it_listens_on_this_machine_alone(browsing: Browsing) -> None:
    assert browsing.server.socket.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ROUTES)
async def test_nobody_is_answered_without_the_link(browsing: Browsing, path: str) -> None:
    status, told = await browsing.get(path)
    assert (status, "Open the link" in told) == (403, True)
    for wrong in ("", "x", browsing.server.token[:-1], browsing.server.token + "x"):
        assert (await browsing.get(f"{path}?token={wrong}"))[0] == 403
    assert (await browsing.get(path, Cookie=f"{browsing.server.cookie}=wrong"))[0] == 403


async def test_the_link_opens_the_page_and_is_forgotten(browsing: Browsing) -> None:
    await browsing.open_link()
    cookie = browsing.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert browsing.headers["Refresh"] == "0; url=/"
    status, page = await browsing.get("/")
    assert status == 200
    assert browsing.server.token not in page
    assert f"ws://127.0.0.1:{browsing.server.port}/ws" in page
    assert 'rel="icon"' in page, "else browsers ask for one that is not there"
    assert [(await browsing.get(path))[0] for path in ROUTES] == [200, 200, 200, 200, 200, 200, 404, 404]


async def test_nothing_is_fetched_from_elsewhere(browsing: Browsing) -> None:
    await browsing.open_link()
    _, page = await browsing.get("/")
    named = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert len(named) >= 4
    for path in named:
        assert path.startswith("/")
        assert not path.startswith("//")
        assert (await browsing.get(path))[0] == 200
    for path in ("/page.css", "/static/css/xterm.css"):
        _, style = await browsing.get(path)
        assert "@import" not in style
        assert all(place.startswith("/static/") for place in re.findall(r"url\([\"']?([^\"')]*)", style))
    policy = browsing.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    allowed = {source for part in policy.split(";") for source in part.split()[1:]}
    assert allowed <= {"'none'", "'self'", "'unsafe-inline'", "data:", f"ws://127.0.0.1:{browsing.server.port}"}


async def test_every_answer_has_a_policy(browsing: Browsing) -> None:
    for path in ROUTES:
        await browsing.get(path)
        assert "default-src 'none'" in browsing.headers["Content-Security-Policy"], path
    await browsing.open_link()
    for path in ROUTES:
        await browsing.get(path)
        assert "default-src 'none'" in browsing.headers["Content-Security-Policy"], path
    await browsing.get("/download/some")
    assert "sandbox" in browsing.headers["Content-Security-Policy"], "what was recorded may stand in it"


async def test_names_that_others_may_have_pointed_here_are_refused(browsing: Browsing) -> None:
    await browsing.open_link()
    assert (await browsing.get("/", Host="rebound.example"))[0] == 403
    assert (await browsing.get("/", Host=f"rebound.example:{browsing.server.port}"))[0] == 403
    assert (await browsing.get("/", Origin="http://127.0.0.1:1"))[0] == 403
    async with browsing.session.post(browsing.base + "/") as answer:
        assert answer.status == 405


async def test_an_app_is_begun_for_a_page_of_ours_alone(browsing: Browsing) -> None:
    ws, ours = f"{browsing.base}/ws", {"Origin": browsing.base}
    with pytest.raises(WSServerHandshakeError, match="403"):
        await browsing.session.ws_connect(ws, headers=ours)
    await browsing.open_link()
    for headers in ({}, {"Origin": "http://elsewhere.example"}, {"Origin": "null"}):
        with pytest.raises(WSServerHandshakeError, match="403"):
            await browsing.session.ws_connect(ws, headers=headers)
    async with browsing.session.ws_connect(ws, headers=ours) as socket:
        assert await socket.receive_bytes() == b"hello"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (OURS, None),
        (OURS._replace(host="localhost:9"), None),
        (OURS._replace(host="127.0.0.1"), None),
        (OURS._replace(cookie="", token="right"), None),
        (OURS._replace(cookie="", token="right", path="/static/x"), 403),
        (OURS._replace(cookie="rïght"), 403),
        (OURS._replace(host=""), 403),
        (OURS._replace(host="[::1"), 403),
        (OURS._replace(host="127.0.0.1.example"), 403),
        (OURS._replace(host="evil@127.0.0.1.example"), 403),
        (OURS._replace(origin="http://127.0.0.1:8000"), None),
        (OURS._replace(origin="https://127.0.0.1:8000"), 403),
        (OURS._replace(origin="null"), 403),
        (OURS._replace(path="/ws"), 403),
        (OURS._replace(path="/ws", origin="http://127.0.0.1:8000"), None),
        (OURS._replace(method="POST"), 405),
    ],
)
def test_who_is_answered(asked: Asked, status: int | None) -> None:
    refused = refusal(asked, "right")
    assert (refused[0] if refused else None) == status


def test_the_app_is_begun_on_the_same_sessions_and_only_looks_unless_more_is_allowed() -> None:
    given = {"home": "a b", "profile": None, "databases": ("x.db", "y.db"), "kind": "codex", "demo": False}
    given["read_only"] = False
    same = ["--home", "a b", "--db", "x.db", "--db", "y.db", "--from", "codex"]
    assert words_of_app(given, allow_changes=False)[4:] == [*same, "--read-only"]
    assert words_of_app(given, allow_changes=True)[4:] == same
    assert words_of_app({**given, "read_only": True}, allow_changes=True)[4:] == [*same, "--read-only"]


def test_what_is_missing_for_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    monkeypatch.delitem(sys.modules, "warm_tui.web.server", raising=False)
    done = CliRunner().invoke(cli, ["--home", str(tmp_path), "web"])
    assert done.exit_code == 1
    assert "pip install 'warm-tui[web]'" in done.output
    assert "Traceback" not in done.output


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    taken = BrowserServer(["true"], 0)
    with taken.socket:
        done = CliRunner().invoke(cli, ["--home", str(tmp_path), "web", "--port", str(taken.port)])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert f"Port {taken.port} cannot be listened on" in done.output
