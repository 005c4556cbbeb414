"""What came of a session: known by a check, a person or how it ended, and else unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from warm_tui.comparisons.compare import compare
from warm_tui.comparisons.units import Facts, Unit, units_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.outcomes import known_outcomes, set_outcome, unset_outcome
from warm_tui.paths import Home
from warm_tui.reliability.endings import RULES, Ending, Rule, ending_of, judge_ending
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Reached, rate_of, read_reached
from warm_tui.sessions.claude_code.facts import CLAUDE_CODE
from warm_tui.sessions.codex.facts import CODEX
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import MadeCall, Message, Session, SessionName
from warm_tui.sessions.source import AgentFacts, LastWords


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_decides_its_example(rule: Rule) -> None:
    outcome = judge_ending(rule.example, HERMES)
    assert (outcome.rule, outcome.reached) == (rule.name, rule.reached)
    assert outcome.reason


@pytest.mark.parametrize(
    ("facts", "words"),
    [(facts, words) for facts in (HERMES, CLAUDE_CODE, CODEX) for words in facts.last_words],
    ids=lambda each: each.name if isinstance(each, LastWords) else each.agent,
)
def test_what_an_agent_itself_writes_at_the_end(facts: AgentFacts, words: LastWords) -> None:
    field = "request" if words.in_request else "answer"
    outcome = judge_ending(Ending(source=words.source, **{field: words.example}), facts)
    assert (outcome.rule, outcome.reached, outcome.confidence) == (words.name, words.outcome, "certain")


@pytest.mark.parametrize(
    "answer", ["[SILENT]", "  [silent] nothing new", "Two deals were left out.\n\n[SILENT]", "NO_REPLY"]
)
def test_a_timer_that_has_nothing_to_report_is_done(answer: str) -> None:
    assert judge_ending(Ending(source="cron", answer=answer), HERMES).reached == "done"


UNKNOWN = (
    Ending(source="cron", answer="I thought of [SILENT], but here is the report."),
    Ending(said="Thank you so much!", answer="You are welcome."),
    Ending(said="No, that's all. Thanks!"),
    Ending(said="Fix it", answer="Done. All tests pass."),
    Ending(said="Does it work now?", answer="I believe so."),
    Ending(said="It works, but please add a test", answer="Added."),
    Ending(said="Change the seat", answer="Changed. Is there anything else I can help with?"),
    Ending(said="Book it", answer="I could not install the old one, so I used an alternative: it is done."),
    Ending(said="Commit and push", answer="The push was rejected: the branch is protected."),
    Ending(said="Commit what we have so far", answer="Committed as 1f3a9c0."),
    Ending(said="Commit and push", answer="Shall I also tag it?"),
    Ending(said="How do I commit this?", answer="Once it is committed, push it."),
    Ending(said="Look for bugs", answer="I could not find any problem."),
    Ending(said="Which is larger?", answer="The first is larger."),
    Ending(source="cron", answer="Twelve mails, none of them urgent."),
    Ending(source="cli", answer="[SILENT]"),
    Ending(end_reason="idle_timeout", answer="Here is the list."),
    Ending(end_reason="cli_close", answer="Here is the list."),
    Ending(said="Thanks for all of it. I hope it all works out as well!"),
    Ending(said="Great, that works for me. I'll send the number later."),
    Ending(said="Yes, this works. Let's proceed with the second one.", answer="To confirm, here is what changes."),
    Ending(said="No, leave it as it is", was_asked=True),
    Ending(said="Commit the changes", answer="I'll skip that and write it down instead: nothing has been committed."),
    Ending(said="How many are shown with 50?", answer="26 are shown. Should I keep it at 50 or go back to 20?"),
    Ending(),
)


@pytest.mark.parametrize("ending", UNKNOWN, ids=repr)
def test_where_words_cannot_tell_it_is_unknown(ending: Ending) -> None:
    assert judge_ending(ending, HERMES).reached == "unknown"


def test_no_rule_matches_its_own_pattern_in_what_somebody_pasted() -> None:
    pasted = "Here is the log:\n" + "it works now\n" * 100
    assert judge_ending(Ending(said=pasted), HERMES).reached == "unknown"


# --- how a session ended ---

BUILD = (MadeCall("c", "terminal", "{}"),)


def messages(*said: tuple[str, str]) -> list[Message]:
    return [Message(at, role, text, len(text)) for at, (role, text) in enumerate(said, 1)]


def test_the_last_answer_stands_behind_the_last_words() -> None:
    ending = ending_of(Session(id="s"), messages(("user", "Build it"), ("assistant", "Built.")), HERMES)
    assert (ending.said, ending.answer, ending.broken_off) == ("Build it", "Built.", False)


def test_an_answer_that_calls_once_more_is_none() -> None:
    last = Message(2, "assistant", "Let me look.", 12, calls=BUILD)
    ending = ending_of(Session(id="s"), [*messages(("user", "Build it")), last], HERMES)
    assert (ending.answer, ending.broken_off) == ("", True)


def test_a_result_without_an_answer_broke_off() -> None:
    ending = ending_of(Session(id="s"), messages(("user", "Build it"), ("assistant", ""), ("tool", "ok")), HERMES)
    assert ending.broken_off


def test_the_same_request_again_whatever_its_signs() -> None:
    said = messages(
        ("user", "Make the build green again!"), ("assistant", "Done."), ("user", "make the build green, again")
    )
    assert ending_of(Session(id="s"), said, HERMES).repeats
    assert not ending_of(
        Session(id="s"), messages(("user", "go on"), ("assistant", "ok"), ("user", "Go on!")), HERMES
    ).repeats


def test_a_no_to_what_the_agent_asked_is_no_complaint() -> None:
    asked = messages(
        ("user", "Note it down"), ("assistant", "Done. Want me to switch it off?"), ("user", "no, leave it")
    )
    told = messages(("user", "Note it down"), ("assistant", "Switched it off."), ("user", "no, leave it"))
    reached = [judge_ending(ending_of(Session(id="s"), each, HERMES), HERMES).reached for each in (asked, told)]
    assert reached == ["unknown", "not-done"]


def test_what_the_person_quotes_of_the_agent_is_not_what_the_person_says() -> None:
    said = messages(("user", "Plan it"), ("assistant", "- keep the old way, if it still fails"), ("user", "- keep the old way, if it still fails\n\nWhy that?"))  # fmt: skip
    assert ending_of(Session(id="s"), said, HERMES).said == "Why that?"


def test_where_a_timer_speaks_nobody_said_anything() -> None:
    ending = ending_of(
        Session(id="s", source="cron"),
        messages(
            ("user", "No, still broken"),
        ),
        HERMES,
    )
    assert (ending.said, ending.source) == ("", "cron")


def test_words_and_rates() -> None:
    assert [read_reached(word) for word in ("done", "Not done", "not_done", "perhaps")] == [
        "done",
        "not-done",
        "not-done",
        None,
    ]
    rate = rate_of(["done", "done", "not-done", "unknown"])
    assert (rate.done, rate.known, rate.rate) == (2, 3, pytest.approx(2 / 3))
    assert rate_of(["unknown"]).rate is None


# --- somebody's own word ---


def outcomes(home: Home, query: str = "") -> dict[str, str]:
    with Catalog(home) as catalog:
        return {p.session_id: p.outcome for p in catalog.window(parse_filter(query)).profiles}


def test_ones_own_word_wins_and_ours_stays_beside_it(demo: Home) -> None:
    name = next(iter(outcomes(demo)))
    with Catalog(demo) as catalog:
        named = catalog.profile(name).names[0]
    with open_library(demo.library) as library:
        set_outcome(library, named, "not-done", "the customer called again", at=1.0)
    with Catalog(demo) as catalog:
        profile = catalog.profile(name)
    assert (profile.outcome, profile.outcome_reason, profile.outcome_confidence) == (
        "not-done",
        "the customer called again",
        "yours",
    )
    assert profile.ruled_outcome is not None
    assert name in outcomes(demo, "outcome:mine outcome:not-done")
    assert name not in outcomes(demo, "outcome:done")
    with open_library(demo.library) as library:
        unset_outcome(library, [named])
    assert name not in outcomes(demo, "outcome:mine")


def test_a_check_of_an_experiment_says_what_came_of_its_session(tmp_path: Path) -> None:
    with open_library(tmp_path / "library.db") as library:
        library.connection.execute(
            "INSERT INTO runs (experiment, position, session_id, success) VALUES (1, 0, 'a', 1), (1, 1, 'b', 0), (1, 2, 'c', NULL)"
        )
        known = known_outcomes(library)
        assert {name: (each.reached, each.confidence) for name, each in known.items()} == {
            SessionName("a"): ("done", "certain"), SessionName("b"): ("not-done", "certain"),
        }  # fmt: skip
        set_outcome(library, SessionName("a"), "not-done")
        assert known_outcomes(library)[SessionName("a")].is_own


# --- in a comparison ---


def lives(prefix: str, *reached: Reached) -> list[Unit]:
    profiles = [
        Profile(session_id=f"{prefix}{at}", outcome=each, failed_calls=1, successful_calls=9, tool_call_count=10)
        for at, each in enumerate(reached)
    ]
    return units_of(profiles, {})


def test_how_many_sessions_were_done_is_a_measure_of_a_comparison() -> None:
    told = compare(lives("w", *["done"] * 9, "unknown"), lives("c", *["not-done"] * 9, "unknown"))
    row = next(row for row in told.rows if row.name == "sessions_done")
    assert (row.difference.first, row.difference.second, row.difference.units) == (0.0, 1.0, (9, 9))
    assert row.verdict == "warm better"


def test_what_a_check_said_is_not_counted_twice() -> None:
    profile = Profile(session_id="a", outcome="done")
    (unit,) = units_of([profile], {}, {"a": Facts("task", True)})
    assert (unit.done, unit.success) == (None, True)
