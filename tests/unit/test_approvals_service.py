"""The service that holds what is asked for: right for those who may, JSON and no decision for everything else."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")

from tests.unit.approving import ASKED, Service, begin, end, serving
from tests.unit.commands import run
from tests.unit.test_approvals import Clock
from warm_tui import writing
from warm_tui.approvals.client import Client, NotThere
from warm_tui.approvals.model import Submission
from warm_tui.approvals.place import Role, make_folder, socket_address, tokens
from warm_tui.approvals.service import door, endpoints
from warm_tui.approvals.service.desk import Busy, Desk
from warm_tui.approvals.service.guard import Asked, refusal
from warm_tui.approvals.service.notifying import Way
from warm_tui.approvals.service.server import DESCRIPTION, Options, application, listen, listen_in_folder, listening
from warm_tui.approvals.store import Store
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor

pytestmark = pytest.mark.xdist_group("approvals")

KEY = b"k" * 32
DECIDED = {"approved", "auto_approved"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("approvals")) as service:
        yield service


# --- for those who may ---


def test_a_request_is_asked_answered_and_used(service: Service) -> None:
    elsewhere = service.ask("POST", "/confirm", ASKED, Host="localhost:9")[1]
    by_socket = Client(service.place, "agent").ask("POST", "/confirm", ASKED)
    for each in (elsewhere, by_socket):
        assert each["deny_url"] == f"{service.url}/confirm/{each['id']}/deny", "who asks does not say where to answer"
        service.ask("DELETE", f"/confirm/{each['id']}")
    status, asked = service.ask("POST", "/confirm", ASKED | {"requester": "ci", "session_key": "s1"})
    assert (status, asked["status"], asked["timeout_seconds"]) == (202, "pending", 300)
    assert asked["approve_url"] == f"{service.url}/confirm/{asked['id']}/approve"
    path = f"/confirm/{asked['id']}"
    assert service.ask("GET", path)[1]["status"] == "pending"
    assert asked["id"] in [each["id"] for each in service.ask("GET", "/pending", role="operator")[1]["pending"]]
    status, approved = service.ask("POST", f"{path}/approve", {"approver": "ada"}, "operator")
    assert (status, approved["status"], approved["decided_by"]) == (200, "approved", "ada")
    assert service.ask("POST", f"{path}/deny", {"denier": "bob"}, "operator") == (
        409, {"error": "It was approved by ada.", "status": "approved", "decided_by": "ada", "id": asked["id"]},
    )  # fmt: skip
    use = {"action": "restart", "details": ASKED["details"]}
    assert service.ask("POST", f"{path}/use", {**use, "details": {}})[0] == 400
    assert [service.ask("POST", f"{path}/use", use)[0] for _ in range(2)] == [200, 409]
    assert service.ask("DELETE", path)[0] == 409
    events = [row["event"] for row in service.ask("GET", "/audit?limit=3", role="operator")[1]["entries"]]
    assert events == ["used", "approved", "asked"]
    assert service.ask("GET", "/health")[1]["status"] == "ok"


def test_who_waits_is_told_at_once_and_so_is_who_listens(service: Service) -> None:
    listener = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    operator = {"Authorization": f"Bearer {tokens(service.place)['operator']}"}
    listener.request("GET", "/events", headers=operator)
    stream = listener.getresponse()
    assert stream.readline() == b"event: hello\n"
    answers: list[dict[str, Any]] = []
    names = [service.submit(session_key=f"w{at}") for at in range(3)]

    def wait(name: str) -> None:
        answers.append(service.ask("GET", f"/confirm/{name}?wait=60")[1])

    waiters = [threading.Thread(target=wait, args=(name,)) for name in (*names, names[0])]
    for waiter in waiters:
        waiter.start()
    for name, what in zip(names, ("approve", "deny"), strict=False):
        service.ask("POST", f"/confirm/{name}/{what}", {}, "operator")
    service.ask("DELETE", f"/confirm/{names[2]}", {"by": "the agent"})
    for waiter in waiters:
        waiter.join()
    assert sorted(each["status"] for each in answers) == ["approved", "approved", "denied", "withdrawn"]
    heard: list[str] = []
    while "withdrawn" not in heard:
        line = stream.readline().decode()
        assert "systemctl" not in line, "what it is about is asked for, and not told"
        heard += re.findall(r"event: (\w+)", line)
    assert heard == ["asked"] * 3 + ["approved", "denied", "withdrawn"]
    listener.close()


def test_a_rule_lets_pass_what_it_names_and_is_taken_back(service: Service) -> None:
    rule = {"action": "tidy", "requester": "ci", "added_by": "ada"}
    status, added = service.ask("POST", "/whitelist", rule, "operator")
    assert (status, added["requester"]) == (201, "ci")
    status, passed = service.ask("POST", "/confirm", ASKED | {"action": "tidy", "requester": "ci"})
    assert (status, passed["status"]) == (200, "auto_approved")
    assert service.ask("POST", "/confirm", ASKED | {"action": "tidy"})[0] == 202
    (listed,) = service.ask("GET", "/whitelist", role="operator")[1]["whitelist"]
    assert service.ask("DELETE", f"/whitelist/{listed['number']}", role="operator")[0] == 200
    assert service.ask("DELETE", f"/whitelist/{listed['number']}", role="operator")[0] == 404


def test_the_document_is_what_the_handlers_are(service: Service, tmp_path: Path) -> None:
    status, document = service.ask("GET", "/openapi.json")
    assert status == 200
    home = make_folder(Home(tmp_path, ()))
    store = Store(home.database, KEY)
    app = application(Desk(store, lambda: Redactor(KEY)), tokens(home), "127.0.0.1")
    assert app[DESCRIPTION] == document
    routes = {
        (route.method, route.resource.canonical)
        for route in app.router.routes()
        if route.resource and route.method != "HEAD"
    }
    assert {(method.upper(), path) for path, told in document["paths"].items() for method in told} == routes
    store.close()
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            role: Role = "operator" if "operator" in told["description"] else "agent"
            for body in told.get("requestBody", {}).get("content", {}).values():
                name = body["schema"]["$ref"].rpartition("/")[2]
                assert document["components"]["schemas"][name]["type"] == "object"
            where = path.replace("{id}", "0" * 32).replace("{number}", "999999")
            if path != "/events":
                assert (
                    str(service.ask(method.upper(), where, {} if method != "get" else None, role)[0])
                    in told["responses"]
                )


# --- for those who may not, and what nobody may send ---


def test_every_endpoint_needs_a_token_and_what_operators_do_needs_theirs(service: Service) -> None:
    document = service.ask("GET", "/openapi.json")[1]
    name = service.submit(session_key="tokens")
    operators = 0
    for path, methods in document["paths"].items():
        where = path.replace("{id}", name).replace("{number}", "1")
        for method, told in methods.items():
            asked = (method.upper(), where, {})
            assert service.ask(*asked, role=None)[0] == 401
            for wrong in ("Bearer", "Bearer x", f"Basic {tokens(service.place)['operator']}", "Bearer \xe9"):
                assert service.ask(*asked, role=None, Authorization=wrong)[0] == 401
            if "operator" in told["description"]:
                operators += 1
                assert service.ask(*asked, role="agent")[0] == 403
    assert operators == 8
    assert service.ask("GET", f"/confirm/{name}?token={tokens(service.place)['operator']}", role=None)[0] == 401
    assert service.ask("GET", f"/confirm/{name}")[1]["status"] == "pending"


def test_no_page_of_a_browser_and_no_foreign_name_is_answered(service: Service) -> None:
    name = service.submit(session_key="pages")
    for headers in (
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": service.url}, {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"}, {"Host": "[::1"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-origin"},
    ):  # fmt: skip
        assert service.ask("POST", f"/confirm/{name}/approve", {}, "operator", **headers)[0] == 403
    assert service.ask("OPTIONS", f"/confirm/{name}/approve", role="operator")[0] == 405
    assert service.ask("GET", f"/confirm/{name}")[1]["status"] == "pending"
    known: dict[Role, str] = {"agent": "a" * 20, "operator": "o" * 20}
    anywhere = Asked("approvals.example", None, "", f"bearer {'o' * 20}")
    assert refusal(anywhere, "operator", known, "0.0.0.0") is None
    assert refusal(anywhere, "operator", known, "approvals.example") is None
    assert refusal(anywhere, "operator", known, "other.example") is not None


HOSTILE: list[tuple[str, str, Any, int]] = [
    ("POST", "/confirm", b"", 400), ("POST", "/confirm", b"\xff\xfe", 400), ("POST", "/confirm", b"[" * 90_000, 400),
    ("POST", "/confirm", b'{"action": "a"', 400), ("POST", "/confirm", ASKED | {"timeout_seconds": 29}, 400),
    ("POST", "/confirm", ASKED | {"action": "a" * 101}, 400), ("POST", "/confirm", ASKED | {"description": "d" * 10_001}, 400),
    ("POST", "/confirm", ASKED | {"details": "x" * 1_000_001}, 413), ("POST", "/confirm", ASKED | {"details": [[1 << 70]]}, 400),
    ("POST", "/confirm/ID/approve", b"no", 400), ("POST", "/confirm/ID/approve", {"approver": ""}, 400),
    ("POST", "/confirm/ID/approve", {"approver": 1}, 400), ("POST", "/confirm/ID/approve", {"scope": "ever"}, 400),
    ("POST", "/confirm/ID/approve", {"scope": "session"}, 400), ("POST", "/confirm/ID/approve", {"details": {"a": 1}}, 400),
    ("POST", "/confirm/ID/deny", {"reason": "r" * 2_001}, 400), ("POST", "/confirm/ID/approve/", {}, 404),
    ("POST", "//confirm/ID/approve", {}, 404), ("POST", "/confirm/../confirm/ID%2Fapprove", {}, 404),
    ("POST", "/confirm/%00/approve", {}, 404), ("POST", "/confirm/ID%20/approve", {}, 404), ("GET", "/confirm/ID/approve", None, 405),
    ("PUT", "/confirm/ID", {}, 405), ("BREW", "/confirm", {}, 400), ("GET", "/confirm/" + "x" * 5_000, None, 404),
    ("GET", "/confirm/' OR 1=1 --".replace(" ", "%20"), None, 404), ("GET", "/confirm/ID?wait=nan", None, 400),
    ("GET", "/confirm/ID?wait=-1", None, 400), ("GET", "/confirm/ID?wait=1e9", None, 400), ("GET", "/audit?limit=0", None, 400),
    ("GET", "/audit?limit=501", None, 400), ("GET", "/audit?limit=inf", None, 400), ("GET", "/audit?before=x", None, 400),
    ("DELETE", "/whitelist/x", {}, 404), ("DELETE", "/whitelist/99999999999999999999", {}, 404),
    ("POST", "/whitelist", {"action": "*"}, 400), ("POST", "/whitelist", {"action": "a", "seconds": -1}, 400),
    ("GET", "/nowhere", None, 404), ("GET", "/../../../etc/passwd", None, 404),
]  # fmt: skip


def test_whatever_is_sent_the_answer_is_json_and_nothing_is_decided(service: Service) -> None:
    name = service.submit(session_key="")
    for method, path, body, expected in HOSTILE:
        status, told = service.ask(method, path.replace("ID", name), body, "operator")
        assert (status, "error" in told, "Traceback" in str(told)) == (expected, True, False), (method, path, told)
    assert service.ask("GET", f"/confirm/{name}")[1]["status"] == "pending"
    assert service.ask("POST", "/confirm", ASKED | {"description": "\u202e\x00\x1b[2J💥"})[0] == 202


def test_what_is_no_http_is_answered_in_json_too(service: Service) -> None:
    token = f"Authorization: Bearer {tokens(service.place)['agent']}\r\nHost: localhost\r\n".encode()
    for sent in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
        b"GET /health HTTP/1.1\r\n" + token + b"X: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\n" + token + b"".join(b"X-%d: a\r\n" % at for at in range(5_000)) + b"\r\n",
        b"GET /health HTTP/1.1\r\n" + token + b"bad header\r\n\r\n",
        b"POST /confirm HTTP/1.1\r\n" + token + b"Content-Length: -5\r\n\r\n",
        b"POST /confirm HTTP/1.1\r\n" + token + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + token + b"\r\n",
    ):  # fmt: skip
        status, told = service.raw(sent)
        assert (status, list(told)) == (400, ["error"]), sent[:60]


def test_slow_senders_are_let_go_and_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "BODY_SECONDS", 0.05)
    monkeypatch.setattr(door, "MOST_CONNECTIONS", 3)
    place = make_folder(Home(tmp_path, ()))
    known = tokens(place)

    async def drive() -> None:
        desk = Desk(Store(place.database, KEY), lambda: Redactor(KEY))
        with listen("127.0.0.1", 0) as port, socket_address(place) as path, listen_in_folder(path, place) as local:
            address = port.getsockname()[:2]
            async with listening(desk, known, Options(idle=0.1), (port, None), local):
                reader, writer = await asyncio.open_connection(*address)
                writer.write(b"GET /health HTTP/1.1\r\nHost: loc")
                assert await reader.read() == b"", "headers that never end"
                writer.close()
                # From here, where nobody is let go for being slow to greet: that is a tenth of a second.
                reader, writer = await asyncio.open_unix_connection(path)
                head = f"POST /confirm HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {known['agent']}\r\n"
                writer.write(f'{head}Content-Length: 99\r\n\r\n{{"action"'.encode())
                assert (await reader.readline()).startswith(b"HTTP/1.1 408")
                assert b'"error"' in await reader.read()
                writer.close()
                many = [await asyncio.open_connection(*address) for _ in range(8)]
                assert [await reader.read() for reader, _ in many] == [b""] * 8
                local_reader, local_writer = await asyncio.open_unix_connection(path)
                local_writer.write(f"GET /health HTTP/1.1\r\n{head.partition(chr(10))[2]}\r\n".encode())
                assert (await local_reader.readline()).startswith(b"HTTP/1.1 200"), "its owner gets through"
                for _, writer in (*many, (local_reader, local_writer)):
                    writer.close()
                monkeypatch.setattr("warm_tui.approvals.service.desk.MOST_BYTES", 99)
                with pytest.raises(Busy, match="no more is taken"):
                    await desk.submit(Submission(action="a", description="d"), 100)
                left = await desk.submit(Submission(action="a", description="d", lease_seconds=1))
                desk._leases[left.id] = (0.0, 1.0)
                await desk.tick()
                assert (await desk.wait(left.id, 0)).reason == "nobody waits for it any more"
                ending = await desk.submit(Submission(action="a", description="d"))
                waiting = asyncio.create_task(desk.wait(ending.id, 60))
                await asyncio.sleep(0)
            assert (await waiting).status == "pending", "the service ends: they ask again"
        desk.end()

    asyncio.run(drive())


# --- people are told ---


def test_people_are_told_by_the_next_way_where_one_fails_and_at_half_the_time(tmp_path: Path) -> None:
    arrived, script = tmp_path / "arrived", tmp_path / "tell"
    script.write_text(f'#!/bin/sh\necho "$2 $1" >> {arrived}\ncat > {tmp_path}/request.json\necho sent\n')
    script.chmod(0o700)
    clock = Clock()
    store = Store(make_folder(Home(tmp_path, ())).database, KEY, clock=clock)
    ways = [
        Way("none", (str(tmp_path / "not-there"),)),
        Way("first", (str(script),)),
        Way("last", ("sh", str(script), "!")),
    ]

    async def drive() -> None:
        desk = Desk(store, lambda: Redactor(KEY), ways)
        asked = await desk.submit(
            Submission(action="delete_data", description="tidy\x1b[2J up MEDIA:/a", timeout_seconds=60)
        )
        await asyncio.gather(*desk._delivering)
        clock.go_on(40)
        await desk.tick()
        assert not desk._delivering, "the third way is for three quarters of the time"
        clock.go_on(6)
        await desk.tick()
        await asyncio.gather(*desk._delivering)
        await desk.tick()
        assert not desk._delivering
        assert json.loads((tmp_path / "request.json").read_text())["id"] == asked.id
        desk.end()

    asyncio.run(drive())
    looked = Store(store.path, KEY, looking=True)
    told = [(row["event"], row["actor"], row.get("reason")) for row in reversed(looked.audit(9))][1:]
    assert told == [
        ("not_notified", "none", "No such file or directory"), ("notified", "first", "sent"), ("notified", "last", "sent"),
    ]  # fmt: skip
    assert looked.verify().valid
    looked.close()
    first, last = arrived.read_text().splitlines()
    assert first.strip().startswith("Approval wanted within 1 min: delete_data (high risk). Read it by")
    assert "MEDIA" not in first, "no word of whoever asks: a messenger may send files by them"
    assert last.endswith(" !")


# --- one to a home, and whatever happens ---


def test_a_second_service_and_whatever_else_is_in_the_way_is_told_in_a_sentence(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is only looked at is so for a whole process.
    monkeypatch.setattr(writing, "_looks_only", False)
    second = run("--home", str(service.home.root), "confirm", "serve", "--port", "0", check=False)
    assert second.stderr == (
        f"A service for approvals runs for this home already at {service.url} (process {service.process.pid}).\n"
    )
    home = ["--home", str(tmp_path), "confirm", "serve"]
    for words, said in (
        ([*home, "--port", str(service.port)], f"Port {service.port} of 127.0.0.1 is in use by another program"),
        ([*home, "--host", "0.0.0.0"], "0.0.0.0 is not this machine alone: another host needs --tls-cert"),
        ([*home, "--host", "0.0.0.0", "--tls-cert", "x"], "go together"),
        ([*home, "--host", "0.0.0.0", "--tls-cert", "x", "--tls-key", "y"], "x and y cannot be used: No such file"),
        (["--home", str(tmp_path / "none"), "confirm", "serve"], "There is no home"),
        (["--read-only", *home], "read-only"),
    ):  # fmt: skip
        done = run(*words, check=False)
        assert (done.returncode, said in done.stderr, done.stderr.count("\n")) == (1, True, 1), done.stderr
    unit = run(*home, "--print-unit", "--rate-limit", "5").stdout
    assert "Type=notify" in unit
    assert f"--home {tmp_path} confirm serve --host 127.0.0.1 --port 6000 --rate-limit 5" in unit


def test_nothing_is_lost_by_kill_9_and_a_waiter_asks_on(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        systemd.settimeout(60)
        first = begin(tmp_path, NOTIFY_SOCKET=address)
        assert systemd.recv(100) == b"READY=1"
        names = [first.submit(session_key=str(at)) for at in range(5)]
        first.ask("POST", f"/confirm/{names[0]}/approve", {}, "operator")
        end(first, signal.SIGKILL)
        again = begin(tmp_path, NOTIFY_SOCKET=address)
        assert systemd.recv(100) == b"READY=1"
        states = [again.ask("GET", f"/confirm/{name}")[1]["status"] for name in names]
        assert states == ["approved"] + ["pending"] * 4
        waiter = Waiter(Client(again.place, "agent"), names[1])
        waiter.start()
        assert end(again)[0] == 0
        assert systemd.recv(100) == b"STOPPING=1"
    with serving(tmp_path) as third:
        third.ask("POST", f"/confirm/{names[1]}/deny", {}, "operator")
        waiter.join()
        assert waiter.status == "denied"
        assert json.loads(run("--home", str(tmp_path), "confirm", "audit", "--verify", "--json").stdout)["valid"]


class Waiter(threading.Thread):
    """It asks until there is an answer, whichever service is there."""

    def __init__(self, client: Client, name: str) -> None:
        super().__init__(daemon=True)
        self.client, self.name_of_request, self.status = client, name, "pending"

    def run(self) -> None:
        while self.status == "pending":
            try:
                self.status = self.client.ask("GET", f"/confirm/{self.name_of_request}?wait=60")["status"]
            except NotThere:
                time.sleep(0.01)
