"""The job of a timer in the sample, in a home of its own: what fails in it comes, goes, and comes back.

A login fails each night until a template shows how it works; a full disk that was gone is back; and something new fails
since the last nights.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from warm_tui.demo.home import DAY, LLAMA, session_name, usage
from warm_tui.demo.recorder import Recorder
from warm_tui.demo.steps import Step, as_json, terminal
from warm_tui.library.db import Library
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Origin, Pattern

SEED = 20_261_203
PROFILE, TEMPLATE = "reports", "nightly-report"
TASK = "[cron] Write the nightly report."
QUERY = "psql -h db.internal -U report -d shop -c 'SELECT count(*) FROM orders'"
WITH_PASSWORD = f"PGPASSFILE=/srv/report/pgpass {QUERY}"
NO_LOGIN = 'psql: error: connection to server at "db.internal" failed: FATAL: password authentication failed for user'
RENDER, CHARTS = "docker compose run --rm report render", "npm run charts -- --month"
NO_ROOM = "Error response from daemon: no space left on device"
NO_MODULE = "Error: Cannot find module 'canvas'"


class Night(NamedTuple):
    """When, and what went wrong."""

    days_ago: float
    login: bool = False
    disk: bool = False
    module: bool = False


COLD = (
    Night(28.5, login=True, disk=True), Night(27.5, login=True, disk=True), Night(26.5, login=True, disk=True),
    Night(23.5, login=True, disk=True), Night(19.5, login=True), Night(15.5, login=True),
)  # fmt: skip
WARM = (Night(11.5), Night(8.5), Night(5.5, module=True), Night(2.5, module=True), Night(0.9, disk=True, module=True))


def add_nightly_reports(home: Home, now: float) -> Path:
    """The place in which they stand. Where they began warm is told in the library of the home."""
    folder = home.root / "profiles" / PROFILE
    folder.mkdir(parents=True)
    rng = Random(SEED)
    with Archive(folder / "state.db") as archive:
        cold = [_night(archive, rng, night, now) for night in COLD]
        warm = [_night(archive, rng, night, now) for night in WARM]
    origin = Origin(session_id=cold[0].id, call=cold[0].calls["login"], chosen_by="operator", why="it mended the login")
    pattern = Pattern(
        tool_name="terminal",
        arguments={"command": WITH_PASSWORD},
        result='{"output": "4312", "exit_code": 0, "error": null}',
        context="Write the nightly report.",
        kind="retry",
        origin=origin,
        whose=WRITTEN_BY_HAND,
    )
    described = new_template(TEMPLATE, [pattern], description="How the nightly report logs in.", tags=("cron",))
    TemplateFiles(home).save(described)
    with Library(home.library) as library:
        library.connection.executemany(
            "INSERT INTO arms (session_id, template, content, model, platform, started_at) VALUES (?, ?, '', ?, ?, ?)",
            [(recorded.id, TEMPLATE, LLAMA, "cron", recorded.started_at) for recorded in warm],
        )
    return folder / "state.db"


class Recorded(NamedTuple):
    id: str
    started_at: float
    calls: dict[str, str]
    """The ids of those that are spoken of."""


def _night(archive: Archive, rng: Random, night: Night, now: float) -> Recorded:
    started_at = now - night.days_ago * DAY
    recorder = Recorder(rng, session_name(rng, started_at), started_at)
    recorder.user(TASK)
    if night.login:
        recorder.do(terminal(QUERY, f'{NO_LOGIN} "report"', "fail", 2))
    recorder.do(terminal(WITH_PASSWORD, f"{rng.randint(3_000, 6_000)}", "ok"))
    login = list(recorder.labels)[-1]
    if night.disk:
        recorder.do(terminal(RENDER, NO_ROOM, "fail", 1))
        recorder.do(terminal("docker system prune -f", "Total reclaimed space: 4.1GB", "ok"))
    recorder.do(terminal(RENDER, "rendered 12 pages", "ok"))
    recorder.do(*_charts(night))
    recorder.do(as_json("write_file", {"path": "report.md", "content": "# Report"}, "ok", bytes_written=8))
    recorder.say("The report is written.")
    title = time.strftime("Nightly report of %d %b", time.gmtime(started_at))
    columns = usage(rng, recorder.made)
    recorder.save(archive, source="cron", model=LLAMA, title=title, end_reason="cron_complete", **columns)
    return Recorded(recorder.id, started_at, {"login": login})


def _charts(night: Night) -> list[Step]:
    if not night.module:
        return [terminal(f"{CHARTS} 11", "12 charts", "ok")]
    return [terminal(f"{CHARTS} 11", NO_MODULE, "fail", 1), terminal(f"{CHARTS} 11 --svg", "12 charts", "ok")]
