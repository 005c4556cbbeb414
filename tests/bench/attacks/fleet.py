"""A fleet whose members lie, and names that lead elsewhere: what was written, shown, kept in memory, and when it ended."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from memory import megabytes
from msgspec.structs import replace

from attacks import Figure
from tests.tui.hostile.kinds import KINDS
from tests.tui.hostile.terminal import got_through
from tests.unit.commands import run as command
from tests.unit.fleeting import RunningFleet, fleet_of, home_at
from tests.unit.lying import Liar, lying, told
from tests.unit.test_fleet_figures import answered, life
from warm_tui.errors import Trouble
from warm_tui.fleet import client, gathering, runs
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.gathering import Gatherer, Round
from warm_tui.fleet.member_tasks import Echo
from warm_tui.fleet.messages import Answered, HomeThere, encode
from warm_tui.paths import Home
from warm_tui.sessions.elsewhere import places_of

MOST_MEGABYTES = 400
"""Of memory, for the largest thing that a member may say at once."""
SECONDS = 60.0
NAMES = (
    "../../outside",
    "/tmp/outside",
    ".",
    "",
    "Ada",
    "a b",
    "-h-",
    "a" * 64,
    "ada\n",
    *(kind.text for kind in KINDS),
)
# What is no text cannot be said over the line.
HOSTILE = "".join(kind.text for kind in KINDS).encode("utf-8", "ignore").decode()
COMMANDS = (("sessions",), ("failures",), ("overview",), ("doctor",), ("fleet", "status"), ("fleet", "refresh"))


def run() -> Iterable[Figure]:
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        with fleet_of(folder, {"ada": home_at(folder / "ada")}) as running, Fleet(running.home) as fleet:
            yield _names(running, folder)
            yield _bundles(running.homes["ada"], folder)
            with lying(running, "eve", (HomeThere(HOSTILE, "hermes", "0000000a"),)) as eve:
                yield from _shown(running, eve)
                yield from _much(running, fleet, eve)
            yield _still(fleet)


# --- names ---


def _names(running: RunningFleet, folder: Path) -> Figure:
    """As members, and wherever a command takes the name of one."""
    home = ("--home", str(running.home.root), "fleet")
    before, hostile, refused, tried = _files(folder), 0, 0, 0
    for name in NAMES:
        words = [("init", f"--member={name}"), ("drain", "--", name), ("join", running.address, f"--name={name}")]
        words += [("leave", "--", name)] if name else []
        for each in words:
            done = command(*home, *each, check=False)
            said = (done.stdout + done.stderr).replace(name, "")
            tried, refused = tried + 1, refused + (done.returncode != 0)
            hostile += "Traceback" in said or bool(got_through(done.stdout + done.stderr))
    beside = {path for path in _files(folder) - before if path.suffix not in (".lock", ".json", ".log")}
    found = f"{len(beside)} files, {hostile} shown, {tried - refused} taken"
    return Figure(
        f"{tried} commands with hostile names", found, "none", not beside and not hostile and refused == tried
    )


def _files(folder: Path) -> set[Path]:
    outside = {Path("/tmp/outside"), folder.parent / "outside"}
    return {path for path in folder.rglob("*") if path.is_file()} | {path for path in outside if path.exists()}


def _bundles(home: Home, folder: Path) -> Figure:
    asked: list[Callable[[str], Any]] = [
        lambda name: runs.take_bundle(home, runs.Sent(name, "a" * 32, zlib.compress(b"\x90"))),
        lambda name: runs.forget(home, runs.Sent(name, "a" * 32)),
        lambda name: runs.Folders(home, "a" * 64, name),
    ]
    names = [name for name in NAMES if name] + ["../" * 10 + "tmp/outside", "a/../../b"]
    before, taken = _files(folder), 0
    for name in names:
        for each in asked:
            try:
                each(name)
                taken += 0 if set(name) <= set("0123456789abcdef") else 1
            except Trouble:
                pass
    beside = len(_files(folder) - before)
    tried = f"{len(names) * len(asked)} bundles and tries with hostile names"
    return Figure(tried, f"{taken} taken, {beside} files", "none", not taken and not beside)


# --- what is shown ---


def _shown(running: RunningFleet, eve: Liar) -> Iterable[Figure]:
    standing = replace(eve.here.standing, hermes=HOSTILE, python=HOSTILE, offers={HOSTILE: 1.0})
    eve.here.standing = standing
    eve.run(eve.worker.heartbeat())
    lie = {"title": HOSTILE, "model": HOSTILE, "source": HOSTILE, "project": HOSTILE, "end_reason": HOSTILE}
    hostile = life(profile=lie, session=lie, failure={"reason": HOSTILE})
    for what, answer in (
        ("every text of a session", lambda: told(answered(hostile, at_work=False))),
        ("the reason of a refusal", lambda: encode(Answered(trouble=HOSTILE * 100))),
    ):
        eve.answers("changed", lambda _, answer=answer: answer())
        shown = "".join(_said(running.home, words) for words in COMMANDS)
        screens = asyncio.run(_screens(running.home))
        through = got_through(shown) + got_through(screens)
        signs = [sum(kind.sign in text for kind in KINDS) for text in (shown, screens)]
        found = f"{len(through)} in {len(shown) + len(screens):,} characters, {signs} signs"
        yield Figure(f"{len(KINDS)} kinds of text in {what}", found, "none gets through", not through and any(signs))


def _said(home: Home, words: tuple[str, ...]) -> str:
    done = command(*words, check=False, HERMES_HOME=str(home.root))
    return done.stdout + done.stderr


async def _screens(home: Home) -> str:
    """Sessions, Failures, and the fleet's page."""
    from tests.tui.helpers import settled
    from warm_tui.app import WarmTui

    places = tuple(places_of(home.ours / "fleet"))
    app = WarmTui(home._replace(databases=(*home.databases, *places), fleet=True))
    shown = ""
    async with app.run_test(size=(200, 60)) as pilot:
        app.workers.cancel_group(app, "fleet")
        app._left.set()
        for keys in (("1",), ("2",), ("0", "m")):
            await pilot.press(*keys)
            await settled(pilot)
            shown += "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips()) + "\n"
    return shown


# --- how much ---


def _much(running: RunningFleet, fleet: Fleet, eve: Liar) -> Iterable[Figure]:
    bomb = zlib.compress(b"\0" * 1_000_000_000, 9)
    numbers = count()
    gathering.MOST_LIVES, usual = 20_000, gathering.MOST_LIVES

    def gathered() -> Round:
        return Gatherer(running.home, fleet).round()

    def endless() -> Round:
        return Gatherer(running.home, fleet).until_all_is_had()

    def more() -> bytes:
        lives = [life(name=f"s{next(numbers)}") for _ in range(1_000)]
        return told(answered(*lives, cursor=b"%d" % next(numbers), more=True))

    cases: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "an answer larger than any": (lambda: b"\0" * (client.ANSWER_BYTES + 1), gathered),
        "an answer as large as may be, of nothing": (lambda: b"\xc1" * client.ANSWER_BYTES, gathered),
        f"a bomb of {len(bomb):,} bytes": (lambda: told(answered(lives=bomb)), gathered),
        "a title of 20,000,000 characters": (
            lambda: told(answered(life(session={"title": "a" * 20_000_000}))),
            gathered,
        ),
        "always more to come": (more, endless),
    }
    for what, (answer, ask) in cases.items():
        eve.answers("changed", lambda _, answer=answer: answer())
        before, began = _peak_from_now_on(), time.perf_counter()
        troubles = [each for each in ask().troubles if "eve" in each or "member" in each]
        grown = megabytes("VmHWM") - before
        found = f"{'refused' if troubles else 'taken'}, {grown:.0f} MB, {time.perf_counter() - began:.1f} s"
        yield Figure(what, found, f"refused, {MOST_MEGABYTES} MB", bool(troubles) and grown < MOST_MEGABYTES)
    gathering.MOST_LIVES = usual


def _peak_from_now_on() -> float:
    """What is taken now. The liar is a thread of this process: what it makes counts with it."""
    Path("/proc/self/clear_refs").write_text("5")
    return megabytes("VmRSS")


def _still(fleet: Fleet) -> Figure:
    said = fleet.ask("ada", "echo", Echo("still"), Echo, seconds=SECONDS).words
    return Figure("the honest member, after all that", said, "still", said == "still")
