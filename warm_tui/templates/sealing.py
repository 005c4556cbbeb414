"""Whose words a template's texts are, sealed with the key of the home that found it out.

A file may say of itself what it likes. What it says counts where the seal shows that it was written here, and
that neither the texts nor what is said of them were changed since; else nobody knows.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from msgspec.structs import asdict, replace

from warm_tui.templates.model import Pattern, Template, Whose, WhoseAddendum

NOBODYS = Whose()


def sealed(template: Template, key: bytes) -> Template:
    patterns = tuple(
        p if p.whose == NOBODYS else replace(p, whose=replace(p.whose, seal=_seal_of_pattern(p, key)))
        for p in template.patterns
    )
    whose = template.whose
    if whose != WhoseAddendum():
        whose = replace(whose, seal=_seal(key, "addendum", whose.addendum, template.addendum))
    return replace(template, patterns=patterns, whose=whose)


def believed(template: Template, key: bytes | None) -> Template:
    """Only what is known here of whose words these are; without a key, nothing."""
    patterns = tuple(_believed(pattern, key) for pattern in template.patterns)
    whose = template.whose
    if not key or not _same(whose.seal, _seal(key, "addendum", whose.addendum, template.addendum)):
        whose = WhoseAddendum()
    return replace(template, patterns=patterns, whose=whose)


def _believed(pattern: Pattern, key: bytes | None) -> Pattern:
    if pattern.whose == NOBODYS and pattern.mended is None:
        return pattern
    if key and _same(pattern.whose.seal, _seal_of_pattern(pattern, key)):
        return pattern
    mended = replace(pattern.mended, whose=NOBODYS) if pattern.mended else None
    return replace(pattern, whose=NOBODYS, mended=mended)


def _same(seal: str, ours: str) -> bool:
    return hmac.compare_digest(seal.encode("utf-8", "replace"), ours.encode())


def _seal_of_pattern(pattern: Pattern, key: bytes) -> str:
    texts = _sealed_texts(pattern)
    if pattern.mended is not None:
        texts += _sealed_texts(pattern.mended)
    return _seal(key, "pattern", *texts)


def _sealed_texts(pattern: Pattern) -> list[Any]:
    said = asdict(replace(pattern.whose, seal=""))
    return [said, pattern.tool_name, pattern.arguments, pattern.result, pattern.context]


def _seal(key: bytes, *parts: Any) -> str:
    whole = json.dumps(parts, sort_keys=True, default=str).encode()
    return hmac.new(key, b"whose words\x00" + whole, hashlib.sha256).hexdigest()[:32]
