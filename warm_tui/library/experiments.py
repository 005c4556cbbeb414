"""The experiments and their runs, as a queue that outlives whoever works it off."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.db import Library

Wanted: TypeAlias = Literal["ready", "running", "paused", "done", "cancelled"]
State: TypeAlias = Literal[
    "queued", "running", "ended", "timed out", "crashed", "not started", "cancelled", "not needed"
]
Arm: TypeAlias = Literal["warm", "cold"]

# What a run came to; it is not done again.
FINISHED: tuple[State, ...] = ("ended", "timed out", "crashed", "not started")
# It says nothing of the task, nor of the template.
NO_RESULT: tuple[State, ...] = ("crashed", "not started")


class Run(msgspec.Struct, frozen=True):
    """One session of the agent: its place in the order, its task and arm, and what it came to."""

    position: int
    task: str
    repeat: int
    arm: Arm
    state: State = "queued"
    reason: str = ""
    token: str = ""
    """What the run's processes are known by, should nobody be left to end them."""
    started_at: float | None = None
    ended_at: float | None = None
    session_id: str = ""
    success: bool | None = None
    cost_usd: float | None = None
    calls: int = 0
    failures: int = 0
    judged: int | None = None
    """Of its calls, those with a verdict; None where an older version did not count them."""
    outage: str = ""
    """What outside of the task it crashed for, if that is known."""
    attempts: int = 0
    """How often it was tried to an end; all but the last came to nothing."""
    lost_usd: float = 0.0
    """What the attempts before the last have cost."""
    machine: str = ""
    """The member of the fleet that it is made on; nothing for this machine."""
    hermes: str = ""
    """The version that made it; nothing where that is not known."""

    @property
    def pair(self) -> int:
        return self.position // 2

    @property
    def finished(self) -> bool:
        return self.state in FINISHED

    @property
    def seconds(self) -> float | None:
        if self.started_at is None or self.ended_at is None:
            return None
        return max(0.0, self.ended_at - self.started_at)


class Attempt(msgspec.Struct, frozen=True):
    """One time that a run was tried to an end, with what the agent said beside its answer."""

    position: int
    number: int
    state: State
    reason: str
    outage: str
    session_id: str
    started_at: float | None
    ended_at: float | None
    cost_usd: float | None
    errors: str


class Experiment(msgspec.Struct, frozen=True):
    id: int
    name: str
    template: str
    plan: bytes
    seed: int
    conversation: bytes
    """The messages of the warm arm, as they were when it was begun."""
    state: Wanted
    why: str
    """How it came to its end, or to a halt."""
    pairs_told: int | None
    """How many pairs its result is of, once it has one."""
    level: float | None
    worked: float
    """For how many seconds runs have gone on."""
    created_at: float
    notes: list[str]
    verdict: str
    waits_for: str
    """The outage that it waits the end of, while it is paused for one."""


COLUMNS = (
    "id, name, template, CAST(plan AS BLOB), seed, CAST(conversation AS BLOB), state, why, pairs_told, level, "
    "CAST(worked AS REAL), CAST(created_at AS REAL), notes, verdict, "
    "waits_for"
)
RUN_COLUMNS = (
    "position, task, repeat, arm, state, reason, token, CAST(started_at AS REAL), CAST(ended_at AS REAL), session_id, "
    "success, CAST(cost_usd AS REAL), calls, failures, judged, outage, attempts, CAST(lost_usd AS REAL), "
    "machine, hermes"
)
ATTEMPT_COLUMNS = (
    "position, number, state, reason, outage, session_id, CAST(started_at AS REAL), CAST(ended_at AS REAL), "
    "CAST(cost_usd AS REAL), errors"
)


def add_experiment(
    library: Library, name: str, template: str, plan: bytes, seed: int, conversation: bytes, runs: Iterable[Run]
) -> int:
    """Two unfinished ones of one name would be taken for each other."""
    with library.keeping() as connection:
        sql = "SELECT id FROM experiments WHERE name = ? AND state NOT IN ('done', 'cancelled')"
        unfinished = connection.execute(sql, (name,)).fetchone()
        if unfinished is not None:
            raise Trouble(
                f"Experiment {unfinished[0]} of this name is unfinished: go on with it (--resume), or cancel it."
            )
        cursor = connection.execute(
            "INSERT INTO experiments (name, template, plan, seed, conversation, state, why, worked, created_at, notes,"
            " verdict) VALUES (?, ?, ?, ?, ?, 'ready', '', 0, ?, '[]', '')",
            (name, template, plan, seed, conversation, time.time()),
        )
        number = int(cursor.lastrowid or 0)
        connection.executemany(
            "INSERT INTO runs (experiment, position, task, repeat, arm, state, reason, token, session_id, calls,"
            " failures) VALUES (?, ?, ?, ?, ?, 'queued', '', '', '', 0, 0)",
            [(number, run.position, run.task, run.repeat, run.arm) for run in runs],
        )
    return number


def experiments(library: Library) -> list[Experiment]:
    """The newest first."""
    rows = library.connection.execute(f"SELECT {COLUMNS} FROM experiments ORDER BY id DESC")
    return [_experiment(row) for row in rows]


def load_experiment(library: Library, number: int) -> Experiment:
    row = library.connection.execute(f"SELECT {COLUMNS} FROM experiments WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise Trouble(f"There is no experiment {number}.")
    return _experiment(row)


def _experiment(row: tuple[object, ...]) -> Experiment:
    values = dict(zip(Experiment.__struct_fields__, row, strict=True))
    try:
        values["notes"] = msgspec.json.decode(str(values["notes"]), type=list[str])
    except msgspec.MsgspecError:
        values["notes"] = []
    return Experiment(**values)  # type: ignore[arg-type]


def runs_of(library: Library, number: int) -> list[Run]:
    rows = library.connection.execute(
        f"SELECT {RUN_COLUMNS} FROM runs WHERE experiment = ? ORDER BY position", (number,)
    )
    return [_run(row) for row in rows]


def run_at(library: Library, number: int, position: int) -> Run:
    sql = f"SELECT {RUN_COLUMNS} FROM runs WHERE experiment = ? AND position = ?"
    return _run(library.connection.execute(sql, (number, position)).fetchone())


def counts(library: Library) -> dict[int, tuple[int, int]]:
    """For each experiment, how many of its runs are finished, of how many that were wanted."""
    marks = ", ".join("?" * len(FINISHED))
    sql = f"SELECT experiment, SUM(state IN ({marks})), SUM(state <> 'not needed') FROM runs GROUP BY experiment"
    return {number: (finished, wanted) for number, finished, wanted in library.connection.execute(sql, FINISHED)}


def _run(row: tuple[object, ...]) -> Run:
    values = dict(zip(Run.__struct_fields__, row, strict=True))
    values["success"] = None if values["success"] is None else bool(values["success"])
    return Run(**values)  # type: ignore[arg-type]


def change_experiment(library: Library, number: int, unless: Iterable[Wanted] = (), **fields: object) -> bool:
    """Set these; not where its state is one of `unless`. True where it was done."""
    barred = list(unless)
    sql = f"UPDATE experiments SET {', '.join(f'{name} = ?' for name in fields)} WHERE id = ?"
    sql += f" AND state NOT IN ({', '.join('?' * len(barred))})" if barred else ""
    with library.keeping() as connection:
        return connection.execute(sql, (*fields.values(), number, *barred)).rowcount > 0


def add_note(library: Library, number: int, note: str) -> None:
    notes = load_experiment(library, number).notes
    if note not in notes:
        change_experiment(library, number, notes=msgspec.json.encode([*notes, note]).decode())


def add_work(library: Library, number: int, seconds: float) -> None:
    with library.keeping() as connection:
        connection.execute("UPDATE experiments SET worked = worked + ? WHERE id = ?", (max(0.0, seconds), number))


def change_run(library: Library, number: int, position: int, **fields: object) -> None:
    sql = f"UPDATE runs SET {', '.join(f'{name} = ?' for name in fields)} WHERE experiment = ? AND position = ?"
    with library.keeping() as connection:
        connection.execute(sql, (*fields.values(), number, position))


def keep_attempt(library: Library, number: int, run: Run, errors: str) -> None:
    """What a run came to, as it stands, whatever becomes of it later; kept twice it is kept once."""
    with library.keeping() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO attempts (experiment, position, number, state, reason, outage, session_id,"
            " started_at, ended_at, cost_usd, errors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number, run.position, run.attempts, run.state, run.reason, run.outage, run.session_id, run.started_at,
                run.ended_at, run.cost_usd, errors,
            ),
        )  # fmt: skip


def attempts_of(library: Library, number: int) -> dict[int, list[Attempt]]:
    """By the position of the run, the first one first."""
    sql = f"SELECT {ATTEMPT_COLUMNS} FROM attempts WHERE experiment = ? ORDER BY position, number"
    attempts: dict[int, list[Attempt]] = {}
    for row in library.connection.execute(sql, (number,)):
        attempts.setdefault(row[0], []).append(Attempt(*row))
    return attempts


def change_queued(library: Library, number: int, state: State, reason: str) -> None:
    """What has not begun will not."""
    with library.keeping() as connection:
        connection.execute(
            "UPDATE runs SET state = ?, reason = ? WHERE experiment = ? AND state = 'queued'", (state, reason, number)
        )
