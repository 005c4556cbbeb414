"""The minimap: whatever the height, each item is in one cell, and nothing that went wrong is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from warm_tui.presentation.lines import text_of
from warm_tui.presentation.minimap import Cell, cell_line, cells, goal, words

KINDS = ["user", "ok", "ok", "failed", "cut", "carried", "unknown", "masked", "benign"]


def drawn(kinds: list[str], height: int) -> list[str]:
    return [text_of(cell_line(cell, here=False, seen=False)) for cell in cells(kinds, height)]


def test_an_item_takes_a_cell_where_they_fit() -> None:
    assert drawn(KINDS, 20) == ["   ", " · ", " · ", " ✗ ", "  ━", "   ", " ? ", " ! ", " · "]


def test_else_a_cell_shows_the_worst_of_a_few_and_the_share_that_failed() -> None:
    assert drawn(KINDS, 3) == [" · ", " ✗━", " !▃"]


@pytest.mark.parametrize("count", [0, 1, 7, 40, 41, 20_000])
@pytest.mark.parametrize("height", [0, 1, 40])
def test_every_item_is_in_one_cell(count: int, height: int) -> None:
    made = cells(["ok"] * count, height)
    assert [at for cell in made for at in range(cell.first, cell.end)] == list(range(count if height else 0))
    assert len(made) == min(count, height)


def test_one_failure_among_thousands_is_seen() -> None:
    kinds = ["ok"] * 20_000
    kinds[12_345] = "failed"
    (row,) = [cell for cell in cells(kinds, 40) if cell.worst == "failed"]
    assert goal(row, kinds, 1) == 12_345
    assert "✗" in text_of(cell_line(row, here=True, seen=True))


def test_a_click_means_the_compaction_where_its_sign_is_and_else_the_worst() -> None:
    cell = Cell(0, len(KINDS), Counter(KINDS))
    assert (goal(cell, KINDS, 1), goal(cell, KINDS, 2)) == (3, 4)
    assert goal(Cell(5, 6, Counter(KINDS[5:6])), KINDS, 2) == 5


def test_a_cell_says_what_is_in_it() -> None:
    assert words(cells(KINDS, 3)[1], 9) == "4 to 6 of 9: 1 failed, 1 compaction"
    assert words(cells(KINDS, 9)[0], 9) == "1 of 9: no calls"
