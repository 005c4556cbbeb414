"""What a kill leaves of suggestions, of revisions, and of packs that are taken in."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any


def _home(home: Path) -> Any:
    from warm_tui.paths import Home

    return Home(home, ())


def _template(name: str, words: str) -> Any:
    from warm_tui.templates.model import Pattern, Template

    pattern = Pattern(tool_name="terminal", arguments={"command": words}, result="a" * 5_000, context="Look.")
    return Template(name=name, patterns=(pattern,))


def revise(home: Path, name: str, number: int) -> None:
    """Each process saves one template over and over."""
    from warm_tui.templates.files import TemplateFiles

    files = TemplateFiles(_home(home))
    stamp = files.load(name).stamp if files.find(name) else None
    files.save(_template(name, f"{name}-{number}"), stamp)
    assert not files.notes, files.notes


def check_revised(home: Path, done: Mapping[str, int]) -> None:
    from warm_tui.library.db import open_library
    from warm_tui.library.revisions import document_of, kept_revisions
    from warm_tui.templates.files import TemplateFiles

    stored, bad = TemplateFiles(_home(home)).all()
    assert not bad, bad
    with open_library(home / "warm_tui" / "library.db") as library:
        for name, steps in done.items():
            kept = kept_revisions(library, name)
            assert len(kept) >= steps, f"{name}: {len(kept)} of {steps}"
            assert [each.number for each in kept] == list(range(1, len(kept) + 1)), name
            if kept:
                told = document_of(library, name, kept[-1].number)
                assert told["patterns"][0]["arguments"]["command"].startswith(name)
    assert {each.template.name for each in stored} >= {name for name, steps in done.items() if steps}


def suggest(home: Path, name: str, number: int) -> None:
    from warm_tui.library.db import open_library
    from warm_tui.library.suggestions import decide, keep_suggestions

    with open_library(home / "warm_tui" / "library.db") as library:
        keep_suggestions(library, [f"{name}-{number}"], [(f"{name}-{number}", b"{}" * 2_000)])
        decide(library, f"{name}-{number}", "declined", "not here")


def check_suggested(home: Path, done: Mapping[str, int]) -> None:
    with closing(sqlite3.connect(f"file:{home}/warm_tui/library.db?mode=ro", uri=True)) as library:
        # At one moment: the second instance goes on meanwhile.
        library.execute("BEGIN")
        states = dict(library.execute("SELECT id, state FROM suggestions"))
        read = {session for (session,) in library.execute("SELECT session FROM reviewed")}
    assert set(states) == read, "what was read, and what that suggested, are kept together"
    for name, steps in done.items():
        missing = [at for at in range(steps) if states.get(f"{name}-{at}") != "declined"]
        assert not missing, f"{name}: {missing[:3]}"


@cache
def _pack() -> str:
    from warm_tui.secrets.redactor import Redactor
    from warm_tui.templates.packs import packed

    return packed(_template("handed-on", "ls"), 1, (), Redactor(b"key"), 1.0)


def take_in(home: Path, name: str, number: int) -> None:
    from warm_tui.templates.packs import examined, unpack

    unpack(_home(home), examined(_home(home), _pack(), "the pack"), f"{name}-{number}")


def check_taken_in(home: Path, done: Mapping[str, int]) -> None:
    from warm_tui.templates.files import TemplateFiles

    stored, bad = TemplateFiles(_home(home)).all()
    assert not bad, bad
    assert all(len(each.template.patterns[0].result) == 5_000 for each in stored), "whole"
    there = {each.template.name for each in stored}
    for name, steps in done.items():
        assert not [at for at in range(steps) if f"{name}-{at}" not in there], name
