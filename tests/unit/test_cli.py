"""The commands, as scripts and people use them."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import DEMO_LIVES, DEMO_SESSIONS, Record, assistant, result, user
from tests.unit.commands import at, document, run
from warm_tui import __version__
from warm_tui.demo.nightly import COLD, WARM
from warm_tui.demo.trials import TRIALS
from warm_tui.paths import Home
from warm_tui.reliability.profile import PUBLIC_FIELDS
from warm_tui.sessions.invisible import hidden_in

CALL_FIELDS = (
    "tool_call_id, position, segment, session_id, tool_name, arguments, outcome, kind, reason, confidence, trivial, "
    "result_preview, timestamp, own"
).split(", ")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


def started(*words: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, where that is the point: what else is asked of the commands takes as long as it takes."""
    command = [sys.executable, "-m", "warm_tui", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
    )
    assert "Traceback" not in done.stderr
    assert not check or done.returncode == 0, done.stderr
    return done


def test_version() -> None:
    assert __version__ in started("--version").stdout


@pytest.mark.parametrize("words", [(), ("experiment",), ("plugin",)])
def test_help_tells_of_each_command_in_a_whole_sentence(words: tuple[str, ...]) -> None:
    told = run(*words, "--help").stdout.split("Commands:")[1]
    assert "..." not in told
    assert told.rstrip().endswith(".")


@pytest.mark.parametrize("words", [(), ("--demo",)])
def test_without_a_terminal_the_app_says_so_and_ends(words: tuple[str, ...]) -> None:
    done = started(*words, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "needs a terminal" in done.stderr


def test_sessions_as_json(demo: Home) -> None:
    listed = json.loads(started(*at(demo), "sessions", "--limit", "5", "--offset", "2", "--json").stdout)
    assert (listed["success"], listed["total"], listed["count"]) == (True, DEMO_LIVES, 5)
    assert [tuple(session) for session in listed["sessions"]] == [PUBLIC_FIELDS] * 5
    starts = [session["started_at"] for session in listed["sessions"]]
    assert starts == sorted(starts, reverse=True)


def test_a_filter_that_matches_nothing_says_so(demo: Home) -> None:
    assert run(*at(demo), "sessions", "--filter", "zzzz").stdout == "No session matches 'zzzz'.\n"


def test_sessions_sorted_and_filtered(demo: Home) -> None:
    listed = document(
        *at(demo), "sessions", "--sort", "-error_rate", "--filter", "calls>20 -source:cron", "--limit", "3"
    )
    rates = [session["error_rate"] for session in listed["sessions"]]
    assert rates == sorted(rates, reverse=True)
    assert all(session["tool_call_count"] > 20 for session in listed["sessions"])
    assert document(*at(demo), "sessions", "--filter", 'text:"Traceback"')["total"] > 0
    assert document(*at(demo), "sessions", "--limit", "0")["count"] == 0
    assert document(*at(demo), "sessions", "--offset", "1000")["count"] == 0


def test_sessions_in_groups_with_what_they_come_to(demo: Home) -> None:
    words = (*at(demo), "sessions", "--sort", "source,-calls", "--group-by", "source")
    listed = document(*words, "--limit", "100")
    sessions, groups, totals = listed["sessions"], listed["groups"], listed["totals"]
    assert (listed["grouped_by"], totals["sessions"]) == ("source", DEMO_LIVES)
    assert [session["source"] for session in sessions] == [
        group["name"] for group in groups for _ in range(group["sessions"])
    ]
    for group in groups:
        calls = [session["tool_call_count"] for session in sessions if session["source"] == group["name"]]
        assert (sum(calls), calls) == (group["tool_call_count"], sorted(calls, reverse=True))
    assert totals["failed_calls"] == sum(session["failed_calls"] for session in sessions)
    assert totals["sessions_without_cost"] == sum(session["cost_usd"] is None for session in sessions)
    done = sum(session["outcome"] == "done" for session in sessions)
    known = done + sum(session["outcome"] == "not-done" for session in sessions)
    assert (totals["sessions_done"], totals["done_rate"]) == (done, done / known)
    printed = run(*words, "--offset", "3", "--limit", "40").stdout.split("\n")
    headings = [line.split(":")[0] for line in printed if re.match(r"\w+: \d+ sessions?, ", line)]
    assert headings == [*dict.fromkeys(session["source"] for session in sessions[3:43]), "together"]
    assert set(document(*at(demo), "sessions")) == {"success", "total", "count", "sessions"}
    few = document(*at(demo), "sessions", "--totals", "--filter", "source:cron", "--limit", "1")
    assert (few["count"], few["totals"]["sessions"]) == (1, 3)


def test_what_stands_over_the_columns_sorts(demo: Home) -> None:
    head = run(*at(demo), "sessions", "--limit", "1", COLUMNS="400").stdout.split("\n")[0]
    for name in (title.strip() for title in re.split(r"\s{2,}", head.strip())):
        assert run(*at(demo), "sessions", "--limit", "1", "--sort", f"-{name}").returncode == 0, name


def test_a_profile_by_the_beginning_of_its_id(demo: Home) -> None:
    (session,) = document(*at(demo), "sessions", "--limit", "1")["sessions"]
    found = document(*at(demo), "profile", session["session_id"][:-3])
    assert tuple(found) == ("success", *PUBLIC_FIELDS, "learned_writes")
    assert found == {"success": True, **session, "learned_writes": []}


def test_calls_as_json(demo: Home) -> None:
    (session,) = document(*at(demo), "sessions", "--filter", '"Port the test suite #3"')["sessions"]
    found = document(*at(demo), "calls", session["session_id"])
    assert found["session_id"] == session["session_id"]
    assert [list(call) for call in found["calls"]] == [CALL_FIELDS] * 90
    assert {call["segment"] for call in found["calls"]} == {0, 1, 2}
    assert all(isinstance(call["arguments"], (dict, str)) for call in found["calls"])


def test_the_doctor(demo: Home, tmp_path: Path) -> None:
    well = document(*at(demo), "doctor")
    assert well["success"]
    assert well["databases"][0]["sessions"] == DEMO_SESSIONS
    ill = run("--home", str(tmp_path / "none"), "doctor", "--json", check=False)
    assert ill.returncode == 1
    assert json.loads(ill.stdout)["success"] is False
    assert not (tmp_path / "none").exists(), "a doctor changes nothing"


@pytest.mark.parametrize("command", [["sessions"], ["profile", "x"], ["calls", "x"]])
def test_what_cannot_be_done_is_one_sentence_and_exit_code_1(tmp_path: Path, command: list[str]) -> None:
    home = tmp_path / "none"
    plain = started("--home", str(home), *command, check=False)
    assert (plain.returncode, plain.stdout) == (1, "")
    assert plain.stderr.count("\n") == 1
    told = started("--home", str(home), *command, "--json", check=False)
    assert told.returncode == 1
    assert json.loads(told.stdout)["success"] is False
    assert json.loads(told.stdout)["error"] == told.stderr.strip()
    assert not home.exists(), "nothing is written"


def test_a_session_that_is_not_there_or_not_only_there(demo: Home) -> None:
    assert "no session 'nope'" in run(*at(demo), "profile", "nope", check=False).stderr
    assert "beginning of several" in run(*at(demo), "profile", "2026", check=False).stderr
    assert "no session ''" in run(*at(demo), "profile", "", check=False).stderr


@pytest.mark.parametrize(
    "words",
    [
        ["sessions", "--sort", "frob"], ["sessions", "--filter", "frob:1"], ["sessions", "--limit", "-1"], ["sessions", "--group-by", "frob"], ["frobnicate"], ["profile"],
        ["--demo", "--home", "x", "sessions"],
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(demo: Home, words: list[str]) -> None:
    assert run(*(at(demo) if "--demo" not in words else []), *words, check=False).returncode == 2


@pytest.mark.parametrize("width", [20, 60, 80, 120, 200])
def test_tables_fit_the_terminal(demo: Home, width: int) -> None:
    from rich.cells import cell_len

    for words in (["sessions"], ["calls", "2026111"], ["doctor"]):
        done = run(*at(demo), *words, check=False, COLUMNS=str(width))
        widest = max((cell_len(line) for line in done.stdout.splitlines()), default=0)
        assert widest <= max(width, 62), "the least that is shown"


def test_colours_are_off_when_nobody_is_looking(demo: Home) -> None:
    assert "\x1b" not in started(*at(demo), "sessions").stdout


def test_nothing_hostile_reaches_the_terminal(demo: Home) -> None:
    (session,) = document(*at(demo), "sessions", "--filter", "hostile")["sessions"]
    for words in (["sessions"], ["profile", session["session_id"]], ["calls", session["session_id"]]):
        for form in ([], ["--json"]):
            shown = run(*at(demo), *words, *form).stdout
            assert not OBEYED.search(shown)


def test_a_usage_error_tells_what_was_typed_with_symbols(demo: Home) -> None:
    for words in (["sessions", "\x1b]0;x\x07\u202e\u3164"], ["no\u3164such\ufe01"], ["sessions", "--li\u3164mit", "3"]):
        done = run(*at(demo), *words, check=False)
        assert done.returncode == 2
        assert "‹U+3164›" in done.stderr
        assert hidden_in(done.stderr) == ""


def test_a_closed_pipe_is_no_error(demo: Home) -> None:
    command = f"{sys.executable} -m warm_tui --home {demo.root} sessions --json --limit 500 | head -c 10"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""


def test_a_pipe_closed_before_anything_is_read(demo: Home) -> None:
    command = f"{sys.executable} -m warm_tui --home {demo.root} sessions --limit 1 | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_full_disk_is_told(demo: Home) -> None:
    command = f"{sys.executable} -m warm_tui --home {demo.root} sessions > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "The output could not be written: No space left on device.\n"


def test_a_session_that_is_not_there_leaves_no_library(record: Record, tmp_path: Path) -> None:
    home = tmp_path / "home"
    run("--home", str(home), "--db", str(record({"s": [user("go")]})), "profile", "nope", check=False)
    assert not home.exists()


@pytest.mark.parametrize("depth", [500, 980, 2000])
def test_json_as_deep_as_one_likes(record: Record, tmp_path: Path, depth: int) -> None:
    deep = '{"a":' * depth + "1" + "}" * depth
    rows = [user("\x00json:" + deep), assistant(("a", "terminal", deep)), result("a", deep)]
    path = record({"s": rows}, s={"model_config": f'{{"_branched_from": {deep}}}'})
    home = ["--home", str(tmp_path / "home"), "--db", str(path)]
    assert json.loads(started(*home, "sessions", "--json").stdout)["count"] == 1
    assert len(json.loads(started(*home, "calls", "s", "--json").stdout)["calls"]) == 1


def test_numbers_that_json_cannot_hold(record: Record, tmp_path: Path) -> None:
    rows = [assistant(("a", "terminal", '{"n": NaN}'), ("b", "terminal", '{"n": 1e999}'))]
    found = document("--home", str(tmp_path / "home"), "--db", str(record({"s": rows})), "calls", "s")
    assert [call["arguments"] for call in found["calls"]] == ['{"n": NaN}', '{"n": 1e999}']


def test_a_terminal_that_knows_few_characters(demo: Home) -> None:
    assert started(*at(demo), "sessions", PYTHONIOENCODING="latin-1").returncode == 0


def test_a_home_whose_name_is_no_text(demo: Home, tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/nb\xff")
    os.rename(demo.root, odd)
    assert json.loads(started("--home", odd, "sessions", "--json").stdout)["total"] == DEMO_LIVES


def test_the_same_database_named_twice(demo: Home) -> None:
    named = ["--db", str(demo.databases[0])]
    assert document(*at(demo), *named, *named, "sessions")["total"] == DEMO_LIVES


def test_several_databases_at_once(record: Record, tmp_path: Path) -> None:
    rows = [user("go"), assistant(("a", "terminal", {})), result("a")]
    one, two = record({"one": rows}, "one.db"), record({"two": rows}, "two.db")
    listed = document("--home", str(tmp_path / "home"), "--db", str(one), "--db", str(two), "sessions")
    assert {session["session_id"] for session in listed["sessions"]} == {"one", "two"}


def test_a_home_in_the_environment(demo: Home) -> None:
    assert json.loads(started("sessions", "--json", HERMES_HOME=str(demo.root)).stdout)["total"] == DEMO_LIVES


def test_the_demo_needs_nothing() -> None:
    listed = document("--demo", "sessions", "--limit", "1000")
    agents = Counter(session["agent"] for session in listed["sessions"])
    more = len(COLD) + len(WARM) + sum(told.sessions for told in TRIALS)
    assert agents == {"hermes": DEMO_LIVES + more, "claude-code": 3, "codex": 2, "opencode": 2}


def test_ids_with_odd_characters(record: Record, tmp_path: Path) -> None:
    path = record({"odd [red] id\x1b[31m": [user("go")]})
    sqlite3.connect(path).close()
    home = ["--home", str(tmp_path / "home"), "--db", str(path)]
    assert not OBEYED.search(run(*home, "sessions").stdout)
    assert document(*home, "profile", "odd")["session_id"] == "odd [red] id\x1b[31m"


LIGHT = "import sys, warm_tui.cli; print(','.join(sorted(sys.modules)))"


def test_nothing_heavy_is_imported_to_start() -> None:
    loaded = set(
        subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True).stdout.strip().split(",")
    )
    assert not loaded & {"textual", "rich", "sqlite_utils", "sqlite3", "scipy", "numpy", "msgspec", "asyncio"}


LISTING = (
    "import sys; from warm_tui.cli import cli; cli(sys.argv[1:], standalone_mode=False);"
    "print('warm_tui.reliability.verdict' in sys.modules, file=sys.stderr)"
)


def test_what_is_remembered_is_listed_without_the_judge(unread_demo: Home) -> None:
    words = [sys.executable, "-c", LISTING, "--home", str(unread_demo.root), "sessions", "--limit", "1"]
    judged = [subprocess.run(words, capture_output=True, text=True, check=True).stderr.strip() for _ in range(2)]
    assert judged == ["True", "False"]
