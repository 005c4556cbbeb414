"""What the rules look for: the predicates and the wordings that their rows name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from warm_tui.reliability.complaints import first_complaint, has_rows
from warm_tui.reliability.elsewhere import SERVED, brought_in, shows_what_a_server_has
from warm_tui.reliability.evidence import NO, NOTHING, Evidence, all_failed
from warm_tui.reliability.linters import linter_in
from warm_tui.reliability.shell import INTERPRETER, Script, Simple, script_of
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.strangers import counts_no_errors, means_well, runs_a_program
from warm_tui.reliability.tied import came_through
from warm_tui.reliability.tracebacks import HEAD, is_dealt_with, nobody_caught, was_over
from warm_tui.reliability.viewers import is_followed, is_loud, is_own_script, shows_a_version
from warm_tui.reliability.words import (
    cause_of,
    command_of,
    last_line,
    passes_on,
    telling_line,
    with_line_below,
    without_frames,
)

# --- Fields of a result ------------------------------------------------------------------------------


def error_words(e: Evidence) -> str:
    """What the result itself gives as the cause, in the words it uses."""
    for value in (e.error, e.message, e.errors):
        if isinstance(value, str) and value.strip():
            return without_frames(value)
        if isinstance(value, dict) and isinstance(value.get("message"), str):
            return str(value["message"])
        if value and not isinstance(value, bool):
            return json.dumps(value, default=str)
    last = last_line(e.words_of(1000))
    if last:
        return last
    return f"status: {e.status}" if isinstance(e.status, str) else "the result says so"


def _mentions(*patterns: str, needs: tuple[str, ...]) -> Callable[[Evidence], bool]:
    """`needs`: strings of which one stands in whatever the patterns match, in small letters."""
    search = re.compile("|".join(patterns), re.IGNORECASE).search

    def found_in(value: object) -> bool:
        if not isinstance(value, str):
            return False
        words = value[:1000]
        small = words.lower()
        for need in needs:
            if need in small:
                return search(words) is not None
        return False

    return lambda e: found_in(e.error) or found_in(e.message)


_says_denied = _mentions(
    r"^\W*blocked\b",
    r"\b(?:permission|access|user|approval|request)\b[^.\n]{0,40}\b(?:denied|declined|refused|rejected)\b",
    r"\bdenied by\b",
    r"\bnot (?:allowed|permitted|authori[sz]ed)\b",
    needs=("blocked", "denied", "declined", "refused", "rejected", "not "),
)
_says_timeout = _mentions(r"\btimed?[ -]?out\b", r"\btimeout\b", r"\bdeadline exceeded\b", needs=("time", "deadline"))
_says_interrupted = _mentions(
    r"\b(?:cancell?ed|interrupted|aborted) by (?:the )?user\b", r"\buser interrupt", needs=("user",)
)
_says_protocol = _mentions(
    r"\bunknown (?:tool|function)\b",
    r"\b(?:tool|function) \S{1,80} (?:does not exist|not found|is not available)",
    r"\binvalid (?:json|tool) arguments?\b",
    r"\bmissing required (?:argument|parameter)",
    needs=("unknown ", "tool ", "function ", "invalid ", "missing required "),
)
_INTERRUPTED = frozenset({"interrupted", "cancelled", "canceled"})
_DENIED = frozenset({"blocked", "denied", "approval_required", "pending_approval", "rejected", "forbidden"})
_TIMED_OUT = frozenset({"timeout", "timed_out"})
_ENDED = frozenset({"killed", "already_exited"})
_BAD = frozenset({"error", "failed", "failure", "not_found", "unavailable", "invalid", "exception", "crashed"})
_NEVER_RAN = (None, -1)
HTTP_ERROR = 400


def is_at_fault(e: Evidence) -> bool:
    """Does it say itself that it failed, so that its message is about that, and not what was asked for?"""
    return bool(e.error or e.errors) or _is_down(e)


def was_interrupted(e: Evidence, _arguments: str) -> str | None:
    if e.has_status(_INTERRUPTED) or (is_at_fault(e) and _says_interrupted(e)):
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


def exit_code(e: Evidence, arguments: str) -> str | None:
    """`exit code 127: bash: line 3: foo: command not found`."""
    if not e.code:
        return None
    words = without_frames(e.error) if isinstance(e.error, str) and e.error.strip() else _cause(e, arguments)
    if not words and isinstance(e.exit_code_meaning, str):
        words = e.exit_code_meaning
    return f"exit code {e.code}: {words}" if words else f"exit code {e.code}"


def _cause(e: Evidence, arguments: str) -> str:
    """What the end of the output says, else what a program of the line complains of, else the last line."""
    end = e.words_of(600)
    words = telling_line(end)
    if words and not passes_on(words):
        return with_line_below(words, end)
    tail = e.words_of(3000)
    if words:
        return cause_of(words, tail)
    complaint = first_complaint(parse(command_of(arguments)).commands, tail, lambda _row, _simple: True)
    return cause_of(complaint[1], tail) if complaint else last_line(tail)


def broke_protocol(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.error and _says_protocol(e) else None


def has_error(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if e.error or e.errors else None


def flag_is_down(e: Evidence, _arguments: str) -> str | None:
    return error_words(e) if _is_down(e) else None


def _is_down(e: Evidence) -> bool:
    return (
        (e.success is not None and e.success in NO)
        or (e.ok is not None and e.ok in NO)
        or e.is_error is True
        or e.isError is True
    )


def every_part_failed(e: Evidence, _arguments: str) -> str | None:
    return all_failed(e.results) if e.results is not NOTHING else None


def status_is_bad(e: Evidence, _arguments: str) -> str | None:
    for code in (e.status, e.status_code, e.statusCode):
        if type(code) is int and code >= HTTP_ERROR:
            return f"status {code}: {error_words(e)}" if e.message or e.error else f"status {code}"
    return error_words(e) if e.has_status(_BAD) else None


# --- The end of an output ----------------------------------------------------------------------------

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


def was_raised(match: re.Match[str], script: Script, above: str) -> bool:
    """Frames stand above it, or a pipe may have cut them off: else the program printed it by choice.

    Words that stand in the command line itself, as those of a script that it writes, are printed, too.
    """
    if match[0] in script.text or _ONE_OF_A_LIST.fullmatch(f"{above}\n{match[0]}"):
        return False
    if above[:1].isspace():
        begins = match.string.rfind(HEAD, 0, match.start())
        return begins < 0 or _left(match.string, begins, script)
    return script.hides_exit_code and (script.cuts_lines or not _speaks_python(script))


# What only names exceptions is a list of them.
_ONE_OF_A_LIST = re.compile(r"[\w:.]+(?:Error|Exception)\n[\w:.]+")


def below_a_raise(_match: re.Match[str], _script: Script, above: str) -> bool:
    """The line above is the source that raised it, or marks the place in it."""
    return above.lstrip().startswith("raise ") or (above[:1].isspace() and not above.strip(" ^~"))


def left_its_program(match: re.Match[str], script: Script, _above: str) -> bool:
    """What nobody caught begins at the top of the program, without a heading; else it was caught there, and printed."""
    return _left(match.string, match.start(), script)


def _left(text: str, begins: int, script: Script) -> bool:
    if _speaks_python(script):
        return nobody_caught(text, begins, script)
    return not was_over(text[:begins], script)


def is_no_report(match: re.Match[str], script: Script, above: str) -> bool:
    """Neither a count of none nor, of a Python script, one line of a list of errors: giving up is said once."""
    if means_well(match[0]) or _NONE_FAILED.search(match.string[-600:]):
        return False
    if is_dealt_with(match.string, match.start(), script) or counts_no_errors(above):
        return False
    if not _speaks_python(script):
        return not (match[0].startswith("error:") and _CAUGHT_SO & {each.program for each in script.commands})
    head, _, words = match[0].partition(": ")
    said_above = above.startswith(f"{head}:") or above.endswith(f": {words}")
    return not said_above and f"print(f'{head}:" not in script.text.replace('"', "'")


# Their runtimes open with a capital or with their own name: in small letters it is the script that speaks.
_CAUGHT_SO = frozenset(
    "lua lua5.1 lua5.3 lua5.4 luajit ocaml guile swipl racket sbcl clisp ecl tclsh elixir iex escript".split()
)


def _speaks_python(script: Script) -> bool:
    return any(INTERPRETER.fullmatch(simple.program) for simple in script.possible_sources())


def runs_a_script(match: re.Match[str], script: Script, _above: str) -> bool:
    """A program that is known speaks, and a script that a shell ran may have started it."""
    speaker = match["who"].rsplit("/", 1)[-1]
    return any(
        has_rows(speaker) or script_of(simple).partition(".")[0] == speaker
        for simple in script.possible_sources()
        if script_of(simple)
    )


def asks_curl(match: re.Match[str], script: Script, _above: str) -> bool:
    """Where a script asked, its exit code tells what came of it; and that one of two ways may fail is foreseen."""
    if came_through(match.string, script):
        return False
    ways = sum(simple.program == "curl" for simple in script.foreseen)
    if ways and match.string.count("curl: (") <= ways:
        return False
    if "curl" in script.text or not script.hides_exit_code:
        return "curl" in script.text
    spoke, brought = script.possible_sources() or script.substituted, brought_in(script)
    return any(_starts_others(each) and each not in brought for each in spoke)


def ran_tests(match: re.Match[str], script: Script, above: str) -> bool:
    return may_have_tested(match, script, above) and not any(script.names(flag) for flag in _ASKED_ONLY)


def may_have_tested(_match: re.Match[str], script: Script, _above: str) -> bool:
    """Does a program run in this line at all? What only shows files shows the end of another's tests."""
    brought = brought_in(script)
    ran = script.commands
    return not ran or any(
        not _STARTS_ANOTHER.isdisjoint(each.args) or (_starts_others(each) and each not in brought) for each in ran
    )


def _starts_others(simple: Simple) -> bool:
    return runs_a_program(simple) and is_loud(simple)


# `find ... -exec pytest {} +`
_STARTS_ANOTHER = frozenset("-exec -execdir -x -X --exec --exec-batch".split())


def may_be_of_a_script(_match: re.Match[str], script: Script, _above: str) -> bool:
    return any(INTERPRETER.fullmatch(each.program) or is_own_script(each.program, script) for each in script.commands)


def no_linter_speaks(match: re.Match[str], script: Script, _above: str) -> bool:
    """A linter's findings are what it was asked for; what was to start it says that it could not."""
    return match[0].startswith("npm ") or not any(linter_in(simple) for simple in script.possible_sources())


def asks_a_server(_match: re.Match[str], script: Script, _above: str) -> bool:
    return any(simple.program in SERVED for simple in script.possible_sources())


def got_nothing(match: re.Match[str], script: Script, above: str) -> bool:
    """Where it shows what a server has, it says so and nothing else."""
    shows = above and any(map(shows_what_a_server_has, script.possible_sources()))
    return not shows and asks_a_server(match, script, above)


def answers_for_itself(match: re.Match[str], script: Script, above: str) -> bool:
    """It has no log to show when it says so; what else stands in one is whoever's wrote it."""
    asked = [simple for simple in script.possible_sources() if simple.program in SERVED]
    if any(map(shows_what_a_server_has, asked)):
        return not above and not match[0].startswith("ERROR")
    return bool(asked) and not match[0].startswith("Error")


def echoes_exit_code(_match: re.Match[str], script: Script, _above: str) -> bool:
    return "$?" in script.text


_RUNS_SUDO = re.compile(r"(?:^|[;&|({\n]|\b(?:do|then|else|time) |(?:-c|\bssh \S{1,80}) ['\"]?) ?sudo\s")


def asks_sudo(_match: re.Match[str], script: Script, _above: str) -> bool:
    return _RUNS_SUDO.search(script.text) is not None


def commits(_match: re.Match[str], script: Script, _above: str) -> bool:
    """Not where `git status` may say the same, or the line goes on to other work."""
    git = [simple for simple in script.commands if simple.program == "git"]
    commits = [simple for simple in git if simple.args[:1] == ("commit",)]
    told = any(simple.args[:1] == ("status",) for simple in git)
    return bool(commits) and not told and "||" not in script.joints and not is_followed(commits[-1], script)


def of_git(match: re.Match[str], script: Script, above: str) -> bool:
    """Where it shows a file of another time, it says so and nothing else."""
    versions = [simple for simple in script.possible_sources() if shows_a_version(simple)] if above else []
    return script.names("git") and (not versions or any(_is_about(match[0], simple.args[-1]) for simple in versions))


def _is_about(words: str, version: str) -> bool:
    """`fatal: path 'b.py' does not exist in 'HEAD'`, where `HEAD:b.py` was asked for."""
    return any(f"'{part}'" in words for part in version.split(":", 1) if part)


_NONE_FAILED = re.compile(
    r"(?m)^ *[1-9]\d* passing\b(?![\s\S]*\bfailing\b)"
    r"|^\d+ (?:runs|tests|examples)\b.*\b0 failures\b(?!.*[1-9]\d* errors)"
)


def asks_http_code(_match: re.Match[str], script: Script, _above: str) -> bool:
    return "curl" in script.text and "http_code" in script.text
