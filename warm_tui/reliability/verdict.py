"""Did this call succeed? Three answers, a kind, a reason, and how sure we are.

Two roads lead to a verdict: what a result says of itself in its fields (certain), and, where it says
nothing, what the end of a program's output looks like (likely). The rules stand in `rules.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import msgspec

from warm_tui.reliability.evidence import (
    NOTHING,
    Evidence,
    encoded,
    end_of_plain_success,
    evidence_in,
    is_printed,
    parts_of,
    text_of,
)
from warm_tui.reliability.outcome import Confidence, Verdict, beside
from warm_tui.reliability.output import (
    GLANCE,
    TAIL,
    ends_well,
    ends_well_encoded,
    first_sign,
    may_hide,
)
from warm_tui.reliability.reading import shows_other_text
from warm_tui.reliability.rules import FIELD_RULES, MESSAGE_RULES
from warm_tui.reliability.shell import ECHOES
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.signs import exit_code
from warm_tui.reliability.told_codes import tells_codes
from warm_tui.reliability.witnesses import Sign
from warm_tui.reliability.words import carries_command, command_of, one_line
from warm_tui.sessions.model import Call, Report
from warm_tui.sessions.source import StandIn

OK = Verdict("success", "ok", "", "certain", "ok")
LIKELY_OK = Verdict("success", "ok", "", "likely", "no_sign_of_failure")
NO_RESULT = Verdict("unknown", "no_result", "no result was recorded", "certain", "no_result")
UNFINISHED = Verdict("unknown", "no_result", "it was still running when last heard of", "certain", "unfinished")
REWOUND = Verdict("unknown", "rewound", "taken back by the user", "certain", "rewound")
INVALID_ARGUMENTS = Verdict("failure", "protocol", "the arguments are not valid JSON", "certain", "invalid_arguments")


def verdict_on(call: Call, stand_ins: Sequence[StandIn], own: Mapping[str, Verdict] | None = None) -> Verdict:
    """What is held of a call: a person's own verdict, with ours kept in it, or ours."""
    ours = REWOUND if call.rewound else judge(call.arguments, call.result, stand_ins, call.report)
    return beside(own.get(call.key), ours) if own else ours


def judge(
    arguments: str, result: str | None, stand_ins: Sequence[StandIn] = (), report: Report | None = None
) -> Verdict:
    """The verdict on one call, from its arguments as recorded and its result.

    The tool's name is not asked for: what a result looks like decides, whatever the tool is called.
    `stand_ins`: what the agent writes where there is no result; `report`: what it recorded beside one.
    """
    try:
        _skip(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        if not valid_arguments(arguments):
            return INVALID_ARGUMENTS
    if result is None:
        return NO_RESULT
    if report is not None:
        return _judge_report(report, arguments, result, stand_ins)
    end = end_of_plain_success(result, GLANCE)
    if end is not None and (not end or (not may_hide(arguments) and ends_well_encoded(end))):
        return OK
    if result[:1] in _JSON_OPENS:
        evidence = evidence_in(result)
        if evidence is not None:
            if evidence.is_clean:
                if _ends_as_json(result) or not carries_command(arguments):
                    return _judge_clean(evidence, arguments, stand_ins)
            elif not (carries_command(arguments) and (is_printed(result, evidence) or _is_shown(result, arguments))):
                return _judge_fields(evidence, arguments, stand_ins)
    return _judge_text(arguments, result, stand_ins)


def _is_shown(result: str, arguments: str) -> bool:
    """Over many lines, and by a program that shows what others wrote."""
    return result.startswith("{\n") and shows_other_text(parse(command_of(arguments)), ended_well=True)


def _ends_as_json(result: str) -> bool:
    """A program may print JSON before other lines."""
    return result[-1:] in _JSON_CLOSES or result[-GLANCE:].rstrip()[-1:] in _JSON_CLOSES


def _judge_report(report: Report, arguments: str, result: str, stand_ins: Sequence[StandIn]) -> Verdict:
    """What the agent recorded beside a result weighs more than any of its words, but those it wrote itself."""
    if stand_in := _stand_in(result, stand_ins):
        return stand_in
    if report.interrupted:
        return Verdict("unknown", "interrupted", "interrupted", "certain", "interrupted")
    if report.benign:
        return Verdict("success", "benign_exit", one_line(report.benign), "certain", "agent_says_benign")
    words = report.words or result
    ran = report.exit_code is not None or carries_command(arguments)
    if not report.failed and not report.exit_code:
        if report.exit_code is None and report.failed is None:
            verdict = _judge_text(arguments, report.words or result, stand_ins)
            return UNFINISHED if report.unfinished and verdict.outcome == "success" else verdict
        return _judge_clean(Evidence(exit_code=0, output=_encoded(words)), arguments, stand_ins) if ran else OK
    if report.exit_code:
        evidence = Evidence(exit_code=report.exit_code, output=_encoded(words))
        verdict = _judge_fields(evidence, arguments, stand_ins)
        if report.failed and verdict.outcome == "success":
            # An agent that tells answers from failures itself is believed.
            return Verdict(
                "failure", "exit_code", one_line(exit_code(evidence, arguments) or ""), "certain", "exit_code"
            )
        return verdict
    return _judge_fields(Evidence(error=words.strip() or "it failed, without a word"), arguments, stand_ins)


def _encoded(printed: str) -> msgspec.Raw:
    return encoded(printed[-TAIL:])


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
    for rule in FIELD_RULES:
        reason = rule.says(evidence, arguments)
        if reason is not None:
            if rule.name == "benign_exit" and (sign := _sign_before_the_answer(evidence, arguments)):
                return Verdict("failure", "masked", sign.words, "likely", sign.rule)
            confidence: Confidence = "likely" if rule.name == "status" and evidence.beside_payload else "certain"
            return Verdict(rule.outcome, rule.kind, one_line(reason), confidence, rule.name)
    return _judge_clean(evidence, arguments, stand_ins)


def _sign_before_the_answer(evidence: Evidence, arguments: str) -> Sign | None:
    """`failing | tail -2; grep ...`: the code is that of the last, and other work stood before."""
    script = parse(command_of(arguments))
    if len(script.last_run()) == len(script.pipelines):
        return None
    return first_sign(evidence.words_of(TAIL), arguments, exit_zero=True)


def _judge_clean(evidence: Evidence, arguments: str, stand_ins: Sequence[StandIn]) -> Verdict:
    """The common case, and the fast one: it ended well, unless what it printed says otherwise."""
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
    if not carries_command(arguments) or (not may_hide(arguments) and ends_well(evidence.words_of(GLANCE))):
        return OK
    sign = first_sign(evidence.words_of(TAIL), arguments, exit_zero=True)
    return Verdict("failure", "masked", sign.words, "likely", sign.rule) if sign else OK


def _stand_in(result: str, stand_ins: Sequence[StandIn]) -> Verdict | None:
    for stand_in in stand_ins:
        if match := stand_in.pattern.match(result):
            return Verdict(stand_in.outcome, stand_in.kind, one_line(match[0]), "certain", stand_in.name)
    return None


EXIT_TEXT = re.compile(
    r"^(?:<error>)?\[?(?:Command failed with |Process exited with |Command exited with )?[Ee]xit(?:ed with)?"
    r" (?:code|status):? (?P<code>[1-9]\d{0,2})\b[\].]?",
    re.MULTILINE,
)


def _exit_text(result: str, arguments: str) -> re.Match[str] | None:
    """As an agent writes it: first of all, or on a line of its own. Else it may be a line of a file that is shown."""
    found = [*EXIT_TEXT.finditer(result[:200]), *EXIT_TEXT.finditer(result[-200:])]
    if not found or result.startswith(found[0][0]):
        return found[0] if found else None
    alone = (each for each in found if each.string[each.end() :].partition("\n")[0].strip() in _BEHIND_EXIT_TEXT)
    told = next(alone, None)
    # Go and its like end their own words so, which then stand in a log.
    if told and not told[0].startswith("exit status"):
        return told
    return None if shows_other_text(parse(command_of(arguments)), ended_well=True) else told or found[0]


def _is_of_the_agent(arguments: str) -> bool:
    """No `echo` of the line speaks of an exit, nor is a text shown."""
    script = parse(command_of(arguments))
    echoes = (head for head, *_ in script.pipelines if head.program in ECHOES)
    spoken = any("xit" in arg for echo in echoes for arg in echo.args)
    return not spoken and not shows_other_text(script, ended_well=True)


_BEHIND_EXIT_TEXT = frozenset({"", "</error>"})


def _judge_text(arguments: str, result: str, stand_ins: Sequence[StandIn]) -> Verdict:
    """Plain text: what the agent itself reports, then what a program's output looks like."""
    ran = carries_command(arguments)
    exit_text = _exit_text(result, arguments) if ran and "xit" in result else None
    if exit_text and (not tells_codes(arguments) or _is_of_the_agent(arguments)):
        # An exit code in words is as good as one in a field.
        printed = _encoded(result[-TAIL:].replace(exit_text[0], ""))
        return _judge_fields(Evidence(exit_code=int(exit_text["code"]), output=printed), arguments, stand_ins)
    if stand_in := _stand_in(result, stand_ins):
        return stand_in
    for rule in () if ran else MESSAGE_RULES:
        if match := rule.pattern.match(result):
            return Verdict(rule.outcome, rule.kind, one_line(match[0]), "likely", rule.name)
    sign = first_sign(result[-TAIL:], arguments, exit_zero=False) if ran else None
    return Verdict("failure", sign.kind, sign.words, "likely", sign.rule) if sign else LIKELY_OK
