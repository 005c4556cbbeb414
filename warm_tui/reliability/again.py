"""The same call again: a way out only where something was changed in between, and then that is the way out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warm_tui.reliability.looking import only_checks, only_looks
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.shortfall import is_left_running
from warm_tui.reliability.weakening import only_prints
from warm_tui.reliability.words import command_of
from warm_tui.sessions.model import Call

# How tools are called that only look something up, whichever agent they belong to.
_LOOKS = re.compile(
    r"(?:^|[^a-z])(?:read|search|list|ls|find|view|get|grep|glob|show|look|fetch|status|logs?|poll|wait|think)s?(?![a-z])",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WRITES = re.compile(r"(?<![\d&>-])>>?\s*(?!/dev/null|&)\S|\btee\b")
_QUOTED = r"\"[^\"]{0,200}\"|'[^']{0,200}'"
_SHOWN = re.compile(
    rf" ?(?:2>&1|\| ?(?:head|tail|less|cat|grep)\b(?:[^|;&\"']|{_QUOTED}){{0,80}}|[;&]{{1,2}} ?echo\b[^|;&]{{0,80}})$"
)
LONGEST_LINE = 4_000
"""A longer command carries a file."""


def same_call(first: Call, second: Call) -> bool:
    """Whether it asks for the same: a command also where another part of its output was shown."""
    if first.tool_name != second.tool_name:
        return False
    if first.arguments == second.arguments:
        return True
    if is_left_running(first.arguments) != is_left_running(second.arguments):
        return False
    command, other = command_of(first.arguments), command_of(second.arguments)
    # A heredoc carries a file: what it is fed to looks the same whatever stands in it.
    if not command or not other or "<<" in command + other or len(command + other) > 2 * LONGEST_LINE:
        return bool(command) and command == other
    return _without_view(command) == _without_view(other)


def changes_between(calls: Sequence[Call], verdicts: Sequence[Verdict], first: int, second: int) -> list[int]:
    """The calls between two that worked and may have changed something; where tools edited, commands are none."""
    between = [at for at in range(first + 1, second) if verdicts[at].outcome == "success" and not calls[at].trivial]
    changes = [at for at in between if may_change(calls[at])]
    edits = [at for at in changes if not command_of(calls[at].arguments)]
    return edits or changes


def may_change(call: Call) -> bool:
    command = command_of(call.arguments)
    if only_prints(call.arguments):
        return False
    if not command:
        return not _LOOKS.search(_HUMP.sub("_", call.tool_name))
    if _WRITES.search(command):
        return True
    return any(not only_looks(simple) and not only_checks(simple) for simple in parse(command).commands)


def _without_view(command: str) -> str:
    """Without what only shows some of its output."""
    command = " ".join(command.split())
    # Most lines have nothing of the kind, and to look for it takes ten times as long.
    if "|" in command or "&" in command or ";" in command:
        while (shorter := _SHOWN.sub("", command)) != command:
            command = shorter
    return command
