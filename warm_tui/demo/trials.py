"""Two trials in the sample: a template that helps with what customers ask, and one that its guard switched off.

Each session is drawn by its rule, as the agent draws it, and recorded as the agent records; what that shows is reckoned
when somebody looks.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from warm_tui.agent.trials import revision_of
from warm_tui.comparisons.trials import guard, trials_of
from warm_tui.demo import steps
from warm_tui.demo.home import DAY, GPT, LLAMA, usage
from warm_tui.demo.recorder import Recorder
from warm_tui.demo.steps import Step
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import Circumstances, Draw, keep_rule, statements_of, untold_notices
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.templates.files import TemplateFiles
from warm_tui.trials.drawing import decide
from warm_tui.trials.rules import Beginning, Rule, When

SEED, SALT = 20_261_211, "the sample home"
CALLS, POOL = 12, 24


class Told(NamedTuple):
    """A rule, the sessions that it was for, and how many of their calls fail, by turns."""

    when: When
    template: str
    share: float
    model: str
    asked: tuple[str, ...]
    sessions: int
    first_days_ago: float
    last_days_ago: float
    warm: tuple[int, ...]
    cold: tuple[int, ...]


TRIALS = (
    Told(
        When(source="email", words="invoice"), "careful-work", 0.5, GPT,
        ("Why was invoice {} sent twice?", "The total of invoice {} is wrong.", "Send invoice {} again, as a PDF."),
        96, 24.3, 0.4, (1, 2, 1, 3), (5, 3, 2, 4),
    ),
    Told(
        When(source="webhook", words="alert"), "log-triage", 0.5, LLAMA,
        ("An alert came in: {} answers 500.", "Look into alert {}: the disk fills up."),
        23, 16.2, 9.5, (3, 2, 4, 3), (1, 2, 0, 1),
    ),
)  # fmt: skip


def add_trials(home: Home, now: float) -> None:
    """Of a rule that does harm no session is drawn after it was shown."""
    rng = Random(SEED)
    work = _Work(*([make(rng, "ops") for _ in range(POOL)] for make in (steps.good_step, steps.bad_step)))
    with Archive(home.databases[0]) as archive, Library(home.library) as library:
        draws = [draw for told in TRIALS for draw in _told(archive, home, library, rng, work, told, now)]
        with library.writing() as connection:
            for draw in draws:
                for sql, values in statements_of(draw):
                    connection.execute(sql, values)
    with Catalog(home) as catalog:
        guard(catalog, trials_of(catalog, now))
        with catalog.library.writing() as connection:
            untold_notices(connection)


def _told(
    archive: Archive, home: Home, library: Library, rng: Random, work: _Work, told: Told, now: float
) -> list[Draw]:
    revision, messages = revision_of(TemplateFiles(home).load(told.template).template)
    rule = Rule(0, told.when, (revision,), SALT, share=told.share)
    rule = keep_rule(library, rule, {revision.content: messages})
    draws = []
    for at in range(told.sessions):
        days_ago = told.first_days_ago + (told.last_days_ago - told.first_days_ago) * at / (told.sessions - 1)
        began = now - days_ago * DAY
        recorder = Recorder(rng, f"{told.when.source}_{rng.getrandbits(48):012x}", began)
        asked = told.asked[at % len(told.asked)].format(rng.randint(10_000, 99_999))
        decision = decide(Beginning(recorder.id, told.when.source, told.model, words=asked), (rule,))
        assert decision is not None
        recorder.user(asked)
        failing = (told.warm if decision.content else told.cold)[at % 4]
        for step in work.steps(rng, failing):
            recorder.do(step)
        recorder.say("Done.")
        recorder.save(archive, source=told.when.source, model=told.model, title=asked, **usage(rng, CALLS))
        draws.append(Draw(decision, Circumstances(told.when.source, told.model, "chat_completions", began)))
    return draws


class _Work(NamedTuple):
    """Steps to draw from: to think up each anew takes longer than to write it down."""

    good: list[Step]
    bad: list[Step]

    def steps(self, rng: Random, failing: int) -> list[Step]:
        failed = rng.sample(range(CALLS), failing)
        return [rng.choice(self.bad if at in failed else self.good) for at in range(CALLS)]
