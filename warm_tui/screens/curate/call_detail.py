"""A call whole, with the turns around it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from warm_tui.presentation.calls import call_words
from warm_tui.presentation.lines import Line
from warm_tui.presentation.recorded import arguments_of, body_of, pretty
from warm_tui.screens.curate.draft_list import DraftRow
from warm_tui.sessions.invisible import shown, shown_line
from warm_tui.sessions.text import clean_line
from warm_tui.sessions.transcript import Item
from warm_tui.templates.conversation import words_of_user
from warm_tui.templates.foreign import foreign_in
from warm_tui.templates.injection import read_like_instructions
from warm_tui.templates.model import Pattern
from warm_tui.templates.shortlist import Entry


def detail_of(
    entry: Entry, why: str, before: Iterable[Item], after: Iterable[Item], item: Item | None = None
) -> list[Line]:
    """What was said and done before, the call whole, and what came after."""
    candidate = entry.candidate
    lines: list[Line] = [[("why  ", "dim"), (clean_line(entry.why or why), "mark")]]
    where = f"{candidate.call.session_id}, call {candidate.call.position + 1}"
    lines.append([(f"{clean_line(entry.title)}  ", "strong"), (clean_line(where), "dim")])
    lines += [around(each) for each in before]
    whose = candidate.whose
    texts = [field for field in ("arguments", "result") if getattr(whose, field) == "outside"]
    if texts:
        came = f"! {' and '.join(texts)}: from outside by {clean_line(whose.brought_by)}"
        lines.append([(", ".join(filter(None, (came, read_like_instructions(candidate.signs)))), "unknown")])
    if candidate.mends is not None:
        failed = Item("call", candidate.mends.call.session_id, call=candidate.mends.call)
        lines.append([(shown_line(candidate.call.tool_name), "mark"), ("  the failure that it mended", "dim")])
        lines += [[("  ", ""), *line] for line in body_of(failed, candidate.mends.verdict, shown)]
    whole = item or Item("call", candidate.call.session_id, call=candidate.call)
    lines.append([(shown_line(candidate.call.tool_name), "mark")])
    lines += [[("  ", ""), *line] for line in body_of(whole, candidate.verdict, shown)]
    return lines + [around(each) for each in after]


def around(item: Item) -> Line:
    text = call_words(item.call.tool_name, item.call.arguments) if item.call else item.text[:300]
    return [(f"{'call' if item.call else item.kind:10} ", "dim"), (clean_line(text), "dim")]


def pattern_detail(row: DraftRow) -> list[Line]:
    """A pattern of the draft, as it will be told, and all that is to be said of it."""
    pattern = row.pattern
    lines: list[Line] = [[(f"! {clean_line(word)}", "failed")] for word in row.flags.told]
    lines += [[(f"! secret: {clean_line(secret.rule)}", "failed")] for secret in row.flags.secrets]
    lines += [[(f"! {clean_line(text.told.partition(', ')[2])}", "unknown")] for text in foreign_in(pattern, row.at)]
    if pattern.origin.why:
        lines.append([("why  ", "dim"), (clean_line(pattern.origin.why), "mark")])
    first, *more = shown(pattern.context).split("\n")
    told = "" if words_of_user(pattern) or not pattern.context else "  (not told)"
    lines.append([("user       ", "dim"), (first, ""), (told, "dim")])
    lines += [[("           ", ""), (line, "")] for line in more]
    return lines + [line for each in (pattern.mended, pattern) if each is not None for line in call_told(each)]


def call_told(pattern: Pattern) -> list[Line]:
    failed = "" if pattern.succeeded else "  ✗ failed"
    lines: list[Line] = [[(shown_line(pattern.tool_name), "mark"), (failed, "failed")]]
    lines += [[("  ", ""), *line] for line in arguments_of(json.dumps(pattern.arguments), shown)]
    lines.append([("  result", "dim")])
    return lines + [[("  ", ""), (line, "")] for line in pretty(pattern.result, shown)]
