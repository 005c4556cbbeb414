"""A template as its model would get it, and what is to be said of that."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.agent.prefill import Prefill
from warm_tui.paths import Home
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates.budget import Tokens, count_tokens, warnings
from warm_tui.templates.conversation import Conversation, Problem, build_conversation, hidden_problems, validate
from warm_tui.templates.files import Stored
from warm_tui.templates.foreign import Foreign, marks_of, notes_of, unread
from warm_tui.templates.redaction import findings_in


class Preview(NamedTuple):
    name: str
    stamp: str
    provider: str
    conversation: Conversation
    tokens: Tokens
    problems: list[Problem]
    secrets: int
    marks: dict[int, str]
    """The messages that tell what came from outside, and how it came."""
    unread: list[Foreign]
    """What of that nobody has let stand."""
    notes: list[str]
    """What is to be said of it."""
    purpose: str

    def is_of(self, stored: Stored) -> bool:
        """Whether the file is still the one that was read."""
        return (self.name, self.stamp) == (stored.template.name, stored.stamp)

    def shows_the_same_as(self, other: Preview | None) -> bool:
        return other is not None and self[:3] == other[:3]

    def summary(self) -> str:
        said = [plural(len(each), word) for each, word in ((self.problems, "problem"), (self.notes, "note")) if each]
        problems = ", ".join(said) or "no problems"
        messages = plural(len(self.conversation.messages), "message")
        unread = [f"{len(self.unread)} unread from outside"] if self.unread else []
        instructing = sum(bool(text.signs) for text in self.unread)
        unread += [f"{instructing} of them like instructions"] if instructing else []
        return " · ".join([f"for {self.provider}", messages, f"{self.tokens} tokens", problems, *unread])


def preview_of(home: Home, stored: Stored, provider: str, window_share: float) -> Preview:
    """It counts tokens and looks for secrets: for a worker."""
    template = stored.template
    conversation = build_conversation(template, provider)
    tokens = count_tokens(conversation.messages)
    findings = findings_in(template, redactor_of(home))
    messages = conversation.messages
    problems = [*conversation.problems, *validate(messages, provider), *hidden_problems(messages)]
    problems += [Problem(None, text) for text in warnings(tokens.total, Prefill(home).window(), window_share)]
    for finding in findings:
        is_told = finding.pattern in conversation.patterns
        message = conversation.of_message.index(finding.pattern) if is_told else None
        problems.append(Problem(message, f"A secret stands in {finding.told}."))
    waiting = unread(home, template)
    return Preview(
        name=template.name,
        stamp=stored.stamp,
        provider=provider,
        conversation=conversation,
        tokens=tokens,
        problems=problems,
        secrets=len(findings),
        marks=marks_of(template, conversation),
        unread=waiting,
        notes=notes_of(template, provider, waiting),
        purpose=clean_line(template.description),
    )
