"""The servers that the commands of `hard_worlds` ask, all on this machine alone: web, PostgreSQL, Redis, SSH.

Each is started only where its program is, runs in the folder it is given, and is ended with what asked for it.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from worlds.server import PORT as WEB_PORT

WORLDS = Path(__file__).resolve().parent / "worlds"
DATABASE_PORT, REDIS_PORT, SSH_PORT, NO_PORT = 5544, 6390, 2247, 2249
SECONDS = 20
USER = "mira"
RESET = (
    f"redis-cli -p {REDIS_PORT} flushall; dropdb --if-exists tmpdb; dropdb --if-exists tide; createdb tide; "
    f"psql -q tide -f '{WORLDS / 'tide.sql'}'"
)


@contextmanager
def servers(root: Path, environment: Mapping[str, str]) -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(serving([sys.executable, str(WORLDS / "server.py")], WEB_PORT, environment))
        if program := shutil.which("redis-server", path=environment["PATH"]):
            quiet = ["--port", str(REDIS_PORT), "--bind", "127.0.0.1", "--save", "", "--dir", str(root)]
            stack.enter_context(serving([program, *quiet], REDIS_PORT, environment))
        if program := shutil.which("sshd", path=environment["PATH"]):
            start = [program, "-D", "-f", str(ssh_files(root, environment))]
            stack.enter_context(serving(start, SSH_PORT, environment))
        if shutil.which("pg_ctl", path=environment["PATH"]):
            stack.enter_context(postgres(root / "pg", environment))
        yield


@contextmanager
def serving(command: list[str], port: int, environment: Mapping[str, str]) -> Iterator[None]:
    if is_open(port):
        sys.exit(f"something answers at port {port} already")
    process = subprocess.Popen(
        command, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + SECONDS
        while not is_open(port):
            if process.poll() is not None or time.monotonic() > until:
                sys.exit(f"did not start: {' '.join(command)}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def is_open(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def postgres(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Run as nobody where we are root, whom PostgreSQL refuses."""
    folder.mkdir()
    as_nobody: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        as_nobody = ["setpriv", "--reuid=nobody", "--clear-groups"]
    control = [*as_nobody, "pg_ctl", "-D", str(folder / "data")]
    said = {"cwd": folder, "env": dict(environment), "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([*control, "init", "-o", f"-U {USER} -A trust"], **said)
    options = f"-p {DATABASE_PORT} -k {folder} -c listen_addresses=127.0.0.1"
    subprocess.run([*control, "-w", "-l", str(folder / "log"), "-o", options, "start"], **said)
    try:
        yield
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], **said)


def ssh_files(root: Path, environment: Mapping[str, str]) -> Path:
    """gauge1 lets us in, at gauge2 nothing answers, gauge3 knows another key than the one we show."""
    home, folder = Path(environment["HOME"]), root / "sshd"
    folder.mkdir()
    (home / ".ssh").mkdir(mode=0o700)
    for key in (folder / "host", home / ".ssh/id", home / ".ssh/other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", USER, "-f", str(key)], check=True)
    shutil.copy(home / ".ssh/id.pub", folder / "allowed")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    known = "  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n"
    here = f"  HostName 127.0.0.1\n  Port {SSH_PORT}\n  User {getpass.getuser()}\n"
    (home / ".ssh/config").write_text(
        f"Host gauge1\n{here}  IdentityFile {home}/.ssh/id\n{known}"
        f"Host gauge2\n  HostName 127.0.0.1\n  Port {NO_PORT}\n"
        f"Host gauge3\n{here}  IdentityFile {home}/.ssh/other\n  IdentitiesOnly yes\n  BatchMode yes\n{known}"
    )
    settings = folder / "settings"
    settings.write_text(
        f"Port {SSH_PORT}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/allowed\n"
        f"PidFile {folder}/pid\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
        f"SetEnv HOME={home} PATH={environment['PATH']}\n"
    )
    return settings
