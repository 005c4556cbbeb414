"""Trials from the rule to the verdict: what is drawn counts as it was drawn, and a rule that does harm is switched off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Record, assistant, user
from tests.unit.commands import at, document, run
from tests.unit.test_request_forms import MESSAGES
from warm_tui import writing
from warm_tui.agent import activation
from warm_tui.agent.plugin_state import enable
from warm_tui.agent.prefill import Prefill
from warm_tui.agent.trials import revision_of
from warm_tui.comparisons import trials
from warm_tui.comparisons.trials import QUIET_SECONDS, guard, trials_of
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import Circumstances, Draw, keep_rule, rules_of, statements_of
from warm_tui.paths import Home
from warm_tui.templates.conversation import PROVIDERS, build_conversation, validate
from warm_tui.templates.files import TemplateFiles
from warm_tui.trials.drawing import Decision, decide, inherited, not_drawn
from warm_tui.trials.figures import Finished
from warm_tui.trials.guessing import CAUTION
from warm_tui.trials.rules import Beginning, Revision, Rule, When

LATER = NOW + 90 * 86_400.0
RULE = Rule(0, When(), (Revision("careful", "c1"),), "salt", share=0.5)


def session(failures: int, called: str = "call", calls: int = 10) -> list[dict[str, Any]]:
    rows = [user("Do it.")]
    for number in range(calls):
        content = {"output": "", "exit_code": int(number < failures), "error": None}
        rows.append(assistant((f"{called}{number}", "terminal", {"command": f"make {number}"})))
        rows.append(
            {
                "role": "tool",
                "tool_call_id": f"{called}{number}",
                "tool_name": "terminal",
                "content": json.dumps(content),
            }
        )
    return rows


def write_draws(home: Home, *decisions: Decision) -> None:
    with Library(home.library) as library, library.writing() as connection:
        for number, decision in enumerate(decisions):
            for sql, values in statements_of(
                Draw(decision, Circumstances("cli", "m", "chat_completions", NOW + number))
            ):
                connection.execute(sql, values)


def tried(record: Record, tmp_path: Path, warm: int, cold: int, count: int = 120, rule: Rule = RULE) -> Home:
    """Sessions drawn by a rule, of which those of an arm fail so often in ten calls."""
    home = Home(tmp_path, (tmp_path / "state.db",))
    with Library(home.library) as library:
        rule = keep_rule(library, rule, {each.content: MESSAGES for each in rule.revisions})
    drawn = [decide(Beginning(f"s{number:03}"), (rule,)) for number in range(count)]
    decisions = [each for each in drawn if each is not None]
    rows = {each.session_id: session(warm if each.content else cold) for each in decisions}
    record(rows, **{name: {"ended_at": NOW + 600} for name in rows})
    write_draws(home, *decisions)
    return home


@pytest.mark.parametrize(("warm", "cold", "verdict"), [(1, 4, "helps"), (4, 1, "harms"), (2, 2, "nothing shown yet")])
def test_a_trial_says_what_its_sessions_show(
    record: Record, tmp_path: Path, warm: int, cold: int, verdict: str
) -> None:
    with Catalog(tried(record, tmp_path, warm, cold)) as catalog:
        (trial,) = trials_of(catalog, LATER)
    (shown,) = trial.shown
    assert (shown.template, shown.verdict, trial.drawn, trial.going_on) == ("careful", verdict, 120, 0)
    assert shown.warm + shown.cold == 120
    assert (shown.warm_rate, shown.cold_rate) == (pytest.approx(warm / 10), pytest.approx(cold / 10))


def test_a_rule_that_does_harm_is_switched_off_and_says_why(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tried(record, tmp_path, warm=4, cold=1)
    monkeypatch.setattr(writing, "_looks_only", False)
    looked = json.loads(run("--read-only", *at(home), "trials", "status", "--json").stdout)["trials"][0]["rule"]
    assert looked["running"], "whoever only looks changes nothing"
    writing._looks_only = False
    told = document(*at(home), "trials", "status")["trials"][0]
    assert (told["rule"]["running"], told["rule"]["why"]) == (False, "switched off: harm was shown of careful")
    assert told["shown"][0]["verdict"] == "harms"
    assert "switched off: harm was shown" in run(*at(home), "trials", "list").stdout
    with Library(home.library) as library:
        assert decide(Beginning("next"), rules_of(library.connection)) is None
    assert document(*at(home), "trials", "resume", "1")["rule"]["why"] is None


def test_a_rule_that_helps_goes_on(record: Record, tmp_path: Path) -> None:
    with Catalog(tried(record, tmp_path, warm=1, cold=4)) as catalog:
        (trial,) = guard(catalog, trials_of(catalog, LATER))
    assert trial.rule.running


def test_of_several_templates_each_stands_against_those_that_drew_cold(record: Record, tmp_path: Path) -> None:
    two = RULE._replace(revisions=(Revision("careful", "c1"), Revision("quick", "q1")), share=0.6)
    with Catalog(tried(record, tmp_path, warm=2, cold=2, rule=two)) as catalog:
        (trial,) = trials_of(catalog, LATER)
    careful, quick = trial.shown
    assert careful.cold == quick.cold
    assert careful.warm + quick.warm + careful.cold == 120
    assert {each.level for each in trial.shown} == {0.025}


def test_what_compaction_made_of_a_session_counts_with_it_and_once(record: Record, tmp_path: Path) -> None:
    home = Home(tmp_path, (tmp_path / "state.db",))
    with Library(home.library) as library:
        rule = keep_rule(library, RULE, {"c1": MESSAGES})
    first = Decision("first", "first", rule.number, "careful", "c1", rule.chances)
    record(
        {
            "first": session(2),
            "second": session(3, "later"),
            "helper": session(9, "its own"),
            "branch": session(3, "later") + session(7, "branched"),
        },
        first={"end_reason": "compression", "ended_at": NOW + 60},
        branch={"parent_session_id": "second", "ended_at": NOW + 90, "model_config": '{"_branched_from": "second"}'},
        second={"parent_session_id": "first", "ended_at": NOW + 120},
        helper={"parent_session_id": "first", "source": "tool", "ended_at": NOW + 60},
    )
    write_draws(home, first, *(inherited(name, first) for name in ("second", "helper", "branch")))
    with Catalog(home) as catalog:
        (trial,) = trials_of(catalog, LATER)
    assert (trial.drawn, trial.shown[0].warm, trial.shown[0].warm_rate) == (1, 1, 0.4)


def test_a_session_counts_when_it_has_come_to_an_end(record: Record, tmp_path: Path) -> None:
    home = Home(tmp_path, (tmp_path / "state.db",))
    with Library(home.library) as library:
        rule = keep_rule(library, RULE, {"c1": MESSAGES})
    record({"open": session(1), "talk": [user("Hello.")]}, talk={"ended_at": NOW + 60})
    drawn = [Decision(name, name, rule.number, "", "", rule.chances) for name in ("open", "talk", "not recorded")]
    write_draws(home, *drawn, not_drawn("other", "it is given no tools"))
    with Catalog(home) as catalog:
        early, late = (trials_of(catalog, NOW + seconds)[0] for seconds in (300, 300 + QUIET_SECONDS))
    assert (early.drawn, early.going_on, early.without_calls, early.shown[0].cold) == (3, 2, 1, 0)
    assert (late.going_on, late.shown[0].cold) == (1, 1)
    assert document(*at(home), "trials", "status")["not_drawn"] == {"it is given no tools": 1}


def test_what_was_reckoned_once_is_told_until_a_session_is_counted_or_counted_anew(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tried(record, tmp_path, warm=1, cold=4)
    with Catalog(home) as catalog:
        before = trials_of(catalog, LATER)
    reckoned: list[int] = []

    def reckon(rule: Rule, finished: list[Finished]) -> trials.Standing:
        reckoned.append(rule.number)
        return standing(rule, finished)

    standing = trials._standing
    monkeypatch.setattr(trials, "_standing", reckon)
    with Catalog(home) as catalog:
        assert trials_of(catalog, LATER) == before
        assert reckoned == []
        with catalog.library.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO figures SELECT * FROM figures LIMIT 1")
        assert trials_of(catalog, LATER) == before
        with catalog.library.writing() as connection:
            connection.execute("UPDATE standings SET told = x'00'")
        assert trials_of(catalog, LATER) == before, "what cannot be read is reckoned"
    assert reckoned == [1, 1]


def test_a_comparison_by_a_template_takes_the_arms_that_were_drawn(demo: Home) -> None:
    """And nobody else, though they were recorded as cold at the same time."""
    with Catalog(demo) as catalog:
        names = [p.session_id for p in catalog.profiles() if p.relation == "none"][:12]
        rule = keep_rule(catalog.library, RULE, {"c1": MESSAGES})
    of = {name: number % 3 for number, name in enumerate(names)}
    warm_name, cold_name = names[2], names[5]
    write_draws(
        demo,
        *(Decision(n, n, rule.number, "careful-work", "c1", {"c1": 0.5}) for n, arm in of.items() if arm == 0),
        *(Decision(n, n, rule.number, "", "", {"c1": 0.5}) for n, arm in of.items() if arm == 1),
        *(not_drawn(n, "it is given no tools") for n, arm in of.items() if arm == 2),
    )
    told = document(*at(demo), "compare", "--template", "careful-work", "--without-sources")
    assert [
        set(told["sessions"][arm]) <= {n for n, a in of.items() if a == number}
        for number, arm in enumerate(("warm", "cold"))
    ] == [True, True]
    assert told["sessions"]["cold"]
    assert told["arms"] == "randomised"
    assert any("Both arms were drawn (by rule 1)" in note for note in told["notes"])
    by_marks = document(*at(demo), "compare", "--warm", warm_name, "--cold", cold_name)
    assert by_marks["arms"] == "observational"
    assert "The arms are observational" in run(*at(demo), "compare", "--warm", warm_name, "--cold", cold_name).stdout
    assert not any("same chances" in note for note in told["notes"])


# --- the commands ---


def test_rules_are_put_in_changed_moved_paused_and_taken_away(demo: Home) -> None:
    words = at(demo)
    assert run(*words, "trials", "list").stdout.startswith("There is no rule.")
    first = document(*words, "trials", "add", "careful-work", "--source", "cli", "--share", "0.5")["rule"]
    second = document(*words, "trials", "add", "careful-work", "log-triage", "--allow-outside")["rule"]
    assert (first["number"], first["when"]["source"], first["warm_share"], first["running"]) == (1, "cli", 0.5, True)
    assert (second["warm_share"], [each["template"] for each in second["templates"]]) == (
        0.9,
        ["careful-work", "log-triage"],
    )
    assert run(*words, "trials", "list").stdout.splitlines() == [
        "1. source cli: careful-work, 50% warm", "2. all sessions: careful-work, log-triage, 90% warm",
    ]  # fmt: skip
    edited = document(
        *words, "trials", "edit", "1", "--source", "", "--words", "deploy", "--task", "fix", "--template", "log-triage"
    )
    changed = edited["rule"]
    assert changed["when"]["task"] == "fix"
    assert edited["advice"] == [CAUTION]
    assert (changed["when"]["source"], changed["when"]["words"], changed["share"]) == (None, "deploy", 0.5)
    assert [each["template"] for each in changed["templates"]] == ["log-triage"]
    assert [rule["number"] for rule in document(*words, "trials", "move", "2", "1")["rules"]] == [2, 1]
    assert not document(*words, "trials", "pause", "2")["rule"]["running"]
    assert "(paused by hand)" in run(*words, "trials", "list").stdout
    assert document(*words, "trials", "resume", "2")["rule"]["running"]
    assert document(*words, "trials", "remove", "2")["number"] == 2
    assert [rule["number"] for rule in document(*words, "trials", "list")["rules"]] == [1]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("add", "nothing"), "not found"),
        (("add", "careful-work", "--share", "1.5"), "a number from 0 to 1"),
        (("add", "careful-work", "careful-work"), "the same conversation"),
        (("add", "careful-work", "--task", "dance"), "there are build, data"),
        (("edit", "7", "--share", "0.5"), "There is no rule 7."),
        (("pause", "7"), "There is no rule 7."),
        (("move", "7", "1"), "There is no rule 7."),
        (("remove", "7"), "There is no rule 7."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(demo: Home, asked: tuple[str, ...], why: str) -> None:
    told = run(*at(demo), "trials", *asked, "--json", check=False)
    assert told.returncode == 1
    assert why in json.loads(told.stdout)["error"]
    with Library(demo.library) as library:
        assert rules_of(library.connection) == []


def test_a_rule_without_a_control_group_is_told_as_that(demo: Home) -> None:
    told = document(*at(demo), "trials", "add", "careful-work", "--share", "1", "--holdout", "0")
    assert any("nothing can be shown" in sentence for sentence in told["advice"])


def test_what_is_missing_for_rules_to_draw_is_said(demo: Home) -> None:
    assert any("not switched on" in each for each in document(*at(demo), "trials", "add", "careful-work")["advice"])
    enable(demo)
    again = document(*at(demo), "trials", "add", "log-triage", "--allow-outside")["advice"]
    assert not any("not switched on" in sentence for sentence in again)


def test_sessions_begin_warm_by_the_file_or_by_rules_and_never_by_both(demo: Home) -> None:
    conversation = build_conversation(TemplateFiles(demo).load("careful-work").template)
    number = document(*at(demo), "trials", "add", "careful-work")["rule"]["number"]
    with pytest.raises(Trouble, match="1 rule of trials draws which"):
        activation.activate(demo, "careful-work", conversation)
    assert Prefill(demo).active() is None
    document(*at(demo), "trials", "pause", str(number))
    activation.activate(demo, "careful-work", conversation)
    for asked in (("resume", str(number)), ("add", "careful-work")):
        told = run(*at(demo), "trials", *asked, "--json", check=False)
        assert "is active for every next session" in json.loads(told.stdout)["error"]


def test_what_an_activation_paused_is_told_when_it_ends(demo: Home) -> None:
    document(*at(demo), "trials", "add", "careful-work")
    with Library(demo.library) as library:
        (rule,) = rules_of(library.connection)
        keep_rule(library, rule._replace(running=False, paused_for="careful-work"))
    assert "(paused by the activation of careful-work)" in run(*at(demo), "trials", "list").stdout
    conversation = build_conversation(TemplateFiles(demo).load("careful-work").template)
    activation.activate(demo, "careful-work", conversation)
    (left,) = activation.deactivate(demo).notes
    assert left.startswith("Rule 1 of trials was paused by the activation of careful-work, and stays so")
    assert document(*at(demo), "trials", "resume", "1")["rule"]["paused_for"] is None
    document(*at(demo), "trials", "pause", "1")
    activation.activate(demo, "careful-work", conversation)
    assert activation.deactivate(demo).notes == [], "by hand"


def test_the_doctor_says_by_which_way_sessions_begin_warm(demo: Home) -> None:
    words = at(demo)
    assert document(*words, "doctor")["warmed_by"] == "nothing"
    document(*words, "trials", "add", "careful-work")
    assert document(*words, "doctor")["warmed_by"] == "1 rule of trials"
    messages = demo.root / "theirs.json"
    messages.write_text('[{"role": "user", "content": "Hello."}]')
    (demo.root / "config.yaml").write_text("prefill_messages_file: theirs.json\n")
    assert any("those are not drawn" in sentence for sentence in document(*words, "doctor")["advice"])
    document(*words, "trials", "pause", "1")
    told = document(*words, "doctor")
    assert told["warmed_by"] == "nothing, rules: 1 paused"
    assert not any("those are not drawn" in sentence for sentence in told["advice"])
    (demo.root / "config.yaml").unlink()
    conversation = build_conversation(TemplateFiles(demo).load("careful-work").template)
    activation.activate(demo, "careful-work", conversation)
    assert document(*words, "doctor")["warmed_by"] == "the prefill file, with careful-work, rules: 1 paused"


def test_a_revision_is_told_to_every_provider(demo: Home) -> None:
    for name in ("careful-work", "log-triage", "notes"):
        template = TemplateFiles(demo).load(name).template
        revision, messages = revision_of(template)
        assert {provider: validate(messages, provider) for provider in PROVIDERS} == {
            provider: [] for provider in PROVIDERS
        }
        assert revision == revision_of(template)[0], "the same template makes the same revision"
