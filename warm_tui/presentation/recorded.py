"""What was recorded as lines to read: arguments and results laid out for what they are, long ones in part."""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from functools import cache
from itertools import islice
from typing import Any

from rich.cells import cell_len

from warm_tui.presentation.alignment import aligned
from warm_tui.presentation.checklists import checklist
from warm_tui.presentation.diffs import change_lines, change_of, diff_styles
from warm_tui.presentation.lines import Line, Piece, text_of, wrapped
from warm_tui.presentation.pictures import outcome_of
from warm_tui.presentation.terminal_colours import coloured_lines, has_colours
from warm_tui.presentation.verdicts import in_parts
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.excerpt import excerpt, excerpt_words
from warm_tui.sessions.text import clean, clean_line, image_words, plural
from warm_tui.sessions.transcript import Item

Put = Callable[[str], str]
"""How recorded text is put: `clean`, without what is invisible, or `shown`, with all of it in sight."""
MOST_LINES, MOST_UNFOLDED = 24, 400
"""Lines of one item: as it is opened, and with its values unfolded."""
MOST_COLOURED = 20_000
MOST_SAID = 2
INDENT, DEEPEST = "  ", 40
FOLDED_FROM = 6
"""A list or object within JSON that takes more lines is folded."""


class Fold(list[Piece]):
    """A line that stands for a list or object; a click folds or unfolds what is at its `path`."""

    def __init__(self, pieces: Line, path: str) -> None:
        super().__init__(pieces)
        self.path = path


class Said(list[Piece]):
    """A line of ours about what was recorded, which is read to its end."""


class Everything:
    """All folds: to be seen whole."""

    def __contains__(self, path: object) -> bool:
        return True


EVERYTHING: Container[str] = Everything()


def body_of(item: Item, verdict: Verdict | None, put: Put = clean, unfolded: Container[str] = EVERYTHING) -> list[Line]:
    """All there is to an item, line by line; of what is too long for that, as much as is said."""
    if item.call is None:
        return [*bound_of(item.text), *text_lines(excerpt(item.text), put)]
    lines: list[Line] = []
    if verdict is not None:
        said, *ours = map(clean_line, in_parts(verdict))
        lines += [Said([(said, outcome_of((item.call, verdict)))]), *(Said([(part, "dim")]) for part in ours)]
    lines += [*bound_of(item.call.arguments), *_readable_arguments(item.call.arguments, put, unfolded)]
    if item.call.result is None:
        lines.append([("no result was recorded", "unknown")])
    else:
        lines += [[("result", "dim")], *bound_of(item.call.result)]
        lines += _result_lines(item.call.result, put, unfolded)
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
        elif steps := checklist(value):
            lines += _steps_lines(name, steps, put)
        else:
            lines += [[(line, "benign")] for line in pretty(json.dumps({name: value}), put)]
    return lines


def _steps_lines(name: str, steps: list[Line], put: Put) -> list[Line]:
    told = [[(" ".join(put(text).split("\n")), style) for text, style in line] for line in steps]
    return [[(f"{_name(name, put)}:", "benign")], *told]


@cache
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


def coloured(code: str, language: str) -> list[Line]:
    """Source by line, its tokens in our few colours."""
    from pygments.token import Comment, Keyword, Name, Number, String

    styles = ((Comment, "dim"), (Keyword, "mark"), (String, "ok"), (Number, "masked"), (Name.Builtin, "strong"))
    lines: list[Line] = [[]]
    for token, text in _lexer(language).get_tokens(code[:MOST_COLOURED]):
        style = next((name for kind, name in styles if token in kind), "")
        first, *more = text.split("\n")
        lines[-1].append((first, style))
        lines.extend([(line, style)] for line in more)
    if len(code) > MOST_COLOURED:
        lines += [[(line, "")] for line in code[MOST_COLOURED:].split("\n")]
    return lines


def whole_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises where a name stands twice: laid out, the text would lose one of them."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name stands twice")
    return values


def pretty(text: str, put: Put = clean) -> list[str]:
    """JSON laid out, its texts as lines, with the words behind it; anything else as it is."""
    value, rest = json_and_rest(text)
    if value is None:
        return put(excerpt(text)).split("\n")
    behind = put(rest).split("\n") if rest else []
    if not isinstance(value, dict):
        return [*put(json.dumps(unpacked(value), indent=2, ensure_ascii=False)).split("\n"), *behind]
    lines: list[str] = []
    for key, packed in value.items():
        inner = unpacked(packed)
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
    return [*lines, *behind]


def shortened(lines: list[Line], most: int = MOST_LINES) -> list[Line]:
    """Head and tail of a long body; the pager has it whole."""
    if len(lines) <= most:
        return lines
    half = most // 2
    left_out = len(lines) - 2 * half
    return [*lines[:half], [(f"… {left_out:,} lines more: o shows all", "dim")], *lines[-half:]]


def with_room_for_said(lines: list[Line], width: int) -> list[Line]:
    """What is said of it goes on in a next line where one is too short; it stands before all that was recorded."""
    said = [line for line in lines[:MOST_SAID] if isinstance(line, Said)]
    if all(cell_len(text_of(line)) <= width for line in said):
        return lines
    rows = ([[(row, line[0][1])] for row in wrapped(line[0][0], width)] for line in said)
    return [*(row for each in rows for row in each), *lines[len(said) :]]


# --- for what it is ---


def text_lines(text: str, put: Put = clean) -> list[Line]:
    """Output in the colours it was written in, diffs in theirs, tables with their columns under each other."""
    if put is clean and has_colours(text):
        return coloured_lines(text)
    lines = put(text).split("\n")
    return [[(line, style)] for line, style in zip(aligned(lines), diff_styles(lines), strict=True)]


def _readable_arguments(arguments: str, put: Put, unfolded: Container[str]) -> list[Line]:
    """As `arguments_of`, with an edit as a change, and long values folded."""
    values, _ = json_and_rest(arguments)
    if not isinstance(values, dict):
        return arguments_of(arguments, put)
    change = change_of(values)
    lines: list[Line] = []
    for name, value in values.items():
        if change and name == change[0]:
            lines.append([(f"{name} → {change[1]}:", "benign")])
            lines += change_lines(put(value), put(values[change[1]]))
        elif change and name == change[1]:
            continue
        elif isinstance(value, list) and value and all(isinstance(each, dict) and change_of(each) for each in value):
            for at, each in enumerate(value):
                lines.append([(f"{_name(name, put)} {at + 1}:", "benign")])
                lines += [[("  ", ""), *line] for line in _readable_arguments(json.dumps(each), put, unfolded)]
        elif steps := checklist(value):
            lines += _steps_lines(name, steps, put)
        elif isinstance(inner := unpacked(value), (dict, list)):
            lines += _value_lines(inner, f"{_name(name, put)}: ", f"arguments.{name}", 0, put, unfolded)
        elif isinstance(value, str) and "\n" in value and name not in LANGUAGES:
            lines += [[(f"{_name(name, put)}:", "benign")], *text_lines(value, put)]
        else:
            lines += arguments_of(json.dumps({name: value}), put)
    return lines


def _result_lines(result: str, put: Put, unfolded: Container[str]) -> list[Line]:
    """A result, laid out where it is JSON, with the words behind it."""
    value, rest = json_and_rest(result)
    if rest:
        return [*_result_lines(json.dumps(value), put, unfolded), *text_lines(rest, put)]
    value = unpacked(value)
    if isinstance(value, list) and value:
        if unfolded is EVERYTHING:
            return _value_lines(value, "", "result", 0, put, unfolded)
        return _within(value, [("[", "")], "result", 0, put, unfolded)
    if not isinstance(value, dict):
        text = excerpt(result)
        return [[(put(words), "mark")]] if (words := image_words(text)) else text_lines(text, put)
    lines: list[Line] = []
    for key, inner in value.items():
        name = _name(key, put)
        if isinstance(inner, str):
            told = [[(put(words), "mark")]] if (words := image_words(inner)) else text_lines(inner, put)
            lines += [[(f"{name}:", "benign")], *told] if len(told) > 1 else [[(f"{name}: ", "benign"), *told[0]]]
        else:
            lines += _value_lines(inner, f"{name}: ", f"result.{key}", 0, put, unfolded)
    return lines


def _value_lines(value: Any, name: str, path: str, depth: int, put: Put, unfolded: Container[str]) -> list[Line]:
    """A value of JSON after its name; a long list or object is one line until it is unfolded."""
    lead: Line = [(INDENT * depth, ""), (name, "benign")]
    if unfolded is EVERYTHING or depth == DEEPEST:
        first, *more = put(json.dumps(value, indent=None if depth else 2, ensure_ascii=False)).split("\n")
        return [[*lead, (first, "")], *([(line, "")] for line in more)]
    if not isinstance(value, (dict, list)) or not value:
        words = image_words(value) if isinstance(value, str) else ""
        return [[*lead, (put(words or json.dumps(value, ensure_ascii=False)), "mark" if words else "")]]
    opening = "{" if isinstance(value, dict) else "["
    if not _is_long(value):
        return _within(value, [*lead, (opening, "")], path, depth, put, unfolded)
    if path in unfolded:
        return _within(value, Fold([*lead, ("▾ ", "dim"), (opening, "")], path), path, depth, put, unfolded)
    told = f"{{… {plural(len(value), 'name')} …}}" if opening == "{" else f"[… {plural(len(value), 'value')} …]"
    return [Fold([*lead, ("▸ ", "dim"), (told, "dim")], path)]


def _within(value: Any, head: Line, path: str, depth: int, put: Put, unfolded: Container[str]) -> list[Line]:
    """What a list or object holds, between its brackets."""
    is_object = isinstance(value, dict)
    lines = [head]
    for at, each in value.items() if is_object else enumerate(value):
        name = f"{_name(str(at), put)}: " if is_object else ""
        lines += _value_lines(each, name, f"{path}.{at}", depth + 1, put, unfolded)
    return [*lines, [(INDENT * depth + ("}" if is_object else "]"), "")]]


def _is_long(value: Any) -> bool:
    """Whether it takes more lines than are shown unasked."""
    lines, left = 0, [value]
    while left and lines <= FOLDED_FROM:
        each = left.pop()
        lines += 1
        if isinstance(each, (dict, list)) and each:
            lines += 1
            left += islice(each.values() if isinstance(each, dict) else each, FOLDED_FROM + 1)
    return lines > FOLDED_FROM


def _name(key: str, put: Put) -> str:
    return " ".join(put(key).split())


DECODER = json.JSONDecoder(object_pairs_hook=whole_object)


def json_and_rest(text: str) -> tuple[Any, str]:
    """What a text tells as JSON, None where it tells nothing that could be laid out; and the words behind that."""
    text = excerpt(text).strip()
    try:
        value, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None, ""
    rest = text[end:]
    # What only begins like JSON is no JSON: `[12] started`, `3 passed`.
    is_apart = rest[:1].isspace() if isinstance(value, dict) else isinstance(value, list) and rest.startswith("\n")
    return (value, rest.strip()) if not rest or is_apart else (None, "")


def unpacked(value: Any, depth: int = 0) -> Any:
    """With each text in it that is JSON in one line as what that tells."""
    if depth == DEEPEST:
        return value
    if isinstance(value, str) and value[:1] in ("{", "[") and "\n" not in value:
        inner, rest = json_and_rest(value)
        return unpacked(inner, depth + 1) if inner and not rest else value
    if isinstance(value, list):
        return [unpacked(each, depth + 1) for each in value]
    return {name: unpacked(each, depth + 1) for name, each in value.items()} if isinstance(value, dict) else value
