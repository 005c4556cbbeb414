"""What operators do, by a command or on the screen: look, answer, and say what need not be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from warm_tui.approvals.client import Client
from warm_tui.approvals.place import Place
from warm_tui.approvals.store import Store
from warm_tui.locking import is_locked
from warm_tui.paths import Home
from warm_tui.secrets.own_key import key_of
from warm_tui.writing import check_may_change


@contextmanager
def looking(home: Home) -> Iterator[Store | None]:
    """The store as it is, service or none; None where nothing was ever asked."""
    path = Place.of(home).database
    if not path.is_file():
        yield None
        return
    store = Store(path, key_of(home), looking=True)
    try:
        yield store
    finally:
        store.close()


def is_running(home: Home) -> bool:
    return is_locked(Place.of(home).lock)


def user() -> str:
    """Who sits at this terminal."""
    import getpass

    try:
        return getpass.getuser()[:200]
    except (OSError, KeyError):
        return "operator"


def approve(
    home: Home,
    name: str,
    by: str = "",
    reason: str = "",
    scope: str = "once",
    even_high_risk: bool = False,
    edited: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`edited`: the `details` that shall be run in place of those asked for."""
    said = {"approver": by or user(), "reason": reason, "scope": scope, "even_high_risk": even_high_risk}
    return _ask(home, "POST", f"/confirm/{name}/approve", said | dict(edited or {}))


def deny(home: Home, name: str, by: str = "", reason: str = "") -> dict[str, Any]:
    return _ask(home, "POST", f"/confirm/{name}/deny", {"denier": by or user(), "reason": reason})


def add_rule(home: Home, action: str, **given: Any) -> dict[str, Any]:
    return _ask(home, "POST", "/whitelist", {"action": action, "added_by": user(), **given})


def remove_rule(home: Home, number: int) -> dict[str, Any]:
    return _ask(home, "DELETE", f"/whitelist/{number}")


def _ask(home: Home, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The service decides: whoever waits there is told at once."""
    check_may_change()
    return Client(Place.of(home), "operator").ask(method, path, body)
