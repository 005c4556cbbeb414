"""Start the agent's next sessions warm, and cold again: the prefill file, config.yaml, and what was there before.

Written in an order in which a kill between any two leaves either state: the messages, then how to go back, then
the one line that makes Hermes read them. Back again: the line first, then the rest.
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.agent.hermes_config import (
    KEY,
    LARGEST,
    parse_config,
    prefill_in,
    provider_of,
    shown_of,
    window_of,
    with_prefill,
)
from warm_tui.errors import ForeignPrefill, Trouble
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.templates.conversation import Message
from warm_tui.writing import read_ours, read_regular, write_whole


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


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What activating or deactivating would do to config.yaml."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def difference(self) -> str:
        """Only our setting is told. What stands around it may be a key or a password, so only its names are shown."""
        before, after = (
            [shown_of(line) for line in (side or b"").decode("utf-8", "replace").splitlines()]
            for side in (self.before, self.after)
        )
        return "\n".join(difflib.unified_diff(before, after, str(self.path), str(self.path), lineterm="", n=2))


class Prefill:
    def __init__(self, home: Home) -> None:
        self.config = home.root.absolute() / "config.yaml"
        self.file = home.ours.absolute() / "prefill.json"
        self.record = home.ours / "activation.json"
        self.backup = home.ours / "config.yaml.before"
        self.lock = home.ours / "activation.lock"

    # --- what holds ---

    def settings(self) -> Mapping[str, Any]:
        return parse_config((self._bytes() or b"").decode("utf-8", "replace"), self.config)

    def provider(self) -> str:
        """By the model that config.yaml names; a file that cannot be read names none."""
        with suppress(Trouble):
            return provider_of(self.settings())
        return "openai"

    def window(self) -> int | None:
        with suppress(Trouble):
            return window_of(self.settings())
        return None

    def active(self) -> Activation | None:
        """The template that new sessions start with: config.yaml decides, not what we remember."""
        record = self._record()
        with suppress(Trouble):
            if record is not None and self._is_ours(prefill_in(self.settings())):
                return record
        return None

    def overridden(self) -> str:
        """A file that the environment names wins over config.yaml."""
        return os.environ.get("HERMES_PREFILL_MESSAGES_FILE", "").strip()

    # --- warm ---

    def plan_activation(self, replace: bool = False) -> Plan:
        before = self._bytes()
        text = _decoded(before or b"", self.config)
        there = prefill_in(parse_config(text, self.config))
        if self._is_ours(there):
            return Plan(path=self.config, before=before, after=before)
        if there and not replace:
            raise ForeignPrefill(f"{self.config} has a {KEY} of somebody else: {there}. --replace sets it aside.")
        return Plan(path=self.config, before=before, after=with_prefill(text, self.config, str(self.file)).encode())

    def activate(self, template: str, messages: list[Message], replace: bool = False) -> Plan:
        with self._alone():
            plan = self.plan_activation(replace)
            content = json.dumps(messages, ensure_ascii=False, indent=1)
            assert plan.after is not None
            before, after = _encoded(plan.before), hashlib.sha256(plan.after).hexdigest()
            known = self._record()
            if not plan.changed:
                # It points to us already: what was there before us stays what is gone back to.
                cold = with_prefill(_decoded(plan.after, self.config), self.config, None)
                before = known.config_before if known else _encoded(cold.encode())
                after = known.config_after if known else after
            record = Activation(
                template=template,
                content=hash_of(messages),
                at=time.time(),
                config_before=before,
                config_after=after,
                was=(known.template, known.content) if known and not plan.changed else None,
            )
            if plan.changed and plan.before is not None:
                write_whole(self.backup, plan.before)
            write_whole(self.record, msgspec.json.encode(record))
            write_whole(self.file, content)
            if plan.changed:
                self._write_config(plan.after)
            return plan

    # --- cold again ---

    def plan_deactivation(self) -> Plan:
        before = self._bytes()
        record = self._record()
        text = _decoded(before or b"", self.config)
        if before is None or not self._is_ours(prefill_in(parse_config(text, self.config))):
            return Plan(path=self.config, before=before, after=before)
        if record is not None and hashlib.sha256(before).hexdigest() == record.config_after:
            return Plan(path=self.config, before=before, after=_from_record(record))
        # Somebody changed the file since: only our line goes, and what it stood for comes back.
        was = _from_record(record) if record is not None else None
        value = None
        if was is not None:
            with suppress(Trouble):
                value = parse_config(was.decode("utf-8", "replace"), self.config).get(KEY)
        after = with_prefill(text, self.config, str(value) if value is not None else None)
        return Plan(path=self.config, before=before, after=after.encode())

    def deactivate(self) -> Plan:
        with self._alone():
            plan = self.plan_deactivation()
            if plan.changed and plan.after is None:
                self.config.resolve().unlink()
            elif plan.changed and plan.after is not None:
                self._write_config(plan.after)
            for path in (self.record, self.file):
                path.unlink(missing_ok=True)
            return plan

    def _is_ours(self, named: str) -> bool:
        """The same file, whichever way the home is named."""
        return bool(named) and Path(named).expanduser().resolve() == self.file.resolve()

    # --- files ---

    def _bytes(self) -> bytes | None:
        try:
            return read_regular(self.config, LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Trouble(f"{self.config} cannot be read: {error.strerror or error}.") from error

    def _record(self) -> Activation | None:
        try:
            record = msgspec.json.decode(read_ours(self.record), type=Activation)
            base64.b64decode(record.config_before or "", validate=True)
            if record.was and hash_of(json.loads(read_ours(self.file))) == record.was[1]:
                record = msgspec.structs.replace(record, template=record.was[0], content=record.was[1], was=None)
        except (OSError, ValueError):
            return None
        return record

    def _write_config(self, content: bytes) -> None:
        """With the mode it had, and where a link points to, not in the link's place."""
        path = self.config.resolve()
        if not path.exists():
            write_whole(path, content)
            return
        status = path.stat()
        if not os.access(path, os.W_OK):
            raise Trouble(f"{self.config} cannot be written: it is read-only.")
        write_whole(path, content, status.st_mode & 0o777, owner=(status.st_uid, status.st_gid))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            self.lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.lock):
                yield
        except OSError as error:
            raise Trouble(f"{error.filename or self.config} cannot be written: {error.strerror or error}.") from error


def hash_of(messages: list[Message]) -> str:
    """What a conversation is known by, whatever its template is called."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()[:16]


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text; it is left as it is.") from error


def _encoded(raw: bytes | None) -> str | None:
    return None if raw is None else base64.b64encode(raw).decode()


def _from_record(record: Activation) -> bytes | None:
    return None if record.config_before is None else base64.b64decode(record.config_before)
