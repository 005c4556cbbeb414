"""What runs came to, written into the archive and the library, or given back to the queue."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.experiments.run import Outcome, state_db
from warm_tui.experiments.workspace import Workspace, remove
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.experiments import Run, change_run, keep_attempt, run_at, runs_of
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.text import clean_line
from warm_tui.writing import check_database

Say = Callable[[Run], None]
LONGEST_VERSION = 40


class Records:
    """Of one experiment's runs. One thread alone writes them."""

    def __init__(self, home: Home, library: Library, number: int, workspace: Workspace, say: Say) -> None:
        self._home, self._library, self._number, self._workspace, self._say = home, library, number, workspace, say

    def record(self, run: Run, outcome: Outcome, mask: Mask) -> Run:
        """First the session, then what is said of it: whoever is killed in between does both again."""
        folder = self._workspace.run(run.position)
        state, reason, session = outcome.state, outcome.reason, outcome.session_id
        facts: dict[str, Any] = {}
        if session and _is_readable(state_db(folder)):
            try:
                with Archive(self._home.archive) as archive:
                    sessions = archive.adopt(state_db(folder), mask)
            except (sqlite3.Error, OSError) as error:
                # The run stays as it is, in its folder, and is written down when it goes on.
                raise Trouble(f"the archive {self._home.archive} cannot be written: {error}.") from error
            facts = self._facts(session, sessions)
        elif session:
            state, reason, session = "crashed", "Its session cannot be read.", ""
        facts |= {
            "state": state, "reason": reason, "outage": outcome.outage, "session_id": session,
            "success": outcome.success if state in ("ended", "timed out") else None, "ended_at": outcome.ended_at,
            "token": "", "attempts": run.attempts + 1, "hermes": clean_line(outcome.hermes)[:LONGEST_VERSION],
        }  # fmt: skip
        keep_attempt(self._library, self._number, replace(run, **facts), outcome.errors)
        recorded = self._change(run, **facts)
        remove(folder)
        return recorded

    def give_back(self, run: Run) -> None:
        """It stands in the queue again; what it came to and what it has cost is not forgotten."""
        attempts = run.attempts
        if run.finished and not attempts:
            # Of an older version, which kept no attempts.
            attempts = 1
            keep_attempt(self._library, self._number, replace(run, attempts=attempts), "")
        self._change(
            run, state="queued", attempts=attempts, reason="", token="", started_at=None, ended_at=None, success=None,
            outage="", session_id="", cost_usd=None, calls=0, failures=0, judged=None, hermes="",
            lost_usd=run.lost_usd + (run.cost_usd or 0.0),
        )  # fmt: skip
        remove(self._workspace.run(run.position))

    def give_back_pair(self, run: Run) -> None:
        """Both halves of a pair are to meet the same weather: what the other one came to is set aside."""
        for other in runs_of(self._library, self._number):
            if other.pair == run.pair and other.finished:
                self.give_back(other)

    def _change(self, run: Run, **fields: object) -> Run:
        change_run(self._library, self._number, run.position, **fields)
        changed = run_at(self._library, self._number, run.position)
        self._say(changed)
        return changed

    def _facts(self, session: str, recorded: list[str]) -> dict[str, Any]:
        """Calls and failures are of the session's whole life; the cost is of all that the run recorded."""
        with Catalog(self._home.archived) as catalog:
            roots = catalog.roots()
            profiles = {p.session_id: p for p in map(catalog.profile, recorded)}.values()
        life = [p for p in profiles if roots.get(p.session_id) == roots.get(session)]
        costs = [p.cost_usd for p in profiles if p.cost_usd is not None]
        return {
            "calls": sum(p.tool_call_count for p in life),
            "failures": sum(p.failed_calls for p in life),
            "judged": sum(p.failed_calls + p.successful_calls for p in life),
            "cost_usd": sum(costs) if costs else None,
        }


def _is_readable(path: Path) -> bool:
    try:
        # The agent had this folder: it may have put a link there.
        check_database(path)
        open_source(path).close()
    except (Trouble, sqlite3.Error, OSError):
        return False
    return True
