"""A command line as a verdict reads it: who may have failed, who speaks, and whether an exit code of 0 is theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import inf

from warm_tui.reliability.aftermath import most_lines_behind, most_lines_up_to, went_on
from warm_tui.reliability.complaint import Complaint
from warm_tui.reliability.elsewhere import brought_in, only_fetches, others_speak, shows_what_a_server_has
from warm_tui.reliability.rules import TextRule
from warm_tui.reliability.shell import INTERPRETER, LOOPS, SAYS_NOTHING, Script, Simple
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.strangers import runs_a_program
from warm_tui.reliability.tied import came_through, came_to_pass, went_well
from warm_tui.reliability.tracebacks import printed_by_choice
from warm_tui.reliability.viewers import is_loud, is_own_script, is_viewer, shows_a_version
from warm_tui.reliability.words import command_of

# Compilers whose programs have rows of their own among theirs.
_COMPILERS = frozenset({"rustc"})


class Reading:
    """The command line a call ran, read when something in its output asks for it, and not before."""

    def __init__(self, arguments: str, exit_zero: bool, script: Script | None = None) -> None:
        self.script = script or parse(command_of(arguments))
        self._exit_zero = exit_zero
        self.text = ""
        self.ended_well: list[Simple] = []
        """As their exit codes tell, which the line itself printed."""

    @cached_property
    def goes_round(self) -> bool:
        return self.script.goes_round

    @cached_property
    def views(self) -> bool:
        return shows_other_text(self.script, ended_well=self._exit_zero) or self._fetched

    @property
    def _fetched(self) -> bool:
        """A server says what it likes; where it said nothing, its client says so in its own name."""
        asked = self.script.possible_sources() if len(self.script.spoke_last) == 1 else []
        return bool(asked) and all(map(only_fetches, asked))

    @cached_property
    def trusted(self) -> bool:
        """Would the exit code tell, had the program failed that had the last word?"""
        spoke = self.script.spoke_last if self.went_well else ()
        programs = [stage for stage in spoke if runs_a_program(stage)] or spoke[-1:]
        if programs and all(stage in self.went_well for stage in programs):
            return True
        return self._exit_zero and not self.script.hides_exit_code

    @cached_property
    def unwatched(self) -> list[Simple]:
        """The commands that can have failed for all that the exit code tells."""
        unwatched = self.script.unwatched if self._exit_zero else self.script.commands
        passed = {*self.script.foreseen, *self.went_well, *self.came_to_pass}
        return [simple for simple in unwatched if not simple.is_hushed and simple not in passed]

    @cached_property
    def came_to_pass(self) -> list[Simple]:
        return came_to_pass(self.script, self.text) if self._exit_zero else []

    @cached_property
    def made_good(self) -> list[Simple]:
        """What stands before `||`, where it is known that what stands behind it ended well."""
        if self.trusted and self._exit_zero:
            return self.script.foreseen
        ways = self.script.foreseen_with_the_next
        return [simple for simple, next_way in ways if next_way in self.went_well]

    @cached_property
    def went_well(self) -> list[Simple]:
        return went_well(self.script, self.text) + self.ended_well

    @cached_property
    def reads_a_pipe(self) -> list[Simple]:
        """The commands that read what came through a pipe, and no file."""
        later = [simple for pipeline in self.script.pipelines for simple in pipeline[1:]]
        return [simple for simple in later if all(arg[:1] in "-+" or arg.isdigit() for arg in simple.args)]

    def before_last_words(self, text: str) -> str:
        return without_last_words(text, self.script.spoken_last)

    def heeds(self, row: Complaint, simple: Simple) -> bool:
        """Does this complaint of that command tell more than the exit code does?"""
        if (
            (row.certain_exit and simple not in self.unwatched)
            or shows_what_a_server_has(simple)
            or shows_a_version(simple)
        ):
            return False
        if simple in self.came_to_pass or (simple.program == "curl" and came_through(self.text, self.script)):
            return False
        return not (row.tolerates & set(simple.args) or (simple in self.reads_a_pipe and row.needs_a_file))

    @cached_property
    def behind(self) -> Mapping[Simple, float]:
        return {} if self.goes_round else most_lines_behind(self.script)

    def lines_behind(self, simple: Simple) -> float:
        """How many lines others may have written behind what this command said last."""
        return self.behind.get(self.made_by(simple), inf)

    def lines_up_to(self, simple: Simple) -> float:
        """Within how many lines from the first it said all that it said; nobody knows where others may raise, too."""
        return self._upto.get(simple, inf) if simple == self._last_to_raise else inf

    @cached_property
    def _upto(self) -> Mapping[Simple, float]:
        return {} if self.goes_round or others_speak(self.script) else most_lines_up_to(self.script)

    @cached_property
    def _last_to_raise(self) -> Simple | None:
        heads = (pipeline[0] for pipeline in reversed(self.script.pipelines))
        return next((head for head in heads if INTERPRETER.fullmatch(head.program)), None)

    @cached_property
    def speaks_alone(self) -> bool:
        """Does one pipe of the line say all that it says?"""
        silent = SAYS_NOTHING | LOOPS
        return len({pipeline for pipeline in self.script.pipelines if pipeline[0].program not in silent}) == 1

    def made_by(self, simple: Simple) -> Simple:
        """The one program that a compiler made and the line then ran: it is that which crashes, or goes on."""
        if simple.program not in _COMPILERS:
            return simple
        made = [each for each in self.script.commands if is_own_script(each.program, self.script)]
        return made[0] if len(made) == 1 else simple

    def by_choice(self, text: str, begins: int) -> bool:
        """Was what begins there printed by a program that went on?"""
        return printed_by_choice(text, begins, self.script)

    @cached_property
    def runs_unwatched(self) -> list[Simple]:
        """The programs whose exit code is lost, where no other shows a file."""
        if others_speak(self.script):
            return []
        return [simple for simple in self.unwatched if runs_a_program(simple)]

    def ended_by(self, behind: str) -> bool:
        """Did what was raised end one of them, or did it go on?"""
        return any(not went_on(behind, self.lines_behind(simple)) for simple in self.runs_unwatched)

    def confirms(self, rule: TextRule, match: re.Match[str], above: str) -> bool:
        if (self.views and not rule.views) or (self.trusted and self.outweighs(rule)):
            return False
        waited_for = self.came_to_pass if "timeout" not in self.script.text else []
        if waited_for and set(self.script.possible_sources()) <= set(waited_for):
            return False
        over = self.came_to_pass + self.made_good
        if over and (who := match.groupdict().get("who")):
            speaks = [simple for simple in self.script.commands if simple.program == who]
            if speaks and all(simple in over for simple in speaks):
                return False
        return rule.check is None or rule.check(match, self.script, above)

    def outweighs(self, rule: TextRule) -> bool:
        """Is an exit code of 0 stronger than what this rule saw?"""
        if rule.against_zero != "wrapper":
            return rule.against_zero == "hides"
        return any(INTERPRETER.fullmatch(simple.program) for simple in self.script.spoke_last)


def without_last_words(text: str, spoken: Iterable[str | None]) -> str:
    """The output without the lines that `echo` put behind it: `failing; echo done`."""
    for words in spoken:
        rest, _, last = text.rpartition("\n")
        if words is None or last.strip() == words.strip():
            text = rest.rstrip()
    return text


def shows_other_text(script: Script, *, ended_well: bool) -> bool:
    """Does the output end with what a viewer shows, so that words in it prove nothing?

    When all ended well, the last command had the last word; else `&&` may have stopped at an earlier.
    """
    sources = _without_the_quiet(script).possible_sources() or [*script.substituted]
    if ended_well:
        del sources[1:]
    brought = brought_in(script)
    return bool(sources) and all(is_viewer(simple) or simple in brought for simple in sources)


def _without_the_quiet(script: Script) -> Script:
    """Up to the last command that shows a text or may tell of a failure."""
    last = len(script.pipelines)
    while last > 1 and not any(is_viewer(stage) or is_loud(stage) for stage in script.pipelines[last - 1]):
        last -= 1
    return script._replace(
        pipelines=script.pipelines[:last],
        joints=(*script.joints[: last - 1], script.joints[-1]) if script.joints else (),
    )
