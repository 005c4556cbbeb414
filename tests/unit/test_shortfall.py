"""What worked after a failure mends it only where it asks for no less, and was not let work by asking for less."""

from __future__ import annotations

import json
import time

import pytest

from tests.conftest import Record
from tests.unit.test_targets import given, mends_of
from warm_tui.reliability.again import same_call
from warm_tui.reliability.hunks import leaves_out_what_failed
from warm_tui.reliability.searches import found_nothing
from warm_tui.reliability.shortfall import falls_short
from warm_tui.reliability.weakening import only_prints, weakens
from warm_tui.sessions.model import Call

LESS = [
    ("a test left out", "pytest tests", "pytest tests --deselect tests/a.py::test_one", ""),
    ("a part of the tests", "pytest tests", "pytest tests/unit/test_a.py", ""),
    ("one of the tests", "pytest tests/a.py", "pytest tests/a.py::test_one", ""),
    ("chosen by a word", "go test ./pkg", "go test ./pkg -run TestOne", ""),
    ("none of the tests", "go test ./pkg -run 'TestOne|TestTwo'", "go test ./pkg -run '^$'", ""),
    ("a step less", "make fmt && make lint", "make fmt", ""),
    ("other steps", "mise run lint", "mise run fmt", ""),
    ("another target", "pytest a/test_x.py -k area", "pytest a/test_y.py -k area", ""),
    ("forgiven", "make test", "make test || true", ""),
    ("counted, not seen", "eslint src", "eslint src | wc -l", ""),
    ("only lines that were looked for", "git fsck | head -20", "git fsck | grep broken | head -20", ""),
    ("nothing done", "terraform apply", "terraform apply --dry-run", ""),
    ("something else asked", "which ffmpeg && which ffprobe", "which brew", "ffmpeg not found"),
    ("other code", "python3 -c 'import nomod'", "python3 -c 'import json; print(3)'", "No module named 'nomod'"),
    ("another task, that of the complaint only named", "mise run lint", "mise run fmt", "[lint] ERROR task failed"),
    ("some of what was sought", "rg 'a x|b y|c' src", "rg 'a x|c' src", "rg: b: No such file or directory"),
    ("without the wait", "sleep 30; gh run view 7", "gh run view 7", "Blocked: sleep 30 followed by: gh run view 7"),
    ("what is not there left out", "apt install nosuch jq", "apt install jq", "E: Unable to locate package nosuch"),
    ("another table", "psql -c 'SELECT a FROM b'", "psql -c 'SELECT a FROM c'", 'relation "b" does not exist'),
    ("another assertion", "python -c 'assert div(4, 2) == 3'", "python -c 'assert div(4, 2) == 2'", "AssertionError"),
]
AS_MUCH = [
    ("where it is", "cat src/confg.toml", "cat src/config.toml", "cat: src/confg.toml: No such file or directory"),
    ("wider", "ls a/b/c", "ls a/b", "No such file or directory"),
    ("more of it", "pytest tests/a.py", "pytest tests -q", ""),
    ("shown in part", "pytest tests", "pytest tests 2>&1 | tail -20", ""),
    ("with what is needed", "git push", "git push --set-upstream origin topic", ""),
    ("what was meant", "git statsu", "git status", "git: 'statsu' is not a git command"),
    ("one trade by another name", "npm ci", "npm install", ""),
    ("another program for it", "ed a.py", "sed -i s/a/b/ a.py", "ed: command not found"),
    ("without what it does not know", "tool build --fast web", "tool build web", ""),
    ("quoted rightly", "jq -c .a?b f.json", "jq -c '.a.b' f.json", ""),
    ("the assertion said otherwise", "python -c 'assert f(1) == 2, \"no\"'", "python -c 'assert f(1)==2'", ""),
    ("code mended in part", "python -c 'import jsn; jsn.loads(x)'", "python -c 'import json; json.loads(x)'", "jsn"),
    (
        "waited for otherwise",
        "sleep 30; ask it",
        "until ask it; do sleep 2; done",
        "Blocked: sleep 30 followed by: ask it",
    ),
    ("by another name of it", "sleep 1; python a.py", "python3 a.py", "python: command not found"),
    ("with another pattern", "rg 'a(|b' src", "rg 'a\\(|b' src", "regex parse error: unclosed group"),
    ("what it does not take", "gh pr list mine", "gh pr list", 'unknown argument "mine"'),
    ("the table's right name", "psql -c 'SELECT a FROM usr'", "psql -c 'SELECT a FROM user'", 'relation "usr"'),
    ("through the same filter", "cat f.json | jq '.a != 1'", "cat f.json | jq '.a'", ""),
]


@pytest.mark.parametrize(("first", "second", "said"), [pytest.param(*rest, id=name) for name, *rest in LESS])
def test_it_asks_for_less(first: str, second: str, said: str) -> None:
    assert falls_short(given(first), given(second), said)


@pytest.mark.parametrize(("first", "second", "said"), [pytest.param(*rest, id=name) for name, *rest in AS_MUCH])
def test_it_asks_for_as_much(first: str, second: str, said: str) -> None:
    assert not falls_short(given(first), given(second), said)


ORDER = {"items": [{"name": "a"}, {"name": "b"}], "paid_with": "card_12", "size": "large"}


@pytest.mark.parametrize(
    ("changed", "short"),
    [
        ({"paid_with": "cash_7"}, False),
        ({"items": [{"name": "a"}, {"name": "c"}], "paid_with": "cash_7"}, False),
        ({"items": [{"name": "a"}]}, True),
        ({"size": "small"}, True),
    ],
)
def test_of_any_tool_what_failed_was_changed_and_nothing_is_left_out(changed: dict[str, object], short: bool) -> None:
    first, second = json.dumps(ORDER), json.dumps({**ORDER, **changed})
    assert falls_short(first, second, "Error: the card has not enough on it") is short


def edit(path: str, old: str, new: str) -> str:
    return json.dumps({"path": path, "old_string": old, "new_string": new})


def patched(path: str, *lines: str) -> str:
    return json.dumps({"patch": "\n".join((f"--- a/{path}", f"+++ b/{path}", "@@ -1 +1 @@", *lines))})


TESTED = given("pytest tests/test_a.py")
WEAKER = [
    ("the tests removed", given("rm -rf tests/test_a.py"), TESTED),
    ("put elsewhere", given("mv tests/test_a.py /tmp"), TESTED),
    ("another assertion", edit("tests/test_a.py", "assert f(1) == 2", "assert f(1) == 3"), TESTED),
    ("a test less", edit("tests/test_a.py", "def test_b():\n    f()\n", ""), TESTED),
    ("silenced", edit("a.py", "x = f()", "x = f()  # type: ignore"), given("mypy .")),
    ("skipped", edit("tests/test_a.py", "def test_b():", "@pytest.mark.skip\ndef test_b():"), TESTED),
    ("written anew", json.dumps({"path": "tests/test_a.py", "content": "def test_a(): pass"}), TESTED),
    ("written anew by the shell", given("cat > tests/test_a.py <<'E'\ndef test_a(): pass\nE"), TESTED),
    ("the line that failed taken out", given("sed -i '/grid/d' check.py"), given("python check.py")),
    ("a line of two dashes by a patch", patched("a_test.lua", "--- assert(f() == 1)", "+x"), given("busted a_test.lua")),
    ("more than one file by a patch", patched("a.lua", "-x", "+y", "--- a/a_test.lua\t2026-01-02 10:00", "+++ b/a_test.lua\t2026-01-02 10:00", "@@ -1 +0,0 @@", "-assert(f() == 1)"), given("make")),
    ("behind a line of two signs", patched("a_test.c", "+++ i;", "-assert(i);"), given("make")),
    ("silenced by a script", given("python - <<'E'\np.write_text('x = f()  # noqa')\nE"), given("ruff check .")),
    ("silenced where tests are linted, too", edit("a.py", "x = f()", "x = f()  # noqa"), given("ruff check . && pytest")),
    ("silenced in a step", given("sed -i 's/pytest/pytest || true/' Makefile"), given("make test")),
    ("silenced in a file of steps", edit("Makefile", "\tpytest", "\tpytest || true"), given("make test")),
    ("silenced in the document that is checked", edit("a.md", "x", "<!-- noqa -->"), given("markdownlint a.md")),
    ("silenced all over", given("ruff check --add-noqa ."), given("ruff check .")),
    ("past the hooks", given("git commit --no-verify -m x"), given("git commit -m x && git push")),
    ("settings in place of others", given("cat > pytest.ini <<'E'\n[pytest]\nmarkers = a\nE"), TESTED),
    ("fewer rules", edit(".golangci.yml", "linters:", "linters:\n  disable:\n    - lll"), given("golangci-lint run")),
    ("less strict", edit("pyproject.toml", "strict = true", "strict = false"), given("mypy .")),
    ("by a patch", json.dumps({"input": "*** Update File: a_test.go\n-\trequire.Equal(t, 1, n)\n+\t_ = n"}), given("go test")),
]  # fmt: skip
AS_STRONG = [
    ("what is checked", edit("a.py", "return 1", "return 2"), TESTED),
    ("an import of a test", edit("tests/test_a.py", "import re", "import os"), TESTED),
    ("what was not there", given("cat > tests/test_a.py <<'E'\nassert f() == 1\nE"), TESTED),
    ("a line too many", given("sed -i '27d' src/a.py"), TESTED),
    ("a lock in the way", given("rm -f .git/index.lock"), given("git commit -m x")),
    ("what is there already", given("mkdir build || true; cp a build/"), given("make test")),
    ("made ready by a script", edit("run.sh", "make", "mkdir -p out || true\nmake"), given("make test")),
    ("what only linters hear", edit("a.py", "x = f()", "x = g()  # type: ignore"), TESTED),
    ("a document", edit("README.md", "Commit.", "Commit with --no-verify, or `# noqa`."), given("make test")),
    ("a document of the shell", given("cat >> README.md <<'E'\nuse --no-verify\nE"), given("make test")),
    ("words of a commit", given("git commit -qam 'say what # noqa is for'"), given("make test")),
    ("what it left itself", given("rm -rf tests/__pycache__ tests/.pytest_cache"), TESTED),
    ("its own output", given("npm ci > /tmp/log 2>&1 || true"), given("npm test")),
    ("what is missing", given("pip install pytest-mock"), TESTED),
    ("a marker", edit("pytest.ini", "markers =", "markers =\n    a"), TESTED),
    (
        "settings of what is no check",
        edit("pyproject.toml", "[build]", "[build]\nexclude = 'a'"),
        given("pip install ."),
    ),
]


@pytest.mark.parametrize(("change", "checked"), [pytest.param(*rest, id=name) for name, *rest in WEAKER])
def test_a_change_that_lets_it_pass_by_asking_less(change: str, checked: str) -> None:
    assert weakens(change, checked, "")


@pytest.mark.parametrize(("change", "checked"), [pytest.param(*rest, id=name) for name, *rest in AS_STRONG])
def test_a_change_after_which_as_much_is_asked(change: str, checked: str) -> None:
    assert not weakens(change, checked, "ERROR: file or directory not found: tests/test_a.py")


HUNKS = "*** Begin Patch\n*** Update File: a.md\n@@\n-Status: open\n+Status: done\n@@\n Notes:\n-- one is missing\n+- one is there"
NOT_FOUND = "Failed to find expected lines in a.md:\nNotes:\n- one is missing"


@pytest.mark.parametrize(
    ("second", "is_left_out"),
    [
        ("*** Update File: a.md\n@@\n-Status: open\n+Status: done", True),
        ("*** Update File: a.md\n@@\n Notes\n-- One is missing.\n+- one is there", False),
    ],
)
def test_the_part_of_a_patch_that_failed_is_left_out(second: str, is_left_out: bool) -> None:
    first, second = (json.dumps({"input": each}) for each in (HUNKS, second))
    assert leaves_out_what_failed(first, second, NOT_FOUND) is is_left_out
    assert not leaves_out_what_failed(first, second, "permission denied"), "nothing says which part failed"
    assert not leaves_out_what_failed(given(f"apply_patch <<'E'\n{HUNKS}"), second, "x")


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "is_none"),
    [
        ("Grep", {"pattern": "a"}, "No matches found", True), ("Glob", {"pattern": "*.go"}, "No files found", True),
        ("search_files", {"pattern": "a"}, '{"total_count": 0}', True), ("grep_search", {"query": "a"}, "[]", True),
        ("Grep", {"pattern": "a"}, "a.py:1: no matches found", False), ("Read", {"file_path": "a"}, "", False),
        ("terminal", {"command": "rg a src | head"}, '{"output": "", "exit_code": 0, "error": null}', True),
        ("terminal", {"command": "rg a src"}, '{"output": "a.py:1:a", "exit_code": 0, "error": null}', False),
        ("terminal", {"command": "make"}, '{"output": "", "exit_code": 0, "error": null}', False),
    ],
)  # fmt: skip
def test_what_a_search_found(tool: str, arguments: dict[str, str], result: str, is_none: bool) -> None:
    call = Call("c", "c", 0, 0, "s", tool, json.dumps(arguments), result, None, 0, 0)
    assert found_nothing(call) is is_none


@pytest.mark.parametrize(
    ("change", "prints"),
    [
        (edit("a.py", "f()", "f()\nprint(x)"), True),
        (edit("a.py", "f()", "print(x)"), False),
        (edit("a.js", "f()", "f()\nconsole.log(x)\ng()"), False),
        (given("sed -i '/def f/a \\    print(f\"x={x}\")' a.py"), True),
        (given("sed -i 's/a/b/' a.py"), False),
        (given("make"), False),
    ],
)
def test_one_that_only_shows_more_is_a_look(change: str, prints: bool) -> None:
    assert only_prints(change) is prints


HOSTILE = {
    "backslashes": "\\" * 20_000, "blanks": " " * 20_000, "slashes": "/" * 20_000 + "!", "a script": f"s/{'/' * 20_000}!",
    "queries": "select from " * 2_000, "hunks": "@@\n-a\n+b\n" * 2_000, "choices": "a|" * 9_000,
    "assertions": "assert " * 3_000, "commas": ", " * 9_000, "views": "| head " * 3_000,
}  # fmt: skip


@pytest.mark.parametrize("text", list(HOSTILE.values()), ids=list(HOSTILE))
def test_hostile_arguments_cost_no_time(text: str) -> None:
    began = time.process_time()
    for command in (text, f"sed -i '{text}' a.py", f"sed -i '{text}d x' a.py", f"python -c '{text}'"):
        falls_short(given(command), given(f"{command} x"), text)
        weakens(given(command), given(f"pytest {text}"), text)
        weakens(edit("tests/a.py", text, f"{text}\nprint({text})"), given(command), text)
        only_prints(given(command))
        same_call(named(command), named(f"{command} y"))
        found_nothing(named(command))
        patch = json.dumps({"patch": text})
        leaves_out_what_failed(patch, patch, text)
    assert time.process_time() - began < 20


def named(command: str) -> Call:
    return Call("c", "c", 0, 0, "s", "terminal", given(command), "", None, 0, 0)


ERROR = "Traceback (most recent call last):\nKeyError: 'id'"


def test_what_asks_for_less_is_passed_over_and_what_asks_for_all_again_is_found(record: Record) -> None:
    steps = (
        ("pytest tests", 1, ERROR), ("sed -i s/a/b/ src/a.py", 0, ""), ("pytest tests/test_a.py", 0, "1 passed"),
        ("pytest tests", 0, "9 passed"),
    )  # fmt: skip
    assert mends_of(record, *steps) == (["c1"], ["c1"])


def test_what_asks_for_less_mends_nothing(record: Record) -> None:
    steps = (("pytest tests", 1, ERROR), ("pytest tests -k one", 0, "1 passed"))
    assert mends_of(record, *steps) == ([], [])


def test_after_a_change_another_call_that_worked_proves_nothing(record: Record) -> None:
    steps = (("pytest tests", 1, ERROR), ("sed -i s/a/b/ src/a.py", 0, ""), ("pytest tests -x --tb=short", 0, "ok"))
    assert mends_of(record, *steps) == ([], [])


def test_a_check_that_was_weakened_is_not_mended(record: Record) -> None:
    steps = (("pytest tests", 1, ERROR), ("rm tests/test_a.py", 0, ""), ("pytest tests", 0, "8 passed"))
    assert mends_of(record, *steps) == ([], [])


def test_what_found_nothing_mends_nothing(record: Record) -> None:
    assert mends_of(record, ("grep -q[ a b.py", 2, "grep: invalid option"), ("grep a b.py", 1, "")) == ([], [])
