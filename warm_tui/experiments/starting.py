"""Begin an experiment: what the warm arm is told, in which order the runs come, and whether the tasks leak."""

from __future__ import annotations

import json
import time
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import msgspec
from msgspec.structs import replace

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.hermes_config import settings_of
from warm_tui.agent.prefill import Prefill, hash_of
from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments.plan import Plan, Task
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import Arm, Experiment, Run, add_experiment
from warm_tui.library.uses import record_use
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask, credentials_of
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.text import plural
from warm_tui.sessions.transcript import transcript
from warm_tui.templates.building import MINED
from warm_tui.templates.conversation import Message, build_conversation
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.foreign import refuse_unread
from warm_tui.templates.model import Template
from warm_tui.templates.redaction import secret_values

FIRST_OF_CJK = "\u2e80"
CERTAIN_WORDS = 12
"""Fewer words within a longer text tell nothing: many tasks hold a "check that again, please"."""


def warm_messages(home: Home, template: Template) -> list[Message]:
    """What the warm arm's sessions start with: the same that activating gives."""
    conversation = build_conversation(template, Prefill(home).provider())
    if not conversation.patterns:
        why = conversation.problems[-1].text if conversation.problems else "it has no patterns."
        raise Trouble(f"Template {template.name!r} has nothing to tell: {why}")
    secrets = secret_values(template, redactor_of(home))
    if secrets:
        raise Trouble(f"Template {template.name!r} holds {plural(len(secrets), 'secret')}: mask them first.")
    refuse_unread(home, template)
    return conversation.messages


def order_of(plan: Plan, seed: int) -> list[Run]:
    """Pair by pair, so that warm and cold meet the same weather; the draw says which comes first."""
    draw = Random(seed)
    runs: list[Run] = []
    for repeat in range(1, plan.repeats + 1):
        tasks = list(plan.tasks)
        draw.shuffle(tasks)
        for task in tasks:
            arms: tuple[Arm, Arm] = ("warm", "cold") if draw.random() < 0.5 else ("cold", "warm")
            runs += [Run(len(runs) + at, task.id, repeat, arm) for at, arm in enumerate(arms)]
    return runs


def leaking(catalog: Catalog, plan: Plan, template: Template) -> list[Task]:
    """The tasks that the template was made from: it knows their answers."""
    with Catalog(catalog.home.archived.present) as archived:
        return _leaking((catalog, archived), plan, template)


def _leaking(catalogs: Sequence[Catalog], plan: Plan, template: Template) -> list[Task]:
    known = {_words(pattern.context) for pattern in template.patterns}
    mined = template.metrics.get(MINED)
    sources = {pattern.origin.session_id for pattern in template.patterns} | set(template.source_session_ids)
    sources |= {name for name in mined if isinstance(name, str)} if isinstance(mined, list) else set()
    for session_id in sorted(filter(None, sources)):
        # A session that is gone is known by the contexts that were taken from it.
        for recorded in catalogs:
            with suppress(Trouble):
                known |= {_words(text) for text in _asked_in(recorded, session_id)}
    return [task for task in plan.tasks if any(_same(_words(task.prompt), words) for words in known)]


def _asked_in(catalog: Catalog, session_id: str) -> list[str]:
    """All that the user said in a session."""
    source, session = catalog.find(session_id)
    return [item.text for item in transcript(read_life(source, session), session) if item.kind == "user"]


def _words(text: str) -> tuple[str, ...]:
    """Of a text that was cut, without the word that the cut went through. Scripts without spaces: a sign, a word."""
    cut = text.rstrip().endswith(("…", "..."))
    signs = unicodedata.normalize("NFKC", text).lower()
    words = "".join(f" {c} " if c >= FIRST_OF_CJK and c.isalnum() else c if c.isalnum() else " " for c in signs).split()
    return tuple(words[:-1] if cut and len(words) > 1 else words)


def _same(task: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """The same words, or one within the other; a context may have been cut."""
    short, long = sorted((task, known), key=len)
    if not short or (len(short) < CERTAIN_WORDS and 2 * len(short) < len(long)):
        return False
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def _leaking_tasks(template: str, tasks: Sequence[Task]) -> Leaking:
    names = [task.id for task in tasks]
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return Leaking(
        f"Leaking: {template!r} was made from {plural(len(names), 'of these tasks', 'of these tasks')} ({shown}). "
        "It knows their answers. Leave those out (--without-sources).",
        names,
    )


def checked(catalog: Catalog, plan: Plan, *, without_sources: bool = False) -> tuple[Plan, list[str]]:
    """The plan as it may be run, and what had to be left out for that."""
    template = TemplateFiles(catalog.home).load(plan.template).template
    warm_messages(catalog.home, template)
    root = catalog.home.root
    if Mask(credentials_of(root, settings_of(root))).finds(msgspec.json.encode(plan).decode()):
        raise Trouble("The plan holds a credential: name the variable that it is in, and not the credential itself.")
    leaks = leaking(catalog, plan, template)
    if not leaks:
        return plan, []
    left = tuple(task for task in plan.tasks if task not in leaks)
    if not without_sources or not left:
        raise _leaking_tasks(plan.template, leaks)
    names = ", ".join(task.id for task in leaks)
    return replace(plan, tasks=left), [f"Left out, because {plan.template!r} was made from it: {names}."]


def begin(catalog: Catalog, plan: Plan) -> int:
    """Write the experiment and its queue into the library; nothing runs yet."""
    find_hermes()
    template = TemplateFiles(catalog.home).load(plan.template).template
    messages = warm_messages(catalog.home, template)
    seed = plan.seed if plan.seed is not None else time.time_ns() % 1_000_000_000
    number = add_experiment(
        catalog.library,
        plan.name,
        plan.template,
        msgspec.json.encode(plan),
        seed,
        json.dumps(messages, ensure_ascii=False).encode(),
        order_of(plan, seed),
    )
    record_use(catalog.library, plan.template, "tried", hash_of(messages))
    return number


def parallel_of(experiment: Experiment) -> int:
    """How many runs go on at once; one, where the plan cannot be read."""
    with suppress(Trouble):
        return plan_of(experiment.plan).parallel
    return 1


def plan_of(encoded: bytes) -> Plan:
    try:
        return msgspec.json.decode(encoded, type=Plan)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Trouble("This experiment's plan cannot be read: it may be of a newer version.") from error
