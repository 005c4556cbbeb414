"""Which sessions a rule is for, and what they draw: the first rule that matches, by the session's id alone."""

from __future__ import annotations

import json
import subprocess
import sys
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.errors import Trouble
from warm_tui.trials.drawing import Decision, decide, inherited, place_of
from warm_tui.trials.guessing import GUESSES, Guess, guessed_task
from warm_tui.trials.rules import MOST_TEMPLATES, Beginning, Revision, Rule, When, check_rule, first_match

CAREFUL, QUICK = Revision("careful", "c1"), Revision("quick", "q1")
EVERYONE = Rule(1, When(), (CAREFUL,), "salt")
PLACE = 0.9632410067214764
SESSION = Beginning(
    "20261119_080000_ab12cd", "telegram", "vendor/Big-Model-70b", "/home/me/shop/api", "Deploy the Shop"
)

SHARES = st.floats(0.0, 1.0)
RULES = st.builds(
    lambda number, salt, share, holdout, several: Rule(
        number, When(), (CAREFUL, QUICK)[: 1 + several], salt, share, holdout
    ),
    st.integers(1, 99), st.text(max_size=9), SHARES, SHARES, st.booleans(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("when", "matches"),
    [
        (When(), True),
        (When(source="Telegram"), True),
        (When(source="tele"), False),
        (When(model="big-model"), True),
        (When(model="small"), False),
        (When(folder="/home/me/shop"), True),
        (When(folder="/home/me/shop/api/"), True),
        (When(folder="/home/me/sho"), False),
        (When(folder="/"), True),
        (When(words="shop deploy"), True),
        (When(words="deploy now"), False),
        (When("telegram", "70b", "/home/me", "shop"), True),
        (When("telegram", "70b", "/home/me", "bank"), False),
        (When(task="operations"), True),
        (When(task="fix"), False),
    ],
)
def test_a_rule_is_for_the_sessions_that_meet_all_it_asks(when: When, matches: bool) -> None:
    assert when.matches(SESSION) is matches


def test_a_session_whose_folder_is_not_known_is_in_none() -> None:
    assert not When(folder="/").matches(Beginning("s"))


def test_what_a_rule_is_for_is_told_in_words() -> None:
    assert When().told == "all sessions"
    assert When(source="cron", words="nightly build").told == "source cron, words nightly build"
    assert When(model="opus", task="fix").told == "model opus, task fix (a guess)"


@pytest.mark.parametrize("row", GUESSES, ids=lambda row: row.example)
def test_each_row_guesses_what_its_example_asks_for(row: Guess) -> None:
    assert guessed_task(row.example) == row.task


@pytest.mark.parametrize("message", ["", "hi", "Go on.", "continue", "\x00\ud800", "für mich", "3"])
def test_where_nothing_tells_nothing_is_guessed(message: str) -> None:
    assert not guessed_task(message)


def test_a_guess_goes_by_the_beginning_of_a_message() -> None:
    assert guessed_task("so " * 5_000 + "fix the bug") == ""


def test_the_first_rule_that_matches_decides_and_one_that_is_paused_is_passed_over() -> None:
    other = EVERYONE._replace(number=2, when=When(source="cron"))
    mine = EVERYONE._replace(number=3, when=When(source="telegram"))
    assert first_match((other, mine, EVERYONE), SESSION) == mine
    assert first_match((EVERYONE, mine), SESSION) == EVERYONE
    assert first_match((mine._replace(running=False), EVERYONE), SESSION) == EVERYONE
    assert first_match((other,), SESSION) is None
    assert decide(SESSION, (other,)) is None


@given(RULES, st.text(max_size=40))
def test_the_same_session_draws_the_same_again(rule: Rule, session: str) -> None:
    drawn = decide(Beginning(session), (rule,))
    assert drawn == decide(Beginning(session, "cron", "m", "/x", "other words"), (rule,))
    assert drawn is not None
    assert 0.0 <= place_of(session, rule) < 1.0
    assert drawn.drawn
    assert drawn.root == session


def test_another_process_draws_the_same() -> None:
    code = (
        "import json; from warm_tui.trials.drawing import place_of; from warm_tui.trials.rules import Rule, When;"
        "print(json.dumps([place_of(f's{n}', Rule(1, When(), (), 'salt')) for n in range(20)]))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == [place_of(f"s{n}", EVERYONE) for n in range(20)]


def test_what_was_drawn_once_is_drawn_by_every_later_version() -> None:
    """Sessions that are gone on with would change their arm otherwise."""
    assert place_of("20261119_080000_ab12cd", EVERYONE) == pytest.approx(PLACE, abs=1e-15)


@given(SHARES, SHARES, st.integers(1, 4))
def test_what_is_drawn_warm_is_as_much_as_was_asked_for_within_chance(share: float, holdout: float, count: int) -> None:
    revisions = tuple(Revision(f"t{n}", f"c{n}") for n in range(count))
    rule = Rule(1, When(), revisions, "salt", share, holdout)
    drawn = [decide(Beginning(f"session {n}"), (rule,)) for n in range(1_000)]
    for content, chance in [*rule.chances.items(), ("", 1 - rule.warm_share)]:
        found = sum(each is not None and each.content == content for each in drawn) / len(drawn)
        assert abs(found - chance) <= 5 * sqrt(chance * (1 - chance) / len(drawn)) + 1e-9, content


@given(RULES, st.text(max_size=40))
def test_how_likely_it_was_is_known_of_each_draw(rule: Rule, session: str) -> None:
    drawn = decide(Beginning(session), (rule,))
    assert drawn is not None
    likely = rule.warm_share / len(rule.revisions) if drawn.content else 1 - rule.warm_share
    assert drawn.probability == pytest.approx(likely)
    assert drawn.probability > 0


def test_two_rules_draw_independently() -> None:
    other = EVERYONE._replace(salt="other salt")
    half, other_half = (rule._replace(share=0.5) for rule in (EVERYONE, other))
    both = sum(place_of(f"s{n}", half) < 0.5 and place_of(f"s{n}", other_half) < 0.5 for n in range(2_000))
    assert 420 < both < 580


def test_a_larger_share_makes_no_warm_session_cold() -> None:
    small, large = (EVERYONE._replace(share=share) for share in (0.3, 0.6))
    for n in range(200):
        few, many = (decide(Beginning(f"s{n}"), (rule,)) for rule in (small, large))
        assert few is not None
        assert many is not None
        assert not few.content or many.content


def test_without_a_holdout_everyone_may_be_warm_and_with_one_nobody_can_take_it_away() -> None:
    assert EVERYONE._replace(share=1.0).warm_share == 0.95
    assert EVERYONE._replace(share=1.0, holdout=0.0).warm_share == 1.0


def test_what_a_session_comes_from_decides_for_it() -> None:
    parent = Decision("first", "first", 1, "careful", "c1", {"c1": 0.5})
    part = inherited("third", inherited("second", parent))
    assert (part.session_id, part.root, part.content, part.probability) == ("third", "first", "c1", 0.5)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (EVERYONE._replace(share=1.5), "The share is a part of the sessions"),
        (EVERYONE._replace(holdout=-0.1), "The holdout is a part"),
        (EVERYONE._replace(share=float("nan")), "not nan"),
        (EVERYONE._replace(revisions=()), "needs a template"),
        (EVERYONE._replace(revisions=(CAREFUL, Revision("copy", "c1"))), "the same conversation"),
        (EVERYONE._replace(revisions=tuple(Revision("t", str(n)) for n in range(MOST_TEMPLATES + 1))), "at most"),
    ],
)
def test_a_rule_that_could_not_be_drawn_by_is_refused(rule: Rule, why: str) -> None:
    with pytest.raises(Trouble, match=why):
        check_rule(rule)


def test_a_rule_that_can_be_drawn_by_is_taken() -> None:
    check_rule(EVERYONE._replace(revisions=(CAREFUL, QUICK)))
