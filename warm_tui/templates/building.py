"""From recorded sessions to a template: which are read, which calls are taken, and what is masked."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.uses import warm_windows
from warm_tui.library.verdicts import own_verdicts
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile, judged, task_type
from warm_tui.sessions.transcript import transcript
from warm_tui.templates.mining import Candidate, Choice, candidates_of, choose, pattern_of, qualifies
from warm_tui.templates.model import Pattern, Template
from warm_tui.templates.redact import Redactor
from warm_tui.templates.secrets import is_named_so, looks_secret


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be built from what."""

    min_messages: int = 30
    max_sessions: int = 30
    source: str = ""
    sessions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    most: int = 15


class Built(msgspec.Struct, frozen=True, kw_only=True):
    patterns: tuple[Pattern, ...]
    metrics: dict[str, Any]


def build(catalog: Catalog, wanted: Wanted) -> Built:
    """By hand, calls in the order they are named; else mined."""
    if wanted.calls:
        picked = [find_call(catalog, name, wanted.sessions) for name in wanted.calls]
        patterns = [pattern_of(c, chosen_by="operator", why="chosen by hand") for c in picked]
        sessions = {candidate.call.session_id for candidate in picked}
        return Built(
            patterns=tuple(patterns),
            metrics={
                "sessions_scanned": len(sessions),
                "sessions_qualified": len(sessions),
                "total_patterns": len(patterns),
            },
        )
    scanned, qualified = sessions_to_mine(catalog, wanted)
    candidates = [each for profile in qualified for each in candidates_in(catalog, profile)]
    choices = choose(candidates, wanted.most)
    gains = [p.proficiency_gain for p in qualified if p.proficiency_gain is not None]
    return Built(
        patterns=tuple(pattern_of_choice(choice) for choice in choices),
        metrics={
            "sessions_scanned": scanned,
            "sessions_qualified": len(qualified),
            "calls_seen": len(candidates),
            "calls_that_succeeded_for_certain": sum(candidate.good for candidate in candidates),
            "total_patterns": len(choices),
            "avg_proficiency_gain": sum(gains) / len(gains) if gains else None,
            "tools": sorted({choice.candidate.call.tool_name for choice in choices}),
        },
    )


def pattern_of_choice(choice: Choice) -> Pattern:
    return pattern_of(
        choice.candidate,
        chosen_by="mining",
        why=choice.why,
        success_count=choice.success_count,
        session_types=choice.session_types,
    )


def sessions_to_mine(catalog: Catalog, wanted: Wanted) -> tuple[int, list[Profile]]:
    """How many were looked at, and the newest that qualify; those named, whatever they are."""
    if wanted.sessions:
        named = [catalog.profile(session_id) for session_id in wanted.sessions]
        return len(named), named
    windows = warm_windows(catalog.library)
    profiles = catalog.profiles()
    fit = [
        profile
        for profile in profiles
        if qualifies(profile, wanted.min_messages, wanted.source)
        and not any(window.holds(profile.started_at) for window in windows)
    ]
    return len(profiles), fit[: wanted.max_sessions]


def candidates_in(catalog: Catalog, profile: Profile) -> list[Candidate]:
    """Every call of one session, each with its verdict, the operator's own first."""
    database, session = catalog.find(profile.session_id)
    items = transcript(database, session, whole_chain=False)
    own = own_verdicts(catalog.library, session.id)
    verdicts = {
        (call.session_id, call.key): own.get(call.key) or verdict
        for call, verdict in judged(item.call for item in items if item.call is not None)
    }
    return candidates_of(items, verdicts, profile)


def find_call(catalog: Catalog, name: str, sessions: Sequence[str] = ()) -> Candidate:
    """A call by its id; `SESSION:CALL` where one id stands in several sessions."""
    for candidate in _named(catalog, name, sessions):
        if not candidate.good:
            verdict = candidate.verdict
            told = {"failure": "failed", "unknown": "has no known outcome"}.get(
                verdict.outcome, "did not succeed for certain"
            )
            reason = f" ({verdict.reason})" if verdict.reason else ""
            raise Trouble(f"Call '{name}' {told}{reason}: it is not picked. Set a verdict of your own to pick it.")
        return candidate
    raise Trouble(f"Call '{name}' not found.")


def _named(catalog: Catalog, name: str, sessions: Sequence[str]) -> Iterator[Candidate]:
    asked: Iterable[str] = sessions
    call_id = name
    if not sessions:
        session_id, _, rest = name.rpartition(":")
        if session_id and any(database.session(session_id) for database in catalog.databases):
            asked, call_id = (session_id,), rest
        else:
            asked = [found for database in catalog.databases for found in database.sessions_with_call(name)]
    for session_id in asked:
        for candidate in candidates_in(catalog, catalog.profile(session_id)):
            if call_id in (candidate.call.id, candidate.call.key):
                yield candidate


def new_template(name: str, patterns: Sequence[Pattern], **fields: Any) -> Template:
    """With what its patterns tell of it."""
    return Template(
        name=name,
        patterns=tuple(patterns),
        source_session_ids=tuple(dict.fromkeys(p.origin.session_id for p in patterns if p.origin.session_id)),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        task_type=task_type(Counter(pattern.tool_name for pattern in patterns)),
        **fields,
    )


def type_of(template: Template) -> str:
    """What kind of work it is for: as it says, else as its tools tell."""
    return template.task_type or task_type(Counter(pattern.tool_name for pattern in template.patterns))


# --- what must not get into a template ---


def redactor_of(home: Home) -> Redactor:
    """Masks with this home's own key, and knows the values of its .env."""
    return Redactor(_key(home.ours / "redaction.key"), own_secrets(home.root / ".env"))


def _key(path: Path) -> bytes:
    """Made once. Where it cannot be kept, one for now."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    except OSError:
        return secrets.token_bytes(32)
    return path.read_bytes() or secrets.token_bytes(32)


def own_secrets(path: Path) -> list[str]:
    """The values of an .env file that are worth hiding: not its switches, paths and plain words."""
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        value = value.strip().strip("'\"")
        if not equals or name.startswith("#") or len(value) < 6:
            continue
        if is_named_so(name.strip()) or (looks_secret(value) and not value.replace(".", "").isdigit()):
            found.append(value)
    return found
