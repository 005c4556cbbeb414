"""What is wrong in config.toml, in sentences: a theme, an action or a column that is not there, a key with two uses."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from warm_tui import actions, themes
from warm_tui.config import NOTIFY, Config
from warm_tui.errors import Trouble
from warm_tui.reliability.filters import check_order
from warm_tui.reliability.totals import check_grouping
from warm_tui.saved_views import wrong_views

EVERYWHERE = ("app", "panes", "list")
"""Scopes whose keys are meant on every screen."""

FORMER_NAMES = {"compression": "compaction", "sessions.saved-filters": "sessions.saved-views"}


OPENS = ("overview", "sessions")
"""The screens that may be seen first; the first of them is, where nobody chose."""


DETAILS = ("folded", "open")
"""Whether what a conclusion rests on is seen with it; the first is so, where nobody chose."""


def remapped_keys(config: Config) -> dict[str, str]:
    """The operator's keys by the id of the action, also by one that it had before."""
    keys = {}
    for name, value in config.table("keys").items():
        for before, now in FORMER_NAMES.items():
            name = name.replace(before, now)
        keys[name] = value
    return keys


def wrong_choices(config: Config) -> list[str]:
    """Each is left out of account, and told."""
    if config.trouble:
        return [config.trouble]
    return [f"In {config.path}: {sentence}" for sentence in _wrong(config)]


def _wrong(config: Config) -> Iterator[str]:
    theme = config.text("theme", themes.DEFAULT)
    if theme not in themes.TITLES:
        yield f"there is no theme {theme!r}; there are {', '.join(themes.TITLES)}."
    opens = config.text("opens", OPENS[0])
    if opens not in OPENS:
        yield f"the app cannot open on {opens!r}, only on {' or '.join(OPENS)}."
    details = config.text("details", DETAILS[0])
    if details not in DETAILS:
        yield f"details cannot be {details!r}, only {' or '.join(DETAILS)}."
    if not config.is_text(NOTIFY):
        yield f'{NOTIFY} is no text, such as "telegram": nobody is told of a rule that is switched off.'
    try:
        check_order(config.text("sort", "started_at"))
    except Trouble as trouble:
        yield str(trouble)
    try:
        check_grouping(config.text("group"))
    except Trouble as trouble:
        yield str(trouble)
    yield from wrong_views(config)
    keys = remapped_keys(config)
    known = {f"{action.scope}.{action.id}": action for action in actions.ACTIONS}
    for name in keys:
        if name not in known:
            near = get_close_matches(name, known, 1)
            yield f"there is no action {name!r}" + (f"; did you mean {near[0]!r}?" if near else ".")
    told: set[frozenset[str]] = set()
    for name in keys.keys() & known.keys():
        for other, action in known.items():
            pair = frozenset((name, other))
            if other == name or pair in told or not _meet(known[name], action):
                continue
            both = _keys(keys[name]) & _keys(keys.get(other, action.keys))
            if both:
                told.add(pair)
                yield f"the key {', '.join(sorted(both))} is that of {name} and of {other}: only one of them hears it."


def _meet(one: actions.Action, other: actions.Action) -> bool:
    return one.scope == other.scope or one.scope in EVERYWHERE or other.scope in EVERYWHERE


def _keys(keys: str) -> set[str]:
    return {key.strip() for key in keys.split(",") if key.strip()}
