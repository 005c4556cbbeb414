"""However the app comes to its end, what it began for itself ends, and what it made for a while is gone."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from textual.drivers._writer_thread import WriterThread

from warm_tui import leaving
from warm_tui.approvals.place import Place
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.widgets.terminal import Lasting

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


@pytest.fixture(autouse=True)
def signals_are_heard() -> Iterator[None]:
    """Also where the tests themselves were begun by nohup: what they begin would not heed a terminal that hangs up."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


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
            process.send_signal(number)
            time.sleep(0.01)
        assert process.wait(SECONDS) == -number
    finally:
        process.kill()
        if number != signal.SIGHUP:
            os.close(ours)
    assert not list(tmp_path.iterdir())


CLOSES_WHEN_ASKED = """
import os, shutil, signal, sys
from warm_tui.__main__ import main

remove = shutil.rmtree

def remove_later(*given, **named):
    os.kill(os.getpid(), signal.SIGHUP)
    remove(*given, **named)

shutil.rmtree = remove_later
sys.argv = ["warm-tui", "--demo", "sessions", "--limit", "1"]
main()
"""


def test_a_sample_home_is_gone_when_one_is_asked_to_end_while_it_is_removed(tmp_path: Path) -> None:
    """As where the terminal is gone: that is found by writing to it, and told by a signal, in either order."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", CLOSES_WHEN_ASKED], env=environment, stdout=subprocess.DEVNULL)
    assert ended.returncode == -signal.SIGHUP
    assert not list(tmp_path.iterdir())


def test_being_asked_again_puts_the_end_off_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    set_for: list[int] = []
    monkeypatch.setattr(leaving, "_heard", [])
    monkeypatch.setattr(signal, "alarm", set_for.append)
    for _ in range(3):
        leaving._note(signal.SIGTERM)
    assert set_for == [leaving.LONGEST_SECONDS]


def test_a_signal_in_the_midst_of_another_does_not_take_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    monkeypatch.setattr(leaving, "_heard", heard)
    monkeypatch.setattr(leaving, "_go_on_without_terminal", lambda: None)
    monkeypatch.setattr(signal, "alarm", lambda _: leaving._leave(signal.SIGTERM, None))
    with pytest.raises(leaving.Leaving) as left:
        leaving._leave(signal.SIGHUP, None)
    assert left.value.code == 128 + signal.SIGHUP
    assert heard[0] == signal.SIGHUP


def test_where_the_terminal_went_away_what_is_drawn_is_still_taken() -> None:
    ours, its = pty.openpty()
    os.close(ours)
    terminal = os.fdopen(its, "w", buffering=1)
    writer = WriterThread(Lasting(terminal))  # type: ignore[arg-type]
    writer.start()
    for _ in range(3):
        writer.write("drawn\n")
    writer.stop()
    assert writer._queue.empty(), "the thread goes on to the end"
    with suppress(OSError):
        terminal.close()


FAILS_ON_THE_WAY = """
import os, signal, sys
from warm_tui import leaving
from warm_tui.__main__ import main
from warm_tui.cli import cli

def hung_up(_):
    leaving.note_signals()
    os.kill(os.getpid(), signal.SIGHUP)
    raise OSError(5, "the terminal is gone")

cli.invoke, sys.argv = hung_up, ["warm-tui", "list"]
main()
"""


def test_whoever_began_it_is_told_of_the_signal_though_something_failed_on_the_way() -> None:
    assert subprocess.run([sys.executable, "-c", FAILS_ON_THE_WAY]).returncode == -signal.SIGHUP
