"""What is asked of people, put so that what is shown is what will run: whole, and with nothing that hides or poses."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from warm_tui.approvals.model import Request, what_was_decided
from warm_tui.presentation.figures import duration
from warm_tui.sessions.invisible import shown, shown_line

BAR = "│ "
"""Before each line that somebody else wrote: what they write cannot pass for a line of ours."""
_WORD = re.compile(r"\w+")
MOST_LOOKALIKES = 5


def lines_of_request(request: Request, left: float) -> list[str]:
    """All that an answer is about."""
    time_left = f"{duration(left)} left" if request.status == "pending" else what_was_decided(request)
    return [f"{head_of(request)}  {shown_line(time_left)}", *body_of(request)]


def head_of(request: Request) -> str:
    who = [f"asked by {shown_line(request.requester)}"] if request.requester else []
    where = [f"session {shown_line(request.session_key)}"] if request.session_key else []
    risk = ["high risk"] if request.high_risk else []
    return f"{request.action}  {', '.join([*risk, *who, *where])}".rstrip()


def body_of(request: Request) -> list[str]:
    return [*_barred(request.description), *lines_of_details(request.details), *warnings(request)]


def lines_of_details(details: Any) -> list[str]:
    """Texts as they are, line by line, each further line behind a bar more; everything else as JSON."""
    if not isinstance(details, Mapping):
        return _barred(details if isinstance(details, str) else json.dumps(details, ensure_ascii=False, indent=1))
    lines: list[str] = []
    for name, value in details.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *rest = shown(text).split("\n")
        if rest:
            lines += [f"{BAR}{shown_line(str(name))}:", *(f"{BAR}{BAR}{line}" for line in (first, *rest))]
        else:
            lines.append(f"{BAR}{shown_line(str(name))}: {first}")
    return lines


def _barred(text: str) -> list[str]:
    return [BAR + line for line in shown(text).split("\n")]


def warnings(request: Request) -> list[str]:
    """What one has to know before one says yes."""
    text = "\n".join([request.description, json.dumps(request.details, ensure_ascii=False)])
    found = lookalikes(text)
    told = [f"Letters of other alphabets stand in words that look English: {', '.join(found)}."] if found else []
    if request.masked:
        told.append("Secrets in it are masked: what runs holds them.")
    if request.hides_commands:
        told.append("What is masked could be a command itself: it holds blanks, or signs that a shell acts on.")
    return told


def lookalikes(text: str) -> list[str]:
    """Words of Latin letters and others, each with those others by their numbers."""
    found: dict[str, None] = {}
    for word in dict.fromkeys(_WORD.findall(text)):
        if word.isascii():
            continue
        strange = [each for each in word if not each.isascii() and each.isalpha() and not _is_latin(each)]
        if strange and any(each.isascii() and each.isalpha() for each in word):
            numbers = " ".join(f"U+{ord(each):04X}" for each in dict.fromkeys(strange))
            found[f"{shown_line(word[:40])} ({numbers})"] = None
    return list(found)[:MOST_LOOKALIKES]


def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN ")


def line_of_entry(entry: Mapping[str, Any]) -> str:
    """A row of the log, on one line."""
    action, reason, actor = (
        str(entry.get(name) or "") for name in ("what" if entry.get("what") else "action", "reason", "actor")
    )
    event = f"{entry['event']}, edited" if "asked_for" in entry else str(entry["event"])
    told = [event, action, f"by {actor}" if actor else "", f"because: {reason}" if reason else ""]
    return shown_line("  ".join(filter(None, told)))
