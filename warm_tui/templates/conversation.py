"""A template as the conversation a model gets, and what a provider would refuse of any conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from warm_tui.sessions.invisible import hidden_words
from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.visible import hidden_within

Message: TypeAlias = dict[str, Any]

MOST_PATTERNS = 15
GO_ON = "Go on."
DONE = "Done."
NOTHING = "(no output)"


class Provider(NamedTuple):
    """What a provider asks of a conversation that stands between the agent's system prompt and the user's words."""

    system: bool
    """May a second system message stand there? (Anthropic has one only: another would replace the agent's own.)"""
    alternates: bool
    """Must the agent have spoken before the user does again, results of tools counting as the user's?"""
    call_id: str
    """What the id of a call must look like."""


PROVIDERS: dict[str, Provider] = {
    "openai": Provider(system=True, alternates=False, call_id=r"[\w.:-]{1,40}"),
    "anthropic": Provider(system=False, alternates=True, call_id=r"[A-Za-z0-9_-]{1,64}"),
    "mistral": Provider(system=True, alternates=True, call_id=r"[A-Za-z0-9]{9}"),
    "gemini": Provider(system=True, alternates=True, call_id=r"[\w.:-]{1,64}"),
    # What all but Mistral, with its ids, take.
    "any": Provider(system=False, alternates=True, call_id=r"[A-Za-z0-9_-]{1,40}"),
}
TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Problem(NamedTuple):
    """What is wrong, and the message it is wrong at."""

    message: int | None
    text: str


class Conversation(NamedTuple):
    messages: list[Message]
    patterns: list[int]
    """The patterns told, by their place in the template."""
    of_message: list[int | None]
    """The pattern that each message tells."""
    problems: list[Problem]
    failed: frozenset[int] = frozenset()
    """The messages that tell of a failed call, which the next one mended."""


def build_conversation(
    template: Template, provider: str = "openai", most: int = MOST_PATTERNS, taken: Collection[str] = ()
) -> Conversation:
    """At most so many patterns; those that belong together are told together or not at all.

    In the user's role nothing is told but what is known to be the user's.
    """
    rules = PROVIDERS[provider]
    included: list[int] = []
    problems: list[Problem] = []
    telling = _Telling(provider, taken)
    addendum = wire(template.addendum)
    if addendum and rules.system:
        telling.say({"role": "system", "content": addendum}, None)
    for group in _groups(template.patterns):
        reasons = {at: _untold(template.patterns[at]) for at in group}
        problems += [Problem(None, f"Pattern {at + 1} is left out: {why}.") for at, why in reasons.items() if why]
        fit = [at for at, why in reasons.items() if not why]
        if not fit:
            continue
        if len(included) + len(fit) > most:
            if len(included) == 0:
                problems.append(
                    Problem(None, f"Patterns {fit[0] + 1} to {fit[-1] + 1} belong together and are too many.")
                )
                continue
            break
        words = words_of_user(template.patterns[group[0]]) or GO_ON
        if addendum and not rules.system and not included and template.whose.addendum == "user":
            words = f"{addendum}\n\n{words}"
        telling.say({"role": "user", "content": words}, fit[0])
        for at in fit:
            included.append(at)
            telling.tell(template.patterns[at], at)
        if rules.alternates:
            telling.say({"role": "assistant", "content": DONE}, fit[-1])
    if not included and template.patterns:
        problems.append(Problem(None, "None of its patterns can be told."))
    elif not template.patterns:
        problems.append(Problem(None, "It has no patterns."))
    return Conversation(telling.messages, included, telling.of_message, problems, frozenset(telling.failed))


class _Telling:
    """A conversation in the making; its calls are numbered through."""

    def __init__(self, provider: str, taken: Collection[str]) -> None:
        self.messages: list[Message] = []
        self.of_message: list[int | None] = []
        self.failed: set[int] = set()
        self._provider, self._taken = provider, taken
        self._calls = 0

    def say(self, message: Message, at: int | None) -> None:
        self.messages.append(message)
        self.of_message.append(at)

    def tell(self, pattern: Pattern, at: int) -> None:
        """Its call and result, and before them those of the failure that it mended."""
        for told in _calls_of(pattern):
            self._calls += 1
            call = _call(told, self._calls, self._provider, self._taken)
            if told is pattern.mended:
                self.failed |= {len(self.messages), len(self.messages) + 1}
            self.say({"role": "assistant", "content": "", "tool_calls": [call]}, at)
            result = wire(told.result) or NOTHING
            name = call["function"]["name"]
            self.say({"role": "tool", "tool_call_id": call["id"], "name": name, "content": result}, at)


def words_of_user(pattern: Pattern) -> str:
    return wire(pattern.context) if pattern.whose.context == "user" else ""


def _calls_of(pattern: Pattern) -> list[Pattern]:
    """What failed before it comes first, where it can be told."""
    return [pattern.mended, pattern] if pattern.mended and not _unwritable(pattern.mended) else [pattern]


def _groups(patterns: Sequence[Pattern]) -> Iterator[list[int]]:
    group: list[int] = []
    for at, pattern in enumerate(patterns):
        if group and not pattern.joined:
            yield group
            group = []
        group.append(at)
    if group:
        yield group


def _untold(pattern: Pattern) -> str:
    """Why a pattern cannot be told, if it cannot."""
    failed = not pattern.succeeded and pattern.origin.chosen_by != "operator"
    return _unwritable(pattern) or ("its call failed" if failed else "")


def _unwritable(pattern: Pattern) -> str:
    if not pattern.tool_name.strip():
        return "it names no tool"
    if pattern.arguments is None:
        return "its arguments are no JSON object"
    try:
        wire_arguments(pattern.arguments)
    except (TypeError, ValueError, RecursionError):
        return "its arguments cannot be written as JSON"
    return ""


def _call(pattern: Pattern, number: int, provider: str, taken: Collection[str]) -> Message:
    """The ids in `taken` stand in the conversation already that this one is put into."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", pattern.tool_name.strip())[:64]
    ids = (f"warm{n:05}" if provider == "mistral" else f"warm_{n}_{name}"[:40] for n in count(number, len(taken) + 1))
    call_id = next(each for each in ids if each not in taken)
    arguments = wire_arguments(pattern.arguments or {})
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def wire(text: str) -> str:
    """As Hermes sends it: without white space around it, and without halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def wire_arguments(arguments: Mapping[str, Any]) -> str:
    """As Hermes sends them: compact, the keys in order. So the model gets what was previewed, byte for byte."""
    return json.dumps(arguments, separators=(",", ":"), sort_keys=True, allow_nan=False)


def hidden_problems(messages: Sequence[Message]) -> list[Problem]:
    """Where a model reads what nobody sees."""
    hidden = ((at, hidden_within(message)) for at, message in enumerate(messages))
    return [Problem(at, f"It holds {hidden_words(characters)}.") for at, characters in hidden if characters]


# --- what a provider would refuse ---


def validate(messages: Any, provider: str = "openai") -> list[Problem]:
    """Each problem with the message it stands at; for our conversations and those of others."""
    if not isinstance(messages, list):
        return [Problem(None, "It is no list of messages.")]
    rules = PROVIDERS[provider]
    problems: list[Problem] = []
    ids: set[str] = set()
    waiting: dict[str, int] = {}
    before = ""
    for at, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role == "developer":
            role = "system"
        if role not in ("system", "user", "assistant", "tool"):
            problems.append(
                Problem(at, "It has no role that is known." if isinstance(message, dict) else "It is no message.")
            )
            continue
        if role != "tool" and waiting:
            problems += [Problem(place, f"The call {call_id} is not answered.") for call_id, place in waiting.items()]
            waiting = {}
        problems += [Problem(at, text) for text in _out_of_turn(role, before, rules, provider)]
        if role == "tool":
            call_id = message.get("tool_call_id")
            if not isinstance(call_id, str) or waiting.pop(call_id, None) is None:
                problems.append(Problem(at, "It answers no call that waits for an answer."))
        calls = message.get("tool_calls")
        if calls and role != "assistant":
            problems.append(Problem(at, f"A message of the {role} cannot call tools."))
        elif calls:
            for text, call_id in _calls(calls, rules, ids, provider):
                if text:
                    problems.append(Problem(at, text))
                if call_id:
                    waiting[call_id] = at
        elif not _has_content(message.get("content")):
            problems.append(Problem(at, "It is empty."))
        before = role
    problems += [Problem(place, f"The call {call_id} is not answered.") for call_id, place in waiting.items()]
    if rules.alternates and before in ("user", "tool"):
        problems.append(
            Problem(len(messages) - 1, f"With {provider}, the agent must have spoken before the user does again.")
        )
    return sorted(problems, key=lambda problem: -1 if problem.message is None else problem.message)


def _out_of_turn(role: str, before: str, rules: Provider, provider: str) -> Iterator[str]:
    if role == "system":
        if before not in ("", "system") and provider != "openai":
            yield f"With {provider}, a system message may stand at the beginning only."
        elif not rules.system:
            yield f"With {provider}, a system message here would replace the agent's own."
    if not rules.alternates:
        return
    if role == "user" and before in ("user", "tool"):
        yield f"With {provider}, the user may not speak after {'a result' if before == 'tool' else 'the user'}."
    if role == "assistant" and before == "assistant":
        yield f"With {provider}, the agent may not speak twice in a row."
    if role == "assistant" and before in ("", "system"):
        yield f"With {provider}, the user speaks first."


def _calls(calls: Any, rules: Provider, ids: set[str], provider: str) -> Iterator[tuple[str, str]]:
    """What is wrong with each call, and its id, if it has one that can be answered."""
    if not isinstance(calls, list):
        yield "Its calls are no list.", ""
        return
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        call_id = call.get("id") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(call_id, str) or not call_id:
            yield "A call lacks its id or its function.", ""
            continue
        if call_id in ids:
            yield f"The id {call_id} is used twice.", ""
            continue
        ids.add(call_id)
        yield "", call_id
        if not re.fullmatch(rules.call_id, call_id):
            yield f"With {provider}, the id {call_id} is not allowed.", ""
        if not isinstance(function.get("name"), str) or not TOOL_NAME.fullmatch(function["name"]):
            yield f"The tool's name {str(function.get('name'))[:64]!r} is not allowed.", ""
        if not _is_object(function.get("arguments")):
            yield "The arguments are no JSON object.", ""


def _is_object(arguments: Any) -> bool:
    try:
        return isinstance(arguments, str) and isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def _has_content(content: Any) -> bool:
    if isinstance(content, list):
        return any(
            isinstance(part, dict) and (part.get("type") != "text" or _has_content(part.get("text")))
            for part in content
        )
    return isinstance(content, str) and bool(content.strip())
