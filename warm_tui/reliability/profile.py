"""How a session went, in numbers: the profile that is listed, sorted, cached and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.rates import rates_of, tally_of
from warm_tui.reliability.session_outcome import Reached, SessionOutcome, Sure
from warm_tui.sessions.lineage import as_one
from warm_tui.sessions.model import Call, Relation, Session, SessionName, sign_of
from warm_tui.sessions.pairing import Paired
from warm_tui.sessions.source import AgentFacts


class Profile(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The profile of a life, or of one session of it. What cannot be known is None, never a zero."""

    session_id: str
    title: str | None = None
    source: str = ""
    model: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: str | None = None
    duration_seconds: float | None = None
    message_count: int = 0
    tool_call_count: int = 0
    successful_calls: int = 0
    failed_calls: int = 0
    unknown_calls: int = 0
    error_rate: float | None = None
    error_rate_low: float | None = None
    error_rate_high: float | None = None
    early_error_rate: float | None = None
    late_error_rate: float | None = None
    proficiency_gain: float | None = None
    adjusted_gain: float | None = None
    tool_distribution: dict[str, int] = {}
    tool_success_rates: dict[str, float | None] = {}
    dominant_tool_type: str = "general"
    task_type: str = "mixed"
    first_30_error_rate: float | None = None
    calls_to_first_success: int | None = None
    tool_diversity: int = 0
    longest_failure_streak: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    auxiliary_tokens: int | None = None
    """Of all these, what was spent beside the work: on summaries, titles, pictures."""
    cost_usd: float | None = None
    auxiliary_cost_usd: float | None = None
    """Of the cost, in the same way."""
    compactions: int = 0
    relation: Relation = "none"
    parent_session_id: str | None = None
    agent: str = ""
    home: str = ""
    """In which of the agent's homes it stands."""
    machine: str = ""
    """Which one that home is on; nothing for this one."""
    project: str | None = None
    """The folder it worked in."""
    outcome: Reached = "unknown"
    """Whether it reached its goal."""
    outcome_reason: str = ""
    outcome_confidence: Sure = "certain"
    learned: dict[str, int] = {}
    """What it kept for later sessions: how often in memory, in the user profile, and as a skill."""
    learned_by_review: int = 0
    """Of these, what the agent's own review of the session kept."""
    part_of: str | None = None
    """The life that this is one session of, where sessions are told apart that compaction made of one."""

    # Known beside the contract: for filters, screens and comparisons.
    handed_on: bool = False
    """It ended by compaction: another session goes on from it."""
    kinds: dict[str, int] = {}
    first_message: str = ""
    course: str = ""
    """Call by call, how it went: a letter of COURSE each, the trivial left out, as far as LONGEST_COURSE."""
    tool_failures: dict[str, tuple[int, int]] = {}
    """Failures and calls of each tool, where the verdict is known."""
    seconds_to_first_success: float | None = None
    own_verdicts: int = 0
    """How many of its calls the operator judged for themselves."""
    families: dict[str, int] = {}
    """How often calls failed in the way of each family of failures."""
    ruled_outcome: SessionOutcome | None = None
    """What the rules say came of it, where a person, or a check, said what holds."""
    first_tool_type: str = "general"
    """What its first calls were."""
    course_tools: str = ""
    """Which tool made each call of the course: the letter from FIRST_LETTER on at its place in `tool_distribution`."""
    parts: tuple[Profile, ...] = ()
    """A life of several sessions: the profile of each, the first first."""

    @property
    def session_ids(self) -> tuple[str, ...]:
        """All sessions of the life, the first of which names it."""
        return tuple(part.session_id for part in self.parts) or (self.session_id,)

    @property
    def name(self) -> SessionName:
        """The id is its own, also where it is shown behind its agent or its home, to tell it from another's."""
        places = (f"{place}/" for place in (self.machine, self.agent, self.home) if place)
        before = next((place for place in places if self.session_id.startswith(place)), "")
        return SessionName(self.session_id.removeprefix(before), sign_of(self.agent, self.home, self.started_at))

    @property
    def names(self) -> tuple[SessionName, ...]:
        """Of each session of the life, the first first."""
        return tuple(part.name for part in self.parts or (self,))

    def holds(self, session_id: str) -> bool:
        """By its id, or where another life has that, too, by the name that tells it apart."""
        return any(name == session_id or name.endswith(f"/{session_id}") for name in self.session_ids)

    @property
    def life(self) -> str:
        return self.part_of or self.session_id

    @property
    def known_calls(self) -> int:
        """Those with a verdict: what the error rate is of."""
        return self.successful_calls + self.failed_calls

    @property
    def learned_in_all(self) -> int:
        return sum(self.learned.values())

    @property
    def total_tokens(self) -> int | None:
        """As the agent's own totals are: what went through a cache is in them."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens + (self.cache_read_tokens or 0) + (self.cache_write_tokens or 0)

    @property
    def known_tokens(self) -> int | None:
        """What it adds to a sum: what other models did beside work that nobody counted was spent all the same."""
        return self.auxiliary_tokens if self.total_tokens is None else self.total_tokens


INTERNAL_FIELDS = (
    "handed_on", "kinds", "first_message", "course", "tool_failures", "seconds_to_first_success", "own_verdicts",
    "families", "ruled_outcome", "first_tool_type", "course_tools", "parts",
)  # fmt: skip
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
PUBLIC_FIELDS = (
    *(name for name in Profile.__struct_fields__ if name not in INTERNAL_FIELDS),
    "total_tokens",
    "session_ids",
)
FIRST_MESSAGE_LENGTH = 500


def public(profile: Profile) -> dict[str, Any]:
    """The fields that scripts may rely on, in the order of the contract."""
    return {name: getattr(profile, name) for name in PUBLIC_FIELDS}


Judged: TypeAlias = tuple[Call, Verdict]


def judged(calls: Iterable[Call], facts: AgentFacts, own: Mapping[str, Verdict] | None = None) -> list[Judged]:
    """Each call with its verdict; the operator's own, by call id, wins."""
    from warm_tui.reliability.verdict import verdict_on

    return [(call, verdict_on(call, facts.stand_ins, own)) for call in calls]


def unprofiled(life: Sequence[Session]) -> Profile:
    """What is known of a life before its calls are looked at."""
    return Profile(**_basics(as_one(life)))


def _basics(session: Session) -> dict[str, Any]:
    return {
        "session_id": session.id,
        "title": session.title,
        "source": session.source,
        "model": session.model,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "end_reason": session.end_reason,
        "handed_on": session.handed_on,
        "cost_usd": session.cost_usd,
        "auxiliary_cost_usd": (
            None if session.cost_usd is None or session.auxiliary_tokens is None else session.auxiliary_cost_usd
        ),
        "parent_session_id": session.came_from,
        "agent": session.agent,
        "home": session.home,
        "project": session.project,
    }


def profile_session(
    session: Session,
    paired: Paired,
    relation: Relation,
    facts: AgentFacts,
    own: Mapping[str, Verdict] | None = None,
    verdicts: Sequence[Verdict] | None = None,
) -> Profile:
    """The profile of the calls made in this very session, those it inherited left out."""
    calls = paired.calls
    tally = tally_of(calls, verdicts_on(calls, facts, own) if verdicts is None else verdicts)
    return Profile(
        **_basics(session),
        duration_seconds=_worked(session, paired),
        message_count=paired.message_count,
        **rates_of(tally, facts),
        seconds_to_first_success=_seconds(session.started_at, tally.first_success),
        **_tokens(session, paired.replies),
        # A chained session begins with the cut that made it.
        compactions=paired.compactions + (relation == "compression_chain"),
        relation=_relation(relation, paired.compactions),
        first_message=paired.first_user[:FIRST_MESSAGE_LENGTH],
        own_verdicts=sum(call.key in own for call in calls) if own else 0,
    )


def verdicts_on(calls: Sequence[Call], facts: AgentFacts, own: Mapping[str, Verdict] | None) -> list[Verdict]:
    from warm_tui.reliability.verdict import judge, verdict_on

    stand_ins = facts.stand_ins
    if own or True in [call.rewound for call in calls]:
        return [verdict_on(call, stand_ins, own) for call in calls]
    return [judge(call.arguments, call.result, stand_ins, call.report) for call in calls]


def profile_calls(
    session: Session, calls: Sequence[Judged], messages: int, compactions: int, facts: AgentFacts
) -> Profile:
    """The profile of a part of a life, from its calls. What nobody counted by parts, like tokens, is unknown."""
    tally = tally_of([call for call, _ in calls], [verdict for _, verdict in calls])
    times = [call.timestamp for call, _ in calls if call.timestamp is not None]
    started, ended = (min(times), max(times)) if times else (None, None)
    basics = _basics(session) | {"started_at": started, "ended_at": ended, "end_reason": None, "cost_usd": None}
    basics["auxiliary_cost_usd"] = None
    basics["handed_on"] = False
    return Profile(
        **basics,
        duration_seconds=_duration(started, ended),
        message_count=messages,
        compactions=compactions,
        **rates_of(tally, facts),
        seconds_to_first_success=_seconds(started, tally.first_success),
    )


def _relation(relation: Relation, compactions: int) -> Relation:
    return "compression_in_place" if relation == "none" and compactions else relation


def _worked(session: Session, paired: Paired) -> float | None:
    """From the first message to the last: sessions are opened before, and closed long after, the work.

    Where nobody noted when messages were written, from the session's start to its end.
    """
    if not paired.message_count:
        return None
    began = session.started_at if paired.first_timestamp is None else paired.first_timestamp
    return _duration(began, session.ended_at if paired.last_timestamp is None else paired.last_timestamp)


def _duration(started: float | None, ended: float | None) -> float | None:
    """Clocks step back, but time does not."""
    return max(0.0, ended - started) if started is not None and ended is not None else None


def _seconds(started: float | None, call: Call | None) -> float | None:
    return _duration(started, call.timestamp) if call is not None else None


def _tokens(session: Session, replies: int) -> dict[str, Any]:
    """None where nothing was counted of the work though the model has replied: nobody counted."""
    if replies and sum(session.tokens[: len(TOKENS)]) <= (session.auxiliary_tokens or 0):
        return {"auxiliary_tokens": session.auxiliary_tokens or None}
    return {**dict(zip(TOKENS, session.tokens, strict=False)), "auxiliary_tokens": session.auxiliary_tokens}
