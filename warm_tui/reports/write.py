"""A report in the form that its file's name asks for."""

from __future__ import annotations

import json
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.outputs import check_output, write_output
from warm_tui.paths import Home
from warm_tui.reports.document import Document, masked
from warm_tui.secrets.redactor import redactor_of

FORMS = (".html", ".md", ".svg", ".json")


def render(document: Document, form: str) -> str:
    if form == ".json":
        return json.dumps(document.facts, indent=1, allow_nan=False) + "\n"
    if form == ".svg":
        from warm_tui.reports.svg import svg_of

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
    """A report is made to be handed on: secrets are masked in it."""
    return render(masked(document, redactor_of(home)), _form(path))
