"""What the structure of a command line tells of its output, whatever the programs are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.aftermath import shows_what_was_written
from warm_tui.reliability.shell import LOOPS, QUIET, Script, Simple
from warm_tui.reliability.viewers import written_by

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


def tries_again(simple: Simple, script: Script) -> bool:
    """Was it told to, by itself or by the line, so that it complains of each time, and may have come through after?"""
    if any(arg.startswith(("--retry", "--retries", "--tries")) for arg in simple.args):
        return True
    return _UNTIL.search(script.text) is not None


_UNTIL = re.compile(r"(?:^|[;&|(\s])until\s|(?:&&|;|then)\s*break\b")


def files_as_pipes(script: Script) -> Script:
    """`frob > log 2>&1; tail log` says what `frob 2>&1 | tail` does, and hides as much."""
    if len(script.pipelines) < 2 or not written_by(script.text):
        return script
    pipelines, joints = list(script.pipelines), list(script.joints)
    for at in range(len(pipelines) - 1, 0, -1):
        stages = pipelines[at]
        if len(stages) > 1 or not shows_what_was_written(stages[0], script):
            continue
        wrote = at - 1
        while wrote > 0 and _only_waits_or_tells(pipelines[wrote]):
            wrote -= 1
        if pipelines[wrote][0].program not in QUIET and "&&" not in joints[wrote:at]:
            pipelines[at] = pipelines[wrote] + stages
            del pipelines[wrote], joints[wrote]
    return script._replace(pipelines=tuple(pipelines), joints=tuple(joints))


def _only_waits_or_tells(pipeline: tuple[Simple, ...]) -> bool:
    """`sleep 5`, `echo "exit $?"`: the file that is shown next is not of its making."""
    first = pipeline[0]
    return first.program in ("sleep", "wait") or (first.program == "echo" and any("$?" in arg for arg in first.args))


def came_through(text: str, script: Script) -> bool:
    """Was curl, asked in two ways or told to try again, heard of beside complaints that are fewer than that?"""
    complaints = text.count(_CURLS_COMPLAINT)
    ways = sum(simple.program == "curl" for simple in script.foreseen)
    again = 0 if any(simple.program in LOOPS for simple in script.commands) else sum(map(_again, script.commands))
    if not 0 < complaints <= ways + again:
        return False
    said = {words.strip() for words in script.spoken_last if words}
    return any(line.strip() not in said and _CURLS_COMPLAINT not in line for line in text.split("\n") if line.strip())


_CURLS_COMPLAINT = "curl: ("
_SILENT = re.compile(r"-[A-Za-z]*s[A-Za-z]*|--silent")


def _again(simple: Simple) -> int:
    """How often it asks once more; by what it prints it can only be told where that is no more than was asked for."""
    args = simple.args
    if simple.program != "curl" or "--retry" not in args or not any(map(_SILENT.fullmatch, args)):
        return 0
    times = args[args.index("--retry") + 1 :][:1]
    return int(times[0]) if times and times[0].isdigit() else 0


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
