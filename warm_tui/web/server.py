"""textual-serve's server, which shows an app to whoever asks, behind a link with a token, on this machine alone."""

from __future__ import annotations

import secrets
import shlex
import socket
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from pathlib import Path

from aiohttp import web
from textual_serve.server import Server, to_int

from warm_tui.web.guard import TOKEN, Asked, headers, is_link, refusal
from warm_tui.writing import read_regular

HERE = "127.0.0.1"
SECONDS_TO_END = 3.0
FONT_SIZE = 14
KINDS = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class BrowserServer(Server):
    """`words` begin the app; each tab of a browser has one of its own."""

    def __init__(self, words: Sequence[str], port: int) -> None:
        """`port`: 0 is any that is free."""
        self.socket = socket.create_server((HERE, port))
        super().__init__(shlex.join(words), host=HERE, port=self.socket.getsockname()[1], title="Warm TUI")
        self.token = secrets.token_urlsafe(32)
        self.cookie = f"warm_tui_{self.port}"

    @property
    def link(self) -> str:
        return f"http://{HERE}:{self.port}/?{TOKEN}={self.token}"

    async def make_app(self) -> web.Application:
        app = await self._make_app()
        app.middlewares.append(self.guard)
        app.on_response_prepare.append(_add_headers)
        for name in KINDS:
            app.router.add_get(f"/{name}", self.handle_ours)
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        asked = Asked(
            request.method,
            request.path,
            request.host,
            request.headers.get("Origin"),
            request.query.get(TOKEN, ""),
            request.cookies.get(self.cookie, ""),
        )
        refused = refusal(asked, self.token)
        if refused is not None:
            return web.Response(status=refused[0], text=refused[1])
        if is_link(asked, self.token):
            # By a page of ours that goes on: whoever sent the link is forgotten, and the token with it.
            going_on = web.Response(headers={"Refresh": "0; url=/"})
            going_on.set_cookie(self.cookie, self.token, httponly=True, samesite="Strict", path="/")
            return going_on
        return await handler(request)

    async def handle_index(self, request: web.Request) -> web.Response:
        """In place of a page that fetches a font from elsewhere."""
        size = max(6, min(40, to_int(request.query.get("fontsize", ""), FONT_SIZE)))
        page = _ours("page.html").replace("{host}", escape(request.host)).replace("{font_size}", str(size))
        return web.Response(text=page, content_type="text/html")

    async def handle_ours(self, request: web.Request) -> web.Response:
        name = request.path.removeprefix("/")
        return web.Response(text=_ours(name), content_type=KINDS[name])

    async def on_startup(self, app: web.Application) -> None:
        """Whoever began it tells the link."""

    def serve_until_stopped(self) -> None:
        web.run_app(self.make_app(), sock=self.socket, print=None, access_log=None, shutdown_timeout=SECONDS_TO_END)


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(headers(request.path, request.host))


def _ours(name: str) -> str:
    return read_regular(Path(__file__).with_name(name)).decode()
