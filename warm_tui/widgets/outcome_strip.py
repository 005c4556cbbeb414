"""Every call of a session as a strip: one cell a call where they fit, else a cell for a few of them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from warm_tui.reliability.profile import Judged
from warm_tui.widgets.palette import Palette

GLYPHS = {"ok": "✓", "benign": "~", "failed": "✗", "unknown": "?", "masked": "!"}
SHADES = "·▁▂▃▄▅▆▇█"


def outcome_of(call: Judged) -> str:
    """One of five words for a verdict, each with a glyph and a colour."""
    _, verdict = call
    if verdict.kind == "benign_exit":
        return "benign"
    if verdict.kind == "masked":
        return "masked"
    return {"success": "ok", "failure": "failed", "unknown": "unknown"}[verdict.outcome]


def outcome_strip(calls: Sequence[Judged], width: int, lines: int, palette: Palette) -> Text:
    """The strip, and under it what its cells mean."""
    counted = [call for call in calls if not call[0].trivial]
    strip = Text()
    if not counted:
        return Text("no calls", palette.style("dim"))
    if len(counted) <= width * lines:
        for at, call in enumerate(counted):
            if at and at % width == 0:
                strip.append("\n")
            outcome = outcome_of(call)
            strip.append(GLYPHS[outcome], palette.style(outcome))
        return strip
    bins = width * lines
    for at in range(bins):
        part = counted[at * len(counted) // bins : (at + 1) * len(counted) // bins]
        failed = sum(outcome_of(call) in ("failed", "masked") for call in part)
        if at and at % width == 0:
            strip.append("\n")
        share = failed / len(part) if part else 0
        level = 0 if not failed else max(1, round(share * (len(SHADES) - 1)))
        strip.append(SHADES[level], palette.style("failed" if failed else "ok"))
    strip.append(f"\n{len(counted) / bins:.1f} calls a cell, its height the share that failed", palette.style("dim"))
    return strip
