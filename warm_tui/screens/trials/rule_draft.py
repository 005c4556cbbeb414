"""A rule in the making: what is filled in, which sessions of late it would have matched, and keeping it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from warm_tui.agent.trials import advice, check_one_way, revision_of
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.trials import Messages, keep_rule, rule_numbered, rules_of
from warm_tui.paths import Home
from warm_tui.presentation.lines import cropped
from warm_tui.reliability.filters import Filter
from warm_tui.screens.trials.trial_list import check_unchanged
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.foreign import Foreign, let_stand, unread
from warm_tui.templates.redaction import findings_in
from warm_tui.trials.guessing import CAUTION
from warm_tui.trials.rules import Beginning, Revision, Rule, When, check_rule, first_match

MOST_RECENT, MOST_TITLES, MOST_NAMED = 200, 3, 4
LONGEST_NAMED = 60
ANY = "any"
"""What is chosen where no task is asked for."""
FROM_OTHERS = ("delegate", "branch")
TEMPLATES = "templates"
KEPT, NOW = "kept:", "now:"
"""A template as it stands under the rule, or as its file is now."""


class Recent(NamedTuple):
    """A session of late, as it began."""

    beginning: Beginning
    title: str


class Offer(NamedTuple):
    """A template that may stand under the rule."""

    value: str
    title: str


class Prepared(NamedTuple):
    """A rule that may be kept, and what is to be said of its templates before."""

    rule: Rule
    messages: Mapping[str, Messages]
    secrets: int
    foreign: list[Foreign]
    """Texts from outside that nobody has read."""


def recent_sessions(home: Home) -> list[Recent]:
    """Of this home, the newest first, but for those that begin as warm as another that they come from. For a worker."""
    own = tuple(path for path in home.databases if path.parent == home.root)
    with Catalog(home._replace(databases=own).present) as catalog:
        listed = catalog.window(Filter(()), limit=2 * MOST_RECENT).profiles
    found = [
        Recent(
            Beginning(p.session_id, p.source, p.model or "", p.project or "", p.first_message),
            p.title or p.first_message or p.session_id,
        )
        for p in listed
        if p.relation not in FROM_OTHERS
    ]
    return found[:MOST_RECENT]


class RuleDraft:
    """`rule`: the one that is changed, or None for a new one, with the templates of these names."""

    def __init__(self, home: Home, rule: Rule | None = None, names: Sequence[str] = ()) -> None:
        self._home, self._files = home, TemplateFiles(home)
        self.rule = rule
        self.number = 0
        """Of the rule, once it is kept."""
        with open_library(home.library) as library:
            self._rules = rules_of(library.connection)
        kept = [Offer(KEPT + each.content, f"{each.template}, as it stands under the rule") for each in self.kept]
        self.offers = [*kept, *(Offer(NOW + name, name) for name in self._other_names())]
        only = [each.value for each in self.offers] if len(self.offers) == 1 else []
        self.chosen = [KEPT + each.content for each in self.kept] or [NOW + name for name in names] or only

    @property
    def kept(self) -> tuple[Revision, ...]:
        return self.rule.revisions if self.rule else ()

    def _other_names(self) -> list[str]:
        """Also one that stands under the rule, where its file has been changed since."""
        known = set(self.kept)
        names = []
        for stored in self._files.all()[0]:
            name = stored.template.name
            if any(each.template == name for each in known):
                with suppress(Trouble):
                    if revision_of(stored.template)[0] in known:
                        continue
            names.append(name)
        return names

    @property
    def fields(self) -> dict[str, str]:
        rule = self.rule or Rule(0, When(), (), "")
        parts = {"share": f"{rule.share * 100:g} %", "holdout": f"{rule.holdout * 100:g} %"}
        return {**rule.when._asdict(), "task": rule.when.task or ANY, **parts}

    def made(self, fields: Mapping[str, str]) -> Rule:
        """As it is filled in, without those of its templates that would have to be read; Trouble where it cannot be."""
        said = {name: fields[name].strip() for name in When._fields}
        when = When(**said | {"task": said["task"].replace(ANY, "")})
        rule = self.rule or Rule(0, When(), (), "")
        share, holdout = (_part(name, fields[name]) for name in ("share", "holdout"))
        return rule._replace(when=when, share=share, holdout=holdout)

    def check(self, fields: Mapping[str, str]) -> None:
        """Raises Trouble where it could not be kept."""
        if self.rule is None or self.rule.running:
            check_one_way(self._home)
        rule, _ = self._with_templates(fields)
        check_rule(rule)

    def _with_templates(self, fields: Mapping[str, str]) -> tuple[Rule, dict[str, Messages]]:
        revisions: list[Revision] = []
        messages: dict[str, Messages] = {}
        for chosen in filter(None, fields[TEMPLATES].split("\n")):
            if chosen.startswith(KEPT):
                revisions += [each for each in self.kept if each.content == chosen.removeprefix(KEPT)]
                continue
            revision, told = revision_of(self._files.load(chosen.removeprefix(NOW)).template)
            revisions.append(revision)
            messages[revision.content] = told
        return self.made(fields)._replace(revisions=tuple(revisions)), messages

    def prepared(self, fields: Mapping[str, str]) -> Prepared:
        """It looks for secrets: for a worker."""
        rule, messages = self._with_templates(fields)
        new = [each.template for each in rule.revisions if each.content in messages]
        templates = [self._files.load(name).template for name in new]
        redactor = redactor_of(self._home)
        secrets = sum(len(findings_in(template, redactor)) for template in templates)
        return Prepared(rule, messages, secrets, [text for each in templates for text in unread(self._home, each)])

    def keep(self, prepared: Prepared) -> str:
        """What was done, in a sentence. For a worker."""
        let_stand(self._home, prepared.foreign)
        with open_library(self._home.library) as library:
            if self.rule is not None:
                check_unchanged(rule_numbered(library, self.rule.number), self.rule)
            rule = keep_rule(library, prepared.rule, prepared.messages)
        self.number = rule.number
        if self.rule is not None:
            return f"Rule {rule.number} is changed, for the sessions that begin from now on."
        return " ".join([f"Rule {rule.number} draws which new sessions begin warm.", *advice(self._home)])

    # --- what it would do ---

    def look(self, fields: Mapping[str, str], recent: Sequence[Recent] | None) -> list[str]:
        """Which of the sessions of late it would have matched, and where it stands among the rules."""
        try:
            rule = self.made(fields)
        except Trouble as trouble:
            return [str(trouble)]
        looked = ["Reading the last sessions…"] if recent is None else self._matches(rule, recent)
        aside = [CAUTION] if rule.when.task else []
        return [looked[0], self._place(self.before), *aside, *looked[1:], self._whose]

    def _matches(self, rule: Rule, recent: Sequence[Recent]) -> list[str]:
        """How many, and what begins with which."""
        matching = [each for each in recent if rule.when.matches(each.beginning)]
        left = [each for each in matching if first_match(self.before, each.beginning) is None]
        taken = len(matching) - len(left)
        among = f"{len(matching):,} of the last {plural(len(recent), 'session')} match"
        if not matching:
            return [f"None of the last {plural(len(recent), 'session')} matches.", *_seen(recent)]
        among += f", of which rules before it take {f'{taken:,}' if left else 'all'}" if taken else ""
        warm = round(len(left) * rule.warm_share)
        would = f"about {warm:,} would have begun warm, {len(left) - warm:,} cold" if left else "none is left for it"
        lines = [f"{among}: {would}."]
        if rule.warm_share >= 1.0 and left:
            lines.append("No session stays cold, so nothing can be shown: a smaller share makes it a trial.")
        more = len(left or matching) - MOST_TITLES
        lines += [f"· {each.title}" for each in (left or matching)[:MOST_TITLES]]
        return [*lines, *([f"· and {more:,} more"] if more > 0 else [])]

    @property
    def before(self) -> list[Rule]:
        """The running rules that are asked before it; a new one comes last."""
        own = self.rule.number if self.rule else 0
        numbers = [*(each.number for each in self._rules), own]
        return [each for each in self._rules[: numbers.index(own)] if each.running]

    @property
    def _whose(self) -> str:
        name = self._home.profile
        where = f"profile {name}" if name else "this home"
        return f"It is for sessions of {where} alone: each profile of Hermes is a home, with rules of its own."

    def _place(self, before: Sequence[Rule]) -> str:
        running = sum(each.running or each == self.rule for each in self._rules) + (self.rule is None)
        if not before:
            return "It is asked first." if running > 1 else "It is the only rule that runs."
        named = "; ".join(
            f"{each.number} ({cropped(clean_line(each.when.told), LONGEST_NAMED)})" for each in before[:MOST_NAMED]
        )
        more = f" and {len(before) - MOST_NAMED:,} more" if len(before) > MOST_NAMED else ""
        word = "rule" if len(before) == 1 else "rules"
        return f"It is asked behind {word} {named}{more}: the first that matches decides."


def _part(name: str, text: str) -> float:
    """As a part of one (0.9) or of a hundred (90 %)."""
    said = text.strip()
    with suppress(ValueError):
        value = float(said.rstrip("% "))
        value = value if value <= 1 and not said.endswith("%") else value / 100
        if 0 <= value <= 1:
            return value
    raise Trouble(f"The {name} is a part of the sessions, from 0 % to 100 %, not {text[:20]!r}.")


def _seen(recent: Sequence[Recent]) -> list[str]:
    """What there would be to match."""
    lines = []
    for word, name in (("sources", "source"), ("models", "model")):
        found = Counter(value for each in recent if (value := getattr(each.beginning, name)))
        if found:
            lines.append(f"· {word} seen: {', '.join(value for value, _ in found.most_common(MOST_NAMED))}")
    return lines
