"""Secrets out of texts: each is masked by a placeholder that stays the same, also inside JSON."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from warm_tui.paths import Home
from warm_tui.secrets.detection import COLOUR, SEARCHED, Secret, find_secrets, is_named_so, looks_secret
from warm_tui.secrets.env_file import secret_values
from warm_tui.writing import read_ours, write_whole

SURE_LENGTH = 8
LARGEST_KEY = 4_096


class Redactor:
    """Masks with one key, so that a secret has one placeholder, and the placeholder does not tell it."""

    def __init__(self, key: bytes, own: Iterable[str] = ()) -> None:
        self.key = key
        self.own = tuple(own)

    def placeholder(self, value: str) -> str:
        # What colours part is the same secret.
        digest = hmac.new(self.key, COLOUR.sub("", value).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
        return f"<secret-{digest[:8]}>"

    def secrets_in(self, text: str) -> list[Secret]:
        """Of plain text, or of the texts inside JSON."""
        value = decoded(text)
        return find_secrets(text, self.own) if value is None else self.secrets_within(value)

    def secrets_within(self, value: Any) -> list[Secret]:
        secrets: dict[str, Secret] = {}
        for key, text in texts_within(value):
            if key and " " not in text and looks_secret(text, quoted=True):
                secrets.setdefault(text, Secret(text, f"field {key}"))
            inside = decoded(text)
            for secret in find_secrets(text, self.own) if inside is None else self.secrets_within(inside):
                secrets.setdefault(secret.value, secret)
        return sorted(secrets.values(), key=lambda secret: -len(secret.value))

    def mask_text(self, text: str, values: Iterable[str]) -> str:
        """JSON is masked inside its strings, and stays as it was written where nothing is found."""
        longest_first = sorted(set(values), key=len, reverse=True)
        if not longest_first or not any(_may_hold(text, value) for value in longest_first):
            return text
        value = decoded(text)
        if value is None:
            return self._masked(text, longest_first)
        changed = self.mask_within(value, longest_first)
        return text if changed == value else json.dumps(changed, ensure_ascii=False)

    def mask_within(self, value: Any, values: Iterable[str]) -> Any:
        longest_first = sorted(set(values), key=len, reverse=True)
        return mapped(value, lambda text: self.mask_text(text, longest_first))

    def _masked(self, text: str, values: Iterable[str]) -> str:
        for value in values:
            if value not in text:
                continue
            mark = self.placeholder(value)
            if len(value) >= SURE_LENGTH or not value.isalpha():
                text = text.replace(value, mark)
            else:
                # A plain word stands inside other words, too.
                text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", mark, text)
        return text

    def redact(self, text: str) -> str:
        return self.mask_text(text, [secret.value for secret in self.secrets_in(text)])


def redactor_of(home: Home) -> Redactor:
    """Masks with this home's own key, and knows the values of its .env."""
    return Redactor(key_of(home), secret_values(home.root / ".env"))


def key_of(home: Home) -> bytes:
    """This home's own key: what is made with it can be made nowhere else."""
    return _key(home.ours / "redaction.key")


def _key(path: Path) -> bytes:
    """Made once. Where it cannot be kept, one for now."""
    with suppress(OSError):
        if key := read_ours(path, LARGEST_KEY):
            return key
    made = secrets.token_bytes(32)
    with suppress(OSError):
        write_whole(path, made)
    return made


def _may_hold(text: str, value: str) -> bool:
    """Quick, and never wrong where it says no: inside JSON, some characters stand otherwise."""
    return value in text or not value.isascii() or not value.isalnum()


def decoded(text: str) -> Any:
    """The JSON object or list that a text is, or None."""
    if len(text) > SEARCHED or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


NAMES = {"name", "key", "field", "header", "k", "type", "parameter"}
VALUES = {"value", "val", "v", "content", "result", "instances", "attributes"}
# All that stands within them is secret, whatever it is called: of an object of a cluster, of a package manager.
HOLDERS = {"secret": {"data", "stringdata"}}
HOLDING = {"github-oauth", "gitlab-oauth", "gitlab-token", "http-basic", "bearer"}


def texts_within(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside, with the name of the secret it is said to be, if it is.

    A name may stand in the field above, in a field beside (name and value), or before it in a list.
    """
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, int) and not isinstance(value, bool) and key:
        yield key, str(value)
    elif isinstance(value, dict):
        beside, held = _told_beside(value)
        for name, inner in value.items():
            yield "", str(name)
            yield from texts_within(inner, _name_of(str(name), beside or key, held, key))
    elif isinstance(value, (list, tuple)):
        words = [inner for inner in value if isinstance(inner, str)]
        if len(words) > 1:
            # A command in pieces reads as one.
            yield "", " ".join(words)
        before = ""
        for inner in value:
            yield from texts_within(inner, key or before)
            before = inner.lstrip("-") if isinstance(inner, str) and is_named_so(inner.lstrip("-")) else ""


def _told_beside(fields: dict[Any, Any]) -> tuple[str, set[str]]:
    """The name that one field gives to the value of another, and the fields that hold nothing but secrets."""
    beside, held = "", set[str]()
    for name, inner in fields.items():
        if isinstance(inner, str) and isinstance(name, str):
            if not beside and name.lower() in NAMES and is_named_so(inner):
                beside = inner
            if name == "kind":
                held = HOLDERS.get(inner.lower(), set())
    return beside, held


def _name_of(name: str, beside: str, held: set[str], above: str) -> str:
    if is_named_so(name) or name in HOLDING or name.lower() in held:
        return name
    if name.lower() in VALUES:
        return beside
    return above if above in HOLDING or above.lower() in HOLDERS["secret"] else ""


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """The same with every text changed; names of fields stay, since what they hold is known by them."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        changed = change(str(value))
        return value if changed == str(value) else changed
    if isinstance(value, dict):
        return {name: mapped(inner, change) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [mapped(inner, change) for inner in value]
    return value
