"""The rows of a table: each life once, the newest first, in any order, whole or by its parts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from warm_tui.library import rows as module
from warm_tui.library.grouped_rows import GroupedRows
from warm_tui.library.profiling import encode_profile
from warm_tui.library.rows import Chosen, Group, Grouping, Rows, gently_sorted
from warm_tui.reliability.filters import SortKey, sort_keys
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Rate
from warm_tui.reliability.totals import GROUPINGS, Totals, groups_in_order


def profile(name: str, started: float = 0.0, messages: int = 0, **fields: object) -> Profile:
    return Profile(session_id=name, started_at=started, message_count=messages, **fields)  # type: ignore[arg-type]


def life(name: str, *later: str, started: float = 0.0) -> Profile:
    parts = [profile(each, started + at, part_of=name) for at, each in enumerate((name, *later))]
    return profile(name, started, parts=tuple(parts))


@pytest.fixture
def rows() -> Rows:
    rows = Rows()
    for each in (profile("old", 1.0), life("root", "next", "tip", started=2.0), profile("new", 9.0)):
        rows.add(each)
    rows.sort()
    return rows


def names(rows: Rows | Chosen) -> list[str]:
    return [row.session_id for row in rows]


def by_start(rows: Rows, *, down: bool = True, parts: bool = False) -> Chosen:
    return rows.chosen(None, [SortKey(lambda p: p.started_at, down)], parts=parts)


def test_the_newest_stand_first_and_each_is_found_by_any_of_its_sessions(rows: Rows) -> None:
    assert names(rows) == rows.lives == ["new", "root", "old"]
    assert [rows.place_of(name) for name in ("new", "root", "tip", "gone")] == [0, 1, 1, None]
    assert (len(rows), rows.sessions) == (3, 5)


def test_of_a_life_that_two_places_have_the_one_with_more_in_it_stands() -> None:
    rows = Rows()
    rows.add(profile("s", messages=5, title="more"))
    rows.add(profile("s", messages=3, title="less"))
    assert [row.title for row in rows] == ["more"]
    rows.put(profile("s", messages=6, title="most"))
    rows.put(profile("never seen"))
    assert [row.title for row in rows] == ["most"]


def test_some_are_chosen_in_an_order_and_what_is_unknown_stands_last_either_way(rows: Rows) -> None:
    rows.add(Profile(session_id="unknown"))
    assert names(by_start(rows)) == ["new", "root", "old", "unknown"]
    assert names(by_start(rows, down=False)) == ["old", "root", "new", "unknown"]
    few = rows.chosen(lambda p: p.session_id != "root", [SortKey(lambda p: p.session_id, False)])
    assert names(few) == few.lives == ["new", "old", "unknown"]
    assert (few.place_of("old"), few.place_of("tip")) == (1, None)


def test_whoever_left_waits_for_no_order(rows: Rows) -> None:
    assert names(rows.chosen(None, [SortKey(lambda p: p.title, True)], left=lambda: True)) == []


def test_lives_are_told_by_their_parts(rows: Rows) -> None:
    parts = by_start(rows, parts=True)
    assert names(parts) == ["new", "tip", "next", "root", "old"]
    assert [parts.place_of(name) for name in ("tip", "root")] == [1, 3]
    assert parts.lives == ["new", "root", "root", "root", "old"]
    assert names(parts)[1:3] == [row.session_id for row in parts[1:3]]


def test_who_came_from_whom_is_known(rows: Rows) -> None:
    rows.put(profile("new", parent_session_id="tip"))
    assert rows.heirs_of(["root", "next", "tip"]) == ["new"]
    assert rows.life_of("tip") == "root"


def test_words_to_complete_are_those_of_what_was_profiled(rows: Rows) -> None:
    rows.put(profile("new", messages=2, source="cron", tool_distribution={"terminal": 1}))
    assert (rows.words["source"], rows.words["tool"]) == ({"cron"}, {"terminal"})


def test_what_is_alike_by_the_first_key_stands_by_the_second() -> None:
    rows = Rows()
    for name, model, calls in (("a", "A", 1), ("b", "B", 5), ("c", "A", 9), ("d", "B", 7), ("e", "", 3)):
        rows.add(profile(name, model=model or None, tool_call_count=calls))
    chosen = rows.chosen(None, [SortKey(lambda p: p.model, False), SortKey(lambda p: p.tool_call_count, True)])
    assert names(chosen) == ["c", "a", "d", "b", "e"]


def test_totals_grow_with_what_is_profiled_and_are_never_counted_anew(rows: Rows) -> None:
    assert (rows.totals.sessions, rows.totals.tool_call_count, rows.totals.cost_usd) == (3, 0, None)
    rows.put(profile("new", messages=2, tool_call_count=5, failed_calls=1, successful_calls=3, cost_usd=0.5))
    rows.put(
        profile("new", messages=4, tool_call_count=8, failed_calls=2, successful_calls=6, cost_usd=0.7, outcome="done")
    )
    rows.put(profile("new", messages=3, tool_call_count=1))
    assert rows.totals.outcomes == Rate(done=1, unknown=2)
    assert rows.totals == Totals.of(rows)
    assert (rows.totals.sessions, rows.totals.tool_call_count, rows.totals.error_rate) == (3, 8, 0.25)
    assert (rows.totals.cost_usd, rows.totals.sessions_without_cost) == (0.7, 2)
    assert by_start(rows).totals is rows.totals
    arrived = [profile("root", messages=1, tool_call_count=2), profile("gone"), profile("old", messages=1)]
    seen_as_they_are_put = []

    def encoded() -> Iterator[bytes]:
        for each in arrived:
            seen_as_they_are_put.append(rows.totals.sessions)
            yield encode_profile(each)

    assert rows.put_all(encoded()) == (["root", "gone", "old"], [1, 2])
    assert set(seen_as_they_are_put) == {3}, "a screen may look in between"
    assert rows.totals == Totals.of(rows)
    assert rows.totals.tool_call_count == 10
    few = rows.chosen(lambda p: p.session_id not in ("new", "root"), [])
    assert (few.totals.sessions, few.totals.tool_call_count) == (1, 0)


def test_groups_stand_in_the_order_of_what_they_come_to() -> None:
    rows = Rows()
    for name, source, failed in (("a", "cli", 1), ("b", "cron", 5), ("c", "cli", 2), ("d", "", 9), ("e", "cron", 1)):
        rows.add(profile(name, source=source, failed_calls=failed))

    def by(order: str) -> Chosen:
        grouping = Grouping(GROUPINGS["source"], lambda found: groups_in_order(found, order))
        return rows.chosen(None, sort_keys(order), grouping=grouping)

    most = by("-failed_calls")
    assert [(group.name, group.totals.failed_calls, group.start) for group in most.groups] == [
        ("", 9, 0),
        ("cron", 6, 1),
        ("cli", 3, 3),
    ]
    assert names(most) == ["d", "b", "e", "c", "a"]
    assert [group.name for group in by("session_id").groups] == ["cli", "cron", ""], "as the first of each came"
    assert most.totals == rows.totals


def test_groups_stand_under_their_names_and_are_folded() -> None:
    rows = Rows()
    for name, source in (("a", "cli"), ("b", "cron"), ("c", "cli")):
        rows.add(profile(name, source=source))
    grouping = Grouping(GROUPINGS["source"], lambda found: groups_in_order(found, "session_id"))
    chosen = rows.chosen(None, sort_keys("session_id"), grouping=grouping)

    def lines(folded: set[str]) -> list[str]:
        return [line.name if isinstance(line, Group) else line.session_id for line in GroupedRows(chosen, folded)]

    assert lines(set()) == ["cli", "a", "c", "cron", "b"]
    assert lines({"cli"}) == ["cli", "cron", "b"]
    assert lines({"cli", "cron"}) == ["cli", "cron"]
    for folded in (set[str](), {"cli"}, {"cron"}):
        shown = GroupedRows(chosen, folded)
        for name in "abc":
            at = shown.place_of(name)
            assert at is not None
            line = shown[at]
            stands_there = line.name if isinstance(line, Group) else line.session_id
            assert stands_there == name or (isinstance(line, Group) and line.name in folded)
        above = [sum(not isinstance(each, Group) for each in shown[:at]) for at in range(len(shown) + 1)]
        assert [shown.sessions_above(at) for at in range(len(shown) + 1)] == above
        assert shown.lives == ["a", "c", "b"]
    assert shown.place_of("gone") is None
    assert (shown.heading_of("cron"), shown.heading_of("gone")) == (3, None)


@pytest.mark.parametrize("down", [True, False])
def test_sorting_by_and_by_sorts_as_sorting_does(down: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUN", 7)
    rng = Random(1)
    values = [rng.randrange(9) for _ in range(100)]
    assert gently_sorted(range(100), values, down=down) == sorted(range(100), key=values.__getitem__, reverse=down)


def test_what_a_life_is_called_stays_while_it_is_profiled_anew() -> None:
    before, now = Rows(), Rows()
    before.add(profile("s", messages=5, first_message="Build it"))
    for each in (profile("s"), profile("other"), profile("known", messages=2)):
        now.add(each)
    now.keep_first_words(["s", "other", "known", "gone"], before)
    assert {row.session_id: row.first_message for row in now} == {"s": "Build it", "other": "", "known": ""}
    now.put(profile("s", messages=6, first_message="Build it", title="Building"))
    assert next((row.title, row.message_count) for row in now) == ("Building", 6)
