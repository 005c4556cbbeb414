"""Which programs show text that is not their own, so that words in it prove nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from warm_tui.reliability.aftermath import ONE_LINE
from warm_tui.reliability.shell import LOOPS, QUIET, SILENT, Script, Simple

# Programs that show text which is not their own: files, logs, matches, history.
VIEWERS = frozenset(
    "cat head tail less more nl bat tac grep egrep fgrep zgrep rg ag ack sed awk gawk cut sort uniq tr wc find fd "
    "ls tree diff cmp jq yq xq xxd od hexdump strings column fold man journalctl dmesg zcat gunzip tar unzip rev "
    "pandoc paste comm stat file ps lynx w3m links elinks html2text recsel pygmentize highlight glow splain"
    " wdiff dwdiff ugrep lowdown colordiff icdiff sdiff diff3 zdiff base64 base32 basenc uudecode bzcat xzcat"
    " zstdcat lz4cat zless ccze multitail lnav fmt expand unexpand pr shuf".split()
)
VIEWING_SUBCOMMANDS = {
    "git": frozenset("log show diff blame grep status ls-files stash reflog cat-file whatchanged".split()),
    "kubectl": frozenset({"get", "describe"}),
    "aws": frozenset({"tail", "get-log-events", "filter-log-events", "-"}),
    "redis-cli": frozenset("get lrange hget hgetall smembers".split()),
    "tmux": frozenset({"capture-pane"}),
    "supervisorctl": frozenset({"tail"}),
    "gcloud": frozenset({"logging"}),
    "glab": frozenset({"trace"}),
    "gh": frozenset({"run", "issue", "pr", "api"}),
}
# Those that show logs by that word: `docker compose logs web`.
CLIENTS = frozenset(
    "docker podman nerdctl crictl docker-compose podman-compose kubectl oc heroku fly flyctl pm2 vercel cf eb railway"
    " nomad".split()
)
# Of those, what shows the text of a server: whatever stands in it, it is somebody else's.
_TEXTS_OF_SERVERS = {
    "gh": VIEWING_SUBCOMMANDS["gh"],
    "aws": VIEWING_SUBCOMMANDS["aws"],
}
# What unpacks shows a file where it is told to write it to its output.
_UNPACKERS = frozenset("gzip zstd xz brotli lz4 bzip2 lzip lzop 7z 7za bsdtar tar unzip cpio ar openssl".split())
_TO_STDOUT = frozenset("-c -dc -cd --stdout --to-stdout -so -xOf -O -p base64".split())
# Letters of options may stand together: `zstd -dcq`.
_UNPACKS = re.compile(r"-(?=[a-z]*d)(?=[a-z]*c)[cdfkqv]{2,5}")
# Of those, the ones that show no more than names and figures.
_OF_NAMES = frozenset({"ls", "tree", "wc", "find", "fd", "stat", "ps", "man"})
# Those that show rows or texts and complain in their own names.
_RENDERERS = frozenset(
    "mlr xsv qsv csvlook csvcut csvgrep csvstat csvjson csvsort in2csv datamash duckdb iconv erb envsubst".split()
)
# Programs that run another and watch it.
_RUNNERS = frozenset({"strace", "ltrace", "valgrind", "gdb"})


# What changes something there shows nothing.
_ACTS_OF_GH = frozenset("create merge close edit comment delete rerun cancel reopen review ready checkout".split())


def is_viewer(simple: Simple) -> bool:
    subcommands = VIEWING_SUBCOMMANDS.get(simple.program)
    if simple.program == "gh" and simple.args[1:2] and simple.args[1] in _ACTS_OF_GH:
        return False
    if simple.program in _UNPACKERS and any(arg in _TO_STDOUT or _UNPACKS.fullmatch(arg) for arg in simple.args):
        return True
    if simple.program in ("perl", "ruby") and _goes_through_lines(simple.args):
        return True
    if simple.program in _DATABASES and any(_ASKS_FOR_ROWS.match(arg.strip()) for arg in simple.args):
        return True
    if simple.program == "xargs" and simple.args[:1] == ("echo",):
        return True
    if (simple.program in CLIENTS and "logs" in simple.args) or (simple.program, simple.args[:1]) == (
        "make",
        ("logs",),
    ):
        return True
    return (
        simple.program in VIEWERS
        or simple.program in _RENDERERS
        or (subcommands is not None and not subcommands.isdisjoint(simple.args))
    )


# What shows rows, where it is asked for some; its own complaints are rows of a table, too.
_DATABASES = frozenset({"sqlite3", "psql", "mysql", "mariadb", "duckdb"})
_STORES = _DATABASES | {"redis-cli"}
_ASKS_FOR_ROWS = re.compile(r"(?i)(?:select|with \w+ as|\.dump)\b[^;]*;?$")


def _goes_through_lines(args: tuple[str, ...]) -> bool:
    """`perl -ne '...' FILE` prints what it finds in lines; with `-i` it changes the file, with `-M` it is a program."""
    first, *others = args or ("",)
    return _BY_LINES.fullmatch(first) is not None and bool(others) and not any(arg[:1] == "-" for arg in others)


_BY_LINES = re.compile(r"-[la0]*[np][lanp0]*e")


def shows_a_version(simple: Simple) -> bool:
    """`git show HEAD~3:ci.log`: a file as it was, and no words of Git."""
    return simple.program == "git" and simple.args[:1] in _OF_VERSIONS and any(":" in arg for arg in simple.args)


_OF_VERSIONS = (("show",), ("cat-file",))


def shows_a_log(simple: Simple) -> bool:
    if simple.program in CLIENTS and "logs" in simple.args:
        return True
    return is_viewer(simple) and not _TEXTS_OF_SERVERS.get(simple.program, frozenset()).isdisjoint(simple.args)


def is_own_script(program: str, script: Script) -> bool:
    """Called by a path that is no folder of programs, or by a name that tells in what it was written."""
    return _OWN_NAME.search(program) is not None or _is_called_by_path(program, script.text)


_OWN_NAME = re.compile(r"\.(?:sh|py|pl|rb|js|ts|out|bin|exe|php|lua)$")


@lru_cache(maxsize=512)
def _is_called_by_path(program: str, line: str) -> bool:
    if f"/{program}" not in line:
        return False
    if re.search(rf"(?m)(?:^|[;&|(])\s*{re.escape(program)}(?=\s|$)", line):
        return False
    called = re.search(rf"/{re.escape(program)}(?![\w.-])", line)
    return called is not None and not line[: called.start()].endswith("bin")


def shows_a_file(simple: Simple, script: Script) -> bool:
    """Does it print what stands in a file, and not in one that this very line wrote, or what another program says?"""
    if simple.program in _RUNNERS:
        return True
    if not is_viewer(simple) or _shows_names(simple, script) or _changes_in_place(simple):
        return False
    if simple.program in _STORES and is_followed(simple, script):
        return False
    return _written_by(script.text).isdisjoint(simple.args)


def is_followed(simple: Simple, script: Script) -> bool:
    """By what may have failed loudly, so that it had the last word."""
    for pipeline in reversed(script.pipelines[1:]):
        if simple in pipeline:
            return False
        if is_loud(pipeline[0]):
            return True
    return False


def is_loud(simple: Simple) -> bool:
    """May it say in its own voice, or in another's, that work failed?"""
    if simple.program == "git":
        return simple.args[:1] in _RUN_HOOKS
    # As `docker ps` lists what runs.
    return simple.args[:1] != ("ps",) and not (simple.program in _NOT_LOUD or is_viewer(simple))


_RUN_HOOKS = (("commit",), ("push",))


_NOT_LOUD = (
    QUIET | SILENT | LOOPS | ONE_LINE | frozenset("du df free uptime tee [ [[ test break continue return".split())
)


def _changes_in_place(simple: Simple) -> bool:
    return simple.program == "sed" and any(arg.startswith(("-i", "--in-place")) for arg in simple.args)


def _shows_names(simple: Simple, script: Script) -> bool:
    """No more than names and figures, in which nobody's words stand; beside what may have failed, subjects, too."""
    if simple.program == "git" and simple.args:
        sums_up = not _SUMS_UP.isdisjoint(simple.args)
        brief = sums_up and (simple.args[0] == "diff" or any(map(is_loud, script.commands)))
        keeps = simple.args[0] == "stash" and {"list", "show"}.isdisjoint(simple.args)
        return brief or keeps or simple.args[0] in ("status", "ls-files")
    return simple.program in _OF_NAMES


_SUMS_UP = frozenset("--stat --shortstat --numstat --name-only --name-status --oneline".split())
_WRITTEN = re.compile(r"(?:>|\btee\b)\s*(?:-a )?[\"']?([^\s;&|<>()\"']+)")


@lru_cache(maxsize=512)
def _written_by(line: str) -> frozenset[str]:
    """The files that a line writes, by the words that name them."""
    return frozenset(_WRITTEN.findall(line))
