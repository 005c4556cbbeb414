"""What a search looks for, and whether it found any of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.evidence import evidence_in
from warm_tui.reliability.shell import Simple
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.words import command_of, given_in
from warm_tui.sessions.model import Call

SEARCHERS = frozenset("grep egrep fgrep rg ag ack ugrep find fd locate".split())
PATTERN_FOLLOWS = frozenset({"-e", "--regexp"})
NAMES = ("pattern", "regex", "query", "search")
LONGEST_LINE, LONGEST_NOTHING = 4_000, 400
"""A longer command carries a file; a longer answer is none that says that nothing was found."""
# How tools are called that look for something, whichever agent they belong to.
_SEARCHES = re.compile(r"(?:^|[^a-z])(?:search|grep|glob|find|lookup)(?![a-z])", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOTHING = re.compile(
    r"(?i)(?:no|0|zero|nothing)\b[\w ]{0,30}\b(?:match(?:es|ing|ed)?|files?|results?|hits?|lines?|found)\b[^\n]{0,120}"
    r"|\[\]|\{\}|(?:there are )?none\.?|"
)
_COUNTS_NONE = re.compile(
    r'"(?:total(?:_?count|_?matches)?|count|match_?count|num_?(?:files|matches|results))"\s*:\s*0\b'
    r'|"(?:matches|results|files|filenames|items|hits)"\s*:\s*\[\s*\]'
)
_OR = re.compile(r"\\?\|")


def found_nothing(call: Call) -> bool:
    """It looked for something, and answers that there is none."""
    words = call.report.words if call.report and call.report.words else call.result or ""
    command = command_of(call.arguments)
    if not command:
        is_search = _SEARCHES.search(_HUMP.sub("_", call.tool_name)) is not None
        return is_search and _says_nothing(words)
    if len(command) > LONGEST_LINE or not any(_searches(each[0]) for each in parse(command).pipelines[-1:]):
        return False
    evidence = evidence_in(words) if words.startswith("{") else None
    printed = evidence.words_of(LONGEST_NOTHING) if evidence is not None and evidence.printed else words
    return not printed.strip()


def _says_nothing(words: str) -> bool:
    if len(words) > LONGEST_NOTHING:
        return False
    return _NOTHING.fullmatch(words.strip()) is not None or _COUNTS_NONE.search(words) is not None


def _searches(simple: Simple) -> bool:
    return simple.program in SEARCHERS or (simple.program == "git" and simple.args[:1] == ("grep",))


def seeks_less(first: str, second: str) -> bool:
    """Of the arguments of two searches: the other looks for some of several things only."""
    here, there = set(_sought(first)), set(_sought(second))
    return bool(there) and there < here


def _sought(arguments: str) -> Iterator[str]:
    command = command_of(arguments)
    if not command:
        given = given_in(arguments)
        pattern = next((given[name] for name in NAMES if isinstance(given.get(name), str)), "")
        yield from _OR.split(pattern[:LONGEST_LINE]) if "|" in pattern else ()
        return
    if len(command) > LONGEST_LINE:
        return
    for simple in parse(command).commands:
        if simple.program in SEARCHERS - {"find", "fd", "locate"}:
            yield from (each for pattern in _patterns(simple) for each in _OR.split(pattern))


def _patterns(simple: Simple) -> list[str]:
    named = [after for flag, after in zip(simple.args, simple.args[1:], strict=False) if flag in PATTERN_FOLLOWS]
    return named or [word for word in simple.args if not word.startswith("-")][:1]
