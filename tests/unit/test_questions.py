"""What the research claims, asked of one's own sessions."""

from __future__ import annotations

import pytest

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Profile, profile_calls
from warm_tui.reliability.questions import beginnings_of, lengths_of
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import Call, Session


def worked(name: str, *runs: tuple[str, str], messages: int = 50) -> Profile:
    """`runs`: a tool and how its calls went, S or F."""
    calls = [
        (
            Call(f"{name}{at}", f"{name}{at}", at, 0, name, tool, "{}", "", None, at, at),
            Verdict("success" if letter == "S" else "failure", "ok", "", "certain", "r"),
        )
        for at, (tool, letter) in enumerate((tool, letter) for tool, course in runs for letter in course)
    ]
    return profile_calls(Session(id=name), calls, messages, 0, HERMES)


def test_sessions_stand_in_the_band_of_their_length() -> None:
    profiles = [worked(str(n), ("terminal", "SF"), messages=n) for n in (19, 20, 99, 100, 5_000)]
    assert [band.sessions for band in lengths_of(profiles).bands] == [1, 2, 2]


def test_long_sessions_that_fail_less_are_said_to() -> None:
    short = [worked(f"s{n}", ("terminal", "F" * 5 + "S" * 5)) for n in range(12)]
    long = [worked(f"l{n}", ("terminal", "S" * 39 + "F"), messages=200) for n in range(12)]
    difference = lengths_of([*short, *long]).difference
    assert difference.is_shown
    assert difference.value == pytest.approx(0.025 - 0.5)


def test_within_the_same_sessions_each_tool_is_compared_with_itself() -> None:
    """All that is late is done with the tool that always fails: the mix changed, and no tool got worse."""
    profiles = [worked(str(n), ("read_file", "S" * 9), ("patch", "F" + "F" * 20)) for n in range(8)]
    lengths = lengths_of(profiles)
    assert lengths.places[0].rate == pytest.approx(0.1)
    assert lengths.places[1].rate == 1.0
    assert lengths.within[0].value == 0.0


def test_who_gets_better_within_a_session_is_seen() -> None:
    profiles = [worked(str(n), ("terminal", "F" * (4 + n % 3) + "S" * (6 - n % 3) + "S" * 20)) for n in range(12)]
    change = lengths_of(profiles).within[0]
    assert change.sessions == 12
    assert change.is_shown
    assert change.value is not None
    assert change.value < 0


def test_short_sessions_have_no_later_place() -> None:
    lengths = lengths_of([worked("s", ("terminal", "S" * 10))])
    assert [place.sessions for place in lengths.places] == [0, 0, 0, 0]


def test_what_a_session_begins_with() -> None:
    profiles = [
        worked("code", ("terminal", "F" * 3 + "S" * 27), ("read_file", "S" * 40)),
        worked("files", ("read_file", "S" * 20 + "F" * 4)),
        worked("other", ("send_message", "S" * 10)),
    ]
    began = beginnings_of(profiles)
    assert [(group.name, group.sessions) for group in began.groups] == [("code", 1), ("files", 1), ("research", 0)]
    assert [change.sessions for change in began.changes] == [0, 1, 0]


def test_of_nothing_nothing_is_said() -> None:
    assert lengths_of([]).difference.value is None
    assert [change.value for change in beginnings_of([]).changes] == [None, None, None]
