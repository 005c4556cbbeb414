"""Look at the end of a program's output for a sign that its work failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import inf
from typing import NamedTuple

import msgspec

from warm_tui.reliability.aftermath import ONE_LINE, most_lines_behind, went_on
from warm_tui.reliability.complaint import Complaint
from warm_tui.reliability.complaints import first_complaint
from warm_tui.reliability.elsewhere import brought_in, others_speak, shows_what_a_server_has
from warm_tui.reliability.evidence import Evidence
from warm_tui.reliability.exits import answer_of, own_complaint
from warm_tui.reliability.failed_tests import failed_test_in
from warm_tui.reliability.glances import from_anchors, holds_any
from warm_tui.reliability.outcome import Kind
from warm_tui.reliability.prepared import without_what_was_prepared
from warm_tui.reliability.rules import LAST_LINES, TEXT_RULES, TWO_WORDS, TextRule
from warm_tui.reliability.shell import INTERPRETER, QUIET, SILENT, Script, Simple, parse
from warm_tui.reliability.strangers import complaint_of_a_stranger, runs_a_program, says_well
from warm_tui.reliability.tied import (
    came_through,
    came_to_pass,
    code_told,
    put_before_lines,
    told_to_have_failed,
    went_well,
)
from warm_tui.reliability.tracebacks import HEAD, printed_by_choice
from warm_tui.reliability.uncaught import uncaught_in
from warm_tui.reliability.viewers import is_own_script, is_viewer, shows_a_version
from warm_tui.reliability.words import cause_of, command_of, one_line, telling_line

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
    "set-up",
    "sage: ", "xit status ", "xit code ", "ith code ", "properly f", "not something", "stash ent", "o tracking",
    "RRORS =", "access rights", "ation aborted", ".java:", "ncomplete", "d after thr", "terminated", "^^",
    "le trying to", "[C]: in ?", "cannot parse", "Note about", "try '--", "passwor", "to commit",
    "o response", "g connections",
)  # fmt: skip
# How the first word of a last line ends, or its only one, when a rule for last lines matches it.
_OPENINGS = (":", "Error", "Exception", "Interrupt", "Exit", "Fault", "Failure", "Timeout", "000")
_FIRST_WORDS = frozenset({"Error", "An", "Unable", "ERROR", "Cannot"})
# Compilers whose programs have rows of their own among theirs.
_COMPILERS = frozenset({"rustc"})
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


class Sign(NamedTuple):
    """What tells that work failed: the rule that saw it and the words it points at."""

    rule: str
    kind: Kind
    words: str


def first_sign(tail: str, arguments: str, *, exit_zero: bool) -> Sign | None:
    """The first sign of failed work in the output: at its end, then wherever the programs that ran may complain."""
    text = (tail.replace("\r\n", "\n") if "\r" in tail else tail).rstrip()
    text = _COLOURS.sub("", text) if "\x1b" in text else text
    text = _TIMES.sub("", text) if "\nuser\t" in text and "time" in arguments else text
    calm, tells_a_code = is_calm(text), "$?" in arguments
    if calm and not tells_a_code and not _opens_like_trouble(text[text.rfind("\n") + 1 :]):
        return None
    reading = _Reading(arguments, exit_zero)
    if indents := put_before_lines(reading.script):
        text = "\n".join(line.removeprefix(indents) for line in text.split("\n"))
    reading.text = text = without_what_was_prepared(text, reading.script)
    if tells_a_code and (told := code_told(reading.script)) and (line := told[0].search(text)):
        text = (text[: line.start()] + text[line.end() :]).strip()
        if code := int(line[1]):
            printed = msgspec.Raw(msgspec.json.encode(text))
            answer = answer_of(Evidence(exit_code=code, output=printed), told[1])
            said = telling_line(text)
            words = f"exit code {code}: {cause_of(said, text)}" if said else line[0]
            return None if answer else Sign("told_exit_code", "exit_code", one_line(words))
        reading = _Reading(arguments, exit_zero=True)
        reading.script = told[1]
        calm = is_calm(text)
    sign = _sign_at_end(text, reading)
    if sign is not None or calm:
        return sign
    before = reading.before_last_words(text)
    return _sign_of_complaint(text, reading) or (_sign_at_end(before, reading) if before != text else None)


def _sign_at_end(text: str, reading: _Reading) -> Sign | None:
    for rule, match, above in _matches(text):
        if reading.confirms(rule, match, above):
            words = match.groupdict().get("why") or match[0]
            return Sign(rule.name, rule.kind, one_line(cause_of(words, text)))
    return None


def _sign_of_complaint(text: str, reading: _Reading) -> Sign | None:
    before = reading.before_last_words(text)
    foreseen = [simple.program for simple in reading.script.foreseen]
    complaint = first_complaint(
        reading.script.commands, before, reading.heeds, foreseen, reading.lines_behind, reading.by_choice
    )
    if complaint is not None:
        return Sign(complaint[0].name, "exit_code", one_line(cause_of(complaint[1], text)))
    own = own_complaint(text, reading.unwatched, reading.script)
    if own:
        return Sign("own_complaint", "exit_code", one_line(cause_of(own, text)))
    uncaught = uncaught_in(before) if reading.runs_unwatched else None
    if uncaught and uncaught[0] not in reading.script.text and reading.ended_by(before[uncaught[1] :]):
        return Sign("uncaught", "exception", one_line(uncaught[0]))
    failed = failed_test_in(before, reading.runs_unwatched)
    if failed is not None and not says_well(before):
        return Sign("failed_test", "exit_code", one_line(failed))
    cut = _last_word_of_python(before, reading)
    if cut is not None:
        return Sign("exception_line", "exception", one_line(cut))
    if told := told_to_have_failed(reading.script, text):
        return Sign("told_by_echo", "exit_code", one_line(told))
    strange = complaint_of_a_stranger(text, reading.script, reading.unwatched)
    return Sign("stranger", "exit_code", one_line(cause_of(strange, text))) if strange else None


def _last_word_of_python(text: str, reading: _Reading) -> str | None:
    """What a pipe left of a traceback, above the few lines that the commands behind it can have written."""
    lines, unwatched = text.split("\n"), frozenset(reading.unwatched)
    for head, *later in reading.script.pipelines[:-1]:
        if head not in unwatched or not INTERPRETER.fullmatch(head.program):
            continue
        most = reading.lines_behind(head)
        if later and later[-1].program == "tail" and most != inf:
            found = filter(None, (_RAISED.fullmatch(line) for line in lines[-int(most) - 1 : -1]))
            if (raised := next(found, None)) and HEAD not in text:
                return raised[0]
    return None


# With a package before it or not: nothing that a program would print in passing.
_RAISED = re.compile(r"[A-Za-z_][\w.]{1,120}(?:Error|Exception): (?!\d+(?: \w+)?$).+")


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


class _Reading:
    """The command line a call ran, read when something in its output asks for it, and not before."""

    def __init__(self, arguments: str, exit_zero: bool) -> None:
        self._arguments = arguments
        self._exit_zero = exit_zero
        self.text = ""

    @cached_property
    def script(self) -> Script:
        return parse(command_of(self._arguments))

    @cached_property
    def views(self) -> bool:
        return shows_other_text(self.script, ended_well=self._exit_zero)

    @cached_property
    def trusted(self) -> bool:
        """Would the exit code tell, had the program failed that had the last word?"""
        if self.went_well and self.script.spoke_last and self.script.spoke_last[-1] in self.went_well:
            return True
        return self._exit_zero and not self.script.hides_exit_code

    @cached_property
    def unwatched(self) -> list[Simple]:
        """The commands that can have failed for all that the exit code tells."""
        unwatched = self.script.unwatched if self._exit_zero else self.script.commands
        passed = {*self.script.foreseen, *self.went_well, *self.came_to_pass}
        return [simple for simple in unwatched if not simple.is_hushed and simple not in passed]

    @cached_property
    def came_to_pass(self) -> list[Simple]:
        return came_to_pass(self.script, self.text) if self._exit_zero else []

    @cached_property
    def made_good(self) -> list[Simple]:
        """What stands before `||`, where it is known that what stands behind it ended well."""
        if self.trusted and self._exit_zero:
            return self.script.foreseen
        ways = self.script.foreseen_with_the_next
        return [simple for simple, next_way in ways if next_way in self.went_well]

    @cached_property
    def went_well(self) -> list[Simple]:
        return went_well(self.script, self.text)

    @cached_property
    def reads_a_pipe(self) -> list[Simple]:
        """The commands that read what came through a pipe, and no file."""
        later = [simple for pipeline in self.script.pipelines for simple in pipeline[1:]]
        return [simple for simple in later if all(arg[:1] in "-+" or arg.isdigit() for arg in simple.args)]

    def before_last_words(self, text: str) -> str:
        """The output without the lines that `echo` put behind it: `failing; echo done`."""
        for words in self.script.spoken_last:
            rest, _, last = text.rpartition("\n")
            if words is None or last.strip() == words.strip():
                text = rest.rstrip()
        return text

    def heeds(self, row: Complaint, simple: Simple) -> bool:
        """Does this complaint of that command tell more than the exit code does?"""
        if (
            (row.certain_exit and simple not in self.unwatched)
            or shows_what_a_server_has(simple)
            or shows_a_version(simple)
        ):
            return False
        if simple in self.came_to_pass or (simple.program == "curl" and came_through(self.text, self.script)):
            return False
        return not (row.tolerates & set(simple.args) or (simple in self.reads_a_pipe and row.needs_a_file))

    @cached_property
    def behind(self) -> Mapping[Simple, float]:
        return {} if self.script.goes_round else most_lines_behind(self.script)

    def lines_behind(self, simple: Simple) -> float:
        """How many lines others may have written behind what this command said last."""
        return self.behind.get(self.made_by(simple), inf)

    def made_by(self, simple: Simple) -> Simple:
        """The one program that a compiler made and the line then ran: it is that which crashes, or goes on."""
        if simple.program not in _COMPILERS:
            return simple
        made = [each for each in self.script.commands if is_own_script(each.program, self.script)]
        return made[0] if len(made) == 1 else simple

    def by_choice(self, text: str, begins: int) -> bool:
        """Was what begins there printed by a program that went on?"""
        return printed_by_choice(text, begins, self.script)

    @cached_property
    def runs_unwatched(self) -> list[Simple]:
        """The programs whose exit code is lost, where no other shows a file."""
        if others_speak(self.script):
            return []
        return [simple for simple in self.unwatched if runs_a_program(simple)]

    def ended_by(self, behind: str) -> bool:
        """Did what was raised end one of them, or did it go on?"""
        return any(not went_on(behind, self.lines_behind(simple)) for simple in self.runs_unwatched)

    def confirms(self, rule: TextRule, match: re.Match[str], above: str) -> bool:
        if (self.views and not rule.views) or (self.trusted and self.outweighs(rule)):
            return False
        over = self.came_to_pass + self.made_good
        if over and (who := match.groupdict().get("who")):
            speaks = [simple for simple in self.script.commands if simple.program == who]
            if speaks and all(simple in over for simple in speaks):
                return False
        return rule.check is None or rule.check(match, self.script, above)

    def outweighs(self, rule: TextRule) -> bool:
        """Is an exit code of 0 stronger than what this rule saw?"""
        if rule.against_zero != "wrapper":
            return rule.against_zero == "hides"
        return any(INTERPRETER.fullmatch(simple.program) for simple in self.script.spoke_last)


def shows_other_text(script: Script, *, ended_well: bool) -> bool:
    """Does the output end with what a viewer shows, so that words in it prove nothing?

    When all ended well, the last command had the last word; else `&&` may have stopped at an earlier.
    """
    sources = _without_one_liners(script).possible_sources()
    if ended_well:
        del sources[1:]
    brought = brought_in(script)
    return bool(sources) and all(is_viewer(simple) or simple in brought for simple in sources)


def _without_one_liners(script: Script) -> Script:
    """Up to the last command that says more than the date or the folder."""
    last = len(script.pipelines)
    while last > 1 and script.pipelines[last - 1][-1].program in QUIET | SILENT | ONE_LINE:
        last -= 1
    return script._replace(
        pipelines=script.pipelines[:last],
        joints=(*script.joints[: last - 1], script.joints[-1]) if script.joints else (),
    )
