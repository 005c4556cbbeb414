"""Which failures are the same trouble: what is taken out of their words, and what stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.reliability.failure_records import Fingerprint
from warm_tui.reliability.fingerprint import fingerprint, fingerprint_of, words_of
from warm_tui.reliability.missing import MISSING, Missing
from warm_tui.reliability.outcome import Kind, Verdict
from warm_tui.reliability.raised import NAMINGS, Naming, told_of_tests
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import Call, Report


def failed(reason: str, kind: Kind = "exit_code", ours: Verdict | None = None) -> Verdict:
    return Verdict("failure", kind, reason, "certain", "a rule", ours=ours)


def of(command: str, reason: str, kind: Kind = "exit_code") -> Fingerprint:
    return fingerprint("terminal", json.dumps({"command": command}), None, failed(reason, kind), HERMES)


SAME = [
    ("other numbers", "curl: (7) Failed to connect to 10.0.0.1 port 9 after 0 ms", "curl: (7) Failed to connect to 127.0.0.1 port 8080 after 12 ms"),
    ("other paths", "tar: /srv/a.tar: Cannot open: No such file or directory", "tar: b/c/d.tar.gz: Cannot open: No such file or directory"),
    ("other quoted names", "error: pathspec 'main' did not match", "error: pathspec 'fix-it' did not match"),
    ("other ids", "No process with ID proc_7f3a", "No process with ID 9b2c-441d"),
    ("other links", "could not resolve https://a.example/x", "could not resolve http://b.example:80/y?z=1"),
    ("another exit code before the same words", "exit code 1: disk is full", "exit code 28: disk is full"),
    ("another number of failed tests", "== 1 failed, 70 passed in 4.56s ==", "== 12 failed, 3 passed, 2 warnings in 0.1s =="),
    ("only failures, counted otherwise", "FAILED (failures=1)", "FAILED (failures=12, errors=1)"),
    ("a module's whole name before what was raised", "json.decoder.JSONDecodeError: Expecting value", "JSONDecodeError: Expecting value"),
    ("another letter case", "Permission denied", "permission denied"),
    ("another test that failed", "--- FAIL: TestParser (0.02s)", "--- FAIL: TestWriter (1.31s)"),
    ("a package whose tests failed, and one of its tests", "FAIL example.org/app/parser 0.722s", "--- FAIL: TestParser (0.02s)"),
    ("another name that a compiler does not know", "a/b.go:12:3: undefined: parse", "c.go:1:1: undefined: fmt"),
    ("a compiler's finding, also where another tool passes it on", "a.go:1:2: \"os\" imported and not used", "vet: b/c.go:3:4: \"io\" imported and not used"),
    ("the rule that was broken, whatever was found", "a.go:1:2: Error return value of `f.Close` is not checked (errcheck)", "[lint] b.go:3:4: Error return value is not checked (errcheck)"),
    ("a rule in front of its words", "a.py:1:1: E501 line too long (133 > 120)", "b.py:9:1: E501 line too long (121 > 120)"),
    ("a pattern that matches no file", "zsh:1: no matches found: a*", "(eval):1: no matches found: docs/*.md"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), [pytest.param(a, b, id=name) for name, a, b in SAME])
def test_the_same_trouble(first: str, second: str) -> None:
    assert of("run", first).id == of("run", second).id


OTHER = [
    ("another word", "KeyError: 'a'", "ValueError: 'a'"),
    ("tests that fail, and tests that cannot be run", "1 failed in 2s", "1 error in 2s"),
    (
        "tests that fail, and more that cannot be run than fail",
        "8 failed, 121 passed in 2s",
        "8 failed, 158 errors in 2s",
    ),
    (
        "another rule that was broken",
        "a.go:1:2: that is not checked (errcheck)",
        "a.go:1:2: that is not wrapped (wrapcheck)",
    ),
    (
        "another message in a log",
        'level=error msg="no files to look at"',
        'level=error msg="the configuration cannot be read"',
    ),
    ("another missing program", "bash: line 1: jq: command not found", "bash: line 1: yq: command not found"),
]


@pytest.mark.parametrize(("first", "second"), [pytest.param(a, b, id=name) for name, a, b in OTHER])
def test_another_trouble(first: str, second: str) -> None:
    assert of("jq . x; yq . x", first).id != of("jq . x; yq . x", second).id


PROGRAMS = [
    ("the one that names itself", "cat a; rm b", "rm: cannot remove 'b': No such file or directory", "rm"),
    ("behind the words of the shell", "cd /x && ls", "/usr/bin/bash: line 3: cd: /x: No such file or directory", "cd"),
    ("the one that had the last word", "cd /srv && npm test", "exit code 1", "npm"),
    ("not the one that only shows a file", "make && cat log", "exit code 2: *** missing separator", "make"),
    ("without its version", "python3.11 x.py", "KeyError: 'a'", "python"),
    ("a module that Python runs", "python3 -m pytest -q", "1 failed", "pytest"),
    ("a script by its ending, for its name is a path", "./deploy.sh", "it broke", "*.sh"),
    ("the shell, where it ran none", "ls *.txt && cat a", "zsh:1: no matches found: *.txt", "shell"),
    (
        "the shell, where it takes what it was given for a path",
        "cat a; echo ===; cat b",
        "(eval):1: == not found",
        "shell",
    ),
    (
        "whose words they are, and not what looked on",
        "gofmt -w a.go && go vet ./... 2>&1 | head; grep -n x a.go | head",
        "vet: a.go:4:11: undefined: x",
        "go",
    ),
    ("what wrote the file that is shown", "frob > log 2>&1; tail -5 log", "error: no plan", "frob"),
    ("the one that is missing", "true && jq .", "bash: line 1: jq: command not found", "jq"),
]


@pytest.mark.parametrize(
    ("command", "reason", "program"), [pytest.param(c, r, p, id=name) for name, c, r, p in PROGRAMS]
)
def test_the_program_that_failed_is_kept(command: str, reason: str, program: str) -> None:
    assert of(command, reason).program == program


def test_it_is_the_same_trouble_however_the_exit_code_was_hidden() -> None:
    assert of("cat a", "cat: a: No such file", "masked").id == of("cat b", "exit code 1: cat: b: No such file").id
    assert of("x", "took too long", "timeout").id != of("x", "took too long").id


def test_a_tool_of_a_family_is_told_by_that_and_any_other_by_itself() -> None:
    def tool(name: str) -> str:
        return fingerprint(name, "{}", None, failed("no"), HERMES).tool

    assert tool("read_file") == tool("patch") == "file"
    assert tool("book_flight") == "book_flight"


def test_a_person_who_calls_it_failed_does_not_change_what_trouble_it_is() -> None:
    ours = failed("KeyError: 'a'")
    own = Verdict("failure", "tool_error", "that was wrong", "yours", "operator", ours=ours)
    arguments = json.dumps({"command": "x"})
    assert (
        fingerprint("terminal", arguments, None, own, HERMES).id
        == fingerprint("terminal", arguments, None, ours, HERMES).id
    )


def test_what_was_said_is_kept_where_all_of_it_was_quoted() -> None:
    assert words_of('"the disk is full"') == "the disk is full"


def test_the_title_is_for_people() -> None:
    assert of("cat x", "exit code 1: cat: x: No such file or directory").title == "cat: No such file or directory"
    assert of("pytest", "== 3 failed, 1 passed in 2.1s ==").title == "pytest: failed"
    assert of("which nothing", "exit code 1").title == "which: failed without a word"


def ran(printed: str, command: str = "pytest", reason: str = "== 2 failed in 1.2s ==") -> str:
    arguments = json.dumps({"command": command})
    return fingerprint("terminal", arguments, printed, failed(reason), HERMES).title


SHOWN = [
    ("most often", "E   KeyError: 'a'\nE   KeyError: 'b'\nE   TypeError: no\n== 2 failed in 1.2s ==", "failed: KeyError"),
    ("nothing is told", "== 2 failed in 1.2s ==", "failed"),
    ("as a traceback ends", "    raise Broken\napp.errors.BrokenError: no\nRan 2 tests", "failed: BrokenError"),
    ("where it stood in the source", "E   assert 1 == 2\n\ntests/test_a.py:9: AssertionError", "failed: AssertionError"),
    ("only named, not raised", "    with pytest.raises(TypeError):\n# a ValueError is fine", "failed"),
    ("a warning that was raised", "E   DeprecationWarning: old", "failed: DeprecationWarning"),
    ("a warning that was only printed", "a.py:3: DeprecationWarning: old\nDeprecationWarning: old", "failed"),
    ("what the test itself says", "E   Failed: DID NOT RAISE <class 'KeyError'>", "failed: DID NOT RAISE"),
    ("cut to the width of a terminal", "FAILED tests/test_a.py::test_one - Attrib...\nFAILED tests/test_a.py::test_two - Attribu...", "failed: AttributeError in test_one"),
    ("cut where several begin so", "FAILED tests/test_a.py::test_one - Uni...", "failed: test_one"),
    ("the runner broke", "INTERNALERROR> KeyError: 'gw1'\n== 2 failed in 0.9s ==", "the test runner crashed: KeyError"),
]  # fmt: skip


@pytest.mark.parametrize(("printed", "title"), [pytest.param(p, t, id=name) for name, p, t in SHOWN])
def test_of_many_failed_tests_what_was_raised_most_often_is_told(printed: str, title: str) -> None:
    assert ran(printed) == f"pytest: {title}"


TWO_TESTS = """\
=================================== FAILURES ===================================
________________________________ TestCart.test_total[2] ________________________________
E       assert 1 == 2
tests/test_cart.py:9: AssertionError
----------------------------- Captured stdout call -----------------------------
____________________________________ test_of_its_own ____________________________________
E   KeyError: 'a'
________________________________ test_tax ________________________________
    raise ValueError("no")
ValueError: no
During handling of the above exception, another exception occurred:
E       AssertionError: tax
tests/test_cart.py:19: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::TestCart::test_total[2] - assert 1 == 2
FAILED tests/test_cart.py::test_tax - AssertionError: tax
"""
NOT_RUN = (
    TWO_TESTS.replace("FAILURES", "ERRORS").replace("_ Test", "_ ERROR at setup of Test").replace("FAILED", "ERROR")
)


def test_it_is_another_trouble_where_another_test_fails_or_something_else_is_raised_in_it() -> None:
    assert ran(TWO_TESTS) == "pytest: failed: AssertionError in test_total"
    assert ran(TWO_TESTS.replace("test_total", "test_sum")) == "pytest: failed: AssertionError in test_sum"
    assert ran(TWO_TESTS.replace("AssertionError", "IndexError")) == "pytest: failed: IndexError in test_total"
    assert ran(json.dumps({"output": TWO_TESTS, "exit_code": 1})) == ran(TWO_TESTS)


def test_where_tests_failed_others_that_could_not_be_run_do_not_tell_what_it_is() -> None:
    printed = f"{TWO_TESTS}{'ERROR tests/test_a.py::test_a - KeyError: 1' * 3}\n== 2 failed, 1 error in 1.2s =="
    assert ran(printed, reason="== 2 failed, 1 error in 1.2s ==") == ran(TWO_TESTS)
    assert ran(NOT_RUN, reason="== 2 errors in 1.2s ==") == "pytest: errors: AssertionError in test_total"


@pytest.mark.parametrize("naming", [pytest.param(naming, id=naming.runner) for naming in NAMINGS])
def test_a_failed_test_is_found_under_any_runner(naming: Naming) -> None:
    assert told_of_tests("failed", f"\n{naming.example}\n") == f"failed: {naming.test}"


@pytest.mark.parametrize("missing", [pytest.param(missing, id=missing.name) for missing in MISSING])
def test_what_is_not_there_is_told_by_its_name(missing: Missing) -> None:
    assert "a.b" in words_of(missing.example)
    assert words_of(missing.example) != words_of(missing.example.replace("a.b", "a.c"))


def test_what_is_not_there_is_the_same_trouble_in_whichever_test_it_is_met() -> None:
    first, second = (f"_____ {name} _____\nE   fixture 'client' not found\n" for name in ("test_a", "test_b"))
    assert ran(first) == ran(second) == "pytest: fixture client not found"
    alone = "ModuleNotFoundError: No module named 'yaml'"
    assert ran(f"_____ test_a _____\nE   {alone}\na.py:3: ModuleNotFoundError") == ran("", reason=alone)


def test_where_the_syntax_is_broken_the_file_tells_what_it_is() -> None:
    frame = 'File "<string>", line 1\n  File "/srv/app/{}", line 3\n    if x\n       ^\nSyntaxError: invalid syntax'
    told = ran(frame.format("cart.py"), "python -m app", "SyntaxError: invalid syntax")
    assert told == "app: SyntaxError: invalid syntax in cart.py"
    assert told != ran(frame.format("tax.py"), "python -m app", "SyntaxError: invalid syntax")


def test_a_package_that_could_not_be_built_is_no_failed_test() -> None:
    printed = "# example.org/app\nFAIL\texample.org/app [build failed]\nFAIL"
    assert ran(printed, "go test ./... | tail -3", "FAIL") == "go: build failed"
    assert (
        ran("--- FAIL: TestA (0.0s)\nFAIL\texample.org/app\t0.1s\nFAIL", "go test ./...", "FAIL") == "go: failed: TestA"
    )


def test_the_rule_at_the_end_of_a_line_too_long_for_a_reason_is_found_in_what_was_printed() -> None:
    line = f"a.go:1:2: an error is not wrapped: func({'x, ' * 90}y) (wrapcheck)"
    assert ran(f"{line}\n\treturn err\n1 issues", "golangci-lint run", f"{line[:199]}…") == "golangci-lint: wrapcheck"


def test_what_a_program_printed_after_its_result_counts() -> None:
    later = Report(exit_code=1, words="E   KeyError: 'a'\n== 2 failed in 1.2s ==")
    call = Call("a", "a", 0, 0, "s", "terminal", '{"command": "pytest"}', "still running", None, 0, 1, report=later)
    assert fingerprint_of(call, failed("== 2 failed in 1.2s =="), HERMES).title == "pytest: failed: KeyError"


PLAIN = st.sampled_from(["cannot", "open", "the", "connection", "was", "refused", "by", "host", "not", "allowed"])
NAMES = st.one_of(
    st.integers(0, 10**9).map(str),
    st.from_regex(r"/[a-z]{1,8}/[a-z]{1,8}\.py", fullmatch=True),
    st.from_regex(r"[a-f]{2}[0-9]{2}[a-f0-9]{8}", fullmatch=True),
    st.from_regex(r"'[a-z]{1,9}'", fullmatch=True),
)


@given(st.lists(PLAIN, min_size=2, max_size=8), st.data())
def test_numbers_paths_ids_and_names_change_nothing(words: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(words) - 1))
    first, second = ([*words[:at], data.draw(NAMES), *words[at:]] for _ in range(2))
    assert of("run", " ".join(first)).id == of("run", " ".join(second)).id


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_words_have_a_fingerprint(reason: str, command: str) -> None:
    told = of(command, reason)
    assert told.id == of(command, reason).id
    assert told.title
