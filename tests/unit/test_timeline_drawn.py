"""The timeline as a picture: whole at every size, cuts where they are, and the same in SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from warm_tui.presentation.braille import Canvas, sampled
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.pictures import GLYPHS
from warm_tui.presentation.timeline import AXIS, Picture, Places, segment_name
from warm_tui.reliability.stats import wilson
from warm_tui.reliability.timeline import CutMark, Point, Timeline
from warm_tui.reliability.verdict import OK
from warm_tui.reports.timeline_svg import timeline_svg
from warm_tui.sessions.model import Call

CALL = Call("c", "c", 0, 0, "s", "terminal", "{}", "", None, 0, 1)


def made(segments: list[int]) -> Timeline:
    """A life of so many calls in each segment, of which every fourth failed."""
    points, cuts, outcomes = [], [], []
    for segment, calls in enumerate(segments):
        if segment:
            cuts.append(CutMark(segment, len(points), 9_000, 2_000, 3, 12))
        for at in range(calls):
            failed = at % 4 == 3
            low, high = wilson(1 + at // 4, at + 4) or (0.0, 1.0)
            points.append(Point(segment, failed, (1 + at // 4) / (at + 4), low, high, at + 1, 2_000 + 100 * at))
            outcomes.append("failed" if failed else "ok")
    return Timeline(points, cuts, outcomes, [(CALL, OK)] * len(points))


SEGMENTS = st.lists(st.integers(0, 90), min_size=1, max_size=12)


@given(SEGMENTS, st.integers(40, 200), st.integers(5, 50))
def test_no_line_is_too_wide_and_none_too_many(segments: list[int], width: int, height: int) -> None:
    lines = Picture(made(segments), width, height).lines()
    assert all(sum(cell_len(text) for text, _ in line) <= width for line in lines)
    assert len(lines) <= max(9, height)


@given(SEGMENTS, st.integers(40, 200))
def test_every_call_has_its_place_and_is_found_there(segments: list[int], room: int) -> None:
    places = Places(made(segments), room)
    columns = [places.column(at) for at in range(places.calls)]
    assert columns == sorted(columns)
    assert all(0 <= column < room for column in columns)
    cut_columns = {places.cut_column(nth) for nth in range(len(places.drawn))}
    for at, column in enumerate(columns):
        if places.alone:
            assert column not in cut_columns, "a cut hides no call"
            assert places.call_at(column) == at


def test_cuts_are_labelled_with_what_was_kept_as_far_as_there_is_room() -> None:
    wide, narrow = Picture(made([30, 30]), 120, 12).lines(), Picture(made([20] * 8), 60, 12).lines()
    assert "▲1 ≈9k → ≈2k tokens kept 3 of 12 calls" in "".join(map(text_of, wide))
    assert "▲7" in "".join(map(text_of, narrow))
    crowded = "".join(map(text_of, Picture(made([2] * 60), 60, 12).lines()))
    assert "59 compactions, too many to be drawn" in crowded


def test_of_cuts_that_stand_close_together_as_many_are_numbered_as_there_is_room_for() -> None:
    picture = Picture(made([40, 1, 1, 1, 1, 30, 30]), 70, 12)
    labels = text_of(picture.lines()[-2])
    assert [int(each) for each in re.findall(r"▲(\d)", labels)] == [1, 3, 6]
    for number in (1, 3, 6):
        assert labels.index(f"▲{number}") == AXIS + picture.places.cut_column(number - 1)


def test_segments_are_named_in_words_of_one_length_and_the_line_says_where_it_begins() -> None:
    named, narrow = Picture(made([30, 30, 30]), 80, 12).lines(), Picture(made([9, 30, 30]), 78, 12).lines()
    assert all(f"{name}: " in text_of(named[0]) for name in ("before", "after 1", "after 2"))
    assert text_of(narrow[0]).count("%") == 3
    assert ":" not in text_of(narrow[0]), "the first has no room for its name, so none is named"
    for width in (40, 70, 78, 120):
        legend = text_of(Picture(made([30, 30]), width, 12).lines()[-1])
        assert "from the 5th" in legend
        assert legend.endswith("context")


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("segments", [[60, 1, 60], [1, 90], [90, 1], [40, 40, 1, 40]])
def test_the_worst_segment_has_its_figure_however_short_it_is(segments: list[int], width: int) -> None:
    short = segments.index(1)
    timeline = made(segments)
    at = next(at for at, point in enumerate(timeline.points) if point.segment == short)
    timeline.points[at] = replace(timeline.points[at], failed=True)
    ruler = text_of(Picture(timeline, width, 12).lines()[0])
    assert (f"▲{short} 100%" if short else "100%") in ruler
    assert len(re.findall("[0-9]%", ruler)) > 1, "and others theirs"
    root = ElementTree.fromstring(timeline_svg(timeline, ' xmlns="http://www.w3.org/2000/svg"'))
    assert any(f"{segment_name(short)}: 100%" in (element.text or "") for element in root.iter())


def test_the_cursor_stands_in_its_column_and_tells_its_call() -> None:
    picture = Picture(made([30, 30]), 100, 12)
    lines = picture.lines(7)
    assert text_of(lines[1])[AXIS + picture.places.column(7)] == "│"
    assert text_of(lines[-1]).startswith("call 8 of 60  ✗ terminal")


def test_a_line_has_no_dots_of_the_band_in_it() -> None:
    canvas = Canvas(4, 2)
    canvas.band([(x, 0, 7) for x in range(8)], 0, "dim")
    canvas.line([(x, 0) for x in range(8)], 1, "")
    above, below = canvas.lines()
    assert below == [("⣀⣀⣀⣀", "")]
    assert {style for _, style in above} == {"dim"}


def test_values_between_points_lie_on_the_line_between_them() -> None:
    assert sampled([(0, 0.0), (4, 4.0)], 0, 4, 5) == [(at, float(at)) for at in range(5)]
    assert sampled([], 0, 4, 5) == []


@pytest.mark.parametrize("segments", [[0], [1], [40], [40, 0, 3], [2] * 60, [3000, 3000]])
def test_in_svg_every_call_is_a_mark_and_every_cut_a_line(segments: list[int]) -> None:
    root = ElementTree.fromstring(timeline_svg(made(segments), ' xmlns="http://www.w3.org/2000/svg"'))
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    bands = len(segments) // 2
    assert tags.count("rect") == sum(segments) + bands + len(GLYPHS)
    assert tags.count("line") == len(segments) - 1
    words = "".join(element.text or "" for element in root.iter())
    assert words.count("kept 3 of 12 calls") == len(segments) - 1
    assert "NaN" not in ElementTree.tostring(root, encoding="unicode")


def test_in_svg_the_marks_are_explained_as_they_are_drawn() -> None:
    drawn = timeline_svg(made([6, 4]))
    for outcome in GLYPHS:
        told = re.search(
            rf'<rect ([^>]*class="f-{outcome}"[^>]*)/><text [^>]*class="f-{outcome}">{outcome}</text>', drawn
        )
        assert told, outcome
        marks = [each for each in re.findall(r"<rect ([^>]*)/>", drawn) if f'class="f-{outcome}"' in each]
        assert len({re.findall(r'height="([\d.]+)"', each)[0] for each in marks}) == 1, "one height, here and there"
    assert not any(glyph in drawn for glyph in "✓✗"), "none of these is in the picture"
