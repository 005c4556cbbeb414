"""Which command lines bring text from outside: by the program, by its words, or by the address that is given to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from warm_tui.reliability.shell import Simple
from warm_tui.reliability.shell_reader import parse


class Fetching(NamedTuple):
    """Programs that fetch; where `words` are given, only with one of these."""

    name: str
    programs: frozenset[str]
    words: frozenset[str]
    example: str


def _row(name: str, programs: str, words: str, example: str) -> Fetching:
    return Fetching(name, frozenset(programs.split()), frozenset(words.split()), example)


FETCHING = (
    _row("web", "curl wget http https xh aria2c lynx w3m links elinks httrack yt-dlp youtube-dl", "",
         "curl -s example.org/readme"),
    _row("names", "whois dig host nslookup", "", "dig +short txt example.org"),
    _row("mail", "mail mailx mutt neomutt himalaya notmuch fetchmail getmail mbsync offlineimap", "",
         "himalaya message read 3"),
    _row("other machines", "ssh scp sftp ftp rsync rclone telnet nc ncat netcat socat mosh", "",
         "ssh build 'cat notes.txt'"),
    _row("forges", "gh glab hub tea jira", "", "gh issue view 12"),
    _row("git", "git hg svn", "clone fetch pull ls-remote submodule checkout-index update", "git clone ../theirs"),
    _row("packages of JavaScript", "npm pnpm yarn bun", "install i add ci update upgrade view info show search audit",
         "npm view left-pad"),
    _row("packages", "pip pip3 pipx cargo go gem brew apt apt-get dnf yum apk docker podman helm",
         "install add get update upgrade view info show search download index pull run", "pip download flask"),
)  # fmt: skip

_ROW_OF: dict[str, Fetching] = {program: row for row in FETCHING for program in row.programs}
# Most command lines are told apart without reading them.
_MAY_FETCH = re.compile(rf"://|\b(?:{'|'.join(sorted(map(re.escape, _ROW_OF), key=len, reverse=True))})\b")
_LOCAL = re.compile(r"(?:https?://)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?=[:/]|$)", re.IGNORECASE)
_HOST = re.compile(r"\w\.\w|://|\$|\[")
_ADDRESS = re.compile(r"\b(?!file:)[a-z][a-z0-9+.-]{0,40}://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]))", re.IGNORECASE)
# Programs to which an address is a text like any other.
_SAY_ONLY = frozenset("echo printf grep rg ag sed awk git export test [ cat ls head tail find jq".split())
_INSIDE = re.compile(r"\$\(([^()]+)\)|`([^`]+)`")
_REDIRECT = re.compile(r"(?<![<>&])&?>{1,2}\s*(?!&)[\"']?([^\s\"';|&<>]+)")
_TO_FILE = frozenset(("-o", "-O", "-P", "--output", "--output-document", "--output-dir", "--directory-prefix"))
# These name what they fetch after where it was.
_NAMES_ITSELF = frozenset("wget aria2c git hg svn scp rsync sftp rclone youtube-dl yt-dlp".split())


class Fetched(NamedTuple):
    """What fetched, and the names of the files and folders that it was put into."""

    by: str
    names: frozenset[str]


def fetched_by(command: str) -> Fetched | None:
    """None where all that is told comes from this machine."""
    if not _MAY_FETCH.search(command):
        return None
    fetching = [simple for simple in _commands(command) if _fetches(simple)]
    if not fetching:
        return None
    names = {name for simple in fetching for name in _put_into(simple)} | set(_REDIRECT.findall(command))
    by = fetching[0].program
    return Fetched(f"git {fetching[0].args[0]}" if by == "git" and fetching[0].args else by, names_of(names))


def names_of(paths: set[str]) -> frozenset[str]:
    """The last part of each, by which it is known again; what every path has is none."""
    lasts = {path.rstrip("/").rsplit("/", 1)[-1] for path in paths}
    return frozenset(name for name in lasts if len(name) > 2 and name not in ("null", "stdout", "stderr"))


def _commands(command: str) -> Iterator[Simple]:
    for simple in parse(command).commands:
        if simple.program in ("xargs", "eval") and simple.args:
            yield from parse(" ".join(simple.args)).commands
        yield simple
    for match in _INSIDE.finditer(command):
        yield from parse(match[1] or match[2]).commands


def _fetches(simple: Simple) -> bool:
    row = _ROW_OF.get(simple.program)
    if row is not None and (not row.words or row.words & set(simple.args)):
        return row.name != "web" or not _asks_only_here(simple)
    return simple.program not in _SAY_ONLY and any(_ADDRESS.search(arg) for arg in simple.args)


def _asks_only_here(simple: Simple) -> bool:
    """This machine, and nothing that could be the name of another."""
    others = [word for word in simple.args if not _LOCAL.match(word)]
    return len(others) < len(simple.args) and not any(_HOST.search(word) for word in others)


def _put_into(simple: Simple) -> Iterator[str]:
    words = list(simple.args)
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if option in _TO_FILE:
            yield value or (words[at + 1] if at + 1 < len(words) else "")
    plain = [word for word in words if not word.startswith("-")]
    if simple.program in _NAMES_ITSELF or any(re.fullmatch(r"-[A-IK-NP-Za-z]*[OJ][A-Za-z]*", word) for word in words):
        yield from (word.split("?", 1)[0].removesuffix(".git") for word in plain if "/" in word or ":" in word)
        yield from plain[-1:]
