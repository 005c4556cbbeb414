"""What is counted of drawn sessions: once, kept when they are gone, judged anew when somebody judged otherwise."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.conftest import NOW, Record
from tests.unit.commands import at, document, run
from tests.unit.test_trials import LATER, RULE, session, tried, write_draws
from warm_tui.agent import activation
from warm_tui.comparisons import trials
from warm_tui.comparisons.trials import trials_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import keep_rule
from warm_tui.library.verdicts import set_verdict
from warm_tui.paths import Home
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.files import TemplateFiles
from warm_tui.trials.drawing import Decision
from warm_tui.trials.figures import Figures, InArm
from warm_tui.trials.secondary import METRICS, secondary
from warm_tui.trials.verdict import Shown


def shown(home: Home) -> Shown:
    with Catalog(home) as catalog:
        return trials_of(catalog, LATER)[0].shown[0]


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions whose profiles are asked for; "all" where those of all are."""
    asked: list[str] = []
    called, every = Catalog.profile_called, Catalog.profiles
    monkeypatch.setattr(Catalog, "profile_called", lambda self, name: (asked.append(name), called(self, name))[1])
    monkeypatch.setattr(Catalog, "profiles", lambda self, *_: (asked.append("all"), every(self))[1])
    return asked


def test_a_session_is_looked_up_until_it_is_counted_and_never_again(
    record: Record, tmp_path: Path, looked_up: list[str]
) -> None:
    home = tried(record, tmp_path, warm=1, cold=3, count=6)
    before = shown(home)
    assert sorted(looked_up) == [f"s{number:03}" for number in range(6)]
    looked_up.clear()
    assert (shown(home), looked_up) == (before, [])
    record({"late": session(2)}, late={"ended_at": NOW + 900})
    write_draws(home, Decision("late", "late", 1, "", "", RULE.chances))
    assert (shown(home).cold, looked_up) == (before.cold + 1, ["late"])


def test_many_are_looked_up_together(
    record: Record, tmp_path: Path, looked_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tried(record, tmp_path, warm=1, cold=3, count=6)
    monkeypatch.setattr(trials, "FEW", 5)
    assert (shown(home).warm_rate, looked_up) == (pytest.approx(0.1), ["all"])


def test_what_was_counted_stays_when_the_agent_forgets_or_goes_on_with_it(record: Record, tmp_path: Path) -> None:
    home = tried(record, tmp_path, warm=1, cold=3, count=6)
    before = shown(home)
    with sqlite3.connect(home.databases[0]) as database:
        database.execute("DELETE FROM messages WHERE session_id IN ('s000', 's001')")
        database.execute("DELETE FROM sessions WHERE id = 's000'")
        database.execute("UPDATE sessions SET ended_at = NULL WHERE id = 's001'")
    assert shown(home) == before


def test_who_judges_a_call_otherwise_changes_what_was_counted_but_of_what_is_gone(
    record: Record, tmp_path: Path
) -> None:
    home = tried(record, tmp_path, warm=1, cold=3, count=6)
    before = shown(home)
    with Catalog(home) as catalog:
        profile = catalog.profile("s000")
        key = catalog.life("s000")[2][5][0].key
        set_verdict(catalog.library, profile.name, key, "failure", "as I see it")
    with sqlite3.connect(home.databases[0]) as database:
        database.execute("DELETE FROM sessions WHERE id = 's001'")
    after = shown(home)
    assert (after.warm, after.cold) == (before.warm, before.cold)
    means = [((each.warm_rate or 0) * each.warm, (each.cold_rate or 0) * each.cold) for each in (before, after)]
    assert sum(means[1]) == pytest.approx(sum(means[0]) + 0.1)


# --- what else is measured ---


def in_arms(count: int, warm: Figures, cold: Figures) -> list[InArm]:
    return [InArm(number % 2 == 0, 0.5, warm if number % 2 == 0 else cold) for number in range(count)]


def test_each_figure_has_an_interval_and_none_a_verdict() -> None:
    """The error rate alone is claimed: of several claims one would be wrong too often."""
    warm = Figures(1, 20, 1, 20, 1, 1, 10_000, 0.1)
    cold = Figures(8, 20, 8, 20, 4, 0, 40_000, 0.4)
    found = {each.name: each for each in secondary(in_arms(400, warm, cold))}
    assert list(found) == [metric.name for metric in METRICS]
    assert not any("verdict" in field for each in found.values() for field in each.__struct_fields__)
    truth = {
        "first_30_error_rate": 0.05 - 0.4, "calls_to_first_success": 1 - 4, "sessions_done": 1.0,
        "tokens": 0.25, "cost_usd": 0.25,
    }  # fmt: skip
    for name, value in truth.items():
        assert found[name].low <= value <= found[name].high, name
    assert (found["tokens"].warm_mean, found["tokens"].high < 1) == (pytest.approx(10_000), True)
    assert found["tokens"].told.startswith("warm 10,000 (200), cold 40,000 (200); 0.")
    assert found["first_30_error_rate"].told.startswith("warm 5.0% (200), cold 40.0% (200); difference -")


def test_what_an_arm_lacks_is_left_out() -> None:
    nothing, done = Figures(1, 10, 1, 10), Figures(1, 10, 1, 10, done=1, cost_usd=0.0)
    assert [each.name for each in secondary(in_arms(20, done, nothing))] == [
        "first_30_error_rate", "calls_to_first_success",
    ]  # fmt: skip
    assert secondary([InArm(True, 1.0, done)] * 9) == [], "without a control group"


def test_the_commands_tell_of_them_as_of_what_is_besides(record: Record, tmp_path: Path) -> None:
    home = tried(record, tmp_path, warm=1, cold=4)
    (trial,) = document(*at(home), "trials", "status")["trials"]
    assert (trial["primary"], trial["arms"]) == ("error_rate", "randomised")
    names = [each["name"] for each in trial["shown"][0]["secondary"]]
    assert names[:2] == ["first_30_error_rate", "calls_to_first_success"]
    assert "besides, nothing is claimed of it: first 30 calls: warm 10.0%" in run(*at(home), "trials", "status").stdout


# --- a library that cannot be read ---


def test_whoever_cannot_read_the_rules_says_so(demo: Home) -> None:
    with Library(demo.library) as library:
        keep_rule(library, RULE, {"c1": [{"role": "user", "content": "Hello."}]})
    for path in demo.ours.glob("library.db-*"):
        path.unlink()
    demo.library.write_bytes(b"no library at all" * 400)
    told = document(*at(demo), "doctor")
    assert told["warmed_by"] == "not by the prefill file; whether by rules cannot be read"
    assert any("Whether rules draw sessions is not known" in sentence for sentence in told["advice"])
    demo.library.unlink()
    demo.library.mkdir()
    notes = activation.activate(demo, "mine", build_conversation(TemplateFiles(demo).load("notes").template)).notes
    assert any("Whether rules draw sessions is not known: The library" in note for note in notes)


def test_a_library_of_before_is_read_as_far_as_it_goes(demo: Home) -> None:
    with Library(demo.library) as library:
        keep_rule(library, RULE, {"c1": [{"role": "user", "content": "Hello."}]})
        library.connection.execute("ALTER TABLE trials DROP COLUMN since")
        library.connection.execute("PRAGMA user_version = 14")
    assert document(*at(demo), "doctor")["warmed_by"] == "1 rule of trials"
