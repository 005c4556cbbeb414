"""A life's timeline made of characters: how often calls failed above, how full the context was below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate

from rich.cells import cell_len

from warm_tui.presentation.braille import ACROSS, Canvas, joined, sampled
from warm_tui.presentation.figures import percent
from warm_tui.presentation.glossary import numbers_of
from warm_tui.presentation.lines import Line, Meant, Piece, cropped_line, meant, wrapped_line
from warm_tui.presentation.pictures import CUT, GLYPHS, legend, shade
from warm_tui.presentation.verdicts import label, why
from warm_tui.reliability.bounds import FEW_CALLS, RUNNING
from warm_tui.reliability.timeline import CutMark, Point, Timeline
from warm_tui.sessions.text import clean_line, plural

AXIS = 5
LEAST_HEIGHT = 9
TOPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
CURSOR = ("│", "mark")
CALL = "call"
CROWDED = 3
"""With more cuts than there are columns by this, they are not drawn."""


class Places:
    """Which column of the picture each call and each cut has: cuts have columns of their own."""

    def __init__(self, timeline: Timeline, room: int) -> None:
        self.room = room
        self.calls = len(timeline.points)
        self.drawn = timeline.cuts if len(timeline.cuts) <= room // CROWDED else []
        self._ats = [cut.at for cut in self.drawn]
        self.units = max(1, self.calls + len(self.drawn))
        self._before: list[int] = []
        passed = 0
        for at in range(self.calls + 1):
            while passed < len(self._ats) and self._ats[passed] <= at:
                passed += 1
            self._before.append(passed)

    @property
    def alone(self) -> bool:
        """Whether each call has a column of its own."""
        return self.units <= self.room

    def unit(self, at: int) -> int:
        return at + self._before[at]

    def column(self, at: int) -> int:
        """Of a call."""
        return self.unit(at) * self.room // self.units

    def middle(self, at: int) -> float:
        """Of a call, in dots."""
        return (self.unit(at) + 0.5) * self.room * ACROSS / self.units

    def cut_column(self, nth: int) -> int:
        return min(self.room - 1, (self._ats[nth] + nth) * self.room // self.units)

    def seen(self, start: int, stop: int) -> list[int]:
        """The calls that lines are drawn through: of many, as many as there are dots for, and the last one."""
        every = max(1, self.units // (2 * ACROSS * self.room))
        return [*range(start, stop - 1, every), stop - 1] if stop > start else []

    def call_at(self, column: int) -> int | None:
        """The call that stands in a column, or the next one before it."""
        if not self.calls:
            return None
        return max(0, sum(self.column(at) <= column for at in range(self.calls)) - 1)


class Picture:
    """Drawn once for a width and a height; the cursor is laid over it."""

    def __init__(self, timeline: Timeline, width: int, height: int) -> None:
        self.timeline, self.width = timeline, width
        self.places = places = Places(timeline, max(10, width - AXIS))
        above = max(3, round((max(LEAST_HEIGHT, height) - 4) * 0.6))
        below = max(2, max(LEAST_HEIGHT, height) - 4 - above)
        top = top_of(timeline)
        self._ruler = _ruler(timeline, places)
        self._labels = _cut_labels(timeline, places)
        self._rates = _rates(timeline, places, above, top)
        self._outcomes = _outcomes(timeline, places)
        self._context = _context(timeline, places, below)
        self._ticks = (f"{top:.0%}", in_thousands(timeline.fullest))

    def meaning_at(self, x: int, row: int) -> Meant | None:
        """What stands at a place of the picture itself, with the figures of the call there."""
        at = self.places.call_at(x - AXIS)
        rows = 1, len(self._rates), 1, len(self._context)
        part = next((nth for nth, end in enumerate(accumulate(rows)) if row < end), len(rows))
        if at is None or part in (0, len(rows)):
            return None
        if part == 2:
            return meant("", "a call of the timeline", partial(numbers_of_call, self.timeline, at))
        return meant("", "running rate" if part == 1 else "context", partial(numbers_of_point, self.timeline, at))

    def lines(self, cursor: int | None = None) -> list[Line]:
        if not self.timeline.points:
            return [[("no calls", "dim")]]
        timeline, places = self.timeline, self.places
        lines = [[(" " * AXIS, ""), *self._ruler]]
        lines += _with_axis(self._rates, places, self._ticks[0], "0%", cursor)
        lines += _with_axis([self._outcomes], places, "", "", None)
        lines += _with_axis(self._context, places, self._ticks[1], "0", cursor)
        lines.append([(" " * AXIS, ""), *self._labels])
        lines.append(_legend(self.width) if cursor is None else point_line(timeline, cursor))
        return [cropped_line(line, self.width) for line in lines]


def timeline_lines(timeline: Timeline, width: int, height: int) -> list[Line]:
    return Picture(timeline, width, height).lines()


def is_drawn(point: Point) -> bool:
    """A rate of the first few calls says little, and would set the scale for all."""
    return point.of >= FEW_CALLS


def top_of(timeline: Timeline) -> float:
    """Where the axis of rates ends: a little above the highest, whatever the bands may be."""
    highest = max((point.rate or 0.0 for point in timeline.points if is_drawn(point)), default=0.0)
    return next((top for top in TOPS if highest * 1.1 <= top), 1.0)


def in_thousands(tokens: int) -> str:
    return f"{tokens}" if tokens < 1_000 else f"{tokens / 1_000:.0f}k" if tokens < 999_500 else f"{tokens / 1e6:.1f}M"


def _rates(timeline: Timeline, places: Places, height: int, top: float) -> list[Line]:
    canvas = Canvas(places.room, height)

    def row(value: float) -> int:
        return round(min(1.0, value / top) * (canvas.rows - 1))

    for _, start, stop in timeline.spans():
        points = [(places.middle(at), timeline.points[at]) for at in places.seen(start, stop)]
        known = [(x, point) for x, point in points if point.of]
        lows = dict(_heights([(x, point.low) for x, point in known], canvas))
        highs = _heights([(x, point.high) for x, point in known], canvas)
        canvas.edges([(x, row(lows[x]), row(high)) for x, high in highs], 0, "dim")
        drawn = [(x, point.rate or 0.0) for x, point in known if is_drawn(point)]
        canvas.line([(x, row(value)) for x, value in _heights(drawn, canvas)], 1, "")
    return canvas.cells()


def _context(timeline: Timeline, places: Places, height: int) -> list[Line]:
    """A sawtooth: it grows with each call, and falls where compaction cut it."""
    canvas = Canvas(places.room, height)
    edges = [places.cut_column(nth) * ACROSS for nth in range(len(places.drawn))]
    for segment, start, stop in timeline.spans():
        points = [(places.middle(at), float(timeline.points[at].context)) for at in places.seen(start, stop)]
        if edges and segment > 0:
            points.insert(0, (edges[segment - 1] + 1.0, float(timeline.cuts[segment - 1].after)))
        if edges and segment < len(edges):
            points.append((float(edges[segment]), float(timeline.cuts[segment].before)))
        heights = [(x, round(value / timeline.fullest * (canvas.rows - 1))) for x, value in _heights(points, canvas)]
        canvas.band([(x, 0, y) for x, y in heights], 0, "dim")
        canvas.line(heights, 1, "")
    return canvas.cells()


def _heights(points: Sequence[tuple[float, float]], canvas: Canvas) -> list[tuple[int, float]]:
    """The values at the columns of the canvas; of a single point, at its own."""
    if len(points) == 1:
        return [(min(canvas.columns - 1, int(points[0][0])), points[0][1])]
    return sampled(points, 0.0, canvas.columns - 1.0, canvas.columns)


def _outcomes(timeline: Timeline, places: Places) -> Line:
    """A sign a call where they fit, else a block for some of them, its height the share that failed."""
    cells: Line = [(" ", "")] * places.room
    if places.alone:
        for at, outcome in enumerate(timeline.outcomes):
            cells[places.column(at)] = (GLYPHS[outcome], outcome)
        return cells
    together: dict[int, list[str]] = {}
    for at, outcome in enumerate(timeline.outcomes):
        together.setdefault(places.column(at), []).append(outcome)
    for column, outcomes in together.items():
        cells[column] = shade(outcomes)
    return cells


def _with_axis(rows: Sequence[Line], places: Places, high: str, low: str, cursor: int | None) -> list[Line]:
    """With the cuts through all of it, and the cursor."""
    lines: list[Line] = []
    for nth, row in enumerate(rows):
        cells: list[Piece] = list(row)
        if cursor is not None and 0 <= cursor < places.calls:
            cells[places.column(cursor)] = CURSOR
        for cut in range(len(places.drawn)):
            cells[places.cut_column(cut)] = CUT
        tick = high if nth == 0 else low if nth == len(rows) - 1 else ""
        lines.append([(f"{tick:>{AXIS - 1}}│", "dim"), *joined(cells)])
    return lines


def _ruler(timeline: Timeline, places: Places) -> Line:
    """Each segment by its number, and how many of its calls failed, all in the longest words that fit where a rate
    does: no figure but a rate. The worst one has its figure wherever it is: that is what one looks for."""
    if len(places.drawn) < len(timeline.cuts):
        return []
    edges = [0, *(places.cut_column(nth) + 1 for nth in range(len(places.drawn))), places.room + 1]
    spans = [(segment, timeline.points[start:stop]) for segment, start, stop in timeline.spans()]
    rooms = [(edges[segment], max(edges[segment], edges[segment + 1] - 1)) for segment, _ in spans]
    told = [[form(segment, points) for segment, points in spans] for form in SEGMENT_FORMS]
    worst = worst_segment(timeline)
    if worst is not None and cell_len(told[-1][worst]) >= rooms[worst][1] - rooms[worst][0]:
        named = _numbered_rate(*spans[worst])
        rooms = with_room_for(rooms, worst, cell_len(named) + 2)
        for texts in told:
            texts[worst] = named
    fits = [[cell_len(text) < right - left for text, (left, right) in zip(texts, rooms, strict=True)] for texts in told]
    form = next((nth for nth, each in enumerate(fits) if each == fits[-1]), len(told) - 1)
    line: Line = []
    at = 0
    for (segment, points), text, is_told, (left, right) in zip(spans, told[form], fits[form], rooms, strict=True):
        if is_told:
            start = left + (right - left - cell_len(text)) // 2
            numbers = partial(numbers_of, *_failed_of(points))
            style = meant("" if segment % 2 else "dim", "segment", numbers)
            line += [(" " * (start - at), ""), (text, style)]
            at = start + cell_len(text)
    return line


def worst_segment(timeline: Timeline) -> int | None:
    """The one of whose calls most failed; none where none failed."""
    counts = [(segment, *_failed_of(timeline.points[start:stop])) for segment, start, stop in timeline.spans()]
    rates = [(failed / known, segment) for segment, failed, known in counts if failed]
    return max(rates)[1] if rates else None


def with_room_for(rooms: Sequence[tuple[int, int]], nth: int, needed: int) -> list[tuple[int, int]]:
    """The rooms from left to right, of which one has as much as it needs, taken from those beside it."""
    (left, right), (first, last) = rooms[nth], (rooms[0][0], rooms[-1][1])
    if right - left >= needed or last - first < needed:
        return list(rooms)
    start = max(first, min((left + right - needed) // 2, last - needed))
    end = start + needed
    before = [(min(low, start), min(high, start)) for low, high in rooms[:nth]]
    return [*before, (start, end), *((max(low, end), max(high, end)) for low, high in rooms[nth + 1 :])]


def _failed_of(points: Sequence[Point]) -> tuple[int, int]:
    known = [point.failed for point in points if point.failed is not None]
    return sum(known), len(known)


def _rate(segment: int, points: Sequence[Point]) -> str:  # noqa: ARG001 - as the longer forms
    failed, known = _failed_of(points)
    return percent(failed / known) if known else "no verdict"


def segment_name(segment: int) -> str:
    """By the compaction that it came after."""
    return f"after {segment}" if segment else "before"


def _numbered_rate(segment: int, points: Sequence[Point]) -> str:
    """With the sign and the number that stand at the cut before it."""
    return f"▲{segment} {_rate(segment, points)}" if segment else _rate(segment, points)


def _named_rate(segment: int, points: Sequence[Point]) -> str:
    return f"{segment_name(segment)}: {_rate(segment, points)}"


def _whole_rate(segment: int, points: Sequence[Point]) -> str:
    return f"{_named_rate(segment, points)} of {plural(_failed_of(points)[1], CALL)} failed"


SEGMENT_FORMS = (_whole_rate, _named_rate, _numbered_rate, _rate)


def _cut_labels(timeline: Timeline, places: Places) -> Line:
    """What each cut left, in the longest words for which there is room."""
    for form in CUT_FORMS if len(places.drawn) == len(timeline.cuts) else ():
        line: Line = []
        at = 0
        for nth, cut in enumerate(places.drawn):
            text = form(cut)
            line += [("  ", "")] if line else []
            start = max(0, min(places.cut_column(nth), places.room - cell_len(text)))
            if start < at:
                break
            line += [(" " * (start - at), ""), (text, meant("mark", "kept at a compaction"))]
            at = start + cell_len(text) + 2
        else:
            return line
    if timeline.cuts and not places.drawn:
        return [(f"{plural(len(timeline.cuts), 'compaction')}, too many to be drawn", meant("mark", "compactions"))]
    return _signs_with_room(places)


def _signs_with_room(places: Places) -> Line:
    """The numbers of the cuts, without those for which there is no room: they are counted on from the one before."""
    line: Line = []
    end = 0
    for nth, cut in enumerate(places.drawn):
        sign = f"▲{cut.index}"
        start = min(places.cut_column(nth), places.room - cell_len(sign))
        if start >= end + bool(line):
            line += [(" " * (start - end), ""), (sign, meant("mark", "kept at a compaction"))]
            end = start + cell_len(sign)
    return line


def _kept(cut: CutMark, what: str) -> str:
    return "" if cut.kept is None else f" kept {cut.kept:,}{what}"


CUT_FORMS: tuple[Callable[[CutMark], str], ...] = (
    lambda c: f"▲{c.index} {from_to(c)} tokens{_kept(c, f' of {plural(c.calls, CALL)}')}",
    lambda c: f"▲{c.index}{_kept(c, f' of {plural(c.calls, CALL)}')}",
    lambda c: f"▲{c.index}{_kept(c, f' of {c.calls:,}')}",
    lambda c: f"▲{c.index}",
)


def from_to(cut: CutMark) -> str:
    """Both are estimates."""
    return f"≈{in_thousands(cut.before)} → ≈{in_thousands(cut.after)}"


def signs_lines(width: int) -> list[Line]:
    """What stands for a call, and for a compaction."""
    cut = [("  ", "dim"), (CUT[0], meant(CUT[1], "compaction")), (" compaction", meant("dim", "compaction"))]
    return wrapped_line([*legend(), *cut], width)


LEGENDS = (
    (f"above: errors of the last {RUNNING} calls, from the {FEW_CALLS}th on; dots: 95 %", "below: tokens of context"),
    (f"above: errors of {RUNNING} calls, from the {FEW_CALLS}th; dots: 95 %", "below: tokens of context"),
    (f"above: errors of {RUNNING} calls, from the {FEW_CALLS}th; dots: 95 %", "below: context"),
    (f"errors, from the {FEW_CALLS}th call", "context"),
)  # fmt: skip


def _legend(width: int) -> Line:
    """In the longest words for which there is room."""
    fitting = (words for words in LEGENDS if AXIS + cell_len(" · ".join(words)) <= width)
    above, below = next(fitting, LEGENDS[-1])
    styles = meant("dim", "running rate"), meant("dim", "context")
    return [(" " * AXIS, ""), (above, styles[0]), (" · ", "dim"), (below, styles[1])]


def numbers_of_point(timeline: Timeline, at: int) -> dict[str, str]:
    """How often calls failed up to this one, and how full the context was."""
    point = timeline.points[at]
    numbers = {"call": f"{at + 1:,}", "context": f"≈{point.context:,}", "of": f"{point.of:,}"}
    if point.rate is None:
        return numbers
    return numbers | {"rate": percent(point.rate), "low": f"{point.low:.0%}", "high": f"{point.high:.0%}"}


def numbers_of_call(timeline: Timeline, at: int) -> dict[str, str]:
    call, verdict = timeline.calls[at]
    told = [GLYPHS[timeline.outcomes[at]], clean_line(call.tool_name), label(verdict), clean_line(why(verdict))]
    return {"call": f"{at + 1:,}", "calls": f"{len(timeline.points):,}", "told": " ".join(filter(None, told))}


def point_line(timeline: Timeline, at: int) -> Line:
    """The call under the cursor: what it was, how it ended, and how things stood."""
    point, outcome = timeline.points[at], timeline.outcomes[at]
    call, verdict = timeline.calls[at]
    reason = f" {clean_line(why(verdict))}" if why(verdict) else ""
    rate = f"{percent(point.rate)} ({point.low:.0%}–{point.high:.0%})" if point.rate is not None else "–"
    of_call, numbers = partial(numbers_of_call, timeline, at), partial(numbers_of_point, timeline, at)
    word = "a call of the timeline"
    return [
        (f"call {at + 1:,} of {len(timeline.points):,}  ", meant("strong", word, of_call)),
        (f"{GLYPHS[outcome]} {clean_line(call.tool_name)}", meant(outcome, word, of_call)),
        ("  ", ""),
        (f"last {RUNNING}: {rate}", meant("dim", "running rate", numbers)),
        (f" · ≈{in_thousands(point.context)} tokens", meant("dim", "context", numbers)),
        ("  ", ""),
        (f"{label(verdict)}{reason}", meant("", word, of_call)),
    ]
