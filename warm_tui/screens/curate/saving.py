"""A draft becomes a template: asked for its name, and before it takes one in use."""

from __future__ import annotations

from abc import abstractmethod

from warm_tui.errors import Trouble
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.drafting import Picking
from warm_tui.screens.shared.forms import Entry, Form
from warm_tui.sessions.text import clean_line
from warm_tui.templates import draft as drafts
from warm_tui.templates.draft import Draft
from warm_tui.templates.files import TemplateFiles, check_name
from warm_tui.templates.formats import as_version_2
from warm_tui.templates.redaction import findings_in


class Saving(Picking):
    """What a screen with a draft on it does to save it."""

    @abstractmethod
    def change(self, draft: Draft) -> None:
        """One step further, kept and shown."""

    @abstractmethod
    def show_draft(self) -> None: ...

    def after_change(self) -> None:
        """The draft is another one now."""

    def action_save(self) -> None:
        draft = self.drafting.draft
        if not draft.patterns:
            self.notify("The draft is empty: pick a call first.", severity="warning", markup=False)
            return
        template = draft.template
        entries = (
            Entry("name", "Name", draft.name or self.free_name()),
            Entry("description", "What it is for", template.description),
            Entry("tags", "Tags, with commas between", ", ".join(template.tags)),
            Entry("addendum", "Words for the model, put before the patterns", template.addendum),
        )
        self.app.push_screen(
            Form("Save as a template", entries, "Save", named_well),
            self.save_as,
        )

    def free_name(self) -> str:
        taken = {stored.template.name for stored in TemplateFiles(self.home).all()[0]}
        tools = [pattern.tool_name for pattern in self.drafting.draft.patterns]
        base = "".join(c if c.isalnum() else "-" for c in max(set(tools), key=tools.count)).strip("-") or "template"
        return next(name for name in (f"{base}-{number}" for number in range(1, 10_000)) if name not in taken)

    def save_as(self, values: dict[str, str] | None) -> None:
        if values is None:
            return
        tags = tuple(tag.strip() for tag in values["tags"].split(",") if tag.strip())
        draft = drafts.described(
            self.drafting.draft,
            name=values["name"],
            description=values["description"],
            tags=tags,
            addendum=values["addendum"],
        )
        # What was typed is part of the draft from here on, should it not be saved yet.
        self.change(draft)
        files = TemplateFiles(self.home)
        try:
            there = files.load(draft.name)
        except Trouble as trouble:
            if "not found" not in str(trouble):
                self.notify(clean_line(str(trouble)), severity="error", markup=False)
                return
            self.write_template(draft, None)
            return
        # One of the older folder stays there; ours stands before it.
        stamp = there.stamp if there.path.parent == files.folder else None
        if draft.base == draft.name and draft.base_stamp == there.stamp:
            self.write_template(draft, stamp)
            return
        options = [
            ("add", f"Add the patterns to {draft.name}"),
            ("replace", f"Replace {draft.name}"),
            ("", "Keep it, and choose another name"),
        ]

        def decided(what: str | None) -> None:
            if what == "add":
                merged = drafts.with_patterns(draft, [*as_version_2(there.template).patterns, *draft.patterns])
                self.write_template(merged, stamp)
            elif what == "replace":
                self.write_template(draft, stamp)
            elif what is not None:
                self.action_save()

        self.app.push_screen(ChooseOne(f"There is a template {draft.name} already", options), decided)

    def write_template(self, draft: Draft, stamp: str | None) -> None:
        redactor = self.drafting.redactor
        template = drafts.finished(draft, redactor)
        masked = len({finding.secret.value for finding in findings_in(draft.template, redactor)}) - len(draft.refused)
        try:
            TemplateFiles(self.home).save(template, stamp)
        except Trouble as trouble:
            self.notify(clean_line(str(trouble)), severity="error", markup=False)
            return
        self.drafting.forget()
        self.show_draft()
        self.after_change()
        self.app_of_draft.show_template(template.name)
        told = f"Saved as {template.name}: Enter opens it again as a draft."
        self.notify(told + (f" {masked} secrets were masked." if masked > 0 else ""), markup=False)


def named_well(values: dict[str, str]) -> None:
    check_name(values["name"])
