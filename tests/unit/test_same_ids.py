"""An id may stand in two places: copies of a session are one, and others of that id are told apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warm_tui.demo.other_agents import Claude, Codex
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import feed
from warm_tui.library.marks import kept_marks, mark_of
from warm_tui.library.overrides import overrides
from warm_tui.library.rows import Rows
from warm_tui.library.verdicts import set_verdict, unset_verdict
from warm_tui.paths import Home
from warm_tui.screens.shared.marks import Marks
from warm_tui.sessions.model import SessionName


def claude(place: Path, name: str, begun: str, *words: str) -> Path:
    path = place / "projects" / "-work" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "type": "user", "uuid": f"{begun}-{at}", "sessionId": name, "cwd": "/work",
            "timestamp": f"{begun}T10:00:0{at}Z", "message": {"role": "user", "content": said},
        }
        for at, said in enumerate(words)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return place / "projects"


def codex(place: Path, name: str, words: str) -> Path:
    path = place / "sessions" / "2026" / "01" / "02" / f"rollout-2026-01-02T10-00-00-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}
    lines = [
        {"timestamp": "2026-01-02T10:00:00Z", "type": "session_meta", "payload": {"id": name, "cwd": "/work"}},
        {"timestamp": "2026-01-02T10:00:01Z", "type": "response_item", "payload": told},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return place / "sessions"


NAME = "0000-1111"


def listed(home: Home) -> dict[str, str]:
    """Each session's first words by its name, as the table and as the commands have them."""
    with Catalog(home) as catalog:
        found = {profile.session_id: profile.first_message for profile in catalog.profiles()}
    with Catalog(home) as catalog:
        rows = Rows()
        for batch in feed(catalog, str, lambda: False):
            rows = batch.rows or rows
    assert {row.session_id: row.first_message for row in rows} == found
    return found


def opened(home: Home, name: str) -> str:
    with Catalog(home) as catalog:
        source, session = catalog.find(name)
        return source.messages(session.id)[0].text


def test_two_agents_with_one_id(tmp_path: Path) -> None:
    places = (claude(tmp_path / "a", NAME, "2026-01-01", "of claude"), codex(tmp_path / "b", NAME, "of codex"))
    home = Home(tmp_path / "home", places)
    assert listed(home) == {NAME: "of claude", f"codex/{NAME}": "of codex"}
    assert opened(home, NAME) == opened(home, f"claude-code/{NAME}") == "of claude"
    assert opened(home, f"codex/{NAME}") == opened(home, "codex/0000") == "of codex"


def test_two_homes_of_one_agent_with_different_sessions_of_one_id(tmp_path: Path) -> None:
    places = (
        claude(tmp_path / "one", NAME, "2026-01-01", "the first"),
        claude(tmp_path / "two", NAME, "2026-01-05", "the second", "and longer"),
    )
    home = Home(tmp_path / "home", places)
    assert listed(home) == {NAME: "the first", f"two/{NAME}": "the second"}
    assert opened(home, NAME) == opened(home, f"one/{NAME}") == "the first"
    assert opened(home, f"two/{NAME}") == "the second"


def test_a_copy_that_was_gone_on_with_is_the_same_session(tmp_path: Path) -> None:
    places = (
        claude(tmp_path / "one", NAME, "2026-01-01", "the first"),
        claude(tmp_path / "two", NAME, "2026-01-01", "the first", "and on"),
    )
    home = Home(tmp_path / "home", places)
    assert listed(home) == {NAME: "the first"}
    with Catalog(home) as catalog:
        source, _ = catalog.find(NAME)
        assert source.home == "two"


def test_a_place_without_that_session_is_told(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", (claude(tmp_path / "one", NAME, "2026-01-01", "the first"),))
    with Catalog(home) as catalog, pytest.raises(Trouble, match="There is no session 'codex/0000'"):
        catalog.find("codex/0000")


def two_of_one_id(tmp_path: Path) -> tuple[Home, Home, Home]:
    """Both places, and each alone; their calls have one id, too."""
    first = Claude(NAME).says("of claude").runs("call_1", code=2).write(tmp_path / "a").parents[1]
    second = Codex(NAME).says("of codex").runs("call_1", code=2).write(tmp_path / "b").parents[3]
    root = tmp_path / "home"
    return Home(root, (first, second)), Home(root, (first,)), Home(root, (second,))


def outcomes(home: Home, *names: str) -> list[str]:
    with Catalog(home) as catalog:
        return [verdict.outcome for name in names for _, verdict in catalog.life(name)[2]]


def test_a_verdict_is_on_the_call_of_one_of_them(tmp_path: Path) -> None:
    both, first, second = two_of_one_id(tmp_path)
    with Catalog(both) as catalog:
        source, session = catalog.find(f"codex/{NAME}")
        set_verdict(catalog.library, session.name, "call_1", "success", "as meant")
        assert {each.session_id: each.own_verdicts for each in catalog.profiles()} == {NAME: 0, f"codex/{NAME}": 1}
        (override,) = overrides(catalog)
        assert (override.shown_as, override.verdict.outcome) == (f"codex/{NAME}", "success")
        assert source.facts.agent == "codex"
    assert outcomes(both, NAME, f"codex/{NAME}") == ["failure", "success"]
    assert (outcomes(first, NAME), outcomes(second, NAME)) == (["failure"], ["success"])
    with Catalog(second) as catalog:
        unset_verdict(catalog.library, catalog.find(NAME)[1].name, "call_1")
    assert outcomes(both, NAME, f"codex/{NAME}") == ["failure", "failure"]


def test_a_verdict_from_before_they_were_told_apart_holds_for_each_until_one_is_judged_anew(tmp_path: Path) -> None:
    both, *_ = two_of_one_id(tmp_path)
    with Catalog(both) as catalog:
        set_verdict(catalog.library, SessionName(NAME), "call_1", "success", "said long ago")
    assert outcomes(both, NAME, f"codex/{NAME}") == ["success", "success"]
    with Catalog(both) as catalog:
        set_verdict(catalog.library, catalog.find(NAME)[1].name, "call_1", "unknown")
        assert len(overrides(catalog)) == 1
    assert outcomes(both, NAME, f"codex/{NAME}") == ["unknown", "failure"]


def rows_of(home: Home) -> Rows:
    with Catalog(home) as catalog:
        return next(batch.rows for batch in list(feed(catalog, str, lambda: False))[1:] if batch.rows is not None)


def shown_marks(home: Home) -> dict[str, str]:
    """As the table has them."""
    marks = Marks()
    with Catalog(home) as catalog:
        marks.take(marks.read(catalog.library))
    marks.settle_in(rows_of(home))
    return marks.by_session


def test_a_mark_is_on_one_of_them_under_whatever_name_it_is_shown(tmp_path: Path) -> None:
    both, first, second = two_of_one_id(tmp_path)
    marks = Marks()
    marks.settle_in(rows_of(both))
    marks.put_in_arm("warm", [], [f"codex/{NAME}"])
    marks.save(both)
    assert [shown_marks(each) for each in (both, first, second)] == [{f"codex/{NAME}": "warm"}, {}, {NAME: "warm"}]
    with Catalog(both) as catalog:
        kept = kept_marks(catalog.library)
        assert {each.agent: mark_of(each, kept) for each in catalog.profiles()} == {
            "claude-code": None,
            "codex": "warm",
        }
    alone = Marks()
    alone.settle_in(rows_of(first))
    alone.put_in_arm("cold", [], [NAME])
    alone.save(first)
    assert shown_marks(both) == {f"codex/{NAME}": "warm", NAME: "cold"}
