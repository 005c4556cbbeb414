"""Where a name is the trouble: of what is not there, the same words say another thing each time."""

from __future__ import annotations

import re
from typing import NamedTuple

from warm_tui.reliability.failure_records import TAKEN_OUT


class Missing(NamedTuple):
    """Words that say that something is not there, up to its name."""

    name: str
    words: str
    example: str


# Where the module or the object is told beside the attribute, the attribute is what somebody got wrong.
MISSING = (
    Missing("a module of Python", r"No module named ['\"]?", "ModuleNotFoundError: No module named 'a.b'"),
    Missing("a package of Node", r"Cannot find (?:module|package) ['\"]", "Error: Cannot find module 'a.b'"),
    Missing("what is not in a module", r"cannot import name ['\"]?", "ImportError: cannot import name 'a.b' from 'c'"),
    Missing("an attribute", r"'[\w.]{1,60}'(?: object)? has no attribute '", "'C' object has no attribute 'a.b'"),
    Missing("a name of Python", r"\bname '(?=[\w.]{1,60}' is not defined)", "NameError: name 'a.b' is not defined"),
    Missing(
        "a name of JavaScript", r"\bReferenceError: (?=[\w$.]{1,60} is not d)", "ReferenceError: a.b is not defined"
    ),
    Missing("a fixture", r"\bfixture '", "fixture 'a.b' not found"),
)
_NAME = r"(?P<name>[\w@$./-]{1,60})"
_MISSING = re.compile(
    rf"(?:{'|'.join(row.words for row in MISSING)}){_NAME}(?P<rest>['\"]? (?:is not defined|not found))?"
)
_BESIDE = re.compile(r"'[^'\n]{1,80}'")


def missing_in(text: str) -> tuple[str, str] | None:
    """What stands before the name of something that is not there, without other names; that name, and what follows."""
    found = _MISSING.search(text)
    if found is None:
        return None
    before = _BESIDE.sub(TAKEN_OUT, text[: found.start("name")]).rstrip("'\"")
    rest = (found["rest"] or "").lstrip("'\"")
    return before, f"{found['name'].rstrip('.')}{rest}"
