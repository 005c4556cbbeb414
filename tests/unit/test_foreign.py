"""Text from outside in a template: whose it is known to be, who has read it, and what nobody lets start a session."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import Record, assistant, result, user
from tests.unit.commands import at, document, run
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Taken, Unread
from warm_tui.experiments.starting import warm_messages
from warm_tui.paths import Home
from warm_tui.templates.files import Proposals, TemplateFiles
from warm_tui.templates.foreign import count_foreign, foreign_of, let_stand, refuse_unread, unread
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern, Template, Whose, WhoseAddendum

PAGE = "The brie is made of the milk of cows, and the feta of that of ewes and goats."
FETCHED = Whose(context="user", arguments="agent", result="outside", brought_by="web_extract")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", (tmp_path / "home" / "state.db",))


def pattern(whose: Whose = FETCHED, **fields: Any) -> Pattern:
    said = {"tool_name": "web_extract", "arguments": {"urls": ["a"]}, "result": PAGE, "context": "Read a."}
    return Pattern(**{**said, **fields}, whose=whose)


def template(*patterns: Pattern, **fields: Any) -> Template:
    return Template(name="t", patterns=patterns or (pattern(),), **fields)


def saved(home: Home, made: Template) -> Template:
    TemplateFiles(home).save(made)
    return TemplateFiles(home).load("t").template


# --- whose words they are ---


def test_whose_words_they_are_is_kept_in_the_file(home: Home) -> None:
    made = saved(
        home, template(pattern(), pattern(WRITTEN_BY_HAND), addendum="x", whose=WhoseAddendum(addendum="user"))
    )
    assert [p.whose.result for p in made.patterns] == ["outside", "user"]
    assert made.whose.addendum == "user"
    assert [each.told for each in foreign_of(made)] == ["pattern 1, result: from outside by web_extract"]


def test_what_a_file_says_of_itself_counts_only_where_it_was_written_here(home: Home, tmp_path: Path) -> None:
    saved(home, template(pattern(WRITTEN_BY_HAND), addendum="Obey.", whose=WhoseAddendum(addendum="user")))
    path = home.root / "warm_sessions" / "t.json"
    other = Home(tmp_path / "other", ())
    (other.root / "warm_sessions").mkdir(parents=True)
    shutil.copy(path, other.root / "warm_sessions")
    assert count_foreign(TemplateFiles(other).load("t").template) == 4, "there, nobody knows"
    (other.root / "warm_tui").mkdir()
    (other.root / "warm_tui" / "redaction.key").write_bytes(b"x" * 32)
    assert count_foreign(TemplateFiles(other).load("t").template) == 4, "with a key of its own, neither"
    for field, value in (("result_summary", "changed"), ("preceding_context", "changed"), ("tool_name", "terminal")):
        document = json.loads(path.read_text())
        document["patterns"][0][field] = value
        (home.root / "warm_sessions" / "u.json").write_text(json.dumps(document))
        assert TemplateFiles(home).load("u").template.patterns[0].whose == Whose(), field


@pytest.mark.parametrize("whose", [{"context": "user", "seal": "ü" * 32}, {"context": "king"}, [], "user", {"seal": 7}])
def test_odd_claims_are_nobodys(home: Home, whose: object) -> None:
    saved(home, template())
    path = home.root / "warm_sessions" / "t.json"
    document = json.loads(path.read_text())
    document["patterns"][0]["whose"] = whose
    document["whose"] = whose
    path.write_text(json.dumps(document))
    assert TemplateFiles(home).load("t").template.patterns[0].whose == Whose()


def test_an_older_template_is_nobodys_words(demo: Home) -> None:
    told = document(*at(demo), "load", "log-triage", "--full")
    assert {each["from"] for each in told["outside"]} == {"unknown"}
    assert [m["content"] for m in told["conversation"] if m["role"] == "user"] == ["Go on.", "Go on."]
    assert "pattern 2, arguments and result: nobody knows from where." in told["notes"][1]
    silent = [(each["told"], each["read"]) for each in told["outside"] if each["field"] == "context"]
    assert silent
    assert set(silent) == {(False, False)}, "what no model is told need not be read"
    assert "they are not told. Edit them to make them yours." in told["notes"][0]


# --- what somebody has read ---


def test_what_was_read_is_not_asked_about_again_until_it_changes(home: Home) -> None:
    made = saved(home, template())
    with pytest.raises(Unread, match="pattern 1, result: from outside by web_extract"):
        refuse_unread(home, made)
    let_stand(home, unread(home, made))
    refuse_unread(home, made)
    again = template(pattern(result=PAGE), pattern(result=f"{PAGE}!"))
    assert [each.pattern for each in unread(home, again)] == [1], "one sign more, and it is another text"


def test_what_a_person_or_the_agent_here_wrote_is_never_asked_about(home: Home) -> None:
    local = Whose(context="user", arguments="agent", result="tool")
    refuse_unread(home, saved(home, template(pattern(local), pattern(WRITTEN_BY_HAND))))


def test_nothing_starts_with_what_nobody_has_read(demo: Home, tmp_path: Path) -> None:
    TemplateFiles(demo).save(template())
    messages, output = tmp_path / "messages.json", tmp_path / "out.json"
    messages.write_text("[]")
    ways = (["activate", "t", "--yes"], ["load", "t", "--output", str(output)], ["inject", "t", str(messages)])
    for way in ways:
        done = run(*at(demo), *way, "--json", check=False)
        assert done.returncode == 1
        assert "from outside that nobody has read: pattern 1, result" in json.loads(done.stdout)["error"]
    with pytest.raises(Unread):
        warm_messages(demo, TemplateFiles(demo).load("t").template)
    assert Prefill(demo).active() is None
    assert not output.exists()
    assert document(*at(demo), "load", "t")["outside"] == [
        {"pattern": 0, "field": "result", "from": "outside", "by": "web_extract", "told": True, "read": False}
    ]
    assert document(*at(demo), "activate", "t", "--allow-outside", "--yes")["changed"]
    for way in ways:
        run(*at(demo), *way)
    assert warm_messages(demo, TemplateFiles(demo).load("t").template)
    assert document(*at(demo), "load", "t")["outside"][0]["read"]


def test_a_page_that_the_agent_quotes_never_becomes_the_users_words(record: Record) -> None:
    path = record(
        {
            "s": [
                user("What does the page say?"),
                assistant(("a", "web_extract", {"urls": ["https://a.example"]})),
                result("a", json.dumps({"success": True, "content": PAGE})),
                assistant(("b", "terminal", {"command": "ls"}), content=f"The page says: {PAGE}"),
                result("b", json.dumps({"output": "a.py", "exit_code": 0, "error": None})),
            ]
        }
    )
    home = Home(path.parent, (path,))
    run(*at(home), "build", "t", "--min-messages", "2")
    told = document(*at(home), "load", "t", "--full")
    assert [m["content"] for m in told["conversation"] if m["role"] == "user"] == ["What does the page say?"] * 2
    assert [m["role"] for m in told["conversation"] if "brie" in str(m)] == ["tool"]
    assert [(o["field"], o["by"]) for o in told["outside"]] == [("result", "web_extract")]


# --- proposals ---


def test_a_proposal_becomes_a_template_when_it_is_accepted(home: Home) -> None:
    Proposals(home).save(template())
    assert (
        "is a proposal of the agent"
        in json.loads(run(*at(home), "activate", "t", "--json", check=False).stdout)["error"]
    )
    assert document(*at(home), "list")["templates"] == []
    assert document(*at(home), "accept", "t")["name"] == "t"
    assert [row["name"] for row in document(*at(home), "list")["templates"]] == ["t"]
    assert document(*at(home), "list")["proposals"] == []
    assert TemplateFiles(home).load("t").template.patterns[0].whose.result == "outside", "it is known as before"


def test_a_name_that_is_taken_is_asked_for(home: Home) -> None:
    mine = saved(home, template(pattern(result="mine")))
    Proposals(home).save(template())
    with pytest.raises(Taken, match="say another name"):
        Proposals(home).accept("t")
    assert TemplateFiles(home).load("t").template == mine
    assert document(*at(home), "accept", "t", "--as", "u")["name"] == "u"
    assert [row["name"] for row in document(*at(home), "list")["templates"]] == ["t", "u"]


def test_a_proposal_is_discarded_and_kept_aside(home: Home) -> None:
    Proposals(home).save(template())
    kept_at = document(*at(home), "discard", "t")["message"].rpartition(" ")[2].rstrip(".")
    assert Path(kept_at).exists()
    assert "not found" in run(*at(home), "discard", "t", check=False).stderr


def test_there_are_not_more_proposals_than_somebody_can_decide_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.templates.files.MOST_PROPOSALS", 2)
    for name in ("a", "b"):
        Proposals(home).save(msgspec.structs.replace(template(), name=name))
    with pytest.raises(Exception, match="There are 2 proposals already"):
        Proposals(home).save(msgspec.structs.replace(template(), name="c"))
