"""Secrets out of texts: each is masked by a placeholder that stays the same, also inside JSON."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from warm_tui.paths import Home
from warm_tui.secrets.detection import COLOUR, SEARCHED, Secret, find_secrets
from warm_tui.secrets.env_file import secret_values
from warm_tui.secrets.own_key import key_of
from warm_tui.secrets.places import SURE_LENGTH, Places, joined
from warm_tui.secrets.values import is_key_of_any_name, is_label, is_named_so, is_pass_phrase, looks_secret

SHORTEST = 4
MOST_TEXTS, MOST_CHARACTERS = 20_000, 1_000_000
"""So much of one call's arguments, or of one result, is searched."""
BEHIND = f"not searched: behind the first {MOST_TEXTS:,} texts or {MOST_CHARACTERS:,} characters"


class Searched:
    """The texts that were searched already, and whether the budget is spent."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self._characters = 0

    def add(self, text: str) -> None:
        self.texts.add(text)
        self._characters += len(text)

    def is_all(self) -> bool:
        return len(self.texts) >= MOST_TEXTS or self._characters >= MOST_CHARACTERS


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
        self._look_within(value, secrets, Searched())
        return sorted(secrets.values(), key=lambda secret: -len(secret.value))

    def _look_within(self, value: Any, secrets: dict[str, Secret], searched: Searched) -> None:
        """Each text is searched once, as far as the budget goes; what is behind it counts as secret, but for words."""
        for key, text in texts_within(value):
            is_one = key and (" " not in text or is_pass_phrase(text)) and looks_secret(text, quoted=True)
            if is_one and not is_label(key, text):
                secrets.setdefault(text, Secret(text, f"field {key}"))
            if text in searched.texts:
                continue
            if searched.is_all():
                if len(text) >= SURE_LENGTH or (len(text) >= SHORTEST and not text.isalpha()):
                    secrets.setdefault(text, Secret(text, BEHIND))
                continue
            searched.add(text)
            inside = decoded(text)
            if inside is not None:
                self._look_within(inside, secrets, searched)
                continue
            for secret in find_secrets(text, self.own):
                secrets.setdefault(secret.value, secret)

    def masking(self, values: Iterable[str]) -> Masking:
        return Masking(values, self.placeholder)

    def mask_text(self, text: str, values: Iterable[str]) -> str:
        return self.masking(values).text(text)

    def mask_within(self, value: Any, values: Iterable[str]) -> Any:
        return self.masking(values).within(value)

    def redact(self, text: str) -> str:
        return self.mask_text(text, [secret.value for secret in self.secrets_in(text)])


class Masking:
    """Puts placeholders for secrets into texts: however many secrets there are, it goes over a text once.

    Where secrets overlap, the longest stands for all of them.
    """

    def __init__(self, values: Iterable[str], placeholder: Callable[[str], str]) -> None:
        self._placeholder = placeholder
        self._places = Places(values)
        # Inside JSON, these stand otherwise.
        self._stand_plain = all(value.isascii() and value.isalnum() for value in self._places.values)

    def text(self, text: str) -> str:
        """JSON is masked inside its strings, and stays as it was written where nothing is found."""
        if not self._places.values or (self._stand_plain and next(self._places.of(text), None) is None):
            return text
        value = decoded(text)
        if value is None:
            return self._masked(text)
        changed = self.within(value)
        return text if changed == value else json.dumps(changed, ensure_ascii=False)

    def within(self, value: Any) -> Any:
        return mapped(value, self.text)

    def values_in(self, text: str) -> set[str]:
        """Those that would be masked there."""
        found: set[str] = set()

        def look(inner: str) -> str:
            found.update(self.values_in(inner))
            return inner

        value = decoded(text)
        if value is not None:
            mapped(value, look)
            return found
        return {text[start:end] for start, end in self._places.of(text)}

    def _masked(self, text: str) -> str:
        told, at = [], 0
        for start, end, value in joined(self._places.of(text), text):
            told += [text[at:start], self._placeholder(value)]
            at = end
        return "".join([*told, text[at:]])


def redactor_of(home: Home) -> Redactor:
    """Masks with this home's own key, and knows the values of its .env."""
    return Redactor(key_of(home), secret_values(home.root / ".env"))


def decoded(text: str) -> Any:
    """The JSON object or list that a text is, or None."""
    if len(text) > SEARCHED or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


NAMES = {"name", "key", "field", "header", "k", "type", "parameter", "id", "label", "title", "property"}
VALUES = {"value", "val", "v", "content", "result", "instances", "attributes"}
# All that stands within them is secret, whatever it is called: of an object of a cluster, of a package manager.
HOLDERS = {"secret": {"data", "stringdata"}}
OF_WEB_KEYS = {"d", "p", "q", "dp", "dq", "qi", "k"}
USERS = {"user", "username", "login", "email"}
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
            told = _name_of(str(name), beside or key, held, key)
            if not told and isinstance(inner, str) and is_key_of_any_name(str(name), inner):
                told = str(name)
            yield from texts_within(inner, told)
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
            if name == "kty":
                held = OF_WEB_KEYS
            if name.lower() in USERS:
                held = held or {"key", "pass"}
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
