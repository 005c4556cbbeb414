"""The plan of an experiment: read, refused in words, written, and what it costs to look early."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.errors import Trouble
from warm_tui.experiments.forecast import Forecast, _at_most, smallest_effect
from warm_tui.experiments.looks import looks_of, spent
from warm_tui.experiments.plan import Budget, Plan, Task, as_yaml, parse_plan, read_plan, tasks_of
from warm_tui.presentation.lines import text_of
from warm_tui.reliability.profile import Profile
from warm_tui.reports.forecast import forecast_lines

PLAN = """
name: does-it-help
template: careful
repeats: 2
parallel: 2
model: opus
flags: [--yolo]
budget: {runs: 30, dollars: 2.5}
looks: [0.5]
tasks:
  - id: build
    prompt: Mend the build.
    files: {src/a.txt: hello}
    setup: make ready
    check: make test
    minutes: 5
  - id: docs
    prompt: |
      Write the docs.
      All of them.
"""


def test_a_plan_is_read_and_written(tmp_path: Path) -> None:
    plan = parse_plan(PLAN, tmp_path)
    assert (plan.name, plan.repeats, plan.pairs, plan.runs) == ("does-it-help", 2, 4, 8)
    assert plan.budget == Budget(runs=30, dollars=2.5)
    assert plan.tasks[0] == Task("build", "Mend the build.", "", {"src/a.txt": "hello"}, "make ready", "make test", 5.0)
    assert parse_plan(as_yaml(plan), tmp_path) == plan


def test_toml_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'name = "a"\ntemplate = "t"\n[[tasks]]\nid = "one"\nprompt = "Do it."\nfolder = "start"\n', encoding="utf-8"
    )
    (tmp_path / "start").mkdir()
    plan = read_plan(path)
    assert plan.tasks[0].folder == str(tmp_path / "start"), "folders are looked for beside the plan"


def wrong(tmp_path: Path, text: str) -> str:
    with pytest.raises(Trouble) as caught:
        parse_plan(text, tmp_path)
    return str(caught.value)


def changed(**settings: object) -> str:
    import json

    task = {"id": "one", "prompt": "Do it."}
    return json.dumps({"name": "a", "template": "t", "tasks": [task], **settings})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "A plan is a mapping of settings: name, template, tasks and so on."),
        ("name: [", "The plan is not YAML at line 1:"),
        ("name: hunter2\nname: other\n", 'The plan is not YAML at line 2: found duplicate key "name".'),
        (changed(repeats="two"), "repeats: Expected 'int', got 'str'."),
        (changed(colour="red"), "The plan: there is no setting 'colour'."),
        (changed(tasks=[{"id": "a", "promt": "x"}]), "tasks 1: "),
        (changed(tasks=[]), "The plan needs at least one task."),
        (changed(template=" "), "The plan needs a template."),
        (changed(name="../up"), "cannot be a template's name"),
        (changed(repeats=0), "Repeats must be between 1 and 100."),
        (changed(parallel=99), "Parallel must be between 1 and 16."),
        (changed(tasks=[{"id": "a", "prompt": "x"}] * 2), "Two tasks have the id 'a'."),
        (changed(tasks=[{"id": "a/b", "prompt": "x"}]), "cannot be a task's id"),
        (changed(tasks=[{"id": "a", "prompt": " "}]), "Task a: it needs a prompt."),
        (changed(tasks=[{"id": "a", "prompt": "x", "folder": "none"}]), "Task a: there is no folder"),
        (changed(tasks=[{"id": "a", "prompt": "x", "files": {"../b": ""}}]), "does not lie in the task's folder"),
        (changed(tasks=[{"id": "a", "prompt": "x", "files": {"/b": ""}}]), "does not lie in the task's folder"),
        (changed(tasks=[{"id": "a", "prompt": "x", "minutes": -1}]), "minutes must be between"),
        (changed(budget={"dollars": 0}), "The budget's dollars must be more than nothing."),
        (changed(looks=[0.5, 0.2]), "The looks are shares of the whole"),
        (changed(looks=[0.2, 0.4, 0.6]), "At most 2 looks before the end"),
        (changed(flags=["--source=cli"]), "The flag --source=cli is set by the experiment itself."),
        (changed(repeats=100, tasks=[{"id": f"t{n}", "prompt": "x"} for n in range(51)]), "10,000 are the most"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    sentence = wrong(tmp_path, text)
    assert told in sentence
    assert "\n" not in sentence


def test_a_task_a_paragraph() -> None:
    tasks = tasks_of("Mend it.\nAll of it.\n\n\n  Then the docs. ", Task("x", "y", check="make"))
    assert [(task.id, task.prompt, task.check) for task in tasks] == [
        ("task-1", "Mend it.\nAll of it.", "make"), ("task-2", "Then the docs.", "make"),
    ]  # fmt: skip


# --- looks ---


def test_what_is_spent_early_agrees_with_the_tables() -> None:
    """O'Brien and Fleming's spending function of Lan and DeMets, two-sided 5 %, at five looks."""
    assert [round(spent(share), 4) for share in (0.2, 0.4, 0.6, 0.8)] == [0.0, 0.0008, 0.0076, 0.0244]
    assert spent(1.0) == pytest.approx(0.05)


@given(st.lists(st.floats(0.01, 0.99), max_size=2, unique=True).map(sorted), st.integers(1, 300))
def test_the_looks_share_the_five_percent(shares: list[float], pairs: int) -> None:
    looks = looks_of(shares, pairs)
    assert looks[-1].pairs == pairs
    assert [look.pairs for look in looks] == sorted({look.pairs for look in looks})
    assert sum(look.level for look in looks) == pytest.approx(0.05)
    assert all(look.level >= 0 for look in looks)


def test_without_looks_the_end_has_it_all() -> None:
    assert looks_of((), 12) == [(12, 0.05)]


# --- how small an effect ---


def test_more_tasks_and_repeats_find_smaller_effects() -> None:
    profiles = [
        Profile(session_id=str(at), tool_call_count=20, error_rate=rate)
        for at, rate in enumerate((0.0, 0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3))
    ]

    def least(tasks: int, repeats: int) -> float:
        plan = Plan("a", "t", tuple(Task(str(at), "x") for at in range(tasks)), repeats)
        return smallest_effect(plan, profiles)[0] or 0.0

    assert least(6, 1) > least(12, 1) > least(24, 1) > 0
    assert least(12, 2) < least(12, 1)
    assert smallest_effect(Plan("a", "t", (Task("a", "x"),)), profiles)[0] is None, "one task shows nothing"
    assert smallest_effect(Plan("a", "t", tuple(Task(str(at), "x") for at in range(8))), [])[0] is None


# --- how it is reckoned ---

AS_MUCH = "10.0 min for the agent, as much for its check"


@pytest.mark.parametrize(
    ("plan", "runs", "told"),
    [
        (Plan("a", "t", (Task("a", "x"),)), 2, "At most 20.0 min: 2 runs × 10.0 min."),
        (
            Plan("a", "t", (Task("a", "x", check="make"), Task("b", "x", check="make")), parallel=2), 4,
            f"At most 50.0 min: 4 runs × 20.0 min ({AS_MUCH}) ÷ 2 at once, + 10.0 min as the longest may begin last.",
        ),
        (
            Plan("a", "t", (Task("a", "x", minutes=5), Task("b", "x")), parallel=4, budget=Budget(minutes=3)), 4,
            "At most 13.0 min: the budget lets none begin after 3.0 min, and a run may take 10.0 min.",
        ),
        (
            Plan("a", "t", (Task("a", "x", minutes=5), Task("b", "x"))), 4,
            "At most 30.0 min: 4 runs × 5.0 min to 10.0 min.",
        ),
    ],
)  # fmt: skip
def test_the_longest_time_is_told_as_it_is_reckoned(plan: Plan, runs: int, told: str) -> None:
    at_once = min(plan.parallel, runs)
    most = _at_most(plan, runs, at_once)
    found = Forecast(runs, plan.pairs, 84.0 * runs / at_once, 84.0, most, 0.5 * runs, 0.5, None, "51 runs of earlier"
                     " experiments", looks_of((), plan.pairs), [])  # fmt: skip
    lines = [text_of(line) for line in forecast_lines(plan, found)]
    assert told in lines
    time, cost = (next(line for line in lines if line.startswith(word)) for word in ("Time", "Cost"))
    shared = f" ÷ {at_once} at once" if at_once > 1 else ""
    assert time.endswith(f"the middle one of 51 runs of earlier experiments took 1.4 min, × {runs} runs{shared}.")
    assert cost == f"Cost: about ${runs / 2:.2f}: those runs cost $0.50 each, on average, × {runs} runs."
