"""Shorter results that still mean what they said: cut inside their structure, head and tail kept."""

from __future__ import annotations

import json
from typing import Any

from warm_tui.sessions.excerpt import left_out_of

MIN_LENGTH = 80
SHORTEST = 48
MOST_ITEMS = 40
MOST_CONTEXT = 400


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters (but never under MIN_LENGTH). JSON stays JSON, and says how much was left out."""
    limit = max(limit, MIN_LENGTH)
    if len(text) <= limit:
        return text
    try:
        value = json.loads(text, parse_int=_number)
    except RecursionError:
        return left_out(len(text))
    except ValueError:
        return cut(text, limit)
    return _shorten_json(value, limit)


def cut(text: str, limit: int) -> str:
    """Head and tail, and how much stood between them."""
    if len(text) <= limit:
        return text
    left_out, before = len(text) - limit, left_out_of(text)
    while True:
        note = f"\n[… {left_out + before:,} characters left out …]\n"
        room = limit - len(note)
        if len(text) - room <= left_out:
            break
        left_out = len(text) - room
    if room <= 0:
        return text[:limit]
    head = room * 2 // 3
    tail = room - head
    return text[:head] + note + (text[-tail:] if tail else "")


def _shorten_json(value: Any, limit: int) -> str:
    """The longest strings are cut first, then lists; what is still too long is replaced by its length."""
    whole = len(_dump(value))
    for items in (MOST_ITEMS, 12, 4, 1):
        strings = limit
        while strings >= SHORTEST:
            shortened = _dump(_within(value, strings, items))
            if len(shortened) <= limit:
                return shortened
            strings = strings * 3 // 4
    if isinstance(value, dict):
        plain = {key: inner for key, inner in value.items() if not isinstance(inner, (str, list, dict))}
        shortened = _dump(plain | {"left_out": f"{whole:,} characters"})
        if plain and len(shortened) <= limit:
            return shortened
    return left_out(whole)


def left_out(length: int) -> str:
    return _dump({"left_out": f"{length:,} characters"})


def _number(digits: str) -> int | str:
    """Python reads no integer of more than some thousands of digits."""
    return int(digits) if len(digits) < 1000 else digits


def _within(value: Any, strings: int, items: int) -> Any:
    if isinstance(value, str):
        return cut(value, strings)
    if isinstance(value, list):
        if len(value) > items:
            return [*(_within(inner, strings, items) for inner in value[:items]), f"[… {len(value) - items:,} more …]"]
        return [_within(inner, strings, items) for inner in value]
    if isinstance(value, dict):
        entries = list(value.items())[: 4 * items]
        fields = {key: _within(inner, strings, items) for key, inner in entries}
        if len(value) > len(entries):
            fields["…"] = f"{len(value) - len(entries):,} more"
        return fields
    return value


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def shorten_arguments(arguments: dict[str, Any], limit: int) -> dict[str, Any]:
    """The same keys; only texts that are long are cut."""
    if len(_dump(arguments)) <= limit:
        return arguments
    shorter = json.loads(shorten(_dump(arguments), limit))
    return shorter if isinstance(shorter, dict) and shorter.keys() == arguments.keys() else arguments


def short_context(text: str, most: int = MOST_CONTEXT) -> str:
    """Its beginning, to the end of a sentence or line where there is one."""
    text = text.strip()
    if len(text) <= most:
        return text
    head = text[:most]
    end = max(head.rfind("\n"), head.rfind(". ") + 1)
    return head[:end].rstrip() if end > most // 3 else head.rstrip() + "…"
