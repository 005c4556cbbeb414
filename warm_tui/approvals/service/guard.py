"""Who is answered: whoever has a token, by a name of this machine, and no page that a browser shows."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from warm_tui.approvals.place import Role, role_of

NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""Any other name may be one that its owner has pointed here."""
EVERYWHERE = frozenset({"0.0.0.0", "::"})


class Asked(NamedTuple):
    """What of a request tells whether it may be answered."""

    host: str
    origin: str | None
    site: str
    """What a browser says of where it comes from."""
    authorization: str


class Refusal(NamedTuple):
    status: int
    sentence: str


def refusal(asked: Asked, needed: Role, known: dict[Role, str], listens_on: str) -> Refusal | None:
    """None where it is answered."""
    if listens_on not in EVERYWHERE and name_in(asked.host) not in NAMES | {listens_on}:
        return Refusal(403, "This service is not known by that name.")
    if asked.origin is not None or asked.site not in ("", "none"):
        return Refusal(403, "Pages in a browser are not answered.")
    scheme, _, token = asked.authorization.partition(" ")
    role = role_of(token.strip(), known) if scheme.lower() == "bearer" else None
    if role is None:
        return Refusal(401, "A token is needed: `Authorization: Bearer TOKEN`.")
    if needed == "operator" and role != "operator":
        return Refusal(403, "Agents ask, operators answer: this needs the operator's token.")
    return None


def name_in(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
