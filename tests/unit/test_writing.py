"""Only regular files are read, only our own are written in place, and what a killed writer leaves is taken away."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from warm_tui.locking import locked
from warm_tui.writing import (
    ENDING,
    check_database,
    clear_abandoned,
    copy_regular,
    new_file,
    open_ours,
    read_ours,
    read_regular,
    write_whole,
)

PACKAGE = Path(__file__).parents[2] / "warm_tui"
NAMES = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "copyfile", "copy2", "mkfifo"}
# Each looks at the file itself before SQLite opens it.
CONNECTS = {
    "library/db.py",
    "library/rescue.py",
    "fleet/received.py",
    "approvals/store.py",
    "agent/recording.py",
    "agent/warming.py",
    "sessions/elsewhere.py",
    "sessions/opencode/database.py",
} | {f"sessions/hermes/{name}.py" for name in ("database", "archive")}


def opened_raw(tree: ast.AST) -> list[str]:
    """Calls that open a file past the helpers, and copies that are not given ours."""
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name == "copytree" and "copy_function" not in [keyword.arg for keyword in call.keywords]:
            found.append(ast.unparse(call))
        if name not in NAMES:
            continue
        of = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        first = ast.unparse(call.args[0]) if call.args else ""
        # A method of ours that is called so is given no mode.
        is_ours = "Dialogue" in of or (first and first[:1] not in "'\"" and of not in ("", "os", "io"))
        # Of a file all is read: what is told how much is a stream.
        is_stream = name == "read_bytes" and bool(first)
        if not (name == "open" and is_ours) and not is_stream and first != "os.devnull" and of != "self":
            found.append(ast.unparse(call))
    return found


def connects(tree: ast.AST) -> bool:
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "connect")
    return any(ast.unparse(node) == "sqlite3.connect" for node in named)


def test_every_file_is_opened_by_the_helpers() -> None:
    trees = {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}
    raw = {name: found for name, tree in trees.items() if name != "writing.py" and (found := opened_raw(tree))}
    assert raw == {}
    connecting = {name for name, tree in trees.items() if connects(tree)}
    assert connecting == CONNECTS


@pytest.mark.parametrize(
    "code", ["open(p)", "p.open('rb')", "os.open(p, 0)", "p.read_text()", "shutil.copytree(a, b)", "p.write_bytes(x)"]
)
def test_what_opens_raw_is_found(code: str) -> None:
    assert opened_raw(ast.parse(code)) == [code]


def test_pipes_devices_folders_and_endless_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match="no regular file"):
            read_regular(path)
        with pytest.raises(OSError, match="no regular file"):
            copy_regular(path, tmp_path / "copy")
    (tmp_path / "large").write_bytes(b"x" * 1_000)
    with pytest.raises(OSError, match="larger than 999 bytes"):
        read_regular(tmp_path / "large", 999)
    assert len(read_regular(tmp_path / "large", 1_000)) == 1_000
    assert read_regular(Path("/proc/self/environ")), "whose size is told as none"


def test_ours_is_no_link_and_nobody_elses(tmp_path: Path) -> None:
    theirs = tmp_path / "state.db"
    theirs.write_text("theirs")
    ours = tmp_path / "ours" / "library.db"
    ours.parent.mkdir()
    for link, why in ((os.symlink, "is a link"), (os.link, "is a hard link")):
        link(theirs, ours)
        for use in (read_ours, check_database, lambda path: open_ours(path, os.O_RDWR)):
            with pytest.raises(OSError, match=why):
                use(ours)
        with pytest.raises(OSError, match=why), locked(ours):
            pass
        ours.unlink()
    for ending in ("-wal", "-shm", "-journal"):
        beside = ours.with_name(ours.name + ending)
        os.link(theirs, beside)
        with pytest.raises(OSError, match="is a hard link"):
            check_database(ours)
        beside.unlink()
    assert theirs.read_text() == "theirs"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_not_ours_but_in_a_home_that_is_lent_it_is(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    path.write_text("x")
    os.chown(path, 12_345, -1)
    with pytest.raises(OSError, match="belongs to another user"):
        check_database(path)
    os.chown(tmp_path, 12_345, -1)
    check_database(path)


def test_what_had_the_name_keeps_its_content(tmp_path: Path) -> None:
    theirs, path = tmp_path / "theirs", tmp_path / "log"
    theirs.write_text("theirs")
    path.symlink_to(theirs)
    os.close(new_file(path))
    assert (path.read_text(), theirs.read_text()) == ("", "theirs")
    for link in (os.symlink, os.link):
        path.unlink()
        link(theirs, path)
        write_whole(path, "ours")
        assert (path.read_text(), theirs.read_text()) == ("ours", "theirs")


def test_a_new_file_is_written_over_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    write_whole(path, "first", replacing=False)
    with pytest.raises(FileExistsError):
        write_whole(path, "second", replacing=False)
    assert path.read_text() == "first"
    assert path.stat().st_nlink == 1
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "dangling", "x", replacing=False)
    assert not (tmp_path / "nothing").exists()


def test_what_a_killed_writer_left_is_taken_away_and_what_another_writes_is_not(tmp_path: Path) -> None:
    halted = (
        "import os, signal, sys; from pathlib import Path; from warm_tui import writing\n"
        "def stop(*_): print('there', flush=True); signal.pause()\n"
        "os.fsync = stop\n"
        "writing.write_whole(Path(sys.argv[1]), 'x')\n"
    )
    command = [sys.executable, "-c", halted, str(tmp_path / "file")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        clear_abandoned(tmp_path)
        (left,) = tmp_path.iterdir()
        assert left.name.endswith(ENDING), "its writer lives"
        writer.send_signal(signal.SIGKILL)
    assert left.exists()
    theirs = tmp_path / f"theirs{ENDING}"
    theirs.touch()
    write_whole(tmp_path / "other", "x")
    assert sorted(tmp_path.iterdir()) == [tmp_path / "other", theirs]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 127)
    write_whole(path, "x")
    assert path.read_text() == "x"
