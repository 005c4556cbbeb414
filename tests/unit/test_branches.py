"""A branch copies what stood before it: each call is counted once, and parent and branches are one unit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Record, Row, assistant, result, summary, user
from tests.unit.commands import document
from warm_tui.comparisons.units import units_of
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import roots_of
from warm_tui.sessions.transcript import transcript

FAILED = '{"output": "no", "exit_code": 1, "error": null}'
RETIRED = {"active": 0, "compacted": 1}
BRANCHED = {"parent_session_id": "parent", "model_config": '{"_branched_from": "parent"}'}


def work(first: int, stop: int, **columns: Any) -> list[Row]:
    """Calls that fail, each with its result."""
    return [
        row
        for n in range(first, stop)
        for row in (assistant((f"c{n}", "terminal", {"command": f"make {n}"}), **columns),
                    result(f"c{n}", FAILED, **columns))
    ]  # fmt: skip


PARENT = [user("build it"), *work(0, 20)]


def profiles(path: Path, tmp_path: Path) -> dict[str, Profile]:
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        return {profile.session_id: profile for profile in catalog.profiles()}


def test_a_branch_adds_only_what_it_did_itself(record: Record, tmp_path: Path) -> None:
    branch = [*PARENT, user("and now the tests"), *work(20, 23)]
    seen = profiles(record({"parent": PARENT, "branch": branch}, branch=BRANCHED), tmp_path)
    assert (seen["parent"].tool_call_count, seen["parent"].failed_calls) == (20, 20)
    assert (seen["branch"].tool_call_count, seen["branch"].message_count) == (3, 7)
    assert (seen["branch"].relation, seen["branch"].compactions) == ("branch", 0)
    assert seen["branch"].first_message == "and now the tests"


def test_a_branch_is_not_changed_by_what_its_parent_did_later(record: Record, tmp_path: Path) -> None:
    """Also where a model numbers its calls anew, and both went on the same way."""
    path = record(
        {"parent": PARENT, "branch": [*PARENT, *work(20, 22)]}, branch=BRANCHED, parent={"end_reason": "branched"}
    )
    later = record({"parent": [*PARENT, *work(20, 22, timestamp=2e9)], "branch": [*PARENT, *work(20, 22)]},
                   name="later.db", branch=BRANCHED)  # fmt: skip
    for each in (path, later):
        assert profiles(each, tmp_path)["branch"].tool_call_count == 2


def test_a_branch_of_a_branch(record: Record, tmp_path: Path) -> None:
    first = [*PARENT, *work(20, 22)]
    path = record(
        {"parent": PARENT, "first": first, "second": [*first, *work(22, 27)]},
        first=BRANCHED,
        second={"parent_session_id": "first", "model_config": '{"_branched_from": "first"}'},
    )
    seen = profiles(path, tmp_path)
    assert [seen[name].tool_call_count for name in ("parent", "first", "second")] == [20, 2, 5]
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        (unit,) = units_of(seen.values(), catalog.roots())
    assert (unit.life, unit.calls, unit.failures) == ("parent", 27, 27)


def test_five_copies_of_one_sessions_failures_prove_nothing(record: Record, tmp_path: Path) -> None:
    """Once called "WARM WORSE, p = 0.008"."""
    warm = {"parent": PARENT, **{f"copy{n}": PARENT for n in range(5)}}
    cold = {f"cold{n}": [user("go"), assistant((f"k{n}", "terminal", {})), result(f"k{n}")] for n in range(6)}
    path = record({**warm, **cold}, **{f"copy{n}": BRANCHED for n in range(5)})
    arms = [("--warm", name) for name in warm] + [("--cold", name) for name in cold]
    words = [word for arm in arms for word in arm]
    compared = document("--home", str(tmp_path / "home"), "--db", str(path), "compare", *words)
    assert (compared["warm_sessions"], compared["cold_sessions"], compared["warm_calls"]) == (1, 6, 20)
    assert compared["warm_better"] is not True
    assert compared["verdict"] == "not enough data"


def test_a_branch_of_a_compacted_session_was_not_compacted_itself(record: Record, tmp_path: Path) -> None:
    kept = [summary(), *work(18, 20)]
    parent = [user("build it", **RETIRED), *work(0, 20, **RETIRED), *kept, *work(20, 22)]
    branch = [*kept, *work(20, 22), *work(22, 25)]
    seen = profiles(record({"parent": parent, "branch": branch}, branch=BRANCHED), tmp_path)
    assert (seen["parent"].tool_call_count, seen["parent"].compactions) == (22, 1)
    assert (seen["branch"].tool_call_count, seen["branch"].compactions) == (3, 0)


def test_a_branch_that_is_compacted_counts_its_own_cut(record: Record, tmp_path: Path) -> None:
    lived = [user("build it"), *work(0, 20), user("more"), *work(20, 26)]
    branch = [*[{**row, **RETIRED} for row in lived], summary(), *work(24, 26), *work(26, 28)]
    seen = profiles(record({"parent": PARENT, "branch": branch}, branch=BRANCHED), tmp_path)
    assert (seen["branch"].tool_call_count, seen["branch"].compactions) == (8, 1)


def test_a_branch_whose_parent_is_gone_stands_for_it(record: Record, tmp_path: Path) -> None:
    """Its calls are recorded nowhere else. Branches of one parent are still one unit."""
    gone = {"model_config": '{"_branched_from": "gone"}'}
    path = record({"one": PARENT, "two": PARENT}, one=gone, two=gone)
    seen = profiles(path, tmp_path)
    assert seen["one"].tool_call_count == 20
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        assert len(units_of(seen.values(), catalog.roots())) == 1


@pytest.mark.parametrize("words", ["build it", "build it, as it was sent"])
def test_words_that_were_kept_otherwise_than_sent_do_not_hide_a_copy(
    record: Record, tmp_path: Path, words: str
) -> None:
    branch = [user(words), *work(0, 20), user("go on"), *work(20, 21)]
    seen = profiles(record({"parent": PARENT, "branch": branch}, branch=BRANCHED), tmp_path)
    assert seen["branch"].tool_call_count == 1


def test_a_branch_that_copied_words_alone(record: Record, tmp_path: Path) -> None:
    """As Hermes' desktop makes them."""
    branch: list[Row] = [{"role": row["role"], "content": row["content"]} for row in PARENT]
    path = record({"parent": PARENT, "branch": [*branch, user("go on"), *work(20, 21)]}, branch=BRANCHED)
    seen = profiles(path, tmp_path)["branch"]
    assert (seen.tool_call_count, seen.message_count) == (1, 3)


def test_copies_are_told_as_carried_over(record: Record, tmp_path: Path) -> None:
    path = record({"parent": PARENT, "branch": [*PARENT, user("go on"), *work(20, 22)]}, branch=BRANCHED)
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        _, life, calls = catalog.life("branch")
        items = transcript(life)
    assert [call.id for call, _ in calls] == ["c20", "c21"]
    assert [(item.kind, item.count) for item in items] == [("carried", 41), ("user", 0), ("call", 0), ("call", 0)]
    assert json.loads(items[2].call.arguments) == {"command": "make 20"} if items[2].call else False


def drawn(first: int, stop: int) -> list[Row]:
    """Work whose ids no other session has."""
    return [
        row
        for n in range(first, stop)
        for row in (assistant((f"call_{n}5f74d2bc", "terminal", {"command": f"make {n}"})),
                    result(f"call_{n}5f74d2bc", FAILED))
    ]  # fmt: skip


@pytest.mark.parametrize("end", [{"end_reason": "cli_close", "ended_at": 1.0}, {}])
def test_a_fork_of_a_session_that_ended_otherwise_or_went_on(
    record: Record, tmp_path: Path, end: dict[str, object]
) -> None:
    """A server's fork tells only its parent, as a helper does; but its messages are older than itself."""
    copied = [{**row, "timestamp": 1_794_990_000.0 + at} for at, row in enumerate(PARENT)]
    path = record(
        {"parent": copied, "fork": [*copied, *work(20, 22)], "helper": [user("help"), *work(30, 31)]},
        parent={"started_at": 1_794_990_000.0, **end},
        fork={"parent_session_id": "parent", "started_at": 1_794_990_090.0},
        helper={"parent_session_id": "parent"},
    )
    seen = profiles(path, tmp_path)
    assert (seen["fork"].relation, seen["fork"].tool_call_count) == ("branch", 2)
    assert (seen["helper"].relation, seen["helper"].tool_call_count) == ("delegate", 1)


@pytest.mark.parametrize("end", [{"end_reason": "branched", "ended_at": 3e9}, {"end_reason": "cli_close"}, {}])
def test_a_branch_that_early_versions_did_not_mark(record: Record, tmp_path: Path, end: dict[str, object]) -> None:
    """Its parent was gone on with, and branched again or closed: what it repeats tells it from a helper.

    Migrated, both are marked as helpers.
    """
    came, marked = {"parent_session_id": "parent"}, {"model_config": '{"_delegate_from": "parent"}'}
    copied = [user("go"), *drawn(0, 6)]
    path = record(
        {"parent": copied, "branch": [*copied, *drawn(6, 8)], "migrated": [*copied, *drawn(8, 9)],
         "helper": [user("help"), *drawn(30, 31)]},
        parent=end, branch=came, migrated=came | marked, helper=came,
    )  # fmt: skip
    seen = profiles(path, tmp_path)
    assert [(seen[name].relation, seen[name].tool_call_count) for name in ("branch", "migrated")] == [
        ("branch", 2), ("branch", 1),
    ]  # fmt: skip
    assert (seen["helper"].relation, seen["helper"].tool_call_count) == ("delegate", 1)


@pytest.mark.parametrize("columns", [{"started_at": 5.0}, {"source": "acp"}], ids=["imported", "forked by an editor"])
def test_copies_that_name_no_original(record: Record, tmp_path: Path, columns: dict[str, object]) -> None:
    """Also those that were copied from a copy: the first that was written is the original."""
    two = [*drawn(0, 6), *drawn(6, 8)]
    told = {"one": drawn(0, 6), "two": two, "three": [*two, *drawn(8, 9)], "other": drawn(20, 22)}
    path = record(told, **dict.fromkeys(told, columns))
    seen = profiles(path, tmp_path)
    assert {name: (p.relation, p.tool_call_count) for name, p in seen.items()} == {
        "one": ("none", 6), "two": ("branch", 2), "three": ("branch", 1), "other": ("none", 2),
    }  # fmt: skip
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        units = {unit.life: unit.calls for unit in units_of(seen.values(), catalog.roots())}
    assert units == {"one": 9, "other": 2}
    assert roots_of(seen.values()) == {"two": "one", "three": "one"}, "in trends and questions, too"


@pytest.mark.parametrize("number", ["call_{}", "functions.terminal:{}", "call0000{}", "chatcmpl-{}"])
def test_ids_that_a_model_counts_up_tell_no_copy(record: Record, tmp_path: Path, number: str) -> None:
    """The same task, done twice at once."""
    rows = [user("go")]
    for n in range(3):
        rows += [assistant((number.format(n), "terminal", {"command": "ls"})), result(number.format(n))]
    path = record({"one": rows, "two": rows}, one={"started_at": 5.0}, two={"started_at": 5.0})
    assert {p.relation for p in profiles(path, tmp_path).values()} == {"none"}
    assert [p.tool_call_count for p in profiles(path, tmp_path).values()] == [3, 3]
