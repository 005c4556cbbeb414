"""The windows on the way from a draft to a template: its name, and what becomes of one that is called so already."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App

from warm_tui.errors import Trouble
from warm_tui.screens.curate.saving import Saved, Saving
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Entry, Form
from warm_tui.screens.shared.window import or_back
from warm_tui.sessions.invisible import hidden_words
from warm_tui.sessions.text import clean_line
from warm_tui.templates.draft import Draft
from warm_tui.templates.files import Stored, check_name

QUESTIONS = (
    Entry("name", "Name"),
    Entry("description", "What it is for"),
    Entry("tags", "Tags, with commas between"),
    Entry("addendum", "Words for the model, put before the patterns"),
    Entry("why", "Why it changed; kept with the revision"),
)
REMOVE, KEEP = "remove", "keep"
"""What becomes of invisible characters."""


class SavingDialogue:
    """`change` is told the draft with what was typed; `saved`, as which template, and how many secrets were masked."""

    def __init__(
        self, app: App[object], saving: Saving, change: Callable[[Draft], None], saved: Callable[[str, int], None]
    ) -> None:
        self._app, self._saving, self._change, self._saved = app, saving, change, saved
        self._keep_invisible = False

    def open(self) -> None:
        def check(values: dict[str, str]) -> None:
            check_name(values["name"])
            if values.get("invisible", REMOVE) not in (REMOVE, KEEP):
                raise Trouble(f"What is invisible: {REMOVE} or {KEEP}?")

        fields = self._saving.fields()
        entries = [entry._replace(value=fields[entry.name]) for entry in QUESTIONS]
        if hidden := self._saving.hidden:
            entries.append(Entry("invisible", f"{hidden_words(hidden)}: {REMOVE} or {KEEP}", REMOVE))
        self._app.push_screen(Form("Save as a template", entries, "Save", check), self._named)

    def _named(self, values: dict[str, str] | None) -> None:
        if values is None:
            return
        self._keep_invisible = values.get("invisible") == KEEP
        draft = self._saving.described(values)
        # What was typed is part of the draft from here on, should it not be saved yet.
        self._change(draft)
        self._attempt(lambda: self._save_or_ask(draft))

    def _save_or_ask(self, draft: Draft) -> None:
        present = self._saving.present(draft.name)
        if present is None or self._saving.is_edit_of(draft, present):
            self._save(self._saving.save, draft, present)
        else:
            self._ask_replace(draft, present)

    def _ask_replace(self, draft: Draft, present: Stored) -> None:
        def decided(what: str) -> None:
            if what == "add":
                self._save(self._saving.save_added, draft, present)
            elif what == "replace":
                self._save(self._saving.save, draft, present)
            else:
                self.open()

        options = [
            ("add", f"Add the patterns to {draft.name}"),
            ("replace", f"Replace {draft.name}"),
            ("", "Keep it, and choose another name"),
        ]
        self._app.push_screen(ChooseOne(self._saving.stands(draft), options), or_back(decided, self.open))

    def _save(self, how: Callable[..., Saved], draft: Draft, present: Stored | None) -> None:
        def done(saved: Saved) -> None:
            self._saving.saved(draft)
            self._saved(*saved)

        def save() -> None:
            try:
                saved = how(draft, present, keep_invisible=self._keep_invisible)
            except Trouble as trouble:
                self._app.call_from_thread(self._say_wrong, trouble)
            else:
                self._app.call_from_thread(done, saved)

        self._app.run_worker(save, thread=True, group="save")

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Trouble as trouble:
            self._say_wrong(trouble)

    def _say_wrong(self, trouble: Trouble) -> None:
        self._app.notify(clean_line(str(trouble)), severity="error", markup=False)
