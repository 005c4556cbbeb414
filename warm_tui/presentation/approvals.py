"""What is asked of people, put so that what is shown is what will run: whole, and with nothing that hides or poses."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from warm_tui.approvals.model import Request, what_was_decided
from warm_tui.presentation.figures import duration
from warm_tui.presentation.lines import wrapped_line
from warm_tui.sessions.invisible import shown, shown_line
from warm_tui.sessions.text import plural

BAR = "│ "
"""Before each line that somebody else wrote: what they write cannot pass for a line of ours."""
LONGEST_BESIDE_NAME = 50
MOST_LOOKALIKES = 5
LIKE_ASCII = frozenset(
    # Letters of Cyrillic, Greek, Armenian, and Latin ones.
    "\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043e\u0440\u051b\u0455\u0443\u0475\u051d\u0445"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u050c\u0423\u0417"
    "\u03b1\u03bf\u03bd\u03c1\u03c5\u03b9\u03ba\u03f2\u03f3\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f"
    "\u03a1\u03a4\u03a5\u03a7\u0585\u0578\u057d\u0570\u0581\u0566\u0251\u0131\u0261\u0237"
    # Slashes, hyphens, dots, colons, bars and quotes.
    "\u2044\u2215\u29f8\u2010\u2011\u2012\u2212\ufe63\ua4f8\u2236\ua789\u02d0\u201a\u2223\u01c0\u2018\u2019\u201c\u201d\u02bc"
)
"""What is drawn like a character of a keyboard, and is none of Unicode's compatible forms of it."""
_PIECE = re.compile(r"\w+|[^\w\s\x00-\x7f]|[^\S\x00-\x7f\u2028\u2029\x85]")


def lines_of_request(request: Request, left: float) -> list[str]:
    """All that an answer is about."""
    time_left = f"{duration(left)} left" if request.status == "pending" else what_was_decided(request)
    return [f"{head_of(request)}  {shown_line(time_left)}", *body_of(request)]


def requests_wait(count: int) -> str:
    return f"{plural(count, 'request')} {'waits' if count == 1 else 'wait'}"


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
        # What goes on below, also where the line is full, has bars of its own.
        if rest or len(first) > LONGEST_BESIDE_NAME:
            lines += [f"{BAR}{shown_line(str(name))}:", *(f"{BAR}{BAR}{line}" for line in (first, *rest))]
        else:
            lines.append(f"{BAR}{shown_line(str(name))}: {first}")
    return lines


def parted(line: str) -> tuple[str, str]:
    """The bars before a line, and the line."""
    bars = next(BAR * count for count in (2, 1, 0) if line.startswith(BAR * count))
    return bars, line[len(bars) :]


def rows_within(line: str, width: int) -> list[str]:
    """A line broken where it is full, with its bars before each row."""
    bars, text = parted(line)
    rows = wrapped_line([(text.expandtabs(4), "")], max(1, width - cell_len(bars)))
    return [bars + "".join(piece for piece, _ in row) for row in rows]


def _barred(text: str) -> list[str]:
    return [BAR + line for line in shown(text).split("\n")]


def warnings(request: Request) -> list[str]:
    """What one has to know before one says yes."""
    found = lookalikes("\n".join([request.description, *_texts(request.details)]))
    told = [f"Not what it looks like: {', '.join(found)}."] if found else []
    if request.masked:
        told.append("Secrets in it are masked: what runs holds them.")
    if request.hides_commands:
        told.append("What is masked could be a command itself: it holds blanks, or signs that a shell acts on.")
    return told


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _texts(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _texts(inner)


def lookalikes(text: str) -> list[str]:
    """Words and signs that pass for plain ones, each with what stands in it by its number."""
    found: dict[str, None] = {}
    for piece in _PIECE.finditer(text):
        if strange := _strange_in(piece, text):
            numbers = " ".join(f"U+{ord(each):04X}" for each in dict.fromkeys(strange))
            found[f"{shown_line(piece[0][:40])} ({numbers})"] = None
    more = [f"and {len(found) - MOST_LOOKALIKES:,} more"] if len(found) > MOST_LOOKALIKES else []
    return list(found)[:MOST_LOOKALIKES] + more


def _strange_in(piece: re.Match[str], text: str) -> str:
    """What passes for something else there; nothing where it reads as what it is."""
    word = piece[0]
    others = "".join(each for each in word if not each.isascii())
    if not others:
        return ""
    if not (word[0] == "_" or word[0].isalnum()):
        before, after = text[: piece.start()][-1:], text[piece.end() :][:1]
        is_apostrophe = word == "\u2019" and before.isalpha() and after.isalpha()
        return word if _is_like_ascii(word) and not is_apostrophe else ""
    letters = "".join(each for each in others if each.isalpha() and not _is_latin(each))
    is_mixed = bool(letters) and any(each.isascii() and each.isalpha() for each in word)
    passes = len(word) > 1 and all(map(_is_like_ascii, others))
    return letters if is_mixed else others if passes else ""


def _is_like_ascii(character: str) -> bool:
    if character in LIKE_ASCII or "SMALL CAPITAL" in unicodedata.name(character, ""):
        return True
    plain = unicodedata.normalize("NFKC", character)
    return len(plain) == 1 and plain.isascii() and unicodedata.category(character) != "No"


def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN ") and not _is_like_ascii(character)


OWN_GATE = "Hermes' own approvals come after: it may still ask at its own prompt, or block the call there."


def event_in_words(event: str) -> str:
    """Whether it ran once the yes was taken, only who asked knows."""
    return "yes taken" if event == "used" else event


def answer_in_words(answered: Mapping[str, Any]) -> str:
    """What was answered, and what that does not decide."""
    said = f"{answered['action']} is {answered['status']}."
    is_of_hermes = str(answered.get("requester") or "").split()[:1] == ["hermes"]
    return f"{said} {OWN_GATE}" if is_of_hermes and answered["status"] == "approved" else said


def line_of_entry(entry: Mapping[str, Any]) -> str:
    """A row of the log, on one line."""
    action, reason, actor = (
        str(entry.get(name) or "") for name in ("what" if entry.get("what") else "action", "reason", "actor")
    )
    event = f"{entry['event']}, edited" if "asked_for" in entry else str(entry["event"])
    told = [event_in_words(event), action, f"by {actor}" if actor else "", f"because: {reason}" if reason else ""]
    return shown_line("  ".join(filter(None, told)))
