"""The widths of columns: the most wanted first, and more room never shows less."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style

from warm_tui.presentation.tables import GAP, Column, fit, uncut
from warm_tui.widgets.fields import Field
from warm_tui.widgets.row_strips import cells_strip

NAME = Column("name", min_width=10, grow=1)
COLUMNS = (NAME, Column("errors"), Column("calls", rank=1), Column("reason", min_width=8, rank=2))
NATURAL = (20, 6, 5, 30)


def test_columns_come_in_by_rank_and_words_grow_before_those_behind() -> None:
    assert fit(COLUMNS, NATURAL, 10 + GAP + 6) == [10, 6, 0, 0]
    assert fit(COLUMNS, NATURAL, 24) == [10, 6, 0, 0], "the name waits for the calls"
    assert fit(COLUMNS, NATURAL, 25) == [10, 6, 5, 0]
    assert fit(COLUMNS, NATURAL, 35) == [20, 6, 5, 0]
    assert fit(COLUMNS, NATURAL, 44) == [20, 6, 5, 0], "nobody takes what the reason will want"
    assert fit(COLUMNS, NATURAL, 45) == [20, 6, 5, 8]
    assert fit(COLUMNS, NATURAL, 200) == list(NATURAL)
    assert fit(COLUMNS, NATURAL, None) == list(NATURAL)


columns = st.lists(
    st.tuples(
        st.builds(
            Column,
            st.just("x"),
            min_width=st.integers(0, 12),
            rank=st.integers(0, 4),
            grow=st.integers(0, 5),
        ),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=8,
)


@given(columns, st.integers(1, 200))
def test_more_room_never_shows_less(table: list[tuple[Column, int]], room: int) -> None:
    wanted, natural = [column for column, _ in table], [width for _, width in table]
    narrow, wide = fit(wanted, natural, room), fit(wanted, natural, room + 1)
    assert all(one <= other for one, other in zip(narrow, wide, strict=True))
    assert all(width <= most for width, most in zip(wide, natural, strict=True))
    optional = [at for at in range(len(table)) if wanted[at].rank]
    if any(wide[at] for at in optional):
        assert sum(wide) + GAP * (sum(map(bool, wide)) - 1) <= room + 1


def test_what_is_left_makes_whole_what_lacks_least() -> None:
    widths = fit(COLUMNS, NATURAL, 44)
    assert widths == [20, 6, 5, 0]
    assert uncut(COLUMNS, widths, (23, 6, 60, 30), 44) == [23, 6, 11, 0], "the name is whole, the calls have the rest"
    assert uncut(COLUMNS, widths, NATURAL, 44) == widths, "nothing is cut"


@given(columns, st.integers(1, 200))
def test_nothing_is_cut_while_there_is_room(table: list[tuple[Column, int]], room: int) -> None:
    wanted, natural = [column for column, _ in table], [width for _, width in table]
    usual = [min(width, 12) for width in natural]
    widths = uncut(wanted, fit(wanted, usual, room), natural, room)
    assert all(width <= most for width, most in zip(widths, natural, strict=True))
    left = room - sum(width + GAP for width in widths if width) + GAP
    assert left <= 0 or not any(0 < width < most for width, most in zip(widths, natural, strict=True))


def test_words_that_are_too_long_run_on_over_empty_cells_and_over_nothing_else() -> None:
    columns = [
        (Field("what", "call", 9, str, runs_on=True), 9),
        (Field("age", "age", 4, str), 4),
        (Field("in", "in", 3, str), 3),
    ]

    def row(*cells: str) -> str:
        shown = [(cell, "") for cell in cells]
        return cells_strip(Segment("  "), columns, shown, Style(), lambda _: Style(), 24).text.rstrip()

    assert row("git status", "", "") == "  git status"
    assert row("git status --short", "", "s-1") == "  git status --s…  s-1"
    assert row("git status --short", "2h", "") == "  git stat…  2h"
    assert row("git log", "", "s-1") == "  git log          s-1"
