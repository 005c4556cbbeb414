"""Single settings of a YAML file, set or taken out without touching any other.

The parser says where a setting stands and what the file means before and after; the text around it is left as it
stands, since a round trip through any YAML writer lays other people's lists and quotes out anew. What it means is
compared by the parser's events: the same but for this one setting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from warm_tui.errors import Trouble

T = TypeVar("T")
Place = tuple[str, ...]
"""The names that lead to a setting, the outermost first."""

DEEPEST = 100


class Node(NamedTuple):
    """A part of the file: what it says, and where."""

    says: tuple[Any, ...]
    """Its own words, with anchor and tag, however they are laid out."""
    start: int
    end: int
    column: int
    in_brackets: bool
    items: tuple[Node, ...] = ()
    """In a mapping, names and values take turns."""

    @property
    def kind(self) -> str:
        return str(self.says[0])

    @property
    def is_nothing(self) -> bool:
        return self.kind == "ScalarEvent" and self.says[3][0] and self.says[4] in ("", "~", "null", "Null", "NULL")

    @property
    def last(self) -> int:
        """Where its own text ends: the parser counts the comments behind a block in."""
        return self.items[-1].last if self.items and not self.in_brackets else self.end

    def value(self, place: Place) -> Node | None:
        if not place:
            return self
        if self.kind != "MappingStartEvent":
            return None
        pairs = zip(self.items[::2], self.items[1::2], strict=True)
        found = next((v for k, v in pairs if k.kind == "ScalarEvent" and k.says[4] == place[0]), None)
        return found.value(place[1:]) if found is not None else None

    def name(self, place: Place) -> int:
        """Where the name of a setting that is there stands among the items of its mapping."""
        parent, value = self.value(place[:-1]), self.value(place)
        assert parent is not None
        return next(at for at, item in enumerate(parent.items) if at % 2 and item is value) - 1


NOTHING = Node(("ScalarEvent", None, None, (True, False), ""), 0, 0, 0, False)


def parsed(text: str, path: Path, parse: Callable[[str], T]) -> T:
    from ruamel.yaml.error import YAMLError

    try:
        return parse(text)
    except (YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        where = getattr(error, "problem_mark", None)
        at = f" at line {where.line + 1}" if where is not None else ""
        raise Trouble(f"{path} is not valid YAML{at}; it is left as it is. Mend it first.") from error


@lru_cache(4)
def tree_of(text: str, path: Path) -> Node:
    """Nested no deeper than can be loaded without overflowing the stack."""
    return parsed(text, path, _tree)


def _tree(text: str) -> Node:
    from ruamel.yaml import YAML
    from ruamel.yaml import events as kinds

    root, open_ones = NOTHING, list[tuple[Any, list[Node]]]()
    check = _sound()
    for event in YAML(typ="safe").parse(text):
        check(event)
        if isinstance(event, kinds.CollectionStartEvent):
            open_ones.append((event, []))
            if len(open_ones) > DEEPEST:
                raise ValueError("it is nested too deeply")
            continue
        if isinstance(event, kinds.CollectionEndEvent):
            begun, items = open_ones.pop()
            first, in_brackets = begun.start_mark, bool(begun.flow_style)
            node = Node(_said(begun), first.index, event.end_mark.index, first.column, in_brackets, tuple(items))
        elif isinstance(event, kinds.NodeEvent):
            node = Node(_said(event), event.start_mark.index, event.end_mark.index, event.start_mark.column, False)
        else:
            continue
        if open_ones:
            open_ones[-1][1].append(node)
        else:
            root = node
    return root


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


def _said(event: Any) -> tuple[Any, ...]:
    facts = (getattr(event, name, None) for name in ("anchor", "tag", "implicit", "value"))
    return (type(event).__name__, *facts)


def _rest(node: Node, place: Place) -> Any:
    """All that it says but for this setting; nothing of a mapping that holds nothing else."""
    if not place:
        return None
    if node.is_nothing:
        return None
    if node.kind != "MappingStartEvent":
        return _whole(node)
    pairs = []
    for name, value in zip(node.items[::2], node.items[1::2], strict=True):
        if name.kind == "ScalarEvent" and name.says[4] == place[0]:
            rest = _rest(value, place[1:])
            if rest is not None:
                pairs.append((_whole(name), rest))
        else:
            pairs.append((_whole(name), _whole(value)))
    return (node.says, *pairs) if pairs else None


def _whole(node: Node) -> Any:
    return (node.says, *map(_whole, node.items)) if node.items else node.says


# --- one setting ---


def with_setting(text: str, path: Path, place: Place, value: str | list[str] | None, *, kept: bool = False) -> str:
    """The same file with this set, or taken out. `kept`: the mapping that it was in stays, also when it is empty."""
    written = json.dumps(value, ensure_ascii=False)
    before = tree_of(text, path)
    wanted = _whole(tree_of(written, path)) if value is not None else None
    for changed in _set(text, before, place, written) if value is not None else _unset(text, before, place, kept):
        try:
            after = tree_of(changed, path)
        except Trouble:
            continue
        found = after.value(place)
        is_there = None if found is None or found.is_nothing else _whole(found)
        if is_there == wanted and _rest(after, place) == _rest(before, place):
            return changed
    # Wherever it is put, something else would mean something else.
    raise Trouble(
        f"{path} is laid out so that it cannot be edited safely; it is left as it is. "
        f"Set {'.'.join(place)} there yourself: {value if value is not None else 'take the line out'}."
    )


def _set(text: str, root: Node, place: Place, written: str) -> Iterator[str]:
    """The text with the setting in each place that it might go to, the likeliest first."""
    parent, value = root.value(place[:-1]), root.value(place)
    line = f"{place[-1]}: {written}"
    in_brackets = f'"{place[-1]}": {written}'
    if value is not None and parent is not None:
        name = parent.items[root.name(place)]
        end = _trimmed(text, name.start, value.last)
        yield text[: name.start] + (in_brackets if parent.in_brackets else line) + text[end:]
    elif parent is not None and parent.in_brackets:
        first = parent.items[0].start if parent.items else text.index("{", parent.start) + 1
        yield text[:first] + in_brackets + (", " if parent.items else "") + text[first:]
    elif len(place) > 1 and (parent is None or parent.is_nothing):
        yield from _in_a_new_one(text, root, place, written)
    elif len(place) > 1 and parent is not None and parent.items:
        first, margin = parent.items[0].start, " " * parent.items[0].column
        yield text[:first] + line + _end_of_line(text) + margin + text[first:]
    elif len(place) == 1:
        yield from _on_a_line_of_its_own(text, root, line)


def _in_a_new_one(text: str, root: Node, place: Place, written: str) -> Iterator[str]:
    """Into a mapping that is not there yet, or that says nothing."""
    outer, inner = place[:-1], place[-1]
    there = root.value(outer)
    if there is not None:
        above = root.value(outer[:-1])
        assert above is not None
        if not above.in_brackets and there.start == there.end:
            margin = " " * (above.items[root.name(outer)].column + 2)
            yield text[: there.end] + f"{_end_of_line(text)}{margin}{inner}: {written}" + text[there.end :]
        yield text[: there.start] + f'{{"{inner}": {written}}}' + text[there.end :]
    elif root.in_brackets and root.items:
        first = root.items[0].start
        yield text[:first] + f'"{outer[0]}": {{"{inner}": {written}}}, ' + text[first:]
    else:
        margin = " " * (root.column if root.items else 0)
        end = _end_of_line(text)
        yield from _on_a_line_of_its_own(text, root, f"{outer[0]}:{end}{margin}  {inner}: {written}")


def _on_a_line_of_its_own(text: str, root: Node, line: str) -> Iterator[str]:
    end = _end_of_line(text)
    # Not splitlines: it breaks lines where YAML does not.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    line = " " * root.column + line if root.items else line
    ended = [*lines[:-1], lines[-1] if lines[-1].endswith("\n") else lines[-1] + end] if lines else []
    # A document's end mark, or a second document, stays behind it.
    last = next((n for n, each in enumerate(ended) if n and re.match(r"(?:---|\.\.\.)\s*$", each)), len(ended))
    yield "".join([*ended[:last], line + end, *ended[last:]])
    first = next((n for n, each in enumerate(lines) if each.strip() and each[0] not in "#%" and each[:3] != "---"), 0)
    yield "".join([*lines[:first], line + end, *lines[first:]])
    if not root.items:
        # It says nothing, in so many words: null.
        words = [each for each in ended if each.lstrip()[:1] in ("#", "") or each[:1] == "%" or each[:3] == "---"]
        yield "".join([*words, line + end])


def _unset(text: str, root: Node, place: Place, kept: bool) -> Iterator[str]:
    parent = root.value(place[:-1])
    if root.value(place) is None or parent is None:
        yield text
        return
    if len(parent.items) == 2 and len(place) > 1 and not kept:
        yield from _unset(text, root, place[:-1], kept)
    yield from _cut(text, parent, root.name(place), 2)


def _cut(text: str, parent: Node, at: int, count: int) -> Iterator[str]:
    """Without so many items of a mapping or a list."""
    first, last = parent.items[at], parent.items[at + count - 1]
    behind = parent.items[at + count] if at + count < len(parent.items) else None
    if parent.in_brackets:
        if behind is not None:
            yield text[: first.start] + text[behind.start :]
        else:
            yield text[: parent.items[at - 1].last if at else first.start] + text[last.last :]
        return
    begin = text.rfind("\n", 0, first.start) + 1
    end = text.find("\n", _trimmed(text, first.start, last.last))
    yield text[:begin] + (text[end + 1 :] if end >= 0 else "")


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def _end_of_line(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


# --- one word of a list ---


def with_word(text: str, path: Path, place: Place, word: str, *, there: bool) -> str:
    """The same file with this word in a list, or out of it."""
    before = tree_of(text, path)
    found = before.value(place)
    listed = found.items if found is not None and found.kind == "SequenceStartEvent" else ()
    held = [at for at, item in enumerate(listed) if item.kind == "ScalarEvent" and item.says[4] == word]
    if bool(held) == there:
        return text
    if found is None or not listed or (not there and len(listed) == 1):
        return with_setting(text, path, place, [word] if there else [])
    wanted = [_whole(item) for at, item in enumerate(listed) if at not in held[:1]]
    for changed in _added(text, found, word) if there else _cut(text, found, held[0], 1):
        try:
            after = tree_of(changed, path)
        except Trouble:
            continue
        now = after.value(place)
        items = [_whole(item) for item in now.items if not (there and item.says[4] == word)] if now else []
        if items == wanted and _rest(after, place) == _rest(before, place):
            return changed if there else with_word(changed, path, place, word, there=False)
    raise Trouble(
        f"{path} is laid out so that it cannot be edited safely; it is left as it is. "
        f"{'Add' if there else 'Take'} {word!r} {'to' if there else 'out of'} {'.'.join(place)} there yourself."
    )


def _added(text: str, found: Node, word: str) -> Iterator[str]:
    first = found.items[0].start
    if found.in_brackets:
        yield f'{text[:first]}"{word}", {text[first:]}'
    else:
        dash = text.rindex("-", 0, first)
        margin = dash - text.rfind("\n", 0, dash) - 1
        yield f"{text[:dash]}- {word}{_end_of_line(text)}{' ' * margin}{text[dash:]}"
