"""What is asked of people before it is done, what they answer, and what need not be asked."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from warm_tui.approvals.moments import Moment, seconds_left
from warm_tui.approvals.risk import is_high_risk, kind_of
from warm_tui.errors import Trouble

Status: TypeAlias = Literal["pending", "approved", "denied", "expired", "withdrawn", "auto_approved"]
Scope: TypeAlias = Literal["once", "session", "hour", "always"]
MAY_RUN: tuple[Status, ...] = ("approved", "auto_approved")
SHORTEST_SECONDS, USUAL_SECONDS, LONGEST_SECONDS = 30, 300, 3_600
HOUR = 3_600.0
NAME_LENGTH, DESCRIPTION_LENGTH, REASON_LENGTH = 200, 10_000, 2_000
DEEPEST = 100
"""So many objects and lists within one another are taken."""
MOST_PIECES = 5_000
"""So many values are taken: behind many more of them secrets are not told from other texts."""

Action: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}\Z")]
"""Plain letters: two actions that look the same are the same."""
Name: TypeAlias = Annotated[str, Meta(max_length=NAME_LENGTH)]


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What a program asks for."""

    action: Action
    description: Annotated[str, Meta(min_length=1, max_length=DESCRIPTION_LENGTH)]
    details: Any = msgspec.field(default_factory=dict)
    requester: Name = ""
    session_key: Name = ""
    timeout_seconds: Annotated[int, Meta(ge=SHORTEST_SECONDS, le=LONGEST_SECONDS)] = USUAL_SECONDS
    accepts_edits: bool = False
    """The caller runs what stands in the answer, which the operator may have changed."""
    lease_seconds: Annotated[int, Meta(ge=0, le=LONGEST_SECONDS)] = 0
    """Withdrawn when nobody has asked for the answer for so long; 0: it waits until its time is up."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator says."""

    approve: bool
    by: str = "operator"
    reason: str = ""
    scope: Scope = "once"
    even_high_risk: bool = False
    details: Any = msgspec.UNSET
    """In place of those that were asked for."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A submission and what became of it. Secrets are masked in all that it holds."""

    id: str
    action: str
    description: str
    details: Any
    requester: str
    session_key: str
    timeout_seconds: int
    high_risk: bool
    accepts_edits: bool
    masked: bool
    """Its details held secrets: they can be approved, and not edited."""
    hides_commands: bool = False
    """What is masked could be run, too: it holds what parts words for a shell, or has it do something."""
    digest: str
    """Of action and details as they were before they were masked: an answer is for these alone."""
    asked: Moment
    status: Status = "pending"
    decided: Moment | None = None
    decided_by: str = ""
    reason: str = ""
    scope: Scope = "once"
    edited: bool = False
    used_at: float | None = None
    lease_seconds: int = 0

    def seconds_left(self, at: Moment) -> float:
        return seconds_left(self.asked, self.timeout_seconds, at)

    def seconds_to_use(self, at: Moment) -> float:
        """A yes does not hold for longer than the question did."""
        return seconds_left(self.decided, self.timeout_seconds, at) if self.decided else 0.0

    @property
    def expires_at(self) -> float:
        return self.asked.wall + self.timeout_seconds

    def document(self, at: Moment) -> dict[str, Any]:
        """As it is told to other programs."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        del told["asked"], told["decided"]
        return told | {
            "asked_at": self.asked.wall,
            "expires_at": self.expires_at,
            "seconds_left": round(self.seconds_left(at), 1) if self.status == "pending" else 0.0,
            "decided_at": self.decided.wall if self.decided else None,
        }


class WhitelistRule(msgspec.Struct, frozen=True, kw_only=True):
    """What need not be asked; what is empty asks nothing."""

    action: Action
    requester: Name = ""
    session_key: Name = ""
    even_high_risk: bool = False
    seconds: Annotated[float, Meta(gt=0, le=366 * 86_400)] | None = None
    """For how long, from when it was added; None: until it is removed."""
    number: int = 0
    added: Moment | None = None
    added_by: str = ""

    def covers(self, asked: Submission, at: Moment) -> bool:
        return (
            kind_of(self.action) == kind_of(asked.action)
            and self.requester in ("", asked.requester)
            and self.session_key in ("", asked.session_key)
            and (self.even_high_risk or not is_high_risk(asked.action))
            and self.holds(at)
        )

    def holds(self, at: Moment) -> bool:
        return self.seconds is None or (self.added is not None and seconds_left(self.added, self.seconds, at) > 0)

    @property
    def told(self) -> str:
        whose = f" of {self.requester}" if self.requester else ""
        where = f" in session {self.session_key}" if self.session_key else ""
        return f"{self.action}{whose}{where}{', even though it is high risk' if self.even_high_risk else ''}"

    def document(self, at: Moment) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.to_builtins(self)
        del told["added"]
        left = seconds_left(self.added, self.seconds, at) if self.added and self.seconds is not None else None
        return told | {"added_at": self.added.wall if self.added else None, "seconds_left": left}


class Unknown(Trouble):
    """No request, or no rule, has this name."""


class Refused(Trouble):
    """It is asked for in a way that cannot be."""


class Answered(Trouble):
    """It was decided before, or its time was up."""

    def __init__(self, sentence: str, request: Request) -> None:
        super().__init__(sentence)
        self.request = request


class TooMany(Trouble):
    """More of one action were asked for than people are asked in an hour."""


def covering(rules: Iterable[WhitelistRule], asked: Submission, at: Moment) -> WhitelistRule | None:
    return next((rule for rule in rules if rule.covers(asked, at)), None)


def rule_of(answer: Answer, request: Request) -> WhitelistRule | None:
    """What is not asked any more after this answer."""
    if not answer.approve or answer.scope == "once":
        return None
    if request.high_risk and not answer.even_high_risk:
        raise Refused(f"{request.action} is high risk: a rule lets it pass only with even_high_risk.")
    if answer.scope == "session" and not request.session_key:
        raise Refused("It names no session: it can be approved once, for an hour, or always.")
    return WhitelistRule(
        action=request.action,
        session_key=request.session_key if answer.scope == "session" else "",
        even_high_risk=answer.even_high_risk,
        seconds=HOUR if answer.scope == "hour" else None,
        added_by=answer.by,
    )


def digest_of(key: bytes, action: str, details: Any) -> str:
    """By the home's own key: who sees it cannot try secrets against it."""
    return hmac.new(key, canonical([action, details]), hashlib.sha256).hexdigest()


def canonical(value: Any) -> bytes:
    return msgspec.json.encode(value, order="deterministic")


def what_was_decided(request: Request) -> str:
    """In a sentence, for whoever comes second."""
    by = f" by {request.decided_by}" if request.decided_by else ""
    return {
        "pending": "It is pending.",
        "approved": f"It was approved{by}.",
        "denied": f"It was denied{by}.",
        "expired": "Its time was up before anybody answered.",
        "withdrawn": f"It was withdrawn{by}.",
        "auto_approved": f"It was approved{by}, without asking.",
    }[request.status]
