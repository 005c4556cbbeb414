"""The rules of trials, the revisions they draw, and what each session drew.

The agent reads and writes them by a connection of its own, within a request: for that part nothing is taken beyond
the standard library.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from warm_tui.errors import Trouble
from warm_tui.library.db import Library
from warm_tui.trials.drawing import Decision
from warm_tui.trials.rules import Revision, Rule, When, check_rule

Messages: TypeAlias = Sequence[Mapping[str, Any]]
EMPTY: Mapping[str, Messages] = {}
RULE_COLUMNS = (
    "number", "source", "model", "folder", "words", "revisions", "salt", "share", "holdout", "running", "why", "since",
    "task", "paused_for",
)  # fmt: skip
DECISION_COLUMNS = "session_id, root, rule, template, content, chances, reason"
DUE, SENDING, SENT, NO_TARGET = "due", "sending", "sent", "no target is set"
BEGAN = (
    "INSERT INTO arms (session_id, template, content, model, platform, started_at) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (session_id) DO UPDATE SET template = excluded.template, content = excluded.content"
)


class Circumstances(NamedTuple):
    """What is kept of a draw beside what was drawn."""

    platform: str
    model: str
    mode: str
    """In which form the request went to the model."""
    at: float


class Draw(NamedTuple):
    decision: Decision
    circumstances: Circumstances


# --- what the agent asks ---


def rules_of(connection: sqlite3.Connection, there: Container[str] = RULE_COLUMNS) -> list[Rule]:
    """`there`: the columns of an earlier library, that is only looked at."""
    columns = ", ".join(name if name in there else "0" for name in RULE_COLUMNS)
    rows = connection.execute(f"SELECT {columns} FROM trials ORDER BY position, number")
    return [_rule(row) for row in rows]


def _rule(row: tuple[Any, ...]) -> Rule:
    number, source, model, folder, words, revisions, salt, share, holdout, running, why, since, task, paused_for = row
    return Rule(
        int(number), When(source, model, folder, words, task or ""),
        tuple(Revision(*each) for each in json.loads(revisions)),
        salt, float(share), float(holdout), bool(running), why, float(since),
        paused_for or "",
    )  # fmt: skip


def decision_of(connection: sqlite3.Connection, session_id: str) -> Decision | None:
    sql = f"SELECT {DECISION_COLUMNS} FROM draws WHERE session_id = ?"
    row = connection.execute(sql, (session_id,)).fetchone()
    return _decision(row) if row else None


def _decision(row: Sequence[Any]) -> Decision:
    session_id, root, rule, template, content, chances, reason = row
    return Decision(session_id, root, rule, template, content, chances_of(chances), reason)


@lru_cache(maxsize=64)
def chances_of(written: str) -> Mapping[str, float]:
    """The sessions of a rule have the same."""
    chances: dict[str, float] = json.loads(written)
    return chances


def messages_of(connection: sqlite3.Connection, content: str) -> list[dict[str, Any]] | None:
    """The conversation of a revision, as it was written down."""
    row = connection.execute("SELECT messages FROM revisions WHERE content = ?", (content,)).fetchone()
    messages = json.loads(row[0]) if row else None
    return messages if isinstance(messages, list) and messages else None


def statements_of(draw: Draw) -> list[tuple[str, tuple[Any, ...]]]:
    """What writes it down, to be carried out together. The first record of a session stays."""
    of, how = draw
    places = ", ".join("?" * 11)
    kept = f"INSERT OR IGNORE INTO draws ({DECISION_COLUMNS}, platform, model, mode, at) VALUES ({places})"
    values = (of.session_id, of.root, of.rule, of.template, of.content, json.dumps(of.chances), of.reason, *how)
    if not of.content:
        return [(kept, values)]
    # Whoever asks what a session began with looks there.
    began = (of.session_id, of.template, of.content, how.model, how.platform, how.at)
    return [(kept, values), (BEGAN, began)]


# --- what the operator does ---


def keep_rule(library: Library, rule: Rule, revisions: Mapping[str, Messages] = EMPTY) -> Rule:
    """One without a number is new, and comes last. `revisions`: the conversations of those that may be new."""
    check_rule(rule)
    rule = rule._replace(paused_for="" if rule.running else rule.paused_for)
    with library.keeping() as connection:
        for content, messages in revisions.items():
            sql = "INSERT OR IGNORE INTO revisions (content, messages, at) VALUES (?, ?, ?)"
            connection.execute(sql, (content, json.dumps(messages), time.time()))
        if not rule.number:
            rule = rule._replace(number=_free_number(connection), salt=rule.salt or secrets.token_hex(8))
            sql = "INSERT INTO trials (number, position) SELECT ?, COALESCE(MAX(position), 0) + 1 FROM trials"
            connection.execute(sql, (rule.number,))
        else:
            rule = _beside_the_guard(connection, rule)
        columns = RULE_COLUMNS[1:]
        values = (
            *rule.when[:4], json.dumps(rule.revisions), rule.salt, rule.share, rule.holdout, rule.running, rule.why,
            rule.since, rule.when.task, rule.paused_for,
        )  # fmt: skip
        sql = f"UPDATE trials SET {', '.join(f'{name} = ?' for name in columns)} WHERE number = ?"
        if not connection.execute(sql, (*values, rule.number)).rowcount:
            raise Trouble(f"There is no rule {rule.number}.")
    return rule


def _beside_the_guard(connection: sqlite3.Connection, rule: Rule) -> Rule:
    """One that was switched off stays so with its reason, or is let run again: judged by what it draws from then on,
    for what made it be switched off would do so at the next look."""
    row = connection.execute("SELECT running, why, since FROM trials WHERE number = ?", (rule.number,)).fetchone()
    running, why, since = row or (rule.running, "", rule.since)
    if running or not why or rule.why:
        return rule._replace(since=since)
    return rule._replace(since=time.time()) if rule.running else rule._replace(since=since, why=why)


def _free_number(connection: sqlite3.Connection) -> int:
    """Never one of a rule that is gone: its draws are still there."""
    used = connection.execute("SELECT MAX(number) FROM trials").fetchone()[0] or 0
    drawn = connection.execute("SELECT MAX(rule) FROM draws").fetchone()[0] or 0
    return max(int(used), int(drawn)) + 1


def rule_numbered(library: Library, number: int) -> Rule:
    rule = next((each for each in rules_of(library.connection) if each.number == number), None)
    if rule is None:
        raise Trouble(f"There is no rule {number}.")
    return rule


def move_rule(library: Library, number: int, place: int) -> list[Rule]:
    """To this place of the list, 1 being the first; the others keep their order."""
    rule_numbered(library, number)
    with library.keeping() as connection:
        numbers = [each.number for each in rules_of(connection) if each.number != number]
        numbers.insert(max(0, place - 1), number)
        rows = [(at, each) for at, each in enumerate(numbers)]
        connection.executemany("UPDATE trials SET position = ? WHERE number = ?", rows)
    return rules_of(library.connection)


def remove_rule(library: Library, number: int) -> None:
    """What it drew stays: those sessions go on as they began."""
    rule_numbered(library, number)
    with library.keeping() as connection:
        connection.execute("DELETE FROM trials WHERE number = ?", (number,))


def switch_off(library: Library, number: int, why: str, said: str) -> None:
    """Of several that notice the same, one alone does it; `said` is then due to be told to the operator."""
    with library.keeping() as connection:
        sql = "UPDATE trials SET running = 0, why = ? WHERE number = ? AND running"
        if not connection.execute(sql, (why, number)).rowcount:
            return
        sql = "INSERT INTO notices (rule, at, said, target, outcome) VALUES (?, ?, ?, '', ?)"
        connection.execute(sql, (number, time.time(), said, DUE))


def draws_of(library: Library) -> list[Draw]:
    """Of sessions that drew themselves, and of those that would have but could not; in that order."""
    sql = f"SELECT {DECISION_COLUMNS}, platform, model, mode, CAST(at AS REAL) FROM draws WHERE root = session_id"
    rows = library.connection.execute(f"{sql} ORDER BY at, session_id")
    return [Draw(_decision(row[:7]), Circumstances(*row[7:])) for row in rows]


def drawn_roots(library: Library) -> dict[str, str]:
    """For each session that inherited what it was given, the one that drew it."""
    sql = "SELECT session_id, root FROM draws WHERE root <> session_id"
    return dict(library.connection.execute(sql))


# --- what the operator is told of a rule that was switched off ---


class Notice(NamedTuple):
    rule: int
    at: float
    said: str
    target: str
    outcome: str
    """`sent`, or why it was not. Of one that is still `sending` when its sender is gone, nobody knows."""

    @property
    def outcome_told(self) -> str:
        return {
            SENT: f"sent to {self.target}", SENDING: f"it was begun to send that to {self.target}",
            NO_TARGET: "not sent, no target is set (`warm-tui trials notify TARGET`)",
        }.get(self.outcome, self.outcome)  # fmt: skip


def notices_of(library: Library) -> list[Notice]:
    """The latest first."""
    return _notices(library.connection)


def _notices(connection: sqlite3.Connection) -> list[Notice]:
    rows = connection.execute("SELECT rule, at, said, target, outcome FROM notices ORDER BY at DESC, rule")
    return [Notice(*row) for row in rows]


def untold_notices(connection: sqlite3.Connection) -> list[Notice]:
    """Those that no app has shown yet, and from now on have been; the latest first. It may be nobody's `Library`, for
    one who passes by shall mend nothing."""
    row = connection.execute("SELECT at FROM looks WHERE what = 'notices'").fetchone()
    untold = [notice for notice in _notices(connection) if row is None or notice.at > row[0]]
    if untold:
        connection.execute("INSERT OR REPLACE INTO looks (what, at) VALUES ('notices', ?)", (untold[0].at,))
    return untold


def taken_to_send(library: Library, target: str) -> list[Notice]:
    """What is due, and from now on nobody else's to send; nothing where there is nobody to send it to."""
    taken = []
    for notice in notices_of(library):
        if notice.outcome != DUE:
            continue
        sql = "UPDATE notices SET outcome = ?, target = ? WHERE rule = ? AND at = ? AND outcome = ?"
        values = (SENDING if target else NO_TARGET, target, notice.rule, notice.at, DUE)
        with library.keeping() as connection:
            if connection.execute(sql, values).rowcount and target:
                taken.append(notice._replace(target=target))
    return taken


def note_sent(library: Library, notice: Notice, outcome: str) -> None:
    sql = "UPDATE notices SET outcome = ? WHERE rule = ? AND at = ?"
    with library.keeping() as connection:
        connection.execute(sql, (outcome, notice.rule, notice.at))
