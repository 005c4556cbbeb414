"""Who may ask: a browser of this machine that was given the link, and no page from elsewhere that it has open."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

NAMES = ("127.0.0.1", "localhost")
"""What this machine is called by itself. Any other name may be one that its owner has pointed here."""
TOKEN = "token"
ASK_ANEW = "Open the link that `warm-tui web` printed when it began."
FOREIGN = "This is shown to pages of its own only."

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
"""Of what was recorded by others, as it stands in a report."""


class Asked(NamedTuple):
    """What of a request tells whether it may be answered."""

    method: str
    path: str
    host: str
    origin: str | None
    token: str
    """Of the link."""
    cookie: str


def refusal(asked: Asked, token: str) -> tuple[int, str] | None:
    """The status and a sentence; None where it is answered."""
    if asked.method not in ("GET", "HEAD"):
        return 405, "Only pages are asked for here."
    if _name(asked.host) not in NAMES:
        return 403, FOREIGN
    if asked.origin is None and asked.path == "/ws":
        return 403, FOREIGN
    if asked.origin is not None and asked.origin != f"http://{asked.host}":
        return 403, FOREIGN
    if not (_same(asked.cookie, token) or is_link(asked, token)):
        return 403, ASK_ANEW
    return None


def is_link(asked: Asked, token: str) -> bool:
    return asked.path == "/" and _same(asked.token, token)


def _name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def headers(path: str, host: str) -> Mapping[str, str]:
    """What every answer has."""
    policy = FILE_POLICY if path.startswith("/download/") else PAGE_POLICY.format(host=host)
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
