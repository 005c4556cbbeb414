"""Recorded calls of a real agent, each labelled by a person."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import FIXTURES
from warm_tui.reliability.verdict import judge
from warm_tui.sessions.hermes.facts import HERMES

CALLS = json.loads((FIXTURES / "labelled_calls.json").read_text())
EXPECTED = {
    "ok": ("success", {"ok"}),
    "benign": ("success", {"benign_exit"}),
    "fail": ("failure", {"exit_code", "tool_error", "exception", "timeout", "denied", "protocol"}),
    "masked": ("failure", {"masked"}),
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call['tool']}-{call['id'][-6:]}")
def test_the_judge_agrees_with_a_person(call) -> None:
    verdict = judge(call["arguments"], call["result"], HERMES.stand_ins)
    outcome, kinds = EXPECTED[call["label"]]
    assert verdict.outcome == outcome, verdict
    assert verdict.kind in kinds


def test_there_are_calls_of_every_label() -> None:
    assert {call["label"] for call in CALLS} == set(EXPECTED)


def test_no_result_is_unknown_and_invalid_arguments_are_a_breach() -> None:
    assert judge("{}", None).kind == "no_result"
    assert judge('{"command": "ec', None).kind == "protocol"
    assert judge("", "fine").outcome == "success"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("exit_code", "error", "success", "status", "output", "stderr", "result", "message", "ok", "isError")


@given(st.dictionaries(st.sampled_from(FIELDS), values, max_size=6), st.text(max_size=40))
def test_any_json_result_is_judged_without_raising(fields, command: str) -> None:
    verdict = judge(json.dumps({"command": command}), json.dumps(fields))
    assert verdict.outcome in ("success", "failure", "unknown")
    assert "\n" not in verdict.reason


@given(st.text(), st.text())
def test_any_text_is_judged_without_raising(arguments: str, result: str) -> None:
    assert judge(arguments, result).confidence in ("certain", "likely")
    assert judge(json.dumps({"cmd": arguments}), result).confidence in ("certain", "likely")
