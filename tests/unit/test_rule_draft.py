"""A rule in the making: which sessions of late it would have matched, where it stands, and what it is kept as."""

from __future__ import annotations

import pytest

from tests.unit.test_request_forms import MESSAGES
from warm_tui.errors import Trouble
from warm_tui.library.db import Library
from warm_tui.library.trials import keep_rule, rules_of
from warm_tui.paths import Home
from warm_tui.screens.trials.rule_draft import KEPT, NOW, TEMPLATES, Recent, RuleDraft, recent_sessions
from warm_tui.templates.files import TemplateFiles
from warm_tui.trials.guessing import CAUTION
from warm_tui.trials.rules import Beginning, Revision, Rule, When

BEFORE = Rule(0, When(source="cli"), (Revision("careful", "c1"),), "salt")
RECENT = [
    Recent(Beginning("a", "cli", "opus", "/srv/shop", "Deploy the shop"), "Deploy the shop"),
    Recent(Beginning("b", "telegram", "gpt", "", "Deploy it now"), "Now"),
    Recent(Beginning("c", "telegram", "gpt", "", "Who is on call?"), "On call"),
]
EMPTY = {"source": "", "model": "", "folder": "", "words": "", "task": "any", "share": "50 %", "holdout": "5 %"}


def kept(home: Home, *rules: Rule) -> list[Rule]:
    with Library(home.library) as library:
        for rule in rules:
            keep_rule(library, rule, {each.content: MESSAGES for each in rule.revisions})
        return rules_of(library.connection)


@pytest.mark.parametrize(
    ("fields", "count", "titles"),
    [
        ({}, "3 of the last 3 sessions match, of which rules before it take 1: about 1 would", ["Now", "On call"]),
        ({"words": "deploy"}, "2 of the last 3 sessions match, of which rules before it take 1: about 0", ["Now"]),
        ({"source": "cli"}, "1 of the last 3 sessions match, of which rules before it take all: none is", ["Deploy"]),
        ({"source": "telegram", "task": "operations"}, "1 of the last 3 sessions match: about 0 would", [CAUTION]),
        ({"source": "telegram", "share": "1"}, "2 of the last 3 sessions match: about 2 would", ["Now", "On call"]),
    ],
)
def test_what_it_would_have_matched_is_told_as_one_types(
    demo: Home, fields: dict[str, str], count: str, titles: list[str]
) -> None:
    kept(demo, BEFORE)
    told = RuleDraft(demo).look(EMPTY | fields, RECENT)
    assert told[0].startswith(count)
    assert told[1] == "It is asked behind rule 1 (source cli): the first that matches decides."
    assert [line.partition(title)[1] for line, title in zip(told[2:], titles, strict=False)] == titles


def test_what_there_would_be_to_match_and_what_cannot_be_one_are_told(demo: Home) -> None:
    draft = RuleDraft(demo)
    none, only, *seen, whose = draft.look(EMPTY | {"model": "mistral"}, RECENT)
    assert none == "None of the last 3 sessions matches."
    assert whose.startswith("It is for sessions of this home alone")
    assert only == "It is the only rule that runs."
    assert seen == ["· sources seen: telegram, cli", "· models seen: gpt, opus"]
    assert draft.look(EMPTY | {"share": "many"}, RECENT) == [
        "The share is a part of the sessions, from 0 % to 100 %, not 'many'."
    ]
    assert "No session stays cold" in draft.look(EMPTY | {"share": "100 %", "holdout": "0"}, RECENT)[2]
    assert draft.look(EMPTY, None)[0] == "Reading the last sessions…"


def test_only_sessions_that_a_rule_could_draw_are_looked_at(demo: Home) -> None:
    titles = [each.title for each in recent_sessions(demo)]
    assert "Paginate the order list" in titles
    assert not [title for title in titles if "Delegated" in title or "branch" in title]


def test_a_template_stands_as_it_was_until_it_is_chosen_as_it_is_now(demo: Home) -> None:
    first = RuleDraft(demo, names=["careful-work"])
    first.keep(first.prepared({**EMPTY, TEMPLATES: NOW + "careful-work"}))
    (rule,) = kept(demo)
    same = RuleDraft(demo, rule)
    assert [each.value for each in same.offers] == [KEPT + rule.revisions[0].content, NOW + "log-triage", NOW + "notes"]
    path = TemplateFiles(demo).load("careful-work").path
    path.write_text(path.read_text().replace("terminal", "shell"))
    other = RuleDraft(demo, rule)
    assert NOW + "careful-work" in [each.value for each in other.offers], "it is another by now"
    path.unlink()
    gone = RuleDraft(demo, rule)
    gone.keep(gone.prepared({**gone.fields, "words": "deploy", TEMPLATES: gone.chosen[0]}))
    (changed,) = kept(demo)
    assert (changed.revisions, changed.when.words) == (rule.revisions, "deploy"), "also one whose file is gone"


def test_what_somebody_else_changed_meanwhile_is_not_written_over(demo: Home) -> None:
    (rule,) = kept(demo, BEFORE)
    draft = RuleDraft(demo, rule)
    kept(demo, rule._replace(running=False, why="switched off: harm was shown of careful"))
    prepared = draft.prepared({**draft.fields, "words": "deploy", TEMPLATES: draft.chosen[0]})
    with pytest.raises(Trouble, match="changed elsewhere"):
        draft.keep(prepared)
    (now,) = kept(demo)
    assert (now.running, now.when.words) == (False, "")
