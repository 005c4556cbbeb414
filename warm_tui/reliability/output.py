"""Look at the end of a program's output for a sign that its work failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.complaints import first_complaint
from warm_tui.reliability.evidence import Evidence, encoded
from warm_tui.reliability.exits import answer_of
from warm_tui.reliability.glances import from_anchors, holds_any
from warm_tui.reliability.prepared import without_what_was_prepared
from warm_tui.reliability.reading import Reading, without_last_words
from warm_tui.reliability.rules import LAST_LINES, TEXT_RULES, TWO_WORDS, TextRule
from warm_tui.reliability.tied import (
    put_before_lines,
)
from warm_tui.reliability.told_codes import ToldCode, codes_told, tells_codes, was_meant
from warm_tui.reliability.witnesses import Sign, told_by_any
from warm_tui.reliability.words import cause_of, one_line, telling_line

# How much of an output's end is looked at, first to pass over the many without a sign, then to judge.
GLANCE, TAIL = 240, 3000
CLOSING_LINES, CLOSING_LENGTH = 8, 800


def _rules(where: str) -> tuple[TextRule, ...]:
    return tuple(rule for rule in TEXT_RULES if rule.where == where)


_BLOCK, _LAST, _CLOSING = map(_rules, ("block", "last", "closing"))
_NEEDS = tuple({need: None for rule in _CLOSING for need in rule.needs})
# One of these stands in whatever a rule or a row of the complaints matches: few enough to look for in every output
# of a command line that may hide an exit code.
FRAGMENTS = (
    "rror", "ail", "FAIL", "ERR", "*** ", "o tests", " fault", "panic", "Killed", "Abort", "abort", "xception",
    "in thread", "Node.js v", "node:", "Traceback", "fatal", "FATAL", "annot", "an't", "ould not", "ouldn't",
    "nable to", "o such", "ot found", "efused", "enied", "timed out", "not known", "not ok", "not in ", "is not a",
    "not match", "No match", "no matches", "nvalid", "nsupported", "nrecogni", "missing", "nexpected", "nterminated",
    "undefined",
    "CONFLICT", "rejected", "while executing", " line ", ".go:", "tar: ", "jq: ", "lua: ", "lua5", "luac", "luajit",
    "mypy: ", "dc: ", "pandoc: ", "** (", "\u2717", "lost connection", "already exists", "File exists", "not empty",
    "busy", "corrupt", "space left", "Expecting", "closed", "wrong", "System has", "deselected", "extra operand",
    "not permitted", "Read-only", "not there", "docker: ", "o module", "unbound", "ambiguous", "bad sub", "too long",
    "Too many", "Bad file", "llegal", "nknown", "Unmatched", "Is a dir", "No files", "undeclared",
    "no decl", "no defin", "no packages",
    "premature", "not reco", "not exist", "no valid", "nreachable", "emerg]", "ALERT]", "NOT match", "nhandled",
    "failed=", " bad ", "not a ", "is not def", "alted", "did not", "oes not", "idn't", "oesn't", "Missing",
    " specified",
    "Timeout: ", "Not in a", "svn: ", ": /main()", ":( ", "sed: ", "isabled", "magic", "bad d", "No data", "No test",
    "operand", "directory not", "context...:", "n procedure", "do_boot", "rash dump", "traceback:", "not installed",
    "unavailable", "mismatch", "requires a", "out of range", "not within", "not reach", "be reached", "not recog",
    "rong ", "o few", "o many", "xpected", "equired", "gave up", "iving up", "topping", "verflow", "incomp",
    "set-up", "roken", "Try '", "ot the tsc", "errno=", " --help' for", "RUST_BACK", "ABORTING",
    "sage: ", "xit status ", "xit code ", "ith code ", "properly f", "not something", "stash ent", "o tracking",
    "RRORS =", "access rights", "ation aborted", ".java:", "ncomplete", "d after thr", "terminated", "^^",
    "le trying to", "[C]: in ?", "==ABORTING", "cannot parse", "Note about", "try '--", "passwor", "to commit",
    "o response", "g connections",
)  # fmt: skip
# How the first word of a last line ends, or its only one, when a rule for last lines matches it.
_OPENINGS = (":", "Error", "Exception", "Interrupt", "Exit", "Fault", "Failure", "Timeout", "000")
_FIRST_WORDS = frozenset({"Error", "An", "Unable", "ERROR", "Cannot"})
_NAMES_A_CODE = re.compile("xit|rc|tatus|ode|EXIT|RC")


# A line of a traceback: what ends below it may be an exception by any name.
FRAME, FRAME_ENCODED = "\n  File ", "\\n  File "

# What the shell says behind all the rest of what it was told to `time`.
_TIMES = re.compile(r"\n{1,2}real\t\d+m[\d.]+s\nuser\t\d+m[\d.]+s\nsys\t\d+m[\d.]+s$", re.MULTILINE)
_COLOURS = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]")
_find_fragment = re.compile(from_anchors(FRAGMENTS)).search
_find_need = re.compile(from_anchors(_NEEDS)).search


def may_hide(arguments: str) -> bool:
    """Can work have failed without the exit code telling? Else it is that of the one program, or the first to fail."""
    return (
        "|" in arguments
        or ";" in arguments
        or "\\n" in arguments
        or "$(" in arguments
        or "`" in arguments
        or " < " in arguments
        or "psql" in arguments
        or "redis-cli" in arguments
        or ("&" in arguments and "&" in arguments.replace("&&", ""))
    )


def ends_well(end: str) -> bool:
    """No rule for last lines or tracebacks can find anything here: so it is with almost every output."""
    text = end.rstrip()
    return not (_opens_like_trouble(text[text.rfind("\n") + 1 :]) or FRAME in text)


def ends_well_encoded(end: str) -> bool:
    """The same of the inside of a JSON string, where that is easily told: a fourth of a microsecond sooner."""
    last = end.rpartition("\\n")[2].rstrip()
    return bool(last) and not (_opens_like_trouble(last) or FRAME_ENCODED in end or "\n" in end)


def is_calm(text: str) -> bool:
    """Nothing that the other rules and rows look for stands anywhere in it."""
    return _find_fragment(text) is None


def _opens_like_trouble(last: str) -> bool:
    ends_in_digit = last[-1:].isdigit()
    if not (ends_in_digit and _NAMES_A_CODE.search(last)):
        word, _, rest = last.lstrip().partition(" ")
        if not (
            word.endswith(_OPENINGS)
            or word in _FIRST_WORDS
            or (word in TWO_WORDS and rest.startswith(TWO_WORDS[word]))
            or word[:1] == "["
            or (rest and ((ends_in_digit and last.endswith("000")) or rest.startswith("failed: ")))
        ):
            return False
        if rest and word[:1].isdigit():
            return False
    return LAST_LINES.match(last) is not None


def first_sign(tail: str, arguments: str, *, exit_zero: bool) -> Sign | None:
    """The first sign of failed work in the output: at its end, then wherever the programs that ran may complain."""
    text = (tail.replace("\r\n", "\n") if "\r" in tail else tail).rstrip()
    text = _COLOURS.sub("", text) if "\x1b" in text else text
    text = _TIMES.sub("", text) if "\nuser\t" in text and "time" in arguments else text
    calm, tells_a_code = is_calm(text), tells_codes(arguments)
    if calm and not tells_a_code and not _opens_like_trouble(text[text.rfind("\n") + 1 :]):
        return None
    reading = Reading(arguments, exit_zero)
    if indents := put_before_lines(reading.script):
        text = "\n".join(line.removeprefix(indents) for line in text.split("\n"))
    reading.text = text = without_what_was_prepared(text, reading.script)
    # A tail that was cut has lost lines; and what was encoded is longer than the text.
    for told in codes_told(reading.script, text, whole=len(tail) < TAIL // 2) if tells_a_code else ():
        if told.code and (sign := _sign_of_a_told_code(told)):
            return sign
        if told.at_the_end and told.whose is told.line_before:
            whole = told.line.string
            rest = (whole[: told.line.start()] + whole[told.line.end() :]).strip()
            reading = Reading(arguments, exit_zero=True, script=told.line_before)
            reading.text = text = without_last_words(rest, told.spoken_behind)
            calm = is_calm(text)
        reading.ended_well += [each for each in told.whose.last_run() if reading.script.commands.count(each) == 1]
    sign = _sign_at_end(text, reading)
    if sign is not None or calm:
        return sign
    before = reading.before_last_words(text)
    return told_by_any(text, before, reading) or (_sign_at_end(before, reading) if before != text else None)


def _sign_of_a_told_code(told: ToldCode) -> Sign | None:
    above, below = told.line.string[: told.line.start()].strip(), told.line.string[told.line.end() :].strip()
    # What stands above is the program's own, where a file may be shown below.
    printed = "\n".join(filter(None, (above, below))) if told.at_the_end else above
    if was_meant(told) or answer_of(Evidence(exit_code=told.code, output=encoded(printed)), told.whose):
        return None
    where = printed if telling_line(printed) or not below else below
    said = telling_line(where) or _complaint_in(above, told)
    words = f"exit code {told.code}: {cause_of(said, where)}" if said else told.line[0]
    return Sign("told_exit_code", "exit_code", one_line(words))


def _complaint_in(text: str, told: ToldCode) -> str:
    complaint = first_complaint(told.whose.last_run(), text, lambda _row, _simple: True)
    return complaint[1] if complaint else ""


def _sign_at_end(text: str, reading: Reading) -> Sign | None:
    for rule, match, above in _matches(text):
        if reading.confirms(rule, match, above):
            words = match.groupdict().get("why") or match[0]
            return Sign(rule.name, rule.kind, one_line(cause_of(words, text)))
    return None


def _matches(text: str) -> Iterator[tuple[TextRule, re.Match[str], str]]:
    """Each rule with what it matches and the line above that."""
    for rule in _BLOCK:
        if holds_any(text, rule.needs) and (match := rule.pattern.search(text)):
            yield rule, match, ""
    rest, _, last = text.rpartition("\n")
    if _opens_like_trouble(last):
        for rule in _LAST:
            if match := rule.pattern.match(text, len(text) - len(last)):
                yield rule, match, rest.rstrip().rpartition("\n")[2]
    closing = text[-CLOSING_LENGTH:]
    if _find_need(closing):
        present = [need for need in _NEEDS if need in closing]
        lines = [line for line in closing.split("\n") if line.strip()][-CLOSING_LINES:]
        for rule in _CLOSING:
            if any(need in present for need in rule.needs):
                yield from ((rule, match, "") for line in lines if (match := rule.pattern.match(line)))
