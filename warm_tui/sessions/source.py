"""The door for agents: what a place with recorded sessions answers, and what differs between agents.

Everything above `sessions/` sees this and never asks which agent wrote a session. A further agent is a folder
beside `hermes/`: a source, a table of facts, and a row in `readers.py`.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from warm_tui.homes import DEFAULT
from warm_tui.sessions.counterparts import Counterpart
from warm_tui.sessions.model import CallIdentity, MadeCall, Message, Relation, Session
from warm_tui.watching import FileState

Family: TypeAlias = Literal["terminal", "code", "file", "research", "meta", "general"]
Keeps: TypeAlias = Literal["memory", "user profile", "skill"]
"""Where an agent keeps what later sessions shall know."""


class StandIn(NamedTuple):
    """A text that an agent writes in place of a result, and what it says of the call. Matched at its start."""

    name: str
    outcome: Literal["success", "failure", "unknown"]
    kind: Literal["tool_error", "timeout", "denied", "protocol", "no_result", "interrupted"]
    pattern: re.Pattern[str]
    example: str


class LastWords(NamedTuple):
    """What an agent itself writes at the end of a session, or tells its model to, and what that says of the session."""

    name: str
    outcome: Literal["done", "not-done", "unknown"]
    reason: str
    pattern: re.Pattern[str]
    example: str
    source: str = ""
    """Only of sessions from there."""
    in_request: bool = False
    """It is written in the user's role, not as the answer."""


def no_blocks(_messages: Sequence[Message], _parent: Sequence[Message] | None, _begin: int) -> list[range]:
    """For an agent that copies nothing when it compacts."""
    return []


def no_copies(_messages: Sequence[Message], _original: Sequence[Message]) -> int:
    """For an agent whose branches copy nothing."""
    return 0


def nothing_again(_messages: Sequence[Message]) -> list[range]:
    """For an agent that writes each message once."""
    return []


def no_relation(_session: Session, _parent: Session | None) -> Relation:
    return "none"


def whole_call(call: MadeCall) -> CallIdentity:
    """For an agent that copies calls as they are."""
    return call.id, call.tool_name, call.arguments


def words_before(not_the_users: re.Pattern[str]) -> Callable[[str], str]:
    """The user's own words stand before what the agent puts there; what stands behind may be anybody's."""

    def words_of_user(text: str) -> str:
        found = not_the_users.search(text)
        return text[: found.start() if found else None].strip()

    return words_of_user


def keeps_nothing(_tool: str, _arguments: str, _result: str) -> tuple[Keeps, str] | None:
    """For an agent that keeps nothing for later sessions, or does not say so."""
    return None


def holds_no_review(_text: str) -> bool:
    return False


class AgentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between agents, as data and functions of a session's own words."""

    agent: str
    command_tool: str
    """The tool that runs commands."""
    families: Mapping[str, Family] = {}
    """What kind of tool each is; one that is not named is `general`."""
    families_by_prefix: Mapping[str, Family] = {}
    task_families: Mapping[str, Family] = {}
    """What kind of work a tool stands for, by which a session's task is known."""
    counterparts: Mapping[str, Counterpart] | None = None
    """How its calls are told to the agent that is warmed; None where they are told as they are."""
    trivial_tools: frozenset[str] = frozenset()
    """Plans, questions, and what an agent looks up in its own head: no part of any rate."""
    local_tools: frozenset[str] = frozenset()
    """Whose results come from this machine, beside those of commands, code and files: all others bring text from
    outside, which nobody here wrote."""
    words_of_user: Callable[[str], str] = str.strip
    """Of a message in the user's role, what the user said: agents put words of their own there, too."""
    own_sources: frozenset[str] = frozenset()
    """Sessions in which the agent itself speaks in the user's role."""
    outside_sources: frozenset[str] = frozenset()
    """Sessions in which a stranger may speak in the user's role."""
    stand_ins: tuple[StandIn, ...] = ()
    last_words: tuple[LastWords, ...] = ()
    """By which the outcome of a session is known."""
    keeping_tools: frozenset[str] = frozenset()
    """By which it keeps something for later sessions."""
    kept_by: Callable[[str, str, str], tuple[Keeps, str] | None] = keeps_nothing
    """What a call of these kept, in words, given its tool, arguments and result; None where it kept nothing."""
    opens_review: Callable[[str], bool] = holds_no_review
    """Whether a message in the user's role begins the agent's own review of the conversation."""
    relation: Callable[[Session, Session | None], Relation] = no_relation
    """How a session came from its parent, which is None where there is none, or it is gone."""
    find_blocks: Callable[[Sequence[Message], Sequence[Message] | None, int], list[range]] = no_blocks
    """The runs of messages that compaction carried over; each opens a segment.

    Given the messages of the session that this one goes on from, the first is what that handed on. The number
    tells how many at the beginning a branch copied, which no compaction did.
    """
    find_again: Callable[[Sequence[Message]], list[range]] = nothing_again
    """The runs of messages that the session holds already: written once more, though nobody compacted."""
    count_copies: Callable[[Sequence[Message], Sequence[Message]], int] = no_copies
    """How many messages at the beginning of a branch repeat those of the session it was made from."""
    copies_keep_ids: bool = False
    """Calls have ids of their own, which copies of them keep: what both have is a copy, whenever it was made."""
    identity_of: Callable[[MadeCall], CallIdentity] = whole_call
    body_of_summary: Callable[[str], str] = str.strip
    """What a summary tells, without the agent's own words around it."""

    def family(self, tool: str) -> Family:
        if tool == self.command_tool:
            return "terminal"
        return self.families.get(tool) or self._by_prefix(tool) or "general"

    def task_family(self, tool: str) -> Family:
        return self.task_families.get(tool) or self._by_prefix(tool) or "general"

    def _by_prefix(self, tool: str) -> Family | None:
        for prefix, kind in self.families_by_prefix.items():
            if tool.startswith(prefix):
                return kind
        return None


class Stamp(NamedTuple):
    """What changes when messages of a session are added, taken away or changed."""

    messages: int
    mark: str


NO_MESSAGES = Stamp(0, "")

STATE, HERMES_FOLDER = "state.db", ".hermes"
PLACES = ("projects", "sessions", "archived_sessions", "session", "opencode.db")
"""What an agent calls the folder or file in its home in which sessions stand."""


class Health(msgspec.Struct):
    """What a doctor says of a place that can be read."""

    sessions: int
    messages: int | None
    """None where only reading all of it would tell."""
    state: str = ""
    schema_version: int | None = None
    text_index: bool = False
    advice: list[str] = []


class Source(ABC):
    """A place with recorded sessions of one kind of agent, open for reading in one thread.

    What can be asked for has an answer by way of all sessions and all messages; a source that knows a shorter
    way overrides it.
    """

    path: Path
    facts: AgentFacts
    machine = ""
    """Another one, where its messages stand; nothing for this one."""

    @cached_property
    def home(self) -> str:
        """How people tell this place from others of its agent."""
        folder = self.path.absolute()
        if folder.name in PLACES or folder.suffix:
            folder = folder.parent if folder.name in (*PLACES, STATE) else folder.with_suffix("")
        name = os.fsencode(folder.name).decode("utf-8", "replace")
        return DEFAULT if name == HERMES_FOLDER else name.lstrip(".")

    # --- what each has to tell ---

    @abstractmethod
    def sessions(self) -> list[Session]:
        """All sessions, the newest first."""

    @abstractmethod
    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        """A session's messages in the order they were written, what was taken back left out.

        `first` of them, or all.
        """

    def with_taken_back(self, session_id: str) -> tuple[list[Message], list[Message]]:
        """A session's messages, and those that a user took back, for an agent that keeps them."""
        return self.messages(session_id), []

    @abstractmethod
    def stamps(self) -> dict[str, Stamp]:
        """The stamp of every session that has messages."""

    @abstractmethod
    def health(self) -> Health: ...

    def portions(self) -> Iterator[tuple[list[Session], Mapping[str, Stamp]]]:
        """All of `sessions()` with their stamps, so many at a time that they need no room to speak of."""
        yield self.sessions(), self.stamps()

    def close(self) -> None:  # noqa: B027 - most sources hold nothing open
        """Let go of what is held open."""

    def interrupt(self) -> None:  # noqa: B027 - most sources are read in no time
        """From another thread: let what is being read fail."""

    def whole(self, session: Session) -> Session:
        """The session with what only all of its messages tell, for a source that lists it without reading them."""
        return session

    # --- what follows from that ---

    def count_sessions(self) -> int:
        return len(self.sessions())

    def most_messages(self) -> int:
        """There are no more than these in all, as far as that is told at once; 0 where it is not."""
        return 0

    def newest(self, limit: int, offset: int) -> list[Session]:
        """A window of `sessions()`."""
        return self.sessions()[offset : offset + limit]

    def related(self) -> list[Session]:
        """The sessions that came from another, and those; some more do no harm."""
        return self.sessions()

    def session(self, session_id: str) -> Session | None:
        return next((session for session in self.sessions() if session.id == session_id), None)

    def children(self, session_id: str) -> list[Session]:
        return [session for session in reversed(self.sessions()) if session.parent_id == session_id]

    def ids_beginning(self, prefix: str, limit: int = 6) -> list[str]:
        return sorted(session.id for session in self.sessions() if session.id.startswith(prefix))[:limit]

    def stamp(self, session_id: str) -> Stamp:
        return self.stamps().get(session_id, NO_MESSAGES)

    def sessions_with_text(self, words: str) -> set[str]:
        """The sessions in whose messages the words stand."""
        sought = words.casefold()
        return {
            session.id
            for session in self.sessions()
            if any(sought in message.text.casefold() for message in self.messages(session.id))
        }

    def sessions_with_call(self, call_id: str) -> list[str]:
        """The sessions in which a result of this call was recorded, the oldest first."""
        return [
            session.id
            for session in reversed(self.sessions())
            if any(message.answers == call_id for message in self.messages(session.id))
        ]

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Reader(Protocol):
    """Knows the places of one kind of agent, without opening them."""

    @property
    def kind(self) -> str: ...

    def usual_places(self) -> list[Path]:
        """Where this agent keeps its sessions on this machine, as far as that is there."""

    def claims(self, path: Path) -> bool:
        """Does this place look like one of that agent's?"""

    def open(self, path: Path) -> Source:
        """Or a Trouble that says in a sentence why it cannot be read."""

    def state(self, path: Path) -> FileState:
        """Another when anything in that place has changed."""
