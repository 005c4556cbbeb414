"""What an agent kept for later sessions: told from its calls, with who had it do so."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import NOW, Record, assistant, result, user
from tests.unit.commands import at, document, run
from tests.unit.test_plugin import Context
from warm_tui.agent.plugin import register
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.learned import noted_reviews
from warm_tui.paths import Home
from warm_tui.presentation.heads import head_of
from warm_tui.presentation.lines import text_of
from warm_tui.sessions.hermes.learning import LONGEST, kept_by
from warm_tui.sessions.learning import Learned
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.transcript import transcript

REVIEW = "Review the conversation above and consider saving to memory if appropriate."
DONE = {"success": True, "target": "memory", "message": "Entry added."}
ADD = {"action": "add", "target": "memory", "content": "The build runs with make."}
SKILL = {"success": True, "message": "Skill 'build-notes' created."}


@pytest.mark.parametrize(
    ("tool", "arguments", "answer", "kept"),
    [
        ("memory", ADD, DONE, ("memory", "The build runs with make.")),
        ("memory", {**ADD, "target": "user"}, {"success": True}, ("user profile", "The build runs with make.")),
        ("memory", {"action": "add", "content": "x"}, {"success": True, "target": "user"}, ("user profile", "x")),
        ("memory", {"action": "remove", "old_text": "x"}, DONE, ("memory", "removed: x")),
        (
            "memory", {"operations": [{"action": "add", "content": "a"}, {"action": "remove", "old_text": "b"}]}, DONE,
            ("memory", "a; removed: b"),
        ),
        ("skill_manage", {"action": "create", "name": "build-notes"}, SKILL, ("skill", "Skill 'build-notes' created.")),
        ("skill_manage", {"action": "patch", "name": "a"}, {"success": True}, ("skill", "patch a")),
        ("memory", {**ADD, "content": "long " * 200}, DONE, ("memory", f"{('long ' * 200)[: LONGEST - 1]}…")),
        ("memory", ADD, {"success": False, "error": "It is full."}, None),
        ("memory", ADD, {"success": True, "staged": True, "message": "It waits for approval."}, None),
        ("memory", ADD, {"success": True, "message": "Entry already exists (no duplicate added)."}, None),
        ("memory", "no JSON", DONE, ("memory", "Entry added.")),
        ("memory", {"operations": ["a"], "action": 1}, [1], None),
        ("memory", ADD, "no JSON", None),
        ("terminal", ADD, DONE, None),
    ],
)  # fmt: skip
def test_a_call_keeps_something_only_where_its_result_says_so(
    tool: str, arguments: Any, answer: Any, kept: tuple[str, str] | None
) -> None:
    told = [each if isinstance(each, str) else json.dumps(each) for each in (arguments, answer)]
    assert kept_by(tool, *told) == kept


@pytest.fixture
def home(record: Record) -> Home:
    """One that kept two things itself, another that an older agent wrote its review into, and a review by itself."""
    path = record(
        {
            "own": [
                user("Fix the build."), assistant(("k1", "memory", ADD), ("k2", "skill_manage", {})),
                result("k1", json.dumps(DONE)), result("k2", json.dumps(SKILL)), assistant(content="Done."), user("And now?"), assistant(content="Done."),
            ],
            "written": [
                user("Fix it."), assistant(("k3", "memory", ADD)), result("k3", json.dumps(DONE)), assistant(content="Done."),
                user(REVIEW), assistant(("k4", "memory", ADD)), result("k4", json.dumps(DONE)), assistant(content="Saved."),
                user("Go on."), assistant(("k5", "memory", ADD)), result("k5", json.dumps(DONE)), assistant(content="Done."),
            ],
            "review": [user(REVIEW), assistant(("k6", "memory", ADD)), result("k6", json.dumps(DONE))],
            "helper": [user("Look."), assistant(content="Seen.")],
        },
        review={"parent_session_id": "own"}, helper={"parent_session_id": "own"},
    )  # fmt: skip
    home = Home(path.parent, (path,))
    with open_library(home.library) as library, library.keeping() as connection:
        for call, moment in (("k7", NOW + 5.5), ("k1", NOW + 5.5), ("k8", NOW + 99)):
            row = ("own", call, "skill", f"Skill of {call}.", moment)
            connection.execute("INSERT INTO learned VALUES (?, ?, ?, ?, ?)", row)
    return home


def test_each_write_is_told_once_and_with_its_origin(home: Home) -> None:
    def told(session: str) -> list[tuple[str, str, str]]:
        with Catalog(home) as catalog:
            return [(each.call, each.what, each.by) for each in catalog.learned(session)]

    own = [("k1", "memory", "turn"), ("k2", "skill", "turn"), ("k7", "skill", "review"), ("k8", "skill", "review")]
    assert told("own") == own
    assert told("written") == [("k3", "memory", "turn"), ("k4", "memory", "review"), ("k5", "memory", "turn")]
    assert told("review") == [("k6", "memory", "review")]


def test_profiles_count_them_and_a_later_note_makes_them_anew(home: Home) -> None:
    def counted() -> dict[str, tuple[dict[str, int], int]]:
        with Catalog(home) as catalog:
            return {each.session_id: (each.learned, each.learned_by_review) for each in catalog.profiles()}

    assert counted()["own"] == ({"memory": 1, "skill": 3}, 2)
    assert counted()["helper"] == ({}, 0)
    with open_library(home.library) as library, library.keeping() as connection:
        connection.execute("INSERT INTO learned VALUES ('own', 'k9', 'memory', 'More.', ?)", (NOW + 100,))
    assert counted()["own"] == ({"memory": 2, "skill": 3}, 3)


def test_a_session_that_is_a_review_is_none_of_a_helper(home: Home) -> None:
    with Catalog(home) as catalog:
        assert {each.session_id: each.relation for each in catalog.profiles()} == {
            "own": "none", "written": "none", "review": "review", "helper": "delegate",
        }  # fmt: skip


def test_commands_tell_it_in_words_and_as_json(home: Home) -> None:
    told = document(*at(home), "profile", "own")
    assert (told["learned"], told["learned_by_review"]) == ({"memory": 1, "skill": 3}, 2)
    assert [each["words"] for each in told["learned_writes"]][:2] == [ADD["content"], SKILL["message"]]
    said = run(*at(home), "profile", "own").stdout
    assert "learned                 memory 1, skill 3; 2 by its review" in said
    assert "  skill, by its review: Skill of k7." in said
    found = document(*at(home), "sessions", "--filter", "learned>2")["sessions"]
    assert {each["session_id"] for each in found} == {"own", "written"}


def test_a_transcript_shows_what_was_kept_where_it_happened(home: Home) -> None:
    def heads(session: str) -> list[str]:
        with Catalog(home) as catalog:
            source, found = catalog.find(session)
            items = transcript(read_life(source, found), found, catalog.noted_reviews())
        return [text_of(head_of(item, None, is_open=False)) for item in items]

    told = heads("own")
    assert "kept in memory" in told[1]
    assert [place for place, head in enumerate(told) if "review" in head] == [4, 7], "after the turn, and at the end"
    assert "kept 1 thing  skill: Skill of k7." in told[4]
    written = heads("written")
    assert "review     Review the conversation above" in written[3]
    assert ["by its review" in head for head in written if "memory" in head and "kept" in head] == [False, True, False]


# --- the plugin, which sees what is not recorded ---


class Fork:
    """Hermes while its review goes on, or not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reviews = True
        module = ModuleType("tools.skill_provenance")
        module.is_background_review = lambda: self.reviews  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "tools", ModuleType("tools"))
        monkeypatch.setitem(sys.modules, "tools.skill_provenance", module)


@pytest.fixture
def hermes(home: Home, monkeypatch: pytest.MonkeyPatch) -> tuple[Context, Fork]:
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    context = Context()
    register(context)
    return context, Fork(monkeypatch)


def noted(home: Home, session: str) -> list[Learned]:
    with open_library(home.library) as library:
        return list(noted_reviews(library).get(session, ()))


def test_the_plugin_notes_what_a_review_keeps_call_by_call(home: Home, hermes: tuple[Context, Fork]) -> None:
    context, fork = hermes
    told = {"session_id": "seen", "args": ADD, "result": json.dumps(DONE), "tool_name": "memory"}
    context.hook("post_tool_call")(**told, tool_call_id="r1")
    context.hook("post_tool_call")(**told | {"tool_name": "terminal"}, tool_call_id="r2")
    fork.reviews = False
    context.hook("post_tool_call")(**told, tool_call_id="r3")
    assert [(each.call, each.words, each.by) for each in noted(home, "seen")] == [("r1", ADD["content"], "review")]


def test_an_older_hermes_tells_all_of_a_review_at_its_end(home: Home, hermes: tuple[Context, Fork]) -> None:
    def called(name: str, arguments: Any) -> dict[str, Any]:
        return {
            "role": "assistant",
            "tool_calls": [{"id": name, "function": {"name": "memory", "arguments": arguments}}],
        }

    def answered(name: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": name, "content": json.dumps(DONE)}

    context, fork = hermes
    inherited = [{"role": "user", "content": "Fix it."}, called("old", json.dumps(ADD)), answered("old")]
    fresh = [called("r1", json.dumps(ADD)), answered("r1"), called("r2", json.dumps(ADD)), {"role": "assistant"}]
    history = [*inherited, {"role": "user", "content": REVIEW}, *fresh, "odd", {"role": "assistant", "tool_calls": 3}]
    context.hook("post_llm_call")(session_id="seen", conversation_history=history)
    fork.reviews = False
    context.hook("post_llm_call")(session_id="other", conversation_history=history)
    assert [each.call for each in noted(home, "seen")] == ["r1"], "what it was given is not new, and r2 has no result"
    assert noted(home, "other") == []


def test_without_hermes_nothing_is_taken_for_a_review(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    monkeypatch.setitem(sys.modules, "tools.skill_provenance", None)
    context = Context()
    register(context)
    context.hook("post_tool_call")(
        session_id="seen", args=ADD, result=json.dumps(DONE), tool_name="memory", tool_call_id="r1"
    )
    assert noted(home, "seen") == []


def test_the_folder_of_a_home_is_as_it_was(home: Home, hermes: tuple[Context, Fork]) -> None:
    before = {path.name: path.read_bytes() for path in home.root.glob("state.db*")}
    hermes[0].hook("post_tool_call")(
        session_id="own", args=ADD, result=json.dumps(DONE), tool_name="memory", tool_call_id="r1"
    )
    assert {path.name: path.read_bytes() for path in home.root.glob("state.db*")} == before
