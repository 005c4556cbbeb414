"""A template: successful calls, each with what led to it and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

Format: TypeAlias = Literal["version 2", "version 1", "code-first"]
Chooser: TypeAlias = Literal["operator", "mining", ""]
Speaker: TypeAlias = Literal["user", "agent", "tool", "outside", ""]
"""Whose words a text is; empty where nobody knows, which counts as outside."""
Arguments: TypeAlias = Mapping[str, Any]

FAILED = "failed "
"""What stands before the names of a failed call's fields, where those of the call that mended it stand beside them."""

KINDS = ("init", "sequence", "retry", "final")


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a pattern comes from, and who chose it, why."""

    session_id: str = ""
    call: str = ""
    position: int | None = None
    agent: str = ""
    """What recorded it, where that is not the agent that is warmed."""
    source: str = ""
    recorded_at: float | None = None
    chosen_by: Chooser = ""
    why: str = ""


class Whose(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose words each text of a pattern is."""

    context: Speaker = ""
    arguments: Speaker = ""
    result: Speaker = ""
    brought_by: str = ""
    """The tool or program by which text came from outside."""
    seal: str = ""
    """That this was found out here: what a file says of itself proves nothing."""


WRITTEN_BY_HAND = Whose(context="user", arguments="user", result="user")


class WhoseAddendum(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    addendum: Speaker = ""
    seal: str = ""


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One call that went well."""

    tool_name: str
    arguments: Arguments | None
    """None where they are no JSON object: such a pattern is kept, and never told."""
    result: str = ""
    context: str = ""
    kind: str = "sequence"
    success_count: int = 1
    session_types: tuple[str, ...] = ()
    succeeded: bool = True
    joined: bool = False
    """It belongs with the pattern before it: both answer the same words of the user."""
    origin: Origin = Origin()
    whose: Whose = Whose()
    mended: Pattern | None = None
    """The failed call that this one mended, where it is told before it: the way out, with what it is a way out of."""
    read: Mapping[str, Any] | None = None
    """The object as it stood in its file: what we do not know of survives."""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    patterns: tuple[Pattern, ...] = ()
    description: str = ""
    addendum: str = ""
    tags: tuple[str, ...] = ()
    source_session_ids: tuple[str, ...] = ()
    created_at: str = ""
    metrics: Mapping[str, Any] = {}
    task_type: str = ""
    whose: WhoseAddendum = WhoseAddendum()
    format: Format = "version 2"
    read: Mapping[str, Any] = {}
