"""Documents as text, Markdown, HTML and SVG: the same facts, and nothing of a session that is obeyed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.pictures import Scale, Span, span_line, strip_lines
from warm_tui.presentation.tables import Column
from warm_tui.reports.charts import curve_lines
from warm_tui.reports.document import Block, Curve, Curves, Document, Heading, Histograms, Rank, Say, Strip, Table
from warm_tui.reports.lines import lines_of, part_lines
from warm_tui.reports.write import FORMS, render, report_text, write_report

EVIL = "a\x1b]52;c;eA==\x07 \u202eb <script>alert(1)</script> | ``` [/bold] & </svg> 漢字 ![x](http://evil)"


def document(text: str) -> Document:
    table = Table(
        (Column("tool " + text, min_width=8), Column("rate", scale=Scale(0, 1)), Column("n", right=True)),
        [[text, Span(0.1, 0.2, 0.4, "failed"), "3"], [(text, "ok"), Span(None, None, None), "–"]],
    )
    curves = Curves(
        text, text, [Curve(text, "ok", [(1, 0.5), (2, 0.25)]), Curve("cold", "failed", [(1, 1.0), (3, 0.1)])]
    )
    return Document(
        text, [Say(text, "strong"), Heading(text), Strip([["ok", "failed"], ["masked"]]), table, curves, Block(text)]
    )


class Tags(HTMLParser):
    VOID: ClassVar = {"meta", "line", "circle", "path", "polyline", "rect"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.texts = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - as the base class has it
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts += data


def test_html_is_whole_and_needs_nothing_else() -> None:
    html = render(document(EVIL), ".html")
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "img" not in tags.seen
    assert not re.search(r"(src|href|url)\s*[=(]", html)
    assert "<script>alert(1)</script>" in tags.texts, "it is shown, as text"
    assert "Content-Security-Policy" in html
    assert "default-src 'none'" in html, "and a browser is told to fetch nothing"


def test_a_page_begins_with_the_conclusion_and_what_it_rests_on_is_folded_below_it() -> None:
    said = Document("A title", [Say("What it is."), Say("How sure.")], details=[Heading("The figures"), Say("Forty.")])
    html = render(said, ".html")
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    above, folded = html.split("<details>")
    assert "What it is." in above
    assert "How sure." in above
    assert "Details: The figures</summary>" in folded
    assert "Forty." in folded
    assert "details-content" in html, "on paper it stands open"
    for form in (".md", ".svg"):
        told = render(said, form)
        assert told.index("How sure.") < told.index("The figures") < told.index("Forty."), "what cannot fold is whole"
    assert "<details>" not in render(document("x"), ".html"), "without details there is nothing to fold"


def test_svg_is_well_formed_and_needs_nothing_else() -> None:
    svg = render(document(EVIL), ".svg")
    root = ElementTree.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "rect", "text", "path", "polyline"}
    assert "href" not in svg


def test_a_page_is_for_day_night_telephone_and_paper() -> None:
    html = render(document("x"), ".html")
    for what in ("prefers-color-scheme:dark", "@media print", "size:A4", "width=device-width", "max-width:40rem"):
        assert what in html


def test_on_a_telephone_charts_are_seen_whole_and_tables_show_that_they_go_on() -> None:
    html = render(document("x"), ".html")
    assert re.search(r"@media screen and \(max-width:40rem\){[^@]*svg\.picture{min-width:0}", html)
    assert re.search(r'<div class="wide"><svg [^>]*class="picture chart"', html)
    assert re.search(r"\.wide{overflow-x:auto;[^}]*100% no-repeat scroll}", html), "a shadow at the edge"
    assert re.search(r"@media print{.*\.wide{overflow:visible;background:none}", html)


def test_below_its_conclusion_a_report_says_when_and_of_what_it_was_made(tmp_path: Path) -> None:
    home = Home(tmp_path, (tmp_path / "state.db",))
    text = report_text(home, document("x"), tmp_path / "r.md")
    conclusion, made = text.split("\n\n")[1:3]
    assert conclusion == "**x**"
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d", made)
    assert "state.db" in made
    assert "Warm TUI" in made


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_left_that_is_obeyed(form: str) -> None:
    told = render(document(EVIL), form)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", told)


def test_markdown_stays_text() -> None:
    told = render(document(EVIL), ".md")
    assert "<script>" not in told.replace("\\<script\\>", "").split("````")[0]
    row = next(line for line in told.split("\n") if line.startswith("| a"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 4, "three cells, whatever they hold"
    assert "\n````\n" in told, "a fence longer than any inside"


@given(st.text(max_size=80), st.integers(20, 160))
def test_no_line_is_wider_than_the_screen(text: str, width: int) -> None:
    from rich.cells import cell_len

    said = Document(text, [Say(text), Block(text), Strip([["ok"] * 300, ["failed"]])])
    for line in lines_of(said, width):
        assert sum(cell_len(piece) for piece, _ in line) <= width


@given(
    st.lists(st.lists(st.sampled_from(["ok", "failed", "masked", "unknown"]), max_size=200), min_size=1, max_size=30)
)
def test_a_strip_shows_every_call_or_says_how_many_share_a_cell(parts: list[list[str]]) -> None:
    lines = strip_lines(parts, 40, 4)
    cells = "".join(text for line in lines for text, style in line if style != "dim")
    calls = sum(map(len, parts))
    if calls and calls + len(parts) - 1 <= 160:
        assert len(cells) == calls + len(parts) - 1
        assert cells.count("┃") == len(parts) - 1
    elif calls:
        assert "calls a cell" in lines[-1][0][0]
        assert ("failed" in {style for line in lines for _, style in line}) == any(
            outcome in ("failed", "masked") for part in parts for outcome in part
        ), "a failure is seen, however many calls share its cell"


def test_an_interval_on_its_scale() -> None:
    assert span_line(Span(0.2, 0.5, 0.8), Scale(0, 1), 10) == "··───●───·"
    assert span_line(Span(-0.5, 0.0, 0.5), Scale(-1, 1, 0.0), 8) == "··──●──·"
    assert span_line(Span(-0.9, 0.3, 0.4), Scale(-0.5, 0.5, 0.0), 10) == "←────┼──●─"
    assert span_line(Span(None, None, None), Scale(-1, 1, 0.0), 4) == "··│·"


def test_curves_have_their_axes() -> None:
    lines = ["".join(text for text, _ in line) for line in curve_lines(document("x").parts[4], 40, 5)]  # type: ignore[arg-type]
    assert lines[0].startswith("100%│")
    assert lines[4].startswith("  0%│")
    assert lines[5].split() == ["1", "3"]


def test_a_report_is_written_whole_or_refused(tmp_path: Path) -> None:
    path, home = tmp_path / "out" / "r.HTML", Home(tmp_path / "home", ())
    write_report(home, document("x"), path)
    assert path.read_text().startswith("<!doctype html>")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Trouble, match="does not tell what to write"):
        write_report(home, document("x"), tmp_path / "r.pdf")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(Trouble, match="could not be written"):
        write_report(home, document("x"), tmp_path / "folder.md")


@pytest.mark.parametrize("width", [56, 80, 160])
def test_what_bars_show_is_told_whole_in_any_width(width: int) -> None:
    picture = Histograms("sessions by error rate", [Rank("warm", "warm", [0.1, 0.2]), Rank("cold", "cold", [1.0])])
    lines = [text_of(line) for line in part_lines(picture, width)]
    assert "sessions by error rate" in lines[-1], "within the axis, where it would be cut beside it"
    assert "0%" in lines[-1]
    assert "100%" in lines[-1]
