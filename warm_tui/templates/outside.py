"""Whose words a session's texts are: followed from its first message on.

A result is from outside where its tool or command brings such text, where it is of a file that was fetched
before, and where it repeats what came from outside before. So are arguments that repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from warm_tui.reliability.profile import Profile
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.words import command_of
from warm_tui.secrets.redactor import decoded, texts_within
from warm_tui.sessions.model import Call
from warm_tui.sessions.source import AgentFacts
from warm_tui.templates.fetching import fetched_by, names_of
from warm_tui.templates.model import Speaker, Whose

WORD = re.compile(r"\w+")
# So many words in a row, found again, are a quotation.
QUOTED_WORDS = 6
# Of a text, its head and tail are compared: more is not kept of it.
COMPARED = 4_000
MOST_CHARACTERS = 100_000
REACHES_OUT = re.compile(
    r"https?://|\b(?:requests|urllib|httpx|aiohttp|socket|imaplib|poplib|smtplib|fetch|web_search|web_extract"
    r"|browser_\w+|XMLHttpRequest|axios)\b"
)
Quotations = set[tuple[str, ...]]


def quotations(text: str) -> Quotations:
    """Every run of so many words."""
    words = WORD.findall(text.lower())
    return set(zip(*(words[at:] for at in range(QUOTED_WORDS)), strict=False))


def speaker_of(profile: Profile, facts: AgentFacts) -> Speaker:
    """Who speaks in the user's role in this session."""
    if profile.relation == "delegate" or profile.source in facts.own_sources:
        return "agent"
    return "outside" if profile.source in facts.outside_sources else "user"


class Follower:
    """Hears the calls of one session in their order."""

    def __init__(self, facts: AgentFacts, speaker: Speaker) -> None:
        self.facts, self.speaker = facts, speaker
        self._heard: Quotations = set()
        self._names: set[str] = set()
        self._inside = False
        """The terminal stands in a folder that was fetched."""

    def whose(self, call: Call, arguments: Mapping[str, Any]) -> Whose:
        """To be asked of each call once, as it was made."""
        result = (call.result or "")[:MOST_CHARACTERS]
        by = self._brought_by(call, arguments)
        repeats_in_arguments = self._repeats(_texts(arguments))
        repeats = not by and self._repeats(_texts_of(result))
        if by:
            self._remember(result)
        return Whose(
            context=self.speaker,
            arguments="outside" if repeats_in_arguments else "agent",
            result="outside" if by or repeats else "tool",
            brought_by=by or ("a quotation" if repeats or repeats_in_arguments else ""),
        )

    def _brought_by(self, call: Call, arguments: Mapping[str, Any]) -> str:
        """The tool or program that brought text from outside; empty where it is this machine's."""
        family = self.facts.family(call.tool_name)
        if family == "terminal":
            return self._by_command(call)
        if family == "code":
            reaches = any(isinstance(value, str) and REACHES_OUT.search(value) for value in arguments.values())
            return call.tool_name if reaches else self._by_name(call.arguments)
        if family in ("file", "meta") or call.tool_name in self.facts.local_tools:
            return self._by_name(call.arguments) or ("a fetched folder" if self._inside and family == "file" else "")
        return call.tool_name

    def _by_command(self, call: Call) -> str:
        command = command_of(call.arguments)
        fetched = fetched_by(command)
        if fetched is not None:
            self._names |= fetched.names
        by = fetched.by if fetched else self._by_name(call.arguments)
        if self._names and "cd" in command:
            for simple in parse(command).commands:
                if simple.program == "cd" and simple.args:
                    parts = simple.args[0].split("/")
                    deeper = self._inside and parts[0] not in ("", "~", "..", "-")
                    self._inside = deeper or not self._names.isdisjoint(parts)
        return by or ("a fetched folder" if self._inside else "")

    def _by_name(self, arguments: str) -> str:
        """A file that was fetched, or a job that fetches, named in a later call."""
        if not self._names:
            return ""
        words = re.findall(r"[\w.-]{3,}", arguments)
        return next((f"fetched {word}"[:60] for word in words if word in self._names), "")

    def _remember(self, result: str) -> None:
        for text in _texts_of(result):
            self._heard |= quotations(text)
        value = decoded(result)
        if isinstance(value, dict) and isinstance(value.get("session_id"), str):
            # It goes on by itself: what is asked of it later is what it fetched.
            self._names |= names_of({value["session_id"]})

    def _repeats(self, texts: Iterable[str]) -> bool:
        if not self._heard:
            return False
        return any(
            not self._heard.isdisjoint(quotations(part))
            for text in texts
            for part in ((text,) if len(text) <= 2 * COMPARED else (text[:COMPARED], text[-COMPARED:]))
        )


def _texts(value: Any) -> list[str]:
    return [text for _, text in texts_within(value)]


def _texts_of(result: str) -> list[str]:
    value = decoded(result)
    return [result] if value is None else _texts(value)


def still_quotes(text: str, before: str) -> bool:
    """Whether what was edited is still, in part, what it was."""
    return not quotations(text).isdisjoint(quotations(before)) or (bool(before.strip()) and before.strip() in text)
