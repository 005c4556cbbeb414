"""What stands before the program that counts: assignments, keywords of the shell, and programs that start another."""

from __future__ import annotations

import re

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?$")

CLOSERS = frozenset({"fi", "done", "esac", "}"})
KEYWORDS = CLOSERS | {"if", "then", "else", "elif", "while", "until", "do", "{", "!", "time"}
# Programs that start the one that counts; the value says how many words of their own to pass over.
WRAPPERS = {
    "sudo": 0, "env": 0, "nohup": 0, "nice": 0, "command": 0, "exec": 0, "stdbuf": 0, "builtin": 0,
    "timeout": 1, "gtimeout": 1, "uv": 1, "poetry": 1, "pdm": 1, "pipenv": 1, "hatch": 1, "npx": 0,
    "bundle": 1, "doas": 0, "setsid": 0, "ionice": 0, "unbuffer": 0, "proxychains": 0,
}  # fmt: skip
OPTIONS_WITH_A_VALUE = {
    "sudo": ("-u", "-g", "-h", "-p", "-C", "-D"), "nice": ("-n",), "timeout": ("-s", "-k", "--signal", "--kill-after"),
    "env": ("-u", "-C", "-S"), "ionice": ("-c", "-n", "-p"), "stdbuf": ("-o", "-e", "-i"), "doas": ("-u",),
    "xargs": ("-n", "-I", "-P", "-L", "-d", "-s", "-E", "-a"), "uv": ("--with", "-p", "--python"),
}  # fmt: skip
# Of those, the ones that have work of their own, too: `poetry install` is no `install`.
RUNNERS = frozenset({"poetry", "pdm", "pipenv", "hatch", "bundle"})
RUN_WORDS = frozenset({"run", "exec"})


def unwrapped(words: list[str]) -> list[str]:
    at = 0
    while at < len(words):
        word = bare(words[at])
        if _ASSIGNMENT.match(words[at]) or word in KEYWORDS:
            at += 1
        elif word in RUNNERS and not _runs_another(words, at + 1, word):
            break
        elif word in WRAPPERS:
            at = behind_options(words, at + 1, word)
            if WRAPPERS[word] and at < len(words) and (words[at] in RUN_WORDS or _DURATION.match(words[at])):
                at = behind_options(words, at + 1, word)
        else:
            break
    return words[at:]


def _runs_another(words: list[str], at: int, program: str) -> bool:
    at = behind_options(words, at, program)
    return at < len(words) and words[at] in RUN_WORDS


def leading_options(words: list[str], upto: str) -> bool:
    """True when only options stand before `upto`: `python -bb -m x`, not `python x.py -m y`."""
    return upto in words and all(word.startswith("-") for word in words[: words.index(upto)])


def behind_options(words: list[str], at: int, program: str) -> int:
    """Where the program's own options, which begin at `at`, have ended."""
    valued = OPTIONS_WITH_A_VALUE.get(program, ())
    while at < len(words) and (words[at].startswith("-") or _ASSIGNMENT.match(words[at])):
        at += 2 if words[at] in valued else 1
    return at


def bare(word: str) -> str:
    return unquoted(word).rsplit("/", 1)[-1]


def unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" else word
