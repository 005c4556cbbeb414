"""The colours of recorded output, in ours. Only they are read of what a terminal would obey; nothing is passed on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from colorsys import rgb_to_hsv
from functools import lru_cache
from typing import NamedTuple

from warm_tui.presentation.lines import Line
from warm_tui.sessions.text import clean

_COLOUR_CODE = re.compile(r"\x1b\[([0-9;]{0,60})m")
# Black, red, green, yellow, blue, magenta, cyan, white: those of the theme, which can be read on its background.
BASIC = ("dim", "failed", "ok", "unknown", "cold", "masked", "benign", "")
_BY_HUE = ("failed", "unknown", "ok", "benign", "cold", "masked")
_GREY = 0.15


class _Pen(NamedTuple):
    front: str | None = None
    behind: str | None = None
    bold: bool = False
    dim: bool = False

    @property
    def style(self) -> str:
        """One of our styles: a colour before all else, that behind the text where it has none of its own."""
        return self.front or self.behind or ("strong" if self.bold else "dim" if self.dim else "")


def has_colours(text: str) -> bool:
    return "\x1b[" in text and _COLOUR_CODE.search(text) is not None


def coloured_lines(text: str) -> list[Line]:
    """By line, each piece clean, in the colour that was set for it."""
    # As `clean` does it, but before a carriage return can be parted from its line feed.
    text = text.replace("\r\n", "\n")
    # What else a terminal obeys may go on over lines, and is cleaned before they are parted; that takes longer.
    if text.isascii() and text.count("\x1b") == len(_COLOUR_CODE.findall(text)):
        coloured, pen = [], _Pen()
        for line in text.split("\n"):
            pieces, pen = _pieces(line, pen)
            coloured.append([(clean(piece), style) for piece, style in pieces])
        return coloured
    lines: list[Line] = [[]]
    for piece, style in _pieces(text, _Pen())[0]:
        first, *more = clean(piece).split("\n")
        lines[-1].append((first, style))
        lines.extend([(line, style)] for line in more)
    return lines


def _pieces(text: str, pen: _Pen) -> tuple[Line, _Pen]:
    """What stands between the codes, each in its colour, and what holds behind the last."""
    pieces, at = [], 0
    for code in _COLOUR_CODE.finditer(text):
        pieces.append((text[at : code.start()], pen.style))
        pen, at = _obeyed(pen, code[1]), code.end()
    pieces.append((text[at:], pen.style))
    return pieces, pen


@lru_cache(1_000)
def _obeyed(pen: _Pen, codes: str) -> _Pen:
    numbers = iter([int(number or 0) for number in codes.split(";")])
    for code in numbers:
        if code == 0:
            pen = _Pen()
        elif code in (1, 2, 22):
            pen = pen._replace(bold=code == 1, dim=code == 2)
        elif code in (38, 48):
            colour = _extended(numbers)
            pen = pen._replace(front=colour) if code == 38 else pen._replace(behind=colour)
        elif code in (39, 49):
            pen = pen._replace(front=None) if code == 39 else pen._replace(behind=None)
        elif code // 10 in (3, 9) and code % 10 < 8:
            pen = pen._replace(front=BASIC[code % 10])
        elif code // 10 in (4, 10) and code % 10 < 8:
            pen = pen._replace(behind=BASIC[code % 10])
    return pen


def _extended(numbers: Iterator[int]) -> str | None:
    """One of 256 colours, or any: the nearest that we have."""
    kind = next(numbers, 0)
    if kind == 2:
        return _nearest(*(min(255, next(numbers, 0)) for _ in range(3)))
    if kind != 5:
        return None
    number = min(255, next(numbers, 0))
    if number < 16:
        return BASIC[number % 8]
    if number >= 232:
        return "dim"
    number -= 16
    return _nearest(*(51 * (number // step % 6) for step in (36, 6, 1)))


def _nearest(red: int, green: int, blue: int) -> str:
    hue, saturation, _ = rgb_to_hsv(red / 255, green / 255, blue / 255)
    return "" if saturation < _GREY else _BY_HUE[round(hue * 6) % 6]
