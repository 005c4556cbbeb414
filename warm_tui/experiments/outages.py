"""What a run may crash for that is no matter of its task: such a run is no result."""

from __future__ import annotations

import errno
import re
import signal
from collections.abc import Iterable
from typing import NamedTuple


class Kind(NamedTuple):
    name: str
    is_so: str
    """What is said of it."""
    until: str
    """What is waited for, where that can be asked."""
    signs: str
    """An expression for what Hermes says then."""
    example: str
    lasting: bool = True
    """It may last: runs are tried again however often it comes."""


UNGIVEN = "template"

# The first that fits. A full disk shows in whatever was to be written, so it comes first.
KINDS = (
    Kind(
        "disk", "The disk is full", "there is room on it again",
        r"No space left on device|\[Errno 28\]|database or disk is full|Disk quota exceeded",
        "OSError: [Errno 28] No space left on device",
    ),
    Kind(
        "words", "Hermes does not take the words that it is given", "",
        r"^hermes[^:\n]*: error: |error: unrecognized arguments",
        "hermes: error: unrecognized arguments: --no-such-flag",
    ),
    Kind(
        "credentials", "The model refuses the credentials",
        "they are changed, or one run that is tried after a while goes well",
        r"HTTP 40[12]\b|HTTP 403\b(?!.*(?i:moderat|flagged|policy))|(?i:no API keys? or providers? found)"
        r"|(?i:empty API key|invalid[ _]api[ _]key|incorrect api key|insufficient (?:credits|quota|balance))",
        "HTTP 401: Incorrect API key provided",
    ),
    Kind(
        "model", "The model does not answer", "it answers",
        r"(?i:connection error|connection refused|connect(?:ion)? timeout|request timed out|name or service not known)"
        r"|HTTP (?:404|408|429|5\d\d)\b|(?i:rate limit|overloaded)|API call failed after \d+ retries",
        "API call failed after 3 retries: Connection error.",
    ),
    Kind(
        "hermes", "Hermes does not start", "it starts",
        # Last as an interpreter says it that was started just before its script went away.
        r"^(?:ModuleNotFoundError|ImportError): |: command not found|bad interpreter"
        r"|^\S+: (?:0: cannot open |can't open file ')",
        "ModuleNotFoundError: No module named 'hermes_cli'",
    ),
    Kind(
        UNGIVEN, "The template did not reach the model: the first request of a warm run did not hold it",
        "", r"(?!)", "",
    ),
    Kind("killed", "The agent was killed", "", r"(?!)", "", lasting=False),
    Kind("machine", "The machine does not let it begin", "", r"(?!)", "", lasting=False),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}
SIGNS = {kind.name: re.compile(kind.signs, re.MULTILINE) for kind in KINDS}
FULL = (errno.ENOSPC, errno.EDQUOT)
MISSING = (errno.ENOENT, errno.ENOEXEC)
CANNOT_RUN = (126, 127)
KILLED = (128 + signal.SIGKILL, 128 + signal.SIGTERM)


def outage_in(text: str, names: Iterable[str] = tuple(BY_NAME)) -> str:
    """The kind that the agent's own words tell of; nothing where they tell of none."""
    return next((name for name in names if SIGNS[name].search(text)), "")


def telling_line(name: str, text: str, last: str) -> str:
    """The words that tell of an outage, where they stand; else the last words."""
    signs = SIGNS.get(name)
    return next((line.strip() for line in text.splitlines() if signs and signs.search(line)), last)


def outage_of_crash(exit_code: int, last_words: str, errors: str, *, has_session: bool, out: str) -> str:
    """Once there is a session, what it printed may be a model's words: only the last of them are the agent's own."""
    if exit_code < 0 or exit_code in KILLED:
        return outage_in(errors, ("disk",)) or "killed"
    own = "\n".join((errors, last_words if has_session else out))
    return outage_in(own) or ("hermes" if exit_code in CANNOT_RUN else "")


def outage_of_error(error: OSError, *, starting_hermes: bool) -> str:
    if error.errno in FULL:
        return "disk"
    return "hermes" if starting_hermes and error.errno in MISSING else "machine"
