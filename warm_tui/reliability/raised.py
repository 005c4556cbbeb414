"""Why tests failed: a count says how many; which test, and what was raised in it, says what the trouble is."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from warm_tui.reliability.evidence import NOTHING, evidence_in, tail_of
from warm_tui.reliability.missing import missing_in

LOOKED_AT = 30_000
"""Of an output so many characters at its end: what was raised stands above a long list of what failed."""
RAISED_BY_TESTS = ("Failed", *(name for name in dir(builtins) if name.endswith("Error")))
FAILED, ERRORS = "failed", "errors"
CRASHED = "the test runner crashed"
LONGEST_NAME, LONGEST_LINE = 60, 200


class Cause(NamedTuple):
    """What was raised in a test."""

    words: str = ""
    tells_all: bool = False
    """It is the same trouble in whichever test it is met."""


class Failed(NamedTuple):
    name: str
    cause: str
    tells_all: bool
    outcome: str = ""
    """Nothing where it is not told in which test something was raised."""


class Naming(NamedTuple):
    """How a test runner names a test that failed, on a line of its own."""

    runner: str
    pattern: str
    example: str
    test: str


NAMINGS = (
    Naming(
        "pytest, above what was raised",
        r"_{1,80} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(\S[^\n]{0,200}?) _{1,80}$",
        "______ TestCart.test_total[2-3] ______",
        "test_total",
    ),
    Naming("unittest", r"(?:FAIL|ERROR): (\w{1,200}) \([\w.]{1,300}\)", "FAIL: test_total (tests.Cart)", "test_total"),
    Naming(
        "go test", r" {0,12}--- FAIL: ([^\s/]{1,200})\S{0,200} \(", "--- FAIL: TestTotal/of_two (0.02s)", "TestTotal"
    ),
    Naming("cargo test", r"test (\S{1,200}) \.\.\. FAILED$", "test cart::tests::total ... FAILED", "total"),
    Naming("jest", r" {1,4}● ([^\n]{1,200})$", "  ● Cart › adds up", "Cart adds up"),
    Naming("vitest", r" FAIL  \S{1,200} > ([^\n]{1,200})$", " FAIL  src/cart.test.ts > Cart > adds up", "Cart adds up"),
    Naming("TAP", r" {0,12}not ok \d{1,6} (?:- )?([^\n#]{1,200})", "not ok 3 - adds up", "adds up"),
    Naming(
        "rspec", r"rspec \S{1,200}:\d{1,6} # ([^\n]{1,200})$", "rspec ./cart_spec.rb:12 # Cart adds up", "Cart adds up"
    ),
    Naming("Gradle", r"(\S[^\n]{0,200}? > [^\n]{1,200}) FAILED$", "CartTest > addsUp() FAILED", "CartTest addsUp"),
)
_NAMED = re.compile(f"(?m)^(?:{'|'.join(naming.pattern for naming in NAMINGS)})")
# The same tests once more at the end, with what was raised as far as the terminal is wide.
_SUMMED_UP = re.compile(r"(?m)^(FAILED|ERROR) ([\w./][^\s:]{1,300}(?:::\S[^\n]{0,300}?)?)(?: - ([^\n]{1,300}))?$")
# What a test printed stands behind what was raised in it, and may be anything.
_CAPTURED = re.compile(r"\n-{1,80} Captured ")
_NOT_IN_A_NAME = re.compile(r"[^\w.$'-]+")

# As pytest shows what was raised, and the line of the source where it stood; as a traceback ends.
_MODULES = r"(?:[A-Za-z_]\w{0,40}\.){0,9}"
_RAISED = re.compile(
    rf"(?m)^E +{_MODULES}(?:([A-Z]\w{{0,60}}Warning)|Failed: ([A-Za-z]{{1,20}}(?: [A-Z]{{1,9}}){{0,3}}))\b"
    rf"|^(?:E +)?{_MODULES}([A-Z]\w{{0,60}}(?:Error|Exception))(?::|$)"
    r"|^[^\s:]{1,300}:\d+: ([A-Z]\w{0,60}Error)$"
    r"|^E +(?:recursive dependency involving )?(fixture) '"
)
_CUT_SHORT = re.compile(r"(?:[a-z_][\w.]{0,60}\.)?([A-Z][a-z]{2}[A-Za-z]{0,20})(?:\.\.\.|: |$)")
# A package that `go test` could not build ran no test.
_NOT_BUILT = re.compile(r"(?m)^FAIL[ \t]+\S+ \[(build|setup) failed\]$")
_CRASHED = re.compile(rf"(?m)^INTERNALERROR> (?:{_MODULES}([A-Z]\w{{0,60}}(?:Error|Exception))\b)?")


def told_of_tests(outcome: str, result: str) -> str:
    """What came of them, with the test and what it raised that stand behind most of what failed, as far as shown."""
    end = _printed(result)
    # A search by lines takes long in what has few of them: most hold no such words.
    if " failed]" in end and (not_built := _NOT_BUILT.search(end)):
        return f"{not_built[1]} failed"
    if "INTERNALERROR> " in end and (crashed := _CRASHED.findall(end)):
        # The last one is what broke it.
        return ": ".join(filter(None, (CRASHED, next(filter(None, reversed(crashed)), ""))))
    tests = _failed_tests(end)
    tests = [test for test in tests if test.outcome in (outcome, "")] or tests
    raised = Counter(test.cause for test in tests if test.cause)
    cause = max(raised, key=lambda name: (raised[name], name), default="")
    if any(test.cause == cause and test.tells_all for test in tests):
        return cause
    named = [test.name for test in tests if test.name and test.cause in (cause, "")]
    told = " in ".join(filter(None, (cause, *named[:1])))
    return f"{outcome}: {told}" if told else outcome


def _printed(result: str) -> str:
    evidence = evidence_in(result)
    if evidence is None or not evidence.printed:
        return result[-LOOKED_AT:].replace("\\n", "\n")
    parts = (evidence.stderr, evidence.stdout, evidence.output)
    return "\n".join(tail_of(part, LOOKED_AT) for part in parts if part is not NOTHING)


def _failed_tests(text: str) -> list[Failed]:
    """As far as they are shown, in the order in which they were told."""
    summed = [Failed(_test(name), *_whole(why), _outcome(word)) for word, name, why in _SUMMED_UP.findall(text)]
    known = {test.name: test for test in summed}
    named = [(found, _test(next(filter(None, found.groups())))) for found in _NAMED.finditer(text)]
    # What a test printed may name tests of its own.
    named = [each for each in named if each[1] in known or not known]
    if not named:
        return [Failed("", *cause) for cause in _raised(text)] + summed
    ends = [*(found.start() for found, _ in named[1:]), len(text)]
    told = []
    for (found, name), end in zip(named, ends, strict=True):
        causes = list(_raised(_CAPTURED.split(text[found.end() : end], 1)[0]))
        # What was raised last is what ended the test.
        cause = causes[-1] if causes else Cause(*known[name][1:3]) if name in known else Cause()
        told.append(Failed(name, *cause, _outcome(found[0])))
    shown = {test.name for test in told}
    return told + [test for test in summed if test.name not in shown]


def _outcome(told: str) -> str:
    return ERRORS if "ERROR" in told else FAILED


def _raised(text: str) -> Iterator[Cause]:
    before = ""
    for found in _RAISED.finditer(text):
        line = text[found.start() : found.end() + LONGEST_LINE].partition("\n")[0]
        words = next(filter(None, found.groups()))
        # Where it stood tells it once more.
        if not (found[4] and before.startswith(words)):
            cause = _cause(line, words)
            yield cause
            before = cause.words


def _cause(line: str, words: str) -> Cause:
    missing = missing_in(line.removeprefix("E").strip())
    return Cause("".join(missing), True) if missing else Cause(words)


def _test(name: str) -> str:
    plain = name.partition("[")[0].partition("(")[0].strip()
    if " " not in plain:
        plain = plain.rpartition("::")[2].rpartition("/")[2]
        plain = plain if plain.endswith(".py") else plain.rpartition(".")[2]
    return " ".join(_NOT_IN_A_NAME.sub(" ", plain).split())[:LONGEST_NAME]


def _whole(why: str) -> Cause:
    """What a test runner cut to the width of its terminal, if only one name begins so."""
    told = _CUT_SHORT.match(why)
    found = [name for name in RAISED_BY_TESTS if told and name.startswith(told[1])]
    return _cause(why, found[0] if len(found) == 1 else "")
