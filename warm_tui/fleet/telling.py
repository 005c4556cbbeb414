"""What a member tells of its homes: profiles, failures and outcomes of what has changed, and no words of a session.

Out of what was kept of a life are left: its first message, what calls were told to do, and, unless the member's
operator lets them travel, titles. Of a failure its family is told, by the words that make it one, masked.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.library.profiles import RULES, judged_by, key_of, profile_all
from warm_tui.library.profiling import decode_profile, encode_profile
from warm_tui.paths import Home
from warm_tui.reliability.failure_records import Failure, LifeFailures, decode_failures, encode_failures
from warm_tui.reliability.profile import Profile
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.elsewhere import LifeThere
from warm_tui.sessions.model import Message, Session
from warm_tui.sessions.readers import open_source, state_of
from warm_tui.sessions.source import Source

MOST_LIVES, MOST_BYTES = 1_000, 16_000_000
"""So many travel at once, and so much of them."""
SOON_SECONDS = 0.5
"""What is profiled sooner is waited for."""
LONGEST_TRANSCRIPT = 20_000_000
SHAPE_BYTES = 6
titles_travel = threading.Event()
"""Somebody said so when this process became a member: they are told by what was said."""


class Since(msgspec.Struct, frozen=True):
    sign: str
    cursor: bytes = b""
    most: int = MOST_LIVES


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """How far a library was told. Another library, or other rules, begin anew."""

    library: tuple[int, int] = (0, 0)
    rules: int = 0
    row: int = 0
    digest: int = 0


class Told(msgspec.Struct, frozen=True):
    lives: bytes
    """Packed: a list of lives."""
    cursor: bytes
    fields: tuple[str, ...]
    """Of a profile, in the order in which they stand."""
    shape: int
    """The version of what was kept of failures: those of another are not read."""
    more: bool = False
    anew: bool = False
    """What was told before is to be forgotten where it is not told again."""
    at_work: bool = False
    """More is being profiled."""
    digest: int = 0
    """Of all names and stamps, so that a difference shows."""


class Names(msgspec.Struct, frozen=True):
    """Every life there is, with its stamp."""

    stamps: dict[str, str]


class Read(msgspec.Struct, frozen=True):
    sign: str
    session: str


class Transcript(msgspec.Struct, frozen=True):
    messages: list[Message]
    taken_back: list[Message] = []


class Search(msgspec.Struct, frozen=True):
    sign: str
    words: str


class Found(msgspec.Struct, frozen=True):
    sessions: list[str]


def digest_of(stamps: dict[str, str]) -> int:
    """The same for the same lives, in whatever order."""
    total = len(stamps)
    for name, stamp in stamps.items():
        told = blake2b(f"{name}\0{stamp}".encode("utf-8", "replace"), digest_size=8).digest()
        total ^= int.from_bytes(told, "big")
    return total


# --- profiles, failures, outcomes ---


def changed(home: Home, request: Since) -> Told:
    """What has changed in one home since it was last told, as far as it is profiled by now."""
    path = place_of(home, request.sign)
    at_work = _profiled_soon(home, path)
    with open_library(home.library) as library, open_source(path) as source:
        return _told(library, source, request, Masking(home), at_work)


def names(home: Home, request: Since) -> Names:
    with open_library(home.library) as library:
        return Names(_stamps(library, key_of(place_of(home, request.sign))))


def _stamps(library: Library, key: str) -> dict[str, str]:
    sql = "SELECT session_id, stamp FROM profiles WHERE database = ? AND rules = ?"
    return dict(library.connection.execute(sql, (key, RULES)))


def _told(library: Library, source: Source, request: Since, masking: Masking, at_work: bool) -> Told:
    key, this = key_of(source.path), library.found or (0, 0)
    before = _cursor(request.cursor)
    anew = (before.library, before.rules) != (this, RULES)
    row = 0 if anew else before.row
    sql = (
        "SELECT rowid, session_id, stamp, profile, failures FROM profiles"
        " WHERE database = ? AND rules = ? AND rowid > ? ORDER BY rowid LIMIT ?"
    )
    rows = library.connection.execute(sql, (key, RULES, row, request.most + 1)).fetchall()
    more = len(rows) > request.most
    rows = rows[: request.most]
    lives, size = [], 0
    for at, (_, *told) in enumerate(rows):
        if size > MOST_BYTES:
            rows, more = rows[:at], True
            break
        if (life := _life(source, masking, *told)) is not None:
            lives.append(life)
            size += len(life.profile) + len(life.failures)
    # Of all that there is: asked for where all of it was told.
    digest = before.digest if more else digest_of(_stamps(library, key))
    cursor = Cursor(this, RULES, rows[-1][0] if rows else row, digest)
    return Told(
        zlib.compress(msgspec.msgpack.encode(lives), 6) if lives else b"",
        msgspec.msgpack.encode(cursor),
        Profile.__struct_fields__,
        RULES,
        more,
        anew,
        at_work,
        digest,
    )


def _cursor(raw: bytes) -> Cursor:
    with suppress(msgspec.MsgspecError):
        return msgspec.msgpack.decode(raw, type=Cursor)
    return Cursor()


def _life(
    source: Source, masking: Masking, name: str, stamp: str, profile: bytes, failures: bytes | None
) -> LifeThere | None:
    whole = decode_profile(profile)
    parts = whole.parts or (whole,)
    sessions = [source.session(part.name.id) for part in parts]
    found = [(session, part) for session, part in zip(sessions, parts, strict=True) if session is not None]
    if not found:
        return None
    kept = decode_failures(failures) if failures else LifeFailures()
    told, renamed = masking.failures(kept)
    return LifeThere(
        name,
        stamp,
        [masking.session(session) for session, _ in found],
        [part.message_count for _, part in found],
        encode_profile(masking.profile(whole, renamed)),
        encode_failures(told),
    )


class Masking:
    """What may travel of each. The same text is looked through once."""

    def __init__(self, home: Home) -> None:
        self._redactor = redactor_of(home)
        self._seen: dict[str, str] = {}
        self._titles = titles_travel.is_set()

    def text(self, text: str) -> str:
        if text not in self._seen:
            self._seen[text] = self._redactor.redact(text) if text else text
        return self._seen[text]

    def _title(self, title: str | None) -> str | None:
        return self.text(title) if title and self._titles else None

    def session(self, session: Session) -> Session:
        return replace(session, title=self._title(session.title), project=self._place(session.project))

    def _place(self, path: str | None) -> str | None:
        return self.text(path) if path else path

    def profile(self, profile: Profile, renamed: dict[str, str]) -> Profile:
        ruled = profile.ruled_outcome
        return replace(
            profile,
            title=self._title(profile.title),
            first_message="",
            project=self._place(profile.project),
            # It may quote the user, or the agent.
            outcome_reason="",
            ruled_outcome=ruled and replace(ruled, reason=""),
            families={renamed.get(name, name): count for name, count in profile.families.items()},
            parts=tuple(self.profile(part, renamed) for part in profile.parts),
        )

    def failures(self, kept: LifeFailures) -> tuple[LifeFailures, dict[str, str]]:
        """And how families are called now whose words were masked."""
        prints = {name: replace(each, words=self.text(each.words)) for name, each in kept.fingerprints.items()}
        renamed = {
            name: each.id if each.words != kept.fingerprints[name].words else name for name, each in prints.items()
        }
        told = LifeFailures(
            kept.tools,
            {renamed[name]: each for name, each in prints.items()},
            tuple(_unspoken(shape) for shape in kept.shapes),
            tuple(self._failure(each, renamed, prints[each.family].words) for each in kept.failures),
        )
        return told, renamed

    def _failure(self, failure: Failure, renamed: dict[str, str], words: str) -> Failure:
        tries = tuple(replace(each, words="") for each in failure.tries)
        return replace(failure, family=renamed[failure.family], reason=words, tries=tries)


def _unspoken(shape: str) -> str:
    """What tells shapes of calls apart, with the tool that each is of, and no other word."""
    sign = blake2b(shape.encode("utf-8", "replace"), digest_size=SHAPE_BYTES).hexdigest()
    return f"{shape.partition(' ')[0]} {sign}, its words stay there"


# --- profiling beside ---


class _Profiling:
    """Of one place: what it was when all of it was profiled, and whoever is at it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.mark: tuple[str, str] | None = None
        self.thread: threading.Thread | None = None
        self.trouble = ""


_profiling: dict[Path, _Profiling] = {}
_begun = threading.Lock()


def _profiled_soon(home: Home, path: Path) -> bool:
    """Whether it is still at work after a moment. Trouble is told to whoever asks next."""
    with _begun:
        state = _profiling.setdefault(path, _Profiling())
    with state.lock:
        if state.trouble:
            trouble, state.trouble = state.trouble, ""
            raise Trouble(trouble)
        if state.thread is None or not state.thread.is_alive():
            with open_library(home.library) as library:
                mark = state_of(path).key, judged_by(library)
            if mark == state.mark:
                return False
            state.thread = threading.Thread(target=_profile, args=(home, path, state, mark), daemon=True)
            state.thread.start()
        thread = state.thread
    thread.join(SOON_SECONDS)
    return thread.is_alive()


def _profile(home: Home, path: Path, state: _Profiling, mark: tuple[str, str]) -> None:
    try:
        with open_library(home.library) as library, open_source(path) as source:
            profile_all(source, library)
        state.mark = mark
    except Trouble as trouble:
        state.trouble = str(trouble)
    except Exception as error:
        state.trouble = f"Profiling went wrong: {type(error).__name__}."


# --- what is asked for one session ---


def place_of(home: Home, sign: str) -> Path:
    from warm_tui.fleet.member import own_places, sign_of_place

    for path in own_places(home):
        if sign_of_place(path) == sign:
            return path
    raise Trouble("That home is not there any more.")


def transcript(home: Home, request: Read) -> Transcript:
    """The messages of one session, masked here, before any of them travels."""
    with open_source(place_of(home, request.sign)) as source:
        messages, taken_back = source.with_taken_back(request.session)
    if sum(message.size for message in (*messages, *taken_back)) > LONGEST_TRANSCRIPT:
        raise Trouble(f"The session is longer than {LONGEST_TRANSCRIPT:,} characters: read it there.")
    redactor = redactor_of(home)
    texts = {text for message in (*messages, *taken_back) for text in _texts_of(message)}
    secrets = {secret.value for text in texts for secret in redactor.secrets_in(text)}
    masked = redactor.masking(secrets).text
    return Transcript([_masked(each, masked) for each in messages], [_masked(each, masked) for each in taken_back])


def _texts_of(message: Message) -> list[str]:
    report = message.report
    told = (
        message.text,
        *(call.arguments for call in message.calls),
        *((report.words, report.benign) if report else ()),
    )
    return [text for text in told if text]


def _masked(message: Message, masked: Callable[[str], str]) -> Message:
    report = message.report
    return replace(
        message,
        text=masked(message.text),
        calls=[replace(call, arguments=masked(call.arguments)) for call in message.calls],
        report=report and replace(report, words=masked(report.words), benign=masked(report.benign)),
    )


def search(home: Home, request: Search) -> Found:
    with open_source(place_of(home, request.sign)) as source:
        return Found(sorted(source.sessions_with_text(request.words)))
