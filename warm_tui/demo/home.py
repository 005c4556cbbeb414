"""Build the sample home: some weeks of work by several agents, good days and bad ones."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from warm_tui.demo import steps
from warm_tui.demo.experiments import add_experiments
from warm_tui.demo.recorder import Recorder
from warm_tui.demo.steps import Label
from warm_tui.demo.templates import add_templates
from warm_tui.demo.week import add_tickets
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.writing import write_whole

DAY = 86_400.0
LABELS_FILE = "demo-labels.json"
SEED = 20_261_118


class Plan(NamedTuple):
    """One ordinary session: when, where, at what, how long, and how often it failed early and late."""

    days_ago: float
    source: str
    model: str
    title: str | None
    theme: str
    calls: int
    early: float
    late: float
    end_reason: str | None = None


OPUS, GPT, LLAMA, GEMINI = "claude-opus-4.5", "gpt-5.2", "llama-4-70b", "gemini-3-pro"

PLANS = (
    Plan(29.4, "cli", OPUS, "Set up the billing service", "coding", 34, 0.30, 0.05),
    Plan(28.9, "telegram", GPT, "Why is checkout slow?", "ops", 22, 0.15, 0.10),
    Plan(28.2, "cli", OPUS, "Move orders to the new schema", "coding", 61, 0.20, 0.08, "completed"),
    Plan(27.5, "discord", LLAMA, "Summarise the incident channel", "research", 18, 0.25, 0.30),
    Plan(26.8, "cli", GEMINI, "Revenue by region", "analysis", 27, 0.20, 0.00),
    Plan(26.1, "slack", GPT, "Rotate the staging keys", "ops", 15, 0.00, 0.05),
    Plan(25.3, "cli", OPUS, "Retry failed webhooks", "coding", 44, 0.12, 0.04, "idle_timeout"),
    Plan(24.7, "api", GPT, None, "mixed", 9, 0.10, 0.10),
    Plan(24.0, "telegram", LLAMA, "Find a library for PDF forms", "research", 31, 0.35, 0.20),
    Plan(23.2, "cli", OPUS, "Upgrade the web framework", "coding", 88, 0.28, 0.06, "completed"),
    Plan(22.6, "cli", GEMINI, "Outliers in sensor data", "analysis", 36, 0.30, 0.12),
    Plan(21.9, "discord", GPT, "Deploy preview environments", "ops", 40, 0.18, 0.09),
    Plan(21.0, "cli", LLAMA, "Bad day: nothing builds", "ops", 33, 0.70, 0.65, "ws_orphan_reap"),
    Plan(20.9, "cli", LLAMA, "Bad day: still nothing builds", "coding", 28, 0.62, 0.70),
    Plan(20.8, "telegram", LLAMA, "Bad day: is the network down?", "ops", 16, 0.75, 0.60),
    Plan(19.7, "cli", OPUS, "Fix the build", "ops", 38, 0.40, 0.03, "completed"),
    Plan(18.8, "slack", GPT, "Weekly numbers", "analysis", 20, 0.05, 0.05),
    Plan(17.9, "cli", OPUS, "Marathon: split the monolith", "coding", 420, 0.16, 0.06, "completed"),
    Plan(16.6, "cli", GEMINI, "Forecast next quarter", "analysis", 48, 0.22, 0.10),
    Plan(15.8, "telegram", GPT, "Book the meeting room", "research", 7, 0.00, 0.00),
    Plan(14.9, "cli", OPUS, "Type the public interface", "coding", 57, 0.10, 0.02),
    Plan(14.1, "discord", LLAMA, "Compare message brokers", "research", 42, 0.26, 0.24),
    Plan(13.2, "api", GPT, None, "mixed", 12, 0.08, 0.08),
    Plan(12.4, "cli", GEMINI, "Clean the customer table", "analysis", 39, 0.15, 0.20),
    Plan(11.6, "cli", OPUS, "Marathon: migrate the warehouse", "mixed", 260, 0.20, 0.10, "idle_timeout"),
    Plan(10.5, "slack", GPT, "Who is on call?", "research", 4, 0.00, 0.00),
    Plan(9.7, "cli", LLAMA, "Write the runbook", "coding", 25, 0.20, 0.28),
    Plan(8.8, "telegram", GPT, "Restart the worker", "ops", 11, 0.10, 0.00, "completed"),
    Plan(7.9, "cli", OPUS, "Cache the price list", "coding", 46, 0.14, 0.05),
    Plan(6.8, "discord", GEMINI, "Chart the latency", "analysis", 29, 0.18, 0.08),
    Plan(5.9, "cli", OPUS, "Cut the image size", "ops", 52, 0.20, 0.07, "completed"),
    Plan(4.8, "cli", GPT, "Audit the dependencies", "ops", 35, 0.12, 0.10),
    Plan(3.7, "telegram", LLAMA, "Translate the release notes", "research", 19, 0.30, 0.25),
    Plan(2.6, "cli", OPUS, "Add the audit log", "coding", 49, 0.11, 0.03),
    Plan(1.4, "slack", GPT, "Explain the invoice run", "research", 13, 0.05, 0.10),
    Plan(0.3, "cli", OPUS, "Paginate the order list", "coding", 23, 0.15, 0.05),
)


def build_demo(folder: str | Path, *, now: float | None = None) -> Home:
    """Make the home in this folder. The same every time, but for the clock it ends at."""
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    rng = Random(SEED)
    now = time.time() if now is None else now
    labels: dict[str, Label] = {}
    database = root / "state.db"
    with Archive(database) as archive:
        for number, plan in enumerate(PLANS):
            _ordinary(archive, rng, labels, plan, number, now)
        for special in (_in_place, _chain, _branch_and_delegate, _cron, _hostile, _troubled):
            special(archive, rng, labels, now)
        _long_lives(archive, Random(SEED + 1), labels, now)
        add_tickets(archive, Random(SEED + 2), labels, now, session_name)
    write_whole(root / LABELS_FILE, json.dumps(labels, indent=0))
    write_whole(root / "config.yaml", f"# A sample home.\nmodel:\n  default: {OPUS}\n  provider: anthropic\n")
    home = Home(root, (database,))
    add_templates(home, now)
    add_experiments(home, now, session_name)
    return home


def _ordinary(archive: Archive, rng: Random, labels: dict[str, Label], plan: Plan, number: int, now: float) -> None:
    recorder = _recorder(rng, now - plan.days_ago * DAY)
    recorder.user(f"{plan.title or 'Answer the request'}, please.")
    _work(recorder, plan.theme, plan.calls, plan.early, plan.late)
    recorder.say("Done.")
    labels.update(recorder.labels)
    recorder.save(
        archive,
        source=plan.source,
        model=plan.model,
        title=plan.title,
        end_reason=plan.end_reason,
        ended_at=recorder.clock if plan.end_reason else None,
        **usage(rng, plan.calls, counted=number % 9 != 4),
    )


def _work(recorder: Recorder, theme: str, calls: int, early: float, late: float) -> None:
    """So many calls, failing less and less, or more; now and then two or three at once."""
    rng = recorder.rng
    made = 0
    while made < calls:
        if made and made % 24 == 0:
            recorder.user(rng.choice(("Go on.", "Good. Now the next part.", "Check that again, please.")))
        turn = []
        for _ in range(min(rng.choice((1, 1, 1, 1, 2, 3)), calls - made)):
            risk = early + (late - early) * made / max(1, calls - 1)
            roll = rng.random()
            turn.append(
                steps.bad_step(rng, theme)
                if roll < risk
                else steps.benign_step(rng)
                if roll > 0.95
                else steps.good_step(rng, theme)
            )
            made += 1
        recorder.do(*turn, saying=rng.choice(("", "", "Let me look.", "Next I check the result.")))


def _in_place(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    recorder = _recorder(rng, now - 13.6 * DAY)
    recorder.user("Crunch all batches and keep notes.")
    for calls, risk in ((34, 0.08), (21, 0.20), (26, 0.12), (17, 0.25)):
        if recorder.made:
            recorder.compact_in_place()
        _work(recorder, "mixed", calls, risk, risk)
    labels.update(recorder.labels)
    recorder.save(archive, source="cli", model=OPUS, title="Crunch all batches", **usage(rng, 98))


def _chain(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    recorder = _recorder(rng, now - 9.1 * DAY)
    recorder.user("Port the test suite to the new runner.")
    parent = None
    for number, (calls, risk) in enumerate(((40, 0.10), (28, 0.18), (22, 0.30)), 1):
        last = number == 3
        _work(recorder, "coding", calls, risk, risk)
        labels.update(recorder.labels)
        recorder.save(
            archive,
            source="cli",
            model=OPUS,
            title="Port the test suite" if number == 1 else f"Port the test suite #{number}",
            parent_session_id=parent,
            end_reason=None if last else "compression",
            **usage(rng, calls),
        )
        parent = recorder.id
        if not last:
            recorder = recorder.continue_in(session_name(rng, recorder.clock))


class LongPlan(NamedTuple):
    """A session compacted in place: calls and risk of each segment, and how much of the context is kept."""

    days_ago: float
    model: str
    title: str
    segments: tuple[tuple[int, float], ...]
    carried_over: int


LONG_PLANS = (
    LongPlan(27.1, GPT, "Sort the support tickets", ((30, 0.06), (28, 0.24)), 4),
    LongPlan(22.2, OPUS, "Rename the modules", ((26, 0.10), (24, 0.06), (25, 0.10)), 30),
    LongPlan(18.3, LLAMA, "Rewrite the import jobs", ((40, 0.10), (90, 0.34), (80, 0.36)), 3),
    LongPlan(14.4, GPT, "Load-test the gateway", ((22, 0.14), (26, 0.16)), 16),
    LongPlan(10.1, GEMINI, "Reconcile the ledgers", ((44, 0.16), (36, 0.12), (38, 0.18)), 10),
    LongPlan(6.4, LLAMA, "Label the photo archive", ((24, 0.08), (20, 0.30)), 4),
)


def _long_lives(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    for plan in LONG_PLANS:
        recorder = _recorder(rng, now - plan.days_ago * DAY)
        recorder.user(f"{plan.title}, please.")
        for calls, risk in plan.segments:
            if recorder.made:
                recorder.compact_in_place(plan.carried_over)
            _work(recorder, "mixed", calls, risk, risk)
        labels.update(recorder.labels)
        recorder.save(archive, source="cli", model=plan.model, title=plan.title, **usage(rng, recorder.made))


def _branch_and_delegate(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    root = _recorder(rng, now - 5.2 * DAY)
    root.user("Try two ways to speed up the import.")
    _work(root, "coding", 18, 0.15, 0.10)
    labels.update(root.labels)
    root.save(archive, source="cli", model=OPUS, title="Speed up the import", **usage(rng, 18))
    for title, mark, source in (
        ("Speed up the import (branch)", "_branched_from", "cli"),
        ("Delegated: measure the import", "_delegate_from", "subagent"),
    ):
        child = _recorder(rng, root.clock + 60)
        child.user("Measure first, then change one thing.")
        _work(child, "analysis", 12, 0.10, 0.10)
        labels.update(child.labels)
        child.save(
            archive,
            source=source,
            model=GPT,
            title=title,
            parent_session_id=root.id,
            model_config=json.dumps({mark: root.id}),
            **usage(rng, 12),
        )


def _cron(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    for night in range(3):
        recorder = _recorder(rng, now - (night + 1.2) * DAY)
        recorder.user("[cron] Check the backups.")
        _work(recorder, "ops", 3, 0.0, 0.0)
        recorder.say("All backups are there.")
        labels.update(recorder.labels)
        recorder.save(
            archive, source="cron", model=LLAMA, title=f"Nightly backup check {night + 1}",
            end_reason="cron_complete", **usage(rng, 3),
        )  # fmt: skip


def _hostile(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    recorder = _recorder(rng, now - 1.9 * DAY)
    recorder.user("\x1b[31mRead\x1b[0m these files \u202eesrever\u202c and say what is in them [/red]\n漢字 👩‍👩‍👧")
    for step in steps.HOSTILE:
        recorder.do(step)
    recorder.do(*steps.HOSTILE[:2])
    recorder.say("They hold \x1b]0;nothing\x07 of note.")
    labels.update(recorder.labels)
    title = "\x1b[1mHostile\x1b[0m text [/bold] \u202etxet\u202c 漢字かな交じり 👩‍👩‍👧 " + "long " * 60
    recorder.save(archive, source="cli", model=GEMINI, title=title, **usage(rng, 7))


def _troubled(archive: Archive, rng: Random, labels: dict[str, Label], now: float) -> None:
    """A call that was interrupted, rows taken back by the user, and a session that ends mid-call."""
    recorder = _recorder(rng, now - 0.8 * DAY)
    recorder.user("Make a release.")
    _work(recorder, "ops", 10, 0.10, 0.10)
    recorder.do(steps.INTERRUPTED)
    recorder.user("Stop. Not today.")
    before = set(recorder.labels)
    recorder.do(steps.terminal("git push --force", "error: failed to push", "fail", 1))
    recorder.rewind(2)
    recorder.labels |= dict.fromkeys(recorder.labels.keys() - before, "rewound")
    recorder.do(steps.UNANSWERED)
    labels.update(recorder.labels)
    recorder.save(archive, source="cli", model=GPT, title="Make a release", ended_at=None, **usage(rng, 12))


def _recorder(rng: Random, started_at: float) -> Recorder:
    return Recorder(rng, session_name(rng, started_at), started_at)


def session_name(rng: Random, at: float) -> str:
    return f"{time.strftime('%Y%m%d_%H%M%S', time.gmtime(at))}_{rng.getrandbits(24):06x}"


def usage(rng: Random, calls: int, counted: bool = True) -> dict[str, Any]:
    if not counted:
        return {"input_tokens": 0, "output_tokens": 0, "estimated_cost_usd": 0.0, "cost_status": "unknown"}
    tokens_in, tokens_out = calls * rng.randint(3_000, 9_000), calls * rng.randint(80, 400)
    cost = round(tokens_in * 3e-6 + tokens_out * 15e-6, 4)
    return {
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "cache_read_tokens": tokens_in // 2,
        "estimated_cost_usd": cost,
        "cost_status": "estimated",
    }
