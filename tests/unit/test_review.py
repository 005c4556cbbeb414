"""What the last sessions taught, as suggestions: what is suggested, each once, and what becomes of it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import NOW, Record, assistant, result, user
from tests.unit.commands import at, document, run
from tests.unit.killing import killed_at_each_write
from tests.unit.test_plugin import Context
from warm_tui.agent.plugin import register
from warm_tui.demo.nightly import add_nightly_reports
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.revisions import Note
from warm_tui.library.suggestions import count_waiting, keep_suggestions, kept_suggestions
from warm_tui.paths import Home
from warm_tui.reliability.failure_records import Fingerprint
from warm_tui.reliability.families import FailedCall, Family
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.recorded_failures import kept_shape
from warm_tui.review import deciding
from warm_tui.review.gathering import review
from warm_tui.review.suggesting import Answer, Facts, Suggestion, Unhelpful, call_of, key_of, suggested
from warm_tui.templates.draft import from_document
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Origin, Pattern, Template
from warm_tui.templates.revisions import revisions_of

NIGHTLY = "nightly-report"


@pytest.fixture
def nightly(tmp_path: Path) -> Home:
    """Whose nightly report failed for want of room, until it was run otherwise."""
    home = Home(tmp_path, ())
    return Home(tmp_path, (add_nightly_reports(home, NOW),))


def words(home: Home) -> list[str]:
    return [*at(home), "--db", str(home.databases[0])]


def pattern(tool: str = "terminal", command: str = "ls", kind: str = "code", recorded: float | None = None) -> Pattern:
    origin = Origin(recorded_at=recorded)
    given = {"command": command}
    return Pattern(
        tool_name=tool, arguments=given, session_types=(kind,), origin=origin, whose=WRITTEN_BY_HAND, result="ok"
    )


def template(*patterns: Pattern, **fields: Any) -> Template:
    return Template(name="t", patterns=patterns, **fields)


def told(*, templates: tuple[Template, ...] = (), **fields: Any) -> list[tuple[str, str, str]]:
    nothing: dict[str, Any] = {"families": (), "profiles": (), "choices": ()}
    found = suggested(Facts(templates, **{**nothing, **fields}))
    assert all(each.evidence and each.effect for each in found)
    return [(each.kind, each.template, each.words) for each in found]


# --- what is suggested, from facts alone ---


def test_of_two_patterns_that_say_the_same_the_second_can_go() -> None:
    twice = template(pattern(command="ls src/a.py"), pattern(command="make"), pattern(command="ls src/b.py"))
    assert told(templates=(twice,)) == [("same", "t", "leave out pattern 3: it says the same as pattern 1")]


def test_a_pattern_whose_tool_nobody_uses_any_more_is_stale() -> None:
    later = [Profile(session_id=str(n), started_at=100.0 + n, tool_distribution={"execute_code": 3}) for n in range(10)]
    old = template(pattern(recorded=50.0), pattern("execute_code", recorded=50.0))
    assert told(templates=(old,), profiles=later) == [("stale", "t", "leave out pattern 1 (terminal)")]
    assert told(templates=(old,), profiles=later[:9]) == [], "too few to tell"


def test_a_template_for_two_kinds_of_work_can_be_split() -> None:
    code = [pattern(command=f"{word} x") for word in ("make", "ls", "cat", "gcc")]
    files = [pattern("read_file", f"{word} y", "file") for word in ("a", "b c", "d e f")]
    assert told(templates=(template(*code, *files),)) == [("split", "t", "make the 3 patterns of file work a template")]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Unhelpful("c1", True, "It harms: 3 in a hundred."), "look at it again: it does not help"),
        (Unhelpful("c1", False, "Nothing shown yet, after 400 sessions."), "look at it again: no help is shown"),
    ],
)
def test_a_template_that_trials_say_does_harm_or_no_good_is_to_be_looked_at(found: Unhelpful, words: str) -> None:
    of = template(pattern())
    assert told(templates=(of,), unhelpful={"t": found}) == [("no help", "t", words)]

    def name(unhelpful: Unhelpful) -> str:
        (made,) = suggested(Facts((of,), (), (), (), {"t": unhelpful}))
        return made.id

    assert name(found) == name(found._replace(told="the same with more sessions")), "which is no news"
    assert name(found) != name(found._replace(content="c2")), "another state of it is"


def answers(*results: str) -> dict[str, list[Answer]]:
    found = [Answer(100.0 + at, result, (f"s{at}", "c")) for at, result in enumerate(results)]
    return {call_of("terminal", {"command": "ls"}): found}


@pytest.mark.parametrize(
    ("results", "is_old"),
    [
        (("3.12", "3.13", "3.13", "3.13"), True), (("3.13", "3.13"), False), (("3.13", "ok", "3.13"), False),
        (("ok", "ok", "ok"), False), (("1", "2", "3"), False),
    ],
)  # fmt: skip
def test_a_result_is_out_of_date_when_the_call_goes_on_answering_otherwise(
    results: tuple[str, ...], is_old: bool
) -> None:
    of = template(pattern(recorded=50.0), pattern(command="make", recorded=50.0))
    found = suggested(Facts((of,), (), (), (), {}, answers(*results)))
    assert [(each.kind, each.words) for each in found] == is_old * [
        ("stale", "show what pattern 1 (terminal) answers now")
    ]
    if is_old:
        assert found[0].evidence[1:] == ("its answer was “ok”, and is “3.13”",)
        assert (found[0].calls, found[0].patterns) == ((("s3", "c"),), (key_of(of.patterns[0]),))
        assert not suggested(Facts((template(pattern(recorded=900.0)),), (), (), (), {}, answers(*results)))


def failing(shape: str, times: int) -> Family:
    calls = tuple(FailedCall("a", f"s{number}", "c", 60.0 + number, "terminal", "", False) for number in range(times))
    print_ = Fingerprint("terminal", "exit_code", "ls", "no such file")
    return Family(
        id="f1", print=print_, count=times, lost=times, mended=0, lives=("a", "b"), homes=(), models=(), first_seen=1.0,
        last_seen=99.0, starts=(), state="ongoing", calls=calls, shapes=frozenset({shape}),
    )  # fmt: skip


def test_a_pattern_whose_shape_fails_by_now_is_stale() -> None:
    of = template(pattern(recorded=50.0))
    shape = kept_shape("terminal", {"command": "ls"})
    assert told(templates=(of,), families=(failing(shape, 5),)) == [("stale", "t", "leave out pattern 1 (terminal)")]
    assert told(templates=(of,), families=(failing(shape, 4),)) == [], "too few to tell"
    assert told(templates=(template(pattern(recorded=900.0)),), families=(failing(shape, 5),)) == [], "it is newer"


# --- of real sessions, and once ---


def suggestions(catalog: Catalog) -> list[Suggestion]:
    return review(catalog).fresh


def test_sessions_are_read_once_and_suggest_nothing_twice(nightly: Home) -> None:
    before = {
        path: path.read_bytes()
        for path in nightly.root.rglob("*")
        if path.is_file() and nightly.ours not in path.parents
    }
    with Catalog(nightly) as catalog:
        (mend,) = suggestions(catalog)
        assert (mend.kind, mend.template) == ("mend", NIGHTLY)
        assert mend.evidence == (
            "docker: Error response from daemon: no space left on device (terminal): failed 5 times in 5 sessions",
            "this worked in 5 of 5 tries after it",
        )
        assert mend.effect[0] == "speaks to a family of failures that cost 10 calls"
        assert review(catalog)[:2] == (0, [])
        deciding.put_off(catalog, mend.id, "declined", "we made room")
        catalog.library.connection.execute("DELETE FROM reviewed")
        assert suggestions(catalog) == [], "a declined one does not come back"
        assert count_waiting(catalog.library) == 0
        with pytest.raises(Trouble, match="was declined already"):
            deciding.accept(catalog, mend.id)
    after = {
        path: path.read_bytes()
        for path in nightly.root.rglob("*")
        if path.is_file() and nightly.ours not in path.parents
    }
    assert after == before, "nothing of the agent's home is written"


def test_work_without_a_template_is_given_a_first_one_and_what_works_often_is_shown(record: Record) -> None:
    def worked(number: int) -> list[dict[str, Any]]:
        rows = [user("Look at it.")]
        for place in range(6):
            call = f"c{number}-{place}"
            path = "README.md" if not place else f"part_{'abcdefghijklm'[number]}/{'uvwxyz'[place]}.txt"
            rows += [
                assistant((call, "read_file", {"path": path})),
                {"role": "tool", "content": '{"content": "text"}', "tool_call_id": call, "tool_name": "read_file"},
            ]
        return [*rows, assistant(content="Seen.")]

    names = [f"s{number}" for number in range(12)]
    path = record(
        {name: worked(number) for number, name in enumerate(names)}, **{name: {"ended_at": NOW} for name in names}
    )
    home = Home(path.parent, (path,))
    with Catalog(home) as catalog:
        found = {each.kind: each for each in suggestions(catalog)}
        first = found["first"]
        assert (first.words, first.evidence) == (
            "make a first template for file work",
            ("12 sessions of file work, and no template for it",),
        )
        assert found["success"].words.startswith("show what works often: ")
        made = deciding.accept(catalog, first.id, "reading")
        assert [each.tool_name for each in TemplateFiles(home).load("reading").template.patterns]
        assert made.template == "reading"
        assert "first" not in {each.kind for each in suggestions(catalog)}


def test_what_every_agent_looks_at_by_itself_is_no_suggestion(record: Record) -> None:
    def worked(number: int, command: str) -> list[dict[str, Any]]:
        rows = [user("Do it.")]
        for place in range(6):
            call = f"c{number}-{place}"
            rows += [assistant((call, "terminal", {"command": command})), result(call)]
        return rows

    names = {f"s{number}": "ls -la" if number % 2 else "make check" for number in range(12)}
    rows = {name: worked(number, command) for number, (name, command) in enumerate(names.items())}
    path = record(rows, **{name: {"ended_at": NOW} for name in names})
    with Catalog(Home(path.parent, (path,))) as catalog:
        found = [(each.words, each.evidence) for each in suggestions(catalog) if each.kind == "success"]
    assert [words for words, _ in found] == ["show what works often: make check"]
    assert found[0][1][0].startswith("its shape succeeded ")


def test_a_session_that_goes_on_is_not_read(record: Record) -> None:
    rows = [
        user("Go."),
        assistant(("a", "terminal", {"command": "ls"})),
        result("a", '{"output": "x", "exit_code": 0}'),
    ]
    path = record({"goes-on": rows, "done": rows}, done={"ended_at": 1_000.0})
    with Catalog(Home(path.parent, (path,))) as catalog:
        began = max(each.started_at or 0.0 for each in catalog.profiles())
        first = review(catalog, began + 60.0)
        assert (first.sessions, first.waits) == (
            1, "1 session is not over yet: a session is read at its end, or an hour after its last message."
        )  # fmt: skip
        assert review(catalog, began + 100_000.0).sessions == 1, "until nothing was added for long"


def test_the_agents_note_of_an_end_counts_until_it_is_gone_on_with(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the plugin leaves it: nothing is computed within the agent, and the end of a turn is none of a session."""
    rows = [user("Go."), assistant(("a", "terminal", {"command": "ls"})), result("a"), assistant()]
    path = record({"open": rows, "went-on": rows, "over": rows})
    home = Home(path.parent, (path,))
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    context = Context()
    register(context)
    for name in ("open", "went-on", "over"):
        context.hook("on_session_start")(session_id=name)
        context.hook("on_session_end")(session_id=name, completed=True)
    for name in ("went-on", "over", None):
        context.hook("on_session_finalize")(session_id=name, platform="cli")
    with Catalog(home) as catalog, catalog.library.keeping() as connection:
        last = max((each.started_at or 0.0) + (each.duration_seconds or 0.0) for each in catalog.profiles())
        for name, at_ in (("went-on", NOW - 5.0), ("over", last)):
            connection.execute("UPDATE arms SET finished_at = ? WHERE session_id = ?", (at_, name))
    with Catalog(home) as catalog:
        assert review(catalog, last + 60.0).sessions == 1
        assert review(catalog, last + 60.0).sessions == 0


def test_accepting_saves_a_revision_that_tells_where_it_comes_from(nightly: Home) -> None:
    patterns = len(TemplateFiles(nightly).load(NIGHTLY).template.patterns)
    (listed,) = document(*words(nightly), "review")["suggestions"]
    name = listed["suggestion_id"]
    assert (listed["kind"], listed["template"], listed["state"]) == ("mend", NIGHTLY, "waiting")
    assert "Say why" in run(*words(nightly), "review", "decline", name, check=False).stderr
    assert document(*words(nightly), "review", "later", name)["act"] == "later"
    assert document(*words(nightly), "review")["suggestions"][0]["state"] == "later"
    assert document(*words(nightly), "review", "accept", name[:6])["template"] == NIGHTLY
    template = TemplateFiles(nightly).load(NIGHTLY).template
    newest = template.patterns[-1]
    assert len(template.patterns) == patterns + 1
    assert newest.origin.chosen_by == "mining"
    assert newest.origin.why.startswith(f"suggested (mend, {name}), accepted ")
    entry = revisions_of(nightly, NIGHTLY)[-1]
    assert (entry.note.suggestion, entry.changed, entry.current) == (name, "+1 pattern, source session ids", True)
    assert document(*words(nightly), "review")["count"] == 0


def test_one_that_is_edited_first_waits_as_a_draft(nightly: Home) -> None:
    with Catalog(nightly) as catalog:
        (mend,) = suggestions(catalog)
        edited = deciding.edit(catalog, mend.id)
        assert edited.template == NIGHTLY
        (body,) = catalog.library.connection.execute("SELECT body FROM draft_steps ORDER BY draft DESC").fetchone()
        assert json.loads(body)["suggestions"] == [mend.id]
        assert [each.state for each in kept_suggestions(catalog.library)] == ["waiting"], "nothing was decided yet"
        assert deciding.edit(catalog, mend.id) == edited, "the same draft"
        files = TemplateFiles(nightly)
        draft = from_document(json.loads(body) | {"patterns": []})
        files.save(draft.template, files.load(NIGHTLY).stamp, Note(suggestion=" ".join(draft.suggestions)))
        assert kept_suggestions(catalog.library) == [], "saving it accepts"


def test_what_has_no_template_to_go_to_does_not_get_one_each(nightly: Home) -> None:
    TemplateFiles(nightly).delete(NIGHTLY)
    with Catalog(nightly) as catalog:
        found = suggestions(catalog)
        mends = [each for each in found if each.kind in ("mend", "success") and not each.template]
        assert mends
        for each in mends:
            assert deciding.accept(catalog, each.id).template == each.into
        again = msgspec.structs.replace(mends[0], id="another")
        keep_suggestions(catalog.library, (), [("another", msgspec.json.encode(again))])
        assert deciding.accept(catalog, "another").template == mends[0].into
    assert sorted(path.stem for path in nightly.root.glob("warm_sessions/*.json")) == sorted(
        {each.into for each in mends}
    )


def test_with_a_library_that_cannot_be_written_nothing_is_accepted_by_halves(
    nightly: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warm_tui.library.db.BUSY_SECONDS", 0.01)
    with Catalog(nightly) as catalog:
        (mend,) = suggestions(catalog)
    before = TemplateFiles(nightly).load(NIGHTLY).stamp
    with Catalog(nightly) as catalog, closing(sqlite3.connect(nightly.library)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Trouble, match="could not be written: database is locked"):
            deciding.accept(catalog, mend.id)
    assert TemplateFiles(nightly).load(NIGHTLY).stamp == before


def test_a_revision_that_could_not_be_kept_is_told_and_the_suggestion_decided_on(
    nightly: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Trouble("database or disk is full")

    monkeypatch.setattr("warm_tui.templates.files.keep_revisions", full)
    with Catalog(nightly) as catalog:
        (mend,) = suggestions(catalog)
        name = mend.id
        with monkeypatch.context() as also:
            also.setattr("warm_tui.review.deciding.decide", lambda *_: (_ for _ in ()).throw(Trouble("It is full.")))
            accepted = deciding.accept(catalog, name)
        assert accepted.note.startswith("The revision was not kept: database or disk is full")
        assert accepted.note.endswith("stays open, though it is in the template: decline it.")
        assert [each.state for each in kept_suggestions(catalog.library)] == ["waiting"]
        assert deciding.accept(catalog, name).note == "The revision was not kept: database or disk is full"
        assert kept_suggestions(catalog.library) == []


def accepting(home: Home) -> str:
    return f"""
from pathlib import Path
from warm_tui.library.catalog import Catalog
from warm_tui.library.suggestions import kept_suggestions
from warm_tui.paths import Home
from warm_tui.review import deciding
root = Path({str(home.root)!r})
with Catalog(Home(root, (Path({str(home.databases[0])!r}),))) as catalog:
    deciding.accept(catalog, kept_suggestions(catalog.library)[0].id)
"""


def test_a_kill_at_any_write_of_accepting_leaves_it_open_or_done_and_never_twice(nightly: Home) -> None:
    with Catalog(nightly) as catalog:
        suggestions(catalog)
    before = len(TemplateFiles(nightly).load(NIGHTLY).template.patterns)
    for _ in killed_at_each_write(accepting(nightly)):
        patterns = TemplateFiles(nightly).load(NIGHTLY).template.patterns
        assert len(patterns) in (before, before + 1)
    assert len(TemplateFiles(nightly).load(NIGHTLY).template.patterns) == before + 1
    with Catalog(nightly) as catalog:
        assert kept_suggestions(catalog.library) == []
