"""The draft beside the candidates: its patterns, what is to be said of them, and what can be done to them."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.presentation import glossary
from warm_tui.screens.curate.conversation_pane import ConversationPane
from warm_tui.screens.curate.draft_list import FIELDS, DraftList, DraftRow
from warm_tui.screens.curate.hint_editor import HintEditor
from warm_tui.screens.curate.pattern_fields import (
    as_text,
    check_field,
    check_fields,
    from_text,
    pattern_by_hand,
    secret_options,
    value_of,
    with_secret_turned,
)
from warm_tui.screens.curate.saving import Saving
from warm_tui.screens.curate.saving_dialogue import SavingDialogue
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.drafting import Drafting, NewerDraft
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.window import or_back
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates import draft as drafts
from warm_tui.templates.budget import Tokens, count_tokens, warnings
from warm_tui.templates.building import candidates_in
from warm_tui.templates.conversation import MOST_PATTERNS, build_conversation
from warm_tui.templates.draft import Draft
from warm_tui.templates.mining import told_result
from warm_tui.templates.model import FAILED
from warm_tui.widgets.working import work

EDITS = {
    "context": "What the user says",
    "arguments": "The arguments (JSON)",
    "result": "The result, as the model will get it",
    "tool_name": "The tool",
}
FAILED_EDITS = {
    f"{FAILED}arguments": "The failed call's arguments (JSON)",
    f"{FAILED}result": "The failed call's result",
}
BY_HAND = (
    Entry("context", "What the user says"),
    Entry("tool_name", "The tool", "terminal"),
    Entry("arguments", "The arguments (JSON)", '{"command": ""}'),
    Entry("result", "The result", '{"output": "", "exit_code": 0, "error": null}'),
)
EMPTY_HINT = "Nothing is picked yet.\n\nspace picks the call under the cursor,\na adds one by hand."
NEW, THROW_AWAY = "\x00new", "\x00away"


class DraftPane(Vertical):
    """Each act is one step of the draft, kept before it is shown."""

    class Changed(Message):
        """It is another draft now, or has other patterns."""

    class Saved(Message):
        """It became a template of this name, in which so many secrets were masked."""

        def __init__(self, name: str, masked: int) -> None:
            self.name, self.masked = name, masked
            super().__init__()

    def __init__(self, drafting: Drafting, window_share: float, *, id: str) -> None:
        super().__init__(id=id)
        self.drafting, self.window_share = drafting, window_share
        self._shown: tuple[Draft, str, int | None] | None = None
        """What the conversation is of."""
        self._followed: Draft | None = None
        """The draft in which the cursor stood last."""

    def compose(self) -> ComposeResult:
        head = Static("", id="draft-head", markup=False)
        head.tooltip = glossary.explained("draft head")
        yield head
        yield DraftList(id="draft")
        yield Static("", id="draft-empty", markup=False)
        yield HintEditor()
        yield ConversationPane(id="conversation-side")

    @property
    def draft_list(self) -> DraftList:
        return self.query_one(DraftList)

    @property
    def conversation(self) -> ConversationPane:
        return self.query_one(ConversationPane)

    @property
    def chosen(self) -> DraftRow | None:
        return self.draft_list.under_cursor

    # --- showing ---

    def show(self) -> None:
        draft = self.drafting.draft
        provider, window = self.drafting.model()
        inspector = self.drafting.inspector
        flags = inspector.flags(draft, provider)
        flagged = any(each.told for each in flags)
        self.draft_list.fields = tuple(field for field in FIELDS if flagged or field.name != "flags")
        self.draft_list.show([DraftRow(at, pattern, flags[at]) for at, pattern in enumerate(draft.patterns)], now=0.0)
        empty = self.query_one("#draft-empty", Static)
        empty.display = not draft.patterns
        empty.update(EMPTY_HINT)
        if self._shown != (draft, provider, window):
            self._shown = (draft, provider, window)
            template = inspector.told(draft)
            conversation = build_conversation(template, provider)
            tokens = count_tokens(conversation.messages)
            self.query_one("#draft-head", Static).update(self.head(tokens, window))
            # The row that was picked is painted first.
            self.call_after_refresh(self.conversation.show, template, conversation, provider)

    def head(self, tokens: Tokens, window: int | None) -> str:
        count = len(self.drafting.draft.patterns)
        of_window = f" of {window:,}" if window else ""
        parts = [self.draft_name(), f"{count} pattern{'s' * (count != 1)}", f"{tokens} tokens{of_window}"]
        beware = list(warnings(tokens.total, window, self.window_share))
        if count > MOST_PATTERNS:
            beware.append(f"Only the first {MOST_PATTERNS} are told, unless more are asked for.")
        return "\n".join([" · ".join(parts), *beware])

    def draft_name(self) -> str:
        """As it is saved, or by its number."""
        draft, record = self.drafting.draft, self.drafting.record
        if draft.name:
            return f"Draft: {clean_line(draft.name)}"
        return f"Draft {record.id}" if record else "Draft"

    def changed(self) -> None:
        self.show()
        self.post_message(self.Changed())

    def change(self, draft: Draft) -> None:
        self.drafting.step(draft)
        self.changed()

    # --- another instance may work on the same draft ---

    def follow(self) -> None:
        if self.drafting.may_have_changed():
            self.read_again()

    @work(thread=True, exclusive=True, group="draft")
    def read_again(self) -> None:
        newer = self.drafting.newer()
        if newer is not None:
            self.app.call_from_thread(self.take, newer)

    def take(self, newer: NewerDraft) -> None:
        if self.drafting.take(newer):
            self.changed()

    # --- the conversation ---

    def at_pattern(self, at: int) -> None:
        """The conversation goes along with the cursor; after a change it stands where that was."""
        moved, self._followed = self._followed is self.drafting.draft, self.drafting.draft
        if moved:
            self.conversation.go_to(at)

    def fold_conversation(self) -> None:
        """Away, or back; where there is little room it is away to begin with."""
        away = self.conversation.is_open
        self.set_class(away, "-folded")
        self.set_class(not away, "-unfolded")

    def on_conversation_pane_head_clicked(self) -> None:
        self.fold_conversation()

    # --- the pattern under the cursor ---

    def edit_hint(self) -> None:
        """Of one that is joined to others, the words that all of them answer."""
        if self.chosen is None:
            return
        patterns = self.drafting.draft.patterns
        head = next(at for at in range(self.chosen.at, -1, -1) if not patterns[at].joined)
        self.draft_list.move(head)
        if patterns[head].whose.context != "user" and patterns[head].context:
            self.notify("Nobody knows whose words these are: enter makes them yours.", markup=False)
        row = self.draft_list.region.y - self.region.y + 1 + head - self.draft_list.scroll_offset.y
        self.query_one(HintEditor).open(patterns[head], row)

    def on_hint_editor_kept(self, message: HintEditor.Kept) -> None:
        draft = self.drafting.draft
        at = next((at for at, pattern in enumerate(draft.patterns) if pattern is message.pattern), None)
        if at is not None:
            pattern = draft.patterns[at]
            if message.text != pattern.context or (pattern.context and pattern.whose.context != "user"):
                self.change(drafts.written(draft, at, "context", message.text))

    def on_hint_editor_closed(self) -> None:
        self.draft_list.focus()

    def on_resize(self) -> None:
        if self.query_one(HintEditor).display:
            self.draft_list.focus()

    def leave_failure_out(self) -> None:
        if self.chosen is not None and self.chosen.pattern.mended is not None:
            self.change(drafts.changed(self.drafting.draft, self.chosen.at, mended=None))
        else:
            self.notify("It has no failed call in it.", markup=False)

    def edit(self) -> None:
        row = self.chosen
        if row is not None:
            fields = {**EDITS, **(FAILED_EDITS if row.pattern.mended else {})}
            self.app.push_screen(ChooseOne(f"Edit pattern {row.at + 1}", list(fields.items())), self.edit_field)

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
            with Catalog(self.drafting.home) as catalog:
                candidates = candidates_in(catalog, catalog.profile(origin.session_id))
            wanted = (origin.session_id, origin.call)
            original = next((told_result(c.call.result or "") for c in candidates if c.name == wanted), "")
        except Trouble:
            pass
        self.app.call_from_thread(self.write, row, "result", original)

    def write(self, row: DraftRow, field: str, original: str) -> None:
        def written(text: str) -> None:
            value = from_text(field, text)
            if value != value_of(row.pattern, field) or is_nobodys:
                self.change(drafts.written(self.drafting.draft, row.at, field, value))

        # Whoever takes them as they are makes them their own words.
        is_nobodys = field == "context" and row.pattern.whose.context != "user" and bool(row.pattern.context)
        title = {**EDITS, **FAILED_EDITS}[field] + (" (nobody knows whose words these are)" if is_nobodys else "")
        window = Write(title, as_text(row.pattern, field), original, partial(check_field, field))
        self.app.push_screen(window, or_back(written, self.edit))

    def drop(self) -> None:
        if self.chosen is not None:
            self.change(drafts.dropped(self.drafting.draft, self.chosen.at))

    def move(self, at: int, to: int) -> None:
        if 0 <= to < len(self.drafting.draft.patterns):
            self.change(drafts.moved(self.drafting.draft, at, to))
            self.draft_list.move(to)

    def move_by(self, step: int) -> None:
        if self.chosen is not None:
            self.move(self.chosen.at, self.chosen.at + step)

    def on_draft_list_moved(self, message: DraftList.Moved) -> None:
        self.move(message.at, message.to)

    def on_draft_list_turned(self, message: DraftList.Turned) -> None:
        self.draft_list.move(message.at)
        self.join(joined=message.joined)

    def join(self, *, joined: bool | None = None) -> None:
        """To the one before, or split off: what is said, or else what it is not."""
        row = self.chosen
        if row is None:
            return
        joined = not row.pattern.joined if joined is None else joined
        if row.at == 0 and joined:
            self.notify("The first pattern has none before it to join.", markup=False)
        elif joined != row.pattern.joined:
            self.change(drafts.changed(self.drafting.draft, row.at, joined=joined))

    def add(self) -> None:
        def filled(fields: dict[str, str] | None) -> None:
            if fields is not None:
                self.change(drafts.added(self.drafting.draft, pattern_by_hand(fields)))

        self.app.push_screen(Form("A pattern by hand", BY_HAND, "Add it", check_fields), filled)

    # --- the draft ---

    def mask(self) -> None:
        """Every secret of the draft: where it stands, and whether it is masked."""
        self.look_for_secrets(self.drafting.draft, self.drafting.redactor)

    @work(thread=True, exclusive=True, group="secrets")
    def look_for_secrets(self, draft: Draft, redactor: Redactor) -> None:
        self.app.call_from_thread(self.choose_secrets, secret_options(draft, redactor))

    def choose_secrets(self, options: list[tuple[str, str]]) -> None:
        if not options:
            self.notify("No secret was found in this draft.", markup=False)
            return

        def turned(placeholder: str | None) -> None:
            if placeholder:
                self.change(with_secret_turned(self.drafting.draft, placeholder))
                self.mask()

        self.app.push_screen(ChooseOne("Secrets: Enter masks, or lets stand", options), turned)

    def undo(self) -> None:
        self.show_or_notify(self.drafting.undo(), "There is nothing to undo.")

    def redo(self) -> None:
        self.show_or_notify(self.drafting.redo(), "There is nothing to do again.")

    def show_or_notify(self, done: bool, otherwise: str) -> None:
        if done:
            self.changed()
        else:
            self.notify(otherwise, markup=False)

    def choose_draft(self) -> None:
        records, current = self.drafting.drafts.all(), self.drafting.record
        options = [
            (str(each.id), f"{clean_line(each.name) or f'Draft {each.id}'}, step {each.step}") for each in records
        ]
        options += [(NEW, "Begin another draft"), (THROW_AWAY, "Throw this draft away")]
        self.app.push_screen(ChooseOne("Drafts", options, str(current.id) if current else ""), self.open_draft)

    def open_draft(self, chosen: str | None) -> None:
        if chosen is None:
            return
        if chosen == THROW_AWAY:
            text = f"{plural(len(self.drafting.draft.patterns), 'pattern is', 'patterns are')} gone then."
            self.app.push_screen(Confirm("Throw the draft away?", text, "Throw away"), self.throw_away)
            return
        if chosen == NEW:
            self.drafting.start(drafts.empty())
        else:
            self.drafting.open(int(chosen))
        self.changed()

    def throw_away(self, sure: bool | None) -> None:
        if sure:
            self.drafting.forget()
            self.drafting.open_last()
            self.changed()

    def save(self) -> None:
        if not self.drafting.draft.patterns:
            self.notify("The draft is empty: pick a call first.", severity="warning", markup=False)
        else:
            SavingDialogue(self.app, Saving(self.drafting), self.change, self.saved).open()

    def saved(self, name: str, masked: int) -> None:
        self.changed()
        self.post_message(self.Saved(name, masked))
