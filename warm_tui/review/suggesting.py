"""What could be made better of the templates, from what sessions showed: pure, and each with what speaks for it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from warm_tui.reliability.again import may_change
from warm_tui.reliability.families import Family
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.recorded_failures import kept_shape, told_call
from warm_tui.reliability.words import command_of
from warm_tui.sessions.text import plural
from warm_tui.templates.building import type_of
from warm_tui.templates.choosing import Choice
from warm_tui.templates.model import Pattern, Template

Kind: TypeAlias = Literal["mend", "success", "stale", "same", "no help", "split", "first"]
COSTLY_CALLS, COSTLY_SESSIONS = 6, 2
"""A family that took fewer is no reason to change a template."""
PROVEN = 2
"""What mended a family once may have done so by chance."""
OFTEN = 5
"""In so many sessions a call succeeded before it is worth showing."""
MANY_SESSIONS = 10
"""Of a kind of work, before it is worth a template; and without a tool, before it is taken for gone."""
PART = 3
"""So many patterns of another kind of work are worth a template of their own."""
MOST_MENDS = 10
ALIKE = 3
"""So often in a row the same call has to answer alike, and not as the pattern says, before that is out of date."""
LONGEST_SHOWN = 60
BEGUN: Mapping[str, str] = {"mend": "mends", "success": "what-works"}
"""What has no template to go to goes to one of these: not each to one of its own."""


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    kind: Kind
    template: str
    """Which it would change; empty where a new one would be made."""
    words: str
    """What it would do."""
    evidence: tuple[str, ...]
    effect: tuple[str, ...]
    calls: tuple[tuple[str, str], ...] = ()
    """To be picked: each by its session and key."""
    patterns: tuple[str, ...] = ()
    """To be left out, or to become a template of their own."""
    family: str = ""
    task_type: str = ""

    @property
    def into(self) -> str:
        """The template that it would change, or that it would begin; nothing where that is to be called by its work."""
        return self.template or BEGUN.get(self.kind, "")


class Answer(NamedTuple):
    """What a call that a pattern shows was answered since, as it would be told."""

    at: float
    result: str
    call: tuple[str, str]


class Unhelpful(NamedTuple):
    """What a trial showed of a state of a template."""

    content: str
    harms: bool
    told: str


class Facts(NamedTuple):
    templates: Sequence[Template]
    families: Sequence[Family]
    """Those that cost most first."""
    profiles: Sequence[Profile]
    """Of sessions at their end, the newest first."""
    choices: Sequence[Choice]
    """The best of the new sessions' calls."""
    unhelpful: Mapping[str, Unhelpful] = {}
    """By template: those that do harm, and those that showed no help though there were sessions enough."""
    answers: Mapping[str, Sequence[Answer]] = {}
    """By the call of a pattern, in the order of their times."""


def suggested(facts: Facts) -> list[Suggestion]:
    return [
        *_mends(facts), *_successes(facts), *_stale(facts), *_out_of_date(facts), *_same(facts), *_no_help(facts),
        *_split(facts), *_first(facts),
    ]  # fmt: skip


def key_of(pattern: Pattern) -> str:
    """By which a pattern is known, wherever it stands in its template."""
    told = [pattern.tool_name, pattern.arguments, pattern.result]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]


def call_of(tool: str, arguments: Mapping[str, object] | None) -> str:
    """The very same call, and not one like it."""
    return json.dumps([tool, arguments], sort_keys=True, default=str)


def _made(kind: Kind, template: str, subject: str, words: str, **fields: object) -> Suggestion:
    name = hashlib.sha256("\0".join((kind, template, subject)).encode()).hexdigest()[:12]
    return msgspec.convert({"id": name, "kind": kind, "template": template, "words": words, **fields}, Suggestion)


def shown_shapes(templates: Iterable[Template]) -> set[str]:
    return {
        kept_shape(each.tool_name, each.arguments)
        for template in templates
        for each in template.patterns
        if each.arguments is not None
    }


def _mends(facts: Facts) -> Iterator[Suggestion]:
    """What mended a family that keeps costing, and that no template shows."""
    covered, made = shown_shapes(facts.templates), 0
    for family in facts.families:
        mend = next((each for each in family.mends if each.worked >= PROVEN and 2 * each.worked > each.tried), None)
        costly = family.lost >= COSTLY_CALLS and len(family.lives) >= COSTLY_SESSIONS
        if mend is None or not costly or family.state in ("muted", "resolved") or mend.shape in covered:
            continue
        template = _template_for(facts.templates, family.tool)
        yield _made(
            "mend", template, f"{family.id} {mend.shape}", f"show what mends it: {mend.words or mend.shape}",
            evidence=(
                _told(family),
                f"this worked in {mend.worked:,} of {mend.tried:,} tries after it",
            ),
            effect=(f"speaks to a family of failures that cost {plural(family.lost, 'call')}",),
            calls=((mend.session_id, mend.call),), family=family.id,
        )  # fmt: skip
        made += 1
        if made == MOST_MENDS:
            return


def _told(family: Family) -> str:
    often = f"{plural(family.count, 'time')} in {plural(len(family.lives), 'session')}"
    return f"{family.title} ({family.tool}): failed {often}"


def _template_for(templates: Sequence[Template], tool: str) -> str:
    """The one that shows most of this tool; none where no template does."""
    counts = {each.name: sum(pattern.tool_name == tool for pattern in each.patterns) for each in templates}
    best = max(counts, key=lambda name: (counts[name], name), default="")
    return best if counts.get(best) else ""


def _successes(facts: Facts) -> Iterator[Suggestion]:
    covered = shown_shapes(facts.templates)
    for choice in facts.choices:
        candidate = choice.candidate
        shape = kept_shape(candidate.tool, candidate.arguments or {})
        # What only looks at something is found by every agent by itself.
        looks = bool(command_of(candidate.call.arguments)) and not may_change(candidate.call)
        if choice.success_count >= OFTEN and candidate.mends is None and shape not in covered and not looks:
            yield _made(
                "success", _template_for(facts.templates, candidate.tool), shape,
                f"show what works often: {told_call(candidate.tool, candidate.call.arguments)}",
                evidence=(choice.why.split("; ")[0],), effect=("spares the agent to find it out",),
                calls=(candidate.name,),
            )  # fmt: skip


def _stale(facts: Facts) -> Iterator[Suggestion]:
    """Its shape fails by now, or its tool is used no more."""
    failing: dict[str, Family] = {}
    for each in facts.families:
        for shape in each.shapes if each.state not in ("muted", "resolved") else ():
            failing.setdefault(shape, each)
    for template in facts.templates:
        for at, pattern in enumerate(template.patterns):
            shape, since = kept_shape(pattern.tool_name, pattern.arguments or {}), pattern.origin.recorded_at
            if since is None:
                continue
            family = failing.get(shape)
            failed = sum(call.at > since for call in family.calls) if family else 0
            later = [p for p in facts.profiles if (p.started_at or 0.0) > since]
            why = ""
            if family and failed >= OFTEN:
                why = f"since it was recorded, calls of its shape failed {plural(failed, 'time')}: {family.title}"
            elif len(later) >= MANY_SESSIONS and not any(pattern.tool_name in p.tool_distribution for p in later):
                why = f"none of the {plural(len(later), 'session')} since it was recorded used {pattern.tool_name}"
            if why:
                yield _made(
                    "stale", template.name, key_of(pattern), f"leave out pattern {at + 1} ({pattern.tool_name})",
                    evidence=(why,), effect=("the model is not shown what works no more",),
                    patterns=(key_of(pattern),), family=family.id if family else "",
                )  # fmt: skip


def _same(facts: Facts) -> Iterator[Suggestion]:
    for template in facts.templates:
        first: dict[str, int] = {}
        for at, pattern in enumerate(template.patterns):
            if pattern.arguments is None or pattern.mended is not None:
                continue
            before = first.setdefault(kept_shape(pattern.tool_name, pattern.arguments), at)
            if before != at:
                words = f"leave out pattern {at + 1}: it says the same as pattern {before + 1}"
                yield _made(
                    "same", template.name, key_of(pattern), words,
                    evidence=(f"both are {pattern.tool_name} calls of one shape",),
                    effect=("the template takes fewer tokens, and teaches as much",), patterns=(key_of(pattern),),
                )  # fmt: skip


def _out_of_date(facts: Facts) -> Iterator[Suggestion]:
    """Its call is answered otherwise by now, and always alike: what changes from call to call is no news."""
    for template in facts.templates:
        for at, pattern in enumerate(template.patterns):
            since = pattern.origin.recorded_at
            if since is None or pattern.mended is not None:
                continue
            answers = facts.answers.get(call_of(pattern.tool_name, pattern.arguments), ())
            later = [each for each in answers if each.at > since]
            last = later[-ALIKE:]
            if len(last) < ALIKE or len({each.result for each in last}) > 1 or last[-1].result == pattern.result:
                continue
            before, now = _where_they_differ(pattern.result, last[-1].result)
            yield _made(
                "stale", template.name, f"{key_of(pattern)} result",
                f"show what pattern {at + 1} ({pattern.tool_name}) answers now",
                evidence=(
                    f"the last {ALIKE} times the same call was answered alike, and otherwise",
                    f"its answer was “{before}”, and is “{now}”",
                ),
                effect=("the model is not shown a result that is out of date",),
                calls=(last[-1].call,), patterns=(key_of(pattern),),
            )  # fmt: skip


def _where_they_differ(before: str, after: str) -> tuple[str, str]:
    """The first line of each that the other has not there."""
    pairs = zip_longest(before.split("\n"), after.split("\n"), fillvalue="")
    old, new = next((pair for pair in pairs if pair[0] != pair[1]), (before, after))
    shorter = min(len(old), len(new))
    same = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    begin = max(0, same - LONGEST_SHOWN // 3)
    return old[begin : begin + LONGEST_SHOWN], new[begin : begin + LONGEST_SHOWN]


def _no_help(facts: Facts) -> Iterator[Suggestion]:
    """Known by what was tried: another state of it is tried anew."""
    for template in facts.templates:
        found = facts.unhelpful.get(template.name)
        if found is not None:
            words = "it does not help" if found.harms else "no help is shown"
            effect = "sessions that begin with it fail less often"
            if not found.harms:
                effect = "sessions take fewer tokens without it"
            yield _made(
                "no help", template.name, f"{found.harms} {found.content}", f"look at it again: {words}",
                evidence=(found.told,), effect=(effect,),
            )  # fmt: skip


def _split(facts: Facts) -> Iterator[Suggestion]:
    """It serves two kinds of work, each with patterns enough."""
    for template in facts.templates:
        by_type: dict[str, list[Pattern]] = defaultdict(list)
        for pattern in template.patterns:
            for task_type in pattern.session_types[:1]:
                by_type[task_type].append(pattern)
        parts = sorted(((len(each), name) for name, each in by_type.items() if len(each) >= PART), reverse=True)
        for _, name in parts[1:]:
            yield _made(
                "split", template.name, name, f"make the {len(by_type[name])} patterns of {name} work a template",
                evidence=(", ".join(f"{count} of {each} work" for count, each in parts),),
                effect=("a session gets what its kind of work needs, with fewer tokens",),
                patterns=tuple(map(key_of, by_type[name])), task_type=name,
            )  # fmt: skip


def _first(facts: Facts) -> Iterator[Suggestion]:
    """Much work of a kind that no template is for."""
    work = Counter(each.task_type for each in facts.profiles if each.tool_call_count >= OFTEN)
    served = {type_of(template) for template in facts.templates}
    for task_type, sessions in work.most_common():
        calls = [each.candidate.name for each in facts.choices if task_type in each.session_types]
        if sessions >= MANY_SESSIONS and task_type not in (*served, "mixed") and calls:
            yield _made(
                "first", "", task_type, f"make a first template for {task_type} work",
                evidence=(f"{plural(sessions, 'session')} of {task_type} work, and no template for it",),
                effect=(f"begins with {plural(len(calls), 'call')} that worked",),
                calls=tuple(calls), task_type=task_type,
            )  # fmt: skip
