"""The rules of a home, what each has shown, and what is done to them; another instance may change them meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from warm_tui.agent.trials import advice, check_one_way
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.trials import keep_rule, move_rule, remove_rule, rule_numbered, rules_of
from warm_tui.paths import Home
from warm_tui.sessions.text import plural
from warm_tui.trials.rules import Rule
from warm_tui.writing import looks_only

if TYPE_CHECKING:
    from warm_tui.comparisons.trials import Trial
    from warm_tui.trials.course import Course


class TrialRow(msgspec.Struct, frozen=True):
    trial: Trial
    is_read: bool = False
    """Whether it is known what its sessions have shown."""
    courses: tuple[Course, ...] = ()
    larger: Rule | None = None
    """What is proposed."""

    @property
    def rule(self) -> Rule:
        return self.trial.rule


class TrialList(msgspec.Struct, frozen=True):
    rows: tuple[TrialRow, ...] = ()
    switched_off: tuple[str, ...] = ()
    """What the guard did just now, in sentences."""

    def after(self, before: TrialList | None) -> TrialList:
        """With what was known of the same rules, until it is known anew."""
        known = {row.rule.number: row for row in before.rows if row.is_read} if before else {}

        def with_known(row: TrialRow) -> TrialRow:
            was = known.get(row.rule.number)
            if row.is_read or was is None or was.rule.revisions != row.rule.revisions:
                return row
            return replace(was, trial=replace(was.trial, rule=row.rule), larger=None)

        return TrialList(tuple(map(with_known, self.rows)), self.switched_off)

    @property
    def running(self) -> int:
        return sum(row.rule.running for row in self.rows)


def read_trials(home: Home) -> Iterator[TrialList]:
    """First the rules alone, then with what they have shown. A rule that does harm is switched off. For a worker."""
    if not home.library.is_file():
        yield TrialList()
        return
    with open_library(home.library) as library:
        rules = rules_of(library.connection)
    if not rules:
        yield TrialList()
        return
    # What reckons takes longer to import than a screen to open.
    from warm_tui.comparisons.trials import Trial, courses_of, guard, proposed, trials_of

    yield TrialList(tuple(TrialRow(Trial(rule, 0, 0, 0, [])) for rule in rules))
    with Catalog(home.present) as catalog:
        found = trials_of(catalog)
        guarded = found if looks_only() else guard(catalog, found)
        off = [
            f"Rule {now.rule.number} is {now.rule.why}."
            for before, now in zip(found, guarded, strict=True)
            if before.rule.running and not now.rule.running
        ]
        rows = [
            TrialRow(trial, True, tuple(courses_of(catalog, trial.rule)), proposed(trial)) for trial in guarded
        ]  # fmt: skip
    yield TrialList(tuple(rows), tuple(off))


# --- what is done to them; each tells in a sentence what it did ---


def pause(home: Home, rule: Rule, paused_for: str = "") -> str:
    """`paused_for`: the template that is activated for all sessions."""
    if not rule.running:
        return f"Rule {rule.number} is not running."
    _change(home, rule, rule._replace(running=False, why="", paused_for=paused_for))
    return f"Rule {rule.number} is paused: no session is drawn by it. Those that have begun go on as they began."


def resume(home: Home, rule: Rule) -> str:
    if rule.running:
        return f"Rule {rule.number} is running."
    check_one_way(home)
    _change(home, rule, rule._replace(running=True, why=""))
    return " ".join([f"Rule {rule.number} draws again.", *advice(home)])


def remove(home: Home, rule: Rule) -> str:
    with open_library(home.library) as library:
        remove_rule(library, rule.number)
    return f"Rule {rule.number} is removed. Sessions that have begun go on as they began."


def move(home: Home, rule: Rule, by: int) -> str:
    """Up or down among the others as they stand now; says nothing where there is no further."""
    with open_library(home.library) as library:
        numbers = [each.number for each in rules_of(library.connection)]
        if rule.number not in numbers:
            raise Trouble(f"There is no rule {rule.number}.")
        place = numbers.index(rule.number) + by
        if 0 <= place < len(numbers):
            move_rule(library, rule.number, place + 1)
    return ""


def take_larger(home: Home, rule: Rule, larger: Rule) -> str:
    _change(home, rule, larger)
    return f"Rule {rule.number} draws {larger.warm_share:.0%} warm from now on, and {1 - larger.warm_share:.0%} cold."


def _change(home: Home, was: Rule, rule: Rule) -> None:
    with open_library(home.library) as library:
        check_unchanged(rule_numbered(library, was.number), was)
        keep_rule(library, rule)


def check_unchanged(now: Rule, was: Rule) -> None:
    """What somebody else has changed since it was looked at is not written over."""
    if now != was:
        raise Trouble(f"Rule {was.number} was changed elsewhere since it was read: nothing was done. Look at it again.")


def told_count(trials: TrialList) -> str:
    return f"{plural(len(trials.rows), 'rule')}, {trials.running:,} running"
