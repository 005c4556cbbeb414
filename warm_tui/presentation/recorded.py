"""What was recorded as lines to read: arguments and results laid out for what they are, long ones in part."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from warm_tui.presentation.lines import Line
from warm_tui.presentation.pictures import outcome_of
from warm_tui.presentation.verdicts import whole
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.excerpt import excerpt, excerpt_words
from warm_tui.sessions.text import clean, clean_line
from warm_tui.sessions.transcript import Item

Put = Callable[[str], str]
"""How recorded text is put: `clean`, without what is invisible, or `shown`, with all of it in sight."""
MOST_LINES = 24
MOST_COLOURED = 20_000


def body_of(item: Item, verdict: Verdict | None, put: Put = clean) -> list[Line]:
    """All there is to an item, line by line; of what is too long for that, as much as is said."""
    if item.call is None:
        return [*bound_of(item.text), *([(line, "")] for line in put(excerpt(item.text)).split("\n"))]
    lines: list[Line] = []
    if verdict is not None:
        lines.append([(clean_line(whole(verdict)), outcome_of((item.call, verdict)))])
    lines += [*bound_of(item.call.arguments), *arguments_of(item.call.arguments, put)]
    if item.call.result is None:
        lines.append([("no result was recorded", "unknown")])
    else:
        lines += [[("result", "dim")], *bound_of(item.call.result)]
        lines += [[(line, _diff_style(line))] for line in pretty(item.call.result, put)]
    return lines


def bound_of(text: str) -> list[Line]:
    """How much of a long text is shown."""
    words = excerpt_words(text)
    return [[(f"{words} are shown", "unknown")]] if words else []


LANGUAGES = {"code": "python", "command": "bash", "cmd": "bash", "script": "bash"}


def arguments_of(arguments: str, put: Put = clean) -> list[Line]:
    """The arguments laid out, what is run in the colours of its language."""
    arguments = excerpt(arguments)
    try:
        values = json.loads(arguments, object_pairs_hook=whole_object)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return [[(line, "benign")] for line in pretty(arguments, put)]
    lines: list[Line] = []
    for name, value in values.items():
        language = LANGUAGES.get(name)
        if language and isinstance(value, str):
            lines.append([(f"{name}:", "benign")])
            lines += coloured(put(value), language)
        else:
            lines += [[(line, "benign")] for line in pretty(json.dumps({name: value}), put)]
    return lines


def coloured(code: str, language: str) -> list[Line]:
    """Source by line, its tokens in our few colours."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Keyword, Name, Number, String

    styles = ((Comment, "dim"), (Keyword, "mark"), (String, "ok"), (Number, "masked"), (Name.Builtin, "strong"))
    lines: list[Line] = [[]]
    for token, text in get_lexer_by_name(language, stripnl=False, ensurenl=False).get_tokens(code[:MOST_COLOURED]):
        style = next((name for kind, name in styles if token in kind), "")
        first, *more = text.split("\n")
        lines[-1].append((first, style))
        lines.extend([(line, style)] for line in more)
    if len(code) > MOST_COLOURED:
        lines += [[(line, "")] for line in code[MOST_COLOURED:].split("\n")]
    return lines


def _diff_style(line: str) -> str:
    if line.startswith(("+++", "---", "@@")):
        return "dim"
    return {"+": "ok", "-": "failed"}.get(line[:1], "")


def whole_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises where a name stands twice: laid out, the text would lose one of them."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name stands twice")
    return values


def pretty(text: str, put: Put = clean) -> list[str]:
    """JSON laid out, its texts as lines; anything else as it is."""
    text = excerpt(text)
    try:
        value = json.loads(text, object_pairs_hook=whole_object)
    except (ValueError, RecursionError):
        return put(text).split("\n")
    if not isinstance(value, dict):
        return put(json.dumps(value, indent=2, ensure_ascii=False)).split("\n")
    lines: list[str] = []
    for key, inner in value.items():
        name = " ".join(put(key).split())
        if isinstance(inner, str) and "\n" in inner:
            lines.append(f"{name}:")
            lines += put(inner).split("\n")
        elif isinstance(inner, str):
            lines.append(f"{name}: {put(inner)}")
        else:
            laid_out = (
                json.dumps(inner, indent=2, ensure_ascii=False)
                if isinstance(inner, (dict, list))
                else json.dumps(inner)
            )
            first, *more = put(laid_out).split("\n")
            lines += [f"{name}: {first}", *more]
    return lines


def shortened(lines: list[Line]) -> list[Line]:
    """Head and tail of a long body; the pager has it whole."""
    if len(lines) <= MOST_LINES:
        return lines
    half = MOST_LINES // 2
    left_out = len(lines) - 2 * half
    return [*lines[:half], [(f"… {left_out:,} lines more: o shows all", "dim")], *lines[-half:]]
