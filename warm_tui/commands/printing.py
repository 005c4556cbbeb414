"""What the commands print for people."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, chop_cells

from warm_tui.presentation.tables import GAP, Cell, Column, paint, print_line, print_table, width_of_terminal
from warm_tui.sessions.text import clean, clean_line

if TYPE_CHECKING:
    from pathlib import Path

    from warm_tui.library.catalog import Listing
    from warm_tui.reliability.profile import Judged, Profile
    from warm_tui.reliability.verdict import Verdict
    from warm_tui.sessions.model import Call
    from warm_tui.templates.model import Template
    from warm_tui.templates.shelf import Row

GLYPHS = {
    "ok": ("✓", "green"),
    "benign_exit": ("~", "cyan"),
    "masked": ("!", "magenta"),
    "no_result": ("?", "yellow"),
    "interrupted": ("?", "yellow"),
}
FAILED = ("✗", "red")
UNKNOWN_VALUE = "–"


def glyph(kind: str) -> tuple[str, str]:
    """How a kind of verdict is shown: a sign, for those who cannot go by colour, and a colour."""
    return GLYPHS.get(kind, FAILED)


def show_sessions(listing: Listing, offset: int) -> None:
    columns = (
        Column("session"), Column("title", least=12), Column("source", rank=4), Column("model", least=8, rank=7),
        Column("age", right=True), Column("msgs", right=True, rank=6), Column("calls", right=True),
        Column("failed", right=True, rank=3), Column("errors", right=True), Column("95 %", rank=2),
        Column("early → late", rank=1), Column("tools", rank=5), Column("cuts", right=True, rank=8),
    )  # fmt: skip
    now = datetime.datetime.now().timestamp()
    print_table(columns, [_session_row(profile, now) for profile in listing.profiles])
    first = offset + 1 if listing.profiles else 0
    print_line(f"{first:,}–{offset + len(listing.profiles):,} of {listing.total:,} sessions", "dim")


def _session_row(p: Profile, now: float) -> list[Cell]:
    return [
        (clean_line(p.session_id), "bold"),
        clean_line(p.title or p.first_message)[:80],
        clean_line(p.source)[:16],
        clean_line(p.model or UNKNOWN_VALUE),
        age(p.started_at, now),
        f"{p.message_count:,}",
        f"{p.tool_call_count:,}",
        f"{p.failed_calls:,}",
        (percent(p.error_rate), rate_colour(p.error_rate)),
        (interval(p), "dim"),
        _trend(p),
        p.dominant_tool_type,
        str(p.compactions or ""),
    ]


def show_profile(p: Profile) -> None:
    judged = f"{p.successful_calls:,} ok, {p.failed_calls:,} failed, {p.unknown_calls:,} unknown"
    ended = f"{moment(p.ended_at)} ({p.end_reason or 'no reason recorded'})"
    rate = f"{percent(p.error_rate)}, {interval(p)} within this session" if p.error_rate is not None else UNKNOWN_VALUE
    show_facts(
        [
            ("session", p.session_id),
            ("title", p.title or p.first_message or UNKNOWN_VALUE),
            ("source, model", f"{p.source or UNKNOWN_VALUE}, {p.model or UNKNOWN_VALUE}"),
            ("started", moment(p.started_at)),
            ("ended", ended),
            ("lasted", duration(p.duration_seconds)),
            ("messages", f"{p.message_count:,}"),
            ("relation", p.relation + (f" of {p.parent_session_id}" if p.parent_session_id else "")),
            ("compactions", str(p.compactions)),
            ("calls", f"{p.tool_call_count:,}: {judged}"),
            ("error rate", rate),
            (
                "early → late",
                f"{percent(p.early_error_rate)} → {percent(p.late_error_rate)}, {signed(p.proficiency_gain)}",
            ),
            ("at equal tool mix", signed(p.adjusted_gain)),
            ("first 30 calls", percent(p.first_30_error_rate)),
            (
                "first success",
                f"call {p.calls_to_first_success}" if p.calls_to_first_success else UNKNOWN_VALUE,
            ),
            ("longest failure streak", str(p.longest_failure_streak)),
            ("tools, task", f"{p.dominant_tool_type}, {p.task_type}"),
            ("tokens", tokens(p)),
            ("cost", f"${p.cost_usd:,.4f}" if p.cost_usd is not None else "unknown"),
        ]
    )
    if p.tool_distribution:
        print_line("")
        print_table(
            (Column("tool", least=8), Column("calls", right=True), Column("success", right=True)),
            [
                (clean_line(tool), f"{count:,}", percent(p.tool_success_rates.get(tool)))
                for tool, count in p.tool_distribution.items()
            ],
        )


def show_calls(calls: Sequence[Judged]) -> None:
    columns = (
        Column("#", right=True), Column("seg", right=True, rank=2), Column("verdict"), Column("tool", least=8),
        Column("arguments", least=12), Column("reason", least=12, rank=1),
    )  # fmt: skip
    print_table(columns, [_call_row(call, verdict) for call, verdict in calls])


def _call_row(call: Call, verdict: Verdict) -> list[Cell]:
    sign, colour = glyph(verdict.kind)
    unsure = "" if verdict.confidence == "certain" else " (likely)"
    return [
        str(call.position),
        str(call.segment),
        (f"{sign} {verdict.kind}", colour),
        (clean_line(call.tool_name), "dim" if call.trivial else ""),
        clean_line(call.arguments[:300])[:100],
        clean_line(verdict.reason + unsure if verdict.reason else "")[:120],
    ]


def show_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Names on the left, and values that wrap rather than lose their end."""
    indent = max(len(name) for name, _ in facts) + GAP
    room = max(20, (width_of_terminal() or 10_000) - indent)
    for name, value in facts:
        for at, line in enumerate(_wrapped(clean_line(value), room)):
            label = name if at == 0 else ""
            print_line(f"{paint(label, 'dim')}{' ' * (indent - len(label))}{line}")


def _wrapped(text: str, room: int) -> list[str]:
    lines = [""]
    words = [part for word in text.split(" ") for part in chop_cells(word, room) or [""]]
    for word in words:
        if lines[-1] and cell_len(f"{lines[-1]} {word}") > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


# --- words and numbers ---


def percent(rate: float | None) -> str:
    return UNKNOWN_VALUE if rate is None else f"{rate:.0%}" if rate in (0, 1) else f"{rate:.1%}"


def signed(change: float | None) -> str:
    """A change of a rate in percentage points."""
    return UNKNOWN_VALUE if change is None else f"{change * 100:+.1f} pp"


def p_value(value: float | None) -> str:
    """As it stands behind a `p`."""
    return UNKNOWN_VALUE if value is None else "< 0.001" if value < 0.001 else f"= {value:.3f}"


def points(low: float, high: float) -> str:
    """An interval of a change, in percentage points."""
    return f"{low * 100:+.1f} to {high * 100:+.1f} pp"


def tokens(p: Profile) -> str:
    if p.input_tokens is None or p.output_tokens is None:
        return "unknown"
    return f"{p.input_tokens:,} in, {p.output_tokens:,} out"


def moment(timestamp: float | None) -> str:
    if timestamp is None:
        return UNKNOWN_VALUE
    try:
        return datetime.datetime.fromtimestamp(timestamp).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return UNKNOWN_VALUE


def duration(seconds: float | None) -> str:
    if seconds is None:
        return UNKNOWN_VALUE
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def age(timestamp: float | None, now: float) -> str:
    if timestamp is None:
        return UNKNOWN_VALUE
    seconds = max(0.0, now - timestamp)
    for unit, size in (("y", 31557600), ("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f}{unit}"
    return "now"


def rate_colour(rate: float | None) -> str:
    return "" if rate is None else "green" if rate < 0.05 else "yellow" if rate < 0.2 else "red"


def interval(p: Profile) -> str:
    if p.error_rate_low is None or p.error_rate_high is None:
        return ""
    return f"{p.error_rate_low:.0%}–{p.error_rate_high:.0%}"


def _trend(p: Profile) -> Cell:
    gain = p.proficiency_gain
    if gain is None:
        return UNKNOWN_VALUE
    arrow, colour = ("↘", "green") if gain < 0 else ("↗", "red") if gain > 0 else ("→", "dim")
    return f"{percent(p.early_error_rate)} {arrow} {percent(p.late_error_rate)}", colour


def show_built(template: Template, masked: int, path: Path) -> None:
    print_line(f"{clean_line(template.name)}: {len(template.patterns)} patterns", "bold")
    for at, pattern in enumerate(template.patterns, 1):
        told = clean_line(json.dumps(pattern.arguments, ensure_ascii=False))[:80]
        print_line(f"{at:3}. {clean_line(pattern.tool_name)} {told}")
        print_line(f"     {clean_line(pattern.origin.why)}", "dim")
    if masked:
        print_line(f"{masked} secret{'s were' if masked > 1 else ' was'} masked.", "yellow")
    print_line(f"Kept as {clean_line(str(path))}", "dim")


def show_templates(rows: Sequence[Row]) -> None:
    columns = (
        Column("name"), Column("patterns", right=True), Column("task", rank=2), Column("used", right=True, rank=1),
        Column("tags", rank=3), Column("format", rank=5), Column("description", least=12, rank=4),
    )  # fmt: skip
    cells: list[list[Cell]] = [
        [
            (clean_line(row.name), "bold"),
            str(row.pattern_count),
            clean_line(row.task_type),
            str(row.usage_count),
            clean_line(", ".join(row.stored.template.tags)),
            row.stored.template.format,
            clean_line(row.stored.template.description)[:60],
        ]
        for row in rows
    ]
    print_table(columns, cells)
    print_line(f"{len(rows):,} templates" if rows else "No template yet: `warm-tui build NAME` makes one.", "dim")


def show_conversation(facts: Mapping[str, Any], messages: Sequence[Mapping[str, Any]], total: int) -> None:
    sign = "=" if facts["tokens_exact"] else "≈"
    counted = f"{facts['message_count']} messages, {facts['pattern_count']} patterns, {sign}{facts['tokens']:,} tokens"
    print_line(f"{clean_line(facts['name'])}, for {facts['provider']}: {counted}", "bold")
    for message in messages:
        print_line(f"{message['role']}:", "cyan")
        for call in message.get("tool_calls", ()):
            print_line(f"  {clean_line(call['function']['name'])} {clean_line(call['function']['arguments'])}")
        for line in clean(str(message["content"])).split("\n") if message["content"] else ():
            print_line(f"  {line}")
    if len(messages) < total:
        print_line(f"… {total - len(messages)} messages more: --full shows all", "dim")
    for problem in facts["problems"]:
        where = f"message {problem['message'] + 1}: " if problem["message"] is not None else ""
        print_line(clean_line(f"! {where}{problem['problem']}"), "yellow")
