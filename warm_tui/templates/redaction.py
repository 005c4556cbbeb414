"""Secrets out of patterns: found in arguments, results and contexts, and masked by a placeholder that stays."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from warm_tui.secrets.detection import Secret, find_secrets, is_named_so, looks_secret
from warm_tui.templates.formats import PATTERNS, read_template, write_template
from warm_tui.templates.model import Pattern, Template

# The fields of a pattern in any format that are looked at one by one.
FIELDS = {place.key for places in PATTERNS.values() for place in places.values()} - {"origin"}


class Finding(NamedTuple):
    """A secret, and the pattern and field it stands in. The pattern is None where it is the template's own words."""

    pattern: int | None
    field: str
    secret: Secret

    @property
    def told(self) -> str:
        """Where and what, without saying it."""
        where = f"pattern {self.pattern + 1}, {self.field}" if self.pattern is not None else self.field
        return f"{where}: {self.secret.rule}, {len(self.secret.value)} characters"


class Redactor:
    """Masks with one key, so that a secret has one placeholder, and the placeholder does not tell it."""

    def __init__(self, key: bytes, own: Iterable[str] = ()) -> None:
        self.key = key
        self.own = tuple(own)

    def placeholder(self, value: str) -> str:
        digest = hmac.new(self.key, value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
        return f"<secret-{digest[:8]}>"

    def secrets_in(self, text: str) -> list[Secret]:
        """Of plain text, or of the texts inside JSON."""
        value = decoded(text)
        return find_secrets(text, self.own) if value is None else self.secrets_within(value)

    def secrets_within(self, value: Any) -> list[Secret]:
        found: dict[str, Secret] = {}
        for key, text in texts_within(value):
            if key and " " not in text and looks_secret(text, quoted=True):
                found.setdefault(text, Secret(text, f"field {key}"))
            inside = decoded(text)
            for secret in find_secrets(text, self.own) if inside is None else self.secrets_within(inside):
                found.setdefault(secret.value, secret)
        return sorted(found.values(), key=lambda secret: -len(secret.value))

    def mask_text(self, text: str, values: Iterable[str]) -> str:
        """JSON is masked inside its strings, and stays as it was written where nothing is found."""
        wanted = sorted(set(values), key=len, reverse=True)
        if not wanted or not any(_may_hold(text, value) for value in wanted):
            return text
        value = decoded(text)
        if value is None:
            return self._masked(text, wanted)
        changed = self.mask_within(value, wanted)
        return text if changed == value else json.dumps(changed, ensure_ascii=False)

    def mask_within(self, value: Any, values: Iterable[str]) -> Any:
        wanted = sorted(set(values), key=len, reverse=True)
        return mapped(value, lambda text: self.mask_text(text, wanted))

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

    # --- patterns and templates ---

    def secrets_of(self, pattern: Pattern) -> list[tuple[str, Secret]]:
        rest = {key: value for key, value in (pattern.read or {}).items() if key not in FIELDS}
        return [
            *(("arguments", secret) for secret in self.secrets_within(pattern.arguments or {})),
            *(("result", secret) for secret in self.secrets_in(pattern.result)),
            *(("context", secret) for secret in self.secrets_in(pattern.context)),
            *(("reason", secret) for secret in self.secrets_in(pattern.origin.why)),
            *(("other fields", secret) for secret in self.secrets_within(rest)),
        ]

    def findings(self, template: Template) -> list[Finding]:
        """Where secrets stand. One that is known from one place is looked for in all of them."""
        document = write_template(template)
        rest = {key: value for key, value in document.items() if key not in ("patterns", "examples")}
        found = [
            Finding(at, field, secret)
            for at, pattern in enumerate(template.patterns)
            for field, secret in self.secrets_of(pattern)
        ]
        found += [Finding(None, "the template's own words", secret) for secret in self.secrets_within(rest)]
        seen = {(each.pattern, each.secret.value) for each in found}
        known = {each.secret.value: each.secret for each in found}
        for at, pattern in enumerate(template.patterns):
            texts = {"arguments": json.dumps(pattern.arguments), "result": pattern.result, "context": pattern.context}
            for value, secret in known.items():
                field = next((name for name, text in texts.items() if self.mask_text(text, [value]) != text), "")
                if field and (at, value) not in seen:
                    found.append(Finding(at, field, secret))
        words = json.dumps(rest)
        found += [
            Finding(None, "the template's own words", secret)
            for value, secret in known.items()
            if (None, value) not in seen and self.mask_text(words, [value]) != words
        ]
        return found

    def redact_template(self, template: Template, refused: frozenset[str] = frozenset()) -> Template:
        """Every text of its file, so that nothing is left in a corner. `refused` are placeholders not to be put in."""
        values = {finding.secret.value for finding in self.findings(template)}
        values = {value for value in values if self.placeholder(value) not in refused}
        if not values:
            return template
        masked = self.mask_within(write_template(template), values)
        return msgspec.structs.replace(read_template(masked, template.name), name=template.name)


SURE_LENGTH = 8


def _may_hold(text: str, value: str) -> bool:
    """Quick, and never wrong where it says no: inside JSON, some characters stand otherwise."""
    return value in text or not value.isascii() or not value.isalnum()


HOME = re.compile(r"((?:/home|/Users)/|[A-Z]:\\+Users\\+)(?!user\b)([A-Za-z0-9._-]+)")
SHORTEST_NAME = 3


def owners_in(text: str) -> set[str]:
    """The names of users, as their home folders tell them."""
    return {match[2] for match in HOME.finditer(text) if len(match[2]) >= SHORTEST_NAME}


def neutral(text: str, owners: Iterable[str] = ()) -> str:
    """Home folders without the names of their owners, and those names nowhere else either."""
    text = HOME.sub(lambda match: f"{match[1]}user", text)
    for owner in owners:
        text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(owner)}(?![A-Za-z0-9_])", "user", text)
    return text


def neutral_patterns(patterns: Iterable[Pattern]) -> list[Pattern]:
    found = list(patterns)
    owners = set[str]()
    for pattern in found:
        for text in (pattern.result, pattern.context, json.dumps(pattern.arguments, ensure_ascii=False)):
            owners |= owners_in(text)

    def change(text: str) -> str:
        return neutral(text, owners)

    return [
        msgspec.structs.replace(
            pattern,
            arguments=mapped(pattern.arguments, change),
            result=change(pattern.result),
            context=change(pattern.context),
        )
        for pattern in found
    ]


def decoded(text: str) -> Any:
    """The JSON object or list that a text is, or None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


NAMES, VALUES = ("name", "key", "field", "header", "k"), ("value", "val", "v", "content")


def texts_within(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside, with the name of the secret it is said to be, if it is.

    A name may stand in the field above, in a field beside (name and value), or before it in a list.
    """
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, int) and not isinstance(value, bool) and key:
        yield key, str(value)
    elif isinstance(value, dict):
        beside = next((value[n] for n in NAMES if isinstance(value.get(n), str) and is_named_so(value[n])), "")
        for name, inner in value.items():
            yield "", str(name)
            named = str(name) if is_named_so(str(name)) else (beside or key) if name in VALUES else ""
            yield from texts_within(inner, named)
    elif isinstance(value, (list, tuple)):
        words = [inner for inner in value if isinstance(inner, str)]
        if len(words) > 1:
            # A command in pieces reads as one.
            yield "", " ".join(words)
        before = ""
        for inner in value:
            yield from texts_within(inner, key or before)
            before = inner.lstrip("-") if isinstance(inner, str) and is_named_so(inner.lstrip("-")) else ""


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """The same with every text changed; names of fields stay, since what they hold is known by them."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        told = change(str(value))
        return value if told == str(value) else told
    if isinstance(value, dict):
        return {name: mapped(inner, change) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [mapped(inner, change) for inner in value]
    return value
