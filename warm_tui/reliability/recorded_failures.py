"""Reads the failures of one life: each with its fingerprint, and what was tried after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from warm_tui.reliability.again import same_call
from warm_tui.reliability.failure_records import Failure, Fingerprint, LifeFailures, Try
from warm_tui.reliability.fingerprint import fingerprint_of, tool_of
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.retries import REMEMBERED, NoWay, same_aim, way_or_none, worked_short
from warm_tui.reliability.searches import found_nothing
from warm_tui.reliability.shape import PATH, shape_of, words_of
from warm_tui.reliability.shell_reader import OFTEN_SEEN
from warm_tui.reliability.targets import works_on_other_things
from warm_tui.reliability.weakening import changes_a_test
from warm_tui.reliability.words import command_of, given_in, one_line, whole
from warm_tui.sessions.model import Call, as_number
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.text import beginning

T = TypeVar("T")

MOST_REASON = 160
MOST_SHAPE = 200
MOST_WORDS = 120
MOST_VALUE = 50
IN_THE_TEST = ", in the test itself"
SAYS_LITTLE: tuple[Any, ...] = (None, False, "", [], {})
"""What an argument is where it was left as it is."""
LONGEST_ARGUMENTS = 20_000
"""What is longer carries a file: what it is for is told by its shape."""


def failures_of(
    parts: Sequence[Sequence[Call]], verdicts: Sequence[Sequence[Verdict]], facts: AgentFacts
) -> LifeFailures:
    """Of a life's sessions, each as its calls with their verdicts. Every failure that counts in a rate is in it."""
    calls, outcomes = _together(parts), _together(verdicts)
    names = {call.tool_name for call in calls if not call.trivial}
    tools = tuple(sorted({tool_of(name, facts) for name in names}))
    failed = [at for at, verdict in enumerate(outcomes) if verdict.outcome == "failure" and not calls[at].trivial]
    if not failed:
        return LifeFailures(tools)
    session_of = [number for number, part in enumerate(parts) for _ in part]
    return _Reader(calls, outcomes, session_of, facts).read(tools, failed)


def _together(parts: Sequence[Sequence[T]]) -> Sequence[T]:
    return parts[0] if len(parts) == 1 else [each for part in parts for each in part]


class _Reader:
    """Looks at the calls of a life only where something failed."""

    def __init__(
        self, calls: Sequence[Call], verdicts: Sequence[Verdict], session_of: Sequence[int], facts: AgentFacts
    ) -> None:
        self.calls, self.verdicts, self.session_of, self.facts = calls, verdicts, session_of, facts
        self._words: dict[int, frozenset[str]] = {}
        self._shapes: dict[str, int] = {}
        self._fingerprints: dict[int, Fingerprint] = {}

    def read(self, tools: tuple[str, ...], failed: Sequence[int]) -> LifeFailures:
        fingerprints: dict[str, Fingerprint] = {}
        failures: list[Failure] = []
        # Of each family: up to where its calls are counted. Aims that take turns lose no call twice.
        counted: dict[str, int] = {}
        for at in failed:
            call, verdict = self.calls[at], self.verdicts[at]
            print_ = self._fingerprint(at)
            family = print_.id
            known = fingerprints.setdefault(family, print_)
            if print_ is not known:
                fingerprints[family] = min(known, print_, key=lambda each: each.rank)
            later = self._later_tries(at)
            tries = self._of_the_same_trouble(family, later)
            begin, end = max(at, counted.get(family, 0)), later[0] if later else at + 1
            counted[family] = max(begin, end)
            failures.append(
                Failure(
                    family,
                    self.session_of[at],
                    call.key,
                    as_number(call.timestamp),
                    call.tool_name,
                    whole((verdict.reason or verdict.kind)[:MOST_REASON]),
                    self._shape(at),
                    max(0, end - begin),
                    tuple(self._try((at, *tries[:number]), each) for number, each in enumerate(tries)),
                    _ours(verdict),
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
                or not self._tries_again(at, later)
                or works_on_other_things(self.calls[at].arguments, call.arguments)
            ):
                continue
            if outcome == "success" and found_nothing(call):
                break
            if any(worked_short(self.calls, self.verdicts, each, later) for each in (at, *tries)):
                continue
            tries.append(later)
            if outcome == "success":
                break
        return tries

    def _tries_again(self, at: int, later: int) -> bool:
        """A call of one word tells its aim by working: one that fails again may be another wish."""
        worked = self.verdicts[later].outcome == "success"
        return same_aim(self._words_of(at), self._words_of(later)) or (
            worked and same_call(self.calls[at], self.calls[later])
        )

    def _of_the_same_trouble(self, family: str, tries: Sequence[int]) -> Sequence[int]:
        """Up to one that failed in another way: what mends that is no mend of this."""
        for number, at in enumerate(tries):
            if self.verdicts[at].outcome == "failure" and self._fingerprint(at).id != family:
                return tries[:number]
        return tries

    def _fingerprint(self, at: int) -> Fingerprint:
        if at not in self._fingerprints:
            self._fingerprints[at] = fingerprint_of(self.calls[at], self.verdicts[at], self.facts)
        return self._fingerprints[at]

    def _try(self, before: Sequence[int], at: int) -> Try:
        worked = self.verdicts[at].outcome == "success"
        way = way_or_none(self.calls, self.verdicts, before, at)
        if isinstance(way, NoWay):
            return Try(way.why, self.session_of[at], self.calls[at].key, worked, again=way.again)
        call = self.calls[way.at]
        words = told_call(call.tool_name, call.arguments) if worked else ""
        if words and way.again and changes_a_test(call.arguments):
            words += IN_THE_TEST
        return Try(self._shape(way.at), self.session_of[way.at], call.key, worked, words, way.again)

    def _words_of(self, at: int) -> frozenset[str]:
        arguments = self.calls[at].arguments
        if len(arguments) <= OFTEN_SEEN:
            return _words_often(arguments)
        if at not in self._words:
            self._words[at] = _words(arguments)
        return self._words[at]

    def _shape(self, at: int) -> int:
        return self._shapes.setdefault(self._shape_of(self.calls[at]), len(self._shapes))

    def _shape_of(self, call: Call) -> str:
        """In the names of the agent that is warmed: templates are told in these."""
        if self.facts.counterparts is not None and (told := self.facts.counterparts.get(call.tool_name)):
            return kept_shape(told.tool, told.arguments(_decoded(call.arguments)))
        shape = _shape_often if len(call.arguments) <= OFTEN_SEEN else _shape_of
        return shape(call.tool_name, call.arguments)


def _words(arguments: str) -> frozenset[str]:
    return frozenset(words_of(_decoded(arguments)))


_words_often = lru_cache(maxsize=2048)(_words)


def told_call(tool: str, arguments: str) -> str:
    """A command speaks for itself; any other tool is named, and told by what it was given: what it works on first."""
    if command := command_of(arguments):
        told = command
    else:
        given = {name: value for name, value in _decoded(arguments).items() if value not in SAYS_LITTLE}
        worked_on = {name for name, value in given.items() if isinstance(value, str) and PATH.match(value)}
        values = [_end_of(given[name]) for name in given if name in worked_on]
        values += [f"{name}: {_on_a_line(given[name])}" for name in given if name not in worked_on]
        if len(given) == 1 and not worked_on:
            values = [_on_a_line(value) for value in given.values()]
        told = f"{tool} {', '.join(values)}"
    return whole(beginning(one_line(told), MOST_WORDS))


def _on_a_line(value: Any) -> str:
    words = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return beginning(" ".join(words[: 4 * MOST_VALUE].split()), MOST_VALUE)


def _end_of(path: str) -> str:
    """Which one it is stands at the end of a path."""
    return path if len(path) <= MOST_VALUE else f"…/{'/'.join(path.split('/')[-2:])[-MOST_VALUE:]}"


def kept_shape(tool: str, arguments: Mapping[str, Any]) -> str:
    return shape_of(tool, arguments)[:MOST_SHAPE]


def _shape_of(tool: str, arguments: str) -> str:
    return kept_shape(tool, _decoded(arguments))


_shape_often = lru_cache(maxsize=2048)(_shape_of)


def _decoded(arguments: str) -> dict[str, Any]:
    return given_in(arguments) if len(arguments) <= LONGEST_ARGUMENTS else {}


def _ours(verdict: Verdict) -> str:
    if not verdict.is_own:
        return ""
    return f"{verdict.ours.outcome} ({verdict.ours.kind})" if verdict.ours else "unknown"
