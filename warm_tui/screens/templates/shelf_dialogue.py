"""The windows about the files of templates: a name for one, bringing one in, and taking one out with its secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.library.revisions import Note
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import or_back
from warm_tui.screens.templates.activation import Question
from warm_tui.screens.templates.packs import PackDialogue
from warm_tui.screens.templates.preview import Preview
from warm_tui.screens.templates.template_shelf import TemplateShelf
from warm_tui.sessions.text import plural
from warm_tui.templates.files import parse, read_file
from warm_tui.templates.formats import write_template
from warm_tui.templates.model import Template
from warm_tui.templates.packs import Examined, examined, is_pack, read_whole, unpack
from warm_tui.templates.shelf import Row


class ShelfDialogue:
    """`show_template` is told which template is there now."""

    def __init__(self, screen: Frame, shelf: TemplateShelf, show_template: Callable[[str], None]) -> None:
        self._screen, self._shelf, self._show_template = screen, shelf, show_template

    def attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Trouble as trouble:
            self._screen.say_wrong(str(trouble))

    def duplicate(self, row: Row) -> None:
        self._save_under_a_name(
            f"A copy of {row.name}",
            self._shelf.free_name(row.name),
            "Copy",
            row.stored.template,
            Note(why=f"a copy of {row.name}"),
        )

    def rename(self, row: Row) -> None:
        def rename(name: str) -> None:
            self._shelf.rename(row, name)
            self._show_template(name)

        self._ask_name(f"Rename {row.name}", row.name, "Rename", rename)

    def accept(self, row: Row) -> None:
        """Under its own name, or another where that is taken."""

        def accept(name: str) -> None:
            self._shelf.accept(row, name)
            self._show_template(name)

        self._ask_name(f"Accept the proposal {row.name}", self._shelf.free_or_own_name(row.name), "Accept", accept)

    def bring_in(self) -> None:
        def chosen(way: str | None) -> None:
            if way == "file":
                self._from_file()
            elif way == "paste":
                self._by_pasting()

        options = [("file", "From a file"), ("paste", "By pasting its JSON")]
        self._screen.app.push_screen(ChooseOne("Bring in a template", options), chosen)

    def export(self, row: Row, preview: Preview) -> None:
        """With its secrets only where that is said."""
        text = json.dumps(write_template(row.stored.template), indent=2, ensure_ascii=False)

        def export(sure: bool | None) -> None:
            if sure:
                self._screen.save_export(f"{row.name}.json", text + "\n")

        if preview.secrets:
            question = f"{plural(preview.secrets, 'secret stands', 'secrets stand')} in it."
            self._screen.app.push_screen(Confirm("Export it with its secrets?", question, "Export"), export)
        else:
            export(True)

    def _from_file(self) -> None:
        entries = [Entry("path", "File", "", "/path/to/template.json")]

        def check(values: dict[str, str]) -> None:
            path = Path(values["path"]).expanduser()
            if self._pack_in(read_whole(path), str(path)) is None:
                read_file(path, "x")

        def filled(values: dict[str, str]) -> None:
            path = Path(values["path"]).expanduser()
            if (pack := self._pack_in(read_whole(path), str(path))) is not None:
                self._read_pack(pack)
            else:
                self._take_in(read_file(path, path.stem).template, path.stem)

        self._screen.app.push_screen(
            Form("Bring in a template", entries, "Bring in", check), or_back(filled, self.bring_in)
        )

    def _pack_in(self, raw: bytes | str, source: str) -> Examined | None:
        """None where it is not meant as one; raises Trouble where it cannot be taken in."""
        return examined(self._screen.home, raw, source) if is_pack(raw) else None

    def _read_pack(self, pack: Examined) -> None:
        PackDialogue(self._screen).read(pack, lambda: self._take_in_pack(pack))

    def _take_in_pack(self, pack: Examined) -> None:
        def act(name: str) -> None:
            unpack(self._screen.home, pack, name)
            self._show_template(name)

        proposed = self._shelf.free_or_own_name(pack.name)
        self._ask_name("Bring in as", proposed, "Bring in", act, lambda: self._read_pack(pack))

    def _by_pasting(self) -> None:
        def pasted(text: str) -> None:
            if (pack := self._pack_in(text, "What was pasted")) is not None:
                self._read_pack(pack)
            else:
                template = parse(text, "pasted", "What was pasted")
                self._take_in(template, str(template.read.get("name") or "pasted"))

        def check(text: str) -> None:
            if self._pack_in(text, "This") is None:
                parse(text, "pasted", "This")

        self._screen.app.push_screen(Write("Paste a template's JSON", "", check=check), or_back(pasted, self.bring_in))

    def _take_in(self, template: Template, name: str) -> None:
        self._save_under_a_name("Bring in as", self._shelf.free_or_own_name(name), "Bring in", template, Note("import"))

    def _save_under_a_name(self, title: str, proposed: str, yes: str, template: Template, note: Note) -> None:
        def save(name: str) -> None:
            self._shelf.save(template, name, note)
            self._show_template(name)

        self._ask_name(title, proposed, yes, save)

    def _ask_name(
        self,
        title: str,
        proposed: str,
        yes: str,
        act: Callable[[str], None],
        back: Callable[[], None] = lambda: None,
    ) -> None:
        def check(values: dict[str, str]) -> None:
            self._shelf.check_free(values["name"])

        def filled(values: dict[str, str]) -> None:
            self.attempt(lambda: act(values["name"]))

        window = Form(title, [Entry("name", "Name", proposed)], yes, check)
        self._screen.app.push_screen(window, or_back(filled, back))


def confirm(screen: Frame, question: Question, act: Callable[[], object]) -> None:
    def answered(yes: bool | None) -> None:
        if yes:
            act()

    # They would lie over the question and its buttons in a small terminal.
    screen.app.clear_notifications()
    screen.app.push_screen(Confirm(question.title, question.text, question.yes), answered)
