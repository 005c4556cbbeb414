"""A week of change: tickets that an agent sorts in a chat room, badly at first, and well since somebody mended that."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from warm_tui.demo import steps
from warm_tui.demo.recorder import Recorder
from warm_tui.demo.steps import Label, Step
from warm_tui.sessions.hermes.archive import Archive

DAY = 86_400.0
SOURCE, MODEL, CALLS = "matrix", "gpt-5.2", 16


class Spell(NamedTuple):
    """Some days of tickets."""

    first_days_ago: float
    last_days_ago: float
    tickets: int
    failing: tuple[int, ...]
    """Of the calls of a ticket, by turns."""
    last_words: tuple[str, ...]
    """What the person says in the end, by turns; nothing where they are silent."""


SPELLS = (
    Spell(26.3, 15.4, 10, (10, 9, 10), ("", "No, it still fails.", "Thanks anyway.")),
    Spell(12.6, 7.4, 8, (1, 0, 0), ("It works now, thanks!", "", "That fixed it.")),
)


def _with_a_way_out(done: list[Step]) -> list[Step]:
    """Where something failed and two calls worked, it is the application: it breaks, is patched, and runs."""
    went = [step.label in ("fail", "masked") for step in done]
    at = next((at for at in range(len(done) - 2) if went[at : at + 3] == [True, False, False]), None)
    return done if at is None else [*done[:at], *steps.REPAIR, *done[at + 3 :]]


def add_tickets(
    archive: Archive, rng: Random, labels: dict[str, Label], now: float, id_at: Callable[[Random, float], str]
) -> None:
    number = 4_100
    for spell in SPELLS:
        for at in range(spell.tickets):
            number += rng.randint(3, 30)
            days_ago = spell.first_days_ago + (spell.last_days_ago - spell.first_days_ago) * at / (spell.tickets - 1)
            began = now - days_ago * DAY
            recorder = Recorder(rng, id_at(rng, began), began)
            recorder.user(f"Sort ticket {number} and try what it says.")
            failing = rng.sample(range(CALLS), spell.failing[at % len(spell.failing)])
            done = [steps.bad_step(rng, "ops") if at in failing else steps.good_step(rng, "ops") for at in range(CALLS)]
            for step in _with_a_way_out(done):
                recorder.do(step)
            recorder.say("Done.")
            if last := spell.last_words[at % len(spell.last_words)]:
                recorder.user(last)
            labels.update(recorder.labels)
            recorder.save(
                archive, source=SOURCE, model=MODEL, title=f"Sort ticket {number}",
                input_tokens=62_000, output_tokens=2_400, estimated_cost_usd=0.22, cost_status="estimated",
            )  # fmt: skip
