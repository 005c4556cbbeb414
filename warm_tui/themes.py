"""How it looks: the stylesheets, and the themes.

There is a dark one, a light one, the terminal's own colours, and one that colour-blind eyes can read.
Outcomes have colours of their own, and always a glyph beside them.
"""

from __future__ import annotations

from pathlib import Path

from textual.theme import Theme


def stylesheets() -> list[Path]:
    """Inside the package when installed, beside it in a checkout."""
    packaged = Path(__file__).parent / "styles"
    folder = packaged if packaged.is_dir() else Path(__file__).parents[1] / "styles"
    return sorted(folder.glob("*.tcss"))


TERMINAL = "ansi-dark"
TRACK = ("background", "background-hover", "background-active", "corner-color")

_DARK = {
    "ok": "#7fbf7f",
    "failed": "#f28484",
    "unknown": "#e0b050",
    "benign": "#60b0d0",
    "masked": "#d48bd4",
    "dim": "#aba39b",
    "warm": "#f0a050",
    "cold": "#7aa2f7",
}
_LIGHT = {
    "ok": "#266729",
    "failed": "#b02323",
    "unknown": "#7c5300",
    "benign": "#006384",
    "masked": "#8e24aa",
    "dim": "#615a52",
    "warm": "#984514",
    "cold": "#2457c5",
}
# After Okabe and Ito: told apart without telling red from green.
_SAFE = {
    "ok": "#59b5e9",
    "failed": "#e69f00",
    "unknown": "#f0e442",
    "benign": "#94afc9",
    "masked": "#d899bc",
    "dim": "#a7adb3",
    "warm": "#e69f00",
    "cold": "#56b4e9",
}
_ANSI = {
    "ok": "ansi_green",
    "failed": "ansi_red",
    "unknown": "ansi_yellow",
    "benign": "ansi_cyan",
    "masked": "ansi_magenta",
    "dim": "ansi_default",
    "warm": "ansi_bright_yellow",
    "cold": "ansi_bright_blue",
}


def _variables(colours: dict[str, str], cursor: str, without_focus: str) -> dict[str, str]:
    """The colours of outcomes, and what stands behind the line under the cursor: all can be read on that, too."""
    outcomes = {f"outcome-{name}": colour for name, colour in colours.items()}
    return outcomes | {"behind-cursor": cursor, "behind-cursor-blurred": without_focus}


def _of_ours(colours: dict[str, str], cursor: str, without_focus: str, foreground: str) -> dict[str, str]:
    """Lists of Textual's mark their cursor as ours do."""
    cursors = {"block-cursor-background": cursor, "input-selection-background": cursor}
    cursors |= {f"block-cursor-{state}foreground": foreground for state in ("", "blurred-")}
    # Textual's own track is black, whatever the theme.
    tracks = {f"scrollbar-{part}": without_focus for part in TRACK}
    return _variables(colours, cursor, without_focus) | cursors | tracks


THEMES = (
    Theme(
        "warm-dark", primary="#e0803a", secondary="#c0a080", accent="#f0a050", warning="#e0b050", error="#f07070",
        success="#7fbf7f", foreground="#e4ded6", background="#171412", surface="#1e1a17", panel="#2a2420",
        dark=True, variables=_of_ours(_DARK, "#492f1c", "#2b1e16", "#e4ded6"),
    ),
    Theme(
        "warm-light", primary="#b3541e", secondary="#7a5c3e", accent="#944518", warning="#9a6700", error="#c62828",
        success="#2e7d32", foreground="#2b2520", background="#fbf8f4", surface="#f3eee7", panel="#e8e0d6",
        dark=False, variables=_of_ours(_LIGHT, "#eedacd", "#f3e7de", "#2b2520"),
    ),
    Theme(
        "warm-safe", primary="#56b4e9", secondary="#0072b2", accent="#f0e442", warning="#f0e442", error="#e69f00",
        success="#56b4e9", foreground="#e8e8e8", background="#121417", surface="#1a1d21", panel="#252a30",
        dark=True, variables=_of_ours(_SAFE, "#233c4b", "#18242c", "#e8e8e8"),
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
    """Under a theme that does not name them, like the terminal's own."""
    return _variables(_ANSI, "ansi_default", "ansi_default")


def fitting(chosen: str, colours: str | None) -> str:
    """Of 16 colours only the terminal's own can be told from each other: ours would fall together on them."""
    if colours == "standard":
        return TERMINAL
    return chosen if chosen in TITLES else DEFAULT
