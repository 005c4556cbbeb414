"""Secrets in patterns and templates: where they stand, and the same without them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from warm_tui.secrets.detection import Secret
from warm_tui.secrets.redactor import Redactor, mapped
from warm_tui.templates.formats import PATTERNS, read_template, write_template
from warm_tui.templates.model import FAILED, Pattern, Template

# The fields of a pattern in any format that are looked at one by one.
FIELDS = {place.key for places in PATTERNS.values() for place in places.values()} - {"origin", "whose"}


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


def secrets_of(pattern: Pattern, redactor: Redactor) -> list[tuple[str, Secret]]:
    rest = {key: value for key, value in (pattern.read or {}).items() if key not in FIELDS}
    failed = secrets_of(pattern.mended, redactor) if pattern.mended else []
    return [
        *(("arguments", secret) for secret in redactor.secrets_within(pattern.arguments or {})),
        *(("result", secret) for secret in redactor.secrets_in(pattern.result)),
        *(("context", secret) for secret in redactor.secrets_in(pattern.context)),
        *(("reason", secret) for secret in redactor.secrets_in(pattern.origin.why)),
        *(("other fields", secret) for secret in redactor.secrets_within(rest)),
        *((f"{FAILED}{field}", secret) for field, secret in failed),
    ]


def findings_in(template: Template, redactor: Redactor) -> list[Finding]:
    """Where secrets stand. One that is known from one place is looked for in all of them."""
    document = write_template(template)
    rest = {key: value for key, value in document.items() if key not in ("patterns", "examples", "whose")}
    findings = [
        Finding(at, field, secret)
        for at, pattern in enumerate(template.patterns)
        for field, secret in secrets_of(pattern, redactor)
    ]
    findings += [Finding(None, "the template's own words", secret) for secret in redactor.secrets_within(rest)]
    seen: set[tuple[int | None, str]] = {(each.pattern, each.secret.value) for each in findings}
    known = {each.secret.value: each.secret for each in findings}
    masking = redactor.masking(known)
    for at, pattern in enumerate(template.patterns):
        for field, text in _texts_of(pattern).items():
            for value in sorted(masking.values_in(text)):
                if (at, value) not in seen:
                    seen.add((at, value))
                    findings.append(Finding(at, field, known[value]))
    findings += [
        Finding(None, "the template's own words", known[value])
        for value in sorted(masking.values_in(json.dumps(rest)))
        if (None, value) not in seen
    ]
    return findings


def _texts_of(pattern: Pattern) -> dict[str, str]:
    texts = {"arguments": json.dumps(pattern.arguments), "result": pattern.result, "context": pattern.context}
    failed = _texts_of(pattern.mended) if pattern.mended else {}
    return texts | {f"{FAILED}{field}": text for field, text in failed.items()}


def secret_values(template: Template, redactor: Redactor) -> set[str]:
    """Each secret that stands in it, once."""
    return {finding.secret.value for finding in findings_in(template, redactor)}


def redacted(template: Template, redactor: Redactor, refused: frozenset[str] = frozenset()) -> Template:
    """Every text of its file, so that nothing is left in a corner. `refused` are placeholders not to be put in."""
    values = {value for value in secret_values(template, redactor) if redactor.placeholder(value) not in refused}
    if not values:
        return template
    masked = redactor.mask_within(write_template(template), values)
    return msgspec.structs.replace(read_template(masked, template.name), name=template.name)


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
    originals = list(patterns)
    owners = set[str]()
    for pattern in originals:
        for text in _texts_of(pattern).values():
            owners |= owners_in(text)

    def change(text: str) -> str:
        return neutral(text, owners)

    def changed(pattern: Pattern) -> Pattern:
        return msgspec.structs.replace(
            pattern,
            arguments=mapped(pattern.arguments, change),
            result=change(pattern.result),
            context=change(pattern.context),
            mended=changed(pattern.mended) if pattern.mended else None,
        )

    return [changed(pattern) for pattern in originals]
