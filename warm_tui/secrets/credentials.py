"""The credentials that a run is given, and how they are kept out of all that is kept of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from warm_tui.secrets.env_file import assignments, secret_values
from warm_tui.secrets.values import is_named_so, looks_secret
from warm_tui.writing import read_regular

MIN_LENGTH = 6
LARGEST_FILE = 5_000_000
MASKED = "[masked: a credential]"
MORE_NAMES = re.compile(r"(?i)(.*[_-])?(key|authorization|bearer|pass|passwd|pwd)")
IN_ADDRESS = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
SCHEME = re.compile(r"(?i)(bearer|basic|token)\s+")


def credentials_of(root: Path, config: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> set[str]:
    """Of a home's settings and files and of the environment, by the names that they stand under."""
    credentials = {
        value for name, value in environment.items() if is_credential(name, value) and not os.path.exists(value)
    }
    for path in (*root.glob(".env*"), *root.glob("skills/**/.env*")):
        if path.is_file():
            credentials.update(secret_values(path))
            credentials.update(value for name, value in assignments(path) if is_credential(name, value))
    credentials.update(_within(config))
    for path in (*root.glob("*.json"), *root.glob(".*.json"), *root.glob("mcp-tokens/*.json")):
        with suppress(OSError, ValueError, RecursionError):
            credentials.update(_within(json.loads(read_regular(path, LARGEST_FILE))))
    return {each for each in credentials if len(each) >= MIN_LENGTH}


def _within(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _within(inner, str(key))
    elif isinstance(value, list):
        # As a command's words: `--api-key VALUE`.
        before = name
        for inner in value:
            yield from _within(inner, before)
            before = inner.lstrip("-") if isinstance(inner, str) and inner.startswith("--") else name
    elif isinstance(value, str):
        yield from IN_ADDRESS.findall(value)
        bare = SCHEME.sub("", value, count=1)
        if is_credential(name, bare):
            yield bare


def is_credential(name: str, value: str) -> bool:
    """By what it is called and by how it looks."""
    return bool(is_named_so(name) or MORE_NAMES.fullmatch(name)) and looks_secret(value, quoted=True)


class Mask:
    """Puts a word in the place of each credential, however it was written down."""

    def __init__(self, credentials: Iterable[str]) -> None:
        self.credentials = frozenset(credentials)
        forms = {form for each in self.credentials for form in _forms(each)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(MASKED, text) if self._pattern else text

    def finds(self, text: str) -> bool:
        return bool(self._pattern and self._pattern.search(text))


def _forms(credential: str) -> Iterator[str]:
    """As it is, and as it stands within JSON, and within JSON that stands within JSON."""
    yield credential
    for ascii_only in (True, False):
        once = json.dumps(credential, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
