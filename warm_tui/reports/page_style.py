"""How a report looks as a page: its colours by day and by night, and on paper."""

from __future__ import annotations

from collections.abc import Mapping

from warm_tui.reports.drawing import AXIS_COLOUR, COLOURS, PAPER

NIGHT: Mapping[str, str] = {
    "": "#e4ded6", "strong": "#f4efe8", "dim": "#a79c91", "ok": "#7fbf7f", "failed": "#f07070", "unknown": "#e0b050",
    "benign": "#60b0d0", "masked": "#d080d0", "mark": "#f0a050", "warm": "#f0a050", "cold": "#7aa2f7",
}  # fmt: skip
DAY_GROUND = {"paper": PAPER, "panel": "#f3eee7", "line": "#e0d6ca", "axis": AXIS_COLOUR}
NIGHT_GROUND = {"paper": "#171412", "panel": "#221d19", "line": "#3a322b", "axis": "#7d736a"}


def _variables(colours: Mapping[str, str], ground: Mapping[str, str]) -> str:
    named = {name or "plain": colour for name, colour in colours.items()} | dict(ground)
    return "".join(f"--{name}:{colour};" for name, colour in named.items())


_NAMES = [name or "plain" for name in COLOURS]
STYLE = (
    f":root{{color-scheme:light dark;{_variables(COLOURS, DAY_GROUND)}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(NIGHT, NIGHT_GROUND)}}}}}"
    "*{box-sizing:border-box}"
    "body{font:15px/1.5 system-ui,sans-serif;background:var(--paper);color:var(--plain);max-width:72rem;"
    "margin:2rem auto;padding:0 1.25rem}"
    "h1{font-size:1.05rem;font-weight:600;color:var(--dim);margin:0 0 .25rem}"
    "h2{font-size:1.05rem;margin:2rem 0 .5rem;break-after:avoid}"
    "p{margin:.35rem 0;overflow-wrap:anywhere;max-width:60rem}"
    "h1+p{font-size:1.45rem;line-height:1.3;font-weight:600;margin:.25rem 0 .75rem}"
    # What goes on beside the edge casts a shadow there; the ends, which move with what is scrolled, cover it.
    ".wide{overflow-x:auto;margin:.75rem 0;background:"
    "linear-gradient(90deg,var(--paper) 40%,transparent) 0 0/3rem 100% no-repeat local,"
    "linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/3rem 100% no-repeat local,"
    "linear-gradient(90deg,var(--axis),transparent) 0 0/.6rem 100% no-repeat scroll,"
    "linear-gradient(270deg,var(--axis),transparent) 100% 0/.6rem 100% no-repeat scroll}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "td,th{padding:.2rem .6rem .2rem 0;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap;"
    "vertical-align:middle}th{font-weight:600;color:var(--dim)}.right{text-align:right}"
    "details{margin-top:2rem}summary{cursor:pointer;color:var(--dim);padding:.4rem 0;border-top:1px solid var(--line)}"
    "details[open]>summary{color:var(--plain)}"
    "td.words,td.long{white-space:normal;min-width:9rem}td.words{overflow-wrap:anywhere}"
    "pre{background:var(--panel);padding:.8rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    "svg.picture{display:block;max-width:100%;min-width:40rem;height:auto}svg.chart{width:54rem}"
    + "".join(
        f".{name}{{color:var(--{name})}}.f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}"
        for name in _NAMES
    )
    + ".small{display:none}.s-axis{stroke:var(--axis)}.strong{font-weight:600}"
    "@page{size:A4;margin:14mm}"
    "@media screen and (max-width:40rem){body{margin:1rem auto;padding:0 1rem}h1+p{font-size:1.15rem}"
    # A chart is seen whole, with words that can still be read.
    "svg.picture{min-width:0}svg.chart text{font-size:16px}.small{display:block}"
    "td.long:not(:first-child){min-width:16rem}}"
    "@media print{html{font-size:11px}body{font-size:10px;margin:0;padding:0;max-width:none;background:none}"
    "h1+p{font-size:1.5rem}.wide{overflow:visible;background:none}svg.picture{min-width:0;width:100%;break-inside:avoid}"
    # As wide as its words are as large as those around it.
    "svg.chart{width:75%}table.short,p{break-inside:avoid}h2+p{break-after:avoid}"
    "td,th{padding:.1rem .5rem .1rem 0}td.long:not(.words){min-width:0}tr{break-inside:avoid}"
    "thead{display:table-header-group}"
    "details::details-content{content-visibility:visible;display:block;block-size:auto}summary{display:none}"
    "td svg{width:120px}pre{font-size:9px}}"
)
