"""Secrets out of patterns: found in arguments, results and contexts, and masked by a placeholder that stays."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.secrets import Secret, find_secrets, is_named_so, looks_secret

FIELDS = ("arguments", "result", "context")


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
        value = _decoded(text)
        if value is None:
            return find_secrets(text, self.own)
        return self.secrets_within(value)

    def secrets_within(self, value: Any) -> list[Secret]:
        found: dict[str, Secret] = {}
        for key, text in _strings(value):
            if " " not in text and is_named_so(key) and looks_secret(text, quoted=True):
                found.setdefault(text, Secret(text, f"field {key}"))
            for secret in find_secrets(text, self.own):
                found.setdefault(secret.value, secret)
        return sorted(found.values(), key=lambda secret: -len(secret.value))

    def mask_text(self, text: str, secrets: Iterable[Secret]) -> str:
        """JSON is masked inside its strings, and stays as it was written where nothing is found."""
        values = [secret.value for secret in secrets]
        if not values:
            return text
        value = _decoded(text)
        if value is None:
            return self._masked(text, values)
        return json.dumps(_mapped(value, lambda inner: self._masked(inner, values)), ensure_ascii=False)

    def _masked(self, text: str, values: Iterable[str]) -> str:
        for value in values:
            text = text.replace(value, self.placeholder(value))
        return text

    def redact(self, text: str) -> str:
        return self.mask_text(text, self.secrets_in(text))

    # --- patterns and templates ---

    def secrets_of(self, pattern: Pattern) -> list[tuple[str, Secret]]:
        return [
            *(("arguments", secret) for secret in self.secrets_within(pattern.arguments or {})),
            *(("result", secret) for secret in self.secrets_in(pattern.result)),
            *(("context", secret) for secret in self.secrets_in(pattern.context)),
        ]

    def findings(self, template: Template) -> list[Finding]:
        found = [
            Finding(at, field, secret)
            for at, pattern in enumerate(template.patterns)
            for field, secret in self.secrets_of(pattern)
        ]
        own = {"addendum": template.addendum, "description": template.description}
        return found + [Finding(None, name, s) for name, text in own.items() for s in self.secrets_in(text)]

    def redact_pattern(self, pattern: Pattern, refused: frozenset[str] = frozenset()) -> Pattern:
        """A secret found in one field is masked in all of them. `refused` ones are left, as the operator said."""
        secrets = {s.value: s for _, s in self.secrets_of(pattern) if self.placeholder(s.value) not in refused}
        if not secrets:
            return pattern
        values = sorted(secrets, key=len, reverse=True)
        return msgspec.structs.replace(
            pattern,
            arguments=_mapped(pattern.arguments, lambda text: self._masked(text, values)),
            result=self.mask_text(pattern.result, [secrets[value] for value in values]),
            context=self._masked(pattern.context, values),
        )

    def redact_template(self, template: Template) -> Template:
        return msgspec.structs.replace(
            template,
            patterns=tuple(self.redact_pattern(pattern) for pattern in template.patterns),
            addendum=self.redact(template.addendum),
            description=self.redact(template.description),
        )


def neutral(text: str) -> str:
    """Home folders without the name of their owner."""
    return HOME.sub(lambda match: f"{match[1]}user", text)


HOME = re.compile(r"((?:/home|/Users)/|[A-Z]:\\+Users\\+)(?!user\b)[A-Za-z0-9._-]+")


def neutral_pattern(pattern: Pattern) -> Pattern:
    return msgspec.structs.replace(
        pattern,
        arguments=_mapped(pattern.arguments, neutral),
        result=neutral(pattern.result),
        context=neutral(pattern.context),
    )


def _decoded(text: str) -> Any:
    """The JSON object or list that a text is, or None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


def _strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside, with the name of the field it stands in; the names are texts too."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield "", str(name)
            yield from _strings(inner, str(name))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner, key)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(str(name)): _mapped(inner, change) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mapped(inner, change) for inner in value]
    return value
