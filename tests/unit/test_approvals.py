"""What is asked of people: kept whatever happens, answered once, and written down so that nothing can be taken back."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from warm_tui.approvals.asking import prepare
from warm_tui.approvals.chain import Verified
from warm_tui.approvals.model import (
    Answer,
    Answered,
    Refused,
    Request,
    Submission,
    TooMany,
    Unknown,
    WhitelistRule,
)
from warm_tui.approvals.moments import Moment, seconds_left
from warm_tui.approvals.risk import HIGH_RISK, is_high_risk
from warm_tui.approvals.store import CannotKeep, Store
from warm_tui.presentation.approvals import answer_in_words, body_of, line_of_entry
from warm_tui.secrets.redactor import Redactor

KEY = b"k" * 32
REDACTOR = Redactor(KEY)
SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
YES, NO = Answer(approve=True, by="ada"), Answer(approve=False, by="bob", reason="not today")


class Clock:
    """A clock that is set, a machine that sleeps and is started anew."""

    def __init__(self) -> None:
        self.moment = Moment(1_800_000_000.0, 500.0, "first")

    def __call__(self) -> Moment:
        return self.moment

    def go_on(self, seconds: float) -> None:
        at = self.moment
        self.moment = Moment(at.wall + seconds, at.steady + seconds, at.boot)

    def set_wall(self, seconds: float) -> None:
        self.moment = msgspec.structs.replace(self.moment, wall=self.moment.wall + seconds)

    def start_anew(self) -> None:
        self.moment = Moment(self.moment.wall, 20.0, self.moment.boot + "+")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    store = Store(tmp_path / "approvals.db", KEY, clock=clock)
    yield store
    store.close()


def ask(store: Store, action: str = "restart", details: Any = None, **given: Any) -> Request:
    details = {"command": "systemctl restart web"} if details is None else details
    return store.submit(
        prepare(Submission(action=action, description="Restart it", details=details, **given), REDACTOR)
    )


# --- one answer, once, for what was asked ---


def test_one_answer_wins_and_who_comes_second_is_told_who_was_first(store: Store) -> None:
    asked = ask(store)
    assert (asked.status, [each.id for each in store.pending()]) == ("pending", [asked.id])
    assert store.answer(asked.id, YES).status == "approved"
    for again in (YES, NO):
        with pytest.raises(Answered, match="It was approved by ada"):
            store.answer(asked.id, again)
    with pytest.raises(Answered, match="approved by ada"):
        store.withdraw(asked.id, "agent")
    with pytest.raises(Unknown, match="no request"):
        store.answer("nothing", YES)
    assert store.pending() == []


def test_of_many_operators_at_once_exactly_one_wins(store: Store) -> None:
    won: list[str] = []

    def answer(name: str, at: int, start: threading.Barrier) -> None:
        mine = Store(store.path, KEY, clock=store.clock)
        start.wait()
        try:
            won.append(mine.answer(name, Answer(approve=bool(at % 2), by=f"operator {at}")).decided_by)
        except Answered as late:
            assert late.request.decided_by
        mine.close()

    for _ in range(5):
        asked, start = ask(store), threading.Barrier(6)
        threads = [threading.Thread(target=answer, args=(asked.id, at, start)) for at in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert won == [store.request(asked.id).decided_by]
        won.clear()
    assert store.verify().valid


def test_a_yes_is_used_once_for_what_was_asked_alone_and_not_for_long(store: Store, clock: Clock) -> None:
    details = {"command": "rm -rf /srv/old", "env": {"B": 1, "A": [1, 2.5, None]}}
    asked = ask(store, "delete_data", details)
    with pytest.raises(Answered, match="no yes to use"):
        store.use(asked.id, "delete_data", details)
    store.answer(asked.id, YES)
    for action, other in (("delete_data", {**details, "command": "rm -rf /srv"}), ("restart", details)):
        with pytest.raises(Refused, match="not what was approved"):
            store.use(asked.id, action, other)
    assert store.use(asked.id, "delete_data", dict(reversed(details.items()))).used_at == clock().wall
    with pytest.raises(Answered, match="used already"):
        store.use(asked.id, "delete_data", details)
    late = ask(store)
    store.answer(late.id, YES)
    clock.go_on(301)
    with pytest.raises(Answered, match="too old"):
        store.use(late.id, "restart", {"command": "systemctl restart web"})
    denied = ask(store)
    store.answer(denied.id, NO)
    with pytest.raises(Answered, match="It was denied by bob"):
        store.use(denied.id, "restart", {"command": "systemctl restart web"})


def test_an_operator_edits_only_where_the_caller_runs_what_comes_back(store: Store) -> None:
    edit = Answer(approve=True, details={"command": "systemctl reload web"})
    with pytest.raises(Refused, match="not to be edited"):
        store.answer(ask(store).id, edit)
    with pytest.raises(Refused, match="secrets that are masked"):
        store.answer(ask(store, details={"token": SECRET}, accepts_edits=True).id, edit)
    asked = ask(store, accepts_edits=True)
    edited = store.answer(asked.id, edit)
    assert (edited.edited, edited.details) == (True, {"command": "systemctl reload web"})
    with pytest.raises(Refused, match="not what was approved"):
        store.use(asked.id, "restart", {"command": "systemctl restart web"})
    assert store.use(asked.id, "restart", {"command": "systemctl reload web"}).used_at
    logged = store.audit(2)[1]
    assert logged["asked_for"] == {"command": "systemctl restart web"}, "what was asked for is not lost by it"
    assert line_of_entry(logged) == "approved, edited  restart  by operator"
    assert store.verify().valid


def test_a_command_that_poses_as_a_secret_is_told(store: Store) -> None:
    command = "a8F7z9Q;{rm,-rf,/srv}"
    posing = ask(store, details={"token": command, "command": f"ls /srv{command}"})
    assert "rm" not in str(posing.details)
    assert "What is masked could be a command itself" in body_of(posing)[-1]
    plain = ask(store, details={"env": f"GITHUB_TOKEN={SECRET}"})
    assert body_of(plain)[-1] == "Secrets in it are masked: what runs holds them."
    assert ask(store, details={"a": 1}, session_key=f"s {SECRET}").session_key.startswith("s <secret-")


# --- time ---


def test_a_request_expires_by_time_that_passed_whatever_is_done_to_the_clock(store: Store, clock: Clock) -> None:
    asked = ask(store, timeout_seconds=60)
    for hours in (48, -72, 1):
        clock.set_wall(hours * 3_600)
        assert store.expire_due() == []
    clock.go_on(59)
    assert asked.seconds_left(clock()) == 1
    clock.go_on(2)
    with pytest.raises(Answered, match="time was up"):
        store.answer(asked.id, YES)
    assert store.request(asked.id).status == "expired", "and that is written down, though an answer found it out"
    other = ask(store, timeout_seconds=60)
    clock.go_on(3_600)
    assert [each.id for each in store.expire_due()] == [other.id], "a machine that slept"
    assert store.expire_due() == []
    assert store.verify().valid


@pytest.mark.parametrize(("set_to", "left"), [(10, 290), (299, 1), (301, 0), (-10, 0)])
def test_after_a_new_start_of_the_machine_the_wall_clock_counts_and_one_set_back_ends_it(
    set_to: float, left: float
) -> None:
    asked = Moment(1_000.0, 9_999.0, "one")
    assert seconds_left(asked, 300, Moment(1_000.0 + set_to, 5.0, "other")) == left


@pytest.mark.parametrize("switch", ["2027-03-28T01:00:00", "2027-10-31T01:00:00"])
def test_an_hour_that_daylight_saving_takes_or_gives_is_none(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        at = datetime.fromisoformat(switch).replace(tzinfo=UTC).timestamp()
        assert abs(time.localtime(at).tm_hour - time.localtime(at - 1).tm_hour) in (0, 2), "the hour of the switch"
        clock.set_wall(at - 20 - clock().wall)
        short, long = ask(store, timeout_seconds=30), ask(store, timeout_seconds=60)
        clock.go_on(25)
        assert (store.expire_due(), short.seconds_left(clock())) == ([], 5)
        clock.go_on(6)
        assert [each.id for each in store.expire_due()] == [short.id]
        clock.start_anew()
        assert long.seconds_left(clock()) == 29, "nor where the clock on the wall counts"
        assert store.answer(long.id, YES).status == "approved"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_what_was_pending_is_pending_after_a_restart_or_expired(store: Store, clock: Clock) -> None:
    short, long = ask(store, timeout_seconds=30), ask(store, timeout_seconds=3_600)
    store.close()
    clock.start_anew()
    clock.set_wall(31)
    anew = Store(store.path, KEY, clock=clock)
    assert [each.id for each in anew.expire_due()] == [short.id]
    assert [each.id for each in anew.pending()] == [long.id]
    assert anew.answer(long.id, YES).status == "approved"
    anew.close()


def test_people_are_asked_for_one_action_so_often_in_an_hour(store: Store, clock: Clock) -> None:
    for _ in range(10):
        ask(store, "Delete.Cache")
    for spelled in ("delete.cache", "DELETE_CACHE"):
        with pytest.raises(TooMany, match="10 times within an hour"):
            ask(store, spelled)
    assert ask(store, "other").status == "pending"
    clock.set_wall(7_200)
    with pytest.raises(TooMany):
        ask(store, "delete.cache")
    clock.go_on(3_601)
    assert ask(store, "delete.cache").status == "pending"


# --- what need not be asked ---


@pytest.mark.parametrize("action", sorted(HIGH_RISK))
def test_what_is_high_risk_passes_by_no_rule_that_does_not_say_so(store: Store, action: str) -> None:
    first, second = action.split("_")
    for spelled in (
        action, action.upper(), f"{first}-{second}", f"{first}__{second}.", f"{first}{second}", f"{first}{second.title()}",
        f"{first.title()}{second.title()}", f"ci:{action}", f"{action}.users",
    ):  # fmt: skip
        assert is_high_risk(spelled), spelled
    assert not is_high_risk(f"un{action}")
    store.add_rule(WhitelistRule(action=action, added_by="ada"))
    assert ask(store, action.title()).status == "pending"
    rule = store.add_rule(WhitelistRule(action=action, even_high_risk=True, added_by="ada"))
    passed = ask(store, action)
    assert (passed.status, passed.decided_by) == ("auto_approved", f"rule {rule.number}")
    assert store.audit(1)[0]["event"] == "auto_approved"
    store.remove_rule(rule.number, "ada")
    assert ask(store, action).status == "pending"


def test_a_yes_may_be_for_a_session_an_hour_or_always(store: Store, clock: Clock) -> None:
    def answered(scope: str, **given: Any) -> None:
        store.answer(ask(store, **given).id, Answer(approve=True, by="ada", scope=scope))  # type: ignore[arg-type]

    answered("session", session_key="one")
    assert [ask(store, session_key=key).status for key in ("one", "two", "")] == ["auto_approved", "pending", "pending"]
    answered("hour", action="hourly")
    assert ask(store, "hourly").status == "auto_approved"
    clock.set_wall(-86_400)
    clock.go_on(3_601)
    assert ask(store, "hourly").status == "pending"
    answered("always", action="always")
    clock.go_on(10_000_000)
    assert ask(store, "always").status == "auto_approved"
    with pytest.raises(Refused, match="even_high_risk"):
        answered("always", action="rotate_keys")
    with pytest.raises(Refused, match="names no session"):
        answered("session")
    assert store.verify().valid


# --- the log ---


def test_the_log_only_grows_and_whatever_is_done_to_it_or_to_a_request_shows(store: Store) -> None:
    asked = [ask(store, f"action{at}") for at in range(4)]
    store.answer(asked[0].id, YES)
    store.answer(asked[1].id, NO)
    store.withdraw(asked[2].id, "agent")
    for action in ("tidy", "wipe"):
        store.add_rule(WhitelistRule(action=action, seconds=60, added_by="ada"))
    store.remove_rule(2, "ada")
    noted = store.verify()
    assert (noted.valid, noted.rows, noted.problems) == (True, 10, [])
    assert [row["event"] for row in store.audit(6)[3:]] == ["withdrawn", "denied", "approved"]
    for sql in ("DELETE FROM audit", "UPDATE audit SET hash = ''"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            store.connection.execute(sql)
    store.close()
    untouched = store.path.read_bytes()
    allow = "DROP TRIGGER audit_stays; DROP TRIGGER audit_grows;"
    for attack in (
        "UPDATE audit SET entry = CAST(REPLACE(entry, 'bob', 'eve') AS BLOB) WHERE seq = 6",
        "DELETE FROM audit WHERE seq = 5",
        "DELETE FROM audit WHERE seq = 10",
        "UPDATE requests SET request = CAST(REPLACE(request, '\"denied\"', '\"approved\"') AS BLOB)",
        "UPDATE requests SET request = CAST(REPLACE(request, 'restart web', 'stop web') AS BLOB)",
        f"DELETE FROM requests WHERE id = '{asked[3].id}'",
        *(
            f"UPDATE requests SET request = CAST(REPLACE(request, '{one}', '{other}') AS BLOB)"
            for one, other in (
                ('"bob"', '"eve"'),
                ('"timeout_seconds":300', '"timeout_seconds":3600'),
                ('"session_key":""', '"session_key":"s"'),
                ('"requester":""', '"requester":"ci"'),
            )
        ),
        "INSERT INTO whitelist (rule) SELECT REPLACE(CAST(rule AS TEXT), 'tidy', 'restart') FROM whitelist",
        "UPDATE whitelist SET rule = CAST(REPLACE(rule, '60', '6000') AS BLOB)",
        "DELETE FROM whitelist",
    ):
        store.path.write_bytes(untouched)
        assert verified_after(store.path, allow + attack, noted.head).valid is False, attack
    for head, valid in (("", True), (noted.head, False)):
        store.path.write_bytes(untouched)
        all_of_it = f"{allow} DELETE FROM audit; DELETE FROM requests; DELETE FROM whitelist"
        assert verified_after(store.path, all_of_it, head).valid is valid, "it shows to who has noted where it was"


def verified_after(path: Path, sql: str, head: str) -> Verified:
    with sqlite3.connect(path) as connection:
        connection.executescript(sql)
    connection.close()
    looked = Store(path, KEY, looking=True)
    try:
        return looked.verify(head)
    finally:
        looked.close()


def test_where_nothing_can_be_written_nothing_is_decided(store: Store) -> None:
    asked = ask(store)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CannotKeep, match="nothing was changed: database or disk is full"):
        ask(store, details={"text": "x" * 100_000})
    store.connection.execute("PRAGMA max_page_count = 1000000")
    assert store.answer(asked.id, YES).status == "approved"
    assert store.verify().valid


def test_secrets_are_masked_before_anything_is_written(store: Store) -> None:
    details = {"env": [f"export GITHUB_TOKEN={SECRET}"], SECRET: 1, "text": f'{{"password": "{SECRET}"}}'}
    asked = ask(store, details=details, requester=f"bot {SECRET}")
    assert asked.masked
    store.answer(asked.id, YES)
    assert store.use(asked.id, "restart", details).used_at, "what was approved is what was asked, the secret included"
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert SECRET.encode() not in store.path.read_bytes()


def test_a_yes_that_was_taken_is_no_call_that_ran() -> None:
    assert line_of_entry({"event": "used", "action": "restart"}) == "yes taken  restart"
    answered = {"action": "restart", "status": "approved", "requester": "hermes cli"}
    assert "Hermes' own approvals come after" in answer_in_words(answered)
    for other in ({"status": "denied"}, {"requester": "ci"}):
        assert "Hermes" not in answer_in_words(answered | other)
