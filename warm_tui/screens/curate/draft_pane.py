"""The draft beside the candidates: its patterns, what is to be said of them, and what can be done to them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.presentation.lines import Line
from warm_tui.screens.curate.draft_list import FIELDS, DraftList, DraftRow
from warm_tui.screens.curate.saving import Saving
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.pages import Pages
from warm_tui.sessions.text import clean_line
from warm_tui.templates import draft as drafts
from warm_tui.templates.budget import warnings
from warm_tui.templates.building import candidates_in
from warm_tui.templates.conversation import MOST_PATTERNS, build_conversation, validate
from warm_tui.templates.draft import Draft
from warm_tui.templates.mining import Candidate, pattern_of, told_result
from warm_tui.templates.model import Origin, Pattern
from warm_tui.templates.redaction import findings_in
from warm_tui.widgets.chat import as_chat

EDITS = {
    "context": "What the user says",
    "arguments": "The arguments (JSON)",
    "result": "The result, as the model will get it",
    "tool_name": "The tool",
}
NEW, AWAY = "\x00new", "\x00away"


class DraftPane(Saving):
    """What a screen with a draft on it can do about it."""

    @property
    def prefill(self) -> Prefill:
        return Prefill(self.home)

    def draft_side(self) -> ComposeResult:
        with Vertical(id="draft-side"):
            yield Static("", id="draft-head", markup=False)
            yield DraftList(id="draft")
            yield Static("", id="draft-empty", markup=False)

    @property
    def draft_list(self) -> DraftList:
        return self.query_one(DraftList)

    @property
    def in_draft(self) -> bool:
        return True

    # --- showing ---

    def show_draft(self) -> None:
        draft = self.drafting.draft
        flags = self.drafting.inspector.flags(draft)
        flagged = any(each.told for each in flags)
        self.draft_list.fields = tuple(field for field in FIELDS if flagged or field.name != "flags")
        self.draft_list.show([DraftRow(at, pattern, flags[at]) for at, pattern in enumerate(draft.patterns)], now=0.0)
        provider, window = self.drafting.model()
        tokens = self.drafting.inspector.meter(draft, provider)
        count = len(draft.patterns)
        parts = [self.draft_name(), f"{count} pattern{'s' * (count != 1)}", f"{tokens} tokens"]
        beware = list(warnings(tokens.total, window, self.window_share))
        if window:
            parts[-1] += f" of {window:,}"
        if len(draft.patterns) > MOST_PATTERNS:
            beware.append(f"Only the first {MOST_PATTERNS} are told, unless more are asked for.")
        self.query_one("#draft-head", Static).update("\n".join([" · ".join(parts), *beware]))
        empty = self.query_one("#draft-empty", Static)
        empty.display = not draft.patterns
        empty.update("Nothing is picked yet.\n\nspace picks the call under the cursor,\na adds one by hand.")

    def draft_name(self) -> str:
        """As it is saved, or by its number."""
        draft, kept = self.drafting.draft, self.drafting.kept
        if draft.name:
            return f"Draft: {clean_line(draft.name)}"
        return f"Draft {kept.id}" if kept else "Draft"

    def follow_draft(self) -> None:
        if self.drafting.follow():
            self.show_draft()
            self.after_change()

    def change(self, draft: Draft) -> None:
        self.drafting.step(draft)
        self.show_draft()
        self.after_change()

    # --- picking ---

    def pick(self, candidate: Candidate, why: str) -> None:
        self.change(
            drafts.added(
                self.drafting.draft, pattern_of(candidate, self.drafting.redactor, chosen_by="operator", why=why)
            )
        )

    # --- the pattern under the cursor ---

    @property
    def chosen(self) -> DraftRow | None:
        return self.draft_list.under_cursor

    def action_edit(self) -> None:
        self.edit()

    def edit(self) -> None:
        row = self.chosen
        if row is not None:
            self.app.push_screen(ChooseOne(f"Edit pattern {row.at + 1}", list(EDITS.items())), self.edit_field)

    def edit_field(self, field: str | None) -> None:
        row = self.chosen
        if field is None or row is None:
            return
        if field == "result" and row.pattern.origin.session_id:
            self.find_original(row)
        else:
            self.write(row, field, "")

    @work(thread=True, exclusive=True, group="original")
    def find_original(self, row: DraftRow) -> None:
        """The result as it was recorded, if its session is still there."""
        origin, original = row.pattern.origin, ""
        try:
            with Catalog(self.home) as catalog:
                found = candidates_in(catalog, catalog.profile(origin.session_id))
            original = next((told_result(c.call.result or "") for c in found if c.call.key == origin.call), "")
        except Trouble:
            pass
        self.app.call_from_thread(self.write, row, "result", original)

    def write(self, row: DraftRow, field: str, original: str) -> None:
        pattern = row.pattern
        text = (
            json.dumps(pattern.arguments, indent=2, ensure_ascii=False)
            if field == "arguments"
            else getattr(pattern, field)
        )
        check = checked_arguments if field == "arguments" else checked_tool if field == "tool_name" else None

        def written(text: str | None) -> None:
            if text is None:
                return
            value = json.loads(text) if field == "arguments" else text
            if value != getattr(pattern, field):
                self.change(drafts.changed(self.drafting.draft, row.at, **{field: value}))

        self.app.push_screen(Write(EDITS[field], text, original, check), written)

    def action_drop(self) -> None:
        row = self.chosen
        if row is not None:
            self.change(drafts.dropped(self.drafting.draft, row.at))

    def move(self, at: int, to: int) -> None:
        if 0 <= to < len(self.drafting.draft.patterns):
            self.change(drafts.moved(self.drafting.draft, at, to))
            self.draft_list.move(to)

    def action_move_down(self) -> None:
        if self.chosen is not None:
            self.move(self.chosen.at, self.chosen.at + 1)

    def action_move_up(self) -> None:
        if self.chosen is not None:
            self.move(self.chosen.at, self.chosen.at - 1)

    def on_draft_list_moved(self, message: DraftList.Moved) -> None:
        self.move(message.at, message.to)

    def action_join(self) -> None:
        row = self.chosen
        if row is None:
            return
        if row.at == 0:
            self.notify("The first pattern has none before it to join.", markup=False)
        else:
            self.change(drafts.changed(self.drafting.draft, row.at, joined=not row.pattern.joined))

    def action_add(self) -> None:
        entries = (
            Entry("context", "What the user says"),
            Entry("tool_name", "The tool", "terminal"),
            Entry("arguments", "The arguments (JSON)", '{"command": ""}'),
            Entry("result", "The result", '{"output": "", "exit_code": 0, "error": null}'),
        )

        def check(values: dict[str, str]) -> None:
            checked_tool(values["tool_name"])
            checked_arguments(values["arguments"])

        def filled(values: dict[str, str] | None) -> None:
            if values is not None:
                origin = Origin(chosen_by="operator", why="written by hand")
                fields = {**values, "arguments": json.loads(values["arguments"])}
                self.change(drafts.added(self.drafting.draft, Pattern(**fields, origin=origin)))

        self.app.push_screen(Form("A pattern by hand", entries, "Add it", check), filled)

    def action_mask(self) -> None:
        """Every secret of the draft: where it stands, and whether it is masked."""
        draft, redactor = self.drafting.draft, self.drafting.redactor
        found: dict[str, tuple[str, str]] = {}
        for finding in findings_in(draft.template, redactor):
            mark = redactor.placeholder(finding.secret.value)
            stands = mark in draft.refused
            told = f"{'stands ' if stands else 'masked '} {finding.told}  {clean_line(finding.secret.value[:4])}…"
            found.setdefault(mark, (mark, told))
        if not found:
            self.notify("No secret was found in this draft.", markup=False)
            return

        def turned(mark: str | None) -> None:
            if mark:
                refused = set(self.drafting.draft.refused) ^ {mark}
                self.change(msgspec.structs.replace(self.drafting.draft, refused=tuple(sorted(refused))))
                self.action_mask()

        self.app.push_screen(ChooseOne("Secrets: Enter masks, or lets stand", list(found.values())), turned)

    # --- the draft ---

    def action_undo(self) -> None:
        self.went(self.drafting.undo(), "There is nothing to undo.")

    def action_redo(self) -> None:
        self.went(self.drafting.redo(), "There is nothing to do again.")

    def went(self, done: bool, otherwise: str) -> None:
        if done:
            self.show_draft()
            self.after_change()
        else:
            self.notify(otherwise, markup=False)

    def action_drafts(self) -> None:
        kept = self.drafting.drafts.all()
        here = self.drafting.kept
        options = [(str(each.id), f"{clean_line(each.name) or f'Draft {each.id}'}, step {each.step}") for each in kept]
        options += [(NEW, "Begin another draft"), (AWAY, "Throw this draft away")]
        self.app.push_screen(ChooseOne("Drafts", options, str(here.id) if here else ""), self.open_draft)

    def open_draft(self, chosen: str | None) -> None:
        if chosen is None:
            return
        if chosen == NEW:
            self.drafting.start(drafts.empty())
        elif chosen == AWAY:
            self.app.push_screen(
                Confirm(
                    "Throw the draft away?",
                    f"{len(self.drafting.draft.patterns)} patterns are gone then.",
                    "Throw away",
                ),
                self.throw_away,
            )
            return
        else:
            self.drafting.open(int(chosen))
        self.show_draft()
        self.after_change()

    def throw_away(self, sure: bool | None) -> None:
        if sure:
            self.drafting.forget()
            self.drafting.open_last()
            self.show_draft()
            self.after_change()

    def action_preview(self) -> None:
        provider = self.prefill.provider()
        template = drafts.finished(self.drafting.draft, self.drafting.redactor)
        told = build_conversation(template, provider)
        problems = [*told.problems, *validate(told.messages, provider)]
        self.read_whole(f"As {provider} gets it", as_chat(told.messages, problems).lines)

    def read_whole(self, title: str, lines: Sequence[Line]) -> None:
        self.app.push_screen(Pages(title, lines))


def checked_arguments(text: str) -> None:
    try:
        value = json.loads(text, parse_constant=lambda name: _no(f"{name} is no JSON."))
    except (ValueError, RecursionError) as error:
        raise Trouble(f"This is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Trouble("The arguments must be a JSON object: {...}")


def _no(told: str) -> None:
    raise Trouble(told)


def checked_tool(text: str) -> None:
    if not text.strip():
        raise Trouble("A tool must be named.")
