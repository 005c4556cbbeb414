"""However the app comes to its end, what it began for itself ends, and what it made for a while is gone."""

from __future__ import annotations

import errno
import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from textual.drivers._writer_thread import WriterThread

from warm_tui import leaving
from warm_tui.approvals.place import Place
from warm_tui.leaving import OutlivingStream
from warm_tui.locking import locked
from warm_tui.paths import Home

WORDS = [sys.executable, "-P", "-m", "warm_tui"]
SECONDS = 120
STARTS_ONE = """
import sys, time
from pathlib import Path
from warm_tui.paths import Home
from warm_tui.screens.approvals.waiting_list import OwnService

service = OwnService()
print(service.start(Home(Path(sys.argv[1]), ())), flush=True)
time.sleep(600)
"""


def test_a_service_of_the_app_ends_with_it_even_where_it_was_killed(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    environment = {**os.environ, "CONFIRMATION_PORT": "0"}
    app = subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert app.stdout is not None
    with app.stdout:
        assert app.stdout.readline().startswith("http://127.0.0.1:")
        place = Place.of(Home(tmp_path, ()))
        assert place.socket.exists()
        app.kill()
        app.wait()
    # It holds the lock for as long as it runs.
    with locked(place.lock, wait=True):
        assert not place.socket.exists()
        assert not place.running.exists()


class GoneTerminal(io.StringIO):
    asked = 0

    def write(self, _text: str) -> int:
        self.asked += 1
        raise OSError(errno.EIO, "Input/output error")


def test_what_draws_outlives_its_terminal() -> None:
    terminal = GoneTerminal()
    writer = WriterThread(OutlivingStream(terminal))
    writer.start()
    for text in ("first", "second"):
        writer.write(text)
    writer.stop()
    assert terminal.asked == 2


def test_to_be_asked_again_puts_off_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to: list[int] = []
    monkeypatch.setattr(signal, "alarm", set_to.append)
    monkeypatch.setattr(leaving, "_heard", [])
    for _ in range(3):
        leaving._note(signal.SIGTERM)
    assert set_to == [leaving.LONGEST_SECONDS]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
@pytest.mark.parametrize("words", [[], ["review", "--watch"]])
def test_a_sample_home_is_gone_when_the_terminal_is(number: signal.Signals, words: list[str], tmp_path: Path) -> None:
    ours, its = pty.openpty()
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [*WORDS, "--demo", *words], stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
    )
    os.close(its)
    try:
        # It has begun to show something.
        assert select.select([ours], [], [], SECONDS)[0]
        assert list(tmp_path.glob("warm-tui-demo-*"))
        if number == signal.SIGHUP:
            os.close(ours)
        process.send_signal(number)
        # Whoever is asked again while it leaves goes on to leave.
        while process.poll() is None and list(tmp_path.glob("warm-tui-demo-*")):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        assert process.wait(SECONDS) == -number
    finally:
        process.kill()
        if number != signal.SIGHUP:
            os.close(ours)
    assert not list(tmp_path.iterdir())
