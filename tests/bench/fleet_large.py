"""A fleet of many machines, simulated: made-up profiles, in the messages that members send, kept and listed as they are.

    python -m tests.bench.fleet_large MACHINES SESSIONS

Prints a line. Each size is a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import cast

import msgspec
from memory import megabytes

from tests.unit.fleeting import home_at
from warm_tui.fleet.client import Fleet, Listed, _member
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.gathering import FIELDS, HomeKept
from warm_tui.fleet.known import known_members, note_seen
from warm_tui.fleet.messages import HomeThere, Member, Standing
from warm_tui.fleet.telling import MOST_LIVES, Told, digest_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import feed
from warm_tui.library.profiles import RULES
from warm_tui.library.profiling import encode_profile
from warm_tui.library.rows import Rows
from warm_tui.reliability.failure_records import Failure, Fingerprint, LifeFailures, encode_failures
from warm_tui.reliability.filters import sort_keys
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.elsewhere import LifeThere, places_of
from warm_tui.sessions.model import Session

STARTED = 1_790_000_000.0
TOOLS = ("terminal", "read_file", "write_file", "search_files", "web_search", "patch")
PRINT = Fingerprint("terminal", "exit_code", "python3", "KeyError …")


def life(random: Random, name: str, started: float) -> LifeThere:
    """Of the size that recorded ones have."""
    calls, failed = random.randrange(1, 60), random.randrange(0, 6)
    used = {tool: random.randrange(1, 20) for tool in random.sample(TOOLS, random.randrange(1, len(TOOLS)))}
    profile = Profile(
        session_id=name, source="cli", model="claude-opus-4.5", started_at=started, ended_at=started + 600.0,
        duration_seconds=600.0, message_count=2 * calls, tool_call_count=calls, successful_calls=calls, failed_calls=failed,
        error_rate=failed / (calls + failed), error_rate_low=0.01, error_rate_high=0.4, tool_distribution=used,
        tool_success_rates=dict.fromkeys(used, 0.9), input_tokens=90_000, output_tokens=4_000, cost_usd=0.4,
        agent="hermes", home="default", kinds={"exit_code": failed}, course="s" * calls, families={PRINT.id: failed},
        tool_failures={tool: (1, count) for tool, count in used.items()}, course_tools="0" * calls,
    )  # fmt: skip
    failures = [Failure(PRINT.id, 0, f"call-{at}", started, "terminal", PRINT.words, 0, 2) for at in range(failed)]
    kept = LifeFailures(tuple(used), {PRINT.id: PRINT}, ("a1b2c3d4e5f6",), tuple(failures))
    session = Session(id=name, source="cli", model=profile.model, started_at=started, agent="hermes", home="default")
    return LifeThere(name, f"{calls}-{failed}", [session], [2 * calls], encode_profile(profile), encode_failures(kept))


def told_by(machine: int, sessions: int) -> Iterator[Told]:
    random = Random(machine)
    stamps: dict[str, str] = {}
    for first in range(0, sessions, MOST_LIVES):
        many = range(first, min(first + MOST_LIVES, sessions))
        lives = [life(random, f"m{machine}-{at:07}", STARTED - random.random() * 1e7) for at in many]
        stamps |= {each.name: each.stamp for each in lives}
        more = first + MOST_LIVES < sessions
        body = zlib.compress(msgspec.msgpack.encode(lives), 6)
        yield Told(body, f"{first}".encode(), FIELDS, RULES, more, digest=digest_of(stamps))


def main() -> None:
    machines, sessions = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        home = home_at(Path(scratch))
        folder = Folder.of(home)
        there = HomeThere("default", "hermes", "00000001")
        members = [
            Member(f"m{at}", f"tls://10.0.{at >> 8}.{at & 255}:1", Standing(version="0.1.0", homes=(there,)), 0.1, 1, time.time())
            for at in range(machines)
        ]  # fmt: skip
        told_bytes, taking = 0, 0.0
        for at, member in enumerate(members):
            for told in told_by(at, sessions // machines):
                told_bytes += len(told.lives)
                began = time.process_time()
                HomeKept.of(folder, member, there).take(told, cast(Fleet, None))
                taking += time.process_time() - began
        began = time.process_time()
        note_seen(folder, members)
        known_members(home, time.time())
        seen = time.process_time() - began
        began = time.process_time()
        metrics = {"fleet": msgspec.to_builtins(members[0].standing), "cpu": 1.0, "memory": 1}
        listed = Listed("m", members[0].address, 0.0, metrics)
        [_member(listed, 0.0, 0.0) for _ in members]
        identified = time.process_time() - began
        kept = sum(path.stat().st_size for path in folder.path.rglob("*") if path.is_file())
        shown = home._replace(databases=tuple(places_of(folder.path)))
        before = megabytes("VmRSS")
        times = []
        for _ in range(2):
            began = time.process_time()
            rows = Rows()
            with Catalog(shown) as catalog:
                for batch in feed(catalog, str, bool):
                    rows = batch.rows or rows
            times.append(time.process_time() - began)
        began = time.process_time()
        rows.chosen(None, sort_keys("-error_rate"))
        sorting = time.process_time() - began
        library = sum(path.stat().st_size for path in home.ours.glob("library.db*"))
        print(
            f"{machines:,} machines, {len(rows):,} sessions: {told_bytes / sessions:.0f} bytes a session travelled,"
            f" taken in {taking:.1f} s, kept in {(kept + library) / sessions:,.0f} bytes a session;"
            f" who is there {1_000 * (seen + identified):.0f} ms; listed first in {times[0]:.1f} s, again in {times[1]:.1f} s,"
            f" sorted by errors in {sorting:.2f} s; memory {megabytes('VmHWM'):,.0f} MB, of that"
            f" {(megabytes('VmRSS') - before) * 1024 * 1024 / max(1, len(rows)):,.0f} bytes a session;"
            f" load {os.getloadavg()[0]:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
