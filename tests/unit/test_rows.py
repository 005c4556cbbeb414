"""The rows of a table: each life once, the newest first, in any order, whole or by its parts."""

from __future__ import annotations

from random import Random

import pytest

from warm_tui.library import rows as module
from warm_tui.library.rows import Chosen, Rows, gently_sorted
from warm_tui.reliability.profile import Profile


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
    return rows.chosen(lambda _: True, lambda p: p.started_at, down=down, parts=parts)


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
    few = rows.chosen(lambda p: p.session_id != "root", lambda p: p.session_id, down=False, parts=False)
    assert names(few) == few.lives == ["new", "old", "unknown"]
    assert (few.place_of("old"), few.place_of("tip")) == (1, None)


def test_whoever_left_waits_for_no_order(rows: Rows) -> None:
    assert names(rows.chosen(lambda _: True, lambda p: p.title, down=True, parts=False, left=lambda: True)) == []


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


@pytest.mark.parametrize("down", [True, False])
def test_sorting_by_and_by_sorts_as_sorting_does(down: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUN", 7)
    rng = Random(1)
    values = [rng.randrange(9) for _ in range(100)]
    assert gently_sorted(range(100), values, down=down) == sorted(range(100), key=values.__getitem__, reverse=down)
