"""The filter language and the orders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.reliability.filters import (
    NUMBER_FIELDS,
    OFFERED_ORDERS,
    check_order,
    field_names,
    only_words,
    parse_filter,
    sort_profiles,
)
from warm_tui.reliability.profile import PUBLIC_FIELDS, Profile
from warm_tui.screens.sessions.table import FIELDS, field_options
from warm_tui.widgets.fields import Field

NOW = 1_000_000.0
P = Profile(
    session_id="20261118_ab12",
    title="Nightly Build",
    source="telegram",
    model="gpt-5.2",
    started_at=NOW - 3 * 86_400,
    message_count=120,
    tool_call_count=40,
    successful_calls=30,
    failed_calls=10,
    error_rate=0.25,
    early_error_rate=0.3,
    late_error_rate=0.2,
    proficiency_gain=-0.1,
    tool_distribution={"terminal": 30, "patch": 10},
    kinds={"ok": 30, "timeout": 10},
    dominant_tool_type="terminal",
    task_type="mixed",
    input_tokens=60_000,
    output_tokens=1_000,
    relation="compression_chain",
    first_message="Please mend the nightly build",
)


@pytest.mark.parametrize(
    "query",
    [
        "", "nightly", "NIGHTLY", "ab12", "mend", '"nightly build"', "source:telegram", "model:gpt", "tool:patch", "kind:timeout",
        "type:mixed", "type:terminal", "relation:compression", "errors>0.2", "errors>20%", "errors<=0.25", "errors=0.25",
        "calls>30", "messages>100", "change<0", "gain<0", "tokens>50k", "tokens<0.1m", "age<7d", "age>2d", "-source:cron", "-cron",
        "error_rate>0.2", "failures:10", 'title:"nightly build"', "  calls>30   nightly ", "-errors>0.3", "id:2026",
        "tool_distribution:terminal", "model=gpt-5.2", "cost:unknown", "-tokens:unknown", "age>30m", "since:1970-01-02", "-since:2999-12-31",
        "errors>10", "errors=25", "errors=25%", "errors=25.0%", "errors>10 %", "errors>10 % nightly", "early_error_rate>20", "change<-5", "change<-5pp", "change=-10.0 pp",
        "tokens=61.0k", "tokens=61k", "tokens>0.05M", "tokens>60,999", "tokens<0.001g", "messages=120", "age<7y", "age=3d", "age<7 d",
        "failed>9", "failed:10", "tools:terminal", "task:mixed", "errors<1", "change>-1",
    ],
)  # fmt: skip
def test_what_is_met(query: str) -> None:
    assert parse_filter(query).meets(P, NOW)


@pytest.mark.parametrize(
    "query",
    [
        "weekly", "-nightly", "source:cron", "errors>0.3", "calls<40", "tokens>1m", "age<1d", "cost>0", "-tool:patch", "cost<5",
        "nightly source:cron", "kind:masked", '"build nightly"', "relation:branch", "-model:gpt", "duration>1h", "since:2999-12-31",
        "errors>25", "errors=24%", "errors=0.24", "tokens=61.1k", "tokens=61,001", "age=2d", "change<-15", "calls=39", "calls>30 min",
    ],
)  # fmt: skip
def test_what_is_not_met(query: str) -> None:
    """What is not known, like the cost here, meets no comparison."""
    assert not parse_filter(query).meets(P, NOW)


def test_words_in_messages_are_looked_up_by_whoever_has_the_database() -> None:
    query = parse_filter('text:"connection reset" -text:timeout')
    assert query.texts == ["connection reset", "timeout"]
    assert query.meets(P, NOW, {"connection reset": {P.session_id}, "timeout": set()})
    assert not query.meets(P, NOW, {"connection reset": set(), "timeout": set()})


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("frob:1", "no field 'frob'"), ("errors>many", "not a number"), ("errors>", "value has to follow"), ("-", "has to stand here"), ('""', "has to stand here"), ("errors:x", "not a number"),
        ('"open', "not closed"), ("source>3", "is text"), ("text>3", "is text"), ("age<7q", "not a number"), ("source:", "value"),
        ("errors>150", "more than 100%; write it like errors>10%"), ("errors>1", "write errors>1%, or errors>=1."),
        ("errors>100", "errors>100: that is 100%, and nothing is beyond that; write errors>=100."),
        ("errors>100%", "errors>100%: that is 100%, and nothing is beyond that; write errors>=100%."),
        ("change<-100pp", "write change<=-100pp."),
        ("calls:" + "9" * 400, "is not a number to compare calls with: write calls=30 \\("),
        (f"tokens:1.{'0' * 400}k", "is not a number to compare tokens with: write tokens=30 \\("),
        ("errors>-5", "never below 0%"),
        ("change>150", "more than 100%; write it like change>-5pp"), ("errors>50k", "write errors>10%"), ("tokens>10%", "write tokens>30"),
        ("cost>5%", "write cost>0.5"), ("age>10%", "write age>90s"), ("calls>$3", "not a number"),
        ("since:yesterday", "not a day"), ("since>2026-11-05", "not a day"), ("since:0001-01-01", "not a day"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_a_sentence(query: str, says: str) -> None:
    with pytest.raises(Trouble, match=says):
        parse_filter(query)


SHOWN = replace(P, cost_usd=0.6249, duration_seconds=212.0, proficiency_gain=0.2618)


@pytest.mark.parametrize(
    "query",
    [
        "cost>$0.5", "cost=$0.62", "cost=0.62", "cost<1,000.50", "duration=3.5min", "duration>3.5 min", "duration<1h",
        "duration:212", "change=26.2", "change>26 pp",
    ],
)  # fmt: skip
def test_what_a_column_shows_can_be_written_into_the_filter(query: str) -> None:
    assert parse_filter(query).meets(SHOWN, NOW)


@pytest.mark.parametrize("field", [field for field in FIELDS if field.title in NUMBER_FIELDS or field.title == "age"])
def test_a_figure_is_found_by_the_very_words_of_its_cell(field: Field) -> None:
    written = field.show(SHOWN, NOW)[0]
    assert parse_filter(f"{field.title}={written}").meets(SHOWN, NOW), written


@given(st.text(max_size=40))
def test_any_query_is_read_or_refused(query: str) -> None:
    try:
        parse_filter(query).meets(P, NOW, {})
    except Trouble as trouble:
        assert str(trouble)


@pytest.mark.parametrize("field", PUBLIC_FIELDS)
def test_every_field_sorts_both_ways_and_the_unknown_stands_last(field: str) -> None:
    empty = Profile(session_id="x")
    for order in (field, f"-{field}"):
        ordered = sort_profiles([empty, P], order)
        if getattr(empty, field) is None and getattr(P, field) is not None:
            assert ordered == [P, empty]


def session_of(name: str, course: str) -> Profile:
    """Call by call, how it went."""
    failures, known = course.count("x"), len(course.replace("?", ""))
    size = max(1, known // 5)
    early, late = course[:size].count("x") / size, course[-size:].count("x") / size
    return Profile(
        session_id=name,
        tool_call_count=len(course),
        successful_calls=known - failures,
        failed_calls=failures,
        error_rate=failures / known if known else None,
        early_error_rate=early if known else None,
        late_error_rate=late if known else None,
        proficiency_gain=late - early if known else None,
        first_30_error_rate=failures / known if known else None,
        course=course,
    )


@pytest.mark.parametrize("field", ["error_rate", "first_30_error_rate"])
def test_rates_are_sorted_by_what_is_known_of_them(field: str) -> None:
    """Two of two say less than fifteen of twenty, and none of two less than none of thirty."""
    courses = {"two failed": "xx", "most failed": "xxx." * 5, "unknown": "?", "two": "..", "thirty": "." * 30}
    profiles = [session_of(name, course) for name, course in courses.items()]
    worst_first = [p.session_id for p in sort_profiles(profiles, f"-{field}")]
    assert worst_first == ["most failed", "two failed", "two", "thirty", "unknown"]
    best_first = [p.session_id for p in sort_profiles(profiles, field)]
    assert best_first == ["thirty", "two", "most failed", "two failed", "unknown"]


@pytest.mark.parametrize(
    ("field", "few", "many"),
    [
        ("early_error_rate", "x.", "x" * 9 + "." * 41),
        ("late_error_rate", ".x", "." * 41 + "x" * 9),
        ("proficiency_gain", ".x", "." * 41 + "x" * 9),
    ],
)
def test_the_rates_of_parts_are_sorted_by_what_is_known_of_them(field: str, few: str, many: str) -> None:
    """All of one call say less than nine of ten, whichever of them is the higher."""
    profiles = [session_of(course, course) for course in ("?", few, many)]
    assert [p.session_id for p in sort_profiles(profiles, f"-{field}")] == [many, few, "?"]


def test_what_is_no_rate_is_sorted_by_its_value() -> None:
    profiles = [Profile(session_id=str(at), cost_usd=cost) for at, cost in enumerate((0.5, None, 0.1, 0.9))]
    assert [p.cost_usd for p in sort_profiles(profiles, "cost_usd")] == [0.1, 0.5, 0.9, None]
    assert [p.cost_usd for p in sort_profiles(profiles, "-cost_usd")] == [0.9, 0.5, 0.1, None]


def test_the_former_name_of_a_change_is_still_read() -> None:
    assert parse_filter("gain<0") == parse_filter("change<0")
    assert "gain" not in field_names()


def test_what_stands_over_a_column_is_a_name_to_sort_by() -> None:
    for field in FIELDS:
        # A scale over a column is no name: that stands before it.
        name = dict(field_options())[field.name].partition(" (")[0]
        turned = "-" if name == "age" else ""
        assert check_order(name) == f"{turned}{field.name}"
        assert check_order(field.name) == field.name, "its own name goes on to work"
    assert check_order("-age") == "started_at", "the oldest first"
    assert check_order("Errors") == "error_rate"
    assert {check_order(name).lstrip("-") for name in OFFERED_ORDERS} >= {field.name for field in FIELDS}


@pytest.mark.parametrize("order", ["frob", "--error_rate", "", "-", "kinds"])
def test_an_order_that_does_not_exist(order: str) -> None:
    with pytest.raises(Trouble, match="no field"):
        check_order(order)


@pytest.mark.parametrize("query", ["errors>0.2", "a -model:gpt", "age<2x", "TITLE:x"])
def test_a_filter_of_words_refuses_comparisons(query: str) -> None:
    with pytest.raises(Trouble, match=r"compares a field.*fields are for Sessions and Failures"):
        only_words(query)


@pytest.mark.parametrize("query", ["", "-word other", '"id":3', "http://x", "a<b", "family:pytest", "frob:1"])
def test_a_filter_of_words_reads_all_else(query: str) -> None:
    only_words(query, knows=("family",))
