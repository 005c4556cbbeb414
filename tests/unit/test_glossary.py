"""Nothing unexplained: every header of every table has its words, and the README tells the same."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from string import Formatter

import pytest

import warm_tui.screens
from warm_tui.presentation import glossary
from warm_tui.presentation.claims import ONE_LIFE
from warm_tui.presentation.glossary import (
    TERMS,
    explained,
    numbers_of,
    numbers_of_profile,
    of_lines,
    of_piece,
    readme_table,
)
from warm_tui.presentation.lines import Line, meant, piece_at, wrapped_line
from warm_tui.presentation.pictures import GLYPHS
from warm_tui.reliability.profile import Profile
from warm_tui.widgets.line_table import LineTable

README = Path(__file__).parents[2] / "README.md"
SELF_EXPLAINING = {"user", "tool", "words", "tags", "format", "what it is for", "experiment"}


def tables() -> list[type[LineTable]]:  # type: ignore[type-arg]
    for module in walk_packages(warm_tui.screens.__path__, "warm_tui.screens."):
        import_module(module.name)
    return list(LineTable.__subclasses__())


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.__name__)
def test_every_header_is_explained(table: type[LineTable]) -> None:  # type: ignore[type-arg]
    for field in table.FIELDS:
        if field.title and field.title not in SELF_EXPLAINING:
            assert glossary.term(table.TERMS.get(field.name, field.title)), field.title


def test_every_sign_and_verdict_is_explained() -> None:
    assert {each.name for each in glossary.glyphs()} == {f"{glyph} {name}" for name, glyph in GLYPHS.items()}
    assert all(map(explained, ONE_LIFE.values()))


def test_the_readme_tells_the_same() -> None:
    assert readme_table() in README.read_text(), "take it from `python -m warm_tui.presentation.glossary`"


def test_a_name_means_one_thing() -> None:
    names = [name.lower() for term in TERMS for name in (term.name, *term.other_names)]
    assert len(names) == len(set(names))


def test_a_figure_is_explained_with_its_own_numbers() -> None:
    text = explained("errors", numbers_of(15, 20))
    assert text.startswith("15 of 20 failed: 75.0%.")
    assert "between 53% and 89%" in text
    assert explained("errors") in text, "what it means in general stands below"
    assert explained("errors", numbers_of(0, 0)) == explained("errors"), "of no call there is no rate"


def test_every_template_is_of_numbers_that_somebody_gives() -> None:
    given = {"before", "after", *numbers_of_profile(Profile(session_id="s", failed_calls=1, successful_calls=9,
             early_error_rate=0.0, late_error_rate=0.1, proficiency_gain=0.1))}  # fmt: skip
    given |= {"call", "calls", "told", "of", "context"}  # of a timeline
    for term in TERMS:
        assert {field for _, field, _, _ in Formatter().parse(term.figures) if field} <= given, term.name


def test_a_line_tells_what_stands_in_it_once_and_with_numbers_where_it_has_any() -> None:
    lines: list[Line] = [
        [("errors", meant("dim", "errors")), ("recorded words", "")],
        [("████", meant("failed", "errors")), ("25.0% errors", meant("", "errors", lambda: numbers_of(1, 4)))],
        [("at equal tool mix +1.0 pp", meant("", "at equal tool mix")), ("  4", meant("", "no such word"))],
        [("65%│", meant("dim", "curve")), ("0%│", meant("dim", "curve"))],
    ]
    told = of_lines(lines)
    values = [("errors", "25.0% errors"), ("at equal tool mix", "+1.0 pp"), ("curve", "")]
    assert [(each.name, each.value) for each in told] == values, "a part of a picture is no value"
    assert told[0].text.startswith("1 of 4 failed: 25.0%.")
    broken = piece_at(wrapped_line(lines[1], 6)[1], 2)
    assert broken is not None
    assert of_piece(*broken) is not None, "it goes with what is broken"
    assert of_piece("errors", "dim") is None


def test_of_several_figures_under_one_word_that_under_the_cursor_is_told_and_else_none() -> None:
    segments: list[Line] = [
        [(f"{failed}", meant("", "errors", lambda failed=failed: numbers_of(failed, 4))), (calls, meant("", "calls"))]
        for failed, calls in ((1, "4"), (2, "40"))
    ]
    assert [(each.value, each.text) for each in of_lines(segments)] == [
        ("", explained("errors")),
        ("", explained("calls")),
    ]
    here = of_lines(segments, segments[1:])
    assert [each.value for each in here] == ["2", "40"]
    assert here[0].text.startswith("2 of 4 failed: 50.0%.")
