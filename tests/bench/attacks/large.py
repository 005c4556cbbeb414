"""Results of 1, 10 and 100 MB: how long each thing done with one holds up the app, and what memory that takes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from memory import megabytes
from textual.pilot import Pilot

from attacks import Figure
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.templates.building import Wanted, build

MEGABYTES = (1, 10, 100)
SHAPES: dict[str, Callable[[int], str]] = {
    "json": lambda size: json.dumps({"output": "make: all of it is built\n" * (size // 25), "exit_code": 0}),
    "text": lambda size: "make: all of it is built\n" * (size // 25),
    "one line": lambda size: "built" * (size // 5),
    "line feeds": lambda size: "\n" * size,
    "other scripts": lambda size: "日本語 \u200b\x1b[31m" * (size // 18),
}
WELL = '{"output": "built", "exit_code": 0, "error": null}'
COMMANDS = ("build --call", "compress-check --report")
MOST_SECONDS, MOST_SECONDS_OF_A_COMMAND, MOST_MEGABYTES = 1.0, 5.0, 400


def run() -> Iterable[Figure]:
    for shape, made in SHAPES.items():
        for size in MEGABYTES if shape == "json" else MEGABYTES[-1:]:
            yield from with_one(f"{size} MB of {shape}", shape == "json", result=made(size * 1_000_000))
    much = SHAPES["text"](MEGABYTES[-1] * 1_000_000)
    yield from with_one(f"{MEGABYTES[-1]} MB of command", True, command=much)
    yield from with_one(f"{MEGABYTES[-1]} MB said before", True, said=much)


def with_one(told: str, builds: bool, **texts: str) -> Iterable[Figure]:
    with tempfile.TemporaryDirectory() as scratch:
        record(Path(scratch) / "state.db", **texts)
        for what in ("screen", "build", "check") if builds else ("screen",):
            yield from tried(what, scratch, told)


def tried(what: str, scratch: str, told: str) -> Iterable[Figure]:
    """In a process of its own: memory is only ever added to one."""
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; from attacks import large; large.in_process({what!r}, {scratch!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    for name, found in json.loads(done.stdout.splitlines()[-1]).items():
        unit, most = ("MB", MOST_MEGABYTES) if "memory" in name else ("s", MOST_SECONDS)
        if name in COMMANDS:
            most = MOST_SECONDS_OF_A_COMMAND
        yield Figure(f"{told}: {name}", f"{found:.2f} {unit}", f"≤ {most} {unit}", found <= most)


def record(path: Path, result: str = WELL, command: str = "make all", said: str = "Build it, please.") -> None:
    arguments = json.dumps({"command": command})
    function = {"name": "terminal", "arguments": arguments}
    with Archive(path) as archive:
        archive.add_session(id="large", source="cli", started_at=1e9)
        rows = [
            {"role": "user", "content": said},
            {"role": "assistant", "tool_calls": json.dumps([{"id": "c", "type": "function", "function": function}])},
            {"role": "tool", "content": result, "tool_call_id": "c", "tool_name": "terminal"},
        ]
        archive.add_messages({"session_id": "large", "timestamp": 1e9, **row} for row in rows)


def in_process(what: str, scratch: str) -> None:
    home = Home(Path(scratch) / f"home-{what}", (Path(scratch) / "state.db",))
    found = asyncio.run(on_screen(home)) if what == "screen" else built(home) if what == "build" else checked(home)
    found[f"memory ({what})"] = megabytes()
    print(json.dumps(found))


def built(home: Home) -> dict[str, float]:
    began = time.perf_counter()
    with Catalog(home) as catalog:
        build(catalog, Wanted(calls=("c",)), redactor_of(home))
    return {"build --call": time.perf_counter() - began}


def checked(home: Home) -> dict[str, float]:
    from tests.unit.commands import run as command

    home.root.mkdir()
    began = time.perf_counter()
    place = ("--home", str(home.root), "--db", str(home.databases[0]))
    command(*place, "compress-check", "large", "--report", str(home.root.parent / "report.html"))
    return {"compress-check --report": time.perf_counter() - began}


async def on_screen(home: Home) -> dict[str, float]:
    with Catalog(home) as catalog:
        profile = catalog.profile("large")
    app = WarmTui(home)
    found: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        screen = TranscriptScreen(profile)

        async def opened() -> None:
            await app.push_screen(screen)
            await until(pilot, lambda: bool(screen.is_mounted and screen.view.items and screen.all_read))

        async def whole() -> None:
            await pilot.press("o")
            await until(pilot, lambda: isinstance(app.screen, Pages))

        async def picked() -> None:
            await pilot.press("p")
            await until(pilot, lambda: bool(screen.drafting.draft.patterns))

        async def searched() -> None:
            screen.search("nowhere in it")

        await taken(found, "the transcript opens", opened)
        screen.view.move(next(at for at, item in enumerate(screen.view.items) if item.call))
        await taken(found, "it unfolds", lambda: pilot.press("enter"))
        await taken(found, "o, the call whole", whole)
        await taken(found, "its end", lambda: pilot.press("end"))
        await pilot.press("escape")
        await taken(found, "/, searched", searched)
        await taken(found, "y, copied", lambda: pilot.press("y"))
        await taken(found, "p, picked", picked)
    return found


async def taken(found: dict[str, float], what: str, doing: Callable[[], Awaitable[object]]) -> None:
    began = time.perf_counter()
    await doing()
    found[what] = time.perf_counter() - began


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    while not holds():
        await pilot.pause(0.002)
