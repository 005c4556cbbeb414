"""What the rules look for: the predicates and the wordings that their rows name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from warm_tui.reliability.evidence import Evidence
from warm_tui.reliability.shell import Script, Simple, parse
from warm_tui.reliability.words import command_of, last_line, telling_line

if TYPE_CHECKING:
    from warm_tui.reliability.rules import BenignExit

# --- Fields of a result ------------------------------------------------------------------------------


def error_words(e: Evidence) -> str:
    """What the result itself gives as the cause, in the words it uses."""
    for value in (e.error, e.message):
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, dict) and isinstance(value.get("message"), str):
            return str(value["message"])
        if value and not isinstance(value, bool):
            return json.dumps(value, default=str)
    last = last_line(e.words_of(1000))
    if last:
        return last
    return f"status: {e.status}" if isinstance(e.status, str) else "the result says so"


def _mentions(*patterns: str) -> Callable[[Evidence], bool]:
    search = re.compile("|".join(patterns), re.IGNORECASE).search

    def test(e: Evidence) -> bool:
        if e.error is None and e.message is None:
            return False
        return any(isinstance(value, str) and search(value[:1000]) is not None for value in (e.error, e.message))

    return test


_says_denied = _mentions(
    r"^\W*blocked\b",
    r"\b(?:permission|access|user|approval|request)\b[^.\n]{0,40}\b(?:denied|declined|refused|rejected)\b",
    r"\bdenied by\b",
    r"\bnot (?:allowed|permitted|authori[sz]ed)\b",
)
_says_timeout = _mentions(r"\btimed?[ -]?out\b", r"\btimeout\b", r"\bdeadline exceeded\b")
_says_interrupted = _mentions(r"\b(?:cancell?ed|interrupted|aborted) by (?:the )?user\b", r"\buser interrupt")
_says_protocol = _mentions(
    r"\bunknown (?:tool|function)\b",
    r"\b(?:tool|function) \S{1,80} (?:does not exist|not found|is not available)",
    r"\binvalid (?:json|tool) arguments?\b",
    r"\bmissing required (?:argument|parameter)",
)
_INTERRUPTED = frozenset({"interrupted", "cancelled", "canceled"})
_DENIED = frozenset({"blocked", "denied", "approval_required", "pending_approval", "rejected", "forbidden"})
_TIMED_OUT = frozenset({"timeout", "timed_out"})
_ENDED = frozenset({"killed", "already_exited"})
_BAD = frozenset({"error", "failed", "failure", "not_found", "unavailable", "invalid", "exception", "crashed"})
_NEVER_RAN = (None, -1)


def was_interrupted(e: Evidence, _arguments: str) -> str | None:
    if e.has_status(_INTERRUPTED) or _says_interrupted(e):
        return error_words(e)
    return "[Command interrupted]" if e.code == 130 and "[Command interrupted]" in e.words_of(200) else None


def was_denied(e: Evidence, _arguments: str) -> str | None:
    if e.has_status(_DENIED) or (e.error and e.code in _NEVER_RAN and _says_denied(e)):
        return error_words(e)
    return None


def timed_out(e: Evidence, _arguments: str) -> str | None:
    if e.has_status(_TIMED_OUT) or (e.error and e.code in _NEVER_RAN and _says_timeout(e)):
        return error_words(e)
    if e.code == 124 and ("timed out" in e.words_of(300).lower() or not e.words_of(10)):
        return last_line(e.words_of(300)) or "exit code 124: the command timed out"
    return None


def ended_on_purpose(e: Evidence, _arguments: str) -> str | None:
    """A report on another process that was told to end: its exit code is no fault of this call."""
    return "" if e.has_status(_ENDED) and not e.error else None


def exit_code(e: Evidence, _arguments: str) -> str | None:
    """`exit code 127: bash: line 3: foo: command not found`."""
    if not e.code:
        return None
    words = e.error if isinstance(e.error, str) and e.error.strip() else telling_line(e.words_of(600))
    if not words and isinstance(e.exit_code_meaning, str):
        words = e.exit_code_meaning
    return f"exit code {e.code}: {words}" if words else f"exit code {e.code}"


def broke_protocol(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.error and _says_protocol(e) else None


def has_error(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.error else None


def flag_is_down(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.success is False or e.ok is False or e.is_error is True or e.isError is True else None


def status_is_bad(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.has_status(_BAD) else None


# --- Exit codes that answer a question ---------------------------------------------------------------

_XARGS_INNER_FAILED = 123


def benign_exit(e: Evidence, arguments: str, table: Iterable[BenignExit]) -> str | None:
    """What a non-zero exit code answers; None where it is a failure."""
    code = e.code
    if not code or e.error:
        return None
    script = parse(command_of(arguments))
    note = e.exit_code_meaning
    # Hermes adds a note to some codes, benign or not; only this word of it is clear.
    if isinstance(note, str) and "not an error" in note.lower():
        words = f"exit code {code}: {note}"
    elif script.last is not None and (row := _row_for(script.last, code, table)):
        if row.silent and e.words_of(10).strip():
            return None
        words = f"exit code {code} of {script.last.program}: {row.means}"
    else:
        return None
    output = e.words_of(4000)
    return None if output and has_complaint(output, script) else words


def _row_for(simple: Simple, code: int, table: Iterable[BenignExit]) -> BenignExit | None:
    program, args = simple
    if program == "xargs" and args:
        code = 1 if code == _XARGS_INNER_FAILED else code
        program, args = args[0], args[1:]
    for row in table:
        if program in row.programs and code in row.codes and not (row.words and row.words.isdisjoint(args)):
            return row
    return None


def has_complaint(output: str, script: Script) -> bool:
    """Does any line of the output say that one of the programs could not do its work?"""
    from warm_tui.reliability.rules import COMPLAINT

    matches = (COMPLAINT.pattern.match(line) for line in output.split("\n"))
    return any(match is not None and speaks_here(match, script) for match in matches)


# --- The end of an output ----------------------------------------------------------------------------

LINTERS = frozenset(
    "pylint flake8 ruff mypy pyright eslint tslint shellcheck rubocop golangci-lint tsc cppcheck clang-tidy "
    "pycodestyle pydocstyle bandit hadolint yamllint stylelint".split()
)
_HOSTS = re.compile(r"-?(?:ba|z|da|k)?sh|python[\d.]*|env|sudo|xargs|nohup|timeout|node|perl|ruby")
_ASKED_ONLY = (
    "--fixtures",
    "--markers",
    "--collect-only",
    "--co",
    "--setup-plan",
    "--help",
    "-h",
    "--version",
)


def speaks_here(match: re.Match[str], script: Script, _above: str = "") -> bool:
    """The line begins with the name of a program of this very command, or of the shell that runs it."""
    speaker = match["who"].rsplit("/", 1)[-1]
    return script.names(speaker) or _HOSTS.fullmatch(speaker) is not None


def was_raised(_match: re.Match[str], script: Script, above: str) -> bool:
    """Frames stand above it, or a pipe may have cut them off: else the program printed it by choice."""
    return script.hides_exit_code or above[:1].isspace()


def ran_tests(_match: re.Match[str], script: Script, _above: str) -> bool:
    return not any(script.names(flag) for flag in _ASKED_ONLY)


def ends_with_a_linter(_match: re.Match[str], script: Script, _above: str) -> bool:
    return any(simple.program in LINTERS for simple in script.possible_sources())


def asks_http_code(_match: re.Match[str], script: Script, _above: str) -> bool:
    return "curl" in script.text and "http_code" in script.text
