"""Every row of the tables is held to its own example, and none sees failure where there is none."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.evidence import evidence_in
from warm_tui.reliability.exits import BENIGN_EXITS
from warm_tui.reliability.output import _NEEDS, FRAGMENTS
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
    if rule.against_zero == "always":
        assert (direct, hidden) == ("masked", "masked")
    elif rule.against_zero == "hides":
        assert (direct, hidden) == ("ok", "masked")
    else:
        assert (direct, hidden) == ("ok", "ok")


def test_what_is_glanced_at_covers_what_the_rules_need() -> None:
    assert [need for need in _NEEDS if not any(fragment in need for fragment in FRAGMENTS)] == []


def test_rules_for_closing_lines_never_outweigh_a_code_that_cannot_be_hidden() -> None:
    """The glance passes over single commands on the strength of this."""
    assert {rule.against_zero for rule in TEXT_RULES if rule.where == "closing"} == {"hides"}


def test_names_are_unique() -> None:
    names = [rule.name for table in (FIELD_RULES, HERMES.stand_ins, MESSAGE_RULES, TEXT_RULES) for rule in table]
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
    "a budget": ("stats", "{}", "Error budget: 99.9 %"),
    "a measured error": ("stats", "{}", "Error: 0.03 (mean absolute)"),
    "a warning": ("bash", command("python a.py"), "a.py:1: UserWarning: old\n  warnings.warn('old')\nUserWarning: x"),
    "an exit code of nothing": ("bash", command("grep x f"), "Exit code 1"),
    "some of the results": ("web", "{}", '{"results": [{"error": "Timeout"}, {"content": "fine"}]}'),
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
        "terminal", command("python a.py"),
        terminal('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nmypkg.Custom: bad'),
    ),
    "tests before grep": ("terminal", command("pytest -q && git diff --quiet"), terminal("1 failed", 1)),
    "git push --quiet": ("terminal", command("git push --quiet"), terminal("error: failed to push some refs to 'x'", 1)),
    "a traceback before grep": (
        "terminal", command("python a.py | grep x"), terminal("Traceback (most recent call last):\nKeyError: 1", 1),
    ),
    "a permission": ("bash", "{}", '{"error": "Permission to use Bash has been denied."}'),
}  # fmt: skip


@pytest.mark.parametrize(("_tool", "arguments", "result"), FAILURES.values(), ids=FAILURES)
def test_failures_are_seen(_tool: str, arguments: str, result: str) -> None:
    verdict = judge(arguments, result)
    assert verdict.outcome == "failure"
    assert verdict.reason


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
