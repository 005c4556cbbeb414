"""A screen whose analysis can be taken along, as a file."""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.outputs import write_unused
from warm_tui.reports.document import Document
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import or_back
from warm_tui.screens.shared.written import COPY, ELSEWHERE, OPEN, Written, open_file
from warm_tui.widgets.working import work

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
        # What masks secrets takes longer to import than a screen to open.
        from warm_tui.reports.write import FORMS

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
        from warm_tui.reports.write import report_text

        path = self.home.ours / "reports" / name
        if self.app.is_web:
            text = report_text(self.home, document, path)
            self.app.call_from_thread(self.hand_to_browser, name, text)
            return
        try:
            written = write_unused(path, report_text(self.home, document, path))
        except OSError as error:
            self.app.call_from_thread(self.say_wrong, f"{path} could not be written: {error.strerror or error}.")
        else:
            self.app.call_from_thread(self.tell_written, document, written)

    def tell_written(self, document: Document, path: Path) -> None:
        def chosen(what: str | None) -> None:
            if what == ELSEWHERE:
                self.ask_where(document, path)
                return
            trouble = open_file(path) if what == OPEN else ""
            if what == COPY or trouble:
                # The rest may be done with it still.
                self.tell_written(document, path)
            if what == COPY:
                self.copy(str(path.absolute()), "the path")
            elif trouble:
                self.say_wrong(trouble)

        self.app.push_screen(Written(path.absolute(), self.passing_note), chosen)

    def ask_where(self, document: Document, path: Path) -> None:
        def named(name: str) -> None:
            if name.strip():
                self.write_elsewhere(document, Path(name.strip()).expanduser())

        answered = or_back(named, lambda: self.tell_written(document, path))
        self.app.push_screen(Ask("Write it to", str(Path.cwd() / path.name)), answered)

    @work(thread=True, group="report")
    def write_elsewhere(self, document: Document, path: Path) -> None:
        from warm_tui.reports.write import check_report, write_report

        try:
            check_report(self.home, path)
            write_report(self.home, document, path)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble).replace(": --overwrite replaces it", ""))
        else:
            self.app.call_from_thread(self.tell_written, document, path)
