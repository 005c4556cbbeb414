"""A library that another program holds: a sentence for what was asked to be kept, no harm done, and all of it read."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from attacks import Figure
from attacks.damage import in_child
from attacks.kills import LIBRARY, Step, _experiment, _sound

PATIENCE = 0.2
"""So long the other program is waited for here; else it is seconds."""
HELD = {
    "written to": ("BEGIN IMMEDIATE",),
    "held alone": ("BEGIN EXCLUSIVE",),
    "held for good": ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN IMMEDIATE", "COMMIT"),
}
"""By another program: between two of its writes, or as one that lets nobody else in."""


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        (home / "warm_tui").mkdir(parents=True)
        (home / "config.yaml").write_text("model: gpt-5\n")
        for step in LIBRARY.values():
            step(home, "before", 0)
        for held, statements in HELD.items():
            for name, step in {**LIBRARY, "experiments": _experiment}.items():
                wrong = _tried(home, step, f"{name}-{held}".replace(" ", "-"), statements)
                yield Figure(f"a library that is {held}: {name}", wrong or "said, and kept after", "said", not wrong)


def _tried(home: Path, step: Step, name: str, statements: tuple[str, ...]) -> str:
    path = home / "warm_tui" / "library.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement)
        wrong = in_child(lambda: _refused(home, step, name))
    return wrong or in_child(lambda: step(home, name, 1)) or in_child(lambda: _all_there(home))


def _refused(home: Path, step: Step, name: str) -> None:
    from warm_tui.errors import Trouble
    from warm_tui.library import db

    db.BUSY_SECONDS = PATIENCE
    try:
        step(home, name, 0)
    except Trouble as trouble:
        assert str(trouble)
        return
    raise AssertionError("nothing was said")


def _all_there(home: Path) -> None:
    with closing(_sound(home)) as connection:
        for table in LIBRARY:
            ((rows,),) = connection.execute(f"SELECT count(*) FROM {table} WHERE rowid IS NOT NULL")
            assert rows, f"of {table} nothing is there"
