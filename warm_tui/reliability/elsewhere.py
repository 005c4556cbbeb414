"""What shows a text that another machine has: a file, or a log. Its words tell of that machine, not of this call."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warm_tui.reliability.shell import ECHOES, QUIET, Script, Simple
from warm_tui.reliability.shell_reader import parse
from warm_tui.reliability.viewers import CLIENTS, is_followed, is_viewer, shows_a_file, shows_a_log

# Programs that show what a server gives them, and say it in their own voice when it gives nothing.
SERVED = CLIENTS | frozenset("gh glab aws gcloud az helm mysql psql".split())
# How addresses of files end: `/auth.test` is asked, and answers.
_ENDINGS = frozenset(
    "log txt json jsonl yaml yml toml ini cfg conf env xml html htm md rst csv tsv sql diff patch lock out err"
    " sh py js ts go rs c h java rb pl".split()
)
# Options of curl by which it sends something, or writes what it gets to a file.
_SENDS_OR_KEEPS = re.compile(r"-[A-Za-z]*?[dFTXoO]|--(?:data|form|upload|request|json|output|remote-name)")
# What runs a command elsewhere, with its own options that are followed by a value.
_RUNS_ELSEWHERE = {
    "ssh": frozenset("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w".split()),
    "docker": frozenset("-e --env -w --workdir -u --user --env-file --index -f --file -p".split()),
    "kubectl": frozenset("-n --namespace -c --container --context".split()),
}
_RUNS_ELSEWHERE["podman"] = _RUNS_ELSEWHERE["docker-compose"] = _RUNS_ELSEWHERE["docker"]
_RUNS_ELSEWHERE["oc"] = _RUNS_ELSEWHERE["kubectl"]


def brought_in(script: Script) -> list[Simple]:
    """What fetches a text that is shown or searched. What runs it, or reads more than lines in it, is no viewer."""
    return [
        first
        for first, *later in script.pipelines
        if (_fetches_a_file(first) or _shows_one_there(first))
        and all(is_viewer(each) or each.program == "tee" for each in later)
    ]


def has_the_last_word(script: Script) -> bool:
    """Is such a text what stands at the end, or may it be?"""
    return any(not is_followed(simple, script) for simple in brought_in(script))


def others_speak(script: Script) -> bool:
    """May what stands there be a file, a log, what is elsewhere, or what was kept of one of these?"""
    if has_the_last_word(script) or any(shows_a_file(head, script) for head, *_ in script.pipelines):
        return True
    told = any(head.program in ECHOES and any("$" in arg for arg in head.args) for head, *_ in script.pipelines)
    return told and any(
        (shows_a_file(each, script) and _names_one(each)) or _shows_one_there(each) for each in script.substituted
    )


def _names_one(simple: Simple) -> bool:
    """What names none reads what comes through a pipe; many are told what to look for first."""
    names = [arg for arg in simple.args if arg[:1] not in "-+" and not arg.isdigit()]
    return len(names) > (simple.program not in ("cat", "head", "tail", "less"))


def shows_what_a_server_has(simple: Simple) -> bool:
    """Its log, or a file of a container: both pass through a client that complains in the same words as others."""
    return shows_a_log(simple) or (simple.program in SERVED and _shows_one_there(simple))


def only_fetches(simple: Simple) -> bool:
    return simple.program == "curl" and not any(map(_SENDS_OR_KEEPS.match, simple.args))


def _fetches_a_file(simple: Simple) -> bool:
    args = simple.args
    if simple.program == "curl":
        return only_fetches(simple) and any(map(_names_a_file, args))
    if simple.program == "wget":
        to_output = "-" in args or any(arg[:1] == "-" and arg.endswith("O-") for arg in args)
        return to_output and any(map(_names_a_file, args))
    return False


def _names_a_file(address: str) -> bool:
    """By its ending, or the word for a log."""
    host, _, path = address.partition("?")[0].rpartition("://")[2].partition("/")
    if not host or host[0] == "-" or " " in address:
        return False
    *folders, name = path.split("/")
    return name.rpartition(".")[2] in _ENDINGS or not {"log", "logs"}.isdisjoint((*folders, name))


def _shows_one_there(simple: Simple) -> bool:
    words = command_there(simple)
    ran = [each for each in parse(words).commands if each.program not in QUIET] if words else []
    return bool(ran) and all(map(is_viewer, ran))


def command_there(simple: Simple) -> str:
    """The command line that this runs on another machine, or in a container."""
    valued = _RUNS_ELSEWHERE.get(simple.program)
    if valued is None:
        return ""
    args = simple.args
    if simple.program != "ssh":
        if "exec" not in args:
            return ""
        args = args[args.index("exec") + 1 :]
    if "--" in args:
        return " ".join(args[args.index("--") + 1 :])
    return " ".join(tuple(_without_options(args, valued))[1:])


def _without_options(args: tuple[str, ...], valued: frozenset[str]) -> Iterator[str]:
    """The words from the first that is no option of the program itself: where it runs, then what."""
    at = 0
    while at < len(args) and args[at][:1] == "-":
        at += 2 if args[at] in valued else 1
    yield from args[at:]
