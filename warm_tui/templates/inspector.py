"""What is to be said of each pattern of a draft, and the draft as its model would get it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import msgspec

from warm_tui.reliability.shape import shape_of
from warm_tui.secrets.detection import Secret
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.budget import Cost, Tokens, cost_of
from warm_tui.templates.conversation import MOST_PATTERNS, build_conversation
from warm_tui.templates.draft import Draft
from warm_tui.templates.foreign import foreign_in
from warm_tui.templates.formats import read_template, write_template
from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.redaction import secrets_of
from warm_tui.templates.visible import hidden_within, visible_template


class Flags(NamedTuple):
    """What an operator should know of one pattern before it is saved."""

    tokens: Tokens
    secrets: tuple[Secret, ...]
    same_as: int | None
    like: int | None
    untold: str
    failed: bool
    outside: bool
    instructs: bool = False
    """Something of that reads like instructions."""
    hidden: int = 0
    """How many invisible characters."""

    @property
    def told(self) -> list[str]:
        words = []
        if self.outside:
            words.append("reads like instructions" if self.instructs else "from outside")
        if self.secrets:
            words.append(f"{len(self.secrets)} secret{'s' * (len(self.secrets) > 1)}")
        if self.hidden:
            words.append(f"{self.hidden:,} invisible")
        if self.same_as is not None:
            words.append(f"same as {self.same_as + 1}")
        elif self.like is not None:
            words.append(f"like {self.like + 1}")
        if self.untold:
            words.append(self.untold)
        if self.failed:
            words.append("its call did not succeed")
        return words


class Seen(NamedTuple):
    """What was found out about a pattern. It is kept with it, so that its id is not given to another."""

    pattern: Pattern
    visible: Pattern
    secrets: tuple[Secret, ...]
    same: str
    like: str
    untold: str
    hidden: int


class Inspector:
    """Remembers what it found out about a pattern: only what changed is looked at again."""

    def __init__(self, redactor: Redactor) -> None:
        self.redactor = redactor
        self._seen: dict[int, Seen] = {}
        self._costs: dict[tuple[int, str], tuple[Pattern, Cost]] = {}
        self._masked: tuple[Draft | None, Template] = (None, Template(name=""))
        """The last draft that had secrets, and that without them."""
        self._words: tuple[dict[str, Any], tuple[Secret, ...]] = ({}, ())

    def flags(self, draft: Draft, provider: str) -> list[Flags]:
        flags_of_all: list[Flags] = []
        first_same: dict[str, int] = {}
        first_like: dict[str, int] = {}
        told = self.told(draft).patterns
        foreign = [foreign_in(pattern, at) for at, pattern in enumerate(draft.patterns)]
        for at, pattern in enumerate(draft.patterns):
            seen, cost = self._look(pattern), self._cost(told[at], provider)
            flags_of_all.append(
                Flags(
                    tokens=cost.joined if pattern.joined else cost.alone,
                    secrets=tuple(s for s in seen.secrets if not self._is_refused(s, draft)),
                    same_as=first_same.get(seen.same),
                    like=first_like.get(seen.like),
                    untold=seen.untold or (f"beyond the first {MOST_PATTERNS}" if at >= MOST_PATTERNS else ""),
                    failed=not pattern.succeeded,
                    outside=bool(foreign[at]),
                    instructs=any(text.signs for text in foreign[at]),
                    hidden=seen.hidden,
                )
            )
            first_same.setdefault(seen.same, at)
            first_like.setdefault(seen.like, at)
        return flags_of_all

    def told(self, draft: Draft) -> Template:
        """As it would be saved, with what is said of where it comes from left as it is."""
        words = visible_template(msgspec.structs.replace(draft.template, patterns=()))
        seen = [self._look(pattern) for pattern in draft.patterns]
        found = [*self._secrets_of_words(words), *(secret for each in seen for secret in each.secrets)]
        values = {secret.value for secret in found if not self._is_refused(secret, draft)}
        template = msgspec.structs.replace(words, patterns=tuple(each.visible for each in seen))
        if values and self._masked[0] is not draft:
            masked = self.redactor.mask_within(write_template(template), values)
            self._masked = draft, read_template(masked, template.name)
        return self._masked[1] if values else template

    def _cost(self, pattern: Pattern, provider: str) -> Cost:
        known = self._costs.get((id(pattern), provider))
        if known is None:
            known = self._costs[id(pattern), provider] = pattern, cost_of(pattern, provider)
        return known[1]

    def _is_refused(self, secret: Secret, draft: Draft) -> bool:
        return bool(draft.refused) and self.redactor.placeholder(secret.value) in draft.refused

    def _secrets_of_words(self, words: Template) -> tuple[Secret, ...]:
        document = write_template(words)
        if self._words[0] != document:
            self._words = document, tuple(self.redactor.secrets_within(document))
        return self._words[1]

    def _look(self, pattern: Pattern) -> Seen:
        seen = self._seen.get(id(pattern))
        if seen is None:
            alone = msgspec.structs.replace(pattern, joined=False)
            conversation = build_conversation(Template(name="", patterns=(alone,)))
            visible = visible_template(Template(name="", patterns=(pattern,))).patterns[0]
            secrets = {secret.value: secret for _, secret in secrets_of(visible, self.redactor)}
            arguments = pattern.arguments or {}
            seen = self._seen[id(pattern)] = Seen(
                pattern=pattern,
                visible=visible,
                secrets=tuple(secrets.values()),
                same=f"{pattern.tool_name} {json.dumps(arguments, sort_keys=True, default=str)}",
                like=shape_of(pattern.tool_name, arguments),
                hidden=len(_hidden_in(pattern)),
                untold=conversation.problems[0].text.partition(": ")[2].rstrip(".") if conversation.problems else "",
            )
        return seen


def _hidden_in(pattern: Pattern) -> str:
    hidden = hidden_within((pattern.tool_name, pattern.arguments or {}, pattern.result, pattern.context))
    return hidden + (_hidden_in(pattern.mended) if pattern.mended else "")
