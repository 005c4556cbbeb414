"""What a session's first request really held: as Hermes writes its requests down when it is told to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from warm_tui.writing import read_regular

WATCH = {"HERMES_DUMP_REQUESTS": "1"}
"""With this in its environment an agent writes down each request to its model, in every version from 0.13 to 0.19."""
LARGEST = 50_000_000


def arrived(home: Path, conversation: Sequence[Any]) -> bool | None:
    """Whether the first request of a home's sessions held most of this conversation; None: nothing tells it.

    Not the same messages: providers join, split and rename them, and Hermes masks what looks like a secret.
    """
    request = first_request(home)
    return None if request is None else holds(request, conversation)


def holds(request: Any, conversation: Sequence[Any]) -> bool | None:
    """Whether most of it is in a request."""
    told = set(_texts(conversation))
    sent = "\n".join(_texts(request))
    return 2 * sum(text in sent for text in told) > len(told) if told else None


def first_request(home: Path) -> Any | None:
    """The body of it. By its name the earliest of a session comes first, and a run has one session to begin with."""
    for path in sorted((home / "sessions").glob("request_dump_*.json"), key=lambda path: path.stem[-22:]):
        try:
            document = json.loads(read_regular(path, LARGEST))
            if document["reason"] == "preflight":
                return document["request"]["body"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return None


def _texts(value: Any) -> Iterator[str]:
    """Every text of messages, and within arguments that are JSON themselves."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("role", "id", "type", "name", "tool_call_id"):
                yield from _texts(_loaded(inner) if key == "arguments" else inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str) and value.strip():
        yield value.strip()


def _loaded(arguments: Any) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, TypeError, RecursionError):
        return arguments
