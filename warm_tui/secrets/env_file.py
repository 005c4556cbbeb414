"""The .env files of a home: what they set, and which of that is worth hiding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from warm_tui.secrets.values import is_named_so, looks_secret
from warm_tui.writing import read_regular

MIN_LENGTH = 6
LARGEST = 20_000_000
# Under a name that says nothing: long, of letters and digits, and no path, address or model.
ODD_VALUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^\s/:]{12,}")


def assignments(path: Path) -> Iterator[tuple[str, str]]:
    """Names and values, also of lines that are commented out; none of a file that cannot be read."""
    try:
        lines = read_regular(path, LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        quoted = re.match(r"""\s*(["'])(.*?)\1""", value)
        if equals:
            yield name.strip(), quoted[2] if quoted else re.split(r"\s#", value, maxsplit=1)[0].strip(" \t\"'")


def secret_values(path: Path) -> list[str]:
    """The values that are worth hiding: not the switches, paths and plain words."""
    return [
        value
        for name, value in assignments(path)
        if not name.startswith("#") and len(value) >= MIN_LENGTH and _is_secret(name, value)
    ]


def _is_secret(name: str, value: str) -> bool:
    return (is_named_so(name) and looks_secret(value, quoted=True)) or ODD_VALUE.fullmatch(value) is not None
