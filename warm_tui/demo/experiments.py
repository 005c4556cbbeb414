"""The sample home's experiments: one that is done, and one that was paused early on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from warm_tui.demo import steps
from warm_tui.demo.recorder import Recorder
from warm_tui.experiments.plan import Budget, Plan, Task
from warm_tui.experiments.results import conclude
from warm_tui.experiments.starting import order_of
from warm_tui.library.db import Library
from warm_tui.library.experiments import Run, add_experiment, add_work, change_experiment, change_run
from warm_tui.paths import Home
from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.hermes.archive import Archive

DAY = 86_400.0
SEED = 20_261_118
MODEL = "claude-opus-4.5"
PROMPTS = {
    "build": "The build is red since this morning; make it green.",
    "flaky-test": "test_checkout fails now and then. Find out why.",
    "slow-query": "The order list takes four seconds. Make it fast.",
    "migration": "Add a column for the currency, with a migration.",
    "docs": "Bring the installation page up to date.",
    "types": "Give the billing module types that hold.",
    "dead-code": "Remove what nobody calls any more.",
    "retry": "Let the webhook client try again when the other side is down.",
    "logging": "Log each payment once, without card numbers.",
    "upgrade": "Upgrade the HTTP client to its next major version.",
    "config": "Read the timeout from the configuration.",
    "release": "Prepare release 4.2: changelog, version, tag.",
}
# Runs that did not go as planned, by their place in the queue.
ODD: dict[int, tuple[str, str]] = {
    8: ("timed out", "It had not ended after 20 minutes."),
    17: ("crashed", "Hermes ended with 1: HTTP 400: the conversation is longer than the model takes."),
    34: ("crashed", "Hermes ended with 1: HTTP 400: the conversation is longer than the model takes."),
}
PAUSED_AFTER = 5


def add_experiments(home: Home, now: float, identity: Callable[[Random, float], str]) -> None:
    rng = Random(SEED)
    tasks = tuple(Task(name, prompt, check="pytest -q", minutes=20.0) for name, prompt in PROMPTS.items())
    done = Plan(
        "careful-work-helps", "careful-work", tasks, repeats=2, parallel=2, flags=("--yolo",), looks=(0.5,), seed=SEED
    )
    paused = Plan("triage-quickly", "log-triage", tasks[:8], parallel=2, budget=Budget(dollars=5.0), seed=SEED + 1)
    with Library(home.library) as library, Archive(home.archive) as archive:
        for number, (plan, finished, days_ago) in enumerate(((done, None, 2.4), (paused, PAUSED_AFTER, 0.2)), 1):
            runs = order_of(plan, plan.seed or 0)
            conversation = b"[]"
            add_experiment(
                library, plan.name, plan.template, msgspec.json.encode(plan), plan.seed or 0, conversation, runs
            )
            clock = now - days_ago * DAY
            change_experiment(library, number, created_at=clock)
            for run in runs[:finished]:
                clock = _run(library, archive, rng, number, run, clock, identity)
            add_work(library, number, (clock - now + days_ago * DAY))
    with Library(home.library) as library:
        change_experiment(library, 1, state="done", pairs_told=done.pairs, level=LEVEL)
        change_experiment(library, 2, state="paused", why="It was paused.")
        verdict = conclude(home, 1)
        change_experiment(library, 1, verdict=verdict)


def _run(
    library: Library,
    archive: Archive,
    rng: Random,
    number: int,
    run: Run,
    clock: float,
    identity: Callable[[Random, float], str],
) -> float:
    """One run, recorded as the agent would: how hard the task is shows in both arms."""
    hard = Random(run.task).uniform(0.12, 0.45)
    risk = hard * (0.45 if run.arm == "warm" else 1.0)
    recorder = Recorder(rng, identity(rng, clock), clock)
    recorder.user(PROMPTS[run.task])
    state, reason = ODD.get(run.position, ("ended", "")) if number == 1 else ("ended", "")
    calls = 2 if state == "crashed" else rng.randint(9, 18)
    for _ in range(calls):
        recorder.do(steps.bad_step(rng, "coding") if rng.random() < risk else steps.good_step(rng, "coding"))
    if state == "ended":
        recorder.say("Done.")
    tokens = calls * rng.randint(3_000, 6_000)
    cost = round(tokens * 3e-6, 4)
    recorder.save(
        archive, source="warm-tui", model=MODEL, title=None, ended_at=None,
        input_tokens=tokens, output_tokens=tokens // 40, estimated_cost_usd=cost, cost_status="estimated",
    )  # fmt: skip
    is_done = state == "ended" and rng.random() > hard * (0.6 if run.arm == "warm" else 1.3)
    judged = sum(label not in ("unknown", "rewound") for label in recorder.labels.values())
    failures = sum(recorder.labels[call] in ("fail", "masked") for call in recorder.labels)
    change_run(
        library, number, run.position, state=state, reason=reason, started_at=clock, ended_at=recorder.clock,
        session_id=recorder.id, success=None if state == "crashed" else is_done, cost_usd=cost, calls=calls,
        failures=failures, judged=judged, attempts=1,
    )  # fmt: skip
    return recorder.clock + 2
