"""What an operator makes of a suggestion: accepted by way of a draft, edited first, declined, or put off."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.drafts import Drafts
from warm_tui.library.revisions import Note
from warm_tui.library.suggestions import OPEN, State, check_decidable, decide, suggestion_named
from warm_tui.review.gathering import as_suggestion, call_named
from warm_tui.review.suggesting import Suggestion, key_of
from warm_tui.secrets.redactor import Redactor, redactor_of
from warm_tui.templates import draft as drafts
from warm_tui.templates.draft import Draft
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.foreign import foreign_of
from warm_tui.templates.mining import pattern_of
from warm_tui.templates.model import Pattern


class Accepted(NamedTuple):
    suggestion: Suggestion
    template: str
    draft: int = 0
    """Where it is edited first: in which."""
    is_new: bool = False
    """The template was made by it."""
    note: str = ""
    """What could not be kept of it though the template was saved."""


def open_suggestion(catalog: Catalog, name: str) -> Suggestion:
    """Raises Trouble where it was decided on already, or cannot be read any more."""
    kept = suggestion_named(catalog.library, name)
    suggestion = as_suggestion(kept)
    if suggestion is None:
        raise Trouble(f"The suggestion {kept.id} cannot be read.")
    if kept.state not in OPEN:
        raise Trouble(f"The suggestion {kept.id} was {kept.state} already.")
    return suggestion


def draft_of(catalog: Catalog, suggestion: Suggestion, name: str = "") -> Draft:
    """As it would be saved; `name`: of the template, where a new one would be made."""
    files = TemplateFiles(catalog.home)
    if suggestion.kind == "split":
        parent = files.load(suggestion.template).template
        moved = [each for each in parent.patterns if key_of(each) in suggestion.patterns]
        draft = drafts.with_patterns(drafts.empty(name or _free(files, f"{parent.name}-{suggestion.task_type}")), moved)
    elif suggestion.template or (not name and suggestion.into and files.find(suggestion.into) is not None):
        stored = files.load(suggestion.into)
        draft = drafts.edit_of(stored.template, stored.stamp)
        left = [each for each in draft.patterns if key_of(each) not in suggestion.patterns]
        draft = drafts.with_patterns(draft, left)
    else:
        draft = drafts.empty(name or suggestion.into or _free(files, suggestion.task_type))
    redactor = redactor_of(catalog.home)
    for call in suggestion.calls:
        if drafts.picked(draft, call) is None:
            draft = drafts.added(draft, _pattern(catalog, suggestion, call, redactor))
    return msgspec.structs.replace(draft, suggestions=(*draft.suggestions, suggestion.id))


def _pattern(catalog: Catalog, suggestion: Suggestion, call: tuple[str, str], redactor: Redactor) -> Pattern:
    """Where it comes from is told of it for good."""
    candidate = call_named(catalog, call)
    if candidate is None:
        raise Trouble(f"Call '{call[1]}' of session {call[0]} is not there any more, or cannot be picked.")
    day = time.strftime("%Y-%m-%d")
    why = "; ".join((f"suggested ({suggestion.kind}, {suggestion.id}), accepted {day}", *suggestion.evidence))
    return pattern_of(candidate, redactor, chosen_by="mining", why=why, with_failure=True)


def _free(files: TemplateFiles, name: str) -> str:
    names = (name, *(f"{name}-{number}" for number in range(2, 10_000)))
    return next(each for each in names if files.find(each) is None)


def accept(catalog: Catalog, name: str, called: str = "") -> Accepted:
    """Saved as a revision of its template, its secrets masked; what reads like instructions has to be edited first.

    Nothing is saved where the library cannot keep that it was decided on: else it would be accepted twice.
    """
    suggestion = open_suggestion(catalog, name)
    if suggestion.kind == "no help":
        raise Trouble(f"There is nothing to save of it: look at '{suggestion.template}', or decline it with a reason.")
    draft = draft_of(catalog, suggestion, called)
    if not draft.patterns:
        raise Trouble("Nothing would be left of the template: edit it, or delete it.")
    for text in foreign_of(draft.template):
        if text.signs and _is_new(text.pattern, suggestion, draft):
            raise Trouble(f"{text.told}. Edit it first, or decline it.")
    template = drafts.finished(draft, redactor_of(catalog.home))
    note = Note(why=suggestion.words, suggestion=suggestion.id)
    files = TemplateFiles(catalog.home)
    expected = draft.base_stamp or None
    if expected and files.load(draft.base).path.parent != files.folder:
        expected = None
    check_decidable(catalog.library, suggestion.id)
    files.save(template, expected, note)
    return Accepted(
        suggestion, template.name, is_new=not draft.base_stamp, note=_decided_apart(catalog, suggestion, files.notes)
    )


def _decided_apart(catalog: Catalog, suggestion: Suggestion, notes: Sequence[str]) -> str:
    """Where no revision was kept that accepts it: it is accepted without one, or it is said that it stays open."""
    if not notes:
        return ""
    try:
        decide(catalog.library, suggestion.id, "accepted")
    except Trouble:
        return f"{notes[-1].rstrip('.')}. So the suggestion stays open, though it is in the template: decline it."
    return notes[-1]


def _is_new(at: int | None, suggestion: Suggestion, draft: Draft) -> bool:
    return at is not None and bool(set(drafts.calls_of(draft.patterns[at])) & set(suggestion.calls))


def edit(catalog: Catalog, name: str) -> Accepted:
    """A draft of it, the one that there is already: nothing is decided before that is saved."""
    suggestion, kept = open_suggestion(catalog, name), Drafts(catalog.library)
    for record in kept.all():
        opened = kept.open(record.id)
        if opened is not None and suggestion.id in opened[1].get("suggestions", ()):
            return Accepted(suggestion, record.name, record.id)
    draft = draft_of(catalog, suggestion)
    return Accepted(suggestion, draft.name, kept.create(draft.name, drafts.to_document(draft)).id)


def put_off(catalog: Catalog, name: str, state: State, why: str = "") -> Suggestion:
    """Declined, or for later."""
    suggestion = open_suggestion(catalog, name)
    if state == "declined" and not why.strip():
        raise Trouble("Say why: it does not come back.")
    decide(catalog.library, suggestion.id, state, why)
    return suggestion
