"""What the structure of a command line tells of its output, whatever the programs are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.echoes import without_echoed, words_of
from warm_tui.reliability.shell import ECHOES, LOOPS, PASS_ON, QUIET, Script, Simple, said_by
from warm_tui.reliability.viewers import is_own_script

_INDENTS = re.compile(r"s(\W)\^\1([^\n]{1,12})\1")


def put_before_lines(script: Script) -> str:
    """What the last stage puts before each line: `| sed 's/^/    /'`."""
    last = script.spoke_last[-1] if script.spoke_last else None
    found = _INDENTS.fullmatch(last.args[-1]) if last and last.program == "sed" and last.args else None
    return found[2] if found else ""


def went_well(script: Script, output: str) -> list[Simple]:
    """What `&&` ties to the words of an `echo`, where these were said: it ended with 0."""
    tied = list(_tied_to_words(script))
    lines = frozenset(output.split("\n") if tied else ())
    return [simple for words, before in tied if words in lines for simple in before]


def _tied_to_words(script: Script) -> Iterator[tuple[str, list[Simple]]]:
    for at, pipeline in enumerate(script.pipelines):
        echo = pipeline[0]
        if at and len(pipeline) == 1 and echo.program == "echo" and script.joints[at - 1] == "&&":
            words = said_by(echo)
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


# With these numbers curl got nothing that it could show: no name, no connection, an error where those are to fail.
_NOTHING_CAME = re.compile(r"curl: \((?:5|6|7|22|35|60)\) .*")
# Options by which it prints no more than what it gets, those that a value follows, and what hides its progress.
_PLAIN = re.compile(
    r"-[sSfLkg46]+|--(?:silent|show-error|fail|location|insecure|compressed|retry-(?:connrefused|all-errors))"
)
_VALUED = frozenset("--retry --retry-delay --retry-max-time --max-time -m --connect-timeout -H --header -A -u".split())
_SILENT = re.compile(r"-[a-rt-zA-Z46]*s[a-zA-Z46]*|--silent")


def came_through(text: str, script: Script) -> bool:
    """Did curl, asked in two ways, in a loop that ends with the first answer, or with `--retry`, get an answer?

    Its complaints and the words of `echo` aside, an answer is all that such a line can print: any other line is proof.
    """
    complaints = [line for line in text.split("\n") if line.startswith("curl: ")]
    if not complaints or not all(map(_NOTHING_CAME.fullmatch, complaints)):
        return False
    echoes = [head for head, *_ in script.pipelines if head.program in ECHOES and head.args]
    said = list(map(words_of, echoes))
    if not all(said) or not _asks_for_one_answer(script):
        return False
    return any(line.strip() and line not in complaints for line in without_echoed(text, said).split("\n"))


def _asks_for_one_answer(script: Script) -> bool:
    places = [at for at, (head, *_) in enumerate(script.pipelines) if head.program == "curl"]
    asks = [script.pipelines[at][0] for at in places]
    others = [head.program for head, *_ in script.pipelines if head.program not in QUIET | LOOPS | {"curl", "break"}]
    passed_on = all(stage.program in PASS_ON | {"head"} for _, *later in script.pipelines for stage in later)
    counts_only = all(each.program == "seq" for each in script.substituted)
    if others or not asks or not counts_only or not passed_on or not all(map(_prints_answers_only, asks)):
        return False
    if len(asks) > 1:
        in_turn = places == list(range(places[0], places[-1] + 1))
        alone = all(len(script.pipelines[at]) == 1 for at in places[:-1])
        return in_turn and alone and all(script.joints[at] == "||" for at in places[:-1])
    at = places[0]
    behind = script.pipelines[at + 1 : at + 2]
    breaks_off = script.joints[at : at + 1] == ("&&",) and bool(behind) and behind[0][0].program == "break"
    if any(head.program in LOOPS for head, *_ in script.pipelines):
        return breaks_off
    return asks[0].is_awaited or "--retry" in asks[0].args


def _prints_answers_only(simple: Simple) -> bool:
    """One address, and no option by which it says more."""
    args, addresses = iter(simple.args), 0
    for arg in args:
        if arg in _VALUED:
            next(args, None)
        elif arg[:1] != "-":
            addresses += 1
        elif not _PLAIN.fullmatch(arg):
            return False
    return addresses == 1 and any(map(_SILENT.fullmatch, simple.args))


_LEAVES_A_LOOP = frozenset({"break", "exit", "return", "kill"})
# `timeout 9 bash -c 'until ...; done'; ls`: the code of the limit is lost.
_ENDS_WHAT_WAITS = re.compile(r"\bdone['\"]")
_LOST_BY = re.compile(r"[^;|&\n]*(?:[;\n]|\|)")
_WORDS_ONLY = re.compile(r"[^;|&\n]*(?:;|\n|\|\|) *(?:echo\b|true\b|:)[^;|&\n]*\Z")
_TROUBLE = re.compile(
    "(?i)error|refused|not found|no such|not known|fail|timed out|cannot|could not|denied|unable|no resp"
)


def came_to_pass(script: Script, text: str) -> list[Simple]:
    """What a loop waited for, where the line came to its end: no other word than its own success ends the loop."""
    if "&" in script.joints or _may_have_given_up(text, script):
        return []
    ran = script.commands
    return [] if any(each.program in _LEAVES_A_LOOP for each in ran) else [each for each in ran if each.is_awaited]


def _may_have_given_up(text: str, script: Script) -> bool:
    """Has a loop waited no longer than it was allowed to? An answer that stands at the end tells that it has not."""
    ends = _ENDS_WHAT_WAITS.search(script.text) if "timeout" in script.text else None
    if ends is None or not _LOST_BY.match(script.text, ends.end()):
        return False
    said = [line for line in text.split("\n") if line.strip() and not line[0].isspace()]
    words = {" ".join(head.args) for head, *_ in script.pipelines if head.program == "echo"}
    said = [line for line in said if line not in words]
    return not said or not _WORDS_ONLY.match(script.text, ends.end()) or _TROUBLE.search(said[-1]) is not None


_FAILED = re.compile(r"(?i)\b(?:fail(?:s|ed|ure)?|errors?|broken|crashed)\b(?!.*\bexpected\b)")
# What does work and asks no question, by the names of those that most lines of this kind run; some by a word, too.
_WORKS = re.compile(
    r"(?:python|pypy)[\d.]*|node|ruby|perl|php|java|make|cmake|ninja|cargo|go|npm|yarn|pnpm|tsc|mvn|gradle|pytest"
    r"|gcc|g\+\+|clang|cp|mv|tar|unzip|rsync|scp|dotnet|bazel"
)
_WORKS_BY_WORD = {
    "git": frozenset("push pull clone commit fetch merge".split()), "terraform": frozenset({"apply"}),
    "kubectl": frozenset({"apply"}), "docker": frozenset("build push pull".split()), "pip": frozenset({"install"}),
}  # fmt: skip


def told_to_have_failed(script: Script, text: str) -> str | None:
    """`work || echo 'it failed'`, where these words were printed: so the shell says that it ended so."""
    lines = text.split("\n")
    for at, pipeline in enumerate(script.pipelines[1:]):
        words = words_of(pipeline[0]) if script.joints[at] == "||" and len(pipeline) == 1 else None
        said = next(filter(words.fullmatch, lines), None) if words else None
        if not said or ("$" in said_by(pipeline[0]) and _COUNTS.match(said)):
            continue
        head = script.pipelines[_before_its_praise(script, at)][0]
        if _FAILED.search(" ".join(pipeline[0].args)) and _does_work(head, script):
            return said
    return None


# `0 failed` may be what a program counted, and not what an `echo` said of something called 0.
_COUNTS = re.compile(r"[\d.,]{1,20} |.{0,200}[:=] ?0\b|(?i:no|none|nothing)\b")


def _before_its_praise(script: Script, at: int) -> int:
    """`work && echo fine || echo failed`"""
    while at > 0 and script.joints[at - 1] == "&&" and script.pipelines[at][0].program == "echo":
        at -= 1
    return at


def _does_work(simple: Simple, script: Script) -> bool:
    if words := _WORKS_BY_WORD.get(simple.program):
        return not words.isdisjoint(simple.args[:1])
    return _WORKS.fullmatch(simple.program) is not None or is_own_script(simple.program, script)
