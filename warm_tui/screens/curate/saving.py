"""A draft becomes a template: under which name, beside or in place of which, and with what masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from warm_tui.errors import NotFound
from warm_tui.library.revisions import Note
from warm_tui.screens.shared.drafting import Drafting
from warm_tui.templates import draft as drafts
from warm_tui.templates.draft import Draft
from warm_tui.templates.files import Stored, TemplateFiles
from warm_tui.templates.formats import as_version_2, write_template
from warm_tui.templates.redaction import secret_values
from warm_tui.templates.revisions import revisions_of
from warm_tui.templates.visible import hidden_within


class Saved(NamedTuple):
    name: str
    masked: int
    """How many secrets were masked."""


class Saving:
    def __init__(self, drafting: Drafting) -> None:
        self._drafting = drafting
        self._files = TemplateFiles(drafting.home)

    @property
    def hidden(self) -> str:
        """The invisible characters of the draft."""
        return hidden_within(write_template(self._drafting.draft.template))

    def fields(self) -> dict[str, str]:
        """What the form begins with."""
        draft = self._drafting.draft
        return {
            "name": draft.name or self._free_name(),
            "description": draft.template.description,
            "tags": ", ".join(draft.template.tags),
            "addendum": draft.template.addendum,
            "why": draft.why,
        }

    def _free_name(self) -> str:
        """After the tool that is used most, with a number."""
        taken = {stored.template.name for stored in self._files.all()[0]}
        tools = [pattern.tool_name for pattern in self._drafting.draft.patterns]
        base = "".join(c if c.isalnum() else "-" for c in max(set(tools), key=tools.count)).strip("-") or "template"
        return next(name for name in (f"{base}-{number}" for number in range(1, 10_000)) if name not in taken)

    def described(self, fields: Mapping[str, str]) -> Draft:
        """The draft with what was typed."""
        tags = tuple(tag.strip() for tag in fields["tags"].split(",") if tag.strip())
        words = {name: fields[name] for name in ("name", "description", "addendum")}
        draft = drafts.described(self._drafting.draft, **words, tags=tags)
        return msgspec.structs.replace(draft, why=fields["why"])

    def present(self, name: str) -> Stored | None:
        """The template of this name. Raises Trouble where there is one, and it cannot be read."""
        try:
            return self._files.load(name)
        except NotFound:
            return None

    def stands(self, draft: Draft) -> str:
        """At which revision the template is, and from which one the draft began, where it began as this template."""
        entries = revisions_of(self._drafting.home, draft.name)
        here = f"{draft.name} is at revision {entries[-1].number}"
        began = next((each.number for each in reversed(entries) if each.stamp == draft.base_stamp), None)
        if draft.base != draft.name:
            return f"There is a template {draft.name} already"
        return f"{here}, the draft began with {f'revision {began}' if began else 'one that was not kept'}"

    def is_edit_of(self, draft: Draft, present: Stored) -> bool:
        """Whether the draft began as this template, and that has not changed since."""
        return draft.base == draft.name and draft.base_stamp == present.stamp

    def save(self, draft: Draft, present: Stored | None, *, keep_invisible: bool = False) -> Saved:
        """In place of what is there. Of the older folder, that stays there; ours stands before it.

        It looks for secrets in all of it: for a worker.
        """
        redactor = self._drafting.redactor
        template = drafts.finished(draft, redactor, keep_invisible=keep_invisible)
        secrets = secret_values(draft.template, redactor)
        stamp = present.stamp if present is not None and present.path.parent == self._files.folder else None
        self._files.save(template, stamp, Note(why=draft.why, suggestion=" ".join(draft.suggestions)))
        return Saved(template.name, max(0, len(secrets) - len(draft.refused)))

    def saved(self, draft: Draft) -> None:
        """Done with it, unless it went on meanwhile."""
        if self._drafting.draft is draft:
            self._drafting.forget()

    def save_added(self, draft: Draft, present: Stored, *, keep_invisible: bool = False) -> Saved:
        """The patterns of the draft behind those that are there."""
        patterns = [*as_version_2(present.template).patterns, *draft.patterns]
        return self.save(drafts.with_patterns(draft, patterns), present, keep_invisible=keep_invisible)
