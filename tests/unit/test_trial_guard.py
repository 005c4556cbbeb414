"""The guard: harm is acted on by whoever notices first, and told to the operator once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import Record
from tests.unit.commands import at, document, run
from tests.unit.test_trials import LATER, RULE, tried
from tests.unit.test_warming import Agent, add
from warm_tui.agent import hermes_cli, plugin
from warm_tui.agent.trials import kept_rules
from warm_tui.comparisons.guarding import look
from warm_tui.comparisons.trials import HARM, guard, proposed, trials_of
from warm_tui.config import Config
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import NO_TARGET, SENT, notices_of
from warm_tui.paths import Home
from warm_tui.trials.rules import Revision


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a Hermes that only notes it was told to send."""
    folder = tmp_path / "bin"
    folder.mkdir()
    hermes = folder / "hermes"
    hermes.write_text(
        f'#!/bin/sh\n[ "$2" = --to=nowhere ] && echo no such chat >&2 && exit 1\necho "$HERMES_HOME $@" >> {tmp_path}/sent\n'
    )
    hermes.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "sent"


def test_of_several_that_notice_harm_at_once_one_tells_the_operator(record: Record, tmp_path: Path, sent: Path) -> None:
    home = tried(record, tmp_path, warm=4, cold=1)
    with ThreadPoolExecutor(4) as several:
        found = list(several.map(lambda _: look(home, "telegram:ops"), range(4)))
    (line,) = sent.read_text().splitlines()
    assert line.startswith(
        f"{home.root} send --to=telegram:ops Warm TUI switched off rule 1 of its trials (all sessions)."
    )
    assert "in a hundred calls more fail" in line
    assert {notice.rule for notices in found for notice in notices} == {1}
    (notice,) = look(home, "telegram:ops")
    assert (notice.outcome, len(sent.read_text().splitlines())) == (SENT, 1)
    (rule,) = kept_rules(home)
    assert (rule.running, rule.why) == (False, f"{HARM} of careful")


@pytest.mark.parametrize(
    ("target", "outcome"), [("", NO_TARGET), ("nowhere", "not sent: no such chat"), ("telegram", SENT)]
)
def test_what_came_of_telling_is_recorded(
    record: Record, tmp_path: Path, sent: Path, target: str, outcome: str
) -> None:
    home = tried(record, tmp_path, warm=4, cold=1)
    told = document(*at(home), "trials", "notify", *([target] if target else ["--off"]))
    assert told["target"] == (target or None)
    (notice,) = document(*at(home), "trials", "status")["notices"]
    assert (notice["rule"], notice["outcome"]) == (1, outcome)
    assert "Rule 1 was switched off; to the operator: " in run(*at(home), "trials", "status").stdout
    assert sent.exists() is (outcome == SENT)


def test_harm_that_a_screen_noticed_is_told_by_who_passes_by_next(record: Record, tmp_path: Path, sent: Path) -> None:
    home = tried(record, tmp_path, warm=4, cold=1)
    with Catalog(home) as catalog:
        guard(catalog, trials_of(catalog, LATER))
    assert not sent.exists()
    look(home, "telegram")
    assert len(sent.read_text().splitlines()) == 1


def test_without_hermes_it_is_said_that_nothing_was_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert "Hermes was not found" in hermes_cli.send(tmp_path, "telegram", "text")


def test_a_rule_that_somebody_lets_run_all_the_same_is_judged_by_what_it_draws_from_then_on(
    record: Record, tmp_path: Path
) -> None:
    """Else the next look would switch it off again, and tell the operator again."""
    home = tried(record, tmp_path, warm=4, cold=1)
    assert not document(*at(home), "trials", "status")["trials"][0]["rule"]["running"]
    assert "harm was shown" in document(*at(home), "trials", "pause", "1")["rule"]["why"], "it was off already"
    document(*at(home), "trials", "resume", "1")
    assert "judged by what it drew since it was let run again" in run(*at(home), "trials", "status").stdout
    (trial,) = document(*at(home), "trials", "status")["trials"]
    assert (trial["rule"]["running"], trial["drawn"], trial["shown"][0]["verdict"]) == (True, 0, "nothing shown yet")
    document(*at(home), "trials", "pause", "1")
    before = kept_rules(home)[0].since
    document(*at(home), "trials", "resume", "1")
    assert kept_rules(home)[0].since == before > 0, "after a pause of the operator's own it goes on as it was"


def test_help_is_followed_by_a_proposal_that_keeps_a_holdout(record: Record, tmp_path: Path) -> None:
    home = tried(record, tmp_path, warm=1, cold=4)
    (trial,) = document(*at(home), "trials", "status")["trials"]
    assert (trial["proposed"]["share"], trial["proposed"]["holdout"]) == (0.95, 0.05)
    assert "95% begin warm with careful, the others cold" in run(*at(home), "trials", "status").stdout
    assert document(*at(home), "trials", "accept", "1")["rule"]["warm_share"] == 0.95
    assert document(*at(home), "trials", "status")["trials"][0]["proposed"] is None
    again = run(*at(home), "trials", "accept", "1", "--json", check=False)
    assert "Nothing is proposed for rule 1" in json.loads(again.stdout)["error"]


def test_of_several_templates_those_that_help_are_proposed(record: Record, tmp_path: Path) -> None:
    two = RULE._replace(revisions=(Revision("careful", "c1"), Revision("quick", "q1")), share=0.6)
    home = tried(record, tmp_path, warm=1, cold=4, rule=two)
    with Catalog(home) as catalog:
        (trial,) = trials_of(catalog, LATER)
        only = trial.shown[0], trial.shown[1].__class__("quick", "nothing shown yet", 1, 1, 0.0, 0.0)
        larger = proposed(trial.__class__(trial.rule, 1, 0, 0, list(only)))
    assert larger is not None
    assert ([each.template for each in larger.revisions], larger.warm_share) == (["careful"], 0.95)


# --- who notices ---


def test_the_agent_has_it_looked_at_when_a_drawn_session_rests_and_waits_for_nothing(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one of several agents, and not again for a while; where nothing was drawn, never."""
    begun: list[list[str]] = []

    class Begun:
        def __init__(self, command: list[str], **given: object) -> None:
            assert given["start_new_session"] is True
            begun.append(command)

        def poll(self) -> int:
            return 0

    monkeypatch.setattr(plugin.subprocess, "Popen", Begun)
    monkeypatch.setenv("HERMES_HOME", str(demo.root))
    agents = [Agent(), Agent()]
    for agent in agents:
        agent.ask("of no rule")
        agent.hook("on_session_end")(session_id="of no rule", completed=True, interrupted=False)
    assert begun == []
    add(demo)
    for name, agent in zip("ab", agents, strict=True):
        agent.ask(name)
        agent.hook("on_session_end")(session_id=name, completed=True, interrupted=False)
    assert [command[3:] for command in begun] == [["warm_tui", "--home", str(demo.root), "trials", "status", "--json"]]
    with Library(demo.library) as library, library.writing() as connection:
        connection.execute("UPDATE looks SET at = at - 60")
    agents[1].hook("on_session_end")(session_id="b", completed=True, interrupted=False)
    assert len(begun) == 2


def test_the_process_that_the_agent_begins_switches_the_rule_off(record: Record, tmp_path: Path, sent: Path) -> None:
    home = tried(record, tmp_path, warm=4, cold=1)
    Config(home.ours / "config.toml").remember(trials_notify="telegram")
    command = [*plugin.OUR_COMMAND, "--home", str(home.root), "trials", "status", "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", env=plugin.own_environment())
    with Library(home.library) as library:
        assert [notice.outcome for notice in notices_of(library)] == [SENT]
    assert (kept_rules(home)[0].running, sent.exists()) == (False, True)
