"""Secrets in tables: below a column's name, or beside a row's."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from warm_tui.secrets.values import PASSWORD, is_named_so, is_password, is_token, looks_secret

LONGEST_ROW = 2_000
RULED = re.compile(r"[-+=:|\u2500-\u257f ]{1,2000}")
HEADING = re.compile(r"(?i)pass|pwd|kennw|secret|token|key|credential|\bpsk\b|value")
BARS = "|│┃║"
SPACED = re.compile(r"\S+(?: \S+)*")
NAMES_OF_ROWS = {"key", "name", "field", "property", "setting", "variable", "parameter", "option", "item", "attribute"}
SHORTEST, SHORTEST_PASSWORD = 8, 6


INSERT = re.compile(
    r"(?i)\binsert[ \t]{1,8}(?:into[ \t]{1,8})?[\w.`\"\[\]]{1,80}\s{0,8}\(([^()\n]{1,600})\)\s{0,8}values\s{0,8}"
)
ROW = re.compile(r"\(((?:'[^'\n]{0,400}'|[^'()\n]){1,600})\)[\s,]{0,8}")


def in_inserts(text: str, lowered: str) -> Iterator[tuple[str, str]]:
    """Each secret that a statement of a database puts into a column of that name."""
    for statement in INSERT.finditer(text) if "insert" in lowered else ():
        names = [name.strip(' \t`"[]') for name in statement[1].split(",")]
        columns = [n for n, name in enumerate(names) if is_named_so(name)]
        at = statement.end()
        while columns and (row := ROW.match(text, at)):
            at = row.end()
            cells = next(csv.reader([row[1]], quotechar="'", skipinitialspace=True), [])
            if len(cells) != len(names):
                break
            for column in columns:
                if _is_one(cells[column].strip(), names[column], sure=True):
                    yield cells[column].strip(), f"column {names[column]}"


def in_tables(text: str, lowered: str) -> Iterator[tuple[str, str]]:
    """Each secret with the name it stands under. Bars, commas, tabs, semicolons or columns of blanks part cells."""
    if not any(name in lowered for name in ("pass", "pwd", "kennw", "secret", "token", "key", "psk", "credential")):
        return
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        header = lines[at]
        at += 1
        if len(header) > LONGEST_ROW or not HEADING.search(header):
            continue
        mark = next((mark for mark in (*BARS, ",", "\t", ";") if mark in _unbarred(header)), "")
        starts = [] if mark else [match.start() for match in _spaced(header)]
        names = _cells(header, mark, starts)
        told = [cell.replace(" ", "_") for cell in names]
        if len(names) < 2 or not all(
            name[:1].isalpha() and name.replace("_", "").replace("-", "").isalnum() for name in told
        ):
            continue
        columns = [n for n, name in enumerate(told) if len(name) < 40 and is_named_so(name)]
        keyed = _keyed(names)
        if not columns and keyed is None:
            continue
        while at < len(lines) and len(lines[at]) <= LONGEST_ROW:
            if RULED.fullmatch(lines[at].strip("\r")):
                at += 1
                continue
            row = _cells(lines[at], mark, starts)
            if len(row) != len(names):
                break
            at += 1
            if keyed is None:
                told_by = [(column, names[column], "column") for column in columns]
            else:
                told_by = [(keyed[1], row[keyed[0]], "row")] if is_named_so(row[keyed[0]].replace(" ", "_")) else []
            for column, name, where in told_by:
                if _is_one(row[column], name, sure=bool(mark)):
                    yield row[column], f"{where} {name}"


def _keyed(names: list[str]) -> tuple[int, int] | None:
    """Where the names and the values of a table of settings stand."""
    lowered = [name.lower() for name in names]
    if "value" not in lowered or lowered[0] not in NAMES_OF_ROWS:
        return None
    return 0, lowered.index("value")


def _is_one(cell: str, name: str, *, sure: bool) -> bool:
    if " " in cell:
        return False
    if PASSWORD.search(name):
        return len(cell) >= SHORTEST_PASSWORD and is_password(cell)
    return len(cell) >= SHORTEST and cell[-1:] != ")" and looks_secret(cell) and (sure or is_token(cell))


def _spaced(line: str) -> list[re.Match[str]]:
    return list(SPACED.finditer(line))


def _cells(line: str, mark: str, starts: list[int]) -> list[str]:
    if starts:
        cells = _spaced(line)
        if [match.start() for match in cells] != starts:
            return []
        return [match[0] for match in cells]
    line = _unbarred(line)
    cells_of_it = next(csv.reader([line], delimiter=mark), []) if mark in ",;" and '"' in line else line.split(mark)
    return [cell.strip("\r `").strip('"') for cell in cells_of_it]


def _unbarred(line: str) -> str:
    """Without the bars that frame a row."""
    line = line.strip("\r ")
    for bar in BARS:
        line = line.removeprefix(bar).removesuffix(bar)
    return line
