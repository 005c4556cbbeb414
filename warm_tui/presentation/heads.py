"""The one line of a transcript that tells what an item is; what it holds stands below, once it is open."""

from __future__ import annotations

from functools import partial

from warm_tui.presentation.calls import call_line
from warm_tui.presentation.lines import Line, meant
from warm_tui.presentation.pictures import GLYPHS, outcome_of
from warm_tui.presentation.verdicts import in_a_sentence, label, sentence
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.model import Call
from warm_tui.sessions.text import clean_line, plural
from warm_tui.sessions.transcript import Item

PICKED = "● "


def head_of(item: Item, verdict: Verdict | None, *, is_open: bool, picked: bool = False, failed: int = 0) -> Line:
    """`failed`: of the calls that a helper made."""
    fold = "▾ " if is_open else "▸ "
    lead = (PICKED, "mark") if picked else (fold, "dim")
    call = item.call
    head = _other_head(item, fold, failed) if call is None else _call_head(item, call, verdict, lead, is_open=is_open)
    return [*indent_of(item), *head]


def indent_of(item: Item) -> Line:
    return [("┊ " * len(item.within), "mark")] if item.within else []


def _call_head(item: Item, call: Call, verdict: Verdict | None, lead: tuple[str, str], *, is_open: bool) -> Line:
    """The reason is the first line of what is open."""
    outcome = outcome_of((call, verdict)) if verdict else ""
    reason = f"  {clean_line(sentence(verdict))}" if verdict and not is_open and sentence(verdict) else ""
    kind = label(verdict) if verdict else ""
    style = meant(outcome, f"{GLYPHS[outcome]} {outcome}", partial(_told, verdict)) if verdict else ""
    return [
        lead,
        (f"{GLYPHS.get(outcome, ' ')} {kind:11} ", style),
        (clean_line(call.tool_name), "strong"),
        *([("  not counted", meant("dim", "calls"))] if call.trivial else []),
        *([(f"  kept in {item.kept}", meant("mark", "learned"))] if item.kept else []),
        ("  " + call_line(call.arguments), ""),
        (reason, style),
    ]


def _told(verdict: Verdict) -> dict[str, str]:
    return {"told": clean_line(in_a_sentence(verdict))}


def _other_head(item: Item, fold: str, failed: int) -> Line:
    first, carried = clean_line(item.text[:300]), meant("dim", "carried-over")
    return {
        "session": [("══ ", "strong"), (first, "strong")],
        "user": [(fold, "dim"), ("user       ", "mark"), (first, "")],
        "assistant": [(fold, "dim"), ("assistant  ", "benign"), (first, "")],
        "review": [
            (fold, "dim"),
            ("review     ", meant("mark", "learned")),
            (f"kept {plural(item.count, 'thing')}  " if item.count else "", meant("", "learned")),
            (first, ""),
        ],
        "cut": [
            (fold, "dim"),
            ("── compaction ── ", meant("unknown", "compaction")),
            (f"{item.count} rows carried over  {first}", carried),
        ],
        "carried": [(fold, "dim"), (f"carried over: {item.count} rows", carried)],
        "helper": [
            (fold, "dim"),
            ("helper     ", meant("mark", "helper")),
            (plural(item.count, "call"), meant("", "helper")),
            (f", {failed:,} failed" if failed else "", meant("failed", "helper")),
            (f"  {first}", ""),
        ],
    }[item.kind]
