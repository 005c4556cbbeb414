"""Every call of a session as a strip: one cell a call where they fit, else a cell for a few of them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from warm_tui.presentation.pictures import outcome_of, strip_lines
from warm_tui.reliability.profile import Judged
from warm_tui.widgets.palette import Palette


def outcome_strip(calls: Sequence[Judged], width: int, lines: int, palette: Palette) -> Text:
    """The strip, and under it what its cells mean."""
    strip = strip_lines([[outcome_of(call) for call in calls if not call[0].trivial]], width, lines)
    lines_of_text = [Text.assemble(*((text, palette.style(style)) for text, style in line)) for line in strip]
    return Text("\n").join(lines_of_text)
