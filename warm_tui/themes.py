"""The themes: dark, light, the terminal's own colours, and one that colour-blind eyes can read.

Outcomes have colours of their own, and always a glyph beside them.
"""

from __future__ import annotations

from textual.theme import Theme

TERMINAL = "ansi-dark"

_DARK = {
    "ok": "#7fbf7f",
    "failed": "#f07070",
    "unknown": "#e0b050",
    "benign": "#60b0d0",
    "masked": "#d080d0",
    "dim": "#968c82",
    "warm": "#f0a050",
    "cold": "#7aa2f7",
}
_LIGHT = {
    "ok": "#2e7d32",
    "failed": "#c62828",
    "unknown": "#9a6700",
    "benign": "#01688a",
    "masked": "#8e24aa",
    "dim": "#7d746a",
    "warm": "#b3541e",
    "cold": "#2457c5",
}
# After Okabe and Ito: told apart without telling red from green.
_SAFE = {
    "ok": "#56b4e9",
    "failed": "#e69f00",
    "unknown": "#f0e442",
    "benign": "#7f9fbf",
    "masked": "#cc79a7",
    "dim": "#8c949c",
    "warm": "#e69f00",
    "cold": "#56b4e9",
}
_ANSI = {
    "ok": "ansi_green",
    "failed": "ansi_red",
    "unknown": "ansi_yellow",
    "benign": "ansi_cyan",
    "masked": "ansi_magenta",
    "dim": "ansi_bright_black",
    "warm": "ansi_bright_yellow",
    "cold": "ansi_bright_blue",
}


def _outcomes(colours: dict[str, str]) -> dict[str, str]:
    return {f"outcome-{name}": colour for name, colour in colours.items()}


THEMES = (
    Theme(
        "warm-dark", primary="#e0803a", secondary="#c0a080", accent="#f0a050", warning="#e0b050", error="#f07070",
        success="#7fbf7f", foreground="#e4ded6", background="#171412", surface="#1e1a17", panel="#2a2420",
        dark=True, variables=_outcomes(_DARK),
    ),
    Theme(
        "warm-light", primary="#b3541e", secondary="#7a5c3e", accent="#b3541e", warning="#9a6700", error="#c62828",
        success="#2e7d32", foreground="#2b2520", background="#fbf8f4", surface="#f3eee7", panel="#e8e0d6",
        dark=False, variables=_outcomes(_LIGHT),
    ),
    Theme(
        "warm-safe", primary="#56b4e9", secondary="#0072b2", accent="#f0e442", warning="#f0e442", error="#e69f00",
        success="#56b4e9", foreground="#e8e8e8", background="#121417", surface="#1a1d21", panel="#252a30",
        dark=True, variables=_outcomes(_SAFE),
    ),
)  # fmt: skip
TITLES = {
    "warm-dark": "Dark",
    "warm-light": "Light",
    "warm-safe": "For colour-blind eyes",
    TERMINAL: "The terminal's own",
}
DEFAULT = "warm-dark"


def default_variables() -> dict[str, str]:
    """The colours of outcomes under a theme that does not name them, like the terminal's own."""
    return _outcomes(_ANSI)
