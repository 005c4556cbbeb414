"""The rules of the judge: three tables here, and those of `exits.py`, `complaints.py`, `uncaught.py`, `failed_tests.py`
and `brief.py`.

FIELD_RULES read what a JSON result says of itself, in order; the first that applies decides.
MESSAGE_RULES know what a tool says in plain words when it failed; what an agent writes in place of a result is a
fact of its source.
TEXT_RULES know what the end of a program's output looks like when its work failed.

Every row has a name and an example, and the tests hold every row to its own. A new tool needs a row
here, not a branch elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from warm_tui.reliability import signs
from warm_tui.reliability.evidence import Evidence
from warm_tui.reliability.exits import COMPLAINT, ZSH_COMPLAINT, benign_exit, speaks_here
from warm_tui.reliability.outcome import Kind, Outcome
from warm_tui.reliability.shell import Script

# --- What a JSON result says of itself ---------------------------------------------------------------


class FieldRule(NamedTuple):
    """One thing a result can say. `says` sees its fields and the call's arguments, and gives the reason."""

    name: str
    outcome: Outcome
    kind: Kind
    says: Callable[[Evidence, str], str | None]
    example: tuple[str, str, str]  # tool, arguments, result


FIELD_RULES: tuple[FieldRule, ...] = (
    FieldRule(
        "interrupted", "unknown", "interrupted", signs.was_interrupted,
        ("terminal", "{}", '{"error": "Tool execution cancelled by user interrupt", "status": "cancelled"}'),
    ),
    FieldRule(
        "denied", "failure", "denied", signs.was_denied,
        ("terminal", "{}", '{"output": "", "exit_code": -1, "error": "BLOCKED: User denied", "status": "blocked"}'),
    ),
    FieldRule(
        "timeout", "failure", "timeout", signs.timed_out,
        ("terminal", "{}", '{"output": "[Command timed out after 2s]", "exit_code": 124, "error": null}'),
    ),
    FieldRule(
        "ended_on_purpose", "success", "ok", signs.ended_on_purpose,
        ("process", '{"action": "kill"}', '{"status": "already_exited", "exit_code": -15, "output": ""}'),
    ),
    FieldRule(
        "benign_exit", "success", "benign_exit", benign_exit,
        ("terminal", '{"command": "grep -rn nothing src"}', '{"output": "", "exit_code": 1, "error": null}'),
    ),
    FieldRule(
        "exit_code", "failure", "exit_code", signs.exit_code,
        ("terminal", '{"command": "frob"}',
         '{"output": "bash: frob: command not found", "exit_code": 127, "error": null}'),
    ),
    FieldRule(
        "protocol", "failure", "protocol", signs.broke_protocol,
        ("frob", "{}", '{"error": "Unknown tool: frob"}'),
    ),
    FieldRule(
        "error_field", "failure", "tool_error", signs.has_error,
        ("read_file", '{"path": "a"}', '{"content": "", "error": "File not found: a"}'),
    ),
    FieldRule(
        "success_flag", "failure", "tool_error", signs.flag_is_down,
        ("patch", "{}", '{"success": false, "message": "no match"}'),
    ),
    FieldRule(
        "every_part", "failure", "tool_error", signs.every_part_failed,
        ("web_extract", "{}", '{"results": [{"url": "a", "error": "Timeout"}]}'),
    ),
    FieldRule(
        "status", "failure", "tool_error", signs.status_is_bad,
        ("execute_code", "{}", '{"status": "error", "output": "NameError: x"}'),
    ),
)  # fmt: skip


# --- What a tool says in plain words -------------------------------------------------------------------


class MessageRule(NamedTuple):
    """A text by which a tool tells that it did not do its work. Matched at its start.

    For what was not run: what was, prints anything. What an agent writes itself is a fact of its source.
    """

    name: str
    outcome: Outcome
    kind: Kind
    pattern: re.Pattern[str]
    example: str


MESSAGE_RULES: tuple[MessageRule, ...] = (
    MessageRule(
        "refused", "failure", "denied",
        re.compile(r"\W{0,3}(?:BLOCKED|Blocked|DENIED|Permission denied|Access denied|Command denied)\b[^\n]{0,120}"),
        "BLOCKED: User denied this command.",
    ),
    MessageRule(
        "error_message", "failure", "tool_error",
        # Short and nothing but an error: a file that begins with "Error" has more to say than that.
        re.compile(
            r"(?:[#\W]{0,5}(?:[Ee]rror|ERROR|Exception|Failure|Fatal)"
            r"(?: (?:while|when|in|on|at|from|during|calling|running|executing|fetching|reading|code|occurred)\b"
            r"[^\n:]{0,80})?:?(?=\s)(?!\s*[-+]?\d)(?! \w+:)[^\n]*"
            r"|[Ff]ailed to [^\n]*|[A-Z]\w*(?:Error|Exception): [^\n]*|Request failed with status code \d+[^\n]*"
            r"|(?:Unauthorized|Forbidden)\b[^\n]*|Input validation error[^\n]*|\d+ validation errors? for [^\n]*)"
            r"(?:\n[^\n]*){0,3}\s*\Z"
        ),
        "Error: Reservation not found",
    ),
)  # fmt: skip


# --- What the end of a program's output looks like when its work failed -------------------------------


class TextRule(NamedTuple):
    """`pattern` matches a whole line of the output's end; `where` says which lines are tried.

    `last`: the last line. It has to open with `name:` or `[`, or to name an exception: so much is looked
    at first, for speed. `closing`: the last eight lines; such a rule names what it `needs`, strings of
    which one stands in whatever it matches. `block`: the pattern runs over lines, and needs such strings, too.

    against_zero: does it outweigh an exit code of 0? `always`; only where the command line `hides` the
    exit code of the program that spoke (a pipe, `|| true`, `; echo`); or in a `wrapper`, too: but where an
    interpreter itself ended with 0, it left nothing uncaught, and printed what it had caught.
    views: it holds even for the output of a program that shows other people's text, like cat or grep.
    check: has the last say, knowing the command line and the line above.
    """

    name: str
    kind: Kind
    where: Literal["last", "closing", "block"]
    pattern: re.Pattern[str]
    examples: tuple[tuple[str, str], ...]  # command, output
    needs: tuple[str, ...] = ()
    against_zero: Literal["always", "hides", "wrapper"] = "hides"
    views: bool = False
    check: Callable[[re.Match[str], Script, str], bool] | None = None


def _re(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts))


_ENDINGS = ("Error", "Exception", "Interrupt", "Exit", "Fault", "Failure", "Timeout")
_EXCEPTION = rf"(?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*(?:{'|'.join(_ENDINGS)})"
# `psycopg.errors.UniqueViolation`
_OF_ERRORS = r"(?:[a-z_]\w*\.){1,9}(?:errors?|exceptions?)\.[A-Z]\w+"

TEXT_RULES: tuple[TextRule, ...] = (
    TextRule(
        "timed_out", "timeout", "last",
        _re(r"\[(?:Command|Process) timed out[^\n\]]*\]\Z"),
        (("sleep 9", "[Command timed out after 2s]"),),
        against_zero="always", views=True,
    ),
    TextRule(
        "traceback", "exception", "block",
        _re(r"(?m)^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)+",
            r"(?P<why>(?!Traceback)[A-Za-z_][\w.]*(?::.*)?)\Z"),
        (("python a.py", 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 3'),),
        needs=("Traceback (most recent call last)",), against_zero="wrapper", check=signs.left_its_program,
    ),
    TextRule(
        "traceback_begun", "exception", "block",
        _re(r"(?m)^(?P<why>Traceback \(most recent call last\):)\n(?:[ \t].*\n)*[ \t].*\Z"),
        (("python a.py 2>&1 | head -2", 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>'),),
        needs=("Traceback (most recent call last)",), check=signs.left_its_program,
    ),
    TextRule(
        "exception_line", "exception", "last",
        _re(rf"(?P<why>(?:{_EXCEPTION}|{_OF_ERRORS}|Error(?= \[[A-Z]))(?: \[\w+\])?(?:: .*)?)\Z"),
        (("frob 2>&1 | tail -1", "KeyError: 'id'"),
         ("python a.py", '  File "a.py", line 3, in f\n    g()\nKeyError: 1')),
        check=signs.was_raised,
    ),
    TextRule(
        "exception_of_package", "exception", "last",
        _re(r"(?P<why>[a-z_]\w*(?:\.\w+){1,9}: .*)\Z"),
        (("frob 2>&1 | tail -2", "    raise error from e\nfrob.exceptions.PlanNotFound: no plan"),),
        check=signs.below_a_raise,
    ),
    TextRule(
        "exception_of_lines", "exception", "block",
        _re(rf"(?m)^[ \t]*(?:raise\b.*|[\^~ ]+)\n(?P<why>{_EXCEPTION}: .*)\n(?:[ \t]+\S.*\n?){{1,9}}\Z"),
        (("frob 2>&1 | tail -3", "    raise error\nfrob.ParseError: expecting )\n  select (1 from"),),
        needs=tuple(f"{ending}: " for ending in _ENDINGS),
    ),
    TextRule(
        "syntax_error", "exception", "last",
        _re(r"\s*(?P<why>(?:SyntaxError|IndentationError|TabError): .*)\Z"),
        (("python a.py", '  File "a.py", line 1\n    def x(:\n          ^\nSyntaxError: invalid syntax'),),
    ),
    TextRule(
        "complaint_of_zsh", "exit_code", "last", ZSH_COMPLAINT,
        (("frob | tail -1", "zsh:1: command not found: frob"), ("ls *.rs; frob", "(eval):1: no matches found: *.rs")),
        against_zero="always", views=True,
    ),
    TextRule(
        "complaint", "exit_code", "last",
        COMPLAINT,
        (("frob", "bash: line 1: frob: command not found"),
         ("cat a 2>&1 | head -1", "cat: a: No such file or directory"),
         ("python a.py", "python: can't open file 'a.py': [Errno 2] No such file or directory")),
        against_zero="always", views=True, check=speaks_here,
    ),
    TextRule(
        "tar_in_script", "exit_code", "last",
        _re(r"(?P<who>tar): (?:Exiting with failure status due to previous errors",
            r"|Error is not recoverable: exiting now)\Z"),
        (("./pack.sh", "tar: Exiting with failure status due to previous errors"),),
        check=signs.runs_a_script,
    ),
    TextRule(
        "complaint_in_script", "exit_code", "last",
        COMPLAINT,
        (("bash a.sh", "cp: cannot stat 'a': No such file or directory"),),
        check=signs.runs_a_script,
    ),
    TextRule(
        "said_to_have_failed", "exit_code", "last",
        _re(r"[A-Za-z][\w-]{1,30} failed: (?:(?:Error: )?E[A-Z]{4,12}: .*|(?:.* )?(?:No such file or directory",
            r"|Permission denied|Connection (?:refused|reset by peer|timed out)|No space left on device",
            r"|Name or service not known|Operation timed out|fetch failed)>?(?:: '[^'\n]{1,200}')?)\Z"),
        (("node a.js", "Upload failed: EACCES: permission denied, open '/srv/a.png'"),
         ("python a.py", "Sync failed: <urlopen error [Errno 111] Connection refused>")),
        against_zero="always", check=signs.is_no_report,
    ),
    TextRule(
        "it_failed", "exit_code", "last",
        # Not what counts, dates or lists what failed.
        _re(r"(?:[A-Z][a-z]{2,20} failed|[Aa]borted): (?!\d+\s*\Z|0\b|\[|\d{4}-\d\d|\W*\Z",
            r"|(?i:no|none|never|false|null)\W*\Z).*\Z"),
        (("node build.js | tail -1", "Build failed: 2 items missing"),
         ("python load.py | tail -1", "aborted: only 2 of 4 rows are valid")),
        check=signs.is_no_report,
    ),
    TextRule(
        "complaint_of_sudo", "exit_code", "last",
        _re(r"sudo: (?:a password is required|a terminal is required to .*|no tty present .*|unknown user:? .*",
            r"|sorry, .*|\d+ incorrect password attempts?|error initializing audit plugin .*)\Z"),
        (("sudo apt-get update | tail -1", "sudo: a password is required"),),
        against_zero="always", views=True, check=signs.asks_sudo,
    ),
    TextRule(
        "answer_is_no", "exit_code", "last",
        _re(r"\{\\?\"(?:success|ok)\\?\": ?false, ?\\?\"error\\?\":",
            r"(?! ?(?:null|\\?\"\\?\"|false|\{\})) ?(?P<why>.*)\}\Z"),
        (("python a.py", '{"success": false, "error": "quota exceeded"}'),),
        against_zero="always",
    ),
    TextRule(
        "usage_error", "exit_code", "last",
        _re(r"(?P<who>[\w./+-]+): (?:fatal )?[Ee]rror(?::| (?:in|on|at|while|when|during|\w+ing|\d)\b(?! is\b)).*\Z"),
        (("tool -z", "usage: tool [options]\ntool: error: one of -a and -b is required"),),
        check=speaks_here,
    ),
    TextRule(
        "error_line", "exit_code", "last",
        _re(r"(?:\[?(?:ERROR|FATAL|Error|Fatal|fatal|error)\]?(?:\[\w+\])?:(?=\s).*|E: .*)\Z"),
        (("git checkout none", "error: pathspec 'none' did not match any file(s) known to git"),
         ("pytest none.py", "=== no tests ran ===\nERROR: file not found: none.py")),
        check=signs.is_no_report,
    ),
    TextRule(
        "git_error", "exit_code", "last",
        _re(r"(?:fatal|error): .*\Z"),
        (("git log", "fatal: your current branch 'main' does not have any commits yet"),),
        views=True, check=signs.of_git,
    ),
    TextRule(
        "remote_error", "exit_code", "last",
        _re(r"(?:Error from server\b.*|Error response from daemon: .*|gh: .*\(HTTP \d+\)|An error occurred \(.*"
            r"|command terminated with exit code [1-9]\d*|Unable to locate credentials.*",
            r"|Cannot connect to the Docker daemon at .*)\Z"),
        (("kubectl get pods", 'Error from server (NotFound): pods "a" not found'),
         ("docker logs a", "Error response from daemon: No such container: a")),
        views=True, check=signs.asks_a_server,
    ),
    TextRule(
        "client_got_nothing", "exit_code", "last",
        _re(r"(?:OCI runtime exec failed: .*|no such service: \S+|no configuration file provided: not found",
            r"|service \"\S+\" is not running.*|The connection to the server \S+ was refused.*",
            r"|the input device is not a TTY.*|GraphQL: Could not resolve to .*|failed to get run: HTTP \d+: .*",
            r"|could not determine base repo: .*|download failed: s3://\S+ to - .*|fatal error: .*)\Z"),
        (("docker compose up -d wbe | cat", "no such service: wbe"),
         ("docker exec -it web make | cat", "the input device is not a TTY")),
        views=True, check=signs.got_nothing,
    ),
    TextRule(
        "error_of_a_client", "exit_code", "last",
        _re(r"(?:[eE]rror: .*|ERROR:? .*)\Z"),
        (("kubectl get frobs | cat", 'error: the server has no resource type "frobs"'),
         ("mysql -e 'select 1' | cat", "ERROR 1045 (28000): Access denied for user 'a'")),
        views=True, check=signs.answers_for_itself,
    ),
    TextRule(
        "echoed_exit_code", "exit_code", "last",
        _re(r".*\b(?:exit(?:ed)?|rc|status|code|EXIT|RC)\b(?: (?:code|status))?\s*[:=]?\s*(?P<code>[1-9]\d*)\Z"),
        (("python a.py; echo exit=$?", "exit=1"),),
        against_zero="always", check=signs.echoes_exit_code,
    ),
    TextRule(
        "curl_error", "exit_code", "last",
        _re(r"curl: \(\d+\) .*\Z"),
        (("curl -sS localhost:9 | head", "curl: (7) Failed to connect to localhost port 9"),),
        against_zero="always", views=True, check=signs.asks_curl,
    ),
    TextRule(
        "no_connection", "exit_code", "last",
        _re(r"(?:\S+[ :=])?000\Z"),
        (("curl -s -o /dev/null -w '%{http_code}' http://localhost:9 || true", "000"),),
        against_zero="always", views=True, check=signs.asks_http_code,
    ),
    TextRule(
        "test_summary", "exit_code", "closing",
        _re(r"=+ .*\b[1-9]\d* (?:failed|errors?)\b.* in [\d.:]+ ?s.*=+\Z"),
        (("pytest", "=== 2 failed, 3 passed in 0.31s ==="),),
        needs=(" failed", "rror in", "rrors in"), views=True, check=signs.ran_tests,
    ),
    TextRule(
        "no_tests", "exit_code", "closing",
        _re(r"=+ (?:no tests ran.*|\d+ deselected.*|.*\bno tests collected\b.*) in [\d.:]+ ?s.*=+\Z"),
        (("pytest -k none", "=== 9 deselected in 0.02s ==="),),
        needs=("no tests", "deselected"), views=True, check=signs.ran_tests,
    ),
    TextRule(
        "test_summary_quiet", "exit_code", "closing",
        _re(r"[1-9]\d* (?:failed|errors?)\b(?:, \d+ \w+)* in [\d.]+s\b.*\Z"),
        (("pytest -q", "1 failed, 3 passed in 0.31s"),),
        needs=(" failed", "rror in", "rrors in"), views=True, check=signs.may_have_tested,
    ),
    TextRule(
        "unittest_summary", "exit_code", "closing",
        _re(r"FAILED \((?:\w+=\d+(?:, )?)+\)"),
        (("python -m unittest", "Ran 3 tests in 0.01s\n\nFAILED (failures=1)"),),
        needs=("FAILED (",), views=True, check=signs.may_have_tested,
    ),
    TextRule(
        "other_test_summary", "exit_code", "closing",
        _re(r"(?:FAIL\t\S.*|FAIL|--- FAIL: .*|test result: FAILED\..*|Tests:\s+[1-9]\d* failed.*",
            r"|\s*[1-9]\d* failing|\d+ examples?, [1-9]\d* failures?.*|(?:\[ERROR\] )?BUILD FAIL(?:URE|ED).*",
            r"|.*\bTests run: \d+, Failures: [1-9].*|FAILURES!)\Z"),
        (("go test ./...", "FAIL\texample.com/a\t0.01s\nFAIL"),
         ("cargo test", "test result: FAILED. 1 passed; 1 failed"), ("npx jest", "Tests:       1 failed, 3 passed")),
        needs=("FAIL", " failed", " failing", " failure", "Failures: "),
    ),
    TextRule(
        "said_failed", "exit_code", "closing",
        _re(r"FAILED\Z"),
        (("python check.py", "2 of 5 checks did not pass\nFAILED"),),
        needs=("FAILED",), check=signs.may_be_of_a_script,
    ),
    TextRule(
        "nothing_committed", "exit_code", "closing",
        _re(r"(?:nothing|no changes|nothing added) (?:added )?to commit\b.*\Z"),
        (("git commit -m a", "On branch main\nnothing to commit, working tree clean"),),
        needs=("to commit",), check=signs.commits,
    ),
    TextRule(
        "build_error", "exit_code", "closing",
        _re(r"(?:g?make(?:\[\d+\])?: \*\*\* .*|.*\b[1-9]\d* errors? generated\.|error: could not compile .*",
            r"|Found [1-9]\d* errors?\b.*|.*: error TS\d+: .*|npm (?:ERR!|error) .*)\Z"),
        (("make", "make: *** [Makefile:3: all] Error 1"), ("npm install", "npm ERR! code E404"),
         ("tsc", "Found 3 errors in 2 files.")),
        needs=("*** ", "npm ERR!", "npm error", "rror in", "rrors in", "rror generated", "rrors generated",
               "rror: could not compile", "rror TS"),
        check=signs.no_linter_speaks,
    ),
    TextRule(
        "crash", "exception", "closing",
        _re(r"(?:(?:.*: +)?(?:\d+ +)?(?:Segmentation fault|Killed|Aborted|Bus error)",
            r"(?: \(core dumped\))?(?: .*)?|Exception in thread .*|PHP Fatal error: .*|Node\.js v\d+\.\d+\.\d+)\Z"),
        (("./a.out", "Segmentation fault (core dumped)"),
         ("node a.js", "ReferenceError: a is not defined\n    at a.js:1:1\n\nNode.js v20.1.0")),
        needs=(" fault", "Killed", "Aborted", "in thread", "Bus error", "Node.js v", "PHP Fatal error"),
    ),
)  # fmt: skip


# Whether any of them matches is asked of far more lines than one does: of all rules at once, without the names.
_OF_LAST_LINES = (rule.pattern.pattern for rule in TEXT_RULES if rule.where == "last")
LAST_LINES = re.compile("|".join(dict.fromkeys(re.sub(r"\?P<\w+>", "?:", form) for form in _OF_LAST_LINES)))
# How last lines of `client_got_nothing` begin: with words that many other lines begin with, too.
TWO_WORDS: dict[str, tuple[str, ...]] = {
    "OCI": ("runtime ",), "no": ("such ", "configuration "), "The": ("connection ",), "the": ("input ",),
    "service": ('"',), "failed": ("to get ",), "could": ("not ",), "download": ("failed",), "fatal": ("error",),
}  # fmt: skip
