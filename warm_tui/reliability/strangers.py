"""How a program that stands in no table complains: in its own name, of what it was given, or by a word for error.

That is how nearly all programs do it, so a program without a row of its own need not be known. It counts only where
the command line lost the exit code, and not for what a person's own scripts print: those say what they like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import inf

from warm_tui.reliability.aftermath import most_lines_behind, went_on
from warm_tui.reliability.brief import INTERPRETERS, is_brief, says_it_could_not, shown_usage
from warm_tui.reliability.complaints import has_rows, names_of
from warm_tui.reliability.echoes import is_echoed
from warm_tui.reliability.elsewhere import others_speak
from warm_tui.reliability.glances import holds_any
from warm_tui.reliability.linters import linter_in
from warm_tui.reliability.shell import INTERPRETER, LOOPS, QUIET, SHELLS, Script, Simple
from warm_tui.reliability.tracebacks import is_dealt_with
from warm_tui.reliability.viewers import VIEWERS, is_own_script, is_viewer

_NO_PROGRAMS = (
    QUIET
    | LOOPS
    | VIEWERS
    | frozenset(
        "test [ [[ expr let read in case pwd date id whoami uname hostname env printenv which type command seq nproc df"
        " du free uptime".split()
    )
)

# Options by which a program goes on after what it complains of.
_GOES_ON = frozenset("--force --keep-going --continue --ignore-errors --ignore-failure --no-fail --warn-only".split())
MOST_ADVICE = 3
"""So many lines on what to do about it, or how much of it there was, may stand behind a complaint."""
LONGEST_LINE, CLOSING = 400, 600
_TROUBLE = re.compile(
    r"error|fail|fatal|cannot|can't|could not|couldn't|unable to|invalid|unknown|unrecogni[sz]ed|not recogni[sz]ed"
    r"|not found|no such|missing|premature|unexpected|denied|refused|illegal|corrupt|abort|undefined|unsupported"
    r"|not exist|is not an? |not a |no valid|timed out|timeout:|unreachable|\bnot in an?\b|exception|is not defined"
    r"|\bbad\b|halted"
    r"|unhandled| specified|not installed|unavailable|mismatch|requires? an? |out of range|not within|too (?:few|many)"
    r"|be reached|already exists"
    r"|properly formatted|rather than|operand|unmatched|unmet|wrong |(?:gave|giving) up"
    r"|overflow|incompatible|incomplete|terminated"
    r"|\bno \w+ (?:specified|given|entry|called|package)|\bno (?:declaration|definition) |did ?n[o']t|does ?n[o']t"
    r"|\[emerg\]|\[alert\]"
)
# One of these stands in whatever that matches: found in a fiftieth of the time.
_HINTS = (
    "error", "fail", "fatal", "cannot", "can't", "could not", "couldn't", "unable", "invalid", "unknown", "recogni",
    "not ", "no ", "missing", "premature", "unexpected", "denied", "refused", "illegal", "corrupt", "abort",
    "undefined", "unsupported", "timed out", "timeout:", "reach", "exception", "bad", "halted", "unhandled",
    " specified", "navailable", "mismatch", "require", "out of range", "too ", "exists", "rather", "operand", "unm",
    "wrong ", "ing up", "gave up", "overflow", "incomp", "terminated", "didn", "doesn", "[emerg]", "[alert]",
    "properly formatted",
)  # fmt: skip
_MEANT_WELL = re.compile(
    r"(?i)\b(?:warn(?:ings?)?|(?:note|notice|info|debug|hint)(?=[:\])])|retry(?:ing)?|attempts?|ignor(?:ed|ing)"
    r"|skipp(?:ed|ing)|caught|handled|recovered|rescued|falling back|using defaults?|(?<=, )using|going on|optional"
    r"|re(?:tried|opened|connected)|(?:as|is|was|were|are|known|\[) ?expected|expected (?:fail\w*|errors?|exceptions?)"
    r"|deprecated|(?:0|no|zero|without) (?:\w+ )?(?:errors?|failures?|failed)"
    r"|(?:errors?|failed|failures?|exception)\s*[:=]\s*(?:0|none|null|false)(?![./-]\w)|xfail\w*)\b"
    r"|\berr(?:or)?\s*[:=]\s*<?nil>?\s*$|\(ERROR/\d\)|^\W{0,4}[✔✓√] |^ok \d+ "
)
_WORD_FOR_ERROR = re.compile(
    # `Error: ...`, `STATIC ERROR: ...`, `AH00534: frob: Configuration error: ...`, `An error has occurred: ...`
    r"[^\w}]{0,3}(?:\w{1,20}: ){0,2}(?i:(?:\w{1,20} ){0,2}"
    r"(?:error|errors(?=:?\s*$)|fatal|critical|abort(?:ed)?|panic|exception)"
    r"(?: (?:has |was )?occurred| \w{2,12})?)(?:\[\w+\]|\(\w+\))?(?::(?!\s*\d)(?:\s|$)|\s+[-–|]\s|! \S)|Error \d+ ?: \S"
    # `Error in f(1) : ...`, `Unhandled SIMPLE-ERROR in thread ...`
    r"|[A-Z][a-z]{2,20} \S{1,100} does not exist\.?$"
    r"|(?:Error|Exception) (?:in|at|on|while|during) .{1,200}:|(?i:unhandled|uncaught) \S"
    # `*** error opening input file`, `Execution error (ArithmeticException) at ...`, `(error "line 2: ..."`
    r"|\W{0,6}(?i:error (?:opening|reading|writing|loading|parsing|creating|processing|connecting|compiling)) \S"
    r"|[A-Z][a-z]{2,15} (?:error|exception) (?:\(\w+\) )?(?:at|in|compiling|while) \S|\(error \""
    # `Schema validation errors were encountered.`, `zone a: not loaded due to errors.`
    r"|(?:\w{1,20} ){1,3}errors? (?:were|was|have been) (?:encountered|found|detected)\b|.{1,200} due to errors?\.?$"
    # `Failed to load ...`, `2024/01/01 10:00:00 Cannot open ...`, `frob > Could not ...`
    r"|(?:[\d:/. -]{0,30}|\w{1,30} > )(?:FAILED: |Failed to |Cannot |Can't |Could not |Couldn't |Unable to |Missing )"
    # `ERROR    NoSuchThing: ...`, `a.jpg  [ERROR]`
    # `[E::main] failed to open`, `time="..." level=fatal msg="..."`
    r"|\[E::\w{1,60}\] |(?:time=\S{1,60} )?level=(?:fatal|panic|error) msg="
    r"|(?:ERROR|FATAL|CRITICAL) +[\w'\"]|\S{1,200} +\[(?:ERROR|FAILED)\]$"
    # `Unknown unit 'feets'`, `Not in a repository.`, `No tasks specified.`
    r"|(?:Unknown|Invalid|Unexpected|Unsupported|Unrecogni[sz]ed|Illegal|Not (?:in )?an?"
    r"|No \w+ (?:specified|given))\b|Timeout: "
    # `[error] ...`, `2024/01/01 10:00:00 [emerg] ...`
    r"|(?:[✘✗✖×] )?[\d:/. -]{0,30}\[(?i:error|fatal|critical|crit|emerg|alert|err)\]\s"
    # `ColumnIdentifierError: ...`
    r"|(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{2,60}(?:Error|Exception)(?:\(\w*\))?[:|] \S"
    r"|\*\*\* - \S"
    # `bind(SIMPLE): Can't contact server`
    r"|[\w./()-]{1,60}: (?i:(?:fatal |internal )?error\b(?! [=-]>)|can't |cannot |could not |unable to |failed to )"
    # `a.pas(4,8) Error: ...`, `a.v:3: syntax error`
    r"|[^\s:()\[\]]{1,200}(?:: ?\d+(?:[:.]\d+)*(?:-\d+)?:|\(\d+(?:, ?\d+)?\):?) ?"
    r"(?i:(?:\w{1,20} ){0,2}error(?:[:[]|$| before| near| at\b))"
    # `Command failed with exit code 2`, `a exited with status 1`
    r"|.{0,200}\b(?:exit(?:ed|ing)?|failed|returned|terminated)(?: with)?(?: a)?(?: non-zero)?(?: exit)?"
    r" (?:code|status):? [1-9]\d{0,2}\b"
    r"|Exit with code [1-9]\d{0,2}\b"
    # `bad option -z`
    r"|(?:\S{1,60}: )?(?i:unknown|unrecogni[sz]ed|invalid|illegal|no such|bad) (?:\w{1,20} ){0,2}"
    r"(?i:option|flag|command|argument|subcommand|keyword|directive)s?\b"
)
_SAID_WELL = re.compile(
    r"(?i)(?<!not )\b(?:succeed(?:s|ed)|success(?:ful(?:ly)?)?|all \w+ passed)\b(?! ?[:=] ?(?:0|false))"
    r"|(?m:^OK(?: \(.*\))?$)"
)
_CAUSES = re.compile(
    r"[^\n]{0,300}: (?:No such file or directory|Permission denied|Connection (?:refused|timed out|reset by peer)"
    r"|Name or service not known|Is a directory|Not a directory|No route to host|No space left on device)"
    r"(?: \(\d+\))?\.?$"
)
_COUNTED = re.compile(
    r"[^\n]{0,200}?\b\d+ (?:\w{1,20} )?passed\b[^\n]{0,60}?\b[1-9]\d* (?:\w{1,20} )?(?:failed|errors?)\b"
    # `1 test failed`, `1 spec, 1 failure`, `# Ran 4 tests, 0 skipped, 1 failed.`, `--- FAILED in 0.03 seconds ---`
    r"|\W{0,4}[1-9]\d* (?:tests?|specs?|suites?|scenarios?|cases?|checks?) failed\b"
    r"|\W{0,4}(?:Ran )?\d+ (?:tests?|specs?|suites?|scenarios?|cases?|checks?)(?:, \d+ \w{1,20}){0,4}"
    r",? [1-9]\d* (?:failed|failures?|errors?)\b|# fail(?:ed)?:? +[1-9]|\W{0,80}FAILED in [\d.]+ ?s"
)


def complaint_of_a_stranger(output: str, script: Script, unwatched: Iterable[Simple]) -> str | None:
    """The line in which a program that nobody listed says that it failed; None where none does."""
    ran = list(dict.fromkeys(unwatched))
    strangers = [simple for simple in ran if is_stranger(simple, script)]
    heads = {pipeline[0] for pipeline in script.pipelines}
    foreseen = {simple.program for simple in script.foreseen}
    known = [simple for simple in ran if _speaks_for_itself(simple) and simple.program not in foreseen]
    viewers = tuple(f"{each.program}: " for each in ran if each in heads and _speaks_beside_text(each, foreseen))
    if viewers and (said := _said_by_name(output, viewers)):
        return said
    if not strangers and not known:
        return None
    # What has rows of its own and talks much in its own name is no other's complaint, whatever that was given.
    others = {simple.program for simple in script.commands if simple.program in _CHATTERS}
    expected = tuple(f"{program}: " for program in foreseen | others)
    lines = [line for line in _lines_of_trouble(output) if not line.lstrip().startswith(expected)]
    lines = [
        line for line in lines if not (is_echoed(line, script) or is_dealt_with(output, output.find(line), script))
    ]
    if lines:
        behind = output[output.rfind(lines[-1]) + len(lines[-1]) :]
        most = most_lines_behind(script)
        strangers = [simple for simple in strangers if not _went_on(simple, output, behind, most)]
        known = [simple for simple in known if not _went_on(simple, output, behind, most)]
    for line in lines:
        if any(_names_itself(line, simple) for simple in known):
            return line.strip()
        if any(_names_itself(line, simple) or _names_its_own(line, simple) for simple in strangers):
            return line.strip()
    if others_speak(script) or says_well(output):
        return None
    known = [simple for simple in known if not _lints(simple)]
    ran = [*strangers, *known]
    if said := _said_briefly(output, lines, script, ran, known):
        return said
    if usage := shown_usage(output, ran):
        return next((line.strip() for line in lines if _tells_of_trouble(line)), usage)
    if not strangers:
        return None
    said = next((line.strip() for line in lines if _speaks_of_error(line)), None)
    if said or INTERPRETERS.issuperset(each.program for each in strangers):
        return said
    return _end_of_node(output) or _end_of_excerpt(output)


def _said_by_name(output: str, names: tuple[str, ...]) -> str | None:
    """What begins with one of these names and is a complaint."""
    lines = (line for line in output.split("\n") if line.startswith(names) and not _PASSED_OVER.search(line))
    return next((line.strip() for line in lines if _is_trouble(line) and not means_well(line)), None)


def _said_briefly(output: str, lines: list[str], script: Script, ran: list[Simple], known: list[Simple]) -> str | None:
    for line in reversed(lines if ran else []):
        says = _tells_of_trouble(line) if known else says_it_could_not(_NAME_IN_QUOTES.sub("", line))
        if says and is_brief(output, line, script, ran):
            return line.strip()
    return None


def _tells_of_trouble(line: str) -> bool:
    return _speaks_of_error(line) or says_it_could_not(_NAME_IN_QUOTES.sub("", line))


def _end_of_node(output: str) -> str | None:
    """What a program of Node.js ends with where nobody caught what it threw: the place, or the frames below it."""
    if shown := _SHOWN_SOURCE.search(output):
        return " ".join(shown[0].split())
    lines = output.rstrip().split("\n")
    while lines and (lines[-1] == "}" or (lines[-1].startswith("  ") and not _FRAME.match(lines[-1]))):
        lines.pop()
    frames = next((count for count, line in enumerate(reversed(lines)) if not _FRAME.match(line)), len(lines))
    return lines[-frames - 1 if frames < len(lines) else -1].strip() if frames > 1 else None


_SHOWN_SOURCE = re.compile(r"(?m)^(?:file://)?/\S+\.[cm]?js:\d+\n.*\n[ \t]+\^+$")
_FRAME = re.compile(r"\s*at \S.{0,300}(?::\d+:\d+\)?(?: \{)?|\.(?:java|kt|scala):\d+\))$")


def _end_of_excerpt(output: str) -> str | None:
    """What a compiler ends with, if what it says above was cut off: the line of source, and a mark below the place."""
    found = None if "arning" in output else _EXCERPT.search(output)
    return " ".join(found[0].split()) if found else None


_EXCERPT = re.compile(r"\n *\d+ \|[^\n]+\n *\| +\^[\^~]*\s*\Z")


def says_well(output: str) -> bool:
    """Its end tells of success, or counts no failures and nothing but that."""
    closing = output[-CLOSING:]
    if _SAID_WELL.search(closing):
        return True
    return counts_no_errors(closing)


def counts_no_errors(text: str) -> bool:
    return _NONE_COUNTED.search(text) is not None and _SOME_COUNTED.search(text) is None


_NONE_COUNTED = re.compile(r"(?i)\b(?:0|no|zero|without) (?:errors?|failures?|failed)\b|\b[1-9]\d* passing\b")
_SOME_COUNTED = re.compile(r"(?i)\b[1-9]\d* (?:\w{1,20} )?(?:errors?|failures?|failed|failing)\b")


def _went_on(simple: Simple, output: str, behind: str, most: Mapping[Simple, float]) -> bool:
    if not _GOES_ON.isdisjoint(simple.args):
        return True
    if _NOBODY_CAUGHT.search(output):
        return False
    if _WARNS.search(behind):
        return True
    advice = 0 if simple.program in INTERPRETERS else MOST_ADVICE
    return went_on(_TRACE.sub(" ", behind), most.get(simple, inf) + advice)


# How the traces of such programs begin, and the page that a program shows when it was called wrongly.
_NOBODY_CAUGHT = re.compile(
    r"(?mi)^[ \t]*(?:backtrace\b|call history:|stack trace\b|usage: |unhandled |uncaught |\w+ error (?:\(\w+\) )?at )"
)
_WARNS = re.compile(r"(?mi)^warning: ")
# What belongs to a complaint without being indented: `0: (SB-DEBUG...`, `at a.js:1`, `Backtrace:`.
_TRACE = re.compile(r"(?m)^(?:\d+: |at |from |in |In |Require stack:|- /|[^\w\n]*$|[Bb]acktrace|[Uu]nhandled|note: )")
# What stands in quotes is called so; it does not say so.
_NAME_IN_QUOTES = re.compile(r"(?<![\w'])'[^'\n]{1,80}'(?!\w)")


_MARKUP = re.compile(r"</\w|/>\s*$|&\w+;")


def _lines_of_trouble(output: str) -> Iterator[str]:
    small = output.lower()
    hints = [hint for hint in _HINTS if hint in small]
    for line in output.split("\n"):
        if len(line) > LONGEST_LINE or not holds_any(line.lower(), hints):
            continue
        if not _is_trouble(line) or not _is_trouble(_NAME_IN_QUOTES.sub("", line)):
            continue
        if _MARKUP.search(line):
            continue
        if _COUNTED.match(line) or not _MEANT_WELL.search(line):
            yield line


def _is_trouble(words: str) -> bool:
    small = words.lower()
    return holds_any(small, _HINTS) and _TROUBLE.search(small) is not None


def means_well(line: str) -> bool:
    return _MEANT_WELL.search(line) is not None


def _speaks_of_error(line: str) -> bool:
    return any(pattern.match(line) is not None for pattern in (_WORD_FOR_ERROR, _CAUSES, _COUNTED))


def is_stranger(simple: Simple, script: Script) -> bool:
    if (
        simple.program in _NO_PROGRAMS
        or simple.program in SHELLS
        or INTERPRETER.fullmatch(simple.program)
        or any(map(has_rows, names_of(simple)))
    ):
        return False
    return not _lints(simple) and not is_own_script(simple.program, script)


def _speaks_for_itself(simple: Simple) -> bool:
    """Has it rows, which may not tell all that it says in its own name when it failed?"""
    if (
        simple.program in _CHATTERS
        or simple.program in _NO_PROGRAMS
        or INTERPRETER.fullmatch(simple.program)
        or is_viewer(simple)
    ):
        return False
    return has_rows(simple.program)


def _speaks_beside_text(simple: Simple, foreseen: set[str]) -> bool:
    """Shows it what others wrote, so that only what begins with its bare name is its own?"""
    return simple.program in VIEWERS and simple.program not in foreseen


# What they may not enter, and what nobody read to the end.
_PASSED_OVER = re.compile(r"Permission denied|Broken pipe")
# Programs that tell in their own names what goes well, too, or what others said.
_CHATTERS = frozenset(
    "make gmake ninja npm npx yarn pnpm gpg gpg2 ocaml dune tar bsdtar git pip pip3 psql mysql mariadb sqlite3"
    " ansible ansible-playbook docker podman kubectl gh redis-cli node nodejs ruby irb perl php java lua lua5.1"
    " lua5.3 lua5.4 luajit tclsh wish expect Rscript R elixir mix iex erl raku perl6 pike pike8.0 sml maxima go"
    " awk gawk mawk xsltproc jq yq tsx ts-node rspec rake bundle bundler rails prove busted bats xmlstarlet"
    " xmllint curl wget manage.py cargo mvn gradle ant sbt scala ssh".split()
)


def runs_a_program(simple: Simple) -> bool:
    """Is it more than a word of the shell, and none that shows what others wrote?"""
    return simple.program not in _NO_PROGRAMS


def _lints(simple: Simple) -> bool:
    """By a table, or by its name."""
    return linter_in(simple) is not None or _LINTERS_NAME.search(names_of(simple)[-1]) is not None


_LINTERS_NAME = re.compile(r"lint(?:er)?(?:-cli|\d)?$")


def _names_itself(line: str, simple: Simple) -> bool:
    """`cpio: premature end of archive`, `Frob could not find a frob.json`."""
    name = simple.program
    if len(name) < SHORTEST_NAME:
        return False
    if line[: len(name)].lower() == name and _COULD_NOT.match(line, len(name)):
        return True
    speaker = line[:80].partition(": ")[0].rsplit("/", 1)[-1]
    return speaker.lower().startswith(name.lower()) and _MORE_OF_A_NAME.fullmatch(speaker, len(name)) is not None


_COULD_NOT = re.compile(r" (?:could not|couldn't|cannot|can't|failed to|was unable to) ")
# `identify-im6.q16`, `nginx[12]`, `cvs checkout`
_MORE_OF_A_NAME = re.compile(r"[-.\w]{0,20}(?:\[\d+\])?(?: v?\d[\d.]{0,12}| \[?[a-z][\w -]{0,20}\]?)?")


def _names_its_own(line: str, simple: Simple) -> bool:
    """`notes.md: Invalid data found`, `Device "eth7" does not exist.`: what it was given, and what is wrong with it."""
    for arg in simple.args:
        if len(arg) < SHORTEST_ARGUMENT or arg.startswith("-"):
            continue
        at = line.find(arg)
        if at < 0 or not _is_trouble(_without(simple.args, line)):
            continue
        before, after = line[max(0, at - 1) : at], line[at + len(arg) : at + len(arg) + 2]
        if (not before and after == ": ") or (before in ("", "/") and _PLACE.match(after)):
            return True
        if before in _OPEN and after[:1] in _CLOSE:
            return True
        if before in ("", " ", "/") and after[:1] in _ENDS and _NOT_THERE.search(line):
            return True
    return False


def _without(args: tuple[str, ...], line: str) -> str:
    """What a line says beside the words that the program was given."""
    for arg in sorted(args, key=len, reverse=True):
        line = line.replace(arg, "") if len(arg) >= SHORTEST_ARGUMENT else line
    return line


SHORTEST_NAME, SHORTEST_ARGUMENT = 2, 4
_ENDS = frozenset(("", " ", ".", ",", "'", '"'))
_OPEN, _CLOSE = frozenset("'\"`\u2018["), frozenset("'\"`\u2019]")
_PLACE = re.compile(r"[:(]\d")
_NOT_THERE = re.compile(
    r"(?i:does not exist|not found|could not be |cannot be |is not an? |no such|cannot open|could not open"
    r"|no \w+ entry|refused"
    r"|no \w+ found for| invalid$)"
)
