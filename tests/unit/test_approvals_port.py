"""The port of the service: another host by TLS alone, and never more of whoever comes than can be looked after; and who
waits there while the machine sleeps."""

from __future__ import annotations

import asyncio
import http.client
import json
import shutil
import ssl
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("aiohttp")

from tests.unit.approving import ASKED, serving
from tests.unit.test_approvals import Clock
from warm_tui.approvals.client import Client
from warm_tui.approvals.model import Answer, Answered, Submission
from warm_tui.approvals.place import make_folder, socket_address, tokens
from warm_tui.approvals.service import door
from warm_tui.approvals.service.desk import Desk
from warm_tui.approvals.service.server import Options, check_options, listen, listen_in_folder, listening
from warm_tui.approvals.store import Store
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor

pytestmark = [
    pytest.mark.xdist_group("approvals"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate"),
]

LONG = 300.0
"""Whoever only greets is let go sooner only where that is tried."""


class Files(NamedTuple):
    certificate: Path
    key: Path
    locked: Path
    """The same key, behind a pass phrase."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("tls")
    made = Files(folder / "cert.pem", folder / "key.pem", folder / "locked.pem")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for words in (
        ["req", "-x509", *curve, "-keyout", made.key, "-out", made.certificate, "-subj", "/CN=t", "-addext", names],
        ["ec", "-in", made.key, "-aes256", "-passout", "pass:words", "-out", made.locked],
    ):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    return made


def test_another_host_is_reached_by_tls_alone(tmp_path: Path, files: Files) -> None:
    words = ("--host", "0.0.0.0", "--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    with serving(tmp_path, *words) as service:
        assert service.url == f"https://0.0.0.0:{service.port}"
        token = {"Authorization": f"Bearer {tokens(service.place)['agent']}"}
        knowing = ssl.create_default_context(cafile=str(files.certificate))

        def ask(host: str, context: ssl.SSLContext, **headers: str) -> tuple[int, dict[str, str]]:
            with closing(http.client.HTTPSConnection(host, service.port, timeout=300, context=context)) as connection:
                connection.request("POST", "/confirm", json.dumps(ASKED), token | headers)
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())

        for host in ("localhost", "127.0.0.1"):
            status, asked = ask(host, knowing)
            assert (status, asked["approve_url"]) == (
                202, f"https://{host}:{service.port}/confirm/{asked['id']}/approve",
            )  # fmt: skip
        assert ask("localhost", knowing, Origin="https://localhost")[0] == 403
        with pytest.raises(ssl.SSLCertVerificationError):
            ask("localhost", ssl.create_default_context())
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            service.ask("GET", "/health")
        assert Client(service.place, "agent").ask("GET", "/health")["pending_count"] == 2, "by the socket as ever"


def test_who_waits_is_told_when_a_machine_that_slept_wakes_up(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(make_folder(Home(tmp_path, ())).database, b"k", clock=clock)

    async def drive() -> None:
        desk = Desk(store, lambda: Redactor(b"k"))
        asked = await desk.submit(Submission(action="a", description="d", timeout_seconds=60, lease_seconds=30))
        waiting = asyncio.create_task(desk.wait(asked.id, 60))
        await until(lambda: asked.id in desk._waiting)
        # The loop's own clock stood still meanwhile: what it waits for is not over, and nobody's lease.
        clock.go_on(3_600)
        await desk.tick()
        assert (await waiting).status == "expired"
        with pytest.raises(Answered, match="time was up"):
            await desk.answer(asked.id, Answer(approve=True))
        desk.end()

    asyncio.run(drive())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0)


def test_what_is_no_certificate_and_its_key_is_told(files: Files) -> None:
    for certificate, key, said in (
        (files.key, files.certificate, "are no certificate and the key to it"),
        (files.certificate, files.locked, "is locked by a pass phrase, which a service cannot ask for"),
    ):
        with pytest.raises(Trouble, match=said):
            check_options(Options("0.0.0.0", certificate=certificate, key=key))


def test_many_who_only_begin_to_greet_keep_nobody_out(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "MOST_CONNECTIONS", 3)
    place = make_folder(Home(tmp_path, ()))
    options = Options(idle=LONG, certificate=files.certificate, key=files.key)

    async def drive() -> None:
        desk = Desk(Store(place.database, b"k"), lambda: Redactor(b"k"))
        with listen("127.0.0.1", 0) as port, socket_address(place) as path, listen_in_folder(path, place) as local:
            async with listening(desk, tokens(place), options, (port, check_options(options)), local):
                first = [await asyncio.open_connection(*port.getsockname()) for _ in range(3)]
                further = [await asyncio.open_connection(*port.getsockname()) for _ in range(5)]
                assert [await reader.read() for reader, _ in further] == [b""] * 5
                assert not any(reader.at_eof() for reader, _ in first)
                answered = await asyncio.to_thread(Client(place, "agent").ask, "GET", "/health")
                assert answered["status"] == "ok", "its owner gets through"
                for _, writer in (*first, *further):
                    writer.close()
        desk.end()

    asyncio.run(drive())
