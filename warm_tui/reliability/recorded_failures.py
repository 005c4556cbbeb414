"""The failures of one life, as the library keeps them: each with its fingerprint, and what was tried after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from warm_tui.reliability.fingerprint import Fingerprint, fingerprint, tool_of
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.retries import REMEMBERED, same_aim
from warm_tui.reliability.shape import shape_of, words_of
from warm_tui.reliability.shell import OFTEN_SEEN
from warm_tui.sessions.model import Call, as_number
from warm_tui.sessions.source import AgentFacts

MOST_REASON = 160
MOST_SHAPE = 200
LONGEST_ARGUMENTS = 20_000
"""What is longer carries a file: what it is for is told by its shape."""


class Try(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A later call with the same aim."""

    shape: int
    """Which of the life's shapes."""
    session: int
    """Which of the life's sessions."""
    call: str
    """Its key in that session."""
    worked: bool


class Failure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    family: str
    session: int
    call: str
    at: float | None
    tool: str
    reason: str
    shape: int
    lost: int
    """Calls that it took, itself included, until it was mended or tried no more."""
    tries: tuple[Try, ...] = ()
    """Up to the one that worked, if one did."""

    @property
    def mend(self) -> Try | None:
        return self.tries[-1] if self.tries and self.tries[-1].worked else None


class LifeFailures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of a life. The sessions are numbered from its first on."""

    tools: tuple[str, ...] = ()
    """What it used: where a tool was not used, it could not fail."""
    fingerprints: Mapping[str, Fingerprint] = {}
    shapes: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    def counted(self, session: int | None = None) -> dict[str, int]:
        """How often each family stands in it, or in one of its sessions."""
        counts: dict[str, int] = {}
        for failure in self.failures:
            if session is None or failure.session == session:
                counts[failure.family] = counts.get(failure.family, 0) + 1
        return counts


decode_failures = msgspec.msgpack.Decoder(LifeFailures).decode


def failures_of(
    parts: Sequence[Sequence[Call]], verdicts: Sequence[Sequence[Verdict]], facts: AgentFacts
) -> LifeFailures:
    """Of a life's sessions, each as its calls with their verdicts. Every failure that counts in a rate is in it."""
    calls = [call for part in parts for call in part]
    outcomes = [verdict for part in verdicts for verdict in part]
    names = {call.tool_name for call in calls if not call.trivial}
    tools = tuple(sorted({tool_of(name, facts) for name in names}))
    failed = [at for at, verdict in enumerate(outcomes) if verdict.outcome == "failure" and not calls[at].trivial]
    if not failed:
        return LifeFailures(tools)
    session_of = [number for number, part in enumerate(parts) for _ in part]
    return _Reader(calls, outcomes, session_of, facts).read(tools, failed)


class _Reader:
    """Looks at the calls of a life only where something failed."""

    def __init__(
        self, calls: Sequence[Call], verdicts: Sequence[Verdict], session_of: Sequence[int], facts: AgentFacts
    ) -> None:
        self.calls, self.verdicts, self.session_of, self.facts = calls, verdicts, session_of, facts
        self._words: dict[int, set[str]] = {}
        self._shapes: dict[str, int] = {}

    def read(self, tools: tuple[str, ...], failed: Sequence[int]) -> LifeFailures:
        fingerprints: dict[str, Fingerprint] = {}
        failures: list[Failure] = []
        for at in failed:
            call, verdict = self.calls[at], self.verdicts[at]
            print_ = fingerprint(call.tool_name, call.arguments, verdict, self.facts)
            family = print_.id
            known = fingerprints.setdefault(family, print_)
            fingerprints[family] = min(known, print_, key=lambda each: each.rank)
            later = self._later_tries(at)
            failures.append(
                Failure(
                    family,
                    self.session_of[at],
                    call.key,
                    as_number(call.timestamp),
                    call.tool_name,
                    (verdict.reason or verdict.kind)[:MOST_REASON].encode("utf-8", "replace").decode(),
                    self._shape(at),
                    later[0] - at if later else 1,
                    tuple(self._try(each) for each in later),
                )
            )
        return LifeFailures(tools, fingerprints, tuple(self._shapes), tuple(failures))

    def _later_tries(self, at: int) -> list[int]:
        """The calls with the same aim soon after it, up to the first that worked."""
        tries: list[int] = []
        tool, position = self.calls[at].tool_name, self.calls[at].position
        for later in range(at + 1, min(at + 1 + REMEMBERED, len(self.calls))):
            call, outcome = self.calls[later], self.verdicts[later].outcome
            if call.position - position > REMEMBERED:
                break
            if (
                call.tool_name != tool
                or outcome == "unknown"
                or not same_aim(self._words_of(at), self._words_of(later))
            ):
                continue
            tries.append(later)
            if outcome == "success":
                break
        return tries

    def _try(self, at: int) -> Try:
        worked = self.verdicts[at].outcome == "success"
        return Try(self._shape(at), self.session_of[at], self.calls[at].key, worked)

    def _words_of(self, at: int) -> set[str]:
        if at not in self._words:
            self._words[at] = words_of(_decoded(self.calls[at].arguments))
        return self._words[at]

    def _shape(self, at: int) -> int:
        call = self.calls[at]
        shape = _shape_often if len(call.arguments) <= OFTEN_SEEN else _shape_of
        return self._shapes.setdefault(shape(call.tool_name, call.arguments), len(self._shapes))


def _shape_of(tool: str, arguments: str) -> str:
    return shape_of(tool, _decoded(arguments))[:MOST_SHAPE]


_shape_often = lru_cache(maxsize=2048)(_shape_of)


def _decoded(arguments: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(arguments) if len(arguments) <= LONGEST_ARGUMENTS else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return {}
    return value if isinstance(value, dict) else {}
