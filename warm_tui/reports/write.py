"""A report in the form that its file's name asks for."""

from __future__ import annotations

import json
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.reports.document import Document, masked
from warm_tui.secrets.redactor import Redactor
from warm_tui.writing import write_whole

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


def check_report(path: Path) -> None:
    """Before anything is computed: can this be written?"""
    _form(path)
    if not path.absolute().parent.is_dir():
        raise Trouble(f"{path} could not be written: there is no folder {path.absolute().parent}.")


def _form(path: Path) -> str:
    form = {".htm": ".html", ".markdown": ".md"}.get(path.suffix.lower(), path.suffix.lower())
    if form not in FORMS:
        raise Trouble(f"{path.name!r} does not tell what to write: a report ends in {', '.join(FORMS)}.")
    return form


def write_report(document: Document, path: Path, redactor: Redactor) -> None:
    """A report is made to be handed on: secrets are masked in it."""
    form = _form(path)
    try:
        # Where a link is named, what it points to is written.
        write_whole(path.resolve(), render(masked(document, redactor), form))
    except OSError as error:
        raise Trouble(f"{path} could not be written: {error.strerror or error}.") from error
