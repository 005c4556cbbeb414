"""One line of Hermes' config.yaml, changed without touching any other.

The parser says where the line is and what the file means before and after; the text around it is left as it
stands, since a round trip through any YAML writer lays other people's lists and quotes out anew. What it means is
compared by the parser's events: the same but for this one setting.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from warm_tui.errors import Trouble
from warm_tui.writing import read_regular

T = TypeVar("T")

KEY = "prefill_messages_file"
DEEPEST = 100
LARGEST = 5_000_000
"""A config.yaml of this size is read within seconds also where no parser in C is there."""


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


@lru_cache(2)
def parse_config(text: str, path: Path) -> Mapping[str, Any]:
    """What the file says. An empty one says nothing. Not to be changed: it is remembered."""
    layout_of(text, path)  # that it is not nested so deeply that loading it would overflow the stack
    value = _parsed(text, path, _load)
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


def prefill_in(config: Mapping[str, Any]) -> str:
    """The file that a session's first messages come from, as Hermes reads it: an older place counts too."""
    value = config.get(KEY)
    agent = config.get("agent")
    if not value and isinstance(agent, Mapping):
        value = agent.get(KEY)
    return str(value).strip() if value else ""


class Layout(NamedTuple):
    """How a config.yaml is laid out: what it says, and where our setting stands in that."""

    rest: bytes
    """Stands for every event but those of our setting; nothing where there is no other setting."""
    values: list[str | None]
    """What our setting is, as often as it is there. None: something other than a word."""
    line: int | None
    """The line that our setting begins on."""
    column: int
    """Where the settings of the file begin in their lines."""
    settings: int
    in_braces: bool


@lru_cache(2)
def layout_of(text: str, path: Path) -> Layout:
    return _parsed(text, path, _layout)


def _parsed(text: str, path: Path, parse: Callable[[str], T]) -> T:
    from ruamel.yaml.error import YAMLError

    try:
        return parse(text)
    except (YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        at = f" at line {where.line + 1}" if where is not None else ""
        raise Trouble(f"{path} is not valid YAML{at}; it is left as it is. Mend it first.") from error


def _load(text: str) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(text)


def _layout(text: str) -> Layout:
    from ruamel.yaml import YAML
    from ruamel.yaml import events as kinds

    rest, values, line = hashlib.blake2b(), [], None
    depth = column = settings = 0
    in_braces = False
    # In the mapping that is the file names and values take turns.
    name_due, is_ours = True, False
    check = _sound()
    for event in YAML(typ="safe").parse(text):
        check(event)
        opens = isinstance(event, kinds.CollectionStartEvent)
        closes = isinstance(event, kinds.CollectionEndEvent)
        depth -= closes
        begins = depth == 1 and (opens or isinstance(event, kinds.NodeEvent))
        if depth == 0 and opens:
            in_braces, column = bool(event.flow_style), event.start_mark.column
        elif begins and name_due:
            settings += 1
            is_ours = isinstance(event, kinds.ScalarEvent) and event.value == KEY
            # By our own count: parsers differ in what they take for the end of a line.
            line = text.count("\n", 0, event.start_mark.index) if is_ours else line
        elif begins and is_ours:
            values.append(event.value if isinstance(event, kinds.ScalarEvent) else None)
        if not is_ours:
            rest.update(repr(_meaning(event)).encode("utf-8", "replace"))
        if (begins and not opens) or (depth == 1 and closes):
            name_due = not name_due
            is_ours = is_ours and not name_due
        depth += opens
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
    others = settings - len(values)
    return Layout(rest.digest() if others else b"", values, line, column, settings, in_braces and settings > 0)


def _sound() -> Callable[[Any], None]:
    """What only loading would find: a second document, and an alias of nothing."""
    from ruamel.yaml import events as kinds

    anchors: set[str] = set()
    documents = 0

    def check(event: Any) -> None:
        nonlocal documents
        documents += isinstance(event, kinds.DocumentStartEvent)
        anchor = getattr(event, "anchor", None)
        if documents > 1 or (isinstance(event, kinds.AliasEvent) and anchor not in anchors):
            raise ValueError("it cannot be loaded")
        if anchor is not None:
            anchors.add(anchor)

    return check


def _meaning(event: Any) -> tuple[Any, ...]:
    """Wherever it stands, and however it is laid out."""
    facts = (getattr(event, name, None) for name in ("anchor", "tag", "implicit", "value"))
    return (type(event).__name__, *facts)


def with_prefill(text: str, path: Path, value: str | None) -> str:
    """The same file with this line set, or taken out."""
    # That it says something that can be used at all is for this to find.
    config, layout = parse_config(text, path), layout_of(text, path)
    if layout.in_braces:
        return _in_braces(config, value)
    line = f"{KEY}: {json.dumps(value, ensure_ascii=False)}" if value is not None else ""
    for changed in _layouts(text, layout, line):
        try:
            meant = layout_of(changed, path)
        except Trouble:
            continue
        if meant.rest == layout.rest and [each for each in meant.values if each != ""] == ([value] if value else []):
            return changed
    # Wherever it is put, something else would mean something else.
    raise Trouble(
        f"{path} is laid out so that it cannot be edited safely; it is left as it is. "
        f"Set {KEY} there yourself: {value if value is not None else 'take the line out'}."
    )


def _layouts(text: str, layout: Layout, line: str) -> Iterator[str]:
    """The text with the line in each place that it might go to, the likeliest first."""
    end = "\r\n" if "\r\n" in text else "\n"
    # Not splitlines: it breaks lines where YAML does not.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    own = layout.line
    if own is not None:
        tail = re.search(r"\s#.*$", lines[own].rstrip("\r\n")) if _end_of(lines, own) == own + 1 else None
        own_lines = [line + (tail.group() if tail else "") + end] if line else []
        yield "".join([*lines[:own], *own_lines, *lines[_end_of(lines, own) :]])
        return
    if not line:
        yield text
        return
    line = " " * layout.column + line if layout.settings else line
    ended = [*lines[:-1], lines[-1] if lines[-1].endswith("\n") else lines[-1] + end] if lines else []
    # A document's end mark, or a second document, stays behind it.
    last = next((n for n, each in enumerate(ended) if n and re.match(r"(?:---|\.\.\.)\s*$", each)), len(ended))
    yield "".join([*ended[:last], line + end, *ended[last:]])
    first = next((n for n, each in enumerate(lines) if each.strip() and each[0] not in "#%" and each[:3] != "---"), 0)
    yield "".join([*lines[:first], line + end, *lines[first:]])
    if not layout.settings:
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
