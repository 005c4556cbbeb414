"""Everything a profile knows, readable at a glance: lines for a pane of some width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rich.cells import cell_len, set_cell_size

from warm_tui.presentation import figures, outcomes
from warm_tui.presentation.claims import change_style
from warm_tui.presentation.failures import failure_lines
from warm_tui.presentation.figures import rate_style
from warm_tui.presentation.glossary import numbers_of, numbers_of_profile
from warm_tui.presentation.lines import Hanging, Line, Piece, all_meant, meant, wrapped
from warm_tui.presentation.pictures import legend, outcome_of, strip_lines
from warm_tui.reliability.bounds import change_is_shown
from warm_tui.reliability.profile import Judged, Profile
from warm_tui.sessions.model import Session
from warm_tui.sessions.text import clean_line, plural

MOST_TOOLS = 8
LEAST_WIDTH, MOST_WIDTH = 20, 100
STRIP_LINES = 4


def profile_lines(
    p: Profile, calls: Sequence[Judged], chain: Sequence[Session], width: int, *, waiting: bool = False
) -> list[Line]:
    """`calls` and `chain`: none, where they are yet to be read; `waiting`: it is yet to be profiled."""
    drawn = max(LEAST_WIDTH, min(MOST_WIDTH, width))
    title = clean_line(p.title or p.first_message or p.session_id)
    title = title if cell_len(title) <= 2 * drawn else set_cell_size(title, 2 * drawn - 1) + "…"
    lines: list[Line] = [[(line, "strong")] for line in wrapped(title, max(LEAST_WIDTH, width))]
    lines.append([(clean_line(p.session_id), "dim")])
    if waiting:
        return [*lines, [], [("Profiling…", "dim")]]
    lines += _rates(p, drawn)
    if calls:
        strip = strip_lines([[outcome_of(call) for call in calls if not call[0].trivial]], drawn, STRIP_LINES)
        lines += [[], *all_meant(strip, "strip of calls"), legend()]
    lines += _tools(p, drawn)
    if reasons := failure_lines(calls, max(LEAST_WIDTH, width)):
        lines += [[], *all_meant(reasons, "why it fails")]
    if chain:
        lines += _lineage(p, chain)
    return [*lines, [], *_facts(p, calls)]


def _rates(p: Profile, width: int) -> Iterator[Line]:
    yield []
    if p.error_rate is None:
        yield [("No call with a verdict.", "dim")]
        return
    numbers = partial(numbers_of_profile, p)
    style = rate_style(p.error_rate, p.known_calls)
    yield [
        (f"{figures.percent(p.error_rate)} errors", meant(style, "errors", numbers)),
        (f"  {figures.interval(p)} within this session", meant("dim", "interval", numbers)),
    ]
    yield [
        (f"{p.successful_calls:,} ok", meant("", "✓ ok")),
        (f", {p.failed_calls:,} failed", meant("", "failed", numbers)),
        (f", {p.unknown_calls:,} unknown", meant("", "? unknown")),
    ]
    room = max(8, width - 16)
    for name, rate in (("early", p.early_error_rate), ("late", p.late_error_rate)):
        line = [(f"{name:6}", "dim"), *bar(rate, room), (f" {figures.percent(rate):>6}", "")]
        yield from all_meant([line], "trend", numbers)
    style = change_style(p.proficiency_gain, shown=change_is_shown(p))
    words = figures.change_in_words(p)
    yield Hanging([("change ", meant(style, "change", numbers)), (words, meant(style, "change", numbers))])
    mix = f"at equal tool mix {figures.signed(p.adjusted_gain)}; lower is better"
    yield [(mix, meant("dim", "at equal tool mix"))]


def _tools(p: Profile, width: int) -> Iterator[Line]:
    if not p.tool_distribution:
        return
    yield []
    name_width = min(18, max(len(clean_line(tool)) for tool in p.tool_distribution))
    room = max(6, width - name_width - 18)
    for tool, count in list(p.tool_distribution.items())[:MOST_TOOLS]:
        success = p.tool_success_rates.get(tool)
        failing = None if success is None else 1 - success
        failed, known = p.tool_failures.get(tool, (0, 0))
        line: Line = [
            (set_cell_size(clean_line(tool), name_width) + f" {count:>5,} ", ""),
            *bar(failing, room),
            (f" {figures.percent(failing):>6}", rate_style(failing, known)),
        ]
        yield from all_meant([line], "errors of a tool", partial(numbers_of, failed, known))
    if len(p.tool_distribution) > MOST_TOOLS:
        yield [(f"and {len(p.tool_distribution) - MOST_TOOLS} more tools", meant("dim", "errors of a tool"))]


def _lineage(p: Profile, chain: Sequence[Session]) -> Iterator[Line]:
    if len(chain) < 2 and p.relation in ("none", "compression_in_place"):
        return
    yield []
    if p.relation in ("branch", "delegate", "review"):
        origin = clean_line(p.parent_session_id or "a session that is gone")
        yield [(f"{p.relation} of {origin}", meant("", "relation"))]
    for depth, session in enumerate(chain if len(chain) > 1 else ()):
        here = p.part_of is not None and session.id == p.session_id
        branch = "  " * min(depth, 8) + ("└ " if depth else "")
        name = f"{branch}{clean_line(session.id)}", meant("strong" if here else "dim", "relation")
        yield [name, ("  ← here", "")] if here else [name]


def _facts(p: Profile, calls: Sequence[Judged]) -> Iterator[Line]:
    facts = (
        *([("machine", "machine", clean_line(p.machine))] if p.machine else []),
        ("model", "model", clean_line(p.model or figures.UNKNOWN_VALUE)),
        ("started", "age", figures.moment(p.started_at)),
        ("lasted", "time", figures.duration(p.duration_seconds)),
        ("ended", "ended", clean_line(p.end_reason or "no reason recorded")),
        ("outcome", "outcome", clean_line(outcomes.whole(p))),
        ("messages", "messages", f"{p.message_count:,}"),
        ("calls", "calls", f"{p.tool_call_count:,}{figures.and_uncounted(sum(call.trivial for call, _ in calls))}"),
        ("compactions", "compactions", str(p.compactions)),
        ("first 30", "first 30 calls", figures.percent(p.first_30_error_rate)),
        ("streak", "streak", f"{plural(p.longest_failure_streak, 'failure')} in a row at most"),
        ("tokens", "tokens", figures.tokens(p)),
        ("cost", "cost", figures.cost(p)),
        *([("learned", "learned", figures.learned_in_words(p))] if p.learned else []),
    )
    numbers = partial(numbers_of_profile, p)
    for name, word, value in facts:
        yield Hanging([(f"{name:12}", meant("dim", word)), (value, meant("", word, numbers))])


def bar(rate: float | None, width: int) -> list[Piece]:
    """A rate of failure as a bar."""
    if rate is None:
        return [("·" * width, "dim")]
    filled = round(rate * width) or (1 if rate else 0)
    return [("█" * filled, "failed"), ("░" * (width - filled), "dim")]
