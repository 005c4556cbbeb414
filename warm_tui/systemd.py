"""Services of ours under systemd: the unit, and telling it that the service answers."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

UNIT = """\
# ~/.config/systemd/user/{name}.service
[Unit]
Description={description}

[Service]
Type=notify
ExecStart={command}
Restart=on-failure
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def notify(state: str) -> None:
    """Nothing where no systemd waits for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
            sending.connect("\0" + address[1:] if address.startswith("@") else address)
            sending.send(state.encode())


def unit(name: str, description: str, home: Path, words: list[str]) -> str:
    """`words`: the command of ours that it runs."""
    command = [sys.executable, "-P", "-m", "warm_tui", "--home", str(home.absolute()), *words]
    return UNIT.format(name=name, description=description, command=" ".join(_quoted(word) for word in command))


def _quoted(word: str) -> str:
    """As systemd reads it: `%` and `$` would be put in place of, and blanks would part it."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or any(each.isspace() for each in word) else word
