"""What was asked and answered, in one SQLite file: a request and its row of the log are written together, or neither.

Used by one thread. Only one answer wins, since each is given under the lock that SQLite has for writing.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from warm_tui.approvals import chain
from warm_tui.approvals.asking import Prepared
from warm_tui.approvals.model import (
    HOUR,
    MAY_RUN,
    Answer,
    Answered,
    Refused,
    Request,
    Status,
    TooMany,
    Unknown,
    WhitelistRule,
    canonical,
    covering,
    digest_of,
    rule_of,
    what_was_decided,
)
from warm_tui.approvals.moments import Moment, now
from warm_tui.approvals.risk import is_high_risk, kind_of
from warm_tui.errors import Trouble
from warm_tui.writing import check_database, check_may_change, make_private

USUAL_LIMIT = 10
"""So often people are asked for one action in an hour."""
BUSY_SECONDS = 5.0
HAS_TIME = "(CASE WHEN boot = ? THEN ? - steady ELSE ? - wall END BETWEEN 0 AND seconds - 1e-6)"
"""As `seconds_left` has it."""
SCHEMA = 1
TABLES = """
CREATE TABLE requests (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, kind TEXT NOT NULL, boot TEXT NOT NULL, steady REAL NOT NULL,
    wall REAL NOT NULL, seconds REAL NOT NULL, request BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX waiting ON requests (status, wall);
CREATE INDEX often ON requests (kind, wall);
CREATE TABLE whitelist (number INTEGER PRIMARY KEY AUTOINCREMENT, rule BLOB NOT NULL);
CREATE TABLE audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL, entry BLOB NOT NULL,
    hash TEXT NOT NULL);
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER audit_grows BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
"""


class CannotKeep(Trouble):
    """The disk is full, or the file cannot be written: nothing was decided."""


class Store:
    def __init__(
        self,
        path: Path,
        key: bytes,
        limit: int = USUAL_LIMIT,
        clock: Callable[[], Moment] = now,
        *,
        looking: bool = False,
    ) -> None:
        """`limit`: 0 is none. `looking`: nothing is written, and the file has to be there."""
        self.path, self.key, self.limit, self.clock = path, key, limit, clock
        try:
            self.connection = self._opened(looking)
        except OSError as error:
            raise Trouble(f"{path} is not used: {error.strerror or error}.") from error
        except sqlite3.Error as error:
            raise Trouble(f"{path} cannot be used: {error}.") from error

    def close(self) -> None:
        self.connection.close()

    # --- what is asked ---

    def submit(self, prepared: Prepared) -> Request:
        """Pending, or approved by a rule. TooMany where people were asked too often."""
        asked, at = prepared.submission, self.clock()
        rule = covering(self.whitelist(), asked, at)
        request = Request(
            id=secrets.token_hex(16),
            action=asked.action,
            description=asked.description,
            details=asked.details,
            requester=asked.requester,
            session_key=asked.session_key,
            timeout_seconds=asked.timeout_seconds,
            high_risk=is_high_risk(asked.action),
            accepts_edits=asked.accepts_edits,
            masked=prepared.masked,
            hides_commands=prepared.hides_commands,
            digest=prepared.digest,
            asked=at,
            status="auto_approved" if rule else "pending",
            decided=at if rule else None,
            decided_by=f"rule {rule.number}" if rule else "",
            lease_seconds=asked.lease_seconds,
        )
        with self._changing():
            if rule is None:
                self._check_limit(request)
            self._put(request)
            facts = {
                "action": request.action,
                "description": request.description,
                "session_key": request.session_key,
                "timeout_seconds": request.timeout_seconds,
                "digest": request.digest,
                "content": chain.content_of(request),
            }
            event = "auto_approved" if rule else "asked"
            self._log(at, event, request.id, request.requester, facts | ({"rule": rule.number} if rule else {}))
        return request

    def _check_limit(self, request: Request) -> None:
        if not self.limit:
            return
        at, kind = request.asked, kind_of(request.action)
        sql = (
            "SELECT COUNT(*) FROM (SELECT 1 FROM requests WHERE kind = ? AND status <> 'auto_approved'"
            " AND ((boot = ? AND steady > ?) OR (boot <> ? AND wall > ?)) LIMIT ?)"
        )
        values = (kind, at.boot, at.steady - HOUR, at.boot, at.wall - HOUR, self.limit)
        (count,) = self.connection.execute(sql, values).fetchone()
        if count >= self.limit:
            raise TooMany(f"{request.action} was asked for {count} times within an hour: no more of it is taken.")

    # --- what is answered ---

    def answer(self, name: str, answer: Answer) -> Request:
        """Answered where somebody else was first, or its time is up."""
        at = self.clock()
        expired: Request | None = None
        with self._changing():
            request = self._pending(name)
            if request.seconds_left(at) <= 0:
                # Written down, and told after that.
                expired = self._expire(request, at)
            else:
                request = self._decide(request, answer, at)
        if expired:
            raise Answered(what_was_decided(expired), expired)
        return request

    def _decide(self, request: Request, answer: Answer, at: Moment) -> Request:
        rule = rule_of(answer, request)
        details, digest = request.details, request.digest
        edited = answer.details is not msgspec.UNSET and canonical(answer.details) != canonical(details)
        if edited:
            if not (answer.approve and request.accepts_edits):
                raise Refused("Its details are not to be edited: whoever asked would run what they asked for.")
            if request.masked:
                raise Refused("Its details hold secrets that are masked: they cannot be edited.")
            details, digest = answer.details, digest_of(self.key, request.action, answer.details)
        status: Status = "approved" if answer.approve else "denied"
        decided = msgspec.structs.replace(
            request, status=status, decided=at, decided_by=answer.by, reason=answer.reason, scope=answer.scope,
            details=details, digest=digest, edited=edited,
        )  # fmt: skip
        self._put(decided)
        content = {"content": chain.content_of(decided), "asked_for": request.details} if edited else {}
        facts = {"action": request.action, "reason": answer.reason, "scope": answer.scope, **content}
        self._log(at, status, request.id, answer.by, facts)
        if rule is not None:
            self._add(rule, at, request.id)
        return decided

    def withdraw(self, name: str, by: str, why: str = "") -> Request:
        at = self.clock()
        with self._changing():
            request = self._pending(name)
            gone = msgspec.structs.replace(request, status="withdrawn", decided=at, decided_by=by, reason=why)
            self._put(gone)
            self._log(at, "withdrawn", name, by, {"action": request.action, "reason": why})
        return gone

    def expire_due(self) -> list[Request]:
        at = self.clock()
        if not self._due(at):
            return []
        with self._changing():
            # One that was answered meanwhile is no longer due.
            return [self._expire(self.request(name), at) for name in self._due(at)]

    def _due(self, at: Moment) -> list[str]:
        sql = f"SELECT id FROM requests WHERE status = 'pending' AND NOT {HAS_TIME}"
        return [name for (name,) in self.connection.execute(sql, (at.boot, at.steady, at.wall))]

    def _expire(self, request: Request, at: Moment) -> Request:
        expired = msgspec.structs.replace(request, status="expired", decided=at)
        self._put(expired)
        self._log(at, "expired", request.id, "", {"action": request.action})
        return expired

    def use(self, name: str, action: str, details: Any) -> Request:
        """A yes is for one time, and for what was asked alone."""
        at = self.clock()
        with self._changing():
            request = self.request(name)
            if request.status not in MAY_RUN:
                raise Answered(f"There is no yes to use. {what_was_decided(request)}", request)
            if request.used_at is not None:
                raise Answered("This yes was used already: it was for one time.", request)
            if request.digest != digest_of(self.key, action, details):
                raise Refused("This is not what was approved: the action or its details differ.")
            if request.seconds_to_use(at) <= 0:
                raise Answered("This yes is too old to be used: ask again.", request)
            used = msgspec.structs.replace(request, used_at=at.wall)
            self._put(used)
            self._log(at, "used", name, request.requester, {"action": action})
        return used

    def note(self, request: Request, event: str, actor: str, reason: str) -> None:
        """What was done about it, beside what was decided."""
        with self._changing():
            self._log(self.clock(), event, request.id, actor, {"action": request.action, "reason": reason})

    def _pending(self, name: str) -> Request:
        request = self.request(name)
        if request.status != "pending":
            raise Answered(what_was_decided(request), request)
        return request

    # --- what need not be asked ---

    def whitelist(self) -> list[WhitelistRule]:
        rows = self.connection.execute("SELECT number, rule FROM whitelist ORDER BY number")
        return [_rule(*row) for row in rows]

    def add_rule(self, rule: WhitelistRule) -> WhitelistRule:
        with self._changing():
            return self._add(rule, self.clock(), "")

    def _add(self, rule: WhitelistRule, at: Moment, request_id: str) -> WhitelistRule:
        rule = msgspec.structs.replace(rule, added=at, number=0)
        raw = msgspec.json.encode(rule)
        number = self.connection.execute("INSERT INTO whitelist (rule) VALUES (?)", (raw,)).lastrowid or 0
        kept = _rule(number, raw)
        facts = {"action": rule.action, "rule": number, "what": kept.told, "content": chain.content_of_rule(kept)}
        self._log(at, "rule_added", request_id, rule.added_by, facts)
        return kept

    def remove_rule(self, number: int, by: str) -> WhitelistRule:
        with self._changing():
            rule = next((each for each in self.whitelist() if each.number == number), None)
            if rule is None:
                raise Unknown(f"There is no rule {number}.")
            self.connection.execute("DELETE FROM whitelist WHERE number = ?", (number,))
            self._log(self.clock(), "rule_removed", "", by, {"action": rule.action, "rule": number, "what": rule.told})
        return rule

    # --- what is looked at ---

    def request(self, name: str) -> Request:
        row = self.connection.execute("SELECT request FROM requests WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise Unknown(f"There is no request {name[:40]}.")
        return _request(row[0])

    def pending(self) -> list[Request]:
        """What waits, and was not found to be too old yet; the oldest first."""
        rows = self.connection.execute("SELECT request FROM requests WHERE status = 'pending' ORDER BY wall")
        return [_request(raw) for (raw,) in rows]

    def waiting(self) -> int:
        """How many of these still have time, also where no service is there to say so."""
        at = self.clock()
        sql = f"SELECT COUNT(*) FROM requests WHERE status = 'pending' AND {HAS_TIME}"
        (count,) = self.connection.execute(sql, (at.boot, at.steady, at.wall)).fetchone()
        return int(count)

    def audit(self, limit: int, before: int = 1 << 62) -> list[dict[str, Any]]:
        """The newest first."""
        sql = "SELECT entry, hash FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?"
        rows = self.connection.execute(sql, (before, limit))
        return [msgspec.json.decode(entry) | {"hash": hash_} for entry, hash_ in rows]

    def verify(self, known_head: str = "") -> chain.Verified:
        self.connection.execute("BEGIN")
        try:
            rows = self.connection.execute("SELECT seq, entry, hash FROM audit ORDER BY seq")
            requests = self.connection.execute("SELECT request FROM requests")
            return chain.verify(
                (chain.Row(*row) for row in rows), (_request(raw) for (raw,) in requests), self.whitelist(), known_head
            )
        finally:
            self.connection.execute("COMMIT")

    # --- how it is written ---

    def _put(self, request: Request) -> None:
        at = request.asked
        values = (request.id, request.status, kind_of(request.action), at.boot, at.steady, at.wall)
        sql = "INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self.connection.execute(sql, (*values, float(request.timeout_seconds), msgspec.json.encode(request)))

    def _log(self, at: Moment, event: str, request_id: str, actor: str, facts: dict[str, Any]) -> None:
        row = self.connection.execute("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").fetchone()
        seq, head = row or (0, chain.FIRST)
        entry = chain.entry_of(seq + 1, at.wall, event, request_id, actor, facts)
        values = (seq + 1, request_id, entry, chain.hash_after(head, entry))
        self.connection.execute("INSERT INTO audit (seq, request_id, entry, hash) VALUES (?, ?, ?, ?)", values)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        check_may_change()
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise CannotKeep(f"{self.path} could not be written, so nothing was changed: {error}.") from error

    def _opened(self, looking: bool) -> sqlite3.Connection:
        if not looking:
            check_may_change()
            make_private(self.path)
        check_database(self.path)
        uri = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=rw"
        # Opened where it is told to others, used by one thread that keeps it.
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA:
                raise Trouble(f"{self.path} was made by a newer version of Warm TUI.")
            if version == 0 and not looking:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(f"BEGIN IMMEDIATE;{TABLES}PRAGMA user_version = {SCHEMA};COMMIT;")
            # Also what the machine loses with its power was answered before.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA query_only = {int(looking)}")
        except BaseException:
            connection.close()
            raise
        return connection


def _request(raw: bytes) -> Request:
    return msgspec.json.decode(raw, type=Request)


def _rule(number: int, raw: bytes) -> WhitelistRule:
    return msgspec.structs.replace(msgspec.json.decode(raw, type=WhitelistRule), number=number)
