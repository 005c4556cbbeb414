"""A fleet: who is let in, who is there, what is asked of one member alone, and what is told when one is away."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed")

from distributed.comm.core import CommClosedError

from tests.unit.commands import document, run
from tests.unit.fleeting import Process, RunningFleet, fleet_of, home_at, when
from warm_tui.errors import Trouble
from warm_tui.fleet import member
from warm_tui.fleet.authority import Authority
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.credentials import Credentials, FleetSecurity, check_welcome, install
from warm_tui.fleet.folder import Away, Folder, NotLetIn, check_address
from warm_tui.fleet.functions import FUNCTIONS, Function
from warm_tui.fleet.line import Line
from warm_tui.fleet.member_tasks import Echo
from warm_tui.fleet.messages import PROTOCOL, Answered, Asked, Member, Standing, decoded, encode
from warm_tui.writing import write_whole

pytestmark = pytest.mark.xdist_group("fleet")
LONG = 60.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFleet]:
    folder = tmp_path_factory.mktemp("fleet")
    with fleet_of(folder, {name: home_at(folder / name) for name in ("ada", "bob", "cyd")}) as running:
        yield running


@pytest.fixture(scope="module")
def fleet(running: RunningFleet) -> Iterator[Fleet]:
    with Fleet(running.home) as fleet:
        yield fleet


def home(running: RunningFleet) -> tuple[str, ...]:
    return "--home", str(running.home.root), "fleet"


# --- who is there ---


def test_who_is_there_and_what_they_offer_is_told(running: RunningFleet) -> None:
    told = document(*home(running), "status")
    assert [each["name"] for each in told["members"]] == ["ada", "bob", "cyd"]
    standing = told["members"][0]["standing"]
    assert (standing["slots"], standing["offers"]["docker"], standing["drained"]) == (2, 1.0, False)
    assert abs(standing["ahead_seconds"]) < 5
    printed = run(*home(running), "status").stdout
    assert [line.split()[:2] for line in printed.splitlines()[1:]] == [
        [name, "there"] for name in ("ada", "bob", "cyd")
    ]


def test_each_answers_for_itself_until_the_deadline(fleet: Fleet) -> None:
    members = {each.name: each for each in fleet.members()}
    asked = [fleet.submit(each, "echo", Echo(name), Echo, seconds=LONG) for name, each in members.items()]
    assert [each.answer().words for each in asked] == ["ada", "bob", "cyd"]
    with pytest.raises(Away, match="ada did not answer in time"):
        fleet.submit(members["ada"], "echo", Echo(wait_seconds=1.0), Echo, seconds=0.1).answer()
    with pytest.raises(Away, match="dan is not in the fleet"):
        fleet.ask("dan", "echo", Echo(), Echo, seconds=LONG)


def test_a_drained_member_stays_drained(running: RunningFleet, fleet: Fleet) -> None:
    assert run(*home(running), "drain", "bob").stdout == "bob gets no new runs.\n"
    when(fleet, lambda members: members["bob"].standing.drained)
    assert "drained" in run(*home(running), "status").stdout
    run(*home(running), "drain", "bob", "--undo")
    when(fleet, lambda members: not members["bob"].standing.drained)


# --- who is let in ---


def test_every_file_is_the_operators_alone(running: RunningFleet) -> None:
    files = [path for path in running.files.path.rglob("*") if path.is_file()]
    assert len(files) > 6
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def listening(pid: int) -> set[int]:
    """The ports on which a process listens."""
    told = subprocess.run(["ss", "-tlnpH"], capture_output=True, text=True, check=False).stdout
    return {int(line.split()[3].rpartition(":")[2]) for line in told.splitlines() if f"pid={pid}," in line}


def test_nobody_is_answered_without_tls_and_a_certificate_of_the_fleet(running: RunningFleet, tmp_path: Path) -> None:
    port = int(running.port)
    with socket.create_connection(("127.0.0.1", port)) as plain:
        plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with suppress(ConnectionResetError):
            assert plain.recv(1_000)[:1] in (b"", b"\x15"), "nothing, or TLS' own no"
    anybody = ssl._create_unverified_context()
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        pytest.raises(ssl.SSLError, match="CERTIFICATE_REQUIRED"),
        anybody.wrap_socket(connection) as secured,
    ):
        secured.recv(1)
    theirs = Folder(tmp_path / "foreign")
    Authority.begun(theirs)
    with pytest.raises(Trouble, match="the scheduler is of another fleet"):
        check_welcome(running.address, Credentials.of(theirs, "operator"))
    ours = running.authority
    ours.issue("operator", "late", tmp_path / "late" / "operator.pem", days=0)
    with pytest.raises(Trouble, match="its certificate ran out"):
        check_welcome(
            running.address, Credentials.of(running.files, "operator")._replace(path=tmp_path / "late" / "operator.pem")
        )


def test_no_process_of_a_fleet_has_a_port_without_tls(running: RunningFleet) -> None:
    for process in running.processes.values():
        ports = listening(process.pid)
        for port in ports:
            credentials = Credentials.of(running.files, "operator")
            with suppress(NotLetIn) if port != int(running.port) else nullcontext():
                check_welcome(f"tls://127.0.0.1:{port}", credentials)


async def test_a_member_passes_for_no_scheduler(running: RunningFleet, fleet: Fleet, tmp_path: Path) -> None:
    """Whoever is led to one is told so, and neither asks it nor joins it."""
    there = fleet.member("ada").address
    operator = Credentials.of(running.files, "operator")
    with pytest.raises(NotLetIn, match="is no scheduler"):
        check_welcome(there, operator)
    line = Line(there, operator)
    with pytest.raises(NotLetIn, match="is no scheduler"):
        line.ask("members", {}, deadline=5.0, most=1_000).result()
    line.close()
    running.authority.issue("member", "fay", tmp_path / "fay.pem")
    install(Folder.of(home_at(tmp_path)), "member", tmp_path / "fay.pem")
    security = FleetSecurity(Credentials.of(Folder.of(home_at(tmp_path)), "member"))
    here = member.Here(home_at(tmp_path), 1, {})
    with pytest.raises(RuntimeError, match="failed to start") as refused:
        await member.FleetWorker(there, here, security, tmp_path, "fay")
    assert "is no scheduler" in str(refused.value.__cause__)


def test_a_certificate_is_for_one_name_and_one_part(running: RunningFleet, tmp_path: Path) -> None:
    eve = tmp_path / "eve.pem"
    running.authority.issue("member", "eve", eve)
    words = ("--home", str(tmp_path / "eve"), "fleet")
    refused = run(*words, "join", running.address, "--name", "ada", "--certificate", str(eve), check=False)
    assert refused.stderr == "The certificate here is of eve, not of ada.\n"
    refused = run(*words, "status", running.address, "--certificate", str(eve), check=False)
    assert "is not what `warm-tui fleet init --operator NAME` hands out" in refused.stderr
    # Put where an operator's stands, the scheduler still sees what it is.
    write_whole(Folder.of(home_at(tmp_path / "sly")).credentials("operator"), eve.read_bytes())
    refused = run("--home", str(tmp_path / "sly"), "fleet", "status", running.address, check=False)
    assert "holds no certificate of a fleet for a operator" in refused.stderr


async def test_the_scheduler_itself_looks_at_names_and_parts(running: RunningFleet, tmp_path: Path) -> None:
    """Also where somebody's own program, not ours, comes with a certificate that is good."""
    eve = Folder.of(home_at(tmp_path))
    running.authority.issue("member", "eve", tmp_path / "eve.pem")
    install(eve, "member", tmp_path / "eve.pem")
    security = FleetSecurity(Credentials.of(eve, "member"))
    here = member.Here(home_at(tmp_path), 1, {})
    with pytest.raises(RuntimeError, match="failed to start") as refused:
        await member.FleetWorker(running.address, here, security, tmp_path, "ada")
    assert "the certificate is of eve, not of ada" in str(refused.value.__cause__)
    line = Line(running.address, security.credentials)
    asked = {"name": "ada", "request": b"", "seconds": 5.0, "most": 1_000}
    for op, told in (("members", {}), ("ask", asked), ("take_revoked", {"pem": "", "name": "ada"})):
        with pytest.raises(CommClosedError):
            line.ask(op, told, deadline=5.0, most=1_000).result()
    for op in ("register-client", "run_function", "feed", "register_scheduler_plugin", "broadcast", "proxy"):
        assert line.ask(op, {}, deadline=5.0, most=1_000).result() is None, "nothing of the engine's is there"
    line.close()


def test_a_name_that_is_taken_is_waited_for(running: RunningFleet, tmp_path: Path) -> None:
    certificate = str(running.files.handed_out("ada"))
    second = Process(home_at(tmp_path), "join", running.address, "--name", "ada", "--certificate", certificate)
    assert second.line() == "A machine called ada is in the fleet, or was until a minute ago. It is waited for."
    running.processes["ada"].kill()
    assert second.line() == f"ada is in the fleet of {running.address}."
    second.kill()
    assert "is in the fleet" in running.start_member("ada").line()


def test_a_certificate_that_ran_out_is_told_before_anything_is_tried(running: RunningFleet, tmp_path: Path) -> None:
    old = Folder.of(home_at(tmp_path))
    running.authority.issue("member", "old", tmp_path / "old.pem", days=0)
    with pytest.raises(Trouble, match="The certificate of old ran out on"):
        install(old, "member", tmp_path / "old.pem")


def test_who_left_is_refused_for_good_and_the_others_stay(running: RunningFleet, fleet: Fleet) -> None:
    assert run(*home(running), "leave", "cyd").stdout == "cyd can no longer join. The scheduler knows.\n"
    assert "cyd" not in run(*home(running), "status").stdout, "it is not away: it has left"
    code, last_words = running.processes["cyd"].ended()
    assert (code, "its certificate was revoked" in last_words) == (1, True), last_words
    assert running.start_member("cyd").ended()[0] == 1
    assert fleet.ask("ada", "echo", Echo("still"), Echo, seconds=LONG).words == "still"
    told = Folder.of(running.homes["ada"]).revoked.read_bytes()
    assert told == running.files.revoked.read_bytes(), "the other members were told, too"
    assert run(*home(running), "leave", "cyd").stdout.startswith("cyd has no certificate that holds.")
    running.files.handed_out("cyd").unlink()
    assert "is in the fleet" in running.start_member("cyd").line(), "a new certificate is a new beginning"


def test_a_schedulers_certificate_can_be_revoked(tmp_path: Path) -> None:
    """Whoever took it can pose as the scheduler no more: the members were told."""
    with fleet_of(tmp_path, {"dan": home_at(tmp_path / "dan")}) as other:
        stolen = Folder.of(home_at(tmp_path / "thief"))
        write_whole(stolen.credentials("scheduler"), other.files.credentials("scheduler").read_bytes())
        write_whole(stolen.revoked, other.files.revoked.read_bytes())
        said = run(*home(other), "leave", "scheduler").stdout
        assert said.startswith("scheduler can no longer join. The scheduler told the members, and ends."), said
        other.processes["scheduler"].process.join(LONG)
        assert other.processes["scheduler"].process.exitcode == 0
        thief = Process(home_at(tmp_path / "thief"), "scheduler", "--host", "127.0.0.1", "--port", other.port)
        assert thief.line() == other.address
        other.processes["dan"].process.join(LONG)
        assert other.processes["dan"].process.exitcode == 1, "it does not go on with that one"
        with pytest.raises(Trouble, match="the scheduler's certificate was revoked"):
            check_welcome(other.address, Credentials.of(other.files, "operator"))
        thief.kill()
        other.start_scheduler()
        assert "is in the fleet" in other.start_member("dan").line()


# --- who goes away ---


def test_who_was_killed_is_told_as_away_with_what_was_had_and_comes_back(running: RunningFleet, fleet: Fleet) -> None:
    run(*home(running), "status")
    asked = fleet.submit(fleet.member("bob"), "echo", Echo(wait_seconds=LONG), Echo, seconds=LONG)
    when(fleet, lambda members: members["bob"].standing.running == 1)
    running.processes["bob"].kill()
    with pytest.raises(Away, match="bob went away while it was asked"):
        asked.answer()
    with Fleet(running.home) as asking:
        when(asking, lambda members: "bob" not in members)
    told = run(*home(running), "status").stdout
    assert re.search(r"^bob is away, last seen .*\.$", told, re.M), told
    assert [line.split()[:2] for line in told.splitlines()[1:4]] == [
        ["ada", "there"],
        ["bob", "away"],
        ["cyd", "there"],
    ]
    away = {each["name"]: each["away"] for each in document(*home(running), "status")["members"]}
    assert away == {"ada": False, "bob": True, "cyd": False}
    running.start_member("bob").line()
    assert " is away" not in run(*home(running), "status").stdout
    assert fleet.ask("bob", "echo", Echo("back"), Echo, seconds=LONG).words == "back"


def test_a_scheduler_that_is_killed_is_waited_for(running: RunningFleet, fleet: Fleet) -> None:
    with Fleet(running.home) as hurried:
        hurried.patience = 0.2
        running.processes["scheduler"].kill()
        with pytest.raises(Away, match="No scheduler answers"):
            hurried.members()
    running.start_scheduler()
    when(fleet, lambda members: set(members) == {"ada", "bob", "cyd"})
    assert fleet.ask("ada", "echo", Echo("again"), Echo, seconds=LONG).words == "again"


def test_a_member_that_is_halted_is_told_as_away(
    running: RunningFleet, fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warm_tui.fleet.client.AWAY_SECONDS", 1.2)
    pid = running.processes["bob"].pid
    os.kill(pid, signal.SIGSTOP)
    try:
        when(fleet, lambda members: members["bob"].away and not members["ada"].away)
    finally:
        os.kill(pid, signal.SIGCONT)
    when(fleet, lambda members: not members["bob"].away)


# --- what is said, and between which versions ---


def answer_to(asked: bytes) -> Answered:
    return decoded(member.perform(asked), Answered, "here")


def test_versions_that_do_not_understand_each_other_say_so() -> None:
    old, new = (
        Asked("echo", newest=PROTOCOL - 1, oldest=0, version="0.0.9"),
        Asked("echo", newest=99, oldest=99, version="9.9"),
    )
    assert "is too old for" in answer_to(encode(old)).trouble
    assert "update this machine" in answer_to(encode(new)).trouble
    there = Member("ada", "tls://a:1", Standing(version="9.9", newest=99, oldest=99), None, None, 0.0)
    assert there.refused == "ada runs Warm TUI 9.9, which speaks to none as old as 0.1.0: update this machine."
    bridged = there._replace(standing=Standing(version="9.9", newest=99, oldest=PROTOCOL))
    assert (bridged.refused, bridged.skew.partition(":")[0]) == ("", "ada runs Warm TUI 9.9, this machine 0.1.0")
    by_pickles = there._replace(standing=Standing(version="0.1.0", newest=1, oldest=1))
    assert "too old" in by_pickles.refused, "the first language was of the same fields, and asked in another way"


def test_what_a_newer_version_adds_is_passed_over_and_what_is_garbled_is_refused() -> None:
    asked = msgspec.to_builtins(Asked("nothing-known", newest=99)) | {"added": [1, 2], "body": b""}
    answered = answer_to(encode(asked))
    assert ("knows nothing called 'nothing-known'" in answered.trouble, answered.spoken) == (True, PROTOCOL)
    assert "cannot be read" in answer_to(b"\xc1").trouble
    assert "cannot be read" in answer_to(encode({"function": 7})).trouble


def test_an_error_there_tells_where_and_nothing_of_what_it_was_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(member._here, "home", home_at(tmp_path))
    monkeypatch.setitem(FUNCTIONS, "run", Function("tests.unit.test_fleet.goes_wrong", is_run=True))
    assert answer_to(encode(Asked("run", encode(Echo())))).trouble.startswith(
        "It went wrong there: KeyError in member.py, line "
    )
    write_whole(Folder.of(home_at(tmp_path)).drained, "")
    assert answer_to(encode(Asked("run", encode(Echo())))).trouble == "It is drained: it begins no new runs."


def goes_wrong(_home: object, request: Echo) -> Echo:  # noqa: ARG001 - called by its name
    raise KeyError("a planted secret")


@pytest.mark.parametrize(
    ("given", "read"),
    [("host", "tls://host:8786"), ("tls://10.0.0.7:99", "tls://10.0.0.7:99"), ("[::1]:5", "tls://[::1]:5")],
)
def test_addresses(given: str, read: str) -> None:
    assert check_address(given) == read


@pytest.mark.parametrize("given", ["tcp://host:1", "http://host", "host:0", "host:99999", "a b", ""])
def test_no_address(given: str) -> None:
    with pytest.raises(Trouble, match="is no address of a scheduler"):
        check_address(given)


def test_units_are_printed_and_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--home", str(tmp_path), "fleet")
    assert "fleet scheduler --port 8786\n" in run(*words, "scheduler", "--print-unit").stdout
    joined = run(*words, "join", "host", "--name", "ada", "--offers", "gpu=2", "--print-unit").stdout
    assert "fleet join tls://host:8786 --name ada --slots 2 --offers gpu=2\n" in joined
    for command, said in (
        (("status",), "`warm-tui fleet init` makes it"),
        (("leave", "ada"), "No authority of a fleet is in"),
        (("join", "host", "--name", "ada"), "on the authority's machine makes it"),
        (("join", "host", "--name", "Ada!"), "is no name of a machine"),
        (("join", "host", "--name", "ada", "--offers", "gpu=x"), "tells no amount"),
    ):
        refused = run(*words, *command, check=False)
        assert (refused.returncode, said in refused.stderr) == (1, True), refused.stderr
    write_whole(Folder.of(home_at(tmp_path)).credentials("member"), "")
    assert "has forgotten its certificate" in run(*words, "leave").stdout
    assert "is no member of a fleet" in run(*words, "leave", check=False).stderr
    monkeypatch.setattr("warm_tui.writing._looks_only", True)
    assert "read-only" in run(*words, "init", check=False).stderr
    monkeypatch.undo()
    (tmp_path / "odd.pem").write_text("nothing")
    with pytest.raises(Trouble, match="holds no certificate of a fleet"):
        install(Folder.of(home_at(tmp_path)), "member", tmp_path / "odd.pem")


def test_without_a_fleet_nothing_of_it_is_imported() -> None:
    words = "import sys, warm_tui.cli, warm_tui.app, warm_tui.library.catalog, warm_tui.experiments.run;"
    words += "print(sorted({name.partition('.')[0] for name in sys.modules} & {'distributed', 'dask', 'cryptography'}))"
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout == "[]\n"
