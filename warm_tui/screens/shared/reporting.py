"""A screen whose analysis can be taken along, as a file."""

from __future__ import annotations

import re
import time
from abc import abstractmethod

from textual import work

from warm_tui.outputs import write_unused
from warm_tui.reports.document import Document
from warm_tui.reports.write import FORMS, report_text
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.frame import Frame

TITLES = {
    ".html": "HTML, one file that needs no other",
    ".md": "Markdown",
    ".svg": "SVG, one picture",
    ".json": "JSON, the figures alone",
}


class Reporting(Frame):
    @abstractmethod
    def report(self) -> tuple[str, Document] | None:
        """What would be written now, and under what name."""

    def action_report(self) -> None:
        report = self.report()
        if report is None:
            self.notify("There is nothing to report here, or it is still being read.", markup=False)
            return
        name, document = report

        def chosen(form: str | None) -> None:
            if form:
                safe = re.sub(r"[^\w.-]", "_", name)[:80]
                self.write_report(document, f"{time.strftime('%Y%m%d-%H%M%S')}-{safe}{form}")

        self.app.push_screen(ChooseOne("Report as", [(form, TITLES[form]) for form in FORMS]), chosen)

    @work(thread=True, group="report")
    def write_report(self, document: Document, name: str) -> None:
        path = self.home.ours / "reports" / name
        try:
            written = write_unused(path, report_text(self.home, document, path))
        except OSError as error:
            self.app.call_from_thread(self.say_wrong, f"{path} could not be written: {error.strerror or error}.")
        else:
            self.app.call_from_thread(self.say_written, written)
