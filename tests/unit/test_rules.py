"""Every row of the tables is held to its own example, and none sees failure where there is none."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.complaints import COMPLAINTS
from warm_tui.reliability.evidence import evidence_in
from warm_tui.reliability.exits import BENIGN_EXITS
from warm_tui.reliability.linters import LINTERS
from warm_tui.reliability.output import _NEEDS, FRAGMENTS, is_calm
from warm_tui.reliability.rules import FIELD_RULES, MESSAGE_RULES, TEXT_RULES
from warm_tui.reliability.verdict import judge
from warm_tui.sessions.hermes.facts import HERMES


def command(line: str) -> str:
    return json.dumps({"command": line})


def terminal(output: str, code: int = 0) -> str:
    return json.dumps({"output": output, "exit_code": code, "error": None})


@pytest.mark.parametrize("rule", FIELD_RULES, ids=lambda rule: rule.name)
def test_each_field_rule_decides_its_own_example(rule) -> None:
    _tool, arguments, result = rule.example
    verdict = judge(arguments, result)
    assert (verdict.rule, verdict.outcome, verdict.kind) == (rule.name, rule.outcome, rule.kind)
    assert verdict.confidence == "certain"


@pytest.mark.parametrize("row", BENIGN_EXITS, ids=lambda row: row.example)
def test_each_benign_exit_answers_a_question(row) -> None:
    code = min(row.codes)
    verdict = judge(command(row.example), terminal("", code))
    assert (verdict.outcome, verdict.kind) == ("success", "benign_exit")
    assert row.means in verdict.reason


@pytest.mark.parametrize("row", BENIGN_EXITS, ids=lambda row: row.example)
def test_a_benign_program_that_complains_has_failed(row) -> None:
    output = "bash: line 1: cd: /nowhere: No such file or directory"
    verdict = judge(command(row.example), terminal(output, min(row.codes)))
    assert verdict.outcome == "failure"


@pytest.mark.parametrize("rule", [*HERMES.stand_ins, *MESSAGE_RULES], ids=lambda rule: rule.name)
def test_each_message_rule_and_stand_in_decides_its_own_example(rule) -> None:
    verdict = judge("{}", rule.example, HERMES.stand_ins)
    assert (verdict.rule, verdict.outcome, verdict.kind) == (rule.name, rule.outcome, rule.kind)


@pytest.mark.parametrize("stand_in", HERMES.stand_ins, ids=lambda rule: rule.name)
def test_only_what_was_cancelled_is_unknown(stand_in) -> None:
    """Nobody knows how it would have gone; whatever else stands in place of a result is a failure."""
    outcome = judge("{}", stand_in.example, HERMES.stand_ins).outcome
    assert outcome == ("unknown" if stand_in.name == "cancelled" else "failure")


TEXT_EXAMPLES = [(rule, *example) for rule in TEXT_RULES for example in rule.examples]


@pytest.mark.parametrize(("rule", "line", "output"), TEXT_EXAMPLES, ids=lambda x: getattr(x, "name", str(x)[:20]))
def test_each_text_rule_decides_its_own_examples(rule, line: str, output: str) -> None:
    verdict = judge(command(line), f"some work was done\n{output}\n")
    assert (verdict.outcome, verdict.kind, verdict.confidence) == ("failure", rule.kind, "likely")
    assert verdict.reason


@pytest.mark.parametrize(("rule", "line", "output"), TEXT_EXAMPLES, ids=lambda x: getattr(x, "name", str(x)[:20]))
def test_against_an_exit_code_of_zero_a_rule_holds_as_far_as_it_says(rule, line: str, output: str) -> None:
    direct = judge(command(line.split("|")[0]), terminal(output)).kind
    hidden = judge(command(f"{line.split('|')[0]} 2>&1 | tail -40"), terminal(output)).kind
    assert (direct, hidden) == ("masked" if rule.against_zero == "always" else "ok", "masked")


def test_what_is_glanced_at_covers_what_the_rules_need() -> None:
    assert [need for need in _NEEDS if not any(fragment in need for fragment in FRAGMENTS)] == []


COMPLAINT_EXAMPLES = [(row, *example) for row in COMPLAINTS for example in row.examples]
by_name = {"ids": lambda x: getattr(x, "name", str(x)[:20])}


@pytest.mark.parametrize(("row", "line", "output"), COMPLAINT_EXAMPLES, **by_name)
def test_each_complaint_is_found_among_what_others_printed(row, line: str, output: str) -> None:
    assert row.source
    for printed in (f"{output}\nsome work was done\n./src\n", f"./src\n{output}\n"):
        for result in (terminal(printed), printed):
            verdict = judge(command(line), result)
            assert (verdict.outcome, verdict.confidence) == ("failure", "likely"), printed
            assert verdict.reason


@pytest.mark.parametrize(("row", "line", "output"), COMPLAINT_EXAMPLES, **by_name)
def test_a_complaint_of_a_program_whose_exit_code_is_known_proves_nothing(row, line: str, output: str) -> None:
    alone = line.partition(" | ")[0].partition(";")[0]
    if row.certain_exit and alone == line.partition(";")[0]:
        assert judge(command(f"cd src && {alone}"), terminal(f"{output}\nsome work was done")).outcome == "success"


@pytest.mark.parametrize("output", [output for _, _, output in COMPLAINT_EXAMPLES])
def test_a_complaint_shown_by_another_program_proves_nothing(output: str) -> None:
    shown = f"{output}\n" + "and so it went on\n" * 9
    assert judge(command("nl notes.txt | rev; true"), terminal(shown)).outcome == "success"


def test_no_complaint_is_passed_over_at_a_glance() -> None:
    assert [row.name for row, _, output in COMPLAINT_EXAMPLES if is_calm(output)] == []


@pytest.mark.parametrize("linter", LINTERS, ids=lambda linter: linter.example[0])
def test_what_a_linter_finds_is_what_it_was_asked_for(linter) -> None:
    line, output = linter.example
    code = min(linter.codes)
    found = judge(command(line), terminal(output, code))
    assert (found.outcome, found.kind, found.confidence) == ("success", "benign_exit", "certain")
    assert found.reason == f"exit code {code} of {line.split()[0]}: 1 finding"
    assert judge(command(line), output).outcome == "success"
    assert judge(command(f"{line} | tail -3"), terminal(output)).outcome == "success"
    # The same exit code with nothing found is a linter that could not work.
    assert judge(command(line), terminal("cannot read its configuration", code)).outcome == "failure"
    assert (
        judge(command(line), terminal(output + "\nTraceback (most recent call last):\nKeyError: 1", code)).outcome
        == "failure"
    )


def test_rules_for_closing_lines_never_outweigh_a_code_that_cannot_be_hidden() -> None:
    """The glance passes over single commands on the strength of this."""
    assert {rule.against_zero for rule in TEXT_RULES if rule.where == "closing"} == {"hides"}


def test_names_are_unique() -> None:
    tables = (FIELD_RULES, HERMES.stand_ins, MESSAGE_RULES, TEXT_RULES, COMPLAINTS)
    names = [rule.name for table in tables for rule in table]
    assert len(names) == len(set(names))


CONTENT = "ERROR: failed\nTraceback (most recent call last):\n  File 'a'\nKeyError: not found, denied\n"
SUCCESSES = {
    "null error": ("terminal", command("ls"), terminal("a.py")),
    "a file full of errors": ("read_file", '{"path": "a.log"}', json.dumps({"content": CONTENT, "total_lines": 4})),
    "a file of errors as plain text": ("mcp_read", '{"path": "a.log"}', "line one\n" * 9 + CONTENT),
    "search hits": ("search_files", '{"pattern": "e"}', json.dumps({"matches": [{"content": CONTENT}], "total_count": 1})),
    "a log shown": ("terminal", command("tail -n 4 worker.log"), terminal(CONTENT)),
    "a log shown as text": ("bash", command("tail -n 4 worker.log"), CONTENT),
    "a filtered log": ("bash", command("cat a.log | grep KeyError"), "KeyError: 'id'\nKeyError: 'no'"),
    "git log": ("bash", command("git log --oneline"), "90aa3dd error: failed build\nc951a5b fatal: crash"),
    "a test named after errors": ("bash", command("pytest -v"), "test_error_failed PASSED\n=== 1 passed in 0.1s ==="),
    "zero failures": ("bash", command("pytest -q"), "2 passed, 0 failed, 0 errors in 0.01s"),
    "lint that is clean": ("bash", command("mypy a.py"), "Success: no issues found in 1 source file"),
    "echoed words": ("terminal", command("echo 'connection denied: 0'"), terminal("connection denied: 0")),
    "a caught exception": ("terminal", command("python a.py"), terminal("ValueError: as expected")),
    "a traceback that was caught and shown": (
        "terminal", command("python a.py"), terminal('Traceback (most recent call last):\n  File "a.py"\nKeyError: 1'),
    ),
    "a caught exception as text": ("bash", command("python a.py"), "checking\nValueError: as expected"),
    "a warning lint in a written file": (
        "write_file", '{"path": "a.py"}', '{"bytes_written": 8, "lint": {"status": "error", "output": "SyntaxError"}}',
    ),
    "an empty answer": ("bash", command("grep -rn nothing ."), ""),
    "a list of errors that is empty": ("lint", "{}", '{"errors": [], "error": "", "success": true}'),
    "markdown about errors": ("web_extract", "{}", "# Errors\n\nError: a word.\n\nMore text.\n\nAnd more.\n\nThe end."),
    "a killed process": ("process", '{"action": "kill"}', '{"status": "killed", "exit_code": -9, "output": ""}'),
    "fixtures listed": ("bash", command("pytest --fixtures"), "tmp_path\n=== no tests ran in 0.02s ==="),
    "a condition behind &&": ("terminal", command("[ -f none ] && cat none"), terminal("", 1)),
    "grep as another user": ("terminal", command("sudo -u bob grep x f"), terminal("", 1)),
    "grep after cd": ("terminal", command("cd src && grep x f"), terminal("", 1)),
    "an error that is none": ("bash", command("go run . 2>&1 | tail -2"), "error: out of stock\nerror: <nil>"),
    "an error after which a copy was used": (
        "terminal", command("node a.js || echo none"), terminal("3 rows\nError: refused, using the copy of yesterday"),
    ),
    "a mail that is shown": (
        "terminal", command("python a.py; ls"), terminal("Status: 5.1.1\nDiagnostic-Code: error: no such user\n\na.py"),
    ),
    "a log that goes on behind what was caught": (
        "terminal", command("python a.py > a.log 2>&1; tail -n 5 a.log 2>&1 | head -50"),
        terminal('Traceback (most recent call last):\n  File "a.py", line 6, in <module>\nValueError: x\nINFO done'),
    ),
    "a budget": ("stats", "{}", "Error budget: 99.9 %"),
    "a measured error": ("stats", "{}", "Error: 0.03 (mean absolute)"),
    "a warning": ("bash", command("python a.py"), "a.py:1: UserWarning: old\n  warnings.warn('old')\nUserWarning: x"),
    "an exit code of nothing": ("bash", command("grep x f"), "Exit code 1"),
    "some of the results": ("web", "{}", '{"results": [{"error": "Timeout"}, {"content": "fine"}]}'),
    "a reservation that was to be cancelled": (
        "cancel_reservation", '{"reservation_id": "A1"}', '{"reservation_id": "A1", "status": "cancelled", "flights": []}',
    ),
    "a ticket that is blocked": ("get_ticket", "{}", '{"id": 7, "status": "blocked", "title": "Wait for review"}'),
    "a fetched job that failed": ("get_job", "{}", '{"job": 7, "status": "failed", "log_url": "https://example.org/7"}'),
    "jobs that failed": ("list_jobs", "{}", '{"results": [{"id": 1, "status": "failed"}], "total": 1}'),
    "orders cancelled by a user": ("orders", "{}", '{"results": [{"id": 1}], "message": "cancelled by the user: 1"}'),
    "a status beside success": ("deploy", "{}", '{"success": true, "status": "failed", "message": "last run"}'),
    "a difference in tracebacks": (
        "terminal", command("diff a.log b.log"), terminal("> Traceback (most recent call last):\n> KeyError: 'id'", 1),
    ),
    "a linter in a pipe": ("terminal", command("mypy a.py | tail -3"), terminal("Found 3 errors in 1 file (checked 1 source file)")),
    "a linter through npx": ("terminal", command("npx eslint a.js"), terminal("  1:5  error  'x' is never used", 1)),
    "two linters": ("terminal", command("ruff check . && mypy ."), terminal("a.py:3: error: Name is not defined", 1)),
    "a viewer that stopped reading": ("terminal", command("cat big.txt | head -1"), terminal("one\ncat: write error: Broken pipe")),
    "rooms it may not enter": (
        "terminal", command("find / -name x.py | head"), terminal("find: '/root': Permission denied\n/srv/x.py"),
    ),
    "a loop over logs": ("terminal", command("for f in *.log; do tail -n 1 $f; done"), terminal("make: *** [all] Error 2")),
    "multimodal": ("vision", "{}", '\x00json:[{"type": "text", "text": "error"}]'),
}  # fmt: skip


@pytest.mark.parametrize(("_tool", "arguments", "result"), SUCCESSES.values(), ids=SUCCESSES)
def test_words_alone_prove_nothing(_tool: str, arguments: str, result: str) -> None:
    assert judge(arguments, result).outcome == "success"


FAILURES = {
    "an answer with a note behind it": (
        "terminal", command("frob"), terminal("bash: frob: command not found", 127) + "\n\n[Tool loop warning: x]",
    ),
    "git that exits 1 is no question": ("terminal", command("git checkout none"), terminal("error: pathspec 'none'", 1)),
    "a shell that finds no file for a pattern": (
        "terminal", command("rg -n func a/*.go && sed -n 1,9p b/c*.go"), terminal("a/b.go:1:func x()\nzsh:1: no matches found: b/c*.go", 1),
    ),
    "a shell within another that finds none": ("terminal", command("grep x b/c*.go"), terminal("(eval):1: no matches found: b/c*.go", 1)),
    "which finds nothing": ("terminal", command("which frob"), terminal("", 1)),
    "cd fails before grep": ("terminal", command("cd /no && grep a b"), terminal("bash: line 1: cd: /no: No such file or directory", 1)),
    "grep that could not read": ("terminal", command("grep x none.py"), terminal("grep: none.py: No such file or directory", 2)),
    "a status": ("execute_code", '{"code": "x"}', '{"status": "error", "output": "NameError: x"}'),
    "MCP": ("mcp_do", "{}", '{"isError": true, "content": [{"type": "text", "text": "no"}]}'),
    "JSON in a string": ("mcp_do", "{}", '"{\\"error\\": \\"no access\\"}"'),
    "an error object": ("mcp_do", "{}", '{"error": {"code": 404, "message": "no such issue"}}'),
    "a result in words": ("mcp_do", "{}", '{"result": "Error: no such issue"}'),
    "other spellings": ("bash", command("x"), '{"stdout": "", "stderr": "boom", "exitCode": 3}'),
    "a return code": ("bash", command("x"), '{"stdout": "", "stderr": "x: cannot do it", "returncode": 2}'),
    "an exit code in words": ("bash", command("make"), "Exit code 2\nmake: nothing to do"),
    "an exit code in brackets": ("bash", command("make"), "boom\n[exit code: 2]"),
    "an exit code as text": ("bash", command("make"), '{"exit_code": "1", "output": "boom"}'),
    "an exit code as a float": ("bash", command("make"), '{"exit_code": 1.0, "output": "boom"}'),
    "an HTTP status": ("api", "{}", '{"status": 500, "message": "no"}'),
    "another HTTP status": ("api", "{}", '{"statusCode": 404}'),
    "GraphQL errors": ("api", "{}", '{"errors": [{"message": "no such field"}], "data": null}'),
    "a flag in words": ("api", "{}", '{"success": "false", "detail": "x"}'),
    "a status in words": ("api", "{}", '{"status": "Error: not found"}'),
    "JSON inside a result": ("mcp_do", "{}", '{"result": "{\\"error\\": \\"repository not found\\"}"}'),
    "fields inside a result": ("mcp_do", "{}", '{"result": {"error": "x"}}'),
    "parts": ("mcp_do", "{}", '[{"type": "text", "text": "Error: nope"}]'),
    "content in parts": ("mcp_do", "{}", '{"content": [{"type": "text", "text": "Error: nope"}]}'),
    "a failed request": ("mcp_do", "{}", "Request failed with status code 403"),
    "a validation error": ("mcp_do", "{}", "1 validation error for Call\nname: field required"),
    "git of a viewing kind": ("bash", command("git log"), "fatal: not a git repository (or any of the parent directories): .git"),
    "a group in a pipe": ("terminal", command("(cd a && make) 2>&1 | tail"), terminal("make: *** [all] Error 2")),
    "braces in a pipe": ("terminal", command("{ make; } | tail"), terminal("make: *** [all] Error 2")),
    "a shell in the shell": ("terminal", command("bash -c 'make || true'"), terminal("make: *** [all] Error 2")),
    "an exception by another name": (
        "terminal", command("python a.py | tail"),
        terminal('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    g()\nmypkg.Custom: bad'),
    ),
    "tests before grep": ("terminal", command("pytest -q && git diff --quiet"), terminal("1 failed", 1)),
    "git push --quiet": ("terminal", command("git push --quiet"), terminal("error: failed to push some refs to 'x'", 1)),
    "a traceback before grep": (
        "terminal", command("python a.py | grep x"), terminal("Traceback (most recent call last):\nKeyError: 1", 1),
    ),
    "failing; echo": ("terminal", command("make; echo done"), terminal("make: *** [all] Error 2\ndone")),
    "failing; echo of a value": ("terminal", command("./x.sh; echo $HOME"), terminal("Segmentation fault\n/home/dev")),
    "failing, then other work": ("terminal", command("gcc a.c; ls"), terminal("a.c:2:5: error: 'x' undeclared\na.c\nb.c")),
    "failing || true": ("terminal", command("psql -c x || true"), terminal('psql: error: connection to server failed')),
    "stderr first": ("terminal", command("python -m unittest; ls"), terminal("FAILED (failures=1)\n" + "line\n" * 40)),
    "stderr last": ("terminal", command("python -m unittest; ls"), terminal("line\n" * 40 + "FAILED (failures=1)")),
    "a stage of a pipe": ("terminal", command("curl -sS localhost:9 | jq ."), terminal("curl: (7) Failed to connect\nnull")),
    "a loop": ("terminal", command("for f in a b; do cp $f c; done"), terminal("cp: cannot stat 'a': No such file or directory\nb")),
    "a traceback before others' words": (
        "terminal", command("python a.py; git status"),
        terminal('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nKeyError: 1\nOn branch main'),
    ),
    "no such program, then others": ("terminal", command("frob --all; pwd"), terminal("bash: line 1: frob: command not found\n/srv")),
    "no such module, then others": ("terminal", command("python3 -m frob\necho end"), terminal("/usr/bin/python3: No module named frob\nend")),
    "a script's errors": ("terminal", command("psql -f a.sql"), terminal('psql:a.sql:1: ERROR:  relation "a" does not exist')),
    "systemctl without a bus": (
        "terminal", command("systemctl is-active nginx"), terminal("Failed to connect to bus: No such file or directory", 1),
    ),
    "a unit that is not there": (
        "terminal", command("systemctl is-enabled none"),
        terminal("Failed to get unit file state for none.service: No such file or directory", 1),
    ),
    "git diff that could not look": (
        "terminal", command("git diff --no-index a none"), terminal("error: Could not access 'none'", 1),
    ),
    "a linter called wrongly": ("terminal", command("pylint --none a.py"), terminal("usage: pylint [options]\npylint: error: no", 32)),
    "a linter's fatal message": ("terminal", command("pylint none.py"), terminal("none.py:1:0: F0001: No module named none.py (fatal)", 1)),
    "a status of the call": ("act", "{}", '{"status": "error", "url": "https://example.org"}'),
    "a permission": ("bash", "{}", '{"error": "Permission to use Bash has been denied."}'),
}  # fmt: skip


@pytest.mark.parametrize(("_tool", "arguments", "result"), FAILURES.values(), ids=FAILURES)
def test_failures_are_seen(_tool: str, arguments: str, result: str) -> None:
    verdict = judge(arguments, result)
    assert verdict.outcome == "failure"
    assert verdict.reason


def test_a_status_beside_a_payload_is_never_certain() -> None:
    assert judge("{}", '{"id": 7, "status": "blocked", "title": "x"}').confidence == "likely"
    assert judge("{}", '{"id": 7, "status": "error", "title": "x"}').confidence == "likely"
    assert judge("{}", '{"status": "error", "message": "x"}').confidence == "certain"
    assert judge("{}", '{"success": true, "status": "error"}').confidence == "certain"


TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 2, in f\n    raise KeyError(1)\nKeyError: 1\n'
REASONS = {
    "of a traceback, what was raised": ("{}", json.dumps({"status": "error", "exit_code": 1, "error": TRACEBACK}), "KeyError: 1"),
    "of one in an output": ("{}", json.dumps({"status": "error", "output": TRACEBACK, "error": TRACEBACK}), "KeyError: 1"),
    "of a syntax error": ("{}", json.dumps({"exit_code": 1, "error": '  File "a.py", line 1\n    f(:\nSyntaxError: no\n'}), "SyntaxError: no"),
    "no warning": ("pytest", terminal("2 failed in 0.1s\nPytestWarning: cannot collect", 1), "2 failed in 0.1s"),
    "no quoted source": ("frob", terminal('frob: error: no plan\n    raise ValueError("failed")', 1), "frob: error: no plan"),
    "no numbered source": ("frob", terminal('fatal: no plan\n3: print(f"Error: {e}")', 1), "fatal: no plan"),
    "no more than passed on": ("make", terminal("a.c:2: error: 'x' undeclared\nmake: *** [Makefile:2: a.o] Error 1", 1), "a.c:2: error: 'x' undeclared"),
    "of a test by its name": ("go test", terminal("--- FAIL: TestSum (0.00s)\n    sum_test.go:4: no\nFAIL\nFAIL\texample.org/a\t0.1s", 1), "--- FAIL: TestSum (0.00s)"),
    "passed on, where nothing else is told": ("make", terminal("make: *** [Makefile:2: a.o] Error 1", 1), "make: *** [Makefile:2: a.o] Error 1"),
    "behind a pipe, too": ("make | tail", terminal("a.c:2: error: 'x' undeclared\nmake: *** [Makefile:2: a.o] Error 1"), "a.c:2: error: 'x' undeclared"),
    "with what stands below a heading": ("frob", terminal("frob: error:\n  no plan", 1), "frob: error: no plan"),
    "behind a code that the line tells": ("frob a; echo rc=$?", terminal("frob: cannot open a\nrc=1"), "frob: cannot open a"),
    "no version of what ran it": ("node a.js | cat", terminal("TypeError: no id\n    at a.js:1:1\n\nNode.js v20.1.0"), "TypeError: no id"),
    "wherever it stands": ("gcc a.c", terminal("a.c:2:5: error: 'x' undeclared\n" + "  note\n" * 200, 1), "a.c:2:5: error: 'x' undeclared"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "result", "words"), REASONS.values(), ids=REASONS)
def test_the_reason_is_what_a_person_would_point_at(line: str, result: str, words: str) -> None:
    reason = judge(command(line), result).reason
    assert reason.removeprefix("exit code 1: ") == words


def test_a_long_result_is_judged_by_its_ends() -> None:
    long = "line of output\n" * 200_000
    assert judge(command("make"), terminal(long)).kind == "ok"
    masked = judge(command("make 2>&1 | tee log"), terminal(long + "make: *** [all] Error 2"))
    assert (masked.kind, masked.rule) == ("masked", "build_error")


def test_the_end_of_an_encoded_text_is_decoded_alone() -> None:
    evidence = evidence_in(json.dumps({"output": "C:\\new\\n" + "x" * 50 + "\nlast \\n line", "exit_code": 1}))
    assert evidence is not None
    assert evidence.words_of(20) == "last \\n line"
    assert evidence.words_of(1000).startswith("C:\\new")


WORDINGS = {
    "denied": (
        "[BLOCKED] rm", "Permission was denied", "Access is DECLINED", "the user refused", "Approval rejected",
        "Denied by policy", "This is not allowed", "not permitted here", "Not authorised", "not authorized",
    ),
    "timeout": ("it timed out", "Time-out after 5 s", "TIMEOUT", "Deadline exceeded"),
    "interrupted": ("cancelled by the user", "Canceled by user", "interrupted by user", "Aborted by user", "User interrupt"),
    "protocol": (
        "Unknown tool: a", "unknown function a", "Tool a does not exist", "function a not found", "tool a is not available",
        "Invalid JSON arguments", "invalid tool argument", "Missing required argument: a", "missing required parameter a",
    ),
    "tool_error": ("the tools are blunt", "no time left", "a user was here", "nothing is known"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind, each in WORDINGS.items() for words in each])
def test_an_error_is_of_the_kind_its_words_tell(kind: str, words: str) -> None:
    for field in ("error", "message"):
        result = json.dumps({"error": "it failed"} | {field: words})
        assert judge("{}", result).kind == kind
