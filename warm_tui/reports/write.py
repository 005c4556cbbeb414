"""A report in the form that its file's name asks for."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from warm_tui import __version__
from warm_tui.errors import Trouble
from warm_tui.outputs import check_output, write_output
from warm_tui.paths import Home
from warm_tui.presentation.figures import moment
from warm_tui.reliability.outcome import RULES_VERSION
from warm_tui.reports.document import Document, masked, with_origin
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.readers import open_source

FORMS = (".html", ".md", ".svg", ".json")


def render(document: Document, form: str) -> str:
    if form == ".json":
        return json.dumps(document.facts, indent=1, allow_nan=False) + "\n"
    if form == ".svg":
        from warm_tui.reports.picture import svg_of

        return svg_of(document)
    if form == ".html":
        from warm_tui.reports.html import html_of

        return html_of(document)
    from warm_tui.reports.markdown import markdown_of

    return markdown_of(document)


def check_report(home: Home, path: Path, overwrite: bool = False) -> None:
    """Before anything is computed: can this be written?"""
    _form(path)
    if not path.absolute().parent.is_dir():
        raise Trouble(f"{path} could not be written: there is no folder {path.absolute().parent}.")
    check_output(home, path, overwrite)


def _form(path: Path) -> str:
    form = {".htm": ".html", ".markdown": ".md"}.get(path.suffix.lower(), path.suffix.lower())
    if form not in FORMS:
        raise Trouble(f"{path.name!r} does not tell what to write: a report ends in {', '.join(FORMS)}.")
    return form


def write_report(home: Home, document: Document, path: Path, overwrite: bool = False) -> None:
    write_output(home, path, report_text(home, document, path), overwrite)


def report_text(home: Home, document: Document, path: Path) -> str:
    """A report is made to be handed on: it says when it was made and of what, and secrets are masked in it."""
    return render(masked(with_origin(document, origin(home)), redactor_of(home)), _form(path))


def origin(home: Home) -> str:
    """When, of which database, and by which versions."""
    when = moment(time.time())[:16]
    databases = ", ".join(str(path.absolute()) for path in home.databases)
    return f"{when}  ·  {databases}  ·  Warm TUI {__version__}, rules {RULES_VERSION}{_agents(home)}"


def _agents(home: Home) -> str:
    """The versions that the databases say they have."""
    versions = set()
    for path in home.databases:
        with suppress(Trouble), open_source(path) as source:
            schema = source.health().schema_version
            versions |= {f", database schema {schema}"} if schema is not None else set()
    return "".join(sorted(versions))
