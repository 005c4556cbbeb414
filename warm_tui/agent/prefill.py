"""Start the agent's next sessions warm, and cold again: the prefill file, config.yaml, and what was there before.

Written in an order in which a kill between any two leaves either state: the messages, then how to go back, then
the one line that makes Hermes read them. Back again: the line first, then the rest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.agent import installed
from warm_tui.agent.config_file import ConfigFile, Plan, decoded
from warm_tui.agent.hermes_config import (
    KEY,
    PLACES,
    model_of,
    parse_config,
    prefill_at,
    provider_of,
    window_of,
    with_prefill,
)
from warm_tui.agent.yaml_text import Place, with_setting
from warm_tui.errors import ForeignPrefill, Trouble
from warm_tui.paths import Home
from warm_tui.templates.conversation import Message
from warm_tui.writing import read_ours, write_whole


class Activation(msgspec.Struct, frozen=True, kw_only=True):
    """What is active, and what config.yaml was before anything was."""

    template: str
    content: str
    at: float
    config_before: str | None
    """Its bytes in base64; None where there was no such file."""
    config_after: str
    """The hash of what we made of it: whoever changed it since is not undone."""
    was: tuple[str, str] | None = None
    """The template and content before this one: it holds until the file of messages is the new one."""


class Prefill:
    def __init__(self, home: Home) -> None:
        self.config_file = ConfigFile(home)
        self.config = self.config_file.path
        self.file = home.ours.absolute() / "prefill.json"
        self.record = home.ours / "activation.json"
        self.backup = home.ours / "config.yaml.before"

    # --- what holds ---

    def settings(self) -> Mapping[str, Any]:
        return parse_config((self.config_file.read() or b"").decode("utf-8", "replace"), self.config)

    def provider(self) -> str:
        """By the model that config.yaml names; a file that cannot be read names none."""
        with suppress(Trouble):
            return provider_of(self.settings())
        return "openai"

    def model(self) -> str:
        with suppress(Trouble):
            return model_of(self.settings())
        return ""

    def window(self) -> int | None:
        with suppress(Trouble):
            return window_of(self.settings())
        return None

    def active(self) -> Activation | None:
        """The template that new sessions start with: config.yaml decides, not what we remember."""
        record = self._record()
        with suppress(Trouble):
            if record is not None and self._ours_in(self.settings()):
                return record
        return None

    # --- warm ---

    def plan_activation(self, replace: bool = False) -> Plan:
        """Each place that an installed agent reads is to name our file; of an unknown version, both."""
        before = self.config_file.read()
        text = decoded(before or b"", self.config)
        config, places = parse_config(text, self.config), installed.places_read(installed.agents_here())
        named = {place: value for place in PLACES if (value := prefill_at(config, place))}
        foreign = {place: value for place, value in named.items() if not self.is_ours(value)}
        # One that no agent here reads is nobody's, once ours stands where they do.
        in_the_way = [value for place, value in foreign.items() if place in places or len(foreign) == len(named)]
        if in_the_way and not replace:
            raise ForeignPrefill(
                f"{self.config} has a {KEY} of somebody else: {in_the_way[0]}. --replace sets it aside."
            )
        missing = [place for place in places if not self.is_ours(named.get(place, ""))]
        if not missing:
            return Plan(path=self.config, before=before, after=before)
        changed = with_prefill(text, self.config, str(self.file), missing)
        return Plan(path=self.config, before=before, after=changed.encode())

    def activate(self, template: str, messages: list[Message], replace: bool = False) -> Plan:
        with self.config_file.alone():
            plan = self.plan_activation(replace)
            content = json.dumps(messages, ensure_ascii=False, indent=1)
            assert plan.after is not None
            known = self._record()
            begun = bool(self._ours_in(parse_config(decoded(plan.before or b"", self.config), self.config)))
            before, after = _encoded(plan.before), _hash(plan.after)
            if begun:
                # It points to us already: what was there before us stays what is gone back to.
                before = known.config_before if known else _encoded(self._cold(plan.before or b"", None))
                unchanged = known is None or known.config_after == _hash(plan.before or b"")
                after = after if known is None or unchanged else known.config_after
            record = Activation(
                template=template,
                content=hash_of(messages),
                at=time.time(),
                config_before=before,
                config_after=after,
                was=(known.template, known.content) if known and begun else None,
            )
            if not begun and plan.before is not None:
                write_whole(self.backup, plan.before)
            write_whole(self.record, msgspec.json.encode(record))
            write_whole(self.file, content)
            self.config_file.carry_out(plan)
            return plan

    # --- cold again ---

    def plan_deactivation(self) -> Plan:
        before = self.config_file.read()
        record = self._record()
        text = decoded(before or b"", self.config)
        if before is None or not self._ours_in(parse_config(text, self.config)):
            return Plan(path=self.config, before=before, after=before)
        if record is not None and _hash(before) == record.config_after:
            return Plan(path=self.config, before=before, after=_from_record(record))
        return Plan(path=self.config, before=before, after=self._cold(before, record))

    def _cold(self, now: bytes, record: Activation | None) -> bytes:
        """Somebody may have changed the file since: only our lines go, and what they stood for comes back."""
        was: Mapping[str, Any] = {}
        if record is not None:
            with suppress(Trouble):
                was = parse_config((_from_record(record) or b"").decode("utf-8", "replace"), self.config)
        text = decoded(now, self.config)
        for place in self._ours_in(parse_config(text, self.config)):
            within = was
            for name in place[:-1]:
                within = within[name] if isinstance(within.get(name), Mapping) else {}
            value, kept = within.get(place[-1]), place[0] in was
            text = with_setting(text, self.config, place, None if value is None else str(value), kept=kept)
        return text.encode()

    def deactivate(self) -> Plan:
        with self.config_file.alone():
            plan = self.plan_deactivation()
            self.config_file.carry_out(plan)
            for path in (self.record, self.file):
                path.unlink(missing_ok=True)
            return plan

    def _ours_in(self, config: Mapping[str, Any]) -> list[Place]:
        return [place for place in PLACES if self.is_ours(prefill_at(config, place))]

    def is_ours(self, named: str) -> bool:
        """The same file, whichever way the home is named."""
        return bool(named) and Path(named).expanduser().resolve() == self.file.resolve()

    # --- files ---

    def _record(self) -> Activation | None:
        try:
            record = msgspec.json.decode(read_ours(self.record), type=Activation)
            base64.b64decode(record.config_before or "", validate=True)
            if record.was and hash_of(json.loads(read_ours(self.file))) == record.was[1]:
                record = msgspec.structs.replace(record, template=record.was[0], content=record.was[1], was=None)
        except (OSError, ValueError):
            return None
        return record


def hash_of(messages: list[Message]) -> str:
    """What a conversation is known by, whatever its template is called."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()[:16]


def _hash(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _encoded(raw: bytes | None) -> str | None:
    return None if raw is None else base64.b64encode(raw).decode()


def _from_record(record: Activation) -> bytes | None:
    return None if record.config_before is None else base64.b64decode(record.config_before)
