"""What the screen and the command do alike when sessions are to start warm."""

from __future__ import annotations

from pathlib import Path

import pytest

from warm_tui.agent import activation
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import ForeignPrefill
from warm_tui.library.db import open_library
from warm_tui.library.uses import usage, warm_windows
from warm_tui.paths import Home
from warm_tui.templates.conversation import Conversation

MESSAGES = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "done"}]
CONVERSATION = Conversation(MESSAGES, [0], [0, 0], [])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, (tmp_path / "state.db",))


def test_warm_and_cold_again_are_remembered(home: Home) -> None:
    change = activation.activate(home, "mine", CONVERSATION)
    assert change.plan.changed
    assert change.notes == []
    assert activation.deactivate(home).plan.changed
    with open_library(home.library) as library:
        assert usage(library)["mine"] == 1
        (window,) = warm_windows(library)
    assert window.end is not None


@pytest.mark.parametrize(
    ("model", "provider", "told"),
    [
        ("", "openai", "It is told as openai takes it; config.yaml names no model."),
        ("claude-x", "anthropic", "It is told as anthropic takes it, for claude-x, which config.yaml names."),
        ("claude-x", "any", "It is told as any provider takes it, for claude-x, which config.yaml names."),
        ("claude-x", "openai", "! It is told as openai takes it, but config.yaml names claude-x, whose provider is anthropic."),
        ("mistral-large", "any", "! It is told as any provider takes it, but config.yaml names mistral-large, whose provider is mistral."),
    ],
)  # fmt: skip
def test_for_whose_model_it_is_told_is_said(home: Home, model: str, provider: str, told: str) -> None:
    (home.root / "config.yaml").write_text(f"model:\n  default: {model}\n" if model else "")
    assert activation.told_for(home, provider) == told


def test_what_cannot_be_remembered_is_said_and_done_all_the_same(home: Home) -> None:
    with open_library(home.library) as library:
        for when in ("INSERT", "UPDATE"):
            library.connection.execute(
                f"CREATE TRIGGER no_{when} BEFORE {when} ON uses BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )
    assert activation.activate(home, "mine", CONVERSATION).notes == ["This use was not counted: no room."]
    active = Prefill(home).active()
    assert active is not None
    assert active.template == "mine"
    with open_library(home.library) as library:
        library.connection.execute("DROP TRIGGER no_INSERT")
    activation.activate(home, "mine", CONVERSATION)
    (note,) = activation.deactivate(home).notes
    assert note == "The end of the activation was not noted: no room. Later sessions count as warm."
    assert Prefill(home).active() is None


def test_a_file_of_somebody_else_is_set_aside_only_when_that_is_said(home: Home) -> None:
    (home.root / "config.yaml").write_text("prefill_messages_file: theirs.json\n")
    with pytest.raises(ForeignPrefill):
        activation.activate(home, "mine", CONVERSATION)
    assert not home.library.exists(), "what was not done is not counted"
    assert activation.activate(home, "mine", CONVERSATION, replace=True).plan.changed


def test_what_wins_over_the_settings_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_PREFILL_MESSAGES_FILE", raising=False)
    assert activation.override_warning(home) == ""
    monkeypatch.setenv("HERMES_PREFILL_MESSAGES_FILE", "other.json")
    assert "other.json, which wins" in activation.override_warning(home)


KEY_OF_A_PROVIDER = "q8Zr41LmPx0" + "Vb7"


@pytest.mark.parametrize(
    "config",
    [
        "model: a-model\napi_key: {key}\nprefill_messages_file: old.json # {key}\npassword: {key}\n",
        "providers:\n  - name: mine\n    api_key: {key}\n",
        "# api_key: {key}\n\nbase: 'https://me:{key}@host'\n",
        '{{"api_key": "{key}", "prefill_messages_file": "old.json", "token": "{key}"}}\n',
        "{{api_key: {key}}}\n",
        "words: |\n  {key}\n  more {key}\n",
    ],
)
def test_the_difference_shows_our_setting_and_of_others_no_more_than_their_names(home: Home, config: str) -> None:
    home.root.mkdir(exist_ok=True)
    (home.root / "config.yaml").write_text(config.format(key=KEY_OF_A_PROVIDER))
    told = Prefill(home).plan_activation(True).difference
    assert KEY_OF_A_PROVIDER not in told
    (added,) = [line for line in told.split("\n")[2:] if line.startswith("+")]
    assert "prefill_messages_file" in added
    assert str(Prefill(home).file) in added
