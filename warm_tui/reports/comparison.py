"""Warm against cold, as a document."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from warm_tui.comparisons.compare import Comparison, Row
from warm_tui.comparisons.courses import band_of_errors, course_of_errors
from warm_tui.comparisons.spec import ArmComparison
from warm_tui.comparisons.units import Unit
from warm_tui.presentation import conclusions
from warm_tui.presentation.claims import CLAIMS, COLD, CONFOUNDED, WARM, claim_style, headline_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, duration, p_value, percent, rate_style, signed
from warm_tui.presentation.pictures import Scale, Span
from warm_tui.presentation.tables import Cell, Column
from warm_tui.presentation.verdicts import whole as in_words
from warm_tui.reliability.stats import LEVEL, Difference
from warm_tui.reports.comparison_json import of_comparison
from warm_tui.reports.comparison_words import headline
from warm_tui.reports.document import Curve, Curves, Document, Heading, Histograms, Part, Rank, Say, Table

METHOD = (
    "The session is the unit (the task, where the same tasks ran in both arms); calls of one session resemble each "
    "other. Intervals of rates take calls to resemble each other as much as they well may, which of few sessions is "
    "more than was seen: by simulation they hold the truth in 95 % of cases or more, of 10 sessions an arm and more in "
    "93 to 98 % (up to 100 % where few sessions are, or few calls fail, as of those little is known; least, 93 %, of 4 "
    "sessions whose calls are all but alike and fail often). Those of other metrics: in at least 93 %, on the scale of "
    "their logarithm, as few sessions cost many times what most do (none where an arm has nothing but noughts). p: "
    "permutation of sessions between the arms, by the difference's error where the arms are of very different size, "
    "or swaps within tasks. A difference is told where p is small and the interval holds no zero. The error rate is "
    "tested alone; the other metrics are corrected after Holm for their number, and so are the tools; one whose "
    "figures are those of the error rate is left out. An interval is of its metric alone, however many are compared: "
    "beside one that leaves out 0, the corrected p may be large (none shown, by p), and beside one that holds 0 it may "
    "be small (by interval); then nothing is told. More tools are neither better nor worse. Fewer than 4 sessions an "
    "arm, or 6 tasks, cannot show anything; what size of difference would have been shown is named from 20 on, in arms "
    "of about one size, that of an improvement between arms from 40, and where an arm without failures would have been "
    "shown to be better. Four times in five is by simulation 75 to 85 in 100, where 15 % of the cold calls fail or "
    "more. Where fewer do, and calls of one session are much alike, a worsening is shown in 70, and an improvement "
    "that is named may be too small."
)
NEITHER = "neither is better"
OBSERVATIONAL = "The arms are observational: sessions were not dealt to them by lot, so what differs may be the work."
RANDOMISED = "The arms are randomised: which of them a session is in was drawn by lot, when it began."
IN_PAIRS = "The arms are randomised: each task ran in both, from the same start, and which came first was drawn by lot."


def comparison_document(compared: ArmComparison, *, whole: bool = False) -> Document:
    """`whole`: with the sessions behind it, for a report that stands alone."""
    comparison = compared.comparison
    parts: list[Part] = [
        Say(conclusions.of_comparison(comparison), headline_style(comparison.announced)),
        *(Say(f"! {note}", "unknown") for note in compared.notes),
        Heading("Error rate up to the nth call"),
        Curves(
            "", "calls into the session",
            [
                _course("warm", WARM, comparison.warm),
                _course("cold", COLD, comparison.cold),
            ],
        ),
        Heading("Error rates of the sessions"),
        Histograms(
            "sessions by error rate",
            [Rank("warm", WARM, _rates(comparison.warm)), Rank("cold", COLD, _rates(comparison.cold))],
        ),
    ]  # fmt: skip
    return Document(compared.title, parts, of_comparison(compared) if whole else None, _details(compared, whole=whole))


def _details(compared: ArmComparison, *, whole: bool) -> list[Part]:
    comparison = compared.comparison
    details: list[Part] = [
        Heading("The figures, metric by metric"),
        Say(headline(comparison)),
        metric_table(comparison, telling_rows(comparison)),
    ]
    tools = [row for row in comparison.tools if row.difference.difference is not None and not row.same_as]
    if tools:
        details += [Heading("Error rate by tool"), metric_table(comparison, tools)]
    if whole:
        details += [Heading("The sessions behind it"), session_table(comparison), *_own_verdicts(compared)]
    return [*details, Heading("How to read this"), Say(f"{METHOD} {_how_dealt(compared)}", "dim")]


def _how_dealt(compared: ArmComparison) -> str:
    if compared.spec.kind == "experiment":
        return IN_PAIRS
    return RANDOMISED if compared.dealt == "randomised" else OBSERVATIONAL


def _course(name: str, style: str, units: Sequence[Unit]) -> Curve:
    return Curve(name, style, course_of_errors(units), band_of_errors(units))


def telling_rows(comparison: Comparison) -> list[Row]:
    return [row for row in comparison.rows if not row.same_as]


def metric_table(comparison: Comparison, rows: Sequence[Row]) -> Table:
    """Rates are drawn on one scale; other metrics each on one of their own, as wide as their interval."""
    reach = _reach([row.difference for row in rows if row.form == "rate"])
    columns = (
        Column("", min_width=17), Column("warm", True), Column("cold", True), Column("difference", True),
        Column("95 %", True, rank=3), Column("lower │ higher", scale=Scale(-1.0, 1.0, 0.0)), Column("p", True, rank=2),
        Column("verdict", rank=1),
    )  # fmt: skip
    return Table(columns, [_metric_row(row, reach, confounded=bool(comparison.confounders)) for row in rows])


def _reach(differences: Sequence[Difference]) -> float:
    ends = [
        abs(end)
        for difference in differences
        for end in (difference.low, difference.high, difference.difference)
        if end is not None
    ]
    return max([0.05, *ends])


def _metric_row(row: Row, reach: float, *, confounded: bool) -> list[Cell]:
    difference = row.difference
    claim = CONFOUNDED if confounded and row.verdict in CLAIMS else row.verdict
    scale = reach if row.form == "rate" else _reach([difference])
    drawn = difference if row.form == "rate" or difference.low is not None else Difference(None, None, (0, 0))
    style = claim_style(claim)
    interval = f"{_moved(difference.low, row.form).removesuffix(' pp')} to {_moved(difference.high, row.form)}"
    return [
        row.title,
        _value(difference.second, row.form),
        _value(difference.first, row.form),
        (_moved(difference.difference, row.form), style),
        (interval if difference.low is not None else "", "dim"),
        Span(_share(drawn.low, scale), _share(drawn.difference, scale), _share(drawn.high, scale), style),
        (p_value(row.p_corrected).removeprefix("= "), "dim"),
        (_verdict_words(row, claim), style),
    ]


def _verdict_words(row: Row, claim: str) -> str:
    """Where the interval and p do not agree, a reader is told which of them keeps it from being claimed."""
    difference = row.difference
    if difference.first is None and difference.second is None:
        return "unknown"
    if row.p_corrected is None:
        return "" if difference.difference is None else "not tested"
    if not row.better:
        return NEITHER
    if claim != "no difference shown" or difference.low is None or difference.high is None:
        return claim.replace("no difference shown", "none shown")
    if not difference.low <= 0 <= difference.high:
        return "none shown, by p"
    return "none shown, by interval" if row.p_corrected < LEVEL else "none shown"


def _share(value: float | None, scale: float) -> float | None:
    return None if value is None else value / scale


def _value(value: float | None, form: str) -> str:
    if value is None or not isfinite(value):
        return UNKNOWN_VALUE
    return {"rate": percent, "seconds": _seconds, "money": _money, "number": _number}[form](value)


def _moved(value: float | None, form: str) -> str:
    if value is None or not isfinite(value):
        return UNKNOWN_VALUE
    if form == "rate":
        return signed(value)
    sign = "+" if value >= 0 else "-"
    return sign + {"seconds": _seconds, "money": _money, "number": _number}[form](abs(value))


def _seconds(value: float | None) -> str:
    return f"{value:.2g} s" if value is not None and value < 9.5 else duration(value)


def _number(value: float | None) -> str:
    return UNKNOWN_VALUE if value is None else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _money(value: float | None) -> str:
    if value is None:
        return UNKNOWN_VALUE
    digits = 2 if abs(value) >= 1 else 4
    return f"{'-' if value < 0 else ''}${abs(value):,.{digits}f}"


def _rates(units: Sequence[Unit]) -> list[float]:
    return [unit.error_rate for unit in units if unit.error_rate is not None]


def _own_verdicts(compared: ArmComparison) -> list[Part]:
    lines = [
        f"{each.session_id}, {f'call {each.call.position + 1}, {each.call.tool_name}' if each.call else each.key}: "
        f"{in_words(each.verdict)}"
        for each in compared.own
    ]
    return [Heading("Judged by yourself"), *(Say(line) for line in lines)] if lines else []


def session_table(comparison: Comparison) -> Table:
    columns = (
        Column("arm"), Column("session", min_width=16), Column("title", min_width=16, rank=2),
        Column("model", min_width=8, rank=3), Column("calls", True), Column("failed", True), Column("errors", True),
    )  # fmt: skip
    rows: list[Sequence[Cell]] = []
    for arm, style, units in (("warm", WARM, comparison.warm), ("cold", COLD, comparison.cold)):
        for unit in units:
            rate = unit.error_rate
            rows.append(
                [(arm, style), unit.session_id, unit.title, unit.model, f"{unit.calls:,}", f"{unit.failures:,}",
                 (percent(rate), rate_style(rate, unit.known))]
            )  # fmt: skip
    return Table(columns, rows)
