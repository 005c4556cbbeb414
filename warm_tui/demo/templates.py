"""The sample home's templates: one mined from its sessions, and one in each of the older formats."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.passing_folder import PassingFolder
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.building import Wanted, build, new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.foreign import foreign_of, let_stand
from warm_tui.templates.model import WhoseAddendum
from warm_tui.writing import write_whole

VERSION_1 = {
    "name": "log-triage",
    "description": "Find the first error in a log, then the change that caused it.",
    "tags": ["ops"],
    "version": 1,
    "examples": [
        {
            "tool_name": "search_files",
            "arguments": {"pattern": "ERROR|Traceback", "path": "logs/api.log"},
            "result_summary": '{"total_count": 2, "matches": [{"path": "logs/api.log", "line": 812}]}',
            "result_success": True,
            "context_hint": "The API answers 500 since noon; look into the log.",
        },
        {
            "tool_name": "terminal",
            "arguments": {"command": "git log --oneline --since=noon -- api/"},
            "result_summary": '{"output": "4be1f02 Read the timeout from the config", "exit_code": 0, "error": null}',
            "result_success": True,
            "context_hint": "It began at noon. What changed in api/ since?",
        },
    ],
}
CODE_FIRST = {
    "name": "notes",
    "task_type": "file",
    "examples": [
        {
            "tool_name": "read_file",
            "arguments": {"path": "notes/todo.md"},
            "result": '{"content": "- call the printer\\n- renew the certificate", "total_lines": 2}',
            "success": True,
            "turn_number": 1,
            "usage_count": 3,
            "source_session_id": "20260102_090000_aaaaaa",
        },
        {
            "tool_name": "write_file",
            "arguments": {"path": "notes/done.md", "content": "- call the printer\n"},
            "result": '{"bytes_written": 19}',
            "success": True,
            "turn_number": 2,
            "usage_count": 3,
            "source_session_id": "20260102_090000_aaaaaa",
        },
    ],
}


def add_templates(home: Home, now: float) -> None:
    made = datetime.fromtimestamp(now - 3 * 86400, UTC).isoformat(timespec="seconds")
    with PassingFolder() as scratch, Catalog(Home(Path(scratch), home.databases)) as catalog:
        built = build(
            catalog, Wanted(min_messages=20, max_sessions=12, source="cli", most=8), Redactor(b"the sample home")
        )
    mined = new_template(
        "careful-work",
        built.patterns,
        description="How the command line's sessions read, change and check.",
        tags=("mined", "cli"),
        addendum="Look before you change, and run the tests after.",
        metrics=built.metrics,
        whose=WhoseAddendum(addendum="user"),
    )
    TemplateFiles(home).save(msgspec.structs.replace(mined, created_at=made))
    let_stand(home, foreign_of(mined))
    _was_active(home, "log-triage", now - 12 * 86400, now - 4.5 * 86400)
    write_whole(home.root / "warm_sessions" / "log-triage.json", json.dumps(VERSION_1 | {"created_at": made}, indent=1))
    write_whole(home.root / "session-templates" / "notes.json", json.dumps(CODE_FIRST, indent=1))


def _was_active(home: Home, template: str, start: float, end: float) -> None:
    """Sessions that began between these moments began warm."""
    with Library(home.library) as library:
        library.connection.execute(
            "INSERT INTO uses (template, what, content, at, until) VALUES (?, 'activated', '', ?, ?)",
            (template, start, end),
        )
