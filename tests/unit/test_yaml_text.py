"""Single settings set and taken out again: whatever the layout, all else stays byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from warm_tui.agent.hermes_config import PLACES, TOP, WITHIN_AGENT, parse_config, prefill_at, with_prefill
from warm_tui.agent.yaml_text import with_setting, with_word
from warm_tui.errors import Trouble

PATH = Path("config.yaml")
LAYOUTS = (
    "a: 1\n", "# mine\nagent:\n  max_turns: 9  # so many\n  other: [1, 2]\nz: 1\n", "agent:\n    deep:\n        x: 1\nz: 1",
    "agent: {max_turns: 9}\n", "agent: {}\nz: 1\n", "agent:\nz: 1\n", "agent:   # mine\n  x: 1\n", "agent:\r\n  x: 1\r\nz: 2\r\n",
    "{}\n", '{"a": 1}', '{"agent": {"x": 1}, "z": 2}', "agent: &a\n  x: 1\nb: *a\n", "  agent:\n    x: 1\n  z: 2\n",
    "---\nagent:\n- not\n- a mapping\n", "agent:\n  x: |\n    words\n\n# of another\nz: 1\n", "'agent':\n  x: 1\n",
)  # fmt: skip


@pytest.mark.parametrize("text", LAYOUTS)
def test_both_places_are_set_and_taken_out_byte_for_byte(text: str) -> None:
    if "- a mapping" in text:
        with pytest.raises(Trouble, match=r"Set agent\.prefill_messages_file there yourself"):
            with_prefill(text, PATH, "/x.json", PLACES)
        return
    warm = with_prefill(text, PATH, "/x.json", PLACES)
    config = parse_config(warm, PATH)
    assert [prefill_at(config, place) for place in PLACES] == ["/x.json", "/x.json"]
    cold = warm
    for place in PLACES:
        cold = with_setting(cold, PATH, place, None, kept=place[0] in parse_config(text, PATH))
    assert cold.rstrip("\r\n") == text.rstrip("\r\n")


def test_what_else_stands_in_a_mapping_that_we_made_stays() -> None:
    warm = with_setting("a: 1\n", PATH, WITHIN_AGENT, "/x.json")
    assert warm == 'a: 1\nagent:\n  prefill_messages_file: "/x.json"\n'
    edited = warm + "  max_turns: 3\n"
    assert with_setting(edited, PATH, WITHIN_AGENT, None) == "a: 1\nagent:\n  max_turns: 3\n"


def test_a_value_in_brackets_over_several_lines_is_replaced_whole() -> None:
    text = "a: 1\nprefill_messages_file: [\n1,\n2]\nb: 2\n"
    assert with_setting(text, PATH, TOP, "/x") == 'a: 1\nprefill_messages_file: "/x"\nb: 2\n'


def test_a_mapping_that_is_an_alias_is_left() -> None:
    with pytest.raises(Trouble, match="cannot be edited safely"):
        with_setting("base: &b {x: 1}\nagent: *b\n", PATH, WITHIN_AGENT, "/x")


LIST = ("plugins", "enabled")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a: 1\n", 'a: 1\nplugins:\n  enabled: ["warm-tui"]\n'),
        ("plugins:\n  enabled:\n  - b  # mine\n  - c\n", "plugins:\n  enabled:\n  - warm-tui\n  - b  # mine\n  - c\n"),
        ("plugins:\n  enabled:\n    - b\n", "plugins:\n  enabled:\n    - warm-tui\n    - b\n"),
        ("plugins:\n  enabled: [b, c]\n", 'plugins:\n  enabled: ["warm-tui", b, c]\n'),
        ("plugins: {enabled: [b]}\n", 'plugins: {enabled: ["warm-tui", b]}\n'),
        ("plugins:\n  enabled: []\n", 'plugins:\n  enabled: ["warm-tui"]\n'),
        ("plugins:\n  disabled: [x]\n", 'plugins:\n  enabled: ["warm-tui"]\n  disabled: [x]\n'),
        ('{"a": 1}', '{"plugins": {"enabled": ["warm-tui"]}, "a": 1}'),
        ("plugins:\n  enabled:\n  - warm-tui\n", "plugins:\n  enabled:\n  - warm-tui\n"),
    ],
)
def test_a_word_is_added_to_a_list(text: str, after: str) -> None:
    assert with_word(text, PATH, LIST, "warm-tui", there=True) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("plugins:\n  enabled:\n  - b  # mine\n  - warm-tui\nz: 1\n", "plugins:\n  enabled:\n  - b  # mine\nz: 1\n"),
        ("plugins:\n  enabled: [b, warm-tui]\n", "plugins:\n  enabled: [b]\n"),
        ("plugins:\n  enabled: [warm-tui, b]\n", "plugins:\n  enabled: [b]\n"),
        ("plugins:\n  enabled:\n  - warm-tui\nz: 1\n", "plugins:\n  enabled: []\nz: 1\n"),
        ("plugins:\n  enabled:\n  - warm-tui\n  - b\n  - warm-tui\n", "plugins:\n  enabled:\n  - b\n"),
        ("a: 1\n", "a: 1\n"),
    ],
)
def test_a_word_is_taken_out_of_a_list(text: str, after: str) -> None:
    assert with_word(text, PATH, LIST, "warm-tui", there=False) == after
