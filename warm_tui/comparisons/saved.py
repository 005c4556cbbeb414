"""Comparisons that were saved: which arms were asked for, and what came of it."""

from __future__ import annotations

import time

import msgspec

from warm_tui.library.db import Library


class Told(msgspec.Struct, frozen=True):
    """What a comparison said when it was saved."""

    verdict: str
    warm_sessions: int
    cold_sessions: int
    warm_error_rate: float | None
    cold_error_rate: float | None
    p_value: float | None


class Saved(msgspec.Struct, frozen=True):
    name: str
    template: str
    asked: bytes
    told: Told
    at: float


def save_comparison(library: Library, name: str, template: str, asked: bytes, told: Told) -> None:
    """Under this name, in place of one that had it."""
    with library.keeping() as connection:
        connection.execute("DELETE FROM comparisons WHERE name = ?", (name,))
        connection.execute(
            "INSERT INTO comparisons (name, template, asked, told, at) VALUES (?, ?, ?, ?, ?)",
            (name, template, asked, msgspec.json.encode(told), time.time()),
        )


def saved_comparisons(library: Library) -> list[Saved]:
    """The newest first; one that cannot be read any more is passed over."""
    columns = "name, template, CAST(asked AS BLOB), CAST(told AS BLOB), CAST(at AS REAL)"
    sql = f"SELECT {columns} FROM comparisons ORDER BY at DESC"
    found = []
    for name, template, asked, told, at in library.connection.execute(sql):
        try:
            found.append(Saved(name, template, asked, msgspec.json.decode(told, type=Told), at))
        except msgspec.MsgspecError:
            continue
    return found


def forget_comparison(library: Library, name: str) -> None:
    with library.keeping() as connection:
        connection.execute("DELETE FROM comparisons WHERE name = ?", (name,))


def showed(library: Library) -> dict[str, Told]:
    """For each template what its latest comparison showed."""
    return {saved.template: saved.told for saved in reversed(saved_comparisons(library)) if saved.template}
