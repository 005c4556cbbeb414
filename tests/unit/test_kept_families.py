"""Families over a home's sessions: from what the library keeps, updated by what is new."""

from __future__ import annotations

import json
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Record, assistant, result, user
from tests.unit.test_families import kept
from warm_tui.library import families as kept_families
from warm_tui.library import profiling
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.families import KeptFailures, families, said_of_families, say_of_family, take_back
from warm_tui.library.profiles import RULES
from warm_tui.library.verdicts import set_verdict
from warm_tui.paths import Home
from warm_tui.reliability.failure_records import encode_failures, sign_of
from warm_tui.reliability.families import Said
from warm_tui.reliability.filters import parse_filter
from warm_tui.sessions.model import SessionName


def failing(command: str, message: str) -> list[dict]:
    failed = json.dumps({"output": message, "exit_code": 1, "error": None})
    return [user("go on"), assistant(("c1", "terminal", {"command": command})), result("c1", failed)]


CURL = failing("curl localhost", "curl: (7) Failed to connect to localhost port 80")
OTHER_CURL = failing("curl localhost", "curl: (7) Failed to connect to localhost port 8080")
PSQL = failing("psql -c query", "psql: error: relation does not exist")
SESSIONS = {"a": CURL, "b": OTHER_CURL, "c": PSQL}


@pytest.fixture
def home(record: Record) -> Home:
    path = record(SESSIONS)
    long_ago = time.time() - 60
    os.utime(path, (long_ago, long_ago))
    return Home(path.parent / "home", (path,))


def counts(home: Home, query: str = "") -> dict[str, int]:
    with Catalog(home) as catalog:
        return {family.print.program: family.count for family in families(catalog, parse_filter(query)).all}


def test_the_same_trouble_is_one_family_over_all_sessions(home: Home) -> None:
    assert counts(home) == {"curl": 2, "psql": 1}


def test_a_filter_leaves_the_sessions_that_match(home: Home) -> None:
    assert counts(home, "id:a") == {"curl": 1}


def test_a_filter_changes_no_state(home: Home, record: Record) -> None:
    record({"first": CURL, **{f"later{at}": PSQL for at in range(30)}})
    with Catalog(home) as catalog:
        states = {family.id: family.state for family in families(catalog).all}
        assert "resolved" in states.values()
        for family, state in states.items():
            found = families(catalog, parse_filter(f"family:{family}"))
            assert [each.state for each in found.all if each.id == family] == [state]


def test_sessions_are_found_by_a_family_of_theirs(home: Home) -> None:
    with Catalog(home) as catalog:
        curl, psql = families(catalog).all
        for family in (curl, psql):
            found = catalog.window(parse_filter(f"family:{family.id}")).profiles
            assert {profile.session_id for profile in found} == set(family.lives)
        assert {p.session_id for p in catalog.window(parse_filter(f"-family:{curl.id}")).profiles} == set(psql.lives)


def test_a_second_look_reads_no_session(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = counts(home)
    monkeypatch.setattr(profiling, "compute", pytest.fail)
    assert counts(home) == first


def test_a_new_session_is_added_without_reading_the_others_again(
    home: Home, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = KeptFailures()
    with Catalog(home) as catalog:
        families(catalog, kept=kept)
    record({**SESSIONS, "d": PSQL})
    decoded: list[bytes | None] = []
    real = kept_families._decoded
    monkeypatch.setattr(kept_families, "_decoded", lambda body: decoded.append(body) or real(body))
    with Catalog(home) as catalog:
        added = families(catalog, now=0.0, kept=kept)
        assert len(decoded) == 1
        assert added == families(catalog, now=0.0), "as from nothing"
    assert {family.print.program: family.count for family in added.all} == {"curl": 2, "psql": 2}


CHANGES = st.lists(
    st.tuples(st.sampled_from("pqr"), st.one_of(st.none(), st.text("abc.", max_size=4))), min_size=1, max_size=12
)


@given(CHANGES, st.integers(0, 12))
def test_what_was_read_before_and_updated_is_what_is_read_from_nothing(
    changes: list[tuple[str, str | None]], early: int
) -> None:
    """Sessions come, change and go; one that reads each time knows what one knows that reads once."""
    library, kept_so_far = Library.in_memory(""), KeptFailures()
    for number, (name, story) in enumerate(changes):
        if story is None:
            library.connection.execute("DELETE FROM profiles WHERE session_id = ?", (name,))
        else:
            row = ("place", name, f"stamp {number}", RULES, b"", encode_failures(kept(story)))
            library.connection.execute(
                "INSERT OR REPLACE INTO profiles (database, session_id, stamp, rules, profile, failures)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
        if number >= early:
            kept_so_far.read(library, "place")
    assert kept_so_far.read(library, "place") == KeptFailures().read(library, "place")


def test_a_verdict_of_ones_own_takes_a_call_out_of_its_family(home: Home) -> None:
    counts(home)
    with Catalog(home) as catalog:
        set_verdict(catalog.library, SessionName("a"), "c1", "success")
        assert {family.print.program: family.count for family in families(catalog).all} == {"curl": 1, "psql": 1}


def test_what_was_said_of_a_family_is_kept_until_it_is_taken_back(home: Home) -> None:
    with Catalog(home) as catalog:
        name = families(catalog).all[0].id
        say_of_family(catalog.library, name, Said("muted", "known", 5.0))
        say_of_family(catalog.library, name, Said("muted", "known since May", 6.0))
    with Catalog(home) as catalog:
        assert said_of_families(catalog.library) == {sign_of(name): Said("muted", "known since May", 6.0)}
        take_back(catalog.library, name)
        assert said_of_families(catalog.library) == {}
