"""Plans, to-do lists and questions are read as lists, whichever agent made them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from warm_tui.presentation.lines import text_of
from warm_tui.presentation.recorded import arguments_of


def told(arguments: Any) -> list[str]:
    return [text_of(line) for line in arguments_of(json.dumps(arguments))]


@pytest.mark.parametrize(
    ("name", "words"),
    [("todos", "content"), ("plan", "step"), ("tasks", "title")],
)
def test_steps_have_a_line_each_with_their_state(name: str, words: str) -> None:
    steps = [
        {words: "Read the code", "status": "completed"},
        {words: "Mend it", "status": "in_progress", "activeForm": "Mending"},
        {words: "Test it\nwell", "status": "pending"},
    ]
    assert told({name: steps}) == [
        f"{name}:",
        "  ☑ Read the code",
        "  ▶ Mend it  activeForm: Mending",
        "  ☐ Test it well",
    ]


def test_a_question_has_its_options_below_it() -> None:
    question = {
        "question": "Which one?",
        "header": "Choice",
        "options": [{"label": "A", "description": "the first"}, "B"],
    }
    assert told({"questions": [question]}) == [
        "questions:",
        "  ? Which one?  header: Choice",
        "    ○ A  description: the first",
        "    ○ B",
    ]


@pytest.mark.parametrize(
    "value",
    [[], ["a"], [{"content": "x"}], [{"content": "x", "status": "odd"}], [{"question": "q", "options": [1]}], "text"],
)
def test_anything_else_is_laid_out_as_before(value: Any) -> None:
    assert not any(mark in "\n".join(told({"todos": value})) for mark in "☑☐▶○")
