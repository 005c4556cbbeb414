"""A template in the making: what an operator does to it, and what is to be said of each of its patterns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from warm_tui.reliability.shape import shape_of
from warm_tui.secrets.detection import Secret
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.tokens import MESSAGE
from warm_tui.templates.budget import Tokens, count_tokens
from warm_tui.templates.building import new_template
from warm_tui.templates.conversation import DONE, MOST_PATTERNS, PROVIDERS, build_conversation, wire
from warm_tui.templates.foreign import foreign_in
from warm_tui.templates.formats import as_version_2, read_template, write_template
from warm_tui.templates.model import Pattern, Template, WhoseAddendum
from warm_tui.templates.outside import still_quotes
from warm_tui.templates.redaction import redacted, secrets_of
from warm_tui.templates.visible import hidden_within, visible_template


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    template: Template
    refused: tuple[str, ...] = ()
    """The placeholders of what the operator said is no secret."""
    base: str = ""
    """The template that this is an edit of, and how its file stood."""
    base_stamp: str = ""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return self.template.patterns

    @property
    def name(self) -> str:
        return self.template.name


def to_document(draft: Draft) -> dict[str, Any]:
    document = write_template(draft.template)
    patterns = document.pop("patterns")
    return {
        "name": draft.name,
        "template": document,
        "patterns": patterns,
        "refused": list(draft.refused),
        "base": draft.base,
        "base_stamp": draft.base_stamp,
    }


def from_document(document: Mapping[str, Any]) -> Draft:
    name = str(document.get("name", ""))
    template = read_template({**document.get("template", {}), "patterns": list(document.get("patterns", ()))}, name)
    return Draft(
        template=template,
        refused=tuple(map(str, document.get("refused", ()))),
        base=str(document.get("base", "")),
        base_stamp=str(document.get("base_stamp", "")),
    )


def empty(name: str = "") -> Draft:
    return Draft(template=Template(name=name))


def edit_of(template: Template, stamp: str) -> Draft:
    return Draft(template=as_version_2(template), base=template.name, base_stamp=stamp)


# --- what an operator does ---


def with_patterns(draft: Draft, patterns: Sequence[Pattern]) -> Draft:
    return msgspec.structs.replace(
        draft, template=msgspec.structs.replace(draft.template, patterns=_loosened(patterns))
    )


def _loosened(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """The first has nothing to be joined to."""
    if patterns and patterns[0].joined:
        patterns = [msgspec.structs.replace(patterns[0], joined=False), *patterns[1:]]
    return tuple(patterns)


def picked(draft: Draft, call: tuple[str, str]) -> int | None:
    """Where the call stands, by its session and key."""
    places = (at for at, p in enumerate(draft.patterns) if (p.origin.session_id, p.origin.call) == call)
    return next(places, None)


def added(draft: Draft, pattern: Pattern) -> Draft:
    return with_patterns(draft, [*draft.patterns, pattern])


def dropped(draft: Draft, at: int) -> Draft:
    return with_patterns(draft, [p for number, p in enumerate(draft.patterns) if number != at])


def moved(draft: Draft, at: int, to: int) -> Draft:
    patterns = list(draft.patterns)
    patterns.insert(to, patterns.pop(at))
    return with_patterns(draft, patterns)


def changed(draft: Draft, at: int, **fields: Any) -> Draft:
    patterns = list(draft.patterns)
    patterns[at] = msgspec.structs.replace(patterns[at], **fields)
    return with_patterns(draft, patterns)


def written(draft: Draft, at: int, field: str, value: Any) -> Draft:
    """As `changed`, by somebody who wrote it by hand: the words are theirs. What still repeats outside text is not."""
    pattern = draft.patterns[at]
    if field not in ("context", "arguments", "result"):
        return changed(draft, at, **{field: value})
    before, after = (json.dumps(each) if field == "arguments" else each for each in (getattr(pattern, field), value))
    foreign = field != "context" and getattr(pattern.whose, field) in ("outside", "")
    if not foreign or not still_quotes(after, before):
        pattern = msgspec.structs.replace(pattern, whose=msgspec.structs.replace(pattern.whose, **{field: "user"}))
    return changed(draft, at, **{field: value, "whose": pattern.whose})


def described(draft: Draft, **fields: Any) -> Draft:
    """With words that somebody typed."""
    if fields.get("addendum", draft.template.addendum) != draft.template.addendum:
        fields["whose"] = WhoseAddendum(addendum="user")
    return msgspec.structs.replace(draft, template=msgspec.structs.replace(draft.template, **fields))


def finished(draft: Draft, redactor: Redactor, *, keep_invisible: bool = False) -> Template:
    """What is saved: all of it visible, and the secrets masked, unless the operator let them stand."""
    fresh = new_template(draft.name, draft.patterns)
    made = msgspec.structs.replace(
        draft.template,
        source_session_ids=fresh.source_session_ids,
        created_at=draft.template.created_at or fresh.created_at,
        task_type=fresh.task_type,
    )
    # First: what is invisible within a secret hides it.
    return redacted(made if keep_invisible else visible_template(made), redactor, frozenset(draft.refused))


# --- what is to be said of each pattern ---


class Flags(NamedTuple):
    """What an operator should know of one pattern before it is saved."""

    tokens: Tokens
    secrets: tuple[Secret, ...]
    same_as: int | None
    like: int | None
    untold: str
    failed: bool
    outside: bool
    hidden: int = 0
    """How many invisible characters."""

    @property
    def told(self) -> list[str]:
        words = []
        if self.outside:
            words.append("from outside")
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
    words: int
    """Tokens of what the user says; none of a pattern that is joined to another."""
    tokens: int
    exact: bool
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

    def flags(self, draft: Draft) -> list[Flags]:
        flags_of_all: list[Flags] = []
        first_same: dict[str, int] = {}
        first_like: dict[str, int] = {}
        refused = set(draft.refused)
        for at, pattern in enumerate(draft.patterns):
            seen = self._look(pattern)
            flags_of_all.append(
                Flags(
                    tokens=Tokens(seen.tokens, seen.exact),
                    secrets=tuple(s for s in seen.secrets if self.redactor.placeholder(s.value) not in refused),
                    same_as=first_same.get(seen.same),
                    like=first_like.get(seen.like),
                    untold=seen.untold or (f"beyond the first {MOST_PATTERNS}" if at >= MOST_PATTERNS else ""),
                    failed=not pattern.succeeded,
                    outside=bool(foreign_in(pattern, at)),
                    hidden=seen.hidden,
                )
            )
            first_same.setdefault(seen.same, at)
            first_like.setdefault(seen.like, at)
        return flags_of_all

    def meter(self, draft: Draft, provider: str) -> Tokens:
        """What the whole draft takes, added up from its patterns."""
        rules = PROVIDERS[provider]
        seen = [self._look(pattern) for pattern in draft.patterns]
        addendum = wire(draft.template.addendum)
        total = sum(each.tokens - (each.words if each.pattern.joined else 0) for each in seen)
        if addendum:
            total += count_tokens([{"role": "system", "content": addendum}]).total - (0 if rules.system else MESSAGE)
        if rules.alternates:
            groups = sum(not each.pattern.joined for each in seen if each.tokens)
            total += groups * count_tokens([{"role": "assistant", "content": DONE}]).total
        return Tokens(total, all(each.exact for each in seen))

    def _look(self, pattern: Pattern) -> Seen:
        seen = self._seen.get(id(pattern))
        if seen is None:
            alone = msgspec.structs.replace(pattern, joined=False)
            conversation = build_conversation(Template(name="", patterns=(alone,)))
            secrets = {secret.value: secret for _, secret in secrets_of(pattern, self.redactor)}
            arguments = pattern.arguments or {}
            tokens = count_tokens(conversation.messages)
            seen = self._seen[id(pattern)] = Seen(
                pattern=pattern,
                words=count_tokens(conversation.messages[:1]).total,
                tokens=tokens.total,
                exact=tokens.exact,
                secrets=tuple(secrets.values()),
                same=f"{pattern.tool_name} {json.dumps(arguments, sort_keys=True, default=str)}",
                like=shape_of(pattern.tool_name, arguments),
                hidden=len(hidden_within((pattern.tool_name, arguments, pattern.result, pattern.context))),
                untold=conversation.problems[0].text.partition(": ")[2].rstrip(".") if conversation.problems else "",
            )
        return seen
