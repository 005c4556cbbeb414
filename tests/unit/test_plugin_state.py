"""The plugin is switched on in any version's config.yaml, and what it did is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NEWEST
from tests.unit.commands import at, document, run
from tests.unit.test_plugin import Context
from warm_tui.agent import installed
from warm_tui.agent.installed import Installed
from warm_tui.agent.plugin import register
from warm_tui.agent.plugin_state import enable, is_enabled, plugin_state
from warm_tui.agent.recording import Recorder
from warm_tui.paths import Home


def here(monkeypatch: pytest.MonkeyPatch, **plugin_of: bool | None) -> None:
    class Known(Installed):
        @property
        def has_our_plugin(self) -> bool | None:
            return plugin_of[f"v{self.version.replace('.', '_')}"]

    agents = [Known(Path(f"/opt/{name}/bin/hermes"), None, name[1:].replace("_", ".")) for name in plugin_of]
    monkeypatch.setattr(installed, "agents_here", lambda: agents)


@pytest.mark.parametrize(
    ("config", "enabled"),
    [
        ({}, False),
        ({"plugins": None}, False),
        ({"plugins": {"enabled": ["warm-tui"]}}, True),
        ({"plugins": {"enabled": ["warm-tui"], "disabled": ["warm-tui"]}}, False),
        ({"plugins": {"enabled": "warm-tui"}}, False),
    ],
)
def test_it_is_enabled_as_hermes_reads_it(config: dict[str, object], enabled: bool) -> None:
    assert is_enabled(config) is enabled


def test_switching_it_on_changes_its_own_words_alone(demo: Home) -> None:
    config = demo.root / "config.yaml"
    before = config.read_text() + "plugins:\n  enabled:  # mine\n  - other\n  disabled: [warm-tui, third]\n"
    config.write_text(before)
    shown = run(*at(demo), "plugin", "enable", "--yes").stderr
    assert "warm-tui" in shown
    assert config.read_text() == before.replace("- other", "- warm-tui\n  - other").replace(
        "[warm-tui, third]", "[third]"
    )
    assert document(*at(demo), "plugin", "enable", "--yes")["changed"] is False


def test_without_a_config_one_is_made(tmp_path: Path) -> None:
    assert enable(Home(tmp_path, ())).changed
    assert (tmp_path / "config.yaml").read_text() == 'plugins:\n  enabled: ["warm-tui"]\n'


def test_what_is_to_be_done_is_told_by_version(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    here(monkeypatch, v0_19_0=True)
    assert plugin_state(demo).advice == ["The plugin is not switched on: `warm-tui plugin enable` does that."]
    here(monkeypatch, v0_13_0=True)
    (told,) = plugin_state(demo).advice
    assert told.endswith("`warm-tui plugin enable` does that; `hermes plugins enable` of 0.13.0 cannot.")
    here(monkeypatch, v0_19_0=False)
    assert plugin_state(demo).advice == [
        "The plugin is not installed beside Hermes 0.19.0: `/opt/v0_19_0/bin/python -m pip install warm-tui` does that."
    ]
    here(monkeypatch, v0_19_0=True)
    enable(demo)
    assert plugin_state(demo).advice == ["No agent has taken the plugin in yet: the next one that is started does."]


def test_an_agent_that_takes_it_in_and_a_session_that_it_records_are_told(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    here(monkeypatch, v0_19_0=True)
    monkeypatch.setenv("HERMES_HOME", str(demo.root))
    monkeypatch.setattr("warm_tui.agent.recording.version_of_agent", lambda: NEWEST.version)
    enable(demo)
    assert (plugin_state(demo).loaded_at, plugin_state(demo).recorded_session) == (None, "")
    register(Context())
    Recorder(demo.root).started(demo.root, "the first", "m", "cli")
    state = plugin_state(demo)
    assert (state.loaded_by, state.recorded_session, state.advice) == ("0.19.0", "the first", [])
    told = document(*at(demo), "doctor")
    assert (told["plugin"]["enabled"], told["plugin"]["recorded_session"]) == (True, "the first")
    lines = run(*at(demo), "doctor").stdout
    assert "taken in last by Hermes 0.19.0" in lines
    assert "last session recorded: the first" in lines
    assert document(*at(demo), "plugin", "status")["recorded_session"] == "the first"
    assert "switched on" in run(*at(demo), "plugin", "status").stdout
