"""Profiles are computed once, never stale; a library that cannot be used is set aside, never deleted."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import Record, assistant, result, summary, user
from warm_tui.library import db, profiles, profiling
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library
from warm_tui.library.experiments import attempts_of, experiments, runs_of
from warm_tui.library.marks import kept_marks
from warm_tui.library.migrations import migrations
from warm_tui.library.trials import rules_of
from warm_tui.library.verdicts import own_verdicts, set_verdict, unset_verdict
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.model import SessionName

FAILS = '{"output": "no", "exit_code": 1, "error": null}'
ROWS = [user("go"), assistant(("a", "terminal", {})), result("a"), assistant(("b", "terminal", {})), result("b", FAILS)]


@pytest.fixture
def home(record: Record, tmp_path: Path) -> Home:
    path = record({"s": ROWS, "t": ROWS, "u": ROWS})
    long_ago = time.time() - 60
    os.utime(path, (long_ago, long_ago))
    return Home(tmp_path / "home", (path,))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the lives whose profile was computed."""
    ids: list[str] = []
    real = profiling.compute

    def counting(source, task):
        ids.append(task.name)
        return real(source, task)

    monkeypatch.setattr(profiling, "compute", counting)
    return ids


def look(home: Home) -> dict[str, Profile]:
    with Catalog(home) as catalog:
        return {profile.session_id: profile for profile in catalog.profiles()}


def change(home: Home, statement: str) -> None:
    connection = sqlite3.connect(home.databases[0])
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_second_look_computes_nothing(home: Home, computed: list[str]) -> None:
    first = look(home)
    assert sorted(computed) == ["s", "t", "u"]
    assert look(home) == first
    assert len(computed) == 3


def test_a_second_look_after_the_file_was_touched_computes_nothing(home: Home, computed: list[str]) -> None:
    first = look(home)
    os.utime(home.databases[0])
    assert look(home) == first
    assert len(computed) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('t', 'user', 'more', 9)",
        "UPDATE messages SET active = 0 WHERE session_id = 't' AND tool_call_id = 'b'",
        "UPDATE sessions SET title = 'new' WHERE id = 't'",
        "UPDATE sessions SET end_reason = 'done' WHERE id = 't'",
        "DELETE FROM messages WHERE id = (SELECT max(id) FROM messages WHERE session_id = 't')",
    ],
)
def test_a_session_that_changed_is_computed_again_and_no_other(home: Home, computed: list[str], statement: str) -> None:
    look(home)
    computed.clear()
    change(home, statement)
    look(home)
    assert computed == ["t"]


def test_what_a_session_inherits_is_part_of_what_it_depends_on(
    record: Record, tmp_path: Path, computed: list[str]
) -> None:
    copied = [summary(), *ROWS[1:]]
    path = record({"s": ROWS, "t": copied}, s={"end_reason": "compression"}, t={"parent_session_id": "s"})
    home = Home(tmp_path / "home", (path,))
    (whole,) = look(home).values()
    assert [part.tool_call_count for part in whole.parts] == [2, 0]
    computed.clear()
    change(home, "UPDATE sessions SET end_reason = 'done' WHERE id = 's'")
    assert look(home)["t"].tool_call_count == 2
    assert sorted(computed) == ["s", "t"]


def test_a_profile_with_another_field_is_another_profile(
    home: Home, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    look(home)
    grown = msgspec.defstruct("Profile", [("mood", str, "calm")], bases=(Profile,), frozen=True, array_like=True)
    version = profiles.version_of(grown)
    assert version != profiles.RULES
    monkeypatch.setattr(profiles, "RULES", version)
    look(home)
    assert len(computed) == 6, "what was kept without the field is made anew, not read with its default"


def test_new_rules_compute_everything_again(home: Home, computed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    look(home)
    monkeypatch.setattr(profiles, "RULES", profiles.RULES + 1)
    look(home)
    assert len(computed) == 6


def test_the_operators_verdict_wins_survives_new_rules_and_can_be_taken_back(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert look(home)["t"].error_rate == 0.5
    with Library(home.library) as library:
        set_verdict(library, SessionName("t"), "b", "success", "it did what I wanted")
    assert look(home)["t"].error_rate == 0.0
    assert look(home)["s"].error_rate == 0.5
    monkeypatch.setattr(profiles, "RULES", profiles.RULES + 1)
    assert look(home)["t"].error_rate == 0.0
    with Catalog(home) as catalog:
        assert catalog.profile("t").error_rate == 0.0
        _, _, judged = catalog.life("t")
        assert [verdict.rule for _, verdict in judged] == ["ok", "operator"]
    with Library(home.library) as library:
        unset_verdict(library, SessionName("t"), "b")
    assert look(home)["t"].error_rate == 0.5


def test_the_newest_few_are_had_without_profiling_the_rest(home: Home, computed: list[str]) -> None:
    with Catalog(home) as catalog:
        listing = catalog.window(parse_filter(""), limit=1)
    assert (listing.total, [p.session_id for p in listing.profiles], computed) == (3, ["u"], ["u"])


def test_a_deleted_session_is_forgotten(home: Home) -> None:
    look(home)
    change(home, "DELETE FROM sessions WHERE id = 't'")
    assert sorted(look(home)) == ["s", "u"]


@pytest.mark.parametrize("damage", ["text", "header", "pages"])
def test_a_damaged_library_is_set_aside_and_begun_anew(home: Home, damage: str) -> None:
    first = look(home)
    raw = bytearray(home.library.read_bytes())
    if damage == "text":
        raw = bytearray(b"not a database\n" * 400)
    elif damage == "header":
        raw[16:40] = b"\xff" * 24
    else:
        raw[4096:] = b"\xff" * (len(raw) - 4096)
    for ending in ("-wal", "-shm"):
        Path(f"{home.library}{ending}").unlink(missing_ok=True)
    home.library.write_bytes(raw)
    with Catalog(home) as catalog:
        assert {p.session_id: p for p in catalog.profiles()} == first
        (note,) = catalog.notes
        assert "damaged" in note
    (kept,) = home.ours.glob("library.db.damaged-*")
    assert kept.read_bytes() == raw


def test_damage_inside_a_table_is_found_in_use(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = look(home)

    def damaged(*_: object) -> None:
        monkeypatch.undo()
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(profiles, "_unchanged", damaged)
    with Catalog(home) as catalog:
        assert {p.session_id: p for p in catalog.profiles()} == first
        assert "set aside" in catalog.notes[0]


def test_a_library_with_other_columns_is_set_aside(home: Home) -> None:
    look(home)
    connection = sqlite3.connect(home.library)
    connection.executescript("DROP TABLE verdicts; CREATE TABLE verdicts (a)")
    connection.close()
    assert len(look(home)) == 3
    assert list(home.ours.glob("library.db.damaged-*"))


def test_a_profile_that_was_computed_late_is_not_believed(home: Home) -> None:
    """One process reads old rows, another profiles the new ones, then the first remembers what it read."""
    with Catalog(home) as slow:
        source, session = slow.find("t")
        stale = profiling.compute(source, profiling.Task(3, [session], None, "none", "old", {}))
        change(home, "UPDATE messages SET content = '{}' WHERE session_id = 't' AND tool_call_id = 'b'")
        change(home, "INSERT INTO messages (session_id, role, timestamp) VALUES ('t', 'user', 9)")
        long_ago = time.time() - 60
        os.utime(home.databases[0], (long_ago, long_ago))
        right = look(home)["t"]
        late = profiling.Done("t", "old", *profiling.encoded(stale))
        profiles.remember(slow.library, profiles.key_of(home.databases[0]), [late])
    assert look(home)["t"] == right


def test_one_verdict_is_on_one_call_though_ids_repeat(record: Record, tmp_path: Path) -> None:
    rows = [user("go")]
    for _ in range(3):
        rows += [assistant(("call_0", "terminal", {})), result("call_0", FAILS)]
    home = Home(tmp_path / "home", (record({"s": rows}),))
    with Catalog(home) as catalog:
        _, _, judged = catalog.life("s")
        set_verdict(catalog.library, SessionName("s"), judged[1][0].key, "success")
    assert look(home)["s"].failed_calls == 2


def test_a_locked_library_costs_nothing_but_memory(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    look(home)
    change(home, "UPDATE sessions SET title = 'new'")
    monkeypatch.setattr(db, "BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(home.library, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with Catalog(home) as catalog:
        assert len(catalog.profiles()) == 3
        assert "nothing new was remembered" in catalog.notes[0]
    holder.close()


def test_a_newer_library_is_set_aside(home: Home) -> None:
    with Library(home.library) as library:
        library.connection.execute("PRAGMA user_version = 999")
    with Library(home.library) as library:
        assert "newer version" in library.notes[0]
        assert library.connection.execute("PRAGMA user_version").fetchone() == (db.SCHEMA,)
    assert list(home.ours.glob("library.db.newer-*"))


def test_migrating_from_blank_and_from_each_earlier_step(tmp_path: Path) -> None:
    from sqlite_utils import Database

    names = [migration.name for migration in migrations.pending(Database(memory=True))]
    assert len(names) == db.SCHEMA, "SCHEMA is the number of migrations"
    for number, name in enumerate(names, 1):
        path = tmp_path / f"{number}.db"
        earlier = Database(path)
        migrations.apply(earlier, stop_before=name)
        earlier.execute(f"PRAGMA user_version = {number - 1}")
        earlier.close()
        with Library(path) as library:
            assert library.connection.execute("PRAGMA user_version").fetchone() == (db.SCHEMA,)


def test_experiments_of_an_earlier_library_are_read(tmp_path: Path) -> None:
    from sqlite_utils import Database

    path = tmp_path / "library.db"
    earlier = Database(path)
    migrations.apply(earlier, stop_before="m009_attempts")
    earlier.execute("INSERT INTO experiments VALUES (1,'e','t','{}',1,'[]','done','',1,0.05,1.0,1.0,'[]','')")
    earlier.execute("INSERT INTO runs VALUES (1,0,'a',1,'warm','crashed','r','',1.0,2.0,'',0,NULL,7,1)")
    earlier.execute("PRAGMA user_version = 8")
    earlier.close()
    with Library(path) as library:
        (run,) = runs_of(library, 1)
        assert (run.calls, run.judged, run.attempts, run.outage, run.lost_usd) == (7, None, 0, "", 0.0)
        assert (experiments(library)[0].waits_for, attempts_of(library, 1)) == ("", {})


def test_of_rules_paused_before_it_was_kept_by_what_it_is_said_as_before(tmp_path: Path) -> None:
    from sqlite_utils import Database

    path = tmp_path / "library.db"
    earlier = Database(path)
    migrations.apply(earlier, stop_before="m021_what_paused_a_rule")
    values = "1, 1, '', '', '', '', '[[\"t\", \"c\"]]', 's', 0.5, 0.05, 0, '', 0.0, ''"
    earlier.execute(f"INSERT INTO trials VALUES ({values})")
    earlier.execute("PRAGMA user_version = 20")
    earlier.conn.commit()
    earlier.close()
    with Library(path) as library:
        (rule,) = rules_of(library.connection)
        assert (rule.state, rule.paused_told) == ("paused", "paused by hand")


def test_only_the_operator_may_read_it(home: Home) -> None:
    look(home)
    assert stat.S_IMODE(home.library.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.ours.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_written_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    library = open_library(tmp_path / "file" / "warm_tui" / "library.db")
    assert "Nothing will be remembered" in library.notes[0]
    library.close()


def test_what_people_said_before_sessions_had_a_sign_is_kept(tmp_path: Path) -> None:
    from sqlite_utils import Database

    path = tmp_path / "library.db"
    earlier = Database(path)
    migrations.apply(earlier, stop_before="m012_signs")
    earlier.execute("INSERT INTO verdicts VALUES ('s', 'c', 'success', 'as meant', 1.0)")
    earlier.execute("INSERT INTO marks VALUES ('s', 'warm')")
    earlier.execute("PRAGMA user_version = 11")
    earlier.conn.commit()
    earlier.close()
    with Library(path) as library:
        assert own_verdicts(library, SessionName("s", "hermes 1.0"))["c"].reason == "as meant"
        assert kept_marks(library) == {SessionName("s"): "warm"}


def test_two_at_once_lose_nothing(home: Home) -> None:
    """Two processes profile the same home and set verdicts at the same time."""
    code = (
        "import sys; from pathlib import Path\n"
        "from warm_tui.library.catalog import Catalog; from warm_tui.library.verdicts import set_verdict; from warm_tui.paths import Home; from warm_tui.sessions.model import SessionName\n"
        "home = Home(Path(sys.argv[1]), (Path(sys.argv[2]),))\n"
        "for n in range(20):\n"
        "    with Catalog(home) as catalog:\n"
        "        assert len(catalog.profiles()) == 3, catalog.notes\n"
        "        assert not catalog.notes, catalog.notes\n"
        "        set_verdict(catalog.library, SessionName('s'), f'{sys.argv[3]}-{n}', 'success')\n"
    )
    command = [sys.executable, "-c", code, str(home.root), str(home.databases[0])]
    running = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in "ab"]
    errors = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], errors
    with Library(home.library) as library:
        assert library.connection.execute("SELECT count(*) FROM verdicts").fetchone() == (40,)


def test_many_that_make_it_at_once_make_one(tmp_path: Path) -> None:
    """All open a library that is not there yet, at the same moment."""
    code = (
        "import sys; from pathlib import Path\n"
        "from warm_tui.library.db import Library; import sqlite_utils\n"
        "print('ready', flush=True); sys.stdin.read()\n"
        "with Library(Path(sys.argv[1])) as library:\n"
        "    assert not library.notes, library.notes\n"
    )
    for attempt in range(3):
        path = tmp_path / str(attempt) / "library.db"
        command = [sys.executable, "-c", code, str(path)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        running = [subprocess.Popen(command, text=True, **pipes) for _ in range(6)]
        assert [process.stdout.readline() for process in running] == ["ready\n"] * 6
        for process in running:
            process.stdin.close()
        errors = [process.stderr.read() for process in running]
        assert [process.wait() for process in running] == [0] * 6, errors
        assert not list(path.parent.glob("library.db.*-*")), "none was taken for damaged"


def test_one_that_another_makes_while_it_is_opened_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, connect = tmp_path / "library.db", sqlite3.connect

    def connect_after_another(*given: Any, **named: Any) -> sqlite3.Connection:
        monkeypatch.setattr(sqlite3, "connect", connect)
        Library(path).close()
        return connect(*given, **named)

    monkeypatch.setattr(sqlite3, "connect", connect_after_another)
    with Library(path) as library:
        assert not library.notes
