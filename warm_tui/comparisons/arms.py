"""The two arms of a comparison: by marks, by filters, by a template, or by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.agent.hermes_cli import SOURCE
from warm_tui.comparisons.compare import LEVEL, Comparison, Pairing, compare, differs, without_verdict
from warm_tui.comparisons.saved import Told
from warm_tui.comparisons.units import Facts, units_of
from warm_tui.errors import Leaking, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import FINISHED, Arm, Experiment, Run, experiment, runs_of
from warm_tui.library.marks import kept_marks
from warm_tui.library.profiles import Progress
from warm_tui.library.warmth import Warmed, Warmth
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.text import plural
from warm_tui.templates.building import MINED
from warm_tui.templates.files import TemplateFiles

Kind: TypeAlias = Literal["marks", "filters", "template", "sessions", "experiment"]
Roots: TypeAlias = Mapping[str, str]
"""For each session the one that its life began with."""
LEAST_PERIOD = 14 * 86_400.0
BY_TIME = "Which sessions were warm is known by the time when the template was active, not session by session."


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which arms are wanted. Kept with a saved comparison, to be asked again."""

    kind: Kind
    warm_filter: str = ""
    cold_filter: str = ""
    template: str = ""
    warm: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    pairing: Pairing = "auto"
    without_sources: bool = False
    experiment: int = 0
    facts: dict[str, tuple[str, bool | None]] = {}
    """By session: its task, and whether that was done, where somebody said so."""
    kept: bool = False
    """Asked again, long after: sessions may be gone by now."""


class Compared(msgspec.Struct, frozen=True):
    asked: Asked
    title: str
    template: str
    """The template that the warm arm was warmed by, where that is one."""
    comparison: Comparison
    notes: list[str]


class Arms(msgspec.Struct, frozen=True):
    title: str
    warm: list[Profile]
    cold: list[Profile]
    notes: list[str] = []
    facts: dict[str, Facts] = {}
    warmed_by: list[str] | None = None
    """The templates, where they are known for certain."""
    level: float = LEVEL
    withheld: str = ""


def compare_arms(catalog: Catalog, asked: Asked, progress: Progress | None = None) -> Compared:
    roots = catalog.roots()
    arms = GATHERERS[asked.kind](catalog, asked, roots, progress)
    notes = list(arms.notes)
    templates = arms.warmed_by or ([asked.template] if asked.template else [])
    templates = templates or _templates_of(arms.warm, roots, Warmed(catalog.library))
    warm, cold = arms.warm, arms.cold
    # The tasks of an experiment were checked when it began, and its warm arm had the template as that was then.
    for template in templates if asked.kind != "experiment" else ():
        sources = _sources(catalog.home, template, roots)
        leaking = [p.session_id for p in (*warm, *cold) if roots.get(p.session_id, p.session_id) in sources]
        if leaking and not asked.without_sources:
            raise _leaking(template, leaking)
        if leaking:
            warm, cold = ([p for p in arm if p.session_id not in set(leaking)] for arm in (warm, cold))
            notes.append(f"Left out, because {template!r} was made from it: {plural(len(leaking), 'session')}.")
    facts = {**arms.facts, **{session: Facts(*fact) for session, fact in asked.facts.items()}}
    if facts and not any(p.session_id in facts for p in (*warm, *cold)):
        notes.append("Of no session of the arms a task is told.")
    pairing = "order" if asked.kind == "experiment" and asked.pairing == "auto" else asked.pairing
    told = tell(replace(arms, warm=warm, cold=cold, facts=facts), roots, pairing)
    return Compared(asked, arms.title, templates[0] if len(templates) == 1 else "", told, [*notes, *told.notes])


def _leaking(template: str, sessions: Sequence[str]) -> Leaking:
    shown = ", ".join(sessions[:3]) + (", ..." if len(sessions) > 3 else "")
    return Leaking(
        f"Leaking: {template!r} was made from {plural(len(sessions), 'session')} of these arms ({shown}). "
        "What it learned there would count for it. Leave those out (--without-sources).",
        sessions,
    )


def tell(arms: Arms, roots: Roots, pairing: Pairing) -> Comparison:
    warm, cold = (units_of(arm, roots, arms.facts) for arm in (arms.warm, arms.cold))
    told = compare(warm, cold, pairing, arms.level)
    return without_verdict(told, arms.withheld) if arms.withheld else told


def _by_marks(catalog: Catalog, _asked: Asked, _roots: Roots, progress: Progress | None) -> Arms:
    marks = kept_marks(catalog.library)
    profiles = catalog.profiles(progress)
    warm, cold = ([p for p in profiles if marks.get(p.session_id) == arm] for arm in ("warm", "cold"))
    return Arms("Marked warm against marked cold", warm, cold)


def _by_filters(catalog: Catalog, asked: Asked, _roots: Roots, progress: Progress | None) -> Arms:
    """Where only one filter is given, the other arm is the rest."""
    if not asked.warm_filter and not asked.cold_filter:
        raise Trouble("Name a filter for one arm at least.")
    profiles, now = catalog.profiles(progress), time.time()

    def matching(words: str) -> list[Profile]:
        query = parse_filter(words)
        with_text = catalog.with_text(query)
        return [p for p in profiles if query.meets(p, now, with_text)]

    def rest(of: list[Profile]) -> list[Profile]:
        taken = {p.session_id for p in of}
        return [p for p in profiles if p.session_id not in taken]

    warm = matching(asked.warm_filter) if asked.warm_filter else rest(matching(asked.cold_filter))
    cold = matching(asked.cold_filter) if asked.cold_filter else rest(warm)
    return Arms(f"{asked.warm_filter or 'the rest'} against {asked.cold_filter or 'the rest'}", warm, cold)


def _by_sessions(catalog: Catalog, asked: Asked, _roots: Roots, _progress: Progress | None) -> Arms:
    gone: list[str] = []

    def named(names: Iterable[str]) -> list[Profile]:
        found = []
        for name in names:
            try:
                found.append(catalog.profile(name))
            except Trouble:
                if not asked.kept:
                    raise
                gone.append(name)
        return found

    warm, cold = named(asked.warm), named(asked.cold)
    title = f"{_name(warm)} against {_name(cold)}" if len(warm) == len(cold) == 1 else "Named sessions"
    notes = [f"No longer in the database: {plural(len(gone), 'session')} ({', '.join(gone[:3])})."] if gone else []
    return Arms(title, warm, cold, notes)


def _name(profiles: Sequence[Profile]) -> str:
    return profiles[0].title or profiles[0].session_id


def _by_template(catalog: Catalog, asked: Asked, roots: Roots, progress: Progress | None) -> Arms:
    """Sessions that began warm with the template, against cold ones of the same period, source and model."""
    TemplateFiles(catalog.home).load(asked.template)
    warmed = Warmed(catalog.library)
    if not warmed.knows(asked.template):
        raise Trouble(f"{asked.template!r} was never active, so no session is known to be warm by it.")
    profiles = catalog.profiles(progress)
    began = _beginnings(profiles, roots)
    warmth = {p.session_id: warmed.of(*began[p.session_id]) for p in profiles}
    warm = [p for p in profiles if warmth[p.session_id].template == asked.template]
    times = [start for p in warm if (start := began[p.session_id][1]) is not None]
    first, last = min(times, default=0.0), max(times, default=0.0)
    around = max(LEAST_PERIOD, last - first)
    kinds = {(p.source, p.model) for p in warm}

    def fits(profile: Profile) -> bool:
        start = began[profile.session_id][1]
        near = start is not None and first - around <= start <= last + around
        return near and (profile.source, profile.model) in kinds and not warmth[profile.session_id].template

    cold = [p for p in profiles if fits(p)]
    title = f"Warm by {asked.template} against others of the same time, source and model"
    return Arms(title, warm, cold, _how_known([warmth[p.session_id] for p in (*warm, *cold)]))


def _beginnings(profiles: Sequence[Profile], roots: Roots) -> dict[str, tuple[str, float | None]]:
    """For each session the one that its life began with, and when that was."""
    by_id = {p.session_id: p for p in profiles}
    firsts = {p.session_id: by_id.get(roots.get(p.session_id, ""), p) for p in profiles}
    return {name: (first.session_id, first.started_at) for name, first in firsts.items()}


def _how_known(found: Sequence[Warmth]) -> list[str]:
    certain = sum(warmth.certain for warmth in found)
    if not found or certain == len(found):
        return []
    told = f"{plural(certain, 'session')} {'was' if certain == 1 else 'were'} recorded by the plugin in the agent"
    rest = f"{len(found) - certain:,} by the time when the template was active, which is less certain"
    return [f"Which arm a session is in: {told}, {rest}." if certain else BY_TIME]


def _by_experiment(catalog: Catalog, asked: Asked, roots: Roots, progress: Progress | None) -> Arms:
    """The runs that its result is of: those of a planned look, or all. Looking before finds what is not there."""
    found = experiment(catalog.library, asked.experiment)
    if found.pairs_told is None or found.level is None:
        why = (
            "was cancelled, so it has no result"
            if found.state == "cancelled"
            else "has no result yet: it is compared at its end, or at a planned look, since looking before "
            "finds differences that are not there"
        )
        raise Trouble(f"Experiment {found.id} {why}.")
    return experiment_arms(catalog, found, roots, progress)


def experiment_arms(catalog: Catalog, found: Experiment, roots: Roots, progress: Progress | None = None) -> Arms:
    """The runs of its first pairs, as many as its result is of."""
    pairs, level = found.pairs_told or 0, found.level or 0.0
    runs = [run for run in runs_of(catalog.library, found.id) if run.pair < pairs]
    lives: dict[str, list[Profile]] = {}
    for profile in catalog.profiles(progress):
        lives.setdefault(roots.get(profile.session_id, profile.session_id), []).append(profile)
    arms: dict[Arm, list[Profile]] = {"warm": [], "cold": []}
    facts: dict[str, Facts] = {}
    for run in runs:
        if run.state == "not started":
            continue
        # Of a run that left no session it is known that it was made, and that it failed at its task.
        nothing = Profile(session_id=f"{found.id}:{run.position}", title=f"{run.task}: no session", source=SOURCE)
        parts = lives.get(roots.get(run.session_id, run.session_id)) or [nothing]
        arms[run.arm] += parts
        facts |= {profile.session_id: Facts(run.task, run.success) for profile in parts}
    notes = [*found.notes, *_ended_otherwise(runs)]
    if level < LEVEL:
        notes.append(f"Tested at {level:.2%}, not at 5 %: the plan shares the 5 % among its looks.")
    title = f"Experiment {found.id}: {found.name}"
    return Arms(title, arms["warm"], arms["cold"], notes, facts, [found.template], level, _lopsided(runs))


def _lopsided(runs: Sequence[Run]) -> str:
    """Where one arm lost more of its runs, what is left of it is another kind of work."""
    lost = {arm: sum(run.arm == arm and run.state != "ended" for run in runs) for arm in ("warm", "cold")}
    every = {arm: sum(run.arm == arm for run in runs) for arm in ("warm", "cold")}
    if not differs(*((lost[arm], every[arm] - lost[arm]) for arm in ("warm", "cold"))):
        return ""
    return (
        f"But {lost['warm']:,} of {every['warm']:,} warm and {lost['cold']:,} of {every['cold']:,} cold runs did not "
        "go to their end: what is left of the arms cannot be compared."
    )


def _ended_otherwise(runs: Sequence[Run]) -> list[str]:
    """What did not go to its end, counted by arm."""
    told = []
    for state in FINISHED[1:]:
        counts = [sum(run.state == state and run.arm == arm for run in runs) for arm in ("warm", "cold")]
        if any(counts):
            told.append(f"{state[0].upper()}{state[1:]}: {counts[0]:,} warm and {counts[1]:,} cold runs.")
    return told


def home_of(home: Home, asked: Asked) -> Home:
    """Where the sessions of these arms are recorded."""
    return home.archived.present if asked.kind == "experiment" else home


GATHERERS: dict[Kind, Callable[[Catalog, Asked, Roots, Progress | None], Arms]] = {
    "marks": _by_marks, "filters": _by_filters, "sessions": _by_sessions, "template": _by_template,
    "experiment": _by_experiment,
}  # fmt: skip


def _templates_of(profiles: Sequence[Profile], roots: Roots, warmed: Warmed) -> list[str]:
    """The templates that these sessions began warm with."""
    names = {warmed.of(*began).template for began in _beginnings(profiles, roots).values()}
    return sorted(names - {""})


def _sources(home: Home, template: str, roots: Roots) -> set[str]:
    """The lives that a template's patterns were taken from; a template that is gone has none that are known."""
    try:
        found = TemplateFiles(home).load(template).template
    except Trouble:
        return set()
    sessions = {pattern.origin.session_id for pattern in found.patterns if pattern.origin.session_id}
    # What was mined shaped the choice, also where no pattern was taken from it.
    mined = found.metrics.get(MINED)
    sessions |= {name for name in mined if isinstance(name, str)} if isinstance(mined, list) else set()
    return {roots.get(session, session) for session in sessions}


def question(kept: bytes) -> Asked:
    """What was asked when a comparison was saved."""
    try:
        return replace(msgspec.json.decode(kept, type=Asked), kept=True)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Trouble("This saved comparison cannot be read: it may be of a newer version.") from error


def asked_of(compared: Compared) -> bytes:
    return msgspec.json.encode(compared.asked)


def told_of(compared: Compared) -> Told:
    """What is remembered of a comparison that is saved."""
    told = compared.comparison
    one = told.primary.difference
    return Told(told.verdict, len(told.warm), len(told.cold), one.second, one.first, one.p_value)
