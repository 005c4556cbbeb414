"""What is done to the files of templates: edit, copy, rename, delete and take back, bring in and out."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path

import msgspec

from warm_tui.errors import Trouble
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.drafting import Picking
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.templates.activating import Activating
from warm_tui.sessions.text import clean_line
from warm_tui.templates import draft as drafts
from warm_tui.templates.files import TemplateFiles, check_name, parse, read_file
from warm_tui.templates.formats import as_version_2, write_template
from warm_tui.templates.model import Template
from warm_tui.templates.shelf import Row


class Shelving(Activating, Picking):
    """What a screen with a shelf of templates can do about them."""

    rows: list[Row]
    deleted: list[tuple[Path, Path]]

    @property
    def files(self) -> TemplateFiles:
        return TemplateFiles(self.home)

    @abstractmethod
    def show_template(self, name: str) -> None:
        """Move the cursor to it when the shelf has been read again."""

    def is_there(self, row: Row) -> bool:
        """Its file may have gone since the shelf was read."""
        if row.stored.path.exists():
            return True
        self.notify(f"The file of {row.name} is gone.", severity="warning", markup=False)
        self.load()
        return False

    def action_edit(self) -> None:
        row = self.chosen
        if row is not None and self.is_there(row):
            self.drafting.start(drafts.edit_of(row.stored.template, row.stored.stamp))
            self.notify(f"{row.name} is open as a draft; w saves it.", markup=False)
            self.app_of_draft.action_show_curate()

    def action_open(self) -> None:
        self.action_edit()

    def named(self, title: str, value: str, take: str, act: Callable[[str], None]) -> None:
        def check(values: dict[str, str]) -> None:
            name = check_name(values["name"])
            if any(row.name == name for row in self.rows):
                raise Trouble(f"There is a template {name} already.")

        def filled(values: dict[str, str] | None) -> None:
            if values is not None:
                self.attempt(lambda: act(values["name"]))

        self.app.push_screen(Form(title, [Entry("name", "Name", value)], take, check), filled)

    def attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Trouble as trouble:
            self.notify(clean_line(str(trouble)), severity="error", markup=False)

    def action_duplicate(self) -> None:
        row = self.chosen
        if row is not None:
            self.named(
                f"A copy of {row.name}", self.free(row.name), "Copy", lambda name: self.put(row.stored.template, name)
            )

    def free(self, name: str) -> str:
        taken = {row.name for row in self.rows}
        return next(each for each in (f"{name}-{number}" for number in range(2, 10_000)) if each not in taken)

    def put(self, template: Template, name: str) -> None:
        named = msgspec.structs.replace(as_version_2(template), name=name)
        self.files.save(msgspec.structs.replace(named, read={**named.read, "name": name}))
        self.show_template(name)

    def action_rename(self) -> None:
        row = self.chosen
        if row is None:
            return
        if row.active:
            self.notify("It is active: deactivate it first.", severity="warning", markup=False)
            return

        def rename(name: str) -> None:
            self.put(row.stored.template, name)
            self.files.delete(row.name)

        self.named(f"Rename {row.name}", row.name, "Rename", rename)

    def action_delete(self) -> None:
        row = self.chosen
        if row is None:
            return

        def delete() -> None:
            kept = self.files.delete(row.name)
            self.deleted.append((kept, row.stored.path))
            active = " It is active still: x ends that." if row.active else ""
            self.notify(f"Deleted {row.name}; u takes that back.{active}", markup=False)
            self.load()

        self.attempt(delete)

    def action_undo(self) -> None:
        if not self.deleted:
            self.notify("Nothing was deleted.", markup=False)
            return

        def restore() -> None:
            kept, path = self.deleted.pop()
            self.files.restore(kept, path)
            self.show_template(path.stem)

        self.attempt(restore)

    def action_export(self) -> None:
        row, look = self.chosen, self.seen
        if row is None or look is None or look.name != row.name:
            return
        text = json.dumps(write_template(row.stored.template), indent=2, ensure_ascii=False)

        def export(sure: bool | None) -> None:
            if sure:
                self.save_export(f"{row.name}.json", text + "\n")

        if look.secrets:
            self.app.push_screen(
                Confirm("Export it with its secrets?", f"{look.secrets} secrets stand in it.", "Export"), export
            )
        else:
            export(True)

    def action_import(self) -> None:
        options = [("file", "From a file"), ("paste", "By pasting its JSON")]
        self.app.push_screen(ChooseOne("Bring in a template", options), self.bring_in)

    def bring_in(self, how: str | None) -> None:
        if how == "file":
            entries = [Entry("path", "File", "", "/path/to/template.json")]

            def check(values: dict[str, str]) -> None:
                read_file(Path(values["path"]).expanduser(), "x")

            def filled(values: dict[str, str] | None) -> None:
                if values is not None:
                    path = Path(values["path"]).expanduser()
                    self.take_in(read_file(path, path.stem).template, path.stem)

            self.app.push_screen(Form("Bring in a template", entries, "Bring in", check), filled)
        elif how == "paste":

            def pasted(text: str | None) -> None:
                if text is not None:
                    template = parse(text, "pasted", "What was pasted")
                    self.take_in(template, str(template.read.get("name") or "pasted"))

            def judge(text: str) -> None:
                parse(text, "pasted", "This")

            self.app.push_screen(Write("Paste a template's JSON", "", check=judge), pasted)

    def take_in(self, template: Template, name: str) -> None:
        taken = {row.name for row in self.rows}
        self.named(
            "Bring in as", self.free(name) if name in taken else name, "Bring in", lambda new: self.put(template, new)
        )
