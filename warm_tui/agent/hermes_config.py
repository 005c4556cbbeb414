"""What Hermes' config.yaml says, and the setting in it that names a session's first messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from warm_tui.agent.yaml_text import Place, parsed, tree_of, with_setting
from warm_tui.errors import Trouble
from warm_tui.writing import read_regular

KEY = "prefill_messages_file"
TOP: Place = (KEY,)
WITHIN_AGENT: Place = ("agent", KEY)
PLACES = (TOP, WITHIN_AGENT)
"""Where a config.yaml may name the file of first messages. Which of them is read: `versions.py`."""
LARGEST = 5_000_000
"""A config.yaml of this size is read within seconds also where no parser in C is there."""


OURS = re.compile(rf"[\"']?{KEY}[\"']?\s{{0,8}}:(?:\s{{0,8}}(?:\"[^\"]*\"|'[^']*'|[^,}}#\n]*))?")
OUR_PLUGIN = re.compile(r"\s*(?:enabled:\s*\[\"warm-tui\"\]|-\s*[\"']?warm-tui[\"']?)\s*")
NAMED = re.compile(r"\s*(?:- )?[\w.-]{1,80}:(?=\s|\Z)")
MORE = " …"


def shown_of(line: str) -> str:
    """A line of the file as it may be shown: our own setting whole, of others no more than the name."""
    if OUR_PLUGIN.fullmatch(line):
        return line
    ours = OURS.search(line)
    if ours is not None:
        before = "… " if line[: ours.start()].strip() else ""
        return before + ours[0] + (MORE if line[ours.end() :].strip() else "")
    named = NAMED.match(line)
    kept = named[0] if named else line[: len(line) - len(line.lstrip())]
    return kept + MORE if line[len(kept) :].strip() else kept


@lru_cache(2)
def parse_config(text: str, path: Path) -> Mapping[str, Any]:
    """What the file says. An empty one says nothing. Not to be changed: it is remembered."""
    tree_of(text, path)  # that it is not nested so deeply that loading it would overflow the stack
    value = parsed(text, path, _load)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Trouble(f"{path} is no mapping of settings; it is left as it is.")
    return value


def settings_of(root: Path) -> Mapping[str, Any]:
    """What the config.yaml of a home says; nothing where it cannot be read."""
    path = root / "config.yaml"
    try:
        return parse_config(read_regular(path, LARGEST).decode("utf-8", "replace"), path)
    except (OSError, Trouble):
        return {}


def prefill_at(config: Mapping[str, Any], place: Place) -> str:
    """The file that this place names; nothing where it names none."""
    value: Any = config
    for name in place:
        value = value.get(name) if isinstance(value, Mapping) else None
    return str(value).strip() if value else ""


def prefill_in(config: Mapping[str, Any], places: Sequence[Place] = PLACES) -> str:
    """The file that a session's first messages come from: the first place that names one decides."""
    return next((named for place in places if (named := prefill_at(config, place))), "")


def _load(text: str) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(text)


def with_prefill(text: str, path: Path, value: str | None, places: Sequence[Place] = (TOP,)) -> str:
    """The same file with our setting in these places, or without it."""
    # That it says something that can be used at all is for this to find.
    parse_config(text, path)
    for place in places:
        text = with_setting(text, path, place, value)
    return text


# What the name of a model, its provider or its address says of whose rules hold.
MAKERS = (
    ("anthropic", ("anthropic", "claude", "bedrock", "opus", "sonnet", "haiku", "minimax", "kimi-coding", "/coding")),
    ("mistral", ("mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral", "voxtral")),
    ("gemini", ("gemini", "google", "vertex")),
    # These take no system message but the first; it would be dropped without a word.
    ("any", ("codex", "api.openai.com", "api.x.ai", "xai")),
)


def provider_of(config: Mapping[str, Any]) -> str:
    """Whose rules the conversation has to keep, judged by the model that is set; OpenAI's where nothing tells."""
    model = config.get("model")
    if isinstance(model, Mapping):
        model_words = " ".join(
            str(model.get(key, "")) for key in ("provider", "default", "name", "model", "base_url", "api_mode")
        )
        if str(model.get("provider", "")).lower() == "openai":
            return "any"
    else:
        model_words = str(model or "")
    model_words = model_words.lower()
    return next((maker for maker, names in MAKERS if any(name in model_words for name in names)), "openai")


def model_of(config: Mapping[str, Any]) -> str:
    """What the model is called; nothing where the file names none."""
    model = config.get("model")
    if not isinstance(model, Mapping):
        return str(model or "")
    return str(next((model[key] for key in ("default", "name", "model") if model.get(key)), ""))


def window_of(config: Mapping[str, Any]) -> int | None:
    """The model's window, where the file says it."""
    model = config.get("model")
    length = model.get("context_length") if isinstance(model, Mapping) else None
    return length if isinstance(length, int) and length > 0 else None
