"""What every command has: --json, trouble told as one sentence, and nothing of a session raw on the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.library.catalog import Catalog
    from warm_tui.library.db import Library

P = ParamSpec("P")

MOST = 1_000_000_000
LINE = 1_000
"""No sentence is longer."""

overwrite_option = click.option("--overwrite", is_flag=True, help="Replace FILE if it is there.")


class Group(click.Group):
    """Commands in the order they are told of, not of the alphabet, each with its whole first sentence."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(LINE)) for name, each in self.commands.items()])


def report_option(function: Callable[..., None]) -> Callable[..., None]:
    file = click.option(
        "--report",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Also write FILE, which ends in .html, .md or .svg.",
    )
    return file(overwrite_option(function))


def command(function: Callable[P, None]) -> Callable[P, None]:
    """--json, and trouble told as one sentence: every command has both."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    @wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            function(*args, **kwargs)
        except Trouble as trouble:
            sentence = safe(str(trouble))
            if as_json:
                print_json({"success": False, "error": sentence})
            click.echo(sentence, err=True)
            sys.exit(1)

    return guarded


@contextmanager
def open_catalog(home: Home) -> Iterator[Catalog]:
    from warm_tui.library.catalog import Catalog

    with Catalog(home) as catalog:
        try:
            yield catalog
        finally:
            print_notes(catalog.notes)


@contextmanager
def open_remembered(home: Home) -> Iterator[Library]:
    """The library alone; what had to be done to open it is told."""
    from warm_tui.library.db import open_library

    with open_library(home.library) as library:
        print_notes(library.notes)
        yield library


def print_json(document: dict[str, Any]) -> None:
    """ASCII only, so that nothing in a recorded session can reach the terminal as itself."""
    click.echo(json.dumps(document, ensure_ascii=True, allow_nan=False, default=str))


def print_notes(notes: Iterable[str]) -> None:
    """Beside the answer, so that it stays what a program can read."""
    for note in notes:
        click.echo(safe(note), err=True)


def safe(text: str) -> str:
    from warm_tui.sessions.text import clean_line

    return clean_line(text)


def progress_line() -> Callable[[int, int], None] | None:
    """A line on stderr that tells how far profiling is, where somebody is looking."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    import time

    began = time.monotonic()

    def show(done: int, total: int) -> None:
        if done == total:
            click.echo("\r\x1b[K", err=True, nl=False)
        elif done % 100 == 0 and time.monotonic() - began > 0.5:
            click.echo(f"\rprofiling {done:,} of {total:,} sessions", err=True, nl=False)

    return show
