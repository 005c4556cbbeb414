"""The plugin as the agents here have it: installed, switched on, taken in, and when it last recorded a session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.agent import installed
from warm_tui.agent.config_file import ConfigFile, Plan, decoded
from warm_tui.agent.hermes_config import parse_config, settings_of
from warm_tui.agent.recording import LOADED, last_recorded
from warm_tui.agent.yaml_text import Place, with_word
from warm_tui.paths import Home
from warm_tui.writing import read_ours

NAME = "warm-tui"
ENABLED: Place = ("plugins", "enabled")
DISABLED: Place = ("plugins", "disabled")
KNOWN_BY_HERMES_SINCE = (0, 18)
"""Before, `hermes plugins enable` knew no plugin that came with a package."""


class PluginState(msgspec.Struct, frozen=True, kw_only=True):
    installed: dict[str, bool | None]
    """By the program of each Hermes; null where it is not known."""
    versions: dict[str, str]
    enabled: bool
    loaded_at: float | None
    """When an agent took it in last, and which; nothing where none did."""
    loaded_by: str
    recorded_at: float | None
    recorded_session: str
    """The last session whose beginning it recorded."""

    @property
    def advice(self) -> list[str]:
        missing = [program for program, there in self.installed.items() if there is False]
        sentences = [
            f"The plugin is not installed beside Hermes {self.versions[program]}: "
            f"`{Path(program).with_name('python')} -m pip install warm-tui` does that."
            for program in missing
        ]
        if not self.enabled and len(missing) < len(self.installed):
            older = [v for v in self.versions.values() if v and installed.number_of(v) < KNOWN_BY_HERMES_SINCE]
            why = f"; `hermes plugins enable` of {older[0]} cannot" if older else ""
            sentences.append(f"The plugin is not switched on: `warm-tui plugin enable` does that{why}.")
        elif self.enabled and self.loaded_at is None and len(missing) < len(self.installed):
            sentences.append("No agent has taken the plugin in yet: the next one that is started does.")
        return sentences


def plugin_state(home: Home) -> PluginState:
    agents = installed.agents_here()
    loaded = _loaded(home)
    at, session = last_recorded(home.library)
    return PluginState(
        installed={str(agent.program): agent.has_our_plugin for agent in agents},
        versions={str(agent.program): agent.version for agent in agents},
        enabled=is_enabled(settings_of(home.root)),
        loaded_at=loaded.get("at"),
        loaded_by=str(loaded.get("hermes") or ""),
        recorded_at=at,
        recorded_session=session,
    )


def is_enabled(config: Mapping[str, Any]) -> bool:
    """As every version of Hermes reads it: what is switched off stays so, also where it is switched on."""
    plugins = config.get("plugins")
    on, off = (plugins.get(key) if isinstance(plugins, Mapping) else None for key in ("enabled", "disabled"))
    return isinstance(on, list) and NAME in on and not (isinstance(off, list) and NAME in off)


def plan_enabling(home: Home) -> Plan:
    file = ConfigFile(home)
    before = file.read()
    text = decoded(before or b"", file.path)
    if is_enabled(parse_config(text, file.path)):
        return Plan(path=file.path, before=before, after=before)
    text = with_word(text, file.path, DISABLED, NAME, there=False)
    after = with_word(text, file.path, ENABLED, NAME, there=True)
    return Plan(path=file.path, before=before, after=after.encode())


def enable(home: Home) -> Plan:
    """In config.yaml itself: the command of Hermes that does it knows our plugin since 0.18 only."""
    file = ConfigFile(home)
    with file.alone():
        plan = plan_enabling(home)
        file.carry_out(plan)
        return plan


def _loaded(home: Home) -> dict[str, Any]:
    try:
        note = json.loads(read_ours(home.ours / LOADED))
        return {"at": float(note["at"]), "hermes": note["hermes"]}
    except (OSError, ValueError, TypeError, KeyError):
        return {}
