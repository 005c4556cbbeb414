"""How test runners tell of a test that failed: the same whoever started them, a task runner, a script or a wrapper.

A failed test ends its runner with a failure, whatever else it prints before its end. So such a line counts wherever it
stands, also where the rest was cut off, if the program's exit code was lost on the way. A row is a whole line as the
runner writes it; words about tests are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from warm_tui.reliability.glances import holds_any
from warm_tui.reliability.shell import Simple


class FailedTest(NamedTuple):
    name: str
    pattern: str
    source: str
    example: str


FAILED_TESTS: tuple[FailedTest, ...] = (
    FailedTest(
        "go test", r"--- FAIL: \S{1,200} \(\d{1,6}\.\d\ds\)", "cmd/go, Test packages", "--- FAIL: TestSum (0.00s)"
    ),
    FailedTest(
        "go package", r"FAIL\t\S{1,200}(?:\t\d{1,6}\.\d{1,3}s| \[(?:build|setup) failed\])", "cmd/go, Test packages",
        "FAIL\texample.org/app [build failed]",
    ),
    FailedTest(
        "cargo test", r"test \S{1,200}(?: - should panic)? \.\.\. FAILED", "The rustc book, tests",
        "test sums::two ... FAILED",
    ),
    FailedTest(
        "cargo summary", r"test result: FAILED\. \d{1,6} passed; [1-9]\d{0,5} failed; [^\n]{1,200}",
        "The rustc book, tests", "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ),
    FailedTest(
        "pytest", r"(?:FAILED|ERROR) [^\s:]{1,200}\.py::\S{1,200}(?: - [^\n]{0,300})?",
        "pytest documentation, the short test summary", "FAILED tests/test_a.py::test_sum - assert 3 == 4",
    ),
    FailedTest(
        "pytest -v", r"[^\s:]{1,200}\.py::[^\n]{1,200} (?:FAILED|ERROR) +\[ *\d{1,3}%\]", "pytest documentation, -v",
        "tests/test_a.py::test_sum FAILED                       [ 50%]",
    ),
    FailedTest(
        "dotnet test", r"Failed! {2}- Failed: {1,9}[1-9]\d{0,5}, [^\n]{1,200}", ".NET CLI, dotnet test",
        "Failed!  - Failed:     1, Passed:    13, Skipped:     0, Total:    14",
    ),
    FailedTest("dotnet build", r"Build FAILED\.", ".NET CLI, dotnet build", "Build FAILED."),
    FailedTest(
        "tsc", r"\S{1,200}\(\d{1,6},\d{1,6}\): error TS\d{1,5}: [^\n]{1,300}", "TypeScript, the compiler's messages",
        "src/a.ts(16,5): error TS2322: Type 'this' is not assignable to type 'string'.",
    ),
    FailedTest(
        "webpack", r"webpack \d[\d.]{0,20} compiled with [1-9]\d{0,5} errors?[^\n]{0,80}", "webpack, stats",
        "webpack 5.1.2 compiled with 1 error in 92 ms",
    ),
    FailedTest(
        "bazel test", r"//[^\s]{1,200} {1,200}FAILED in [\d.]{1,12}s", "Bazel, test output",
        "//cart:cart_test                                   FAILED in 0.3s",
    ),
    FailedTest(
        "pre-commit",
        r"[^\s.][^\n.]{0,60}\.{3,80}Failed\n- hook id: [^\n]*",
        "pre-commit, its list of hooks", "flake8....................Failed\n- hook id: flake8",
    ),
    FailedTest(
        "pytest summary",
        r"={1,200} (?:[^\n=]{0,80}, )?[1-9]\d{0,5} (?:failed|errors?)\b[^\n=]{0,80} in [^\n=]{1,30}={1,200}",
        "pytest documentation, the short test summary", "==== 2 failed, 3 passed in 0.31s ====",
    ),
    FailedTest(
        "pytest summary, quiet",
        r"[1-9]\d{0,5} (?:failed|errors?)(?:, \d{1,6} [a-z]{1,12}){0,6} in \d{1,6}\.\d{1,3}s(?: \(\d[\d:]{1,9}\))?",
        "pytest documentation, -q", "1 failed, 3 passed in 0.31s",
    ),
    FailedTest(
        "unittest", r"(?:FAIL|ERROR): \w{1,100} \([\w.]{1,200}\)", "unittest.TextTestRunner",
        "FAIL: test_sum (tests.test_a.Sums)",
    ),
    FailedTest(
        "unittest summary", r"FAILED \((?:failures|errors)=[1-9]\d{0,5}(?:, [a-z ]{1,30}=\d{1,6}){0,4}\)",
        "unittest.TextTestRunner", "FAILED (failures=1)",
    ),
    FailedTest(
        "jest", r"(?:Tests|Test Suites): {1,9}[1-9]\d{0,5} failed, [^\n]{0,80}\d total", "Jest, the default reporter",
        "Tests:       1 failed, 3 passed, 4 total",
    ),
    FailedTest(
        "tap", r"not ok \d{1,6}(?: - (?![^\n]{0,200}# (?i:todo|skip))[^\n]{0,300})?", "Test Anything Protocol",
        "not ok 2 - sums",
    ),
    FailedTest(
        "rspec", r"[1-9]\d{0,5} examples?, [1-9]\d{0,5} failures?(?:, [^\n]{0,80})?", "RSpec, the progress formatter",
        "2 examples, 1 failure",
    ),
    FailedTest(
        "junit of maven",
        r"(?:\[ERROR\] )?Tests run: \d{1,6}, Failures: (?:[1-9]\d{0,5}, Errors: \d|0, Errors: [1-9])[^\n]{0,200}",
        "Maven Surefire", "[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0",
    ),
    FailedTest(
        "ctest", r"\d{1,3}% tests passed, [1-9]\d{0,5} tests? failed out of \d{1,6}", "ctest(1)",
        "50% tests passed, 1 tests failed out of 2",
    ),
)  # fmt: skip
_ANY = re.compile(rf"(?m)^(?:{'|'.join(row.pattern for row in FAILED_TESTS)})$")
_NEEDS = ("FAIL", "ERROR", "Failed!", "Failed\n", "not ok", " fail", " error")
# What is asked for is a report of tests that ran elsewhere, or before.
_OF_ANOTHER_TIME = frozenset("log logs show view history report status results get describe tail --list --help".split())
# What passes on what stands elsewhere.
_CARRIERS = frozenset("curl wget http https ssh scp rsync aws gcloud az heroku nc socat".split())


def failed_test_in(text: str, ran: Iterable[Simple]) -> str | None:
    """The first line that tells of a failed test, where one of these programs may have run it."""
    if all(simple.program in _CARRIERS or not _OF_ANOTHER_TIME.isdisjoint(simple.args) for simple in ran):
        return None
    if not holds_any(text, _NEEDS):
        return None
    found = _ANY.search(text)
    if found is None or (_HOOK in found[0] and _COMMITTED.search(text, found.end())):
        return None
    return found[0]


_HOOK = "\n- hook id: "
_COMMITTED = re.compile(r"(?m)^\[\S[^\]\n]{0,80} [0-9a-f]{7,40}\] ")
