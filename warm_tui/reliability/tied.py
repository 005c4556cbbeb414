"""What the structure of a command line tells of its output, whatever the programs are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.shell import QUIET, Script, Simple

_INDENTS = re.compile(r"s(\W)\^\1([^\n]{1,12})\1")


def put_before_lines(script: Script) -> str:
    """What the last stage puts before each line: `| sed 's/^/    /'`."""
    last = script.spoke_last[-1] if script.spoke_last else None
    found = _INDENTS.fullmatch(last.args[-1]) if last and last.program == "sed" and last.args else None
    return found[2] if found else ""


def went_well(script: Script, output: str) -> list[Simple]:
    """What `&&` ties to the words of an `echo`, where these were said: it ended with 0."""
    lines = frozenset(output.split("\n"))
    return [simple for words, before in _tied_to_words(script) if words in lines for simple in before]


def _tied_to_words(script: Script) -> Iterator[tuple[str, list[Simple]]]:
    for at, pipeline in enumerate(script.pipelines):
        echo = pipeline[0]
        if at and len(pipeline) == 1 and echo.program == "echo" and script.joints[at - 1] == "&&":
            words = " ".join(arg for arg in echo.args if arg not in ("-e", "-n")).strip()
            if words and not any(sign in words for sign in "$`\\%*"):
                yield words, _tied_before(script, at)


def _tied_before(script: Script, at: int) -> list[Simple]:
    """The commands whose success `&&` asked for: of a pipe, the last."""
    before = [script.pipelines[at - 1][-1]]
    for earlier in range(at - 2, -1, -1):
        if script.joints[earlier] != "&&":
            break
        before.append(script.pipelines[earlier][-1])
    return before


def code_told(script: Script) -> tuple[re.Pattern[str], Script] | None:
    """`...; echo "rc=$?"` at the end: how it tells the code, and the line whose code that is."""
    for at in range(len(script.pipelines) - 1, 0, -1):
        head = script.pipelines[at][0]
        words = " ".join(arg for arg in head.args if arg not in ("-e", "-n"))
        if head.program not in QUIET or len(script.pipelines[at]) > 1:
            return None
        if head.program in ("echo", "printf") and words.count("$?") == 1:
            before, after = (re.escape(part.removesuffix("\\n")) for part in words.split("$?"))
            if "\\$" in before + after:
                return None
            told = Script(script.pipelines[:at], (*script.joints[: at - 1], ""), script.text, script.substituted)
            return re.compile(rf"(?m)^{before}(\d{{1,3}}){after}[ \t]*$"), told
    return None
