"""Lines of styled pieces: cut and broken so that nothing runs over the edge."""

from __future__ import annotations

from typing import TypeAlias

from rich.cells import cell_len, chop_cells, set_cell_size

Piece: TypeAlias = tuple[str, str]
"""Some text and the name of its style: strong, dim, ok, failed, unknown, benign, masked, mark, warm, cold, or none."""
Line: TypeAlias = list[Piece]


def text_of(line: Line) -> str:
    """Without its styles."""
    return "".join(text for text, _ in line)


def cropped(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


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
