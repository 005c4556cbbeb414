"""Why many tests failed: a count says how many, and what was raised most often in them says what the trouble is."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from functools import cache

LOOKED_AT = 30_000
"""Of an output so many characters at its end: what was raised stands above a long list of what failed."""
RAISED_BY_TESTS = ("Failed", *(name for name in dir(builtins) if name.endswith("Error")))
CRASHED = "the test runner crashed"

# As pytest shows what was raised, and the line of the source where it stood; as a traceback ends.
_MODULES = r"(?:[A-Za-z_]\w{0,40}\.){0,9}"
_RAISED = re.compile(
    rf"(?m)^E +{_MODULES}(?:([A-Z]\w{{0,60}}Warning)|Failed: ([A-Za-z]{{1,20}}(?: [A-Z]{{1,9}}){{0,3}}))\b"
    rf"|^(?:E +)?{_MODULES}([A-Z]\w{{0,60}}(?:Error|Exception))(?::|$)"
    r"|^[^\s:]{1,300}:\d+: ([A-Z]\w{0,60}Error)$"
    r"|^E +(?:recursive dependency involving )?(fixture) '"
)
_CUT_SHORT = re.compile(r" - ([A-Z][a-z]{2}[A-Za-z]{0,20})(?:\.\.\.|: )")
# A package that `go test` could not build ran no test.
_NOT_BUILT = re.compile(r"(?m)^FAIL[ \t]+\S+ \[(build|setup) failed\]$")
_CRASHED = re.compile(r"(?m)^INTERNALERROR> ")


def told_of_tests(outcome: str, result: str) -> str:
    """What came of them, with what stands behind most of what failed, as far as the output shows it."""
    end = result[-LOOKED_AT:].replace("\\n", "\n")
    # A search by lines takes long in what has few of them: most hold no such words.
    if " failed]" in end and (not_built := _NOT_BUILT.search(end)):
        return f"{not_built[1]} failed"
    if "INTERNALERROR> " in end and _CRASHED.search(end):
        return CRASHED
    raised = _raised_most(end)
    return f"{outcome}: {raised}" if raised else outcome


def _raised_most(text: str) -> str:
    names = Counter(next(filter(None, found)) for found in _RAISED.findall(text))
    names = names or Counter(filter(None, map(_whole, _CUT_SHORT.findall(text))))
    return max(names, key=lambda name: (names[name], name), default="")


@cache
def _whole(beginning: str) -> str:
    """What a test runner cut to the width of its terminal, if only one name begins so."""
    found = [name for name in RAISED_BY_TESTS if name.startswith(beginning)]
    return found[0] if len(found) == 1 else ""
