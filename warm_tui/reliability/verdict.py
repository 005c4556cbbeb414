"""Did this call succeed? Three answers, a kind, a reason, and how sure we are.

Two roads lead to a verdict: what a result says of itself in its fields (certain), and, where it says
nothing, what the end of a program's output looks like (likely). The rules stand in `rules.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from warm_tui.reliability.evidence import (
    NOTHING,
    Evidence,
    end_of_plain_success,
    evidence_in,
    is_printed,
    parts_of,
    text_of,
)
from warm_tui.reliability.output import GLANCE, TAIL, ends_well, first_sign, is_calm, may_hide
from warm_tui.reliability.rules import FIELD_RULES, MESSAGE_RULES, Kind, Outcome
from warm_tui.reliability.words import carries_command, one_line
from warm_tui.sessions.model import Call
from warm_tui.sessions.source import StandIn

Confidence: TypeAlias = Literal["certain", "likely", "yours"]

# Rises with every change that can change a verdict: profiles made by older rules are made anew.
RULES_VERSION = 5


class Verdict(msgspec.Struct, frozen=True, gc=False):
    outcome: Outcome
    kind: Kind
    reason: str
    confidence: Confidence
    rule: str
    said_at: float | None = None
    """When a person said it."""
    ours: Verdict | None = None
    """What the rules say, where a person said otherwise, or the same."""

    @property
    def is_own(self) -> bool:
        """A person's, not the rules'."""
        return self.confidence == "yours"


OK = Verdict("success", "ok", "", "certain", "ok")
LIKELY_OK = Verdict("success", "ok", "", "likely", "no_sign_of_failure")
NO_RESULT = Verdict("unknown", "no_result", "no result was recorded", "certain", "no_result")
REWOUND = Verdict("unknown", "rewound", "taken back by the user", "certain", "rewound")
INVALID_ARGUMENTS = Verdict("failure", "protocol", "the arguments are not valid JSON", "certain", "invalid_arguments")


def verdict_on(call: Call, stand_ins: Sequence[StandIn], own: Mapping[str, Verdict] | None = None) -> Verdict:
    """What is held of a call: a person's own verdict, with ours kept in it, or ours."""
    ours = REWOUND if call.rewound else judge(call.arguments, call.result, stand_ins)
    return beside(own.get(call.key), ours) if own else ours


def beside(own: Verdict | None, ours: Verdict) -> Verdict:
    """What holds: a person's verdict where there is one, with ours kept in it."""
    return ours if own is None else msgspec.structs.replace(own, ours=ours)


def judge(arguments: str, result: str | None, stand_ins: Sequence[StandIn] = ()) -> Verdict:
    """The verdict on one call, from its arguments as recorded and its result.

    The tool's name is not asked for: what a result looks like decides, whatever the tool is called.
    `stand_ins`: what the agent writes where there is no result.
    """
    try:
        _skip(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        if not valid_arguments(arguments):
            return INVALID_ARGUMENTS
    if result is None:
        return NO_RESULT
    end = end_of_plain_success(result, GLANCE)
    if end is not None and (not end or (ends_well(end) and not _may_hide_more(arguments, result))):
        return OK
    if result[:1] in _JSON_OPENS:
        evidence = evidence_in(result)
        if evidence is not None and not _is_printed(arguments, result, evidence):
            return _judge_fields(evidence, arguments, stand_ins)
    return _judge_text(arguments, result, stand_ins)


def _is_printed(arguments: str, result: str, evidence: Evidence) -> bool:
    """Did a program print this JSON: beside other lines, or of other things than a call?"""
    if not evidence.is_clean:
        return carries_command(arguments) and is_printed(result)
    if result[-1] in _JSON_CLOSES or result[-GLANCE:].rstrip()[-1:] in _JSON_CLOSES:
        return False
    return carries_command(arguments)


def _may_hide_more(arguments: str, result: str) -> bool:
    return may_hide(arguments) and not is_calm(end_of_plain_success(result, TAIL) or "", arguments)


_JSON_CLOSES = frozenset('}]"')
_JSON_OPENS = frozenset('{["' + " \n\r\t")
_skip = msgspec.json.Decoder(msgspec.Raw).decode


def valid_arguments(arguments: str) -> bool:
    """Arguments that are JSON, or nothing at all, as tools without any are called."""
    if not arguments.strip():
        return True
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _judge_fields(evidence: Evidence, arguments: str, stand_ins: Sequence[StandIn]) -> Verdict:
    if not evidence.is_clean:
        for rule in FIELD_RULES:
            reason = rule.says(evidence, arguments)
            if reason is not None:
                confidence: Confidence = "likely" if rule.name == "status" and evidence.beside_payload else "certain"
                return Verdict(rule.outcome, rule.kind, one_line(reason), confidence, rule.name)
    # The common case, and the fast one: it ended well, unless what it printed says otherwise.
    if evidence.printed:
        return _judge_output(evidence, arguments)
    if evidence.result is not NOTHING:
        return _judge_inner(evidence.result, arguments, stand_ins)
    if evidence.content is not NOTHING and (text := parts_of(evidence.content)):
        return _judge_text(arguments, text, stand_ins)
    return LIKELY_OK if evidence.beside_payload else OK


def _judge_inner(result: msgspec.Raw, arguments: str, stand_ins: Sequence[StandIn]) -> Verdict:
    """A result that wraps another: words, parts, or fields of its own; one level deep."""
    text = text_of(result) or parts_of(result) or bytes(result).decode("utf-8", "replace")
    inner = evidence_in(text) if text[:1] in _JSON_OPENS else None
    if inner is None:
        return _judge_text(arguments, text, stand_ins)
    inner.result = NOTHING
    return OK if inner.is_clean else _judge_fields(inner, arguments, stand_ins)


def _judge_output(evidence: Evidence, arguments: str) -> Verdict:
    """No exit code, or 0: does the output tell of work that failed all the same?"""
    if ends_well(evidence.words_of(GLANCE)) and (
        not may_hide(arguments) or is_calm(evidence.words_of(TAIL), arguments)
    ):
        return OK
    if not carries_command(arguments):
        return OK
    sign = first_sign(evidence.words_of(TAIL), arguments, exit_zero=True)
    return Verdict("failure", "masked", sign.words, "likely", sign.rule) if sign else OK


EXIT_TEXT = re.compile(
    r"^(?:<error>)?\[?(?:Command failed with |Process exited with |Command exited with )?[Ee]xit(?:ed with)?"
    r" (?:code|status):? (?P<code>[1-9]\d{0,2})\b[\].]?",
    re.MULTILINE,
)


def _exit_text(result: str) -> re.Match[str] | None:
    return EXIT_TEXT.search(result[:200]) or EXIT_TEXT.search(result[-200:])


def _judge_text(arguments: str, result: str, stand_ins: Sequence[StandIn]) -> Verdict:
    """Plain text: what the agent itself reports, then what a program's output looks like."""
    ran = carries_command(arguments)
    exit_text = _exit_text(result) if ran and "xit" in result else None
    if exit_text:
        # An exit code in words is as good as one in a field.
        printed = msgspec.Raw(msgspec.json.encode(result[-TAIL:].replace(exit_text[0], "")))
        return _judge_fields(Evidence(exit_code=int(exit_text["code"]), output=printed), arguments, stand_ins)
    for stand_in in stand_ins:
        if match := stand_in.pattern.match(result):
            return Verdict(stand_in.outcome, stand_in.kind, one_line(match[0]), "certain", stand_in.name)
    for rule in () if ran else MESSAGE_RULES:
        if match := rule.pattern.match(result):
            return Verdict(rule.outcome, rule.kind, one_line(match[0]), "likely", rule.name)
    sign = first_sign(result[-TAIL:], arguments, exit_zero=False) if ran else None
    return Verdict("failure", sign.kind, sign.words, "likely", sign.rule) if sign else LIKELY_OK
