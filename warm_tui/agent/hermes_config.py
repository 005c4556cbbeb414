"""One line of Hermes' config.yaml, changed without touching any other.

ruamel.yaml says where the line is and what the file means before and after; the text around it is left as it
stands, since a round trip through any YAML writer lays other people's lists and quotes out anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from warm_tui.errors import Trouble

KEY = "prefill_messages_file"


OURS = re.compile(rf"[\"']?{KEY}[\"']?\s{{0,8}}:(?:\s{{0,8}}(?:\"[^\"]*\"|'[^']*'|[^,}}#\n]*))?")
NAMED = re.compile(r"\s*(?:- )?[\w.-]{1,80}:(?=\s|\Z)")
MORE = " …"


def shown_of(line: str) -> str:
    """A line of the file as it may be shown: our own setting whole, of others no more than the name."""
    ours = OURS.search(line)
    if ours is not None:
        before = "… " if line[: ours.start()].strip() else ""
        return before + ours[0] + (MORE if line[ours.end() :].strip() else "")
    named = NAMED.match(line)
    kept = named[0] if named else line[: len(line) - len(line.lstrip())]
    return kept + MORE if line[len(kept) :].strip() else kept


def parse_config(text: str, path: Path) -> Mapping[str, Any]:
    """What the file says. An empty one says nothing."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        value = YAML().load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        at = f" at line {where.line + 1}" if where is not None else ""
        raise Trouble(f"{path} is not valid YAML{at}; it is left as it is. Mend it first.") from error
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Trouble(f"{path} is no mapping of settings; it is left as it is.")
    return value


def settings_of(root: Path) -> Mapping[str, Any]:
    """What the config.yaml of a home says; nothing where it cannot be read."""
    path = root / "config.yaml"
    try:
        return parse_config(path.read_text("utf-8", "replace"), path)
    except (OSError, Trouble):
        return {}


def prefill_in(config: Mapping[str, Any]) -> str:
    """The file that a session's first messages come from, as Hermes reads it: an older place counts too."""
    value = config.get(KEY)
    agent = config.get("agent")
    if not value and isinstance(agent, Mapping):
        value = agent.get(KEY)
    return str(value).strip() if value else ""


def with_prefill(text: str, path: Path, value: str | None) -> str:
    """The same file with this line set, or taken out."""
    config = parse_config(text, path)
    if config and config.fa.flow_style():  # type: ignore[attr-defined]
        return _in_braces(config, value)
    line = f"{KEY}: {json.dumps(value, ensure_ascii=False)}" if value is not None else ""
    for changed in _layouts(text, config, line):
        try:
            meant = parse_config(changed, path)
        except Trouble:
            continue
        rest = {key: inner for key, inner in config.items() if key != KEY}
        if {key: inner for key, inner in meant.items() if key != KEY} == rest and (meant.get(KEY) or None) == value:
            return changed
    # Wherever it is put, something else would mean something else.
    raise Trouble(
        f"{path} is laid out so that it cannot be edited safely; it is left as it is. "
        f"Set {KEY} there yourself: {value if value is not None else 'take the line out'}."
    )


def _layouts(text: str, config: Mapping[str, Any], line: str) -> Iterator[str]:
    """The text with the line in each place that it might go to, the likeliest first."""
    end = "\r\n" if "\r\n" in text else "\n"
    # Not splitlines: it breaks lines where YAML does not.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    own = config.lc.data.get(KEY) if KEY in config else None  # type: ignore[attr-defined]
    if own is not None:
        tail = re.search(r"\s#.*$", lines[own[0]].rstrip("\r\n")) if _end_of(lines, own[0]) == own[0] + 1 else None
        own_lines = [line + (tail.group() if tail else "") + end] if line else []
        yield "".join([*lines[: own[0]], *own_lines, *lines[_end_of(lines, own[0]) :]])
        return
    if not line:
        yield text
        return
    line = " " * (config.lc.col or 0) + line if config else line  # type: ignore[attr-defined]
    ended = [*lines[:-1], lines[-1] if lines[-1].endswith("\n") else lines[-1] + end] if lines else []
    # A document's end mark, or a second document, stays behind it.
    last = next((n for n, each in enumerate(ended) if n and re.match(r"(?:---|\.\.\.)\s*$", each)), len(ended))
    yield "".join([*ended[:last], line + end, *ended[last:]])
    first = next((n for n, each in enumerate(lines) if each.strip() and each[0] not in "#%" and each[:3] != "---"), 0)
    yield "".join([*lines[:first], line + end, *lines[first:]])
    if not config:
        # It says nothing, in so many words: an empty pair of braces, or null.
        words = [each for each in ended if each.lstrip()[:1] in ("#", "") or each[:1] == "%" or each[:3] == "---"]
        yield "".join([*words, line + end])


def _in_braces(config: Mapping[str, Any], value: str | None) -> str:
    """A file that is one pair of braces, as JSON is, has no line of its own for a setting."""
    from io import StringIO

    from ruamel.yaml import YAML

    changed = {key: inner for key, inner in config.items() if key != KEY} | ({KEY: value} if value is not None else {})
    writer = YAML()
    writer.default_flow_style = True
    writer.width = 1_000_000
    written = StringIO()
    writer.dump(changed, written)
    return written.getvalue()


def _end_of(lines: list[str], at: int) -> int:
    """Where the value that begins on this line ends: what follows is indented as part of it."""
    follow = at + 1
    while follow < len(lines) and lines[follow][:1] in (" ", "\t") and lines[follow].strip():
        follow += 1
    return follow


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


def window_of(config: Mapping[str, Any]) -> int | None:
    """The model's window, where the file says it."""
    model = config.get("model")
    length = model.get("context_length") if isinstance(model, Mapping) else None
    return length if isinstance(length, int) and length > 0 else None
