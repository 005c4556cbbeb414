"""A terminal without a screen: runs a program in a pty and keeps every byte it writes; and what of that is the app's own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import unicodedata
from collections.abc import Mapping, Sequence

from tests.tui.hostile.kinds import KINDS

# What Textual itself writes: styles, places, modes and questions to the terminal, the pointer's shape, what was copied.
OWN = re.compile(
    r"\x1b\[[0-9;]*m|\x1b\[\d+;\d+H|\x1b\[\?\d+[hl]|\x1b\[\?\d+\$p|\x1b\[[<>=]\d*(?:;\d+)?u|\x1b\[6n|\x1b\[\?u"
    r"|\x1b\]22;[a-z-]+\x07|\x1b\]52;c;[A-Za-z0-9+/=]*\x07|\x1b\[\d*J|\x1b\[H|\x1b\[c|\x1b7|\x1b8"
)
COPIED = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
IGNORED = set("\u034f\u115f\u1160\u3164\uffa0\u2800\u180b\u180c\u180d") | {chr(code) for code in range(0xFE00, 0xFE10)}


def run_in_terminal(
    words: Sequence[str], env: Mapping[str, str], size: tuple[int, int], seconds: float = 300
) -> tuple[str, int]:
    """All it wrote, and its exit code. The limit only ends what would go on for ever."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    process = subprocess.Popen(
        [sys.executable, *words], stdin=its, stdout=its, stderr=its, env=dict(env), start_new_session=True
    )
    os.close(its)
    written = bytearray()
    try:
        while select.select([ours], [], [], seconds)[0]:
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            written += chunk
    finally:
        os.close(ours)
        if process.poll() is None:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
    return written.decode("utf-8", "backslashreplace"), process.wait()


def got_through(stream: str) -> list[str]:
    """The kinds of hostile text, and the characters, that stand in a stream and should not."""
    whole = [kind.name for kind in KINDS if len(kind.hostile) > 1 and kind.hostile in stream]
    left = OWN.sub("", stream)
    characters = {character for character in set(left) if _is_hostile(character)}
    return whole + [f"U+{ord(character):04X}" for character in sorted(characters)]


def _is_hostile(character: str) -> bool:
    if character in "\r\n":
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
        character in IGNORED or "\U000e0000" <= character <= "\U000e0fff"
    )
