"""Changes of text: a recorded diff in colours, and what an edit replaces by what as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

from warm_tui.presentation.lines import Line

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_HEAD = ("diff --git ", "index ", "--- ", "+++ ", "*** ", "@@")
PATCH_BEGINS, PATCH_ENDS = "*** Begin Patch", "*** End Patch"
STYLES = {"+": "ok", "-": "failed", "@": "dim"}
PAIRS = (
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
    ("old", "new"),
)
"""What tools that edit call the text that goes, and that which comes."""
MOST_COMPARED = 200
"""Lines on each side that are compared line by line; longer ones stand one below the other."""


def diff_styles(lines: Sequence[str]) -> Iterator[str]:
    """The style of each line: only within a diff is a plus or minus one of its signs."""
    old = new = 0
    in_patch = False
    for at, line in enumerate(lines):
        hunk = _HUNK.match(line)
        if hunk:
            old, new = (int(count or 1) for count in hunk.groups())
            yield "dim"
        elif old > 0 or new > 0:
            old -= line[:1] != "+"
            new -= line[:1] != "-"
            yield STYLES.get(line[:1], "")
        elif in_patch or line.startswith(PATCH_BEGINS):
            in_patch = not line.startswith(PATCH_ENDS)
            yield "dim" if line.startswith(_HEAD) else STYLES.get(line[:1], "")
        else:
            yield "dim" if _heads_a_diff(lines, at) else ""


def _heads_a_diff(lines: Sequence[str], at: int) -> bool:
    """A line of a diff's own above its first hunk: one soon follows."""
    return lines[at].startswith(_HEAD[:4]) and any(line.startswith("@@ -") for line in lines[at + 1 : at + 8])


def change_of(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """The names of what an edit replaces, and of what by."""
    return next(
        (pair for pair in PAIRS if all(isinstance(values.get(name), str) for name in pair)),
        None,
    )


def change_lines(old: str, new: str) -> list[Line]:
    """What goes and what comes, with the lines around."""
    before, after = old.split("\n"), new.split("\n")
    if max(len(before), len(after)) <= MOST_COMPARED:
        told = list(unified_diff(before, after, lineterm="", n=3))[2:] or [f" {line}" for line in before]
    else:
        told = [*(f"-{line}" for line in before), *(f"+{line}" for line in after)]
    return [[(line, STYLES.get(line[:1], ""))] for line in told]
