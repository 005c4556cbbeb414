"""How two templates differ, in what their models would get."""

from __future__ import annotations

import difflib
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size

from warm_tui.presentation.lines import Line, text_of
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.model import Template
from warm_tui.widgets.chat import as_chat

SIDE_BY_SIDE = 90


def difference(
    left: Template, right: Template, provider: str, width: int, names: tuple[str, str] | None = None
) -> list[Line]:
    """Two conversations side by side; what only one tells stands out. Where there is no room, one above the other."""
    left_name, right_name = names or (left.name, right.name)
    before, after = _told_lines(left, provider), _told_lines(right, provider)
    if before == after:
        return [[("They tell the same.", "dim")]]
    if width < SIDE_BY_SIDE:
        styles = {"+": "ok", "-": "failed"}
        changes = difflib.unified_diff(before, after, left_name, right_name, lineterm="", n=3)
        return [[(line, "dim" if line[:2] in ("--", "++", "@@") else styles.get(line[:1], ""))] for line in changes]
    half = width // 2 - 2
    lines: list[Line] = [_beside((left_name, "strong"), (right_name, "strong"), half)]
    for tag, low, high, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left_style, right_style = ("dim", "dim") if tag == "equal" else ("failed", "ok")
        for first, second in zip_longest(before[low:high], after[start:end], fillvalue=""):
            lines.append(_beside((first, left_style), (second, right_style), half))
    return lines


def _told_lines(template: Template, provider: str) -> list[str]:
    messages = build_conversation(template, provider).messages
    return [text_of(line) for line in as_chat(messages, ()).lines]


def _beside(left: tuple[str, str], right: tuple[str, str], half: int) -> Line:
    (left_text, left_style), (right_text, right_style) = left, right
    left_text, right_text = (
        (set_cell_size(text, half - 1) + "…") if cell_len(text) > half else text for text in (left_text, right_text)
    )
    padding = " " * (half - cell_len(left_text))
    return [(left_text + padding, left_style), (" │ ", "dim"), (right_text, right_style)]
