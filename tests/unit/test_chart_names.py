"""Names below a chart and words in a table, on a page: none lies over another, and none pushes the rest aside."""

from __future__ import annotations

import re

from msgspec.structs import replace

from warm_tui.presentation.lines import Line, text_of
from warm_tui.presentation.tables import Column
from warm_tui.reports.charts import curve_lines
from warm_tui.reports.document import Curve, CurveMark, Curves, Document, Table
from warm_tui.reports.html import html_of
from warm_tui.reports.picture import svg_of
from warm_tui.reports.svg import CURVES_WIDTH, curves_svg


def of(*names: str) -> Curves:
    return Curves("", "by week", [Curve(name, "failed", [(0.0, 0.1), (1.0, 0.2)]) for name in names])


def places(drawn: str, names: tuple[str, ...]) -> list[tuple[float, float]]:
    found = (re.search(rf'<text x="([\d.]+)" y="([\d.]+)"[^>]*>{re.escape(name)}<', drawn) for name in names)
    return [(float(each[1]), float(each[2])) for each in found if each]


def test_long_names_stand_one_below_the_other_and_within_the_picture() -> None:
    names = ("curl: Failed to connect to … port …", "pytest: failed: AssertionError", "git: no such branch")
    drawn = curves_svg(of(*names))
    found = places(drawn, names)
    assert len({y for _, y in found}) == len({x for x, _ in found}) * 3 == 3
    height = re.search(r'height="(\d+)"', drawn)
    assert height
    assert max(y for _, y in found) < int(height[1])


def test_short_names_stand_beside_each_other() -> None:
    assert len({y for _, y in places(curves_svg(of("warm", "cold")), ("warm", "cold"))}) == 1


def test_a_mark_later_than_all_points_stands_within_the_picture() -> None:
    """The newest day has its point at its noon, and what happened in the afternoon its mark there."""
    curves = replace(of("all"), marks=[CurveMark(0.5, "1"), CurveMark(1.5, "2")])
    drawn = curves_svg(curves)
    found = [x for x, _ in places(drawn, ("1", "2"))]
    assert found == [253.3, CURVES_WIDTH - 4]
    dots, signs = curve_lines(curves, 40, 4)[:4], curve_lines(curves, 40, 4)[4]
    marked = [at for at, sign in enumerate(text_of(signs)) if sign in "12"]
    dotted = {at for line in dots for at, (_, style) in enumerate(characters(line)) if style == "mark"}
    assert dotted == set(marked)


def characters(line: Line) -> list[tuple[str, str]]:
    return [(character, style) for text, style in line for character in text]


def test_what_stands_below_a_higher_chart_is_moved_down() -> None:
    long = "a name that is longer than there is room for"
    below = Table((Column("what", min_width=10),), [["the last"]])
    heights = [
        float(re.findall(r'y="([\d.]+)"[^>]*>the last', svg_of(Document("t", [of(*names), below])))[0])
        for names in ((long,), (long, f"{long} too"))
    ]
    assert heights[1] > heights[0]


def test_words_go_on_in_a_next_line_and_figures_do_not() -> None:
    table = Table((Column("failure", min_width=20), Column("state"), Column("lost", right=True)), [["a", "b", "1"]])
    page = html_of(Document("t", [table]))
    assert ['class="words"' in page, "<td>b" in page, '<td class="right">1' in page] == [True] * 3


def test_each_name_stands_behind_a_piece_of_its_line_and_each_line_is_dashed_in_its_own_way() -> None:
    drawn = curves_svg(of("first", "second", "third"))
    lines = re.findall(r"<polyline [^>]*>", drawn)
    samples = re.findall(r'<path d="M[\d.]+,[\d.]+ h\d+"[^>]*>', drawn)
    dashes = [[re.findall(r'stroke-dasharray="([^"]+)"', each) for each in drawings] for drawings in (lines, samples)]
    assert dashes[0] == dashes[1]
    assert len({str(dash) for dash in dashes[0]}) == 3, "told apart without colours, too"
    starts = [float(x) for x in re.findall(r'<path d="M([\d.]+),[\d.]+ h', drawn)]
    names = [x for x, _ in places(drawn, ("first", "second", "third"))]
    assert all(
        start < name < following for start, name, following in zip(starts, names, [*starts[1:], 640.0], strict=True)
    )
