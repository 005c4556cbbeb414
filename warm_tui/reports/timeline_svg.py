"""A life's timeline as SVG: the running error rate in its band, every call, the context as a sawtooth, and the cuts."""

from __future__ import annotations

from collections.abc import Sequence

from warm_tui.presentation.figures import percent
from warm_tui.presentation.pictures import FAILING, GLYPHS
from warm_tui.presentation.timeline import (
    from_to,
    in_thousands,
    is_drawn,
    segment_name,
    top_of,
    with_room_for,
    worst_segment,
)
from warm_tui.reliability.bounds import FEW_CALLS, RUNNING
from warm_tui.reliability.timeline import CutMark, Timeline
from warm_tui.reports.drawing import AXIS_STROKE, fill, label, stroke
from warm_tui.sessions.text import plural

WIDTH, AXIS, RIGHT = 960, 48, 12
RATES_TOP, RATES_HEIGHT, TICKS_HEIGHT, CONTEXT_HEIGHT = 34, 170, 14, 90
MOST_STEPS = 900
"""More calls than these are drawn in steps: a picture has no more places."""
LETTER = 6.4
LEAST_NAMED = 110
"""What the name of a segment and its rate take."""

ABOVE = f"above: errors of {RUNNING} calls, from the {FEW_CALLS}th on, in their 95 % interval"


def timeline_svg(timeline: Timeline, attributes: str = "") -> str:
    drawing = _Drawing(timeline)
    return (
        f'<svg viewBox="0 0 {WIDTH} {drawing.height:.0f}" width="{WIDTH}" height="{drawing.height:.0f}"'
        f' class="picture" role="img" font-family="system-ui, sans-serif"{attributes}>'
        f"<title>Errors and context, call by call</title>{''.join(drawing.all())}</svg>"
    )


class _Drawing:
    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.top = top_of(timeline)
        self.ticks = RATES_TOP + RATES_HEIGHT + 4
        self.context = self.ticks + TICKS_HEIGHT + 8
        self.floor = self.context + CONTEXT_HEIGHT
        self.labels = self._placed_labels()
        self.height = self.floor + 18 * (1 + max((row for _, _, row in self.labels), default=-1)) + 46

    def x(self, at: float) -> float:
        return AXIS + at / max(1, len(self.timeline.points)) * (WIDTH - AXIS - RIGHT)

    def y(self, rate: float) -> float:
        return RATES_TOP + (1 - min(1.0, rate / self.top)) * RATES_HEIGHT

    def full(self, tokens: float) -> float:
        return self.floor - tokens / self.timeline.fullest * CONTEXT_HEIGHT

    def all(self) -> list[str]:
        return [*self._bands(), *self._rates(), *self._calls(), *self._sawtooth(), *self._cuts(), *self._axes()]

    def _bands(self) -> list[str]:
        """Every other segment on ground of its own, each with its share of failures above."""
        drawn = []
        spans = self.timeline.spans()
        rooms = [(int(self.x(start)), int(self.x(stop))) for _, start, stop in spans]
        worst = worst_segment(self.timeline)
        if worst is not None:
            rooms = with_room_for(rooms, worst, LEAST_NAMED)
        for segment, start, stop in spans:
            left, wide = self.x(start), self.x(stop) - self.x(start)
            known = [point.failed for point in self.timeline.points[start:stop] if point.failed is not None]
            if segment % 2:
                height = self.floor - RATES_TOP + 18
                drawn.append(
                    f'<rect x="{left:.1f}" y="{RATES_TOP - 18}" width="{wide:.1f}" height="{height:.1f}"'
                    f' {fill("dim")} opacity="0.08"/>'
                )
            rate = percent(sum(known) / len(known)) if known else "no verdict"
            name = segment_name(segment)
            forms = (f"{name}: {rate} of {plural(len(known), 'call')} failed", f"{name}: {rate}", rate, "")
            low, high = rooms[segment]
            words = next(form for form in forms if len(form) * LETTER <= high - low or not form)
            drawn.append(label((low + high) / 2, RATES_TOP - 6, words, "middle", ""))
        return drawn

    def _steps(self, start: int, stop: int) -> range:
        return range(start, stop, max(1, -(-len(self.timeline.points) // MOST_STEPS)))

    def _rates(self) -> list[str]:
        drawn = []
        for _, start, stop in self.timeline.spans():
            points = [(self.x(at + 0.5), self.timeline.points[at]) for at in self._steps(start, stop)]
            known = [(x, point) for x, point in points if point.of]
            around = [(x, p.low) for x, p in known] + [(x, p.high) for x, p in reversed(known)]
            if around:
                edge = " ".join(f"{x:.1f},{self.y(value):.1f}" for x, value in around)
                drawn.append(f'<path d="M{edge}Z" {fill("dim")} opacity="0.22"/>')
            line = [(x, self.y(point.rate or 0.0)) for x, point in known if is_drawn(point)]
            drawn.append(_line(line))
        return drawn

    def _calls(self) -> list[str]:
        """A mark a call; what failed is taller, and drawn last."""
        wide = max(1.0, min(6.0, (WIDTH - AXIS - RIGHT) / max(1, len(self.timeline.points)) * 0.7))
        order = {"failed": 2, "masked": 2, "unknown": 1}
        marks = sorted(enumerate(self.timeline.outcomes), key=lambda mark: order.get(mark[1], 0))
        drawn = []
        for at, outcome in marks:
            tall, faint = _mark_of(outcome)
            x, y = self.x(at + 0.5) - wide / 2, self.ticks + TICKS_HEIGHT - tall
            drawn.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" {fill(outcome)}{faint}/>'
            )
        return drawn

    def _sawtooth(self) -> list[str]:
        timeline = self.timeline
        points: list[tuple[float, float]] = []
        for segment, start, stop in timeline.spans():
            if segment:
                points.append((self.x(start), self.full(timeline.cuts[segment - 1].after)))
            points += [(self.x(at + 0.5), self.full(timeline.points[at].context)) for at in self._steps(start, stop)]
            if segment < len(timeline.cuts):
                points.append((self.x(stop), self.full(timeline.cuts[segment].before)))
        if not points:
            return []
        edge = " ".join(
            f"{x:.1f},{y:.1f}" for x, y in [(points[0][0], self.floor), *points, (points[-1][0], self.floor)]
        )
        return [f'<path d="M{edge}Z" {fill("dim")} opacity="0.22"/>', _line(points)]

    def _cuts(self) -> list[str]:
        drawn = []
        for cut in self.timeline.cuts:
            x = self.x(cut.at)
            ends = f'x1="{x:.1f}" y1="{RATES_TOP - 18}" x2="{x:.1f}" y2="{self.floor + 4}"'
            drawn.append(f'<line {ends} {stroke("mark")} stroke-width="1.5"/>')
        for x, words, row in self.labels:
            drawn.append(label(x, self.floor + 18 * (row + 1), words, "start", "mark"))
        return drawn

    def _placed_labels(self) -> list[tuple[float, str, int]]:
        """Each in the first row in which it runs into no other."""
        ends: list[float] = []
        placed = []
        for cut in self.timeline.cuts:
            words = cut_words(cut)
            wide = len(words) * LETTER
            x = max(AXIS, min(self.x(cut.at), WIDTH - RIGHT - wide))
            row = next((row for row, end in enumerate(ends) if end < x), len(ends))
            ends[row : row + 1] = [x + wide + 12]
            placed.append((x, words, row))
        return placed

    def _axes(self) -> list[str]:
        last = self.height - 8
        rates = f"M{AXIS},{RATES_TOP} V{RATES_TOP + RATES_HEIGHT} H{WIDTH - RIGHT}"
        below = f"M{AXIS},{self.context:.0f} V{self.floor:.0f} H{WIDTH - RIGHT}"
        return [
            f'<path d="{rates}" {AXIS_STROKE}/>',
            f'<path d="{below}" {AXIS_STROKE}/>',
            label(AXIS - 4, RATES_TOP + 10, f"{self.top:.0%}", "end"),
            label(AXIS - 4, RATES_TOP + RATES_HEIGHT, "0%", "end"),
            label(AXIS - 4, self.context + 10, in_thousands(self.timeline.fullest), "end"),
            label(AXIS - 4, self.floor, "0", "end"),
            label(AXIS, last - 20, ABOVE),
            label(WIDTH - RIGHT, last - 20, below_words(self.timeline), "end"),
            *self._signs(last),
        ]

    def _signs(self, y: float) -> list[str]:
        """What the marks of calls are, as they are drawn."""
        drawn, x = [], float(AXIS)
        for outcome in GLYPHS:
            tall, faint = _mark_of(outcome)
            drawn.append(f'<rect x="{x:.1f}" y="{y - tall:.1f}" width="6" height="{tall:.1f}" {fill(outcome)}{faint}/>')
            drawn.append(label(x + 12, y, outcome, style=outcome))
            x += 36 + len(outcome) * LETTER
        return [*drawn, f'<path d="M{x + 2:.1f},{y - 12} V{y + 2}" {stroke("mark")}/>', label(x + 12, y, "compaction")]


def _mark_of(outcome: str) -> tuple[float, str]:
    """How tall it is; what failed stands out."""
    return (TICKS_HEIGHT, "") if outcome in FAILING else (TICKS_HEIGHT / 2, ' opacity="0.55"')


def _line(points: Sequence[tuple[float, float]]) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" {stroke("")} stroke-width="1.8" stroke-linejoin="round"/>' if points else ""


def below_words(timeline: Timeline) -> str:
    return f"below: tokens of context, about  ·  {plural(len(timeline.points), 'call')}"


def cut_words(cut: CutMark) -> str:
    kept = "" if cut.kept is None else f", kept {cut.kept:,} of {plural(cut.calls, 'call')}"
    shrank = f": {from_to(cut)} tokens" if cut.before else ": not recorded"
    return f"▲ {cut.index}{shrank}{kept}"
