"""One run of an experiment: what it is given, what can become of it, and what is kept."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from threading import Event

import pytest

from tests.unit.experimenting import SECRET, begun, run, runs, states, tasks, told
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.agent.frozen import untied_config, untied_env
from warm_tui.agent.hermes_config import settings_of
from warm_tui.agent.processes import MARK, Ended, Supervised, end_all
from warm_tui.errors import Trouble
from warm_tui.experiments.crashes import MOST_ATTEMPTS
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.results import result_of
from warm_tui.experiments.run import Commands
from warm_tui.experiments.runner import run_experiment
from warm_tui.experiments.starting import checked
from warm_tui.experiments.workspace import Workspace
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import change_run
from warm_tui.paths import Home
from warm_tui.reports.comparison_words import sentence
from warm_tui.secrets.credentials import MASKED, Mask, credentials_of

# --- hermetic ---


def test_each_run_has_a_fresh_home_and_folder_and_only_warm_ones_the_template(home: Home, tmp_path: Path) -> None:
    start = tmp_path / "start"
    start.mkdir()
    (start / "a.txt").write_text("a")
    plan = Plan("p", "careful", tasks(2, folder=str(start), files={"b/c.txt": "c"}), parallel=2)
    ended, found = run(home, plan)
    assert (ended.state, states(found)) == ("done", {"ended": 4})
    given = told(home)
    assert Counter(one["warm"] for one in given) == {True: 2, False: 2}
    for one in given:
        assert one["folder"] == ["a.txt", "b"], "not what another run made"
        assert set(one["home"]) == {".env", "config.yaml", "memories/MEMORY.md"}, "no sessions, nothing of ours"
        assert "elsewhere" not in one["config"]
        assert ("prefill.json" in one["config"]) is one["warm"]
        assert one["words"][:1] == ["chat"]
        assert {"-Q", "--source", "warm-tui"} <= set(one["words"])
    (conversation,) = {one["prefill"] for one in given if one["warm"]}
    assert "Look around." in conversation
    assert not (start / "made.txt").exists()
    assert not Workspace(home, ended.id).folder.exists(), "nothing of the credentials stays"


def test_no_credential_is_in_what_is_kept(home: Home) -> None:
    _, found = run(home, Plan("p", "careful", (Task("a", "crash"), Task("b", "fine"))))
    kept = [path for path in home.ours.rglob("*") if path.is_file()]
    assert home.archive in kept
    assert [path.name for path in kept if SECRET.encode() in path.read_bytes()] == []
    assert {run.reason for run in found if run.task == "a"} == {
        "Hermes ended with 1: HTTP 400: the key [masked: a credential] is odd"
    }


def test_what_counts_as_a_credential(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TOKEN=abcdefgh12345678\nDEBUG=true\n")
    (tmp_path / "config.yaml").write_text("model:\n  api_key: zyxwvuts98765432\n  base_url: http://localhost/v1\n")
    (tmp_path / "auth.json").write_text(json.dumps({"p": {"refresh_token": "rrrrrrrr55555555", "name": "me"}}))
    found = credentials_of(tmp_path, settings_of(tmp_path), {"GITHUB_TOKEN": "gggggggg77777777", "PATH": "/usr/bin"})
    assert set(found) == {"abcdefgh12345678", "zyxwvuts98765432", "rrrrrrrr55555555", "gggggggg77777777"}


def test_a_run_opens_like_any_other_session(home: Home) -> None:
    _, found = run(home, Plan("p", "careful", tasks(1)))
    with Catalog(home.archived) as catalog:
        for one in found:
            profile = catalog.profile(one.session_id)
            assert (profile.source, profile.tool_call_count, profile.failed_calls) == (
                "warm-tui",
                one.calls,
                one.failures,
            )
    assert {run.arm: (run.calls, run.failures) for run in found} == {"warm": (8, 1), "cold": (8, 5)}


# --- outcomes ---


def test_what_can_become_of_a_run(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    run_command = Commands.run

    def one_check_cut_short(
        self: Commands, command: str | list[str], environment: dict[str, str], minutes: float
    ) -> Ended:
        """As its task's minutes were over: as few of them would be over for an agent on a busy machine as well."""
        assert minutes == 3.0 or command != "sleep 60", "those of its task"
        return run_command(self, command, environment, 0.005 if command == "sleep 60" else minutes)

    monkeypatch.setattr(Commands, "run", one_check_cut_short)
    plan = Plan(
        "p", "careful",
        (
            Task("fine", "fine", check="test -f made.txt"), Task("undone", "fine", check="exit 7"),
            Task("broken", "fine", check="no-such-command"), Task("crash", "crash", check="true"),
            Task("hang", "hang", check="true", minutes=0.01),
            Task("setup", "fine", setup="exit 4"), Task("slow-check", "fine", check="sleep 60", minutes=3.0),
        ),
        parallel=4,
    )  # fmt: skip
    _, found = run(home, plan)
    by_task = {(run.task): run for run in found}
    assert {name: (run.state, run.success) for name, run in by_task.items()} == {
        "fine": ("ended", True), "undone": ("ended", False), "broken": ("ended", None), "crash": ("crashed", None),
        "hang": ("timed out", False), "setup": ("not started", None),
        "slow-check": ("ended", None),
    }  # fmt: skip
    assert by_task["undone"].reason == "The check ended with 7."
    assert by_task["setup"].reason == "The setup command ended with 4."
    told = result_of(home, 1)
    assert "Crashed: 1 warm and 1 cold run." in told.notes
    assert "Not started: 1 warm and 1 cold run." in told.notes
    assert "Set aside: 2 pairs with a run that came to nothing." in told.notes
    done = told.comparison.rows[-1]
    assert (done.name, done.difference.units) == ("task_success", (3, 3)), "neither what crashed nor what never began"
    assert len(told.comparison.warm) == 4, "rates are of pairs with calls on both sides"


def test_nothing_that_a_run_began_goes_on(tmp_path: Path) -> None:
    token = str(tmp_path)
    with Supervised() as supervised:
        ended = supervised.run(
            "setsid sleep 300 & setsid setsid sleep 300 & sleep 300",
            folder=tmp_path, environment={**os.environ, MARK: token}, seconds=0.3, scratch=tmp_path, stop=Event(),
        )  # fmt: skip
    assert ended.exit_code is None
    assert end_all(token, tmp_path / "elsewhere") == 0, "also those that left the group"


def test_output_without_end_is_read_from_its_end(tmp_path: Path) -> None:
    with Supervised() as supervised:
        ended = supervised.run(
            "yes | head -c 3000000; echo last", folder=tmp_path, environment=dict(os.environ), seconds=300,
            scratch=tmp_path, stop=Event(),
        )  # fmt: skip
    assert ended.exit_code == 0
    assert len(ended.out) < 10_000
    assert ended.out.endswith("last\n")


def test_a_home_that_cannot_be_copied_is_told(home: Home) -> None:
    (home.root.parent / "cache").write_text("a file where a folder is wanted")
    number = begun(home, Plan("p", "careful", tasks(1)))
    with pytest.raises(Trouble, match="could not be copied"):
        run_experiment(home, number, Event())


def test_losing_more_runs_in_one_arm_claims_nothing(home: Home) -> None:
    """What is left of an arm that crashed half of the time is other work than that of the whole other arm."""
    number = begun(home, Plan("p", "careful", tasks(14), parallel=4))
    run_experiment(home, number, Event())
    with open_library(home.library) as library:
        for run in runs(home, number):
            if run.arm == "warm" and run.pair % 2:
                change_run(library, number, run.position, state="crashed", success=None, attempts=MOST_ATTEMPTS)
    told = result_of(home, number).comparison
    assert told.verdict == "not enough data"
    assert told.primary.difference.difference is not None, "the figures are there"
    assert "7 of 14 warm and 0 of 14 cold runs did not go to their end" in sentence(told)


# --- what a run is given, and what is kept of it ---


def test_what_ties_an_agent_elsewhere_is_not_copied(home: Home, tmp_path: Path) -> None:
    env = "HERMES_PREFILL_MESSAGES_FILE=/x\nexport TERMINAL_CWD=/y\nHERMES_HOME=/z\nOPENAI_API_KEY=k\n"
    assert untied_env(env) == "OPENAI_API_KEY=k\n"
    config = "model: m\nagent:\n  prefill_messages_file: /x\n  max_turns: 9\nterminal:\n  cwd: /y\n"
    untied = untied_config(config, tmp_path / "config.yaml")
    assert "prefill" not in untied
    assert "cwd" not in untied
    assert "max_turns: 9" in untied
    assert untied_config("# Mine.\nmodel: m\n", tmp_path) == "# Mine.\nmodel: m\n"
    (home.root / "active_profile").write_text("work")
    skills = home.root / "skills"
    (skills / "a").mkdir(parents=True)
    (skills / "a" / "SKILL.md").write_text("s")
    (skills / "a" / "round").symlink_to(skills)
    (skills / "linked").symlink_to(skills / "a")
    run(home, Plan("p", "careful", tasks(1)))
    kept = set(told(home)[0]["home"])
    assert {"skills/a/SKILL.md", "skills/linked/SKILL.md"} <= kept
    assert "active_profile" not in kept


def test_a_plans_file_is_not_written_through_a_link(home: Home, tmp_path: Path) -> None:
    theirs, start = tmp_path / "theirs", tmp_path / "start"
    theirs.mkdir()
    start.mkdir()
    (start / "shared").symlink_to(theirs)
    number = begun(home, Plan("p", "careful", tasks(1, folder=str(start), files={"shared/a.txt": "x"})))
    with pytest.raises(Trouble, match="would be written through a link"):
        run_experiment(home, number, Event())
    assert list(theirs.iterdir()) == []
    assert not list(Workspace(home, number).folder.rglob(".env")), "no credentials stay where it could not begin"


def test_a_task_folder_that_holds_the_runs_is_refused(home: Home, tmp_path: Path) -> None:
    number = begun(home, Plan("p", "careful", tasks(1, folder=str(tmp_path))))
    with pytest.raises(Trouble, match="holds the one that runs are made in"):
        run_experiment(home, number, Event())


def test_what_a_setup_starts_goes_on_until_the_run_ends(home: Home, tmp_path: Path) -> None:
    setup, check = "sleep 300 & echo $! > started", 'kill -0 "$(cat started)"'
    _, found = run(home, Plan("p", "careful", (Task("a", "fine", setup=setup, check=check),)))
    assert {run.success for run in found} == {True}
    assert end_all("", tmp_path) == 0, "none is left"


def test_a_process_that_hides_its_environment_is_ended(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    hidden = subprocess.Popen(["env", "-i", "sleep", "300"], cwd=folder, start_new_session=True)
    assert end_all("", folder) == 1
    assert hidden.wait(300) == -9


def test_a_read_only_folder_is_removed(tmp_path: Path) -> None:
    from warm_tui.experiments.workspace import remove

    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("c")
    (tmp_path / "a" / "b").chmod(0o500)
    remove(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_a_credential_is_masked_however_it_is_written() -> None:
    odd = 'Zx9q"77-rT5u\\ppQä'
    mask = Mask([odd, "short1"])
    once = json.dumps({"a": odd})
    for text in (odd, once, json.dumps(once), json.dumps(once, ensure_ascii=False), f"x{odd}y"):
        assert mask.finds(text)
        assert "Zx9q" not in mask(text)
        assert MASKED in mask(text)
    assert mask("nothing here") == "nothing here"
    assert Mask([])("short1") == "short1"


def test_the_plan_may_not_hold_a_credential(home: Home) -> None:
    plan = Plan("p", "careful", tasks(1, setup=f"export KEY={SECRET}"))
    with Catalog(home._replace(databases=())) as catalog, pytest.raises(Trouble, match="The plan holds a credential"):
        checked(catalog, plan)


def test_a_key_changed_since_is_masked_too(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(2)))
    stop = Event()
    run_experiment(home, number, stop, lambda run: stop.set() if run.finished else None)
    (home.root / ".env").write_text("OPENAI_API_KEY=sk-anotherSecretKey9876543210\n")
    os.environ["OPENAI_API_KEY"] = "sk-anotherSecretKey9876543210"
    try:
        run_experiment(home, number, Event())
    finally:
        del os.environ["OPENAI_API_KEY"]
    assert SECRET.encode() not in b"".join(p.read_bytes() for p in home.ours.rglob("*") if p.is_file())


def test_one_home_spelled_two_ways_is_one(home: Home, tmp_path: Path) -> None:
    alias = tmp_path / "alias"
    alias.symlink_to(home.root)
    other = Home(alias, (alias / "state.db",))
    assert Workspace(other, 1).folder == Workspace(home, 1).folder
    home.ours.mkdir(exist_ok=True)
    with Workspace(home, 1).alone(), pytest.raises(Trouble, match="being run already"), Workspace(other, 1).alone():
        pass


def test_an_archive_that_cannot_be_used_is_told_before_anything_runs(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(1)))
    home.archive.write_bytes(b"no database at all" * 100)
    with pytest.raises(Trouble, match="cannot be used"):
        run_experiment(home, number, Event())
    assert told(home) == []


def test_two_unfinished_experiments_of_one_name_are_one_too_many(home: Home) -> None:
    begun(home, Plan("p", "careful", tasks(1)))
    with pytest.raises(Trouble, match="Experiment 1 of this name is unfinished"):
        begun(home, Plan("p", "careful", tasks(1)))


def test_the_cost_is_of_all_that_a_run_recorded(home: Home) -> None:
    """A chain that compaction made, and a subagent, are parts of one run."""
    _, found = run(home, Plan("p", "careful", (Task("a", "chain"),)))
    assert {(run.calls, run.cost_usd) for run in found} == {(10, 1.5)}
