"""What the Approvals screen knows and decides, without Textual."""

from __future__ import annotations

import atexit
import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from warm_tui.agent.plugin import OUR_COMMAND, own_environment
from warm_tui.approvals.model import Request
from warm_tui.approvals.moments import Moment, now
from warm_tui.approvals.operating import is_running, looking
from warm_tui.approvals.place import Place, read_json
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.presentation.approvals import body_of, head_of, line_of_entry, lines_of_request, parted
from warm_tui.presentation.lines import Line, Piece
from warm_tui.screens.shared.standing import Standing
from warm_tui.writing import check_may_change

MOST_ROWS = 2_000
T = TypeVar("T")


class Waiting(NamedTuple):
    request: Request
    left: float


class ApprovalsRead(NamedTuple):
    waiting: Sequence[Request]
    entries: Sequence[Mapping[str, Any]]
    running_at: str
    """Where the service is reached; nothing where none runs."""
    asked: bool
    """Whether anything was ever asked here."""


def read(home: Home) -> ApprovalsRead:
    place = Place.of(home)
    running_at = str(read_json(place.running).get("url", "")) if is_running(home) else ""
    with looking(home) as store:
        if store is None:
            return ApprovalsRead((), (), running_at, False)
        return ApprovalsRead(store.pending(), store.audit(MOST_ROWS), running_at, True)


def arranged(requests: Iterable[Request], words: str, at: Moment | None = None) -> list[Waiting]:
    """Most urgent first; what has no time left is over, whether or not anybody has written that down."""
    at = at or now()
    timed = (Waiting(each, each.seconds_left(at)) for each in requests)
    matching = [each for each in timed if each.left > 0 and _holds(words, "\n".join(lines_of_request(*each)))]
    return sorted(matching, key=lambda each: (each.left, each.request.id))


def entries_with(entries: Iterable[Mapping[str, Any]], words: str) -> list[Mapping[str, Any]]:
    return [each for each in entries if _holds(words, f"{line_of_entry(each)} {each.get('description', '')}")]


def _holds(words: str, text: str) -> bool:
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


def lines_of(request: Request) -> tuple[list[Line], list[Piece]]:
    """All that will run, and what stands before each of its rows: bars, but for what are words of ours."""
    lines: list[Line] = [[(head_of(request), "failed" if request.high_risk else "strong")]]
    margins: list[Piece] = [("", "")]
    for line in body_of(request):
        bars, text = parted(line)
        lines.append([(text, "" if bars else "unknown")])
        margins.append((bars, "dim"))
    return lines, margins


def why_none_asked(running_at: str, *, ours: bool) -> str:
    """`ours`: whether this app started the service that runs there."""
    to_start = (
        "s starts the service, which holds what is asked for; it ends when you leave. `warm-tui confirm serve` stays."
    )
    until = ", until you leave; s stops it before" if ours else ""
    service = f"The service runs at {running_at}{until}." if running_at else to_start
    return (
        "Nothing was ever asked here.\n\nPrograms and agents ask for a person's yes before what cannot be undone.\n"
        f"`warm-tui confirm enable` lets Hermes ask.\n\n{service}"
    )


def headline(read: ApprovalsRead, waiting: Sequence[Waiting]) -> str:
    """Short: the names of all screens stand beside it."""
    where = f"at {read.running_at}" if read.running_at else "no service: s starts it"
    return f"{len(waiting):,} waiting  ·  {where}"


class Guard(Standing):
    """An answer is not given before the end of what it is for was seen, either."""

    def __init__(self) -> None:
        super().__init__()
        self._read: set[str] = set()

    def seen_to_its_end(self, name: str) -> None:
        self._read.add(name)

    def hindrance(self, name: str) -> str:
        below = "" if name in self._read else "It goes on below: read it to its end first (G)."
        return super().hindrance(name) or below


class OwnService:
    """A service that the app started for itself: it ends with it, however that ends, since the other end of its
    standard input is held here."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, home: Home) -> str:
        """Where it is reached; Trouble in its own words."""
        check_may_change()
        words = [*OUR_COMMAND, "--home", str(home.root.absolute()), "confirm", "serve", "--json", "--ends-with-input"]
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=own_environment(), start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            told = json.loads(process.stdout.readline())
        except ValueError:
            told = {}
        if not told.get("success"):
            process.wait()
            raise Trouble(str(told.get("error") or "The service did not start."))
        self._process = process
        atexit.register(self.end)
        return str(told["url"])

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            atexit.unregister(self.end)
