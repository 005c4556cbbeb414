"""opencode's sessions: the same in an export, in the files of older versions, in the database of newer ones."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from warm_tui.demo.other_agents import opencode_session, opencode_tool
from warm_tui.errors import Trouble
from warm_tui.reliability.profile import judged
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.opencode import database
from warm_tui.sessions.opencode.database import LEFT_OPEN
from warm_tui.sessions.opencode.facts import OPENCODE
from warm_tui.sessions.opencode.source import OPENCODE_READER
from warm_tui.sessions.readers import open_source, reader_of

Document = dict[str, Any]


def exported(home: Path, document: Document) -> Path:
    (home / f"{document['info']['id']}.json").write_text(json.dumps(document))
    return home


def stored(home: Path, document: Document) -> Path:
    def put(place: str, value: Document) -> None:
        path = home / "storage" / f"{place}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))

    session = document["info"]["id"]
    put(f"session/project/{session}", document["info"])
    for message in document["messages"]:
        put(f"message/{session}/{message['info']['id']}", message["info"])
        for part in message["parts"]:
            put(f"part/{message['info']['id']}/{part['id']}", part)
    return home


def in_database(home: Path, document: Document) -> Path:
    with sqlite3.connect(home / "opencode.db") as database:
        database.executescript(
            "CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT,"
            " time_created INTEGER, time_updated INTEGER);"
            "CREATE TABLE IF NOT EXISTS message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);"
            "CREATE TABLE IF NOT EXISTS part (id TEXT, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT)"
        )
        info = document["info"]
        row = (info["id"], info.get("parentID"), info["directory"], info["title"], *info["time"].values())
        database.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", row)
        for message in document["messages"]:
            about = message["info"]
            database.execute(
                "INSERT INTO message VALUES (?, ?, ?, ?)",
                (about["id"], info["id"], about["time"]["created"], json.dumps(about)),
            )
            for part in message["parts"]:
                values = (part["id"], about["id"], info["id"], 1, json.dumps(part))
                database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", values)
    return home


FORMS = (exported, stored, in_database)


@pytest.mark.parametrize("write", FORMS)
def test_a_session_is_the_same_in_every_form(tmp_path: Path, write: Callable[[Path, Document], Path]) -> None:
    document = opencode_session(
        "ses_1",
        [opencode_tool("a", output="fine", metadata={"exit": 0})],
        [opencode_tool("b", output="no", metadata={"exit": 2}), {"type": "text", "id": "prt_z", "text": "It failed."}],
    )
    place = write(tmp_path, document)
    assert OPENCODE_READER.claims(place)
    with OPENCODE_READER.open(place) as source:
        (session,) = source.sessions()
        life = read_life(source, session)
        whole = life.sessions[0]
    assert (whole.id, whole.title, whole.model, whole.project) == ("ses_1", "Build", "glm", "/home/dev/work")
    assert (whole.tokens, whole.cost_usd) == ((20, 10, 14, 6, 2), 0.02)
    assert [(call.tool_name, verdict.outcome) for call, verdict in judged(life.calls, OPENCODE)] == [
        ("bash", "success"),
        ("bash", "failure"),
    ]


@pytest.mark.parametrize(
    ("part", "outcome"),
    [
        (opencode_tool("a", output="fine", metadata={"exit": 0}), ("success", "ok")),
        (opencode_tool("a", output="frob: not found", metadata={"exit": 127}), ("failure", "exit_code")),
        (opencode_tool("a", "read", "error", error="File not found: a"), ("failure", "tool_error")),
        (opencode_tool("a", "read", output="text of a file that says Error: no"), ("success", "ok")),
        (opencode_tool("a", "bash", "error", error="The user rejected permission to use it."), ("unknown", "denied")),
        (opencode_tool("a", "bash", "error", error="Tool execution aborted"), ("unknown", "interrupted")),
        (opencode_tool("a", "invalid", output="The arguments provided to the tool are invalid: Model tried to call"
                       " unavailable tool 'frob'."), ("failure", "protocol")),
        (opencode_tool("a", "bash", "running"), ("unknown", "no_result")),
    ],
)  # fmt: skip
def test_a_call_is_judged_by_its_state(tmp_path: Path, part: Document, outcome: tuple[str, str]) -> None:
    with OPENCODE_READER.open(exported(tmp_path, opencode_session("ses_1", [part]))) as source:
        (session,) = source.sessions()
        ((_, verdict),) = judged(read_life(source, session).calls, OPENCODE)
    assert (verdict.outcome, verdict.kind) == outcome


def test_a_subagent_names_its_parent(tmp_path: Path) -> None:
    exported(tmp_path, opencode_session("ses_1", [opencode_tool("a")]))
    exported(tmp_path, opencode_session("ses_2", [opencode_tool("b")], parentID="ses_1"))
    with OPENCODE_READER.open(tmp_path) as source:
        child = source.session("ses_2")
        assert child is not None
        assert OPENCODE.relation(child, source.session("ses_1")) == "delegate"


def test_an_export_with_a_backslash_that_escapes_nothing_is_read(tmp_path: Path) -> None:
    document = json.dumps(opencode_session("ses_1", [opencode_tool("a", output="a-b", metadata={"exit": 0})]))
    (tmp_path / "a.json").write_text(document.replace("a-b", r"a\_b \\_ \u00e9"))
    with OPENCODE_READER.open(tmp_path) as source:
        (session,) = source.sessions()
        assert read_life(source, session).calls[0].result == "a\\_b \\_ é"


def test_what_is_no_export_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    exported(tmp_path, opencode_session("ses_1", [opencode_tool("a")]))
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "broken.json").write_bytes(b"\xff\x00{")
    with OPENCODE_READER.open(tmp_path) as source:
        assert [session.id for session in source.sessions()] == ["ses_1"]
        (said,) = source.health().advice
        assert said == f"{tmp_path / 'broken.json'} holds no session; so do 1 more."


def test_a_database_that_is_being_written_is_read_with_its_log_and_without_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_database(tmp_path, opencode_session("ses_1", [opencode_tool("a")]))
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE session SET title = 'in the log'")
        writer.commit()
        # Within one process SQLite shares the index of the log: that is the writer's here.
        before = [each.read_bytes() for each in (path, tmp_path / "opencode.db-wal")]
        with OPENCODE_READER.open(path) as source:
            assert [session.title for session in source.sessions()] == ["in the log"]
            assert source.health().advice == []
        assert [each.read_bytes() for each in (path, tmp_path / "opencode.db-wal")] == before
        left = tmp_path / "left"
        left.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", left)
    with OPENCODE_READER.open(left / "opencode.db") as source:
        assert [session.title for session in source.sessions()] == ["in the log"], "by a copy of ours"
        assert source.health().advice == []
    monkeypatch.setattr(database, "LARGEST_COPY", 1_000)
    with OPENCODE_READER.open(left / "opencode.db") as source:
        assert [session.id for session in source.sessions()] == ["ses_1"]
        assert source.health().advice == [LEFT_OPEN]
    assert sorted(each.name for each in left.iterdir()) == ["opencode.db", "opencode.db-wal"]


@pytest.mark.parametrize("name", ["opencode.db", "a copy.sqlite"])
def test_its_database_is_known_by_its_tables_whatever_its_name(tmp_path: Path, name: str) -> None:
    """Also by the file itself, which Hermes' reader would take for one of its own."""
    path = (in_database(tmp_path, opencode_session("ses_1", [opencode_tool("a")])) / "opencode.db").rename(
        tmp_path / name
    )
    assert reader_of(path) is OPENCODE_READER
    with open_source(path) as source:
        assert [session.id for session in source.sessions()] == ["ses_1"]


def test_an_index_without_its_log_is_not_touched(tmp_path: Path) -> None:
    """SQLite would make the log anew."""
    path = in_database(tmp_path, opencode_session("ses_1", [opencode_tool("a")])) / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("UPDATE session SET title = 'in the log'")
        writer.commit()
        index = Path(f"{path}-shm").read_bytes()
    Path(f"{path}-shm").write_bytes(index)
    with open_source(path) as source:
        assert [session.id for session in source.sessions()] == ["ses_1"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["opencode.db", "opencode.db-shm"]


def test_a_pipe_beside_it_is_told_and_not_waited_for(tmp_path: Path) -> None:
    path = in_database(tmp_path, opencode_session("ses_1", [opencode_tool("a")])) / "opencode.db"
    os.mkfifo(f"{path}-wal")
    with pytest.raises(Trouble, match="-wal is not a regular file"):
        open_source(path)
