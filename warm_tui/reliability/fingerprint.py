"""What makes two failures the same trouble: the tool, the kind, the program that failed, and the words that decided.

Numbers, paths, ids and quoted names are taken out of the words: they tell one call from another, not one trouble.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from warm_tui.reliability.complaints import whose_words
from warm_tui.reliability.failure_records import TAKEN_OUT, Fingerprint, bare_words
from warm_tui.reliability.missing import missing_in
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.raised import ERRORS, FAILED, LOOKED_AT, told_of_tests
from warm_tui.reliability.shell import QUIET, Simple
from warm_tui.reliability.shell_reader import OFTEN_SEEN, parse
from warm_tui.reliability.viewers import is_viewer
from warm_tui.reliability.words import REASON_LENGTH, command_of, whole
from warm_tui.sessions.model import Call
from warm_tui.sessions.source import AgentFacts

# An edit broke a file: which one, is the trouble.
_OF_A_FILE = ("SyntaxError:", "IndentationError:", "TabError:")
_STOOD_IN = re.compile(r"File \\?\"(?:[^\"\n<>]{0,300}[/\\\\])?([\w.-]{1,80}\.\w{1,4})\\?\", line \d")
MOST_WORDS = 12
LONGEST_LETTERS = 30
SAME_TROUBLE = {"masked": "exit_code", "exception": "exit_code"}
"""However it was told that a program failed, the trouble is the same."""
NO_FAMILY = ("general", "meta")


def fingerprint_of(call: Call, verdict: Verdict, facts: AgentFacts) -> Fingerprint:
    """Of a call, with all that it printed, also where the agent asked for that only later."""
    printed = (call.report.words if call.report else "") or call.result
    return fingerprint(call.tool_name, call.arguments, printed, verdict, facts)


def fingerprint(tool_name: str, arguments: str, result: str | None, verdict: Verdict, facts: AgentFacts) -> Fingerprint:
    """Of a failed call. Where a person called it so, what the rules found still tells more than a word of theirs."""
    ours = verdict.ours
    verdict = ours if verdict.is_own and ours is not None and ours.outcome == "failure" else verdict
    reason = whole(verdict.reason[:REASON_LENGTH])
    kind = SAME_TROUBLE.get(verdict.kind, verdict.kind)
    # What is long carries a file and is not seen twice: it would only fill the cache.
    of_call = _often if len(arguments) <= OFTEN_SEEN else _of_call
    told = of_call(tool_of(tool_name, facts), kind, arguments, reason)
    words = _words_in(result, told.words, reason) if result else told.words
    # What is the same knows its id already.
    return told if words == told.words else replace(told, words=words)


def _words_in(result: str, words: str, reason: str) -> str:
    """What the reason leaves open and the whole output says."""
    if words in (FAILED, ERRORS):
        return told_of_tests(words, result)
    if words.startswith(_OF_A_FILE) and (files := _STOOD_IN.findall(result[-LOOKED_AT:])):
        return f"{words} in {files[-1]}"
    line = _EXIT_CODE.sub("", reason, count=1)
    if line.endswith("…") and _POSITION.match(line):
        # The rule that was broken stands at the end of a long line.
        rest = result.partition(line[:_OF_A_LINE])[2]
        return _rule(rest.partition("\n")[0].partition("\\n")[0]) or words
    return words


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
_SHELL_SAYS = re.compile(r"^(?:(?:\S*/)?(?:ba|da|z|k)?sh: ?(?:line )?\d+|\(eval\):\d+): ")
# `level=error msg="no such host"`: what is quoted there is no name.
_LOGGED = re.compile(r"\bmsg=\"([^\"]*)\"?")
# `cat: notes: No such file`: what it was told to work on.
_OPERAND = re.compile(r"^(?!\w*(?:Error|Exception|Warning): )[^\s:]+: ")
_LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INSIDE_A_NAME = re.compile(r"[\d_/\\@=<>{}$*~#|^]|\w\.\w|::|^-")
_AT_THE_EDGE = "()[]{}<>.,;:!?\"'`…=*-"

_COUNTS = re.compile(r"(?<![\w.])(\d[\d,]*) (?:previous )?([a-z]+)\b|\b([a-z]+)=(\d+)")
_HOW_LONG = re.compile(r"\bin \d[\d.:,]*\s?(?:[a-z]+)?")
OUTCOMES = {**dict.fromkeys(("failed", "failing", "failure", "failures"), FAILED), "error": ERRORS, "errors": ERRORS}
_MOST_BESIDE_COUNTS = 4
# `go test` says no more at its end, nor does what cut off how many there were.
_TESTS_FAILED = re.compile(r"^(?:--- FAIL: |FAILED \S+::|FAIL(?: \S+ (?:\d[\d.]*s|\(cached\)|\[\w+ failed\]))?$)")

# Where a compiler or a linter found something, and the rule that was broken: `(errcheck)`, `[arg-type]`, `E501 `.
_POSITION = re.compile(r"^(?:\[[\w:]{1,30}\] )?(?:[a-z]{2,10}: )?[^\s:]{1,200}:\d+(?::\d+)?:? (?=\S)")
_RULE = re.compile(r"(?:\(([a-z][a-z\d-]{2,40})\)|\[([a-z][a-z\d-]{2,40})\])$")
_RULE_BEFORE = re.compile(r"^([A-Z]{1,5}\d{2,5}):? ")
_NAMED_LAST = re.compile(r": \S+$")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_A_NAME = re.compile(r"(?<!\w)[A-Z]?[a-z]+[A-Z]\w*")
_OF_A_LINE = 100


def words_of(reason: str, program: str = "") -> str:
    """The words of a reason that are the same whenever the trouble is."""
    text = _EXIT_CODE.sub("", reason, count=1).strip()
    if counted := _counted(text):
        return counted
    if position := _POSITION.match(text):
        return _found(text[position.end() :])
    text = _MODULES.sub("", _ADDRESS.sub(TAKEN_OUT, _LOGGED.sub(r"\1", _SHELL_SAYS.sub("", text))))
    if missing := missing_in(text):
        before, name = missing
        return f"{_told(_QUOTES.sub(f' {TAKEN_OUT} ', before))} {name}".strip()
    itself, _, rest = text.partition(": ")
    if program and _program(itself.rsplit("/", 1)[-1]) == program:
        text = _OPERAND.sub(f"{TAKEN_OUT} ", rest, count=1)
    words = _told(_QUOTES.sub(f" {TAKEN_OUT} ", text))
    # Where all of it was quoted, it is no name but what was said.
    return words if bare_words(words) else _told(text)


def _found(message: str) -> str:
    """What a compiler or a linter says of a place: by the rule, or without the names that stand there."""
    if rule := _rule(message):
        return rule
    plain = _NAMED_LAST.sub(f": {TAKEN_OUT}", _IN_BRACKETS.sub(TAKEN_OUT, message))
    return _told(_QUOTES.sub(f" {TAKEN_OUT} ", _A_NAME.sub(TAKEN_OUT, plain)))


def _rule(message: str) -> str:
    found = _RULE.search(message) or _RULE_BEFORE.match(message)
    return next(filter(None, found.groups()), "") if found else ""


def _counted(text: str) -> str:
    """The outcome of many tests or files, in one word: how many there were is another number each time."""
    if _TESTS_FAILED.match(text):
        return FAILED
    counts: Counter[str] = Counter()
    for count, word, name, other in _COUNTS.findall(text.lower()):
        counts[OUTCOMES.get(word or name, "")] += int((count or other).replace(",", ""))
    outcome = ERRORS if counts[ERRORS] > counts[FAILED] else FAILED
    if not counts[outcome]:
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
# What a shell makes of a line before it runs a program.
_OF_THE_SHELL = re.compile(
    r"no matches found|syntax error|parse error|unexpected (?:EOF|end)|bad (?:pattern|substitution)"
    # `==` begins with what zsh takes for "the path of".
    r"|\S+ not found$"
)
_FIELDS = 5


def program_of(command: str, reason: str) -> str:
    """The one that the words name, where it stands in the command line, or whose words they are; else the one that
    had the last word."""
    text = _EXIT_CODE.sub("", reason, count=1).strip()
    if missing := _MISSING.search(text):
        return (missing[1] or missing[2])[:LONGEST_LETTERS]
    says = _SHELL_SAYS.match(text)
    if says and _OF_THE_SHELL.match(text, says.end()):
        return "shell"
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
    speaker = _speaker(sources)
    if speaker is None and text:
        speaker = whose_words(text, script.commands) or _speaker(reversed(script.commands))
    return _program((speaker or sources[0]).program) if sources else ""


def _speaker(ran: Iterable[Simple]) -> Simple | None:
    return next((simple for simple in ran if simple.program not in QUIET and not is_viewer(simple)), None)


def _program(name: str) -> str:
    """Without its version; a script by its ending, for its name is a path."""
    ending = _FILE_ENDING.match(name)
    if ending and not ending[1][1:].isdigit():
        return f"*{ending[1]}"
    return _TRAILING_VERSION.sub("", name)[:LONGEST_LETTERS]
