"""Failures that are the same trouble: what is told of them, and the laws that hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.reliability.failure_records import NOBODY_KNOWS, NOTHING_CHANGED, WEAKENED, LifeFailures, sign_of
from warm_tui.reliability.families import DAY, FailedLife, Families, Said, families_of, since_then
from warm_tui.reliability.profile import judged
from warm_tui.reliability.recorded_failures import failures_of
from warm_tui.reliability.silence import is_over
from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import Call

NOW = 1_790_000_000.0
MESSAGES = {
    "a": "curl: (7) Failed to connect to port {number}",
    "b": "psql: error: relation does not exist",
    "c": "KeyError: 'n{number}'",
}
COMMANDS = {"a": "curl localhost", "b": "psql -c query", "c": "python3 report.py", ".": "ls -la src"}


def made(story: str, session: str = "s", commands: Sequence[str] = ()) -> list[Call]:
    """Calls that fail in the way of a letter, or work where it is a dot; each with a command of its own."""
    calls = []
    for at, letter in enumerate(story):
        command = commands[at] if commands else COMMANDS[letter]
        failed = {"output": MESSAGES.get(letter, "").format(number=at), "exit_code": 0 if letter == "." else 1}
        calls.append(
            Call(
                str(at), str(at), at, 0, session, "terminal", json.dumps({"command": command}), json.dumps(failed),
                None, at, at,
            )
        )  # fmt: skip
    return calls


def kept(story: str, session: str = "s", commands: Sequence[str] = ()) -> LifeFailures:
    calls = made(story, session, commands)
    return failures_of([calls], [[verdict for _, verdict in judged(calls, HERMES)]], HERMES)


def life(name: str, story: str, day: float = 0.0, commands: Sequence[str] = (), source: str = "cli") -> FailedLife:
    return FailedLife(name, NOW + day * DAY, "model", "home", source, (name,), kept(story, name, commands))


def told(lives: Sequence[FailedLife], said: dict[str, Said] | None = None, day: float = 0.0) -> Families:
    return families_of(lives, said or {}, NOW + day * DAY)


def a_day_each(stories: str, a_life: str = "a.") -> list[FailedLife]:
    """A session a day: `x` with the failure, `-` without."""
    return [life(f"s{at:03}", a_life if sign == "x" else "..", at) for at, sign in enumerate(stories)]


# --- counting ---


def test_it_is_called_so_that_a_filter_can_name_it_by_a_word_and_known_by_what_tells_it_from_others() -> None:
    (family,) = told([life("one", "a")]).all
    assert family.id.startswith("curl-failed-to-connect-to-port-")
    assert len(sign_of(family.id)) == 10
    renamed = f"other-{sign_of(family.id)}"
    assert sign_of(renamed) == sign_of(family.id), "what was said of it outlives another name"
    assert [told([life("one", "a")]).named(name) for name in (family.id[:9], sign_of(family.id)[:6])] == [[family]] * 2


def test_what_is_told_of_a_family() -> None:
    lives = [life("one", "a.a", 0), life("two", "b", 1), life("three", ".a", 2)]
    first, second = told(lives, day=3).all
    assert (first.title, first.count, first.lives) == ("curl: Failed to connect to port …", 3, ("one", "three"))
    assert (first.first_seen, first.last_seen) == (NOW, NOW + 2 * DAY)
    assert (second.title, second.count) == ("psql: relation does not exist", 1)
    assert [call.life for call in first.calls] == ["three", "one", "one"], "the newest first"


def test_those_that_cost_most_come_first_and_the_muted_ones_last() -> None:
    lives = [life("one", "abbccc")]
    titles = [family.print.program for family in told(lives).all]
    assert titles == ["python", "psql", "curl"]
    python = told(lives).all[0]
    muted = told(lives, {sign_of(python.id): Said("muted", "we know", NOW)}).all
    assert [family.print.program for family in muted] == ["psql", "curl", "python"]
    assert (muted[-1].state, muted[-1].why) == ("muted", "we know")


STORIES = st.lists(st.text("abc.", min_size=1, max_size=6), min_size=1, max_size=8)


@given(STORIES)
def test_every_failure_is_in_exactly_one_family(stories: list[str]) -> None:
    lives = [life(f"s{at}", story, at) for at, story in enumerate(stories)]
    families = told(lives)
    calls = [(call.session_id, call.call) for family in families.all for call in family.calls]
    assert len(calls) == len(set(calls)) == families.failures
    assert Counter(calls) == Counter(
        (f"s{at}", str(place))
        for at, story in enumerate(stories)
        for place, letter in enumerate(story)
        if letter != "."
    )


@given(STORIES, st.randoms(use_true_random=False))
def test_the_order_of_the_sessions_changes_nothing(stories: list[str], random) -> None:
    lives = [life(f"s{at}", story, at % 3) for at, story in enumerate(stories)]
    shuffled = list(lives)
    random.shuffle(shuffled)
    assert told(lives) == told(shuffled)


@given(STORIES)
def test_the_trend_holds_every_failure_and_every_session(stories: list[str]) -> None:
    lives = [life(f"s{at}", story, 3 * at) for at, story in enumerate(stories)]
    for family in told(lives).all:
        assert sum(bucket.failures for bucket in family.trend) == family.count
        assert sum(bucket.sessions for bucket in family.trend) == len(family.lives)
        assert sum(bucket.exposed for bucket in family.trend) == len(lives)


# --- what mended it ---


def test_the_next_success_of_the_same_aim_mended_it() -> None:
    commands = ["pip install --quiet requests", "ls", "pip install --quiet --user requests"]
    (family,) = told([life("one", "c..", commands=commands)]).all
    (mend,) = family.mends
    assert (mend.session_id, mend.call, mend.worked, mend.tried) == ("one", "2", 1, 1)
    assert (family.mended, family.lost) == (1, 2), "the call between is lost, too"


def test_aims_that_take_turns_lose_no_call_twice() -> None:
    commands = [f"cat missing-{number}.txt" for number in (0, 1, 2, 0, 1, 2)]
    (family,) = told([life("one", "cccccc", commands=commands)]).all
    assert (family.count, family.lost) == (6, 6)


def test_what_asks_for_something_else_mends_nothing() -> None:
    (family,) = told([life("one", "c.", commands=["pip install --quiet requests", "git commit --all"])]).all
    assert (family.mends, family.mended, family.lost) == ((), 0, 1)


def test_mends_are_ranked_by_how_often_they_worked() -> None:
    failing, good, poor = "make build target --all", "make build target --clean", "make build target --force"
    lives = [life(f"g{at}", "c.", at, [failing, good]) for at in range(3)]
    lives += [life(f"p{at}", "cc.", at, [failing, poor, good]) for at in range(2)]
    lives += [life("once", "c.", 9, [failing, poor])]
    (family,) = told(lives).all
    assert [(mend.shape[-7:], mend.worked, mend.tried) for mend in family.mends] == [
        ("--clean", 7, 7),
        ("--force", 1, 3),
    ]


TESTS = "pytest tests/unit --quiet"


def test_the_same_call_again_mends_nothing_unless_something_was_changed_in_between() -> None:
    commands = [TESTS, "cat a.py", "sed -i s/a/b/ a.py", "ls", f"{TESTS} 2>&1 | tail -3"]
    (family,) = told([life("one", "c....", commands=commands)]).all
    assert [(mend.words, mend.again, mend.call) for mend in family.mends] == [("sed -i s/a/b/ a.py", True, "2")]
    (family,) = told([life("one", "c....", commands=[TESTS, "cat a.py", "git status", "ls", TESTS])]).all
    assert (family.mends, family.mended) == ((), 1), "it works by now; nobody knows why"


def test_a_change_that_did_not_help_was_tried_too() -> None:
    commands = [TESTS, "sed -i s/a/b/ a.py", TESTS, "sed -i s/b/c/ a.py", TESTS]
    (family,) = told([life("one", "c.c..", commands=commands)]).all
    assert {(mend.worked, mend.tried) for mend in family.mends} == {(2, 3)}, "each failure counts what came after it"


@pytest.mark.parametrize(
    ("between", "then", "shape", "again"),
    [
        (["cat a.py"], TESTS, NOTHING_CHANGED, True),
        (["sed -i s/a/b/ a.py", "npm ci"], TESTS, NOBODY_KNOWS, True),
        (["rm -rf tests/unit"], TESTS, WEAKENED, True),
        (["rm -rf tests/unit", "npm ci"], TESTS, WEAKENED, True),
        (["npm ci"], f"{TESTS} -x", NOBODY_KNOWS, False),
    ],
)
def test_of_a_try_that_teaches_nothing_it_is_kept_why(between: list[str], then: str, shape: int, again: bool) -> None:
    (failure,) = kept("c" + "." * (len(between) + 1), commands=[TESTS, *between, then]).failures
    assert [(each.shape, each.again, each.worked) for each in failure.tries] == [(shape, again, True)]
    (family,) = told([life("one", "c" + "." * (len(between) + 1), commands=[TESTS, *between, then])]).all
    assert (family.mends, family.mended) == ((), 1)


# --- the state ---


def since(stories: str, day: float, said: Said | None = None) -> str:
    """A session a day until today; who looked in before that did so on this day."""
    (family, *_), exposed, _ = told(a_day_each(stories), day=len(stories))
    return since_then(family, exposed[family.id], said, NOW + day * DAY)


def test_what_came_or_came_back_since_somebody_looked_in() -> None:
    gone = "-" * 60
    assert since("--x-", 1.5) == "new"
    assert since("-xx-", 1.5) == "", "it was there before"
    assert since(f"xxxxx{gone}x", 30) == "back"
    assert since(f"xxxxx{gone}", 30) == "", "it has not been seen since"
    assert since(f"xxxxx{gone}x", 3) == "", "it was not over then"
    assert since("-xxx", 2.5, Said("resolved", "mended", NOW + 2.3 * DAY)) == "back", "somebody had said it was"


@pytest.mark.parametrize(("hits", "sessions"), [(1, 25), (2, 25), (3, 18), (4, 14)])
def test_a_silence_is_told_by_chance_one_time_in_twenty_at_most(hits: int, sessions: int) -> None:
    """Wherever so many fall among the sessions by lot: counted over all ways."""
    ways = list(combinations(range(sessions), hits))
    silent = [is_over(hits, sessions, sessions - 1 - max(places)) for places in ways]
    assert sum(silent) / len(ways) <= LEVEL


@pytest.mark.parametrize(
    ("days", "state"),
    [
        pytest.param("-" * 40 + "x-x", "new", id="not there before, for longer than chance would leave"),
        pytest.param("x-xx--x-x-xx", "ongoing", id="seen all along"),
        pytest.param("xx-xx-x" + "-" * 20, "resolved", id="not seen for longer than chance would leave"),
        pytest.param("xx-xx-x" + "-" * 3, "ongoing", id="silent for no longer than chance would leave"),
        pytest.param("xx-xx-x" + "-" * 20 + "x", "regressed", id="back after it was resolved"),
        pytest.param("--x---------", "ongoing", id="seen once tells little"),
    ],
)
def test_the_state(days: str, state: str) -> None:
    assert told(a_day_each(days), day=len(days)).all[0].state == state


def test_what_came_back_long_ago_is_ongoing() -> None:
    days = "xx-xx-x" + "-" * 20 + "x-x-x-x-x-x-x-x-x-x-x"
    assert told(a_day_each(days), day=len(days)).all[0].state == "ongoing"


def test_only_sessions_that_used_the_tool_can_be_silent() -> None:
    lives = a_day_each("xx-xx-x")
    reads = LifeFailures(("file",))
    others = [FailedLife(f"o{at}", NOW + (10 + at) * DAY, "", "home", "cli", (f"o{at}",), reads) for at in range(40)]
    assert told([*lives, *others], day=60).all[0].state == "ongoing"


def test_nor_can_sessions_of_a_source_in_which_it_was_never_seen() -> None:
    lives = a_day_each("xx-xx-x")
    chats = [life(f"o{at}", "..", 10 + at, source="telegram") for at in range(40)]
    assert told([*lives, *chats], day=60).all[0].state == "ongoing"
    back = life("back", "a", 60, source="telegram")
    assert told([*lives, *chats, back], day=61).all[0].state == "regressed"


def test_what_an_operator_called_resolved_is_so_until_it_is_seen_again() -> None:
    lives = a_day_each("x-x-x-x-")
    name = sign_of(told(lives).all[0].id)
    said = {name: Said("resolved", "mended by hand", NOW + 7 * DAY)}
    assert told(lives, said, 8).all[0].state == "resolved"
    back = [*lives, life("back", "a", 8)]
    assert told(back, said, 9).all[0].state == "regressed"


def test_nothing_has_no_families() -> None:
    assert told([]).all == []
    assert told([life("well", "...")]).all == []


@pytest.mark.parametrize(("stories", "state"), [("xx" + "-" * 30, "resolved"), ("x-x-" * 8, "ongoing")])
def test_a_state_is_that_of_all_sessions_whichever_are_looked_at(stories: str, state: str) -> None:
    lives = a_day_each(stories)
    whole = told(lives, day=len(stories))
    found = families_of(lives, {}, NOW + len(stories) * DAY, among={"s000"})
    assert (found.all[0].state, found.all[0].count, found.all[0].lives) == (whole.all[0].state, 1, ("s000",))
    assert whole.all[0].state == state
