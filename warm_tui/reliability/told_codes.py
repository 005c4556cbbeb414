"""Exit codes that a command line tells itself: `...; echo "rc=$?"`, `echo "${PIPESTATUS[0]}"`, `rc=$?; echo $rc`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from warm_tui.reliability.aftermath import ONE_LINE
from warm_tui.reliability.shell import QUIET, SILENT, Script, Simple, parse
from warm_tui.reliability.viewers import is_viewer

_LAST = r"\$\?"
_OF_A_PIPE = r"\$\{PIPESTATUS\[(?P<stage>\d)\]\}|\$\{?pipestatus\[(?P<stage_of_zsh>\d)\]\}?"
_CODE = re.compile(rf"(?:{_LAST}|\$\{{\?\}}|{_OF_A_PIPE}|\$\{{?(?P<name>[A-Za-z_]\w*)\}}?)")
_KEPT = r"(?:^|[;&\n(]|\b(?:then|else|do)\b)[ \t]*{name}=[\"']?(?:{code})[\"']?(?=[ \t]*(?:[;&\n)]|$))"


def tells_codes(arguments: str) -> bool:
    return "$?" in arguments or "PIPESTATUS" in arguments or "pipestatus" in arguments


class ToldCode(NamedTuple):
    words: re.Pattern[str]
    """How it is told, with the code as the group."""
    of: Script
    """The line whose code that is."""
    at_the_end: bool
    """No program stands behind it, and"""
    spoken_behind: tuple[str | None, ...]
    """so many words, the last first."""

    def line_in(self, text: str) -> re.Match[str] | None:
        """At the end the last line of that form: what stood before may have printed one, too."""
        found = self.words.finditer(text)
        return max(found, key=re.Match.start, default=None) if self.at_the_end else next(found, None)


def codes_told(script: Script) -> Iterator[ToldCode]:
    """Those behind which nothing else is done, the last first: what shows a file may follow, or other words."""
    at_the_end = True
    for at in range(len(script.pipelines) - 1, -1, -1):
        head, *later = script.pipelines[at]
        if not later and head.program in ("echo", "printf") and (told := _told_at(at, head, script, at_the_end)):
            yield told
        elif head.program not in QUIET | SILENT | ONE_LINE and not is_viewer(head):
            return
        at_the_end = at_the_end and head.program in QUIET and not later


def _told_at(at: int, echo: Simple, script: Script, at_the_end: bool) -> ToldCode | None:
    words = " ".join(arg for arg in echo.args if arg not in ("-e", "-n")).strip()
    codes = list(_CODE.finditer(words))
    if len(codes) != 1 or not (of := _whose(codes[0], at, script)):
        return None
    parts = words[: codes[0].start()], words[codes[0].end() :]
    before, after = (re.escape(part.removesuffix("\\n")) for part in parts)
    if "\\$" in before + after or not (at_the_end or before):
        return None
    behind = script._replace(pipelines=script.pipelines[at + 1 :], joints=script.joints[at + 1 :])
    line = re.compile(rf"(?m)^{before}(\d{{1,3}}){after}[ \t]*$")
    return ToldCode(line, of, at_the_end, tuple(behind.spoken_last))


def _whose(code: re.Match[str], at: int, script: Script) -> Script | None:
    """The line before it; of a pipe, one of its stages."""
    if name := code["name"]:
        kept = list(re.finditer(_KEPT.format(name=name, code=f"{_LAST}|{_OF_A_PIPE}"), script.text))
        if len(kept) != 1:
            return None
        before = parse(script.text[: kept[0].start()])
        return _up_to(len(before.pipelines), before, _stage(kept[0]))
    return _up_to(at, script, _stage(code))


def _stage(code: re.Match[str]) -> int | None:
    if stage := code["stage"]:
        return int(stage)
    return int(code["stage_of_zsh"]) - 1 if code["stage_of_zsh"] else None


def _up_to(at: int, script: Script, stage: int | None) -> Script | None:
    if not at:
        return None
    *earlier, last = script.pipelines[:at]
    if stage is not None:
        last = last[stage : stage + 1]
    if not last:
        return None
    return script._replace(pipelines=(*earlier, last), joints=(*script.joints[: at - 1], ""))
