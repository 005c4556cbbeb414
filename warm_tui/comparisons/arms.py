"""The two arms of a comparison: by marks, by filters, by a template, or by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.agent.hermes_cli import SOURCE
from warm_tui.comparisons.compare import Comparison, Pairing, compare, without_verdict
from warm_tui.comparisons.confounders import differs
from warm_tui.comparisons.makers import makers_in_words
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec, Dealt, Kind
from warm_tui.comparisons.units import Facts, units_of
from warm_tui.errors import Leaking, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import FINISHED, NO_RESULT, Arm, Experiment, Run, load_experiment, runs_of
from warm_tui.library.marks import kept_marks, mark_of
from warm_tui.library.overrides import overrides
from warm_tui.library.profiles import Progress
from warm_tui.library.trials import draws_of
from warm_tui.library.warmth import Warmth, WarmthIndex
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.text import plural
from warm_tui.templates.building import MINED
from warm_tui.templates.files import TemplateFiles

Roots: TypeAlias = Mapping[str, str]
"""For each session the one that its life began with."""
MIN_PERIOD = 14 * 86_400.0
DRAWN = (
    "Both arms were drawn (by rule {rules}): they are randomised, so only the template differs between them. What"
    " is shown here holds for one look at it; the trial, and `warm-tui trials status`, may be looked at at any time."
)
BY_TIME = "Which sessions were warm is known by the time when the template was active, not session by session."


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
    dealt: Dealt = "observational"


def compare_arms(catalog: Catalog, spec: ComparisonSpec, progress: Progress | None = None) -> ArmComparison:
    roots = catalog.roots()
    arms = GATHERERS[spec.kind](catalog, spec, roots, progress)
    notes = list(arms.notes)
    templates = arms.warmed_by or ([spec.template] if spec.template else [])
    templates = templates or _templates_of(arms.warm, roots, WarmthIndex(catalog.library))
    warm, cold = arms.warm, arms.cold
    # The tasks of an experiment were checked when it began, and its warm arm had the template as that was then.
    for template in templates if spec.kind != "experiment" else ():
        sources = _sources(catalog.home, template, roots)
        leaking = [p.session_id for p in (*warm, *cold) if roots.get(p.session_id, p.session_id) in sources]
        if leaking and not spec.without_sources:
            raise _leaking(template, leaking)
        if leaking:
            warm, cold = ([p for p in arm if p.session_id not in set(leaking)] for arm in (warm, cold))
            notes.append(f"Left out, because {template!r} was made from it: {plural(len(leaking), 'session')}.")
    facts = {**arms.facts, **{session: Facts(*fact) for session, fact in spec.facts.items()}}
    if facts and not any(name in facts for p in (*warm, *cold) for name in p.session_ids):
        notes.append("Of no session of the arms a task is told.")
    judged = [profile for profile in (*warm, *cold) if profile.own_verdicts]
    own = overrides(catalog, judged) if judged else []
    if own:
        notes.append(f"Of the calls, {len(own):,} {'is' if len(own) == 1 else 'are'} judged by yourself.")
    pairing = "order" if spec.kind == "experiment" and spec.pairing == "auto" else spec.pairing
    comparison = comparison_of(replace(arms, warm=warm, cold=cold, facts=facts), roots, pairing)
    template = templates[0] if len(templates) == 1 else ""
    return ArmComparison(spec, arms.title, template, comparison, [*notes, *comparison.notes], own, arms.dealt)


def _leaking(template: str, sessions: Sequence[str]) -> Leaking:
    shown = ", ".join(sessions[:3]) + (", ..." if len(sessions) > 3 else "")
    return Leaking(
        f"Leaking: {template!r} was made from {plural(len(sessions), 'session')} of these arms ({shown}). "
        "What it learned there would count for it. Leave those out (--without-sources).",
        sessions,
    )


def comparison_of(arms: Arms, roots: Roots, pairing: Pairing) -> Comparison:
    warm, cold = (units_of(arm, roots, arms.facts) for arm in (arms.warm, arms.cold))
    comparison = compare(warm, cold, pairing, arms.level)
    return without_verdict(comparison, arms.withheld) if arms.withheld else comparison


def _by_marks(catalog: Catalog, _spec: ComparisonSpec, _roots: Roots, progress: Progress | None) -> Arms:
    marks = kept_marks(catalog.library)
    profiles = catalog.profiles(progress)
    warm, cold = ([p for p in profiles if mark_of(p, marks) == arm] for arm in ("warm", "cold"))
    return Arms("Marked warm against marked cold", warm, cold)


def _by_filters(catalog: Catalog, spec: ComparisonSpec, _roots: Roots, progress: Progress | None) -> Arms:
    """Where only one filter is given, the other arm is the rest."""
    if not spec.warm_filter and not spec.cold_filter:
        raise Trouble("Name a filter for one arm at least.")
    profiles = catalog.profiles(progress)

    def matching(words: str) -> list[Profile]:
        # A life is in an arm as a whole, though some of its sessions alone may match.
        lives = {p.life for p in catalog.matching(parse_filter(words), profiles)}
        return [p for p in profiles if p.session_id in lives]

    def rest(of: list[Profile]) -> list[Profile]:
        taken = {p.session_id for p in of}
        return [p for p in profiles if p.session_id not in taken]

    warm = matching(spec.warm_filter) if spec.warm_filter else rest(matching(spec.cold_filter))
    cold = matching(spec.cold_filter) if spec.cold_filter else rest(warm)
    return Arms(f"{spec.warm_filter or 'the rest'} against {spec.cold_filter or 'the rest'}", warm, cold)


def _by_sessions(catalog: Catalog, spec: ComparisonSpec, _roots: Roots, _progress: Progress | None) -> Arms:
    gone: list[str] = []

    def named(names: Iterable[str]) -> list[Profile]:
        profiles = []
        for name in names:
            try:
                profiles.append(catalog.profile(name))
            except Trouble:
                if not spec.from_saved:
                    raise
                gone.append(name)
        return profiles

    warm, cold = named(spec.warm), named(spec.cold)
    title = f"{_name(warm)} against {_name(cold)}" if len(warm) == len(cold) == 1 else "Named sessions"
    notes = [f"No longer in the database: {plural(len(gone), 'session')} ({', '.join(gone[:3])})."] if gone else []
    return Arms(title, warm, cold, notes)


def _name(profiles: Sequence[Profile]) -> str:
    return profiles[0].title or profiles[0].session_id


def _by_template(catalog: Catalog, spec: ComparisonSpec, roots: Roots, progress: Progress | None) -> Arms:
    """Sessions that began warm with the template, against cold ones of the same period, source and model."""
    warmed = WarmthIndex(catalog.library)
    if not spec.rule:
        TemplateFiles(catalog.home).load(spec.template)
    if not spec.rule and not warmed.knows(spec.template):
        raise Trouble(f"{spec.template!r} was never active, so no session is known to be warm by it.")
    profiles = catalog.profiles(progress)
    began = _beginnings(profiles, roots)
    drawn = _drawn(catalog, spec.template, spec.rule)
    if drawn is not None:
        warm, cold = ([p for p in profiles if drawn.arms.get(began[p.session_id][0]) is arm] for arm in (True, False))
        whose = f"Rule {spec.rule}, randomised: warm" if spec.rule else "Warm"
        name = f"{whose} by {spec.template} against those that drew cold"
        return Arms(name, warm, cold, drawn.notes, dealt="randomised")
    if spec.rule:
        raise Trouble(f"Rule {spec.rule} has not drawn both warm and cold sessions of {spec.template!r} yet.")
    warmth = {p.session_id: warmed.of(*began[p.session_id]) for p in profiles}
    warm = [p for p in profiles if warmth[p.session_id].template == spec.template]
    times = [start for p in warm if (start := began[p.session_id][1]) is not None]
    first, last = min(times, default=0.0), max(times, default=0.0)
    around = max(MIN_PERIOD, last - first)
    kinds = {(p.source, p.model) for p in warm}

    def fits(profile: Profile) -> bool:
        start = began[profile.session_id][1]
        near = start is not None and first - around <= start <= last + around
        return near and (profile.source, profile.model) in kinds and not warmth[profile.session_id].template

    cold = [p for p in profiles if fits(p)]
    title = f"Warm by {spec.template} against others of the same time, source and model (observational)"
    return Arms(title, warm, cold, _how_known([warmth[p.session_id] for p in (*warm, *cold)]))


class _Drawn(NamedTuple):
    """The sessions that rules have drawn for a template, by the session that drew: warm with it, or cold."""

    arms: dict[str, bool]
    notes: list[str]


def _drawn(catalog: Catalog, template: str, rule: int) -> _Drawn | None:
    """By this rule, or by any; None where both arms were not drawn."""
    decisions = [draw.decision for draw in draws_of(catalog.library) if draw.decision.drawn]
    decisions = [each for each in decisions if rule in (0, each.rule)]
    contents = {each.content for each in decisions if each.template == template}
    eligible = [
        each for each in decisions if each.content in contents or (not each.content and contents & {*each.chances})
    ]
    arms = {each.session_id: bool(each.content) for each in eligible}
    if len(set(arms.values())) < 2:
        return None
    numbers = ", ".join(str(number) for number in sorted({each.rule for each in eligible if each.rule is not None}))
    notes = [DRAWN.format(rules=numbers)]
    if len({tuple(sorted(each.chances.items())) for each in eligible}) > 1:
        notes.append("Not all were drawn with the same chances, which only `warm-tui trials status` reckons with.")
    return _Drawn(arms, notes)


def _beginnings(profiles: Sequence[Profile], roots: Roots) -> dict[str, tuple[str, float | None]]:
    """For each session the one that its life began with, and when that was."""
    by_id = {p.session_id: p for p in profiles}
    firsts = {p.session_id: by_id.get(roots.get(p.session_id, ""), p) for p in profiles}
    return {name: (first.session_id, first.started_at) for name, first in firsts.items()}


def _how_known(warmths: Sequence[Warmth]) -> list[str]:
    certain = sum(warmth.certain for warmth in warmths)
    if not warmths or certain == len(warmths):
        return []
    recorded = f"{plural(certain, 'session')} {'was' if certain == 1 else 'were'} recorded by the plugin in the agent"
    rest = f"{len(warmths) - certain:,} by the time when the template was active, which is less certain"
    return [f"Which arm a session is in: {recorded}, {rest}." if certain else BY_TIME]


def _by_experiment(catalog: Catalog, spec: ComparisonSpec, roots: Roots, progress: Progress | None) -> Arms:
    """The runs that its result is of: those of a planned look, or all. Looking before finds what is not there."""
    experiment = load_experiment(catalog.library, spec.experiment)
    if experiment.pairs_told is None or experiment.level is None:
        why = (
            "was cancelled, so it has no result"
            if experiment.state == "cancelled"
            else "has no result yet: it is compared at its end, or at a planned look, since looking before "
            "finds differences that are not there"
        )
        raise Trouble(f"Experiment {experiment.id} {why}.")
    return experiment_arms(catalog, experiment, roots, progress)


def experiment_arms(catalog: Catalog, experiment: Experiment, roots: Roots, progress: Progress | None = None) -> Arms:
    """The runs of its first pairs, as many as its result is of."""
    pairs, level = experiment.pairs_told or 0, experiment.level or 0.0
    runs = [run for run in runs_of(catalog.library, experiment.id) if run.pair < pairs]
    # A pair is a result as a pair, or none: never one half of it.
    lost = {run.pair for run in runs if run.state in NO_RESULT}
    lives: dict[str, list[Profile]] = {}
    for profile in catalog.profiles(progress):
        lives.setdefault(roots.get(profile.session_id, profile.session_id), []).append(profile)
    arms: dict[Arm, list[Profile]] = {"warm": [], "cold": []}
    facts: dict[str, Facts] = {}
    for run in runs:
        if run.pair in lost:
            continue
        # Of a run that left no session it is known that it was made, and that it failed at its task.
        nothing = Profile(session_id=f"{experiment.id}:{run.position}", title=f"{run.task}: no session", source=SOURCE)
        parts = lives.get(roots.get(run.session_id, run.session_id)) or [nothing]
        arms[run.arm] += parts
        facts |= {profile.session_id: Facts(run.task, run.success) for profile in parts}
    notes = [*experiment.notes, *makers_in_words(runs), *_ended_otherwise(runs)]
    if lost:
        notes.append(f"Set aside: {plural(len(lost), 'pair')} with a run that came to nothing.")
    if level < LEVEL:
        notes.append(f"Tested at {level:.2%}, not at 5 %: the plan shares the 5 % among its looks.")
    title = f"Experiment {experiment.id}: {experiment.name}"
    return Arms(
        title, arms["warm"], arms["cold"], notes, facts, [experiment.template], level, _lopsided(runs), "randomised"
    )


def _lopsided(runs: Sequence[Run]) -> str:
    """Where one arm lost more of its runs, what is left of it is another kind of work."""
    lost = {arm: sum(run.arm == arm and run.state != "ended" for run in runs) for arm in ("warm", "cold")}
    every = {arm: sum(run.arm == arm for run in runs) for arm in ("warm", "cold")}
    warm, cold = ((lost[arm], every[arm] - lost[arm]) for arm in lost)
    if not differs(warm, cold):
        return ""
    return (
        f"But {lost['warm']:,} of {every['warm']:,} warm and {lost['cold']:,} of {every['cold']:,} cold runs did not "
        "go to their end: what is left of the arms cannot be compared."
    )


def _ended_otherwise(runs: Sequence[Run]) -> list[str]:
    """What did not go to its end, counted by arm."""
    notes = []
    for state in FINISHED[1:]:
        counts = [sum(run.state == state and run.arm == arm for run in runs) for arm in ("warm", "cold")]
        if any(counts):
            runs_told = "run" if counts[1] == 1 else "runs"
            notes.append(f"{state[0].upper()}{state[1:]}: {counts[0]:,} warm and {counts[1]:,} cold {runs_told}.")
    return notes


def home_of(home: Home, spec: ComparisonSpec) -> Home:
    """Where the sessions of these arms are recorded."""
    return home.archived.present if spec.kind == "experiment" else home


GATHERERS: dict[Kind, Callable[[Catalog, ComparisonSpec, Roots, Progress | None], Arms]] = {
    "marks": _by_marks, "filters": _by_filters, "sessions": _by_sessions, "template": _by_template,
    "experiment": _by_experiment,
}  # fmt: skip


def _templates_of(profiles: Sequence[Profile], roots: Roots, warmed: WarmthIndex) -> list[str]:
    """The templates that these sessions began warm with."""
    names = {warmed.of(*began).template for began in _beginnings(profiles, roots).values()}
    return sorted(names - {""})


def _sources(home: Home, template: str, roots: Roots) -> set[str]:
    """The lives that a template's patterns were taken from; a template that is gone has none that are known."""
    try:
        stored = TemplateFiles(home).load(template).template
    except Trouble:
        return set()
    sessions = {pattern.origin.session_id for pattern in stored.patterns if pattern.origin.session_id}
    # What was mined shaped the choice, also where no pattern was taken from it.
    mined = stored.metrics.get(MINED)
    sessions |= {name for name in mined if isinstance(name, str)} if isinstance(mined, list) else set()
    return {roots.get(session, session) for session in sessions}
