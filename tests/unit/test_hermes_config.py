"""The one line of config.yaml: found and proved by the parser's events, however large and odd the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from warm_tui.agent import hermes_config
from warm_tui.agent.hermes_config import parse_config, with_prefill
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.paths import Home

PATH = Path("config.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "prefill_messages_file: &x y\nb: *x\n",  # what b is would be gone
        "? prefill_messages_file\n: x\n",
    ],
)
def test_what_cannot_be_set_without_changing_more_is_left(text: str) -> None:
    with pytest.raises(Trouble, match=r"cannot be edited safely|is not valid YAML"):
        with_prefill(text, PATH, "/new")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("# x\n---\n", '# x\n---\nprefill_messages_file: "/new"\n'),
        ("a: &y 1\nb: *y\nprefill_messages_file: *y\n", 'a: &y 1\nb: *y\nprefill_messages_file: "/new"\n'),
        ("? [x, y]\n: {prefill_messages_file: inner}\n", '? [x, y]\n: {prefill_messages_file: inner}\nprefill_messages_file: "/new"\n'),
        ("a:\n  prefill_messages_file: inner\n", 'a:\n  prefill_messages_file: inner\nprefill_messages_file: "/new"\n'),
        ("prefill_messages_file:\n  - a list\nb: 1\n", 'prefill_messages_file: "/new"\nb: 1\n'),
    ],
)  # fmt: skip
def test_it_is_set_where_only_it_changes(text: str, after: str) -> None:
    assert with_prefill(text, PATH, "/new") == after


@pytest.mark.parametrize(
    "text", ["a: " + "[" * 100_000, "a: " + "[" * 50_000 + "]" * 50_000, "a: 1\n---\nb: 2\n", "\0", "a: *x"]
)
def test_what_no_parser_should_load_is_told(text: str) -> None:
    """Loading what is nested deeply would end the process, not only fail."""
    with pytest.raises(Trouble, match="is not valid YAML"):
        parse_config(text, PATH)


def test_a_large_file_is_loaded_once_for_all_that_is_asked_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"section_{n}:\n- one  # as I like it\n" for n in range(2_000))
    (tmp_path / "config.yaml").write_text(text)
    loaded: list[str] = []
    load = hermes_config._load
    monkeypatch.setattr(hermes_config, "_load", lambda text: (loaded.append(text), load(text))[1])
    prefill = Prefill(Home(tmp_path, ()))
    prefill.provider()
    prefill.window()
    prefill.plan_activation()
    prefill.activate("mine", [{"role": "user", "content": "Look."}])
    assert loaded == [text]
    assert (tmp_path / "config.yaml").read_text() == f'{text}prefill_messages_file: "{prefill.file}"\n'
    prefill.deactivate()
    assert (tmp_path / "config.yaml").read_text() == text


def test_a_file_beyond_all_bounds_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_bytes(b"# x\n" * 1_300_000)
    with pytest.raises(Trouble, match="larger than 5,000,000 bytes"):
        Prefill(Home(tmp_path, ())).plan_activation()
