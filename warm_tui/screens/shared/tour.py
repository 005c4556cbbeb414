"""The first minute: what the screens are for, in a few cards; shown once, over the sample, and skipped by one key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Button, Static

from warm_tui.screens.shared.window import Window


class Card(NamedTuple):
    title: str
    text: str


CARDS = (
    Card("What this is", "Your agent records what it does. Warm TUI reads that, tells for every tool call whether it worked and "
         "why, and lets new sessions begin with what worked.\n\nThis is a sample: nothing you do here touches your own agent."),
    Card("Overview", "All sessions together: what failed against the time before, what changed, what is new and what waits for "
         "you. Arrows go from one to the next, Enter or a click opens what stands behind it; 0 brings you back here."),
    Card("Sessions", "On 1. Each row is a session; beside it, how it went. Error rates stand with what is known of them: 2 failures of 2 "
         "calls say less than 15 of 20.\n\nArrows move, Enter opens the transcript, / filters, s sorts. The mouse does all of it, too."),
    Card("Templates", "Curate picks calls that worked into a template. Templates shows the conversation that a new session gets of "
         "it; a lets the next sessions begin with it, after showing what changes, and x takes that back."),
    Card("Does it help?", "Compaction shows what shortening the context did to the work. Compare sets warm sessions, begun with a "
         "template, against cold ones. Both begin with a conclusion, and say so where nothing can be told."),
    Card("Three keys", "E explains what is under the cursor, every word and figure.\n? lists the keys of where you are.\nctrl+p "
         "finds any action by its name."),
)  # fmt: skip


class Tour(Window[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,right,space,l,n", "next", "Next"),
        Binding("left,h,backspace,p", "previous", "Back"),
        Binding("q,s", "close", show=False),
    ]
    KIND = "tour"

    def __init__(self, cards: Sequence[Card] = CARDS) -> None:
        super().__init__(cards[0].title, {"close": "Skip"})
        self.cards, self.at = cards, 0

    def body(self) -> ComposeResult:
        yield Static("", id="card", markup=False)

    def on_mount(self) -> None:
        self.show_card()

    def show_card(self) -> None:
        card, last = self.cards[self.at], self.at == len(self.cards) - 1
        window = self.query_one(".window")
        window.border_title = Content(card.title)
        window.border_subtitle = f"{self.at + 1} of {len(self.cards)}"
        self.query_one("#card", Static).update(card.text)
        onward = self.query_one("#next", Button)
        onward.label = Content.assemble(("Enter", "bold"), Content(" Begin" if last else " Next"))
        # By itself it keeps the width of what stood in it before.
        onward.refresh(layout=True)
        self.query_one("#previous", Button).disabled = self.at == 0

    def action_next(self) -> None:
        if self.at == len(self.cards) - 1:
            self.dismiss(None)
            return
        self.at += 1
        self.show_card()

    def action_previous(self) -> None:
        self.at = max(0, self.at - 1)
        self.show_card()
