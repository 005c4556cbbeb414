"""A command line is read well enough to say what its exit code and its output mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.reliability.shell_reader import parse


def programs(line: str) -> list[list[str]]:
    return [[simple.program for simple in pipeline] for pipeline in parse(line).pipelines]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("grep x f", [["grep"]]),
        ("cd a && (cd b; python3 -m pytest -q 2>&1 | tail -5)", [["cd"], ["cd"], ["pytest", "tail"]]),
        ("cat <<'EOF' > x.py\nimport re | foo\ngrep a\nEOF\npython x.py", [["cat"], ["python"]]),
        ("sudo -E env A=1 timeout 5s python3 -bb -m pytest x", [["pytest"]]),
        ("bash -c 'grep foo bar'", [["grep"]]),
        ("find . -name '*.py' | xargs -0 grep foo", [["find", "xargs"]]),
        ("for f in *; do grep x $f; done", [["for"], ["grep"]]),
        ("A=$(foo | bar) ./run.sh --x", [["run.sh"]]),
        ("x=1", []),
        ("echo hi # c; foo", [["echo"]]),
        ("! grep -q a b", [["grep"]]),
        ("if grep a b; then make; fi", [["grep"], ["make"]]),
        ("uv run pytest -x", [["pytest"]]),
        ("echo 'a | b' \"c; d\" | sort", [["echo", "sort"]]),
        ("/usr/bin/grep -q a b", [["grep"]]),
        ("FROB_CONFIG=etc/frob.conf frob a | cat", [["frob", "cat"]]),
        ("make || true", [["make"], ["true"]]),
        ("", []),
    ],
)
def test_the_commands_of_a_line(line: str, expected: list[list[str]]) -> None:
    assert programs(line) == expected


@pytest.mark.parametrize(
    ("line", "hides"),
    [
        ("python a.py", False),
        ("cd x && python a.py", False),
        ("python a.py && echo done", False),
        ("make; python a.py", False),
        ("python a.py | tail -3", True),
        ("set -o pipefail; python a.py | tail -3", False),
        ("python a.py || true", True),
        ("python a.py; echo $?", True),
        ("python a.py\necho done", True),
        ("python a.py &", True),
        ("(python a.py) && echo done", False),
        ("echo $(python a.py)", True),
        ("echo hello", False),
    ],
)
def test_whether_a_line_can_hide_an_exit_code(line: str, hides: bool) -> None:
    assert parse(line).hides_exit_code is hides


@pytest.mark.parametrize(
    ("line", "unwatched"),
    [
        ("make", []),
        ("cd a && make && ls", []),
        ("make | tail", ["make"]),
        ("set -o pipefail; make | tail", ["set"]),
        ("make; ls", ["make"]),
        ("cd a && make; ls", ["make", "cd"]),
        ("make || true", ["make"]),
        ("make\nls", ["make"]),
        ("set -e; make; ls", []),
        ("set -e; make | tail; ls", ["make"]),
        ("make &", ["make"]),
        ("for f in a b; do make $f; done", ["for", "make"]),
        ("find . -name '*.py' -exec python3 {} \\;", ["python3"]),
        ("find . -name '*.py' -exec python3 {} +", []),
    ],
)
def test_the_commands_that_can_fail_unseen(line: str, unwatched: list[str]) -> None:
    assert [simple.program for simple in parse(line).unwatched] == unwatched


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("make; echo done", ["done"]),
        ("make && echo 'all done'", ["all done"]),
        ("make; echo $?", [None]),
        ("make; echo one; echo two", ["two", "one"]),
        ("make; cd ..; echo done", ["done"]),
        ("echo start; make", []),
        ("make; echo done | tee log", ["done"]),
        ("(make; echo done) 2>&1 | tail -3", ["done"]),
        ("make; echo done | sort", []),
    ],
)
def test_the_words_behind_all_else(line: str, words: list[str | None]) -> None:
    assert parse(line).spoken_last == words


@given(st.text(alphabet=st.sampled_from("ab '\"|&;()<>$`\\\n#!-=EOF"), max_size=60))
def test_any_line_is_read_without_raising(line: str) -> None:
    script = parse(line)
    assert isinstance(script.hides_exit_code, bool)
    assert script.possible_sources() is not None
    assert len(script.unwatched) <= len(script.commands)


def test_what_is_run_is_found_behind_any_number_of_wrappers() -> None:
    (simple,) = parse("sudo -u root " + "A=1 ! sudo " * 2_000 + "timeout -k 5 10 make all").commands
    assert (simple.program, simple.args) == ("make", ("all",))


@pytest.mark.parametrize("line", ["poetry install", "bundle install", "pdm add a", "hatch -v build", "pipenv lock"])
def test_what_runs_others_has_work_of_its_own(line: str) -> None:
    assert [simple.program for simple in parse(line).commands] == [line.split()[0]]


@pytest.mark.parametrize("line", ["poetry run pytest", "bundle exec pytest", "hatch -v run pytest -q"])
def test_what_runs_others_runs_them(line: str) -> None:
    assert [simple.program for simple in parse(line).commands] == ["pytest"]
