"""What an agent kept of a session for later ones: in its memory, in what it knows of the user, and as skills.

Told from recorded calls, as the agent itself tells it: those that were made there, and that kept something. Some are
the session's own; others are made by a review that the agent holds afterwards, of what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from warm_tui.sessions.model import Call, Message
from warm_tui.sessions.source import AgentFacts, Keeps

Origin: TypeAlias = Literal["turn", "review"]


class Learned(NamedTuple):
    """One write, in the agent's own words."""

    session_id: str
    call: str
    what: Keeps
    words: str
    by: Origin
    at: float | None


def learned_in(
    session_id: str,
    messages: Sequence[Message],
    calls: Iterable[Call],
    facts: AgentFacts,
    noted: Sequence[Learned] = (),
) -> list[Learned]:
    """In one session, in their order. `noted`: what was written down of a review, which the agent does not record."""
    keeping = facts.keeping_tools
    writes = [call for call in calls if call.tool_name in keeping and not call.rewound and call.result]
    if not writes:
        return list(noted)
    reviewing = _reviews_in(messages, facts)
    found = []
    for call in writes:
        kept = facts.kept_by(call.tool_name, call.arguments, call.result or "")
        if kept:
            by: Origin = "review" if call.message_id in reviewing else "turn"
            found.append(Learned(session_id, call.key, *kept, by, call.timestamp))
    recorded = {each.call for each in found}
    return [*found, *(each for each in noted if each.call not in recorded)]


def _reviews_in(messages: Sequence[Message], facts: AgentFacts) -> set[int]:
    """The messages of turns in which the agent, not the user, asked: earlier ones wrote them into the session."""
    asked = [message.text for message in messages if message.role == "user"]
    inside, found = False, set[int]()
    for message in messages if any(map(facts.opens_review, asked)) else ():
        if message.role == "user":
            inside = facts.opens_review(message.text)
        if inside:
            found.add(message.id)
    return found


def counted(learned: Iterable[Learned]) -> Mapping[str, int]:
    return Counter(each.what for each in learned)
