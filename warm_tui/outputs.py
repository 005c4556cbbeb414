"""Files that people ask for: where they may be written, and never over what is there without their saying so."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.homes import root_of_profiles
from warm_tui.paths import EXPORTS, Home
from warm_tui.writing import BESIDE_A_DATABASE, open_regular, write_whole

DATABASE = b"SQLite format 3\x00"
OVERWRITE = "--overwrite"


def check_output(home: Home, path: Path, overwrite: bool = False) -> Path:
    """Where it would be written, links followed; or in one sentence why it is not."""
    try:
        target = path.resolve()
        status = os.stat(target) if os.path.lexists(target) else None
    except (OSError, RuntimeError) as error:
        raise Trouble(f"{path} could not be written: {getattr(error, 'strerror', None) or error}.") from error
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise Trouble(f"{path} could not be written: it is no regular file.")
    if _is_of_a_database(home, target):
        raise Trouble(f"{path} is of a database: nothing is written over it. Name another file.")
    roots = (home.root, root_of_profiles())
    # As they are spelled without links: a room that leads elsewhere is none.
    rooms = {root.resolve() / "warm_tui" / room for root in roots for room in EXPORTS}
    for root in roots:
        if _lies_in(target, root.resolve()) and not rooms & set(target.parents):
            raise Trouble(f"{path} lies in {root}, where the agent's own files are. Name a file elsewhere.")
    if status is not None and not overwrite:
        raise Trouble(f"There is a file {path} already: {OVERWRITE} replaces it.")
    return target


def write_output(home: Home, path: Path, text: str, overwrite: bool = False) -> None:
    """Checked anew: it may have been made meanwhile."""
    target = check_output(home, path, overwrite)
    try:
        write_whole(target, text, replacing=overwrite)
    except OSError as error:
        raise Trouble(f"{path} could not be written: {error.strerror or error}.") from error


def write_unused(path: Path, text: str) -> Path:
    """Under this name, or the first one like it that is free."""
    number, tried = 1, path
    while True:
        try:
            write_whole(tried, text, replacing=False)
        except FileExistsError:
            number += 1
            tried = path.with_name(f"{path.stem}-{number}{path.suffix}")
        else:
            return tried


def _lies_in(target: Path, folder: Path) -> bool:
    """By what the folders are, not by how they are spelled."""
    return any(_is_same(parent, folder) for parent in target.parents)


def _is_of_a_database(home: Home, target: Path) -> bool:
    """A database itself, one that is to be, or what SQLite keeps beside one."""
    names = [target.name.removesuffix(ending) for ending in BESIDE_A_DATABASE if target.name.endswith(ending)]
    candidates = [target, *(target.with_name(name) for name in names if name)]
    known = [path.resolve() for path in (*home.databases, home.library, home.archive)]
    # The known ones are not opened: closing one would give up the locks that we hold on it.
    return any(any(_is_same(path, each) for each in known) or _is_database(path) for path in candidates)


def _is_same(path: Path, other: Path) -> bool:
    with suppress(OSError):
        return path == other or path.samefile(other)
    return False


def _is_database(path: Path) -> bool:
    with suppress(OSError), os.fdopen(open_regular(path), "rb") as file:
        return file.read(len(DATABASE)) == DATABASE
    return False
