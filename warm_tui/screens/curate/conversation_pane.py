"""What the agent will be given, as the draft stands: what the last change did to it is marked."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message as Event
from textual.widgets import Static

from warm_tui.presentation.lines import Line, Piece
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import plural
from warm_tui.templates.budget import Tokens
from warm_tui.templates.changes import changes
from warm_tui.templates.conversation import Conversation, Message, Problem, hidden_problems, validate
from warm_tui.templates.foreign import marks_of, notes_of
from warm_tui.templates.model import Template
from warm_tui.widgets.chat import as_chat
from warm_tui.widgets.pieces_view import PiecesView

CHANGED: Piece = ("▌ ", "mark")
GONE: Piece = ("− ", "failed")
MOST_GONE = 60


class ConversationPane(Vertical):
    class HeadClicked(Event):
        pass

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._messages: list[Message] | None = None
        self._changed: int | None = None
        """The line at which what changed begins."""
        self._starts: dict[int, int] = {}
        """The line at which each pattern begins."""

    def compose(self) -> ComposeResult:
        yield Static("", id="conversation-head", markup=False)
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

    def show(self, template: Template, conversation: Conversation, provider: str, tokens: Tokens) -> None:
        """It goes to what has changed since it was shown last; to begin with, nothing has."""
        messages = conversation.messages
        told = bool(template.patterns or template.addendum)
        problems = [*conversation.problems, *validate(messages, provider), *hidden_problems(messages)] if told else []
        said = [*problems, *(Problem(None, note) for note in notes_of(template, provider, ()))]
        chat = as_chat(messages, said, marks_of(template, conversation), conversation.failed)
        before = messages if self._messages is None else self._messages
        self._messages = messages
        change = changes(before, messages)
        lines: list[Line] = list(chat.lines[: chat.starts[0]] if chat.starts else chat.lines)
        margins: list[Piece] = [("  ", "")] * len(lines)
        first: int | None = None
        self._starts = {}
        ends = [*chat.starts[1:], len(chat.lines)]
        for at in range(len(messages) + 1):
            if at in change.gone or at in change.fresh:
                first = len(lines) if first is None else first
            if at in change.gone:
                lines.append([(gone_told(change.gone[at]), "failed")])
                margins.append(GONE)
            if at < len(messages):
                pattern = conversation.of_message[at]
                if pattern is not None:
                    self._starts.setdefault(pattern, len(lines))
                own = chat.lines[chat.starts[at] : ends[at]]
                lines += own
                margins += [CHANGED if at in change.fresh else ("  ", "")] * len(own)
        self.query_one("#conversation-head", Static).update(
            head(provider, len(messages), tokens, len(problems), changed=first is not None)
        )
        self.view.show(lines, margins=margins, keep=True)
        self._changed = first
        self.go_to_change()

    def go_to_change(self) -> None:
        if self._changed is not None:
            self.call_after_refresh(self.view.go_to, self._changed)

    def go_to(self, pattern: int) -> None:
        if pattern in self._starts:
            self.view.go_to(self._starts[pattern])


def head(provider: str, messages: int, tokens: Tokens, problems: int, *, changed: bool) -> str:
    parts = [f"As {provider} gets it: {plural(messages, 'message')}, {tokens} tokens"]
    if problems:
        parts.append(plural(problems, "problem"))
    if changed:
        parts.append(f"{CHANGED[0]}what the last step changed")
    return " · ".join(parts)


def gone_told(messages: Sequence[Message]) -> str:
    """What they said, as short as it can be known again by."""
    told = []
    for message in messages:
        calls = [call["function"] for call in message.get("tool_calls", ())]
        told += [f"{call['name']} {call['arguments']}" for call in calls]
        if message["role"] in ("user", "system"):
            told.append(f"“{message['content']}”")
    whole = shown_line(", ".join(each[:MOST_GONE] for each in told) or f"“{messages[0]['content']}”"[:MOST_GONE])
    return f"gone: {whole}"
