"""Which calls are worth repeating: few that cover much, and why each was chosen."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from warm_tui.errors import Trouble
from warm_tui.reliability.again import same_call
from warm_tui.reliability.fingerprint import fingerprint_of
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.retries import REMEMBERED, same_aim, way_out, worked_short
from warm_tui.reliability.searches import found_nothing
from warm_tui.reliability.session_outcome import Reached
from warm_tui.reliability.shape import shape_of, words_of
from warm_tui.reliability.targets import works_on_other_things
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.counterparts import Counterpart
from warm_tui.sessions.excerpt import excerpt, is_long
from warm_tui.sessions.model import Call, as_number
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.transcript import Item
from warm_tui.templates.foreign import foreign_in
from warm_tui.templates.model import Chooser, Origin, Pattern, Whose
from warm_tui.templates.outside import Follower, speaker_of
from warm_tui.templates.shorten import MOST_CONTEXT, short_context, shorten, shorten_arguments
from warm_tui.templates.visible import visible

MOST_RESULT = 1_500
MOST_ARGUMENTS = 3_000
WORST_ERROR_RATE = 0.5


class Candidate(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call with what led to it."""

    call: Call
    tool: str
    """What its tool is called where it is told again; nothing where it has no counterpart there."""
    life: str
    """The first session of the life it was made in."""
    verdict: Verdict
    arguments: dict[str, Any] | None
    context: str
    """The last that the user said before it."""
    whose: Whose = Whose()
    kind: str
    mends: Candidate | None = None
    """The failed call before it, where this one mended that."""
    then_again: bool = False
    """It is what was changed, after which the same call as before worked."""
    family: str = ""
    """The family of failures that it is one of, or that it mended."""
    shape: str
    source: str
    task_type: str
    recorded_at: float | None
    outcome: Reached = "unknown"
    """What came of its session."""
    agent: str = ""
    """What recorded it, where that is not the agent that is warmed."""
    told: Counterpart | None = None

    @property
    def name(self) -> tuple[str, str]:
        """The session it was made in, and its key there."""
        return self.call.session_id, self.call.key

    @property
    def fixed(self) -> str:
        """Why the call that it mended had failed."""
        return (self.mends.verdict.reason or self.mends.verdict.kind) if self.mends else ""

    @property
    def signs(self) -> tuple[str, ...]:
        """By which rules something that would be told of it, and came from outside, reads like instructions."""
        if "outside" not in (self.whose.context, self.whose.arguments, self.whose.result) and self.mends is None:
            return ()
        pattern = plain_pattern(self, keep_invisible=True, with_failure=True)
        return tuple(dict.fromkeys(sign for text in foreign_in(pattern, 0) for sign in text.signs))

    @property
    def is_pair(self) -> bool:
        """Whether it can be told with the failure that it mended."""
        return self.mends is not None and bool(self.mends.tool) and self.mends.arguments is not None

    @property
    def good(self) -> bool:
        """Succeeded for certain, and can be told."""
        known = self.verdict.outcome == "success" and self.verdict.confidence != "likely"
        return known and self.arguments is not None and bool(self.tool)


OF_ITS_OWN = "is a plan, a question, or a look into the agent's own head: it is not picked."
"""Why a call that counts for nothing is no candidate."""


class Failed(NamedTuple):
    """A failure that may yet be mended."""

    at: int
    candidate: Candidate
    words: set[str]


def qualifies(profile: Profile, min_messages: int, source: str = "") -> bool:
    """Worth mining: long enough, not mostly failing, and not the noise of a timer."""
    if source and profile.source != source:
        return False
    if profile.source == "cron" and source != "cron":
        return False
    calm = profile.error_rate is not None and profile.error_rate <= WORST_ERROR_RATE
    return profile.message_count >= min_messages and calm


def candidates_of(
    items: Sequence[Item], verdicts: Mapping[tuple[str, str], Verdict], profile: Profile, facts: AgentFacts
) -> list[Candidate]:
    """Every call of one life that counts, with the last words of the user before it, however far back.

    What the agent said before it is left out: it may repeat what it had read anywhere.
    """
    candidates: list[Candidate] = []
    follower = Follower(facts, speaker_of(profile, facts))
    calls = [item.call for item in items if item.call is not None and not item.call.trivial]
    first, last = (calls[0], calls[-1]) if calls else (None, None)
    failed: deque[Failed] = deque(maxlen=REMEMBERED)
    for call, user_words in _calls_that_count(items, profile, facts):
        verdict = verdicts[call.session_id, call.key]
        tool, arguments, counterpart = _told(call, facts)
        place = "init" if call is first else "final" if call is last else "sequence"
        if is_long(call.arguments):
            call = msgspec.structs.replace(call, arguments=excerpt(call.arguments))
        mends = _mended(failed, candidates, call, verdict, arguments or {}) if verdict.outcome == "success" else None
        family = mends.family if mends else ""
        if verdict.outcome == "failure":
            family = fingerprint_of(call, verdict, facts).id
        kind = "retry" if mends else place
        candidates.append(
            Candidate(
                call=call,
                tool=tool,
                life=profile.life,
                verdict=verdict,
                arguments=arguments,
                context=user_words,
                whose=follower.whose(call, arguments or {}),
                kind=kind,
                mends=mends,
                family=family,
                shape=shape_of(tool or call.tool_name, arguments or {}),
                source=profile.source,
                task_type=profile.task_type,
                recorded_at=as_number(call.timestamp) or profile.started_at,
                outcome=profile.outcome,
                agent=facts.agent if facts.counterparts is not None else "",
                told=counterpart,
            )
        )
        if verdict.outcome == "failure":
            failed.append(Failed(len(candidates) - 1, candidates[-1], words_of(arguments or {})))
    return candidates


def _calls_that_count(items: Sequence[Item], profile: Profile, facts: AgentFacts) -> Iterator[tuple[Call, str]]:
    """Each with the last words of the user before it."""
    user_words = facts.words_of_user(profile.first_message or "")
    for item in items:
        if item.kind == "user":
            user_words = facts.words_of_user(excerpt(item.text)) or user_words
        if item.call is not None and not item.call.trivial:
            yield item.call, user_words


def _told(call: Call, facts: AgentFacts) -> tuple[str, dict[str, Any] | None, Counterpart | None]:
    """A call's tool and arguments in the words of the agent that is warmed."""
    arguments = _object(call.arguments)
    if facts.counterparts is None:
        return call.tool_name, arguments, None
    counterpart = facts.counterparts.get(call.tool_name)
    if counterpart is None:
        return "", arguments, None
    return counterpart.tool, None if arguments is None else counterpart.arguments(arguments), counterpart


def candidate_of(
    call: Call,
    items: Sequence[Item],
    verdicts: Mapping[tuple[str, str], Verdict],
    profile: Profile,
    facts: AgentFacts,
) -> Candidate | None:
    """One call, from all that was said and done in its life; None where it counts for nothing."""
    wanted = (call.session_id, call.key)
    return next((each for each in candidates_of(items, verdicts, profile, facts) if each.name == wanted), None)


def _mended(
    failed: deque[Failed], candidates: list[Candidate], call: Call, verdict: Verdict, arguments: dict[str, Any]
) -> Candidate | None:
    """A call just before that failed, and asked the same tool for much the same; one success mends it.

    Where the same call worked after something was changed, that is told to have mended it, and this one nothing.
    """
    words = words_of(arguments)

    def tried_again(before: Failed) -> bool:
        other = before.candidate.call
        if other.tool_name != call.tool_name or call.position - other.position > REMEMBERED:
            return False
        is_alike = same_call(other, call) or same_aim(words, before.words)
        return is_alike and not works_on_other_things(other.arguments, call.arguments)

    # What had failed before the last of them failed in another way, or was tried again in vain: it is over, too.
    same = [each for each in failed if tried_again(each)]
    if not same:
        return None
    first, recent = same[0].at, candidates[same[0].at :]
    calls, verdicts = [*(each.call for each in recent), call], [*(each.verdict for each in recent), verdict]
    tries = [each.at - first for each in same]
    if found_nothing(call):
        # It was looked for where it could be: what is found by another search is no answer to what had failed.
        for each in same:
            failed.remove(each)
        return None
    if any(worked_short(calls, verdicts, each, len(recent)) for each in tries):
        return None
    for each in same:
        failed.remove(each)
    way = way_out(calls, verdicts, tries, len(recent))
    if way is None:
        return None
    if not way.again:
        return recent[way.since]
    if recent[way.at].mends is None:
        candidates[first + way.at] = msgspec.structs.replace(
            recent[way.at], mends=recent[way.since], kind="retry", family=recent[way.since].family, then_again=True
        )
    return None


def _object(arguments: str) -> dict[str, Any] | None:
    for text in dict.fromkeys((excerpt(arguments), arguments)):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def pattern_of(
    candidate: Candidate,
    redactor: Redactor,
    *,
    chosen_by: Chooser,
    why: str,
    success_count: int = 1,
    session_types: tuple[str, ...] = (),
    keep_invisible: bool = False,
    with_failure: bool = False,
) -> Pattern:
    """The call as a pattern, shortened. What is cut is masked before: half a secret would not be known as one.

    With the failure that it mended, the two are one pattern.
    """
    if not candidate.tool:
        name = candidate.call.tool_name
        raise Trouble(f"Hermes has no counterpart of {candidate.agent}'s {name}: the call is not picked.")
    pattern = plain_pattern(candidate, redactor, keep_invisible=keep_invisible, with_failure=with_failure)
    mended = pattern.mended
    if mended is not None and candidate.mends is not None:
        mended = msgspec.structs.replace(mended, origin=_origin(candidate.mends, chosen_by, candidate.fixed))
    return msgspec.structs.replace(
        pattern,
        mended=mended,
        success_count=success_count,
        session_types=session_types or (candidate.task_type,),
        origin=_origin(candidate, chosen_by, why),
    )


def _origin(candidate: Candidate, chosen_by: Chooser, why: str) -> Origin:
    call = candidate.call
    return Origin(
        session_id=call.session_id,
        call=call.key,
        position=call.position,
        agent=candidate.agent,
        source=candidate.source,
        recorded_at=candidate.recorded_at,
        chosen_by=chosen_by,
        why=why,
    )


def plain_pattern(
    candidate: Candidate,
    redactor: Redactor | None = None,
    *,
    keep_invisible: bool = False,
    with_failure: bool = False,
) -> Pattern:
    """What is told of a call. Without a redactor it is fit for being counted, and for nothing else.

    Of a very long text, the excerpt is looked at: what is beyond it would be cut anyway.
    """
    mended = None
    if with_failure and candidate.mends is not None and candidate.is_pair:
        mended = plain_pattern(candidate.mends, redactor, keep_invisible=keep_invisible)
        mended = msgspec.structs.replace(mended, context="", whose=msgspec.structs.replace(mended.whose, context=""))
    call = candidate.call
    words = call.report.words if call.report and call.report.words else call.result or ""
    result, context = told_result(excerpt(words if candidate.told else call.result or "")), excerpt(candidate.context)
    if candidate.told is not None:
        result = candidate.told.result(result)
    arguments = candidate.arguments
    if not keep_invisible:
        result, arguments, context = visible((result, arguments, context))
    if len(result) > MOST_RESULT:
        result = shorten(redactor.redact(result) if redactor else result, MOST_RESULT)
    if arguments is not None and len(call.arguments) > MOST_ARGUMENTS:
        if redactor:
            arguments = redactor.mask_within(arguments, [each.value for each in redactor.secrets_within(arguments)])
        arguments = shorten_arguments(arguments, MOST_ARGUMENTS)
    if len(context) > MOST_CONTEXT:
        context = short_context(redactor.redact(context) if redactor else context)
    return Pattern(
        tool_name=candidate.tool,
        arguments=arguments,
        result=result,
        context=context,
        kind=candidate.kind,
        succeeded=candidate.verdict.outcome == "success",
        whose=candidate.whose,
        mended=mended,
    )


def told_result(result: str) -> str:
    """Without the warning that a guard of the agent may have put behind the JSON."""
    if not result.startswith("{"):
        return result
    try:
        value, end = json.JSONDecoder().raw_decode(result)
    except (ValueError, RecursionError):
        return result
    rest = result[end:].strip()
    return result[:end] if isinstance(value, dict) and rest.startswith("[") and rest.endswith("]") else result
