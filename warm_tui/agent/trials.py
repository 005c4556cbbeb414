"""Put templates under rules: what commands and screens both do."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from warm_tui.agent import installed, plugin_state
from warm_tui.agent.prefill import Prefill, hash_of
from warm_tui.agent.recording import opened
from warm_tui.agent.ways import next_sessions
from warm_tui.errors import Trouble
from warm_tui.library.trials import rules_of
from warm_tui.paths import Home
from warm_tui.sessions.text import plural
from warm_tui.templates.conversation import MOST_PATTERNS, PROVIDERS, Message, build_conversation, validate
from warm_tui.templates.model import Template
from warm_tui.trials.rules import Revision, Rule

MIDDLEWARE_SINCE = (0, 17)


class RulesUnknown(Trouble):
    """The library is there, and cannot be read."""


def revision_of(template: Template, most: int = MOST_PATTERNS) -> tuple[Revision, list[Message]]:
    """The conversation as it will be put in, whichever model a session goes to; Trouble where there is none."""
    conversation = build_conversation(template, "any", most)
    messages = _with_short_ids(conversation.messages)
    if not conversation.patterns:
        raise Trouble(f"Template '{template.name}' has nothing to tell: {conversation.problems[-1].text}")
    for provider in PROVIDERS:
        for problem in validate(messages, provider):
            at = f" of message {problem.message + 1}" if problem.message is not None else ""
            raise Trouble(f"Template '{template.name}' cannot be told to every model{at}: {problem.text}")
    return Revision(template.name, hash_of(messages)), messages


def _with_short_ids(messages: Sequence[Message]) -> list[Message]:
    """Nine letters and digits: there is no provider that takes none of these."""
    ids: dict[str, str] = {}

    def short(call_id: str) -> str:
        return ids.setdefault(call_id, f"warm{len(ids) + 1:05}")

    told = []
    for message in messages:
        changed = dict(message)
        if "tool_calls" in message:
            changed["tool_calls"] = [call | {"id": short(call["id"])} for call in message["tool_calls"]]
        if "tool_call_id" in message:
            changed["tool_call_id"] = short(message["tool_call_id"])
        told.append(changed)
    return told


def check_one_way(home: Home) -> None:
    """Sessions begin warm by the prefill file, or by rules: of those that had both, nobody could say by which."""
    active = Prefill(home).active()
    if active is not None:
        raise Trouble(
            f"Template '{active.template}' is active for every next session: `warm-tui deactivate`, or x on Templates,"
            " ends that, then rules can draw."
        )


def refuse_beside_rules(rules: Sequence[Rule]) -> None:
    """The same from the other side."""
    running = [rule.number for rule in rules if rule.running]
    if running:
        raise Trouble(
            f"{plural(len(running), 'rule of trials draws', 'rules of trials draw')} which sessions begin warm:"
            f" `warm-tui trials pause {running[0]}`, or p on Experiments, first, or put it under a rule."
        )


def still_paused(rules: Sequence[Rule]) -> str:
    """What an activation paused does not go on by itself when it ends: a sentence of that, where there is any."""
    paused = [rule for rule in rules if rule.paused_for]
    if not paused:
        return ""
    numbers = ", ".join(str(rule.number) for rule in paused)
    by = ", ".join(dict.fromkeys(rule.paused_for for rule in paused))
    one = len(paused) == 1
    return (
        f"Rule{'' if one else 's'} {numbers} of trials {'was' if one else 'were'} paused by the activation of {by}, and"
        f" stay{'s' if one else ''} so: `warm-tui trials resume {paused[0].number}`, or r on Experiments, lets"
        f" {'it' if one else 'one'} draw again."
    )


def kept_rules(home: Home) -> list[Rule]:
    """Without making, migrating or mending a library, for who only looks; RulesUnknown where that cannot be read."""
    if not os.path.lexists(home.library):
        return []
    try:
        with closing(opened(home.library)) as connection:
            # A library of before there were rules has none, and an earlier one lacks what came later.
            there = {row[1] for row in connection.execute("PRAGMA table_info(trials)")}
            return rules_of(connection, there) if there else []
    except (sqlite3.Error, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise RulesUnknown(
            f"Whether rules draw sessions is not known, for {home.library} cannot be read: {why}."
        ) from error


def warmed_by(home: Home) -> str:
    """By which way the next sessions begin warm, in words."""
    active = Prefill(home).active()
    by_file = f"the prefill file, with {active.template}" if active else ""
    try:
        rules = kept_rules(home)
    except RulesUnknown:
        return f"{by_file or 'not by the prefill file'}; whether by rules cannot be read"
    running = sum(rule.running for rule in rules)
    paused = f", {len(rules) - running:,} paused" if len(rules) > running else ""
    if running:
        return f"{plural(running, 'rule')} of trials{paused}"
    return (by_file or "nothing") + paused.replace(", ", ", rules: ", 1)


def beside_rules(home: Home) -> list[str]:
    """What keeps sessions from being drawn although rules run, and from knowing whether any do."""
    try:
        rules = kept_rules(home)
    except RulesUnknown as unknown:
        return [str(unknown)]
    if not any(rule.running for rule in rules):
        return []
    files = dict.fromkeys(way.file for way in next_sessions(home) if way.messages)
    return [
        f"Rules draw which sessions begin warm, but {file} is named as their first messages: those are not drawn."
        for file in files
    ]


def advice(home: Home) -> list[str]:
    """What is missing for rules to draw, and where they do not."""
    state = plugin_state.plugin_state(home)
    sentences = list(state.advice)
    if not state.enabled and not sentences:
        sentences.append("The plugin is not switched on: `warm-tui plugin enable` does that.")
    older = [agent.name for agent in installed.agents_here() if agent.version and agent.number < MIDDLEWARE_SINCE]
    sentences += [
        f"{name} asks no plugin before its requests: its sessions are not drawn, and stay cold." for name in older
    ]
    return sentences
