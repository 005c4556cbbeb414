"""One session, or the whole chain it belongs to, turn by turn and call by call."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.overrides import Override
from warm_tui.library.verdicts import set_verdict, unset_verdict
from warm_tui.paths import Home
from warm_tui.presentation.heads import indent_of
from warm_tui.presentation.lines import Line, cropped, text_of
from warm_tui.presentation.recorded import body_of
from warm_tui.reliability.outcome import Verdict, beside
from warm_tui.reliability.profile import Profile, judged
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.own_verdicts import OwnVerdicts
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.picking import InPlace, Picking
from warm_tui.screens.shared.window import or_back
from warm_tui.screens.transcript.following import FollowingAgent
from warm_tui.screens.transcript.subagents import Subagents
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.model import Call, SessionName
from warm_tui.sessions.source import AgentFacts, Source
from warm_tui.sessions.subagents import with_helpers
from warm_tui.sessions.text import clean_line
from warm_tui.sessions.transcript import Item, beginning, transcript
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.minimap import Minimap
from warm_tui.widgets.transcript_view import TranscriptView
from warm_tui.widgets.working import work

# Long sessions are shown from their beginning, and only then is the rest read: both at once is slower.
FIRST_ROWS = 100
LONGEST_PAINT = 1.0
LONGEST_TITLE = 60
TAKE_BACK = "take-back"
OUTCOMES = (("success", "✓ It succeeded"), ("failure", "✗ It failed"), ("unknown", "? It cannot be told"))


class TranscriptScreen(FollowingAgent, Subagents, Picking, OwnVerdicts, Screen[None]):
    """Look inside, and judge for oneself."""

    BINDINGS: ClassVar = actions.bindings("transcript")
    SCOPES = ("transcript", "list", "app")
    MODE = "show-sessions"

    class Read(Message):
        def __init__(
            self, items: list[Item], verdicts: dict[tuple[str, str], Verdict], facts: AgentFacts, *, all_read: bool
        ) -> None:
            self.items, self.verdicts, self.facts, self.all_read = items, verdicts, facts, all_read
            super().__init__()

    class Failed(Message):
        def __init__(self, sentence: str) -> None:
            self.sentence = sentence
            super().__init__()

    def __init__(
        self, profile: Profile, home: Home | None = None, where: str = "", begin_at: tuple[str, str] | None = None
    ) -> None:
        """`where` tells what the session is part of, `begin_at` session and key of the call to go to."""
        super().__init__()
        self._where = where
        self.profile = profile
        self._home = home
        self.chained = bool(profile.parts or profile.part_of)
        self.session_id = profile.session_id
        """The session that is shown, where it is shown alone."""
        # Where to begin: a chain is opened at the session that was chosen.
        self.goto: Callable[[Item], bool] | None = lambda item: item.session_id == profile.session_id
        if begin_at is not None:
            self.goto = lambda item: _name_of(item) == begin_at
        self.begun = Event()
        self.all_read = False
        self.facts: AgentFacts | None = None
        """Of the agent that recorded it, once it is read."""

    @property
    def home(self) -> Home:
        """An experiment's sessions are recorded elsewhere."""
        return self._home or super().home

    def compose(self) -> ComposeResult:
        yield from self.top()
        view = TranscriptView()
        with Horizontal():
            yield view
            yield Minimap(view)
            yield self.empty()
        yield FilterBar(placeholder="words in texts, arguments and results", check=lambda _: None)
        yield from self.below()

    def on_mount(self) -> None:
        # Keys pressed fast may have closed the screen before it was there.
        for view in self.query(TranscriptView):
            view.focus()
        self.load()

    @work(thread=True, exclusive=True, group="transcript")
    def load(self) -> None:
        anew = self.all_read
        try:
            with Catalog(self.home) as catalog:
                source, session = catalog.find(self.session_id)
                self.reads(source.path)
                alone = not self.chained and self.profile.relation not in ("branch", "compression_chain")
                if alone and not self.all_read and self.profile.message_count > 2 * FIRST_ROWS:
                    self.hand_over(beginning(source, session, FIRST_ROWS), source, catalog, all_read=False)
                    self.begun.wait(LONGEST_PAINT)
                life = read_life(source, session)
                items = transcript(life, None if self.chained else session, catalog.noted_reviews())
                if not anew:
                    self.hand_over(items, source, catalog, all_read=True)
                told = with_helpers(source, items)
                if anew or len(told) > len(items):
                    self.hand_over(told, source, catalog, all_read=True)
        except Trouble as trouble:
            self.post_message(self.Failed(str(trouble)))

    def hand_over(self, items: list[Item], source: Source, catalog: Catalog, *, all_read: bool) -> None:
        """Hand on what has been read, each call with its verdict, the operator's own first."""
        members = {item.session_id for item in items}
        own = {name: catalog.own(member) for name in members if (member := source.session(name)) is not None}
        verdicts = {
            (call.session_id, call.key): beside(own.get(call.session_id, {}).get(call.key), verdict)
            for call, verdict in judged([item.call for item in items if item.call is not None], source.facts)
        }
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(items, verdicts, source.facts, all_read=all_read))

    def on_transcript_screen_read(self, message: Read) -> None:
        self.all_read, self.facts = message.all_read, message.facts
        if message.all_read:
            self.has_read()
        for view in self.query(TranscriptView):
            view.picked = self.drafting.picked_calls()
            self.show_empty("")
            with self.staying_at_end():
                view.show(message.items, message.verdicts)
            if self._seen is None and message.all_read:
                self._seen = view.own_count
            if self.goto is not None:
                # It may lie behind the beginning that is shown first.
                place = next((at for at, item in enumerate(view.told) if self.goto(item)), None)
                if place is not None:
                    view.reveal(place)
                if place is not None or message.all_read:
                    self.goto = None
            self.shown_anew()
            self.go_where_was_asked()
            self.call_after_refresh(self.begun.set)

    def on_screen_resume(self) -> None:
        self.show_picked()

    def after_pick(self) -> None:
        super().after_pick()
        self.show_picked()

    def show_picked(self) -> None:
        """What is in the draft is marked."""
        for view in self.query(TranscriptView):
            view.picked = self.drafting.picked_calls()
            view.refresh()

    def on_transcript_screen_failed(self, message: Failed) -> None:
        self.has_read()
        self.go_nowhere()
        sentence = clean_line(message.sentence)
        self.query_one("#header", Static).update(sentence)
        if not self.view.items:
            self.show_empty(sentence)

    def shown_anew(self) -> None:
        """The items or their verdicts are others now."""
        self.query_one(Minimap).show()
        self.find()
        self.show_header()

    def on_transcript_view_moved(self) -> None:
        self.show_header()

    def on_transcript_view_refolded(self) -> None:
        self.query_one(Minimap).show()
        self.show_header()

    def show_header(self) -> None:
        view, profile = self.view, self.profile
        parts = [self.where_among_matches(), self.where_among_failures(), self._where]
        if self.profile.machine:
            parts.insert(0, f"from {self.profile.machine}, masked there")
        parts += [
            cropped(clean_line(profile.title or profile.first_message or profile.session_id), LONGEST_TITLE),
            self.profile.session_id if self.chained else self.session_id,
            f"{view.cursor + 1 if view.items else 0:,} of {len(view.items):,}",
            self.how_it_follows(),
            "the whole chain" if self.chained else "this session",
        ]
        self.query_one("#header", Static).update("  ·  ".join(clean_line(part) for part in parts if part))

    def action_back(self) -> None:
        self.dismiss(None)

    def action_clear_search(self) -> None:
        if self.stop_picking():
            return
        if self.view.search_text:
            self.end_search()
        else:
            self.dismiss(None)

    def action_unfold(self) -> None:
        self.view.toggle()

    def action_fold_values(self) -> None:
        self.view.fold_values()

    def action_whole_chain(self) -> None:
        under = self.view.under_cursor
        if under is not None:
            self.goto = lambda item: item == under
            self.session_id = under.session_id
        self.chained = not self.chained
        self.all_read, self._seen = False, None
        self.view.show((), {})
        self.load()

    def open_helper(self, profile: Profile) -> None:
        self.app.push_screen(TranscriptScreen(profile, self._home))

    # --- looking and taking ---

    def whole(self) -> list[Line]:
        item = self.view.under_cursor
        return [] if item is None else body_of(item, self.view.verdict(self.view.cursor))

    def action_pager(self) -> None:
        item = self.view.under_cursor
        if item is not None:
            self.app.push_screen(Pages(clean_line(item.call.tool_name if item.call else item.kind), self.whole()))

    def action_copy(self) -> None:
        self.copy("\n".join(text_of(line) for line in self.whole()), "what is under the cursor")

    def action_export(self) -> None:
        lines = []
        for item in self.view.told:
            verdict = self.view.verdicts.get((item.call.session_id, item.call.key)) if item.call else None
            lead = f"{text_of(indent_of(item))}    "
            lines.append(text_of(self.view.head_of(item, verdict, is_open=True)))
            lines += [lead + text_of(line) for line in body_of(item, verdict)]
        self.save_export(f"{clean_line(self.profile.session_id)}.txt".replace("/", "_"), "\n".join(lines) + "\n")

    def action_pick(self) -> None:
        """Into the draft, without leaving."""
        item, verdict = self.view.under_cursor, self.view.verdict(self.view.cursor)
        if item is None or item.call is None or verdict is None:
            self.notify("Only a call can be picked: move the cursor to one.", markup=False)
        elif not self.all_read or self.facts is None:
            self.notify("It is still being read; try again.", markup=False)
        else:
            told = [each for each in self.view.told if each.within == item.within]
            call = item.call
            self.pick_call(InPlace(call, lambda: told, self.view.verdicts, self.facts, call.session_id, self.profile))

    # --- the operator's own verdict ---

    def action_verdict(self) -> None:
        item = self.view.under_cursor
        if self.profile.machine:
            self.notify(f"Verdicts on sessions of {self.profile.machine} are given there.", markup=False)
            return
        if item is None or item.call is None:
            self.notify("A verdict is on a call: move the cursor to one.", markup=False)
            return
        verdict = self.view.verdict(self.view.cursor)
        undo = [(TAKE_BACK, "Take yours back")] if verdict is not None and verdict.is_own else []
        # Of that call, wherever the cursor is when it was answered: more may be read meanwhile.
        self.app.push_screen(ChooseOne("Your verdict", [*OUTCOMES, *undo]), partial(self.ask_why, item.call))

    def ask_why(self, call: Call, outcome: str | None) -> None:
        if outcome is None:
            return
        if outcome == TAKE_BACK:
            self.forget_verdict(call)
            return

        answered = or_back(partial(self.keep_verdict, call, outcome), self.action_verdict)
        self.app.push_screen(Ask("Why? (a word for later; may be empty)"), answered)

    def keep_verdict(self, call: Call, outcome: str, reason: str) -> None:
        self.change(call, lambda library, name: set_verdict(library, name, call.key, outcome, reason))  # type: ignore[arg-type]

    def forget_verdict(self, call: Call) -> None:
        self.change(call, lambda library, name: unset_verdict(library, name, call.key))

    def shows_call(self, override: Override) -> bool:
        wanted = (override.session_id, override.key)
        place = next((at for at, item in enumerate(self.view.told) if _name_of(item) == wanted), None)
        if place is not None:
            self.view.reveal(place)
        return place is not None

    def verdicts_changed(self) -> None:
        self.load()

    def action_undo_verdict(self) -> None:
        item, verdict = self.view.under_cursor, self.view.verdict(self.view.cursor)
        if item is None or item.call is None or verdict is None or not verdict.is_own:
            self.notify("There is no verdict of yours here.", markup=False)
            return
        self.forget_verdict(item.call)

    @work(thread=True, group="verdict")
    def change(self, call: Call, what: Callable[[Library, SessionName], None]) -> None:
        """Write it, beside the screen: the library may be busy. Then show what holds now."""
        try:
            with Catalog(self.home) as catalog:
                source, shown = catalog.find(self.session_id)
                session = source.session(call.session_id) or shown
                what(catalog.library, session.name)
                own = catalog.own(session)
        except (Trouble, sqlite3.Error) as error:
            sentence = f"The verdict was not kept: {error}"
            self.app.call_from_thread(self.notify, clean_line(sentence), severity="error", timeout=20, markup=False)
            return
        self.app.call_from_thread(self.changed, call, own.get(call.key))

    def changed(self, call: Call, own: Verdict | None) -> None:
        for view in self.query(TranscriptView):
            held = view.verdicts[call.session_id, call.key]
            view.verdicts[call.session_id, call.key] = beside(own, held.ours or held)
            at = next((at for at, item in enumerate(view.items) if item.call == call), None)
            if at is not None:
                view.forget(at)
            self.shown_anew()


def _name_of(item: Item) -> tuple[str, str] | None:
    return (item.session_id, item.call.key) if item.call else None
