"""Look at the end of a program's output for a sign that its work failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.rules import TEXT_RULES, TextRule
from warm_tui.reliability.shell import Script, Simple, parse
from warm_tui.reliability.words import command_of, one_line

# Programs that show text which is not their own: files, logs, matches, history.
VIEWERS = frozenset(
    "cat head tail less more nl bat tac grep egrep fgrep zgrep rg ag ack sed awk gawk cut sort uniq tr wc find fd "
    "ls tree diff cmp jq yq xq xxd od hexdump strings column fold man journalctl dmesg zcat gunzip tar unzip rev "
    "paste comm stat file ps".split()
)
VIEWING_SUBCOMMANDS = {
    "git": frozenset("log show diff blame grep status ls-files stash reflog cat-file whatchanged".split()),
    "docker": frozenset({"logs"}),
    "kubectl": frozenset({"logs", "get", "describe"}),
    "gh": frozenset({"run", "issue", "pr", "api"}),
}

# How much of an output's end is looked at, first to pass over the many without a sign, then to judge.
GLANCE, TAIL = 240, 3000
CLOSING_LINES, CLOSING_LENGTH = 8, 800


def _rules(where: str) -> tuple[TextRule, ...]:
    return tuple(rule for rule in TEXT_RULES if rule.where == where)


_BLOCK, _LAST, _CLOSING, _TAIL = map(_rules, ("block", "last", "closing", "tail"))
_NEEDS = tuple({need: None for rule in _CLOSING for need in rule.needs})
# One of these stands in every one of the needs: few enough to look for in every output.
FRAGMENTS = ("rror", "ail", "FAIL", "ERR!", "*** ", "o tests", "deselected", " fault", "panic", "Killed", "Abort",
             "in thread", "Node.js v")  # fmt: skip
# How the first word of a last line ends, or its only one, when a rule for last lines matches it.
_OPENINGS = (":", "Error", "Exception", "Interrupt", "Exit", "Fault", "Failure", "Timeout", "000")
_FIRST_WORDS = frozenset({"Error", "An", "Unable", "ERROR"})
_NAMES_A_CODE = re.compile("xit|rc|tatus|ode|EXIT|RC")


# A line of a traceback: what ends below it may be an exception by any name.
FRAME = "\n  File "

# Without one of these, a command line is one command, and its exit code is that command's own.
_JOINTS = ("|", ";", "&", "\\n", "$(", "`")


def at_ease(end: str, arguments: str) -> bool:
    """No rule can find anything against an exit code of 0. A microsecond: almost every output is at ease."""
    text = end.rstrip()
    if _opens_like_trouble(text[text.rfind("\n") + 1 :]) or FRAME in text:
        return False
    for joint in _JOINTS:
        if joint in arguments:
            break
    else:
        return True
    for fragment in FRAGMENTS:
        if fragment in text:
            return not any(need in text for need in _NEEDS)
    return True


def _opens_like_trouble(last: str) -> bool:
    word, _, rest = last.lstrip().partition(" ")
    if last[-1:].isdigit() and _NAMES_A_CODE.search(last):
        return any(rule.pattern.match(last) for rule in _LAST)
    if word[:1].isdigit() and rest:
        return False
    if not (word.endswith(_OPENINGS) or word in _FIRST_WORDS or word.startswith("[") or rest.endswith("000")):
        return False
    return any(rule.pattern.match(last) for rule in _LAST)


def first_sign(tail: str, arguments: str, *, exit_zero: bool) -> tuple[TextRule, str] | None:
    """The first rule that sees failed work at the end of the output, with the words it points at."""
    reading: _Reading | None = None
    for rule, match, above in _matches(tail.rstrip(), exit_zero):
        reading = reading or _Reading(arguments, exit_zero)
        if reading.confirms(rule, match, above):
            return rule, one_line(match.groupdict().get("why") or match[0])
    return None


def _matches(text: str, exit_zero: bool) -> Iterator[tuple[TextRule, re.Match[str], str]]:
    """Each rule with what it matches and the line above that."""
    for rule in _BLOCK:
        if rule.needs[0] in text and (match := rule.pattern.search(text)):
            yield rule, match, ""
    rest, _, last = text.rpartition("\n")
    if _opens_like_trouble(last):
        for rule in _LAST:
            if match := rule.pattern.match(last):
                yield rule, match, rest.rstrip().rpartition("\n")[2]
    closing = text[-CLOSING_LENGTH:]
    present = {need for need in _NEEDS if need in closing}
    if present:
        lines = [line for line in closing.split("\n") if line.strip()][-CLOSING_LINES:]
        for rule in _CLOSING:
            if not present.isdisjoint(rule.needs):
                yield from ((rule, match, "") for line in lines if (match := rule.pattern.match(line)))
    for rule in _TAIL if not exit_zero else ():
        lines = text.split("\n")
        yield from ((rule, match, "") for line in lines if (match := rule.pattern.match(line)))


class _Reading:
    """The command line a call ran, read when a pattern has matched, and not before."""

    def __init__(self, arguments: str, exit_zero: bool) -> None:
        self.script = parse(command_of(arguments))
        self.views = shows_other_text(self.script, ended_well=exit_zero)
        self.trusted = exit_zero and not self.script.hides_exit_code

    def confirms(self, rule: TextRule, match: re.Match[str], above: str) -> bool:
        if (self.views and not rule.views) or (self.trusted and rule.against_zero == "hides"):
            return False
        return rule.check is None or rule.check(match, self.script, above)


def shows_other_text(script: Script, *, ended_well: bool) -> bool:
    """Does the output end with what a viewer shows, so that words in it prove nothing?

    When all ended well, the last command had the last word; else `&&` may have stopped at an earlier.
    """
    sources = script.possible_sources()
    if ended_well:
        del sources[1:]
    return bool(sources) and all(_is_viewer(simple) for simple in sources)


def _is_viewer(simple: Simple) -> bool:
    if simple.program in VIEWERS:
        return True
    subcommands = VIEWING_SUBCOMMANDS.get(simple.program)
    return subcommands is not None and not subcommands.isdisjoint(simple.args)
