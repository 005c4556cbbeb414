"""Which calls are chosen, and why."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Record, assistant, result, user
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import Cost
from warm_tui.library.uses import end_activation, record_use
from warm_tui.library.verdicts import set_verdict
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Reached
from warm_tui.reliability.shape import shape_of
from warm_tui.reliability.verdict import judge
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.model import Call, SessionName
from warm_tui.templates.building import Wanted, build, candidates_in, find_call, sessions_to_mine
from warm_tui.templates.choosing import Rank, choose, share_out
from warm_tui.templates.mining import Candidate, qualifies, told_result
from warm_tui.templates.shorten import short_context
from warm_tui.templates.shortlist import arranged, entry_of, reason, suggestions


def done(output: str, code: int = 0) -> str:
    return json.dumps({"output": output, "exit_code": code, "error": None})


REDACTOR = Redactor(b"a key of the tests")
WORK = [
    user("Fix the failing test in the parser, please."),
    assistant(("c1", "terminal", {"command": "git status"})),
    result("c1", done("clean")),
    assistant(content="Let me look."),
    assistant(("c2", "terminal", {"command": "pytest -q tests/test_parser.py"})),
    result("c2", done("1 failed", 1)),
    assistant(content="The parser drops the last token; I will mend that first."),
    assistant(("c3", "patch", {"path": "parser.py", "old_string": "x", "new_string": "y"})),
    result("c3", json.dumps({"success": True})),
    assistant(("c4", "terminal", {"command": "pytest -q tests/test_parser.py"})),
    result("c4", done("1 passed")),
    assistant(("c5", "memory", {"action": "add"})),
    result("c5", json.dumps({"success": True})),
    assistant(("c6", "terminal", {"command": "git diff"})),
    result("c6", done("+y")),
]


@pytest.fixture
def catalog(record: Record):
    path = record({"work": WORK})
    with Catalog(Home(path.parent, (path,))) as opened:
        yield opened


def test_a_call_knows_the_family_that_it_is_of_or_that_it_mended(catalog: Catalog) -> None:
    found = candidates(catalog)
    failed, mended = found["c2"], found["c3"]
    assert failed.family == mended.family != ""
    assert found["c1"].family == found["c4"].family == found["c6"].family == ""
    entry = entry_of(mended, catalog.profile("work"), "openai")
    assert arranged([entry], f"family:{failed.family}", "recorded_at", Counter())
    assert not arranged([entry], "family:another", "recorded_at", Counter())


def candidates(catalog: Catalog, session_id: str = "work"):
    return {each.call.id: each for each in candidates_in(catalog, catalog.profile(session_id))}


def test_each_call_has_the_last_words_of_the_user(catalog: Catalog) -> None:
    contexts = {each.context for each in candidates(catalog).values()}
    assert contexts == {"Fix the failing test in the parser, please."}, "what the agent says may be anybody's"


def test_kinds(catalog: Catalog) -> None:
    kinds = {call_id: each.kind for call_id, each in candidates(catalog).items()}
    assert kinds == {"c1": "init", "c2": "sequence", "c3": "retry", "c4": "sequence", "c6": "final"}
    change = candidates(catalog)["c3"]
    assert change.fixed.startswith("exit code 1")
    assert change.mends == candidates(catalog)["c2"]
    assert change.then_again, "the same call worked once that was changed"


def test_another_command_after_a_failure_mends_nothing(record: Record) -> None:
    path = record(
        {
            "s": [
                user("Clean up."),
                assistant(("c1", "terminal", {"command": "rm nothing.txt"})),
                result("c1", done("rm: cannot remove 'nothing.txt'", 1)),
                assistant(("c2", "terminal", {"command": "ls -la"})),
                result("c2", done("total 0")),
                assistant(("c3", "terminal", {"command": "pwd"})),
                result("c3", done("/srv")),
            ]
        }
    )
    with Catalog(Home(path.parent, (path,))) as catalog:
        assert [each.kind for each in candidates(catalog, "s").values()] == ["init", "sequence", "final"]


def test_only_what_succeeded_for_certain_is_chosen(catalog: Catalog) -> None:
    assert {choice.candidate.call.id for choice in choose(candidates(catalog).values(), 15)} == {"c1", "c3", "c4", "c6"}


def test_an_own_verdict_decides(catalog: Catalog) -> None:
    set_verdict(catalog.library, SessionName("work"), "c1", "failure", "it misled")
    set_verdict(catalog.library, SessionName("work"), "c2", "success", "the failure was wanted")
    chosen = {choice.candidate.call.id for choice in choose(candidates(catalog).values(), 15)}
    assert "c1" not in chosen
    assert "c2" in chosen or "c4" in chosen, "of one shape, one"


def test_one_of_each_shape_and_the_one_that_mended_a_failure(catalog: Catalog) -> None:
    set_verdict(catalog.library, SessionName("work"), "c2", "success", "")
    set_verdict(catalog.library, SessionName("work"), "c2", "failure", "")
    chosen = choose(candidates(catalog).values(), 15)
    assert len({choice.candidate.shape for choice in chosen}) == len(chosen)
    (mended,) = [choice for choice in chosen if choice.candidate.call.id == "c3"]
    assert mended.why.startswith("after it what had failed before worked"), "its own reason before that of its tool"
    assert "; patch is 25% of the successful calls, so " in mended.why


def candidate(call_id: str, command: str, **fields: object) -> Candidate:
    call = Call(
        call_id,
        call_id,
        0,
        0,
        str(fields.pop("session", "s")),
        "terminal",
        json.dumps({"command": command}),
        done("x"),
        1.0,
        1,
        2,
    )
    verdict = judge(call.arguments, call.result)
    known = {
        "life": call.session_id,
        "tool": call.tool_name,
        "context": "words",
        "kind": "sequence",
        "source": "cli",
        "task_type": "code",
        "recorded_at": 1.0,
    }
    shape = shape_of("terminal", {"command": command})
    return Candidate(call=call, verdict=verdict, arguments={"command": command}, shape=shape, **known | fields)  # type: ignore[arg-type]


def first_chosen(*candidates: Candidate) -> str:
    (choice,) = choose(candidates, 1)
    return choice.candidate.call.id


def test_that_its_session_reached_its_goal_is_said() -> None:
    (choice,) = choose([candidate("a", "git log", outcome="done")], 1)
    assert "its session reached its goal" in choice.why
    (choice,) = choose([candidate("a", "git log")], 1)
    assert "goal" not in choice.why


def test_what_is_preferred() -> None:
    plain = candidate("a", "git log")
    assert first_chosen(plain, candidate("b", "make all", mends=candidate("c", "make al"))) == "b", (
        "what mended a failure"
    )
    assert first_chosen(plain, candidate("b", "make all", recorded_at=9.0)) == "b", "recent over old"
    assert first_chosen(candidate("b", "make all", context=""), plain) == "a", "what has words before it"
    assert first_chosen(plain, candidate("b", "make all", outcome="done")) == "b", "what led to a goal"
    assert first_chosen(candidate("b", "make all", outcome="not-done"), plain) == "a", "what led nowhere comes last"
    often = [candidate(f"b{n}", "make all", session=f"s{n}") for n in range(4)]
    assert first_chosen(plain, *often).startswith("b"), "what succeeded in many sessions"


COSTS = {"dear": Cost("pytest: failed: KeyError in test_a", 40), "cheap": Cost("cat: No such file", 2)}


def mend(call_id: str, family: str, outcome: Reached = "done") -> Candidate:
    return candidate(call_id, f"make {call_id}", mends=candidate("f", "make al"), family=family, outcome=outcome)


def test_what_mends_costly_failures_on_the_way_to_a_goal_comes_first_and_says_so() -> None:
    often = [candidate(f"o{n}", "git log", session=f"s{n}") for n in range(40)]
    rank = Rank(0.0, 1.0, COSTS)
    ranked = [mend("a", "dear"), mend("b", "dear", "unknown"), mend("c", "cheap"), mend("d", "dear", "not-done")]
    assert sorted(ranked, key=rank.of_one, reverse=True) == ranked
    assert rank.of_one(ranked[1]) > rank.of_one(often[0]) + rank.of_many(len(often)), "before what is done everywhere"
    (choice,) = choose([*often, *ranked], 1, COSTS)
    assert choice.candidate.call.id == "a"
    assert choice.why.startswith(
        "it recovered from a failure (ok), of a family that cost 40 calls: pytest: failed: KeyError in test_a;"
        " its session reached its goal; "
    )


def test_the_first_reason_to_pick_a_call_names_the_family_that_it_mended_and_what_that_cost(catalog: Catalog) -> None:
    profile = catalog.profile("work")
    entry, other = (entry_of(mend("a", family), profile, "any", costs=COSTS) for family in ("dear", "gone"))
    told = "mends pytest: failed: KeyError in test_a (its family cost 40 calls); its session reached its goal"
    assert reason(entry, Counter()).startswith(told)
    assert reason(other, Counter()).startswith("mended ok; "), "nobody is troubled by it"
    (c3,) = (each for each in suggestions(catalog, Wanted(sessions=("work",)), "any") if each.call[1] == "c3")
    assert reason(c3, Counter()) == "mends pytest: failed (its family cost 2 calls)"


def test_variety_comes_before_more_of_the_same() -> None:
    alike = [
        candidate(f"g{n}", f"git log --{flag}", session=f"s{n}") for n, flag in enumerate(("oneline", "stat", "all"))
    ]
    chosen = {choice.candidate.call.id for choice in choose([*alike, candidate("m", "make all")], 2)}
    assert "m" in chosen


def test_counted_over_sessions(record: Record) -> None:
    path = record({"one": WORK, "two": WORK, "three": WORK})
    with Catalog(Home(path.parent, (path,))) as catalog:
        built = build(catalog, Wanted(min_messages=1), REDACTOR)
    counts = {pattern.origin.call: pattern.success_count for pattern in built.patterns}
    assert set(counts.values()) == {3}
    assert {pattern.origin.session_id for pattern in built.patterns} == {"three"}, "recent over old"
    assert built.metrics["sessions_qualified"] == 3


def test_calls_picked_by_hand_keep_their_order(catalog: Catalog) -> None:
    built = build(catalog, Wanted(calls=("c6", "work:c1")), REDACTOR)
    assert [pattern.origin.call for pattern in built.patterns] == ["c6", "c1"]
    assert {pattern.origin.chosen_by for pattern in built.patterns} == {"operator"}


def test_calls_made_at_once_stay_together(record: Record) -> None:
    both = [
        user("Look at both, please, and compare them."),
        assistant(("c1", "terminal", {"command": "cat a.txt"}), ("c2", "terminal", {"command": "cat b.txt"})),
        result("c1", done("a")),
        result("c2", done("b")),
    ]
    path = record({"s": both})
    with Catalog(Home(path.parent, (path,))) as catalog:
        built = build(catalog, Wanted(calls=("c1", "c2")), REDACTOR)
    assert [pattern.joined for pattern in built.patterns] == [False, True]
    assert built.metrics["avg_proficiency_gain"] is not None


def test_an_id_in_several_sessions_must_be_said_with_its_session(record: Record) -> None:
    rows = [user("x"), assistant(("t:0", "terminal", {"command": "ls"})), result("t:0", done("a"))]
    path = record({"one": rows, "two": rows})
    with Catalog(Home(path.parent, (path,))) as catalog:
        with pytest.raises(Trouble, match="Say which: one:t:0, two:t:0"):
            find_call(catalog, "t:0")
        assert find_call(catalog, "two:t:0").call.session_id == "two"


def test_no_more_sessions_than_asked_for(record: Record) -> None:
    path = record({"one": WORK, "two": WORK, "three": WORK})
    with Catalog(Home(path.parent, (path,))) as catalog:
        scanned, fit = sessions_to_mine(catalog, Wanted(min_messages=1, max_sessions=2))
    assert (scanned, [profile.session_id for profile in fit]) == (3, ["three", "two"])


def test_a_secret_at_the_cut_is_not_cut_in_two(record: Record) -> None:
    token = "ghp" + "_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
    for before in range(900, 1010, 10):
        rows = [
            user("Show the log, the whole of it."),
            assistant(("c1", "terminal", {"command": "cat log"})),
            result("c1", done("x" * before + f" {token} " + "y" * 3000)),
        ]
        path = record({"s": rows})
        with Catalog(Home(path.parent, (path,))) as catalog:
            (pattern,) = build(catalog, Wanted(calls=("c1",)), REDACTOR).patterns
        assert "ghp_" not in pattern.result, before
        assert len(pattern.result) <= 1500


def test_one_success_mends_one_failure(record: Record) -> None:
    rows = [user("Test it, then test it once more.")]
    for n in range(8):
        rows += [
            assistant((f"c{n}", "terminal", {"command": f"pytest tests/a.py --seed={n}"})),
            result(f"c{n}", done("1 failed" if n == 0 else "1 passed", int(n == 0))),
        ]
    path = record({"s": rows})
    with Catalog(Home(path.parent, (path,))) as catalog:
        kinds = [each.kind for each in candidates(catalog, "s").values()]
    assert kinds == ["init", "retry", *["sequence"] * 5, "final"]


def test_the_same_call_again_teaches_nothing(record: Record) -> None:
    rows = [user("Test it.")]
    for n, code in enumerate((1, 0, 0)):
        rows += [assistant((f"c{n}", "terminal", {"command": "pytest tests/a.py"})), result(f"c{n}", done("", code))]
    path = record({"s": rows})
    with Catalog(Home(path.parent, (path,))) as catalog:
        assert [each.kind for each in candidates(catalog, "s").values()] == ["init", "sequence", "final"]


@pytest.mark.parametrize(("call", "told"), [("c2", "failed"), ("nope", "not found"), ("work:nope", "not found")])
def test_what_cannot_be_picked_is_told(catalog: Catalog, call: str, told: str) -> None:
    with pytest.raises(Trouble, match=told):
        find_call(catalog, call)


def profile(**fields: object) -> Profile:
    return Profile(**{"session_id": "s", "source": "cli", "message_count": 40, "error_rate": 0.1} | fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"message_count": 29}, False),
        ({"error_rate": 0.5}, True),
        ({"error_rate": 0.51}, False),
        ({"error_rate": None}, False),
        ({"source": "cron"}, False),
    ],
)
def test_which_sessions_qualify(fields: dict[str, object], fits: bool) -> None:
    assert qualifies(profile(**fields), 30) is fits


def test_of_one_source_when_asked_for_cron_too() -> None:
    assert qualifies(profile(source="cron"), 30, "cron")
    assert not qualifies(profile(), 30, "telegram")


def test_sessions_that_a_template_warmed_are_left_out(record: Record) -> None:
    path = record({"warmed": WORK}, warmed={"started_at": 4_000_000_000.0})
    with Catalog(Home(path.parent, (path,))) as catalog:
        assert sessions_to_mine(catalog, Wanted(min_messages=1))[1]
        record_use(catalog.library, "mine", "activated", "hash")
        assert sessions_to_mine(catalog, Wanted(min_messages=1)) == (1, [])
        end_activation(catalog.library)
        assert sessions_to_mine(catalog, Wanted(min_messages=1))[1], "that was after the template's time"


@given(
    st.dictionaries(st.sampled_from("abcdefghij"), st.tuples(st.integers(1, 99), st.integers(1, 9)), min_size=1),
    st.integers(1, 20),
)
def test_places_are_shared_as_tools_are_used(tools: dict[str, tuple[int, int]], places: int) -> None:
    use = {tool: count for tool, (count, _) in tools.items()}
    most_of = {tool: most for tool, (_, most) in tools.items()}
    given_places = share_out(use, most_of, places)
    assert sum(given_places.values()) == min(places, sum(most_of.values())) or len(tools) > 8
    assert all(1 <= given_places[tool] <= most_of[tool] for tool in given_places)
    assert len(given_places) >= min(8, len(tools), places)


def test_in_proportion() -> None:
    many = dict.fromkeys("abc", 99)
    assert share_out({"a": 60, "b": 30, "c": 10}, many, 10) == {"a": 6, "b": 3, "c": 1}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"path": "src/a.py"}, {"path": "lib/deep/b.py"}, True),
        ({"path": "src/a.py"}, {"path": "README.md"}, False),
        ({"path": "a.py"}, {"path": "a.py", "limit": 5}, False),
        ({"command": "git log -n 5"}, {"command": "git log -n 20"}, True),
        ({"command": "git log"}, {"command": "git diff"}, False),
        ({"command": "grep -rn 'x y' src"}, {"command": 'grep -rn "z" lib'}, True),
        ({"command": "pytest -q"}, {"command": "pytest -x"}, False),
        ({"id": "A1B2"}, {"id": "99XY"}, True),
        ({"n": 1}, {"n": 2}, True),
        ({"n": 1}, {"n": "x"}, False),
    ],
)
def test_shapes(one: dict[str, object], other: dict[str, object], same: bool) -> None:
    assert (shape_of("t", one) == shape_of("t", other)) is same
    assert shape_of("t", one) != shape_of("u", one)


def test_the_warning_of_a_guard_is_no_part_of_a_result() -> None:
    assert told_result(done("x") + "\n\n[Tool loop warning: again]") == done("x")
    assert told_result("[1] 42 running\n[done]") == "[1] 42 running\n[done]"
    assert told_result('{"a": 1} and more') == '{"a": 1} and more'


def test_long_words_are_cut_at_the_end_of_a_sentence() -> None:
    assert short_context("One sentence. " * 60).endswith("One sentence.")
    assert len(short_context("x" * 900)) == 401
