"""The filter language and the orders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.errors import Trouble
from warm_tui.reliability.filters import check_order, parse_filter, sort_profiles
from warm_tui.reliability.profile import PUBLIC_FIELDS, Profile

NOW = 1_000_000.0
P = Profile(
    session_id="20261118_ab12",
    title="Nightly Build",
    source="telegram",
    model="gpt-5.2",
    started_at=NOW - 3 * 86_400,
    message_count=120,
    tool_call_count=40,
    failed_calls=10,
    error_rate=0.25,
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
        "calls>30", "messages>100", "gain<0", "tokens>50k", "tokens<0.1m", "age<7d", "age>2d", "-source:cron", "-cron",
        "error_rate>0.2", "failures:10", 'title:"nightly build"', "  calls>30   nightly ", "-errors>0.3", "id:2026",
        "tool_distribution:terminal", "model=gpt-5.2", "cost:unknown", "-tokens:unknown", "age>30m",
    ],
)  # fmt: skip
def test_what_is_met(query: str) -> None:
    assert parse_filter(query).meets(P, NOW)


@pytest.mark.parametrize(
    "query",
    [
        "weekly", "-nightly", "source:cron", "errors>0.3", "calls<40", "tokens>1m", "age<1d", "cost>0", "-tool:patch", "cost<5",
        "nightly source:cron", "kind:masked", '"build nightly"', "relation:branch", "-model:gpt", "duration>1h",
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
        ('"open', "not closed"), ("source>3", "is text"), ("text>3", "is text"), ("age<7y", "not a number"), ("source:", "value"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_a_sentence(query: str, says: str) -> None:
    with pytest.raises(Trouble, match=says):
        parse_filter(query)


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


def test_sorting() -> None:
    rates = [0.5, None, 0.1, 0.9]
    profiles = [Profile(session_id=str(at), error_rate=rate) for at, rate in enumerate(rates)]
    assert [p.error_rate for p in sort_profiles(profiles, "error_rate")] == [0.1, 0.5, 0.9, None]
    assert [p.error_rate for p in sort_profiles(profiles, "-error_rate")] == [0.9, 0.5, 0.1, None]


@pytest.mark.parametrize("order", ["frob", "--error_rate", "", "-", "kinds"])
def test_an_order_that_does_not_exist(order: str) -> None:
    with pytest.raises(Trouble, match="no field"):
        check_order(order)
