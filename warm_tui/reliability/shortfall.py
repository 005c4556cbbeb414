"""A call that worked after one that failed mends it only where it does what that one set out to do, and no less."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from warm_tui.reliability.searches import seeks_less
from warm_tui.reliability.shape import PATH
from warm_tui.reliability.shell import QUIET, Script, Simple
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.targets import PART, is_near, plain_words
from warm_tui.reliability.words import command_of, given_in

LONGEST = 20_000
LONGEST_VALUE = 100
"""A longer argument carries a text: its words say nothing of what it is for."""
MISSING = re.compile(
    r"(?i)no such file|not found|n't found|does(?: not|n't) exist|did not match|cannot find|can't open|not a directory"
    r"|could not find|no matches|unable to find|cannot access"
)
REJECTS = re.compile(
    rf"{MISSING.pattern}|\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|ambiguous|undefined|missing"
    r"|no|not|already|in use|denied|refused|forbidden|unauthorized|locked|held|busy|conflicts?|deprecated|removed"
    r"|renamed|cannot|could|unable|does|did|must|requires?|usage|too (?:many|few)|only|wrong|bad)\b|n't\b"
)
"""Of a line that complains of what it was given, and does not only say which of it went wrong;"""
NOT_UNDERSTOOD = re.compile(
    r"(?i)\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|ambiguous|undefined|usage|extra|too many"
    r"|accepts|takes|no rule|not a (?:valid|recogni[sz]ed|\S+ command)|already|not supported|not allowed)\b"
)
"""and of one that says that it should not have been given at all."""
IN_THE_BACKGROUND = ("run_in_background", "background", "is_background")
SHOWS_ALL = frozenset("head tail cat less more tee sort column nl".split())
"""What stands behind a pipe and hides of an output no more than its beginning or end."""
PICKS_LINES = frozenset("grep egrep fgrep rg ag awk gawk sed cut uniq wc".split())
LEAVES_OUT = re.compile(
    r"--(?:ignore|exclude|skip|deselect|disable|no-verify|dry-run|help|version|collect-only|exit-zero|allow-failure"
    r"|continue-on-error|passWithNoTests|pass-with-no-tests|list-tests|max-fail|only)"
)
SELECTS = {
    "pytest": ("-k", "-m", "--co"), "go": ("-run", "-skip", "-short", "-list", "-c"), "unittest": ("-k",),
    "ctest": ("-R", "-E", "-L"), "jest": ("-t", "--testNamePattern"), "vitest": ("-t", "--testNamePattern"),
    "mocha": ("-g", "--grep"), "npm": ("-t", "--testNamePattern", "-g", "--grep"), "rspec": ("-e", "-t"),
    "gradle": ("-x", "--tests"), "mvn": ("-Dtest",),
}  # fmt: skip
"""Of programs that check much: the options that name the part of it."""
ONE_TRADE = {"ci": "install", "i": "install", "add": "install", "switch": "checkout", "restore": "checkout"}
CODE_FOLLOWS = frozenset("-c -e -E -r --eval".split())
WORDS_OF_LANGUAGES = frozenset(
    "import from print require console log puts echo const let var def end for while with else return new class use"
    " del not and assert try except raise lambda pass True False None true false null then done printf".split()
)
_NAMED_IN_CODE = re.compile(r"[A-Za-z_]\w{2,}")
_QUERY = re.compile(r"(?i)\s*(?:select|insert|update|delete|create|alter|drop|with|explain|truncate)\s")
_ONLY_SHOW = frozenset({"select", "explain", "with"})
_TABLES = re.compile(r"(?i)\b(?:from|into|update|join|table)\s+(?:if\s+(?:not\s+)?exists\s+)?[\"'`\[]?([A-Za-z_]\w*)")
_NAME = re.compile(r"[A-Za-z_@][\w@:-]*")
_SUBSTITUTES = re.compile(r"[sy][/|,#]\S*[/|,#]\w*", re.DOTALL)
_ASSERTS = re.compile(r"\bassert\b[^\n;]*")
_ITS_MESSAGE = re.compile(r",\s*[frb]?[\"'].*")
_WORD = re.compile(r"[A-Za-z]{3,}|\d{2,}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WAITS = re.compile(r"\b(?:sleep|until|while|wait|watch|retry)\b")


def falls_short(first: str, second: str, said: str) -> bool:
    """Of the arguments of a call that failed, of one that worked, and what was said when the first failed."""
    command, other = command_of(first)[:LONGEST], command_of(second)[:LONGEST]
    if seeks_less(first, second):
        return True
    if command and other:
        drops_the_wait = not is_left_running(second) and _drops_the_wait(command, other, said)
        return drops_the_wait or _command_falls_short(command, other, said)
    here, there = given_in(first), given_in(second)
    return _leaves_out(here, there) or _leaves_alone_what_failed(here, there, said)


def is_left_running(arguments: str) -> bool:
    """It was begun, and nobody waits for its end."""
    if "background" not in arguments:
        return False
    given = given_in(arguments)
    return any(given.get(name) is True for name in IN_THE_BACKGROUND)


# --- of any tool ---


def _leaves_out(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """It was to be done to so many things, and is done to fewer."""
    given = ((value, second.get(name)) for name, value in first.items() if isinstance(value, list))
    return any(not isinstance(then, list) or len(then) < len(value) for value, then in given)


def _leaves_alone_what_failed(first: Mapping[str, Any], second: Mapping[str, Any], said: str) -> bool:
    """The complaint names some of what was given, and other things were changed: it is another wish."""
    words = set(_words_in(said))
    named = {name for name, value in first.items() if not words.isdisjoint(_words_of(name, value))}
    changed = {name for name in {*first, *second} if first.get(name) != second.get(name)}
    return bool(named) and bool(changed) and named.isdisjoint(changed)


def _words_of(name: str, value: Any) -> Iterator[str]:
    yield from _words_in(_HUMP.sub("_", name))
    values = value if isinstance(value, list) else [value]
    for each in values:
        for part in each.values() if isinstance(each, dict) else (each,):
            if isinstance(part, str) and len(part) <= LONGEST_VALUE:
                yield from _words_in(part)


def _words_in(text: str) -> Iterator[str]:
    return (found[0].casefold().removesuffix("s") for found in _WORD.finditer(text))


# --- of a command line ---


def _command_falls_short(first: str, second: str, said: str) -> bool:
    if not _assertions(first) <= _assertions(second):
        return True
    here, there = parse(first), parse(second)
    if len(_steps(there)) < len(_steps(here)) or _hides_more(here, there):
        return True
    if _is_other_code(here, second) or _is_other_query(here, there):
        return True
    return _narrows(here, there) or _drops_a_name(here, there, said) or _drops_a_path(here, there, said)


def _is_other_code(first: Script, second: str) -> bool:
    """Of code in the command line nothing is left that it named: what the complaint names may go, but not all."""
    others = set(_NAMED_IN_CODE.findall(second))
    codes = (
        after
        for simple in first.commands
        for flag, after in pairwise(simple.args)
        if flag in CODE_FOLLOWS and not after.startswith("-")
    )
    named = [set(_NAMED_IN_CODE.findall(code)) - WORDS_OF_LANGUAGES for code in codes if " " in code or "(" in code]
    return any(names and not any(_is_like(name, others) for name in names) for names in named)


def _is_other_query(first: Script, second: Script) -> bool:
    """It asks for other tables, or looks where something was to be changed."""
    queries, others = (
        [
            (word.split(None, 1)[0].casefold() in _ONLY_SHOW, set(_TABLES.findall(word)))
            for simple in script.commands
            for word in simple.args
            if _QUERY.match(word)
        ]
        for script in (first, second)
    )
    if not others:
        return False
    tables = {table for _, names in others for table in names}
    return any(
        (not shows and all(each for each, _ in others))
        or (bool(names) and not any(_is_like(name, tables) for name in names))
        for shows, names in queries
    )


def _assertions(command: str) -> set[str]:
    """What the code in it asks for, without what it would say."""
    return {"".join(_ITS_MESSAGE.sub("", found[0]).split()).rstrip("\"')") for found in _ASSERTS.finditer(command)}


def _drops_the_wait(first: str, second: str, said: str) -> bool:
    """It was to be done after a while, and is done at once: nothing was mended by that but the time it took."""
    here, there = parse(first), parse(second)
    waits = [simple for simple in here.commands if simple.program == "sleep"]
    if not waits or _WAITS.search(second):
        return False
    rest = [simple for simple in here.commands if simple.program != "sleep"]
    return "sleep" in _NAME.findall(said) or rest == there.commands


def _steps(script: Script) -> list[Simple]:
    return [pipeline[0] for pipeline in script.pipelines if pipeline[0].program not in QUIET]


def _hides_more(first: Script, second: Script) -> bool:
    """How it ended is not seen, or only that part of its words which was looked for."""
    forgiven = [at for at, joint in enumerate(second.joints[:-1]) if joint == "||"]
    if forgiven and "||" not in first.joints:
        return True
    filters = Counter(simple for pipeline in second.pipelines for simple in pipeline[1:])
    before = Counter(simple for pipeline in first.pipelines for simple in pipeline[1:])
    known = {simple.program for simple in before} - PICKS_LINES
    return any(simple.program not in SHOWS_ALL | known for simple in filters - before)


def _narrows(first: Script, second: Script) -> bool:
    """A part is chosen, or left out, that was not before."""
    return not set(_choices(second)) <= set(_choices(first))


def _choices(script: Script) -> Iterator[tuple[str, str]]:
    for simple in script.commands:
        selects = SELECTS.get(simple.program, ())
        for at, word in enumerate(simple.args):
            name, _, value = word.partition("=")
            if name in selects:
                yield name, value or "".join(simple.args[at + 1 : at + 2])
            elif LEAVES_OUT.match(word):
                yield word, ""


def _drops_a_name(first: Script, second: Script, said: str) -> bool:
    """What it was told to do, or do it to, is gone, and nothing like it came; but what is complained of may go."""
    words, others = set(_names(first)), set(_names(second))
    # Where nothing came in its place, it was to be had, too.
    rejects = NOT_UNDERSTOOD if others <= words else REJECTS
    named = {name for line in said.split("\n") if rejects.search(line) for name in _NAME.findall(line)}
    written = [word.lstrip("-") for simple in _steps(second) for word in simple.args if " " in word or word[:1] == "-"]
    still = others | set(_NAME.findall(" ".join(written)))
    return any(not _is_like(word, others) for word in words - still - named)


def _names(script: Script) -> Iterator[str]:
    for simple in _steps(script):
        for word in plain_words(simple.args):
            if _NAME.fullmatch(word) and not PATH.match(word):
                yield ONE_TRADE.get(word, word)


def _is_like(word: str, others: Collection[str]) -> bool:
    return any(is_near(word, other) for other in others)


def _drops_a_path(first: Script, second: Script, said: str) -> bool:
    """What it was to work on is gone, or only a part of it is left; but what is not there may be sought elsewhere."""
    paths, others = list(_paths(first)), [word for simple in _steps(second) for word in plain_words(simple.args)]
    missing = MISSING.search(said) is not None
    return any(not any(_covers(_plain_path(other), path, missing) for other in others) for path in paths)


def _paths(script: Script) -> Iterator[str]:
    for simple in _steps(script):
        for word in plain_words(simple.args):
            if PATH.match(word.partition(PART)[0]) and not _SUBSTITUTES.fullmatch(word):
                yield _plain_path(word)


def _plain_path(word: str) -> str:
    return word.removeprefix("./").removesuffix("...").rstrip("/")


def _covers(other: str, path: str, missing: bool) -> bool:
    """The same, all that it is part of, or what was meant by a name that nothing has."""
    if other == path or path.startswith((f"{other}/", f"{other}{PART}")) or not other:
        return True
    return missing and is_near(other.rpartition("/")[2], path.rpartition("/")[2])
