"""What is held of failures, without the rules that find them, which take longer to import."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b

import msgspec

TAKEN_OUT = "…"
ID_BYTES = 5
LONGEST_NAME = 30
_WORD = re.compile(r"[a-z0-9]+")
WITHOUT_WORDS = {"exit_code": "failed without a word", "tool_error": "failed without a word"}


class Fingerprint(msgspec.Struct, frozen=True, array_like=True, dict=True):
    tool: str
    """The family of the tool; a tool that belongs to none stands for itself."""
    kind: str
    program: str
    """What failed, where a command line was run."""
    words: str
    """As they are shown, with a sign where something was taken out."""

    @cached_property
    def id(self) -> str:
        """So that a filter can name it by a word: what failed, how, and what tells it from all others."""
        words = bare_words(self.words)
        told = "\0".join((self.tool, self.kind, self.program, words))
        sign = blake2b(told.encode("utf-8", "replace"), digest_size=ID_BYTES).hexdigest()
        name = "-".join(_WORD.findall(f"{self.program or self.tool} {words}".casefold()))[:LONGEST_NAME].strip("-")
        return f"{name}-{sign}" if name else sign

    @property
    def rank(self) -> tuple[int, str]:
        """Of several with one id, the least is shown."""
        return len(self.words), self.words

    @property
    def title(self) -> str:
        words = self.words if bare_words(self.words) else WITHOUT_WORDS.get(self.kind, self.kind.replace("_", " "))
        return f"{self.program}: {words}" if self.program else words


NOTHING_CHANGED, NOBODY_KNOWS, WEAKENED = -1, -2, -3
"""In place of a shape, where a try is nothing to learn from: the same call was made again just so; of what was changed
in between nobody knows what counted; the check that failed checks less since."""


class Try(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A later call with the same aim. Where it was the same call again: the one change in between, if that is known."""

    shape: int
    """Which of the life's shapes; or why none is told: `NOTHING_CHANGED`, `NOBODY_KNOWS` or `WEAKENED`."""
    session: int
    """Which of the life's sessions."""
    call: str
    """Its key in that session."""
    worked: bool
    words: str = ""
    """What it was told to do, where it worked."""
    again: bool = False
    """It was the same call again, whatever had been changed in between; else another one."""


class Failure(msgspec.Struct, frozen=True, array_like=True, gc=False):
    family: str
    session: int
    call: str
    at: float | None
    tool: str
    reason: str
    shape: int
    lost: int
    """Calls that it took, itself included, until it was mended or tried no more: those that none before it took."""
    tries: tuple[Try, ...] = ()
    """Up to the one that worked, if one did."""
    ours: str = ""
    """Where a person judged it: what the rules say."""

    @property
    def mend(self) -> Try | None:
        return self.tries[-1] if self.tries and self.tries[-1].worked else None


class LifeFailures(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of a life. The sessions are numbered from its first on."""

    tools: tuple[str, ...] = ()
    """What it used: where a tool was not used, it could not fail."""
    fingerprints: Mapping[str, Fingerprint] = {}
    shapes: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    def counted(self, session: int | None = None) -> dict[str, int]:
        """How often each family stands in it, or in one of its sessions."""
        counts: dict[str, int] = {}
        for failure in self.failures:
            if session is None or failure.session == session:
                counts[failure.family] = counts.get(failure.family, 0) + 1
        return counts


encode_failures = msgspec.msgpack.Encoder().encode
decode_failures = msgspec.msgpack.Decoder(LifeFailures).decode


def sign_of(family: str) -> str:
    """What tells it from all others: how it is called may change with our words."""
    sign = family.rpartition("-")[2]
    return sign if len(sign) == 2 * ID_BYTES else family


def bare_words(words: str) -> str:
    return " ".join(words.replace(TAKEN_OUT, " ").replace(":", " ").casefold().split())
