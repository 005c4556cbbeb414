"""A life is one row, whether it was compacted in place or into new sessions; its parts are told apart on request."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FIXTURES, Record, assistant, result, summary, user
from tests.unit.commands import document, run
from warm_tui.comparisons.arms import compare_arms
from warm_tui.comparisons.spec import ComparisonSpec
from warm_tui.comparisons.units import units_of
from warm_tui.errors import Leaking
from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import feed
from warm_tui.library.marks import keep_marks
from warm_tui.library.verdicts import set_verdict
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.screens.sessions.session_list import SessionList
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.model import SessionName
from warm_tui.templates.building import Wanted, build, find_call

CHAINED, IN_PLACE = "compaction_chain", "compaction_inplace"
OF_THE_RECORDING = {
    "session_id", "started_at", "ended_at", "duration_seconds", "seconds_to_first_success", "relation", "parts",
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "auxiliary_tokens",
    "home",
}  # fmt: skip
"""Names, times and tokens: two runs of the same work have their own, and the way it was compacted."""
FAILED = '{"output": "no", "exit_code": 1, "error": null}'


def recorded(name: str, folder: Path) -> Home:
    """A home with a real recording."""
    kept = json.loads((FIXTURES / f"{name}.json").read_text())
    (folder / name).mkdir()
    path = folder / name / "state.db"
    with Archive(path) as archive:
        for session in kept["sessions"]:
            archive.add_session(**session)
        archive.add_messages(kept["messages"])
    return Home(folder / name / "home", (path,))


def longest(home: Home) -> Profile:
    with Catalog(home) as catalog:
        return max(catalog.profiles(), key=lambda profile: profile.tool_call_count)


def fails(name: str) -> list[dict[str, Any]]:
    return [assistant((name, "terminal", {"command": f"make {name}"})), result(name, FAILED)]


def works(name: str) -> list[dict[str, Any]]:
    return [assistant((name, "terminal", {"command": f"make {name}"})), result(name)]


@pytest.fixture
def chain(record: Record, tmp_path: Path) -> Home:
    """Three sessions of one life, and another session."""
    path = record(
        {
            "root": [user("build it"), *works("a"), *fails("b")],
            "next": [summary(), *fails("b"), *fails("c"), *works("d")],
            "tip": [summary("[CONTEXT COMPACTION] again"), *works("d"), *works("e")],
            "other": [user("else"), *works("z")],
        },
        root={"title": "Build", "model": "old", "end_reason": "compression", "input_tokens": 5, "output_tokens": 1},
        next={"parent_session_id": "root", "title": "Build #2", "end_reason": "compression", "input_tokens": 7},
        tip={"parent_session_id": "next", "title": "Build #3", "model": "new", "end_reason": "done", "output_tokens": 2},
    )  # fmt: skip
    return Home(tmp_path / "home", (path,))


# --- profiles ---


def test_the_same_work_has_the_same_profile_chained_or_in_place(tmp_path: Path) -> None:
    chained, in_place = (longest(recorded(name, tmp_path)) for name in (CHAINED, IN_PLACE))
    assert (len(chained.parts), len(in_place.parts)) == (9, 0)
    for field in sorted({*Profile.__struct_fields__} - OF_THE_RECORDING):
        assert getattr(chained, field) == getattr(in_place, field), field
    assert (chained.tool_call_count, chained.compactions, chained.message_count) == (45, 8, 92)
    assert (chained.relation, in_place.relation) == ("compression_chain", "compression_in_place")


def test_a_life_is_named_by_its_first_session_and_ends_with_its_last(chain: Home) -> None:
    with Catalog(chain) as catalog:
        other, life = catalog.profiles()
    assert (other.session_id, life.session_id, life.session_ids) == ("other", "root", ("root", "next", "tip"))
    assert (life.title, life.model, life.end_reason, life.parent_session_id) == ("Build", "new", "done", None)
    assert (life.course, life.tool_call_count, life.compactions) == (".xx..", 5, 2)
    assert (life.input_tokens, life.output_tokens) == (12, 3)
    assert [(p.session_id, p.part_of, p.course, p.compactions) for p in life.parts] == [
        ("root", "root", ".x", 0), ("next", "root", "x.", 1), ("tip", "root", ".", 1),
    ]  # fmt: skip


def test_a_title_that_somebody_gave_later_is_its_title(chain: Home) -> None:
    change(chain, "UPDATE sessions SET title = 'Ship it' WHERE id = 'tip'")
    with Catalog(chain) as catalog:
        assert catalog.profile("root").title == "Ship it"


def test_any_of_its_sessions_tells_of_the_life(chain: Home) -> None:
    for name in ("root", "next", "tip"):
        told = document("--home", str(chain.root), "--db", str(chain.databases[0]), "profile", name)
        assert (told["session_id"], told["session_ids"]) == ("root", ["root", "next", "tip"])
        said = run("--home", str(chain.root), "--db", str(chain.databases[0]), "calls", name).stderr
        assert ("is number" in said) == (name != "root")
    assert "tip is number 3 of the 3 sessions of root." in said


def test_the_newest_few_lives_are_had_without_a_look_at_the_rest(chain: Home) -> None:
    with Catalog(chain) as catalog:
        windows = [catalog.window(parse_filter(""), limit=1, offset=at) for at in range(3)]
        first = next(iter(feed(catalog, lambda: "", lambda: False)))
    assert [(w.total, [p.session_id for p in w.profiles]) for w in windows] == [(2, ["other"]), (2, ["root"]), (2, [])]
    assert (first.total, [row.session_id for row in first.rows or ()]) == (2, ["other", "root"])


def test_a_life_that_goes_on_is_profiled_anew_and_keeps_its_name(chain: Home) -> None:
    with Catalog(chain) as catalog:
        before = catalog.profiles()
    change(chain, "UPDATE sessions SET end_reason = 'compression' WHERE id = 'tip'")
    change(chain, "INSERT INTO sessions (id, source, parent_session_id, started_at) VALUES ('new', 'cli', 'tip', 2e9)")
    with Catalog(chain) as catalog:
        other, life = catalog.profiles()
        assert other == before[0]
        assert (life.session_id, life.session_ids) == ("root", ("root", "next", "tip", "new"))
        assert catalog.profile("new") == life


def test_another_heir_is_a_life_of_its_own_that_counts_what_it_did_itself(record: Record, tmp_path: Path) -> None:
    """As a connection that had been lost leaves them: nobody goes on with it."""
    path = record(
        {
            "root": [user("go"), *works("a"), *fails("b")],
            "stale": [summary(), *fails("b"), *fails("c")],
            "live": [summary(), *fails("b"), *works("d"), *works("e")],
        },
        root={"end_reason": "compression"},
        stale={"parent_session_id": "root", "end_reason": "orphaned", "ended_at": 1.0},
        live={"parent_session_id": "root"},
    )
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        lives = {profile.session_ids: profile.course for profile in catalog.profiles()}
        (unit,) = units_of(catalog.profiles(), catalog.roots())
        assert [call.id for call, _ in catalog.life("stale")[2]] == ["c"]
    assert lives == {("root", "live"): ".x..", ("stale",): "x"}
    assert (unit.life, unit.calls, unit.failures) == ("root", 5, 2)


def test_relations_that_run_in_circles_are_lives_all_the_same(record: Record, tmp_path: Path) -> None:
    circle = {"end_reason": "compression"}
    path = record(
        {"b": [*works("x")], "a": [*works("y")], "on": [*works("z")]},
        a={**circle, "parent_session_id": "b"}, b={**circle, "parent_session_id": "a"},
    )  # fmt: skip
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        assert {p.session_ids for p in catalog.profiles()} == {("a", "b"), ("on",)}
        assert {catalog.profile(name).session_ids for name in ("a", "b")} == {("a", "b")}


def test_a_branch_of_a_life_counts_what_it_did_itself(chain: Home) -> None:
    change(chain, "INSERT INTO sessions (id, source, parent_session_id, started_at, model_config)"
                  " VALUES ('branch', 'cli', 'tip', 2e9, '{\"_branched_from\": \"tip\"}')")  # fmt: skip
    columns = "role, content, tool_calls, tool_call_id, tool_name, timestamp"
    change(chain, f"INSERT INTO messages (session_id, {columns}) SELECT 'branch', {columns} FROM messages"
                  " WHERE session_id = 'tip' ORDER BY id")  # fmt: skip
    with Catalog(chain) as catalog:
        seen = {p.session_id: (p.relation, p.tool_call_count, p.compactions) for p in catalog.profiles()}
        units = {unit.life: unit.session_ids for unit in units_of(catalog.profiles(), catalog.roots())}
    assert seen["root"] == ("compression_chain", 5, 2)
    assert seen["branch"] == ("branch", 0, 0)
    assert units["root"] == ("root", "next", "tip", "branch")


def test_a_session_that_was_gone_on_with_in_another_home_is_one(record: Record, tmp_path: Path) -> None:
    here = record({"s": [user("go"), *works("a")]}, name="here.db")
    there = record({"s": [user("go"), *works("a"), *fails("b")]}, name="there.db")
    for paths in ((here, there), (there, here)):
        with Catalog(Home(tmp_path / "home", paths)) as catalog:
            (life,) = catalog.profiles()
            assert (life.course, catalog.profile("s").course) == (".x", ".x")
            sessions = SessionList()
            for batch in feed(catalog, lambda: "", lambda: False):
                sessions.take(batch)
            assert [profile.course for profile in sessions.profiles] == [".x"]


# --- what is asked of them ---


def test_filters_see_a_life_whole_or_by_its_parts(chain: Home) -> None:
    def ids(query: str) -> list[str]:
        with Catalog(chain) as catalog:
            return [p.session_id for p in catalog.window(parse_filter(query)).profiles]

    assert ids("calls>4") == ids("id:tip") == ids('"Build #2"') == ids("text:again") == ["root"]
    assert ids("parts:yes") == ["other", "tip", "next", "root"]
    assert ids("parts:yes calls>1") == ["next", "root"]
    assert ids("-parts:no id:tip") == ids("parts:yes text:again") == ["tip"]
    assert ids("parts:no calls>1") == ["root"]


@pytest.mark.parametrize("words", ["parts:maybe", "parts>2"])
def test_a_wish_for_parts_is_yes_or_no(words: str, chain: Home) -> None:
    where = ("--home", str(chain.root), "--db", str(chain.databases[0]))
    assert "parts:yes shows each session" in run(*where, "sessions", "--filter", words, check=False).stderr


def test_both_are_mined_alike(tmp_path: Path) -> None:
    told = []
    for name in (CHAINED, IN_PLACE):
        with Catalog(recorded(name, tmp_path)) as catalog:
            built = build(catalog, Wanted(), redactor_of(catalog.home))
        told.append([(p.arguments, p.result, p.context, p.kind, p.success_count) for p in built.patterns])
        assert (built.metrics["sessions_scanned"], built.metrics["sessions_qualified"]) == (2, 1)
    assert told[0] == told[1]
    assert len(told[0]) == 2


def test_a_call_is_picked_by_its_name_from_wherever_it_was_made(chain: Home) -> None:
    with Catalog(chain) as catalog:
        assert find_call(catalog, "d").name == ("next", "d")
        assert find_call(catalog, "tip:e").name == find_call(catalog, "root:e").name == ("tip", "e")


def test_a_mark_on_any_of_its_sessions_marks_the_life(chain: Home) -> None:
    """As those are that were set while each was a row."""
    with Catalog(chain) as catalog:
        keep_marks(catalog.library, [{SessionName("tip"): "warm", SessionName("other"): "cold"}])
        told = compare_arms(catalog, ComparisonSpec("marks")).comparison
    assert [(unit.life, unit.session_ids, unit.calls) for unit in told.warm] == [("root", ("root", "next", "tip"), 5)]
    assert [unit.life for unit in told.cold] == ["other"]


def test_a_life_whose_parts_alone_match_is_in_an_arm_as_a_whole(chain: Home) -> None:
    with Catalog(chain) as catalog:
        told = compare_arms(catalog, ComparisonSpec("filters", "parts:yes id:next", "title:else")).comparison
        rest = compare_arms(catalog, ComparisonSpec("filters", "parts:yes id:next")).comparison
    assert [unit.calls for unit in told.warm] == [5]
    assert [unit.life for unit in rest.cold] == ["other"]


def test_a_saved_comparison_and_its_facts_name_any_of_its_sessions(chain: Home) -> None:
    asked = ComparisonSpec("sessions", warm=("tip",), cold=("other",), facts={"next": ("build", True)}, from_saved=True)
    with Catalog(chain) as catalog:
        told = compare_arms(catalog, asked).comparison
    assert [(unit.life, unit.task, unit.success) for unit in told.warm] == [("root", "build", True)]


def test_a_verdict_on_a_call_of_any_part_counts_in_the_life_once(record: Record, tmp_path: Path) -> None:
    """Also where a model numbers its calls anew in every session."""
    path = record(
        {"root": [user("go"), *fails("call_0")], "tip": [summary(), *works("k"), *fails("call_0")]},
        root={"end_reason": "compression"}, tip={"parent_session_id": "root"},
    )  # fmt: skip
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        assert catalog.profile("tip").course == "x.x"
        set_verdict(catalog.library, SessionName("tip"), "call_0", "success")
        (life,) = catalog.profiles()
    assert (life.course, life.own_verdicts, [part.own_verdicts for part in life.parts]) == ("x..", 1, [0, 1])


def test_what_a_template_was_made_from_is_known_by_any_of_its_sessions(chain: Home) -> None:
    where = ("--home", str(chain.root), "--db", str(chain.databases[0]))
    assert document(*where, "build", "mine", "--call", "e")["pattern_count"] == 1
    with Catalog(chain) as catalog:
        catalog.library.connection.execute(
            "INSERT INTO arms (session_id, template, content) VALUES ('root', 'mine', '')"
        )
        with pytest.raises(Leaking, match="was made from 1 session of these arms"):
            compare_arms(catalog, ComparisonSpec("template", template="mine"))


def change(home: Home, statement: str) -> None:
    connection = sqlite3.connect(home.databases[0])
    connection.execute(statement)
    connection.commit()
    connection.close()
