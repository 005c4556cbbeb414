"""The profile of a life: of all its sessions as one, and of each by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import force_setattr, replace

from warm_tui.reliability.failure_records import LifeFailures
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Profile, profile_session, verdicts_on
from warm_tui.reliability.session_outcome import SessionOutcome
from warm_tui.sessions.learning import Learned, counted, learned_in
from warm_tui.sessions.lineage import Life, as_one
from warm_tui.sessions.model import Relation


def verdicts_in(life: Life, own: Mapping[str, Mapping[str, Verdict]]) -> list[list[Verdict]]:
    """On the calls of each session of a life; `own`: the operator's, by session."""
    return [verdicts_on(part.calls, life.facts, own.get(member.id)) for member, part, _ in life.walk()]


def profile_life(
    life: Life,
    relation: Relation,
    own: Mapping[str, Mapping[str, Verdict]],
    verdicts: Sequence[Sequence[Verdict]],
    failures: LifeFailures,
    own_outcome: SessionOutcome | None = None,
    noted: Sequence[Learned] = (),
) -> Profile:
    """The profile of all that was done in a life: the same whether it was compacted in place or chained.

    `relation`: how its first session came to be; `own`: the operator's verdicts, by session; `own_outcome`: what
    a person or a check said came of it; `noted`: what the agent's own reviews were seen to keep.
    """
    from warm_tui.reliability.endings import ending_of, judge_ending

    facts = life.facts
    relations: list[Relation] = [relation, *["compression_chain"] * (len(life.parts) - 1)]  # type: ignore[list-item]
    parts = [
        profile_session(member, part, how, facts, own.get(member.id), judged_so)
        for member, part, judged_so, how in zip(life.sessions, life.parts, verdicts, relations, strict=True)
    ]
    for number, each in enumerate(parts):
        force_setattr(each, "families", failures.counted(number))
    learned = [
        learned_in(member.id, messages, part.calls, facts, _of(member.id, noted))
        for member, part, messages in life.walk()
    ]
    for each, kept in zip(parts, learned, strict=True):
        _set_learned(each, kept)
    ends = [judge_ending(ending_of(member, messages, facts), facts) for member, _, messages in life.walk()]
    for part, end in zip(parts, ends, strict=True):
        _set_outcome(part, end, own_outcome if part is parts[-1] else None)
    if len(parts) == 1:
        return parts[0]
    name, together = life.sessions[0].id, [verdict for each in verdicts for verdict in each]
    whole = profile_session(as_one(life.sessions), life.as_one, relation, facts, verdicts=together)
    _set_outcome(whole, ends[-1], own_outcome)
    _set_learned(whole, [write for kept in learned for write in kept])
    return replace(
        whole,
        relation="compression_chain" if relation == "none" else relation,
        own_verdicts=sum(part.own_verdicts for part in parts),
        families=failures.counted(),
        parts=tuple(replace(part, part_of=name) for part in parts),
    )


def _of(session_id: str, noted: Sequence[Learned]) -> list[Learned]:
    return [each for each in noted if each.session_id == session_id]


def _set_learned(profile: Profile, learned: Sequence[Learned]) -> None:
    if learned:
        force_setattr(profile, "learned", dict(counted(learned)))
        force_setattr(profile, "learned_by_review", sum(each.by == "review" for each in learned))


def _set_outcome(profile: Profile, ours: SessionOutcome, own: SessionOutcome | None) -> None:
    """In one that was just made, and that nobody has seen yet: making it again takes long."""
    holds = own or ours
    force_setattr(profile, "outcome", holds.reached)
    force_setattr(profile, "outcome_reason", holds.reason)
    force_setattr(profile, "outcome_confidence", holds.confidence)
    force_setattr(profile, "ruled_outcome", ours if own else None)
