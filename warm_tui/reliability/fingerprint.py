"""What makes two failures the same trouble: the tool, the kind, the program that failed, and the words that decided.

Numbers, paths, ids and quoted names are taken out of the words: they tell one call from another, not one trouble.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec.structs import replace

from warm_tui.reliability.failure_records import TAKEN_OUT, Fingerprint, bare_words
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.output import TAIL
from warm_tui.reliability.shell import OFTEN_SEEN, QUIET, parse
from warm_tui.reliability.strangers import is_viewer
from warm_tui.reliability.words import REASON_LENGTH, command_of
from warm_tui.sessions.source import AgentFacts

MOST_WORDS = 12
LONGEST_LETTERS = 30
SAME_TROUBLE = {"masked": "exit_code", "exception": "exit_code"}
"""However it was told that a program failed, the trouble is the same."""
FAILED, ERRORS = "failed", "errors"
NO_FAMILY = ("general", "meta")


def fingerprint(tool_name: str, arguments: str, result: str | None, verdict: Verdict, facts: AgentFacts) -> Fingerprint:
    """Of a failed call. Where a person called it so, what the rules found still tells more than a word of theirs."""
    ours = verdict.ours
    verdict = ours if verdict.is_own and ours is not None and ours.outcome == "failure" else verdict
    reason = verdict.reason[:REASON_LENGTH].encode("utf-8", "replace").decode()
    kind = SAME_TROUBLE.get(verdict.kind, verdict.kind)
    # What is long carries a file and is not seen twice: it would only fill the cache.
    of_call = _often if len(arguments) <= OFTEN_SEEN else _of_call
    told = of_call(tool_of(tool_name, facts), kind, arguments, reason)
    if told.words in (FAILED, ERRORS) and (raised := _raised(result or "")):
        return replace(told, words=f"{told.words}: {raised}")
    return told


def _raised(result: str) -> str:
    """Where many were counted: what was raised most often in them."""
    end = result[-TAIL:].replace("\\n", "\n")
    names = Counter(_names_of_raised(end)) + Counter(filter(None, map(_whole, _CUT_SHORT.findall(end))))
    return max(names, key=lambda name: (names[name], name), default="")


def _names_of_raised(text: str) -> Iterator[str]:
    """Each `KeyError`, found from its end: few letters begin one, and any capital may begin a name."""
    for ending in _ENDS_A_NAME.finditer(text):
        start = max(0, ending.start() - LONGEST_NAME)
        if name := _BEGINS_A_NAME.search(text, start, ending.start()):
            yield name[0] + ending[0]


@cache
def _whole(beginning: str) -> str:
    """What a test runner cut to the width of its terminal, if only one name begins so."""
    found = [name for name in RAISED_BY_TESTS if name.startswith(beginning)]
    return found[0] if len(found) == 1 else ""


def _of_call(tool: str, kind: str, arguments: str, reason: str) -> Fingerprint:
    command = command_of(arguments)
    program = program_of(command, reason) if command else ""
    return Fingerprint(tool, kind, program, words_of(reason, program))


_often = lru_cache(maxsize=2048)(_of_call)


def tool_of(tool_name: str, facts: AgentFacts) -> str:
    family = facts.family(tool_name)
    return tool_name if family in NO_FAMILY else family


# --- the words ---

_EXIT_CODE = re.compile(r"exit code -?\d+(?::\s*|$)")
_SENTENCE_END = re.compile(r"[.?!] (?=[A-Z])")
_QUOTES = re.compile(r"(?<!\w)'(?:[^']*'(?!\w)|[^']*$)|\"[^\"]*(?:\"|$)|`[^`]*(?:`|$)|“[^”]*(?:”|$)|‘[^’]*(?:’|$)")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://\S+", re.IGNORECASE)
_MODULES = re.compile(
    r"(?<![\w./-])(?:[A-Za-z_]\w{0,40}\.){1,9}_?(?=\w{0,40}(?:Error|Exception|Warning|Exit|Interrupt|error)\b)"
    r"|^(?:[A-Za-z_]\w{0,40}\.){1,9}_?(?=[A-Z]\w{0,40}(?::|$))"
)
_SHELL_SAYS = re.compile(r"^(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?\d+: ")
# `cat: notes: No such file`: what it was told to work on.
_OPERAND = re.compile(r"^(?!\w*(?:Error|Exception|Warning): )[^\s:]+: ")
_LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INSIDE_A_NAME = re.compile(r"[\d_/\\@=<>{}$*~#|^]|\w\.\w|::|^-")
_AT_THE_EDGE = "()[]{}<>.,;:!?\"'`…=*-"

_COUNTS = re.compile(r"(?<![\w.])(\d[\d,]*) (?:previous )?([a-z]+)\b|\b([a-z]+)=(\d+)")
_HOW_LONG = re.compile(r"\bin \d[\d.:,]*\s?(?:[a-z]+)?")
_FAILED, _ERRORS = frozenset({"failed", "failing", "failure", "failures"}), frozenset({"error", "errors"})
_MOST_BESIDE_COUNTS = 4
_CUT_SHORT = re.compile(r" - ([A-Z][a-z]{2}[A-Za-z]{0,20})(?:\.\.\.|: )")
RAISED_BY_TESTS = ("Failed", *(name for name in dir(builtins) if name.endswith("Error")))
_ENDS_A_NAME = re.compile(r"(?:Error|Exception)(?!\w)")
_BEGINS_A_NAME = re.compile(r"(?<!\w)[A-Z][A-Za-z]*\Z")
LONGEST_NAME = 61


def words_of(reason: str, program: str = "") -> str:
    """The words of a reason that are the same whenever the trouble is."""
    text = _EXIT_CODE.sub("", reason, count=1).strip()
    if counted := _counted(text):
        return counted
    text = _MODULES.sub("", _ADDRESS.sub(TAKEN_OUT, _SHELL_SAYS.sub("", text)))
    itself, _, rest = text.partition(": ")
    if program and _program(itself.rsplit("/", 1)[-1]) == program:
        text = _OPERAND.sub(f"{TAKEN_OUT} ", rest, count=1)
    words = _told(_QUOTES.sub(f" {TAKEN_OUT} ", text))
    # Where all of it was quoted, it is no name but what was said.
    return words if bare_words(words) else _told(text)


def _counted(text: str) -> str:
    """The outcome of many tests or files, in one word: how many there were is another number each time."""
    found = _COUNTS.findall(text.lower())
    words = {word or name for count, word, name, other in found if int((count or other).replace(",", ""))}
    outcome = FAILED if words & _FAILED else ERRORS if words & _ERRORS else ""
    if not outcome:
        return ""
    beside = _LETTERS.findall(_HOW_LONG.sub(" ", _COUNTS.sub(" ", text.lower())))
    return outcome if len(beside) <= _MOST_BESIDE_COUNTS else ""


def _told(text: str) -> str:
    end = _SENTENCE_END.search(text)
    kept: list[str] = []
    words = 0
    for token in (text[: end.start()] if end else text).split():
        bare = token.strip(_AT_THE_EDGE)
        if words == MOST_WORDS:
            break
        word = (
            None
            if _INSIDE_A_NAME.search(bare) or token.startswith("-") or len(bare) > LONGEST_LETTERS
            else _LETTERS.search(bare)
        )
        if word is None:
            if (bare or TAKEN_OUT in token) and kept[-1:] != [TAKEN_OUT]:
                kept.append(TAKEN_OUT)
            continue
        words += 1
        kept.append(f"{word[0]}:" if token.endswith(":") else word[0])
    while kept[:1] == [TAKEN_OUT]:
        del kept[0]
    return " ".join(kept)


# --- the program ---

_TRAILING_VERSION = re.compile(r"(?<=[A-Za-z+])[-.]?\d[\d.]*$")
_FILE_ENDING = re.compile(r".+(\.[A-Za-z]\w{0,3})$")
_MISSING = re.compile(r"(?:^|[\s:])([\w.+-]+): (?:command )?not found$|command not found: ([\w.+-]+)$")
_FIELDS = 5


def program_of(command: str, reason: str) -> str:
    """The one that the words name, where it stands in the command line; else the one that had the last word."""
    text = _EXIT_CODE.sub("", reason, count=1).strip()
    if missing := _MISSING.search(text):
        return (missing[1] or missing[2])[:LONGEST_LETTERS]
    script = parse(command)
    names = {simple.program: simple.program for simple in script.commands}
    named = ""
    for field in text.split(": ")[:_FIELDS][:-1]:
        name = field.rsplit("/", 1)[-1].split(" ", 1)[0].rstrip(":")
        named = names.get(name, named)
    if named:
        return _program(named)
    sources = script.possible_sources() or script.commands
    # What only shows a file would have named itself.
    speaker = next((simple for simple in sources if simple.program not in QUIET and not is_viewer(simple)), None)
    return _program((speaker or sources[0]).program) if sources else ""


def _program(name: str) -> str:
    """Without its version; a script by its ending, for its name is a path."""
    ending = _FILE_ENDING.match(name)
    if ending and not ending[1][1:].isdigit():
        return f"*{ending[1]}"
    return _TRAILING_VERSION.sub("", name)[:LONGEST_LETTERS]
