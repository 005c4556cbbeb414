"""What the agent will be given, as the draft stands: what the last change did to it is marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message as Event
from textual.widgets import Static

from warm_tui import actions
from warm_tui.choices import remapped_keys
from warm_tui.presentation.calls import call_words
from warm_tui.presentation.lines import Line, Piece
from warm_tui.screens.shared.frame import OfHome
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import plural
from warm_tui.templates.changes import Changes, changes
from warm_tui.templates.conversation import Conversation, Message, Problem, hidden_problems, validate
from warm_tui.templates.foreign import marks_of, notes_of
from warm_tui.templates.model import Template
from warm_tui.widgets.chat import Chat, as_chat
from warm_tui.widgets.pieces_view import PiecesView

CHANGED: Piece = ("▌ ", "mark")
GONE: Piece = ("− ", "failed")
UNCHANGED: Piece = ("  ", "")
MOST_GONE = 60
EMPTY: list[Line] = [[("What the agent will be given is shown here, as it grows.", "dim")]]


class LaidOut(NamedTuple):
    lines: list[Line]
    margins: list[Piece]
    starts: dict[int, int]
    """The line at which each pattern begins."""
    changed: int | None
    """The first that is new, or tells what is gone."""


class ConversationPane(Vertical):
    class HeadClicked(Event):
        pass

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._messages: list[Message] | None = None
        self._shown = LaidOut([], [], {}, None)
        self._told = ""

    def compose(self) -> ComposeResult:
        head = Static("", id="conversation-head", markup=False)
        head.tooltip = "A click folds the conversation away, or shows it; so does v."
        yield head
        yield PiecesView(id="conversation")

    @property
    def view(self) -> PiecesView:
        return self.query_one(PiecesView)

    @property
    def is_open(self) -> bool:
        return self.view.display

    def on_click(self, event: events.Click) -> None:
        if event.widget is self.query_one("#conversation-head"):
            self.post_message(self.HeadClicked())

    def show(self, template: Template, conversation: Conversation, provider: str) -> None:
        """It goes to what has changed since it was shown last; to begin with, nothing has."""
        messages = conversation.messages
        before = messages if self._messages is None else self._messages
        self._messages = messages
        problems: list[Problem] = []
        if template.patterns or template.addendum:
            problems = [*conversation.problems, *validate(messages, provider), *hidden_problems(messages)]
        said = [*problems, *(Problem(None, note) for note in notes_of(template, provider, ()))]
        chat = as_chat(messages, said, marks_of(template, conversation), conversation.failed)
        self._shown = laid_out(chat, changes(before, messages), conversation.of_message)
        told = [f"As {provider} gets it: {plural(len(messages), 'message')}"]
        told += [plural(len(problems), "problem")] if problems else []
        told += [f"{CHANGED[0]}changed"] if self._shown.changed is not None else []
        self._told = " · ".join(told)
        self._tell()
        if self._shown.lines:
            self.view.show(self._shown.lines, margins=self._shown.margins, keep=True)
        else:
            self.view.show(EMPTY)
        self.go_to_change()

    def on_resize(self) -> None:
        """Unfolded, too."""
        self._tell()
        self.go_to_change()

    def _tell(self) -> None:
        """A head with nothing below it says by which key there is something."""
        keys = remapped_keys(cast(OfHome, self.app).choices).get("curate.conversation", "v")
        sign = "▾" if self.is_open else f"▸ {actions.readable(keys)} "
        self.query_one("#conversation-head", Static).update(f"{sign} {self._told}" if self._told else "")

    def go_to_change(self) -> None:
        if self._shown.changed is not None:
            self.call_after_refresh(self.view.go_to, self._shown.changed)

    def go_to(self, pattern: int) -> None:
        if pattern in self._shown.starts:
            self.view.go_to(self._shown.starts[pattern])


def laid_out(chat: Chat, change: Changes, of_message: Sequence[int | None]) -> LaidOut:
    """Each message with what tells whether it is new, and before it what was there and is gone."""
    begin = chat.starts[0] if chat.starts else len(chat.lines)
    lines: list[Line] = list(chat.lines[:begin])
    margins = [UNCHANGED] * len(lines)
    starts: dict[int, int] = {}
    changed: int | None = None
    for at, (start, end) in enumerate(pairwise([*chat.starts, len(chat.lines), len(chat.lines)])):
        if changed is None and (at in change.gone or at in change.fresh):
            changed = len(lines)
        if at in change.gone:
            lines.append([(gone_told(change.gone[at]), "failed")])
            margins.append(GONE)
        pattern = of_message[at] if at < len(of_message) else None
        if pattern is not None:
            starts.setdefault(pattern, len(lines))
        lines += chat.lines[start:end]
        margins += [CHANGED if at in change.fresh else UNCHANGED] * (end - start)
    return LaidOut(lines, margins, starts, changed)


def gone_told(messages: Sequence[Message]) -> str:
    """What they said, as short as it can be known again by."""
    told = []
    for message in messages:
        calls = [call["function"] for call in message.get("tool_calls", ())]
        told += [call_words(call["name"], call["arguments"]) for call in calls]
        if message["role"] in ("user", "system"):
            told.append(f"“{message['content']}”")
    whole = shown_line(", ".join(each[:MOST_GONE] for each in told) or f"“{messages[0]['content']}”"[:MOST_GONE])
    return f"gone: {whole}"
