"""What the commands print for people."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.cells import cell_len

from warm_tui.presentation.calls import call_line
from warm_tui.presentation.claims import change_arrow, change_style
from warm_tui.presentation.figures import (
    UNKNOWN_VALUE,
    age,
    and_uncounted,
    change_in_words,
    cost,
    duration,
    interval,
    learned_in_words,
    moment,
    percent,
    rate_style,
    signed,
    tokens,
)
from warm_tui.presentation.lines import cropped, wrapped
from warm_tui.presentation.outcomes import whole
from warm_tui.presentation.pictures import GLYPHS, OUTCOMES, outcome_of
from warm_tui.presentation.revisions import revision_line
from warm_tui.presentation.tables import GAP, Cell, Column, table_lines
from warm_tui.presentation.totals import group_name, total_line
from warm_tui.presentation.verdicts import label, reason_and_ours, sentence
from warm_tui.reliability.bounds import change_is_shown
from warm_tui.reports.lines import lines_of
from warm_tui.sessions.invisible import shown, shown_line
from warm_tui.sessions.text import beginning, clean_line, plural

if TYPE_CHECKING:
    from pathlib import Path

    from warm_tui.library.catalog import Helper, Listing
    from warm_tui.library.overrides import Override
    from warm_tui.reliability.outcome import Verdict
    from warm_tui.reliability.profile import Judged, Profile
    from warm_tui.reports.document import Document
    from warm_tui.sessions.learning import Learned
    from warm_tui.sessions.model import Call
    from warm_tui.templates.model import Template
    from warm_tui.templates.revisions import Entry
    from warm_tui.templates.shelf import Row

COLOURS = {
    "strong": "bold", "dim": "dim", "ok": "green", "failed": "red", "unknown": "yellow", "benign": "cyan",
    "masked": "magenta", "mark": "bold",
}  # fmt: skip
WIDTH_OF_DOCUMENTS = 120


def width_of_terminal() -> int | None:
    """None where nobody is looking: then nothing is cut."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    return None


def paint(text: str, style: str) -> str:
    colour = COLOURS.get(style)
    if not colour or os.environ.get("NO_COLOR"):
        return text
    if colour in ("bold", "dim"):
        return click.style(text, **{colour: True})
    return click.style(text, fg=colour)


def print_line(text: str, style: str = "") -> None:
    """click takes the colours out where stdout is no terminal."""
    click.echo(paint(text, style))


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(clean_line(line))


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], headings: Mapping[int, str] = {}) -> None:
    """`headings`: what stands above a row, by its number."""
    width = width_of_terminal()
    for at, line in enumerate(table_lines(columns, rows, width, header_style="strong"), start=-1):
        if at in headings:
            print_line(cropped(headings[at], width or cell_len(headings[at])), "strong")
        print_line("".join(paint(text, style) for text, style in line))


def show_document(document: Document) -> None:
    for line in lines_of(document, width_of_terminal() or WIDTH_OF_DOCUMENTS):
        print_line("".join(paint(text, style) for text, style in line).rstrip())


def show_sessions(listing: Listing, offset: int, grouping: str = "", query: str = "") -> None:
    if not listing.total:
        print_line(f"No session matches {query!r}." if query else "No session is recorded.")
        return
    agents, homes = ({getattr(p, name) for p in listing.profiles} for name in ("agent", "home"))
    elsewhere = any(p.machine for p in listing.profiles)
    told = ("agent", len(agents) > 1), ("home", len(homes) > len(agents)), ("machine", elsewhere)
    several = [name for name, is_told in told if is_told]
    columns = (
        Column("session"), Column("title", min_width=12), *(Column(name, rank=5) for name in several),
        Column("source", rank=4),
        Column("model", min_width=8, rank=7), Column("age", right=True), Column("messages", right=True, rank=6),
        Column("calls", right=True), Column("failed", right=True, rank=3), Column("errors", right=True),
        Column("95 %", rank=2), Column("early → late", rank=1), Column("tools", rank=5),
        Column("compactions", right=True, rank=8),
    )  # fmt: skip
    now = datetime.datetime.now().timestamp()
    rows = [_session_row(profile, now, several) for profile in listing.profiles]
    print_table(columns, rows, _group_headings(listing, offset, grouping) if rows else {})
    first = offset + 1 if listing.profiles else 0
    print_line(f"{first:,}–{offset + len(listing.profiles):,} of {plural(listing.total, 'session')}", "dim")
    if listing.totals is not None:
        print_line(f"together: {total_line(listing.totals)}", "dim")


def _group_headings(listing: Listing, offset: int, grouping: str) -> dict[int, str]:
    """Above the first row of each group that is listed, its name and what all of it comes to."""
    headings: dict[int, str] = {}
    start = -offset
    for name, totals in listing.groups.items():
        if start + totals.sessions > 0:
            headings[max(0, start)] = f"{group_name(name, grouping)}: {total_line(totals)}"
        start += totals.sessions
    return headings


def _session_row(p: Profile, now: float, places: Sequence[str]) -> list[Cell]:
    return [
        (clean_line(p.session_id), "strong"),
        beginning(clean_line(p.title or p.first_message), 80),
        *(clean_line(getattr(p, name)) for name in places),
        clean_line(p.source)[:16],
        clean_line(p.model or UNKNOWN_VALUE),
        age(p.started_at, now),
        f"{p.message_count:,}",
        f"{p.tool_call_count:,}",
        f"{p.failed_calls:,}",
        (percent(p.error_rate), rate_style(p.error_rate, p.known_calls)),
        (interval(p), "dim"),
        _trend(p),
        p.dominant_tool_type,
        str(p.compactions or ""),
    ]


def show_profile(p: Profile, learned: Sequence[Learned] = ()) -> None:
    judged = f"{p.successful_calls:,} ok, {p.failed_calls:,} failed, {p.unknown_calls:,} unknown"
    ended = f"{moment(p.ended_at)} ({p.end_reason or 'no reason recorded'})"
    rate = f"{percent(p.error_rate)}, {interval(p)} within this session" if p.error_rate is not None else UNKNOWN_VALUE
    show_facts(
        [
            ("session", p.session_id),
            ("title", p.title or p.first_message or UNKNOWN_VALUE),
            *([("machine", p.machine)] if p.machine else []),
            ("source, model", f"{p.source or UNKNOWN_VALUE}, {p.model or UNKNOWN_VALUE}"),
            ("started", moment(p.started_at)),
            ("ended", ended),
            ("outcome", whole(p)),
            ("lasted", duration(p.duration_seconds)),
            ("messages", f"{p.message_count:,}"),
            *([("sessions", " → ".join(p.session_ids))] if p.parts else []),
            ("relation", p.relation + (f" of {p.parent_session_id}" if p.parent_session_id else "")),
            ("compactions", str(p.compactions)),
            ("calls", f"{p.tool_call_count:,}: {judged}"),
            ("error rate", rate),
            ("early → late", f"{percent(p.early_error_rate)} → {percent(p.late_error_rate)}"),
            ("change", f"{change_in_words(p)}; lower is better"),
            ("at equal tool mix", signed(p.adjusted_gain)),
            ("first 30 calls", percent(p.first_30_error_rate)),
            (
                "first success",
                f"call {p.calls_to_first_success}" if p.calls_to_first_success else UNKNOWN_VALUE,
            ),
            ("longest failure streak", str(p.longest_failure_streak)),
            ("tools, task", f"{p.dominant_tool_type}, {p.task_type}"),
            ("tokens", tokens(p)),
            ("cost", cost(p)),
            *([("learned", learned_in_words(p))] if learned else []),
        ]
    )
    for each in learned:
        print_line(f"  {each.what}{', by its review' if each.by == 'review' else ''}: {clean_line(each.words)}")
    if p.tool_distribution:
        print_line("")
        print_table(
            (Column("tool", min_width=8), Column("calls", right=True), Column("success", right=True)),
            [
                (clean_line(tool), f"{count:,}", percent(p.tool_success_rates.get(tool)))
                for tool, count in p.tool_distribution.items()
            ],
        )


def show_calls(calls: Sequence[Judged], helpers: Sequence[Helper] = ()) -> None:
    columns = (
        Column("#", right=True), Column("seg", right=True, rank=2), Column("verdict"), Column("tool", min_width=8),
        Column("arguments", min_width=12), Column("reason", min_width=12, rank=1),
    )  # fmt: skip
    print_table(columns, list(_call_rows(calls, helpers)))
    if uncounted := sum(call.trivial for call, _ in calls):
        print_line(f"{plural(len(calls) - uncounted, 'call')}{and_uncounted(uncounted)}", "dim")


def _call_rows(calls: Sequence[Judged], helpers: Sequence[Helper], deep: int = 0) -> Iterator[list[Cell]]:
    for call, verdict in calls:
        yield _call_row(call, verdict, "┊ " * deep)
        for helper in helpers:
            if (helper.begun_in, helper.begun_by) == (call.session_id, call.key):
                yield from _call_rows(helper.calls, helpers, deep + 1)


def _call_row(call: Call, verdict: Verdict, lead: str) -> list[Cell]:
    outcome = outcome_of((call, verdict))
    unsure = " (likely)" if verdict.confidence == "likely" and verdict.reason else ""
    return [
        str(call.position),
        str(call.segment),
        (f"{GLYPHS[outcome]} {label(verdict)}", outcome),
        (lead + clean_line(call.tool_name), "dim" if call.trivial else ""),
        call_line(call.arguments)[:100],
        clean_line(sentence(verdict) + unsure)[:120],
    ]


def show_verdicts(own: Sequence[Override]) -> None:
    columns = (
        Column("said", min_width=10), Column("verdict"), Column("tool", min_width=8), Column("why", min_width=12),
        Column("session", rank=1), Column("call", rank=2),
    )  # fmt: skip
    print_table(columns, [_verdict_row(override) for override in own])
    if not own:
        print_line("No verdict of your own yet: v in a transcript sets one.", "dim")


def _verdict_row(override: Override) -> list[Cell]:
    verdict, outcome = override.verdict, OUTCOMES[override.verdict.outcome]
    return [
        moment(verdict.said_at),
        (f"{GLYPHS[outcome]} {verdict.outcome}", outcome),
        clean_line(override.call.tool_name) if override.call else UNKNOWN_VALUE,
        clean_line(reason_and_ours(verdict))[:120],
        (clean_line(override.shown_as), "dim"),
        (clean_line(override.call_id), "dim"),
    ]


def show_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Names on the left, and values that wrap rather than lose their end."""
    indent = max(len(name) for name, _ in facts) + GAP
    room = max(20, (width_of_terminal() or 10_000) - indent)
    for name, value in facts:
        for at, line in enumerate(wrapped(clean_line(value), room)):
            label = name if at == 0 else ""
            print_line(f"{paint(label, 'dim')}{' ' * (indent - len(label))}{line}")


def _trend(p: Profile) -> Cell:
    change = p.proficiency_gain
    if change is None:
        return UNKNOWN_VALUE
    rates = f"{percent(p.early_error_rate)} {change_arrow(change)} {percent(p.late_error_rate)}"
    return rates, change_style(change, shown=change_is_shown(p))


def show_built(template: Template, masked: int, path: Path) -> None:
    print_line(f"{clean_line(template.name)}: {plural(len(template.patterns), 'pattern')}", "strong")
    for at, pattern in enumerate(template.patterns, 1):
        arguments = clean_line(json.dumps(pattern.arguments, ensure_ascii=False))[:80]
        print_line(f"{at:3}. {clean_line(pattern.tool_name)} {arguments}")
        print_line(f"     {clean_line(pattern.origin.why)}", "dim")
    if masked:
        print_line(f"{plural(masked, 'secret was', 'secrets were')} masked.", "unknown")
    print_line(f"Kept as {clean_line(str(path))}", "dim")


def show_templates(rows: Sequence[Row], proposals: Sequence[Row], uses: Mapping[str, int]) -> None:
    """`uses`: how many sessions began warm with each, as the Templates screen says."""
    columns = (
        Column("name"), Column("patterns", right=True), Column("task", rank=2), Column("uses", right=True, rank=1),
        Column("tags", rank=3), Column("format", rank=5), Column("description", min_width=12, rank=4),
    )  # fmt: skip
    cells: list[list[Cell]] = [
        [
            (clean_line(row.name), "strong"),
            str(row.pattern_count),
            clean_line(row.task_type),
            f"{uses.get(row.name, 0):,}",
            clean_line(", ".join(row.stored.template.tags)),
            row.stored.template.format,
            beginning(clean_line(row.stored.template.description), 60),
        ]
        for row in rows
    ]
    print_table(columns, cells)
    print_line(plural(len(rows), "template") if rows else "No template yet: `warm-tui build NAME` makes one.", "dim")
    for row in proposals:
        print_line(
            f"? {clean_line(row.name)}: {plural(row.pattern_count, 'pattern')}, proposed by the agent", "unknown"
        )
    if proposals:
        print_line("`warm-tui accept NAME` makes a proposal a template, `warm-tui discard NAME` puts it away.", "dim")


def show_conversation(facts: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], total: int) -> None:
    sign = "=" if facts["tokens_exact"] else "≈"
    size = f"{plural(facts['message_count'], 'message')}, {plural(facts['pattern_count'], 'pattern')}"
    counted = f"{size}, {sign}{facts['tokens']:,} tokens"
    proposed = ", proposed by the agent" if facts["proposal"] else ""
    print_line(f"{clean_line(facts['name'])}{proposed}, for {facts['provider']}: {counted}", "strong")
    marks = {mark["message"]: mark["came"] for mark in facts["outside_messages"]}
    for at, message in enumerate(messages):
        came = marks.get(at)
        print_line(f"{message['role']}:{f'  {came}' if came else ''}", "unknown" if came else "benign")
        for call in message.get("tool_calls", ()):
            print_line(f"  {shown_line(call['function']['name'])} {shown_line(call['function']['arguments'])}")
        for line in shown(str(message["content"])).split("\n") if message["content"] else ():
            print_line(f"  {line}")
    if len(messages) < total:
        print_line(f"… {plural(total - len(messages), 'message')} more: --full shows all", "dim")
    for note in facts["notes"]:
        print_line(clean_line(f"! {note}"), "unknown")
    for problem in facts["problems"]:
        where = f"message {problem['message'] + 1}: " if problem["message"] is not None else ""
        print_line(clean_line(f"! {where}{problem['problem']}"), "unknown")


def show_revisions(name: str, entries: Sequence[Entry], results: Mapping[int, Sequence[str]]) -> None:
    print_line(f"{clean_line(name)}: {plural(len(entries), 'revision')}, the newest first", "strong")
    for entry in reversed(entries):
        print_line(revision_line(entry))
        for told in results.get(entry.number, ()):
            print_line(f"       {clean_line(told)}", "dim")
