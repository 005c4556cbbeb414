"""Who leaves a fleet is revoked, whatever else fails; what is said of it is what happened."""

from __future__ import annotations

import datetime
import json
import os
import signal
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest

pytest.importorskip("distributed")

from cryptography import x509

from tests.unit.commands import document, run
from tests.unit.fleeting import fleet_of, home_at
from warm_tui.errors import Trouble
from warm_tui.fleet import known, leaving
from warm_tui.fleet.authority import Authority
from warm_tui.fleet.credentials import Credentials
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.known import note_seen
from warm_tui.fleet.messages import Member, Standing
from warm_tui.sessions.elsewhere import LastSeen, had_in_words
from warm_tui.writing import write_whole

pytestmark = pytest.mark.xdist_group("fleet-leaving")


@pytest.fixture
def files(tmp_path: Path) -> Folder:
    files = Folder.of(home_at(tmp_path))
    Authority.begun(files).issue("member", "ada", files.handed_out("ada"))
    files.note_address("tls://127.0.0.1:1")
    return files


def expire(files: Folder) -> None:
    for role in ("operator", "scheduler"):
        Authority.of(files).issue(role, role, files.credentials(role), days=0)


WITHOUT: dict[str, tuple[Callable[[Folder], None], str]] = {
    "no scheduler known": (lambda files: files.address.unlink(), "No scheduler is known here"),
    "no operator": (lambda files: files.credentials("operator").unlink(), "operator.pem is not there"),
    "all ran out": (expire, "ran out on"),
    "nobody answers": (lambda _: None, "No scheduler answers"),
}


@pytest.mark.parametrize("lack", WITHOUT)
def test_who_leaves_is_revoked_whatever_is_missing(tmp_path: Path, files: Folder, lack: str) -> None:
    spoil, said = WITHOUT[lack]
    spoil(files)
    words = ("--home", str(tmp_path), "fleet", "leave")
    told = document(*words, "ada")
    assert (told["revoked"], said in told["said"]) == (1, True), told
    assert document(*words, "ada")["revoked"] == 0
    before = files.credentials("scheduler").read_bytes()
    told = document(*words, "scheduler")
    assert (told["revoked"] > 0, leaving.ANOTHER in told["said"]) == (True, True), told
    assert files.credentials("scheduler").read_bytes() != before
    assert Credentials.of(files, "scheduler").name == "scheduler"


def test_a_certificate_of_the_scheduler_that_was_left_revoked_is_issued_anew(tmp_path: Path, files: Folder) -> None:
    Authority.of(files).revoke("scheduler")
    told = document("--home", str(tmp_path), "fleet", "leave", "scheduler")
    assert (told["revoked"], leaving.ANOTHER in told["said"]) == (0, True)
    assert not Authority.of(files).revoked_of(files.credentials("scheduler"))


def test_no_list_of_the_revoked_bars_those_whose_clock_is_behind(files: Folder) -> None:
    """And each is later than the one before, also where two leave at once: OpenSSL goes by the latest."""
    authority, times = Authority.of(files), []
    for name in ("bob", "cyd", "dan"):
        authority.issue("member", name, files.handed_out(name))
        times.append(x509.load_pem_x509_crl(files.revoked.read_bytes()).last_update_utc)
        authority.revoke(name)
    times.append(x509.load_pem_x509_crl(files.revoked.read_bytes()).last_update_utc)
    assert times == sorted({*times})
    assert times[-1] < datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=23)


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_text("nothing")])
def test_a_list_of_the_revoked_that_is_gone_is_not_made_anew(
    tmp_path: Path, files: Folder, spoil: Callable[[Path], object]
) -> None:
    """Whoever left before would be let in again."""
    words = ("--home", str(tmp_path), "fleet")
    run(*words, "leave", "ada")
    kept = files.revoked.read_bytes()
    spoil(files.revoked)
    said = "copy it from another machine of the fleet, where it is warm_tui/fleet/revoked.pem"
    for command in (("leave", "ada"), ("init", "--member", "bob")):
        refused = run(*words, *command, check=False)
        assert (refused.returncode, said in refused.stderr) == (1, True), refused.stderr
    with pytest.raises(Trouble, match=said):
        Credentials.of(files, "operator").context(ssl.Purpose.SERVER_AUTH)
    assert not files.handed_out("bob").exists()
    write_whole(files.revoked, kept)
    assert document(*words, "leave", "ada")["revoked"] == 0


def test_nothing_stands_beside_a_document(tmp_path: Path, files: Folder) -> None:
    note_seen(files, [seen("ada")])
    words = ("--home", str(tmp_path), "fleet", "status")
    told = run(*words, "--json", check=False)
    assert (told.returncode, json.loads(told.stdout)["success"]) == (1, False), told.stdout
    assert "ada" in run(*words, check=False).stdout


def test_whoever_is_heard_of_at_once_by_many_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reads what was known only when the one before has written it down."""
    files, names = Folder.of(home_at(tmp_path)), [f"m{at}" for at in range(8)]
    together = Barrier(len(names))
    reading = known.last_seen

    def read(folder: Path) -> LastSeen:
        found = reading(folder)
        # Without a lock, all have read before one writes.
        with suppress(BrokenBarrierError):
            together.wait(0.2)
        return found

    monkeypatch.setattr(known, "last_seen", read)
    threads = [Thread(target=note_seen, args=(files, [seen(name)])) for name in names]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(reading(files.path).told) == names
    known.forget(files, "m0")
    assert sorted(reading(files.path).machines) == names[1:]


def seen(name: str, at: float = 1.0) -> Member:
    return Member(name, "tls://a:1", Standing(), None, None, at)


def test_who_left_is_not_told_as_away_by_who_heard_of_it_before(tmp_path: Path) -> None:
    files = Folder.of(home_at(tmp_path))
    note_seen(files, [seen("ada"), seen("bob")])
    known.forget(files, "ada")
    note_seen(files, [seen("ada", time.time() - 60), seen("bob")], are_all=True)
    assert [each.name for each in known.known_members(home_at(tmp_path), time.time())] == ["bob"]
    place = files.path / "homes" / "ada" / "1.elsewhere"
    assert had_in_words(place).startswith("which left the fleet ")
    note_seen(files, [seen("ada", time.time() + 60)])
    assert "ada" in {each.name for each in known.known_members(home_at(tmp_path), time.time())}, "it has come again"
    assert had_in_words(place).startswith("last seen ")


def test_a_member_that_is_slow_to_hear_of_it_is_waited_for(tmp_path: Path) -> None:
    """Longer than the scheduler waits for it: that one has done its part, and says so."""
    assert leaving.PATIENCE_SECONDS > leaving.TELLING_SECONDS
    with fleet_of(tmp_path, {name: home_at(tmp_path / name) for name in ("ada", "bob")}) as running:
        os.kill(running.processes["bob"].pid, signal.SIGSTOP)
        try:
            told = document("--home", str(running.home.root), "fleet", "leave", "ada")
        finally:
            os.kill(running.processes["bob"].pid, signal.SIGCONT)
        assert (told["revoked"], told["said"]) == (1, "The scheduler knows.")
