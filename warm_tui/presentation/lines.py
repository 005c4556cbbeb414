"""Lines of styled pieces: cut and broken so that nothing runs over the edge."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import TypeAlias

from rich.cells import cell_len, chop_cells, set_cell_size

Piece: TypeAlias = tuple[str, str]
"""Some text and the name of its style: strong, dim, ok, failed, unknown, benign, masked, mark, warm, cold, or none."""
Line: TypeAlias = list[Piece]


class Hanging(list[Piece]):
    """A line whose first piece, a name, stands by itself where the rest goes on below."""


Numbers: TypeAlias = "Callable[[], Mapping[str, str]]"
"""What a figure is made of, by the names that its explanation has for it; asked for only when it is explained."""


class Meant(str):
    """The name of a style that also carries what the text in it means: a word of the glossary, with the text's own
    numbers. It goes wherever the style goes."""

    word: str
    numbers: Numbers | None


def meant(style: str, word: str, numbers: Numbers | None = None) -> Meant:
    carrying = Meant(style)
    carrying.word, carrying.numbers = word, numbers
    return carrying


def all_meant(lines: Iterable[Line], word: str, numbers: Numbers | None = None) -> list[Line]:
    """Each piece that carries no meaning of its own with this one."""
    return [
        type(line)((text, style if isinstance(style, Meant) else meant(style, word, numbers)) for text, style in line)
        for line in lines
    ]


def piece_at(line: Line, x: int) -> Piece | None:
    """What stands in a cell of a line."""
    for text, style in line:
        x -= cell_len(text)
        if x < 0:
            return text, style
    return None


def text_of(line: Line) -> str:
    """Without its styles."""
    return "".join(text for text, _ in line)


def cropped(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


PART, SENTENCE, CLAUSES = " · ", ". ", (" · ", ": ", "; ", ", ")


def whole_parts(text: str, width: int) -> str:
    """As many of its parts as there is room for, from the first on; of a first one that is too long, its
    sentences, and of a first sentence its clauses."""
    if cell_len(text) <= width:
        return text
    for signs in ((PART,), (SENTENCE,), CLAUSES):
        ends = (at for sign in signs for at in range(len(text)) if text.startswith(sign, at))
        for at in sorted(ends, reverse=True):
            if cell_len(text[:at].rstrip()) <= width:
                return text[:at].rstrip()
    return cropped(text, width)


def cropped_line(line: Line, width: int) -> Line:
    if sum(cell_len(text) for text, _ in line) <= width:
        return line
    fitting: Line = []
    room = width
    for text, style in line:
        if cell_len(text) > room:
            return [*fitting, (cropped(text, room), style)] if room else fitting
        fitting.append((text, style))
        room -= cell_len(text)
    return fitting


def wrapped(text: str, width: int) -> list[str]:
    """Words in lines; one that is too long is broken."""
    lines = [""]
    for word in text.split():
        for part in chop_cells(word, width):
            if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(part) > width:
                lines.append(part)
            else:
                lines[-1] = f"{lines[-1]} {part}" if lines[-1] else part
    return lines


def hanging_lines(line: Hanging, width: int) -> list[Line]:
    lead, *rest = line
    indent = cell_len(lead[0])
    if indent * 2 > width:
        return wrapped_line(list(line), width)
    first, *more = wrapped_line(rest, width - indent)
    # A blank at which it was broken has no use on either side.
    return [[lead, *first], *([(" " * indent, ""), (row[0][0].removeprefix(" "), row[0][1]), *row[1:]] for row in more)]


def wrapped_line(line: Line, width: int) -> list[Line]:
    """Broken where the line is full, cell by cell: recorded text is not made of words alone."""
    if sum(cell_len(text) for text, _ in line) <= width:
        return [line]
    lines: list[Line] = [[]]
    room = width
    for text, style in line:
        at = 0
        while at < len(text):
            if room <= 0:
                lines.append([])
                room = width
            # A line may be megabytes long: no more of it is looked at than can be in the room.
            ahead = text[at : at + room + 1]
            length = cell_len(ahead)
            if length <= room:
                lines[-1].append((ahead, style))
                at += len(ahead)
                room -= length
                continue
            head = chop_cells(ahead, room)[0] if room > 1 else ""
            if not head or cell_len(head) > room:
                if width > 1:
                    lines.append([])
                    room = width
                    continue
                head = ahead[:1]
            # At a space, where there is one not too far back.
            space = head.rfind(" ") + 1
            if space > len(head) // 2 and not text[at + len(head)].isspace():
                head = head[:space]
            lines[-1].append((head, style))
            at += len(head)
            room = 0
    return lines


def with_found(parts: Line, words: str) -> Line:
    """What was searched for stands out, whatever colours it has."""
    if not words:
        return parts
    text = text_of(parts)
    whole = text.lower()
    if len(whole) != len(text):
        whole = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    edges, hit = [0], whole.find(words)
    while hit >= 0:
        edges += [hit, hit + len(words)]
        hit = whole.find(words, edges[-1])
    marked: Line = []
    end = 0
    for text, name in parts:
        begin, end = end, end + len(text)
        cuts = [begin, *edges[bisect_right(edges, begin) : bisect_left(edges, end)], end]
        marked += [
            (piece, "found" if bisect_right(edges, low) % 2 == 0 else name)
            for low, high in pairwise(cuts)
            if (piece := text[low - begin : high - begin])
        ]
    return marked
