"""All three formats are read and written without loss."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.errors import Trouble
from warm_tui.templates.formats import as_version_2, read_template, write_template
from warm_tui.templates.model import Origin, Pattern, Template

GOLDEN = Path(__file__).parents[1] / "fixtures" / "templates"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "tool_name arguments result_summary preceding_context pattern_type success_count session_types origin whose joined "
    "succeeded result success turn_number usage_count source_session_id context_hint result_success other"
).split()


@pytest.mark.parametrize("name", ["version-2", "version-1", "code-first"])
def test_golden_files_round_trip(name: str) -> None:
    document = json.loads((GOLDEN / f"{name}.json").read_text())
    template = read_template(document, name)
    assert write_template(template) == document
    assert template.format.replace(" ", "-") == name


def test_what_is_read_of_version_2() -> None:
    template = read_template(json.loads((GOLDEN / "version-2.json").read_text()), "version-2")
    first, second = template.patterns
    assert (first.tool_name, first.context, first.kind, first.success_count) == (
        "terminal",
        "Run the tests.",
        "init",
        4,
    )
    assert second.arguments == {"path": "a.py"}, "arguments may be the JSON of an object"
    assert template.addendum == "Run the tests after each change."


def test_what_is_read_of_version_1() -> None:
    template = read_template(json.loads((GOLDEN / "version-1.json").read_text()), "version-1")
    assert [pattern.succeeded for pattern in template.patterns] == [True, False]
    assert template.patterns[0].context == "What is here?"


def test_what_is_read_of_code_first() -> None:
    (pattern,) = read_template(json.loads((GOLDEN / "code-first.json").read_text()), "code-first").patterns
    assert pattern.result == '{"status": "success", "output": "2\\n"}'
    assert pattern.origin == Origin(session_id="20260201_080000_bbbbbb", position=3)
    assert pattern.success_count == 2


@given(
    st.sampled_from(["patterns", "examples"]),
    st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6), max_size=4),
    st.dictionaries(
        st.sampled_from(["description", "tags", "version", "metrics", "task_type", "whose", "other"]), JSON
    ),
)
def test_whatever_a_file_holds_it_is_written_as_it_was_read(
    key: str, patterns: list[dict[str, object]], rest: dict[str, object]
) -> None:
    document = {"name": "x", "version": 2, **rest, key: patterns}
    assert write_template(read_template(document, "x")) == document


def test_what_is_changed_is_written_and_the_rest_is_kept() -> None:
    document = json.loads((GOLDEN / "version-2.json").read_text())
    template = read_template(document, "version-2")
    first = msgspec.structs.replace(template.patterns[0], context="Run them all.")
    written = write_template(msgspec.structs.replace(template, patterns=(first,), tags=("new",)))
    assert written["patterns"] == [document["patterns"][0] | {"preceding_context": "Run them all."}]
    assert written["tags"] == ["new"]
    assert written["of_a_later_version"] == "kept"


@pytest.mark.parametrize("name", ["version-1", "code-first"])
def test_older_formats_become_version_2_and_say_the_same(name: str) -> None:
    template = read_template(json.loads((GOLDEN / f"{name}.json").read_text()), name)
    written = write_template(as_version_2(template))
    again = read_template(written, name)
    assert again.format == "version 2"
    assert "examples" not in written

    def said(t: Template) -> list[tuple[object, ...]]:
        return [(p.tool_name, p.arguments, p.result, p.context, p.succeeded, p.origin) for p in t.patterns]

    assert said(again) == said(template)


def test_a_new_template_has_every_field_that_older_readers_look_for() -> None:
    pattern = Pattern(
        tool_name="terminal", arguments={"command": "ls"}, origin=Origin(session_id="s", chosen_by="operator")
    )
    written = write_template(Template(name="new", patterns=(pattern,)))
    assert written["version"] == 2
    assert {
        "name",
        "description",
        "system_prompt_addendum",
        "tags",
        "source_session_ids",
        "created_at",
        "metrics",
    } <= written.keys()
    assert {
        "tool_name", "arguments", "result_summary", "preceding_context", "pattern_type", "success_count", "session_types",
    } <= written["patterns"][0].keys()  # fmt: skip
    assert written["patterns"][0]["origin"] == {"session_id": "s", "chosen_by": "operator"}


@pytest.mark.parametrize("document", [[], "text", 3, None, {}, {"patterns": {}}, {"examples": "x"}])
def test_what_is_no_template_is_told(document: object) -> None:
    with pytest.raises(Trouble, match="it is no template"):
        read_template(document, "x")
