"""Kills at any moment, beside a second instance: nothing is corrupt after, and nothing acknowledged is lost."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from attacks import Figure, _kills_of_review
from warm_tui.sessions.model import SessionName

KILLS = 60
CONFIG = "# Mine.\nmodel:\n  default: gpt-5  # the large one\n"
Step = Callable[[Path, str, int], None]
Check = Callable[[Path, Mapping[str, int]], None]
"""Of a home, and of how many steps each instance was told that they are done."""


class Kind(NamedTuple):
    step: Step
    check: Check


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        left, temporaries = 0, 0
        for name, kind in _kinds().items():
            shutil.rmtree(home, ignore_errors=True)
            (home / "warm_tui").mkdir(parents=True)
            (home / "config.yaml").write_text(CONFIG)
            wrong, left = _killed(home, kind, Random(name))
            temporaries += left
            for why in wrong[:3]:
                print(f"    {name}: {why}", file=sys.stderr)
            yield Figure(f"{KILLS} kills: {name}", f"{len(wrong)} corrupt or lost", "0", not wrong)
        yield Figure("files of killed writers after the next start", str(temporaries), "0", not temporaries)


def _killed(home: Path, kind: Kind, random: Random) -> tuple[list[str], int]:
    """What was wrong, and how many files of killed writers the next start leaves."""
    wrong: list[str] = []
    second, told_by_second = _instance(home, kind.step, "second")
    done = {"second": 0}
    for number in range(KILLS):
        name = f"first{number}"
        first, told = _instance(home, kind.step, name)
        wanted = random.randrange(1, 6)
        while done.get(name, 0) < wanted:
            done[name] = done.get(name, 0) + _heard(told, patience=20.0)
        time.sleep(random.random() * 0.005)
        os.kill(first, signal.SIGKILL)
        os.waitpid(first, 0)
        done[name] += _heard(told)
        os.close(told)
        done["second"] += _heard(told_by_second)
        try:
            kind.check(home, done)
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {error}"[:300])
    os.kill(second, signal.SIGTERM)
    os.waitpid(second, 0)
    os.close(told_by_second)
    return wrong, _left_after_a_start(home)


def _instance(home: Path, step: Step, name: str) -> tuple[int, int]:
    """A process that does one step after another, and tells of each when it is done."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    number = 0
    try:
        while True:
            step(home, name, number)
            os.write(writing, b".")
            number += 1
            if name == "second":
                time.sleep(0.02)
    except BaseException as error:
        print(f"    {name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    os._exit(1)


def _heard(told: int, patience: float = 0.0) -> int:
    """How many steps were told of."""
    if not select.select([told], [], [], patience)[0]:
        if patience:
            raise AssertionError("it does not go on")
        return 0
    heard = os.read(told, 65_536)
    assert heard or not patience, "it ended by itself"
    return len(heard)


def _left_after_a_start(home: Path) -> int:
    from tests.unit.commands import run as command
    from warm_tui.writing import ENDING

    command("--home", str(home), "list")
    return sum(ENDING in path.name for path in home.rglob("*"))


def _kinds() -> dict[str, Kind]:
    # Once, and not by each process that is killed.
    import warm_tui.insights.gathering
    import warm_tui.screens.overview.gathering  # noqa: F401

    return {
        "save": Kind(_save, _check_saved),
        "activate": Kind(_activate, _check_active),
        "deactivate": Kind(_deactivate, _check_active),
        "verdicts": Kind(_verdict, _check_rows("SELECT call FROM verdicts")),
        "marks": Kind(_mark, _check_rows("SELECT session_id FROM marks")),
        "drafts": Kind(_draft, _check_drafts),
        "uses": Kind(_use, _check_rows("SELECT template FROM uses")),
        "config": Kind(_choose, _check_choices),
        "experiments": Kind(_experiment, _check_experiments),
        "families": Kind(_family, _check_rows("SELECT family FROM families WHERE said = 'muted'")),
        "outcomes": Kind(_outcome, _check_rows("SELECT session_id FROM outcomes WHERE outcome = 'done'")),
        "visits": Kind(_visit, _check_rows("SELECT agent FROM visits WHERE at > 0")),
        "overviews": Kind(_overview, _check_overviews),
        "template_revisions": Kind(_kills_of_review.revise, _kills_of_review.check_revised),
        "suggestions, reviewed": Kind(_kills_of_review.suggest, _kills_of_review.check_suggested),
        "packs taken in": Kind(_kills_of_review.take_in, _kills_of_review.check_taken_in),
    }


# --- files ---


def _home(home: Path):  # type: ignore[no-untyped-def]
    from warm_tui.paths import Home

    return Home(home, ())


def _save(home: Path, name: str, number: int) -> None:
    from warm_tui.templates.files import TemplateFiles
    from warm_tui.templates.model import Pattern, Template

    pattern = Pattern(tool_name="terminal", arguments={"command": "ls"}, result="a" * 5_000, context="Look.")
    TemplateFiles(_home(home)).save(Template(name=f"{name}-{number}", patterns=(pattern,)))


def _check_saved(home: Path, done: Mapping[str, int]) -> None:
    from warm_tui.templates.files import TemplateFiles

    stored, bad = TemplateFiles(_home(home)).all()
    assert not bad, bad
    _all_there({each.template.name for each in stored}, done)


def _messages(name: str, number: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{name}-{number} {'x' * 3_000}"}, {"role": "assistant", "content": "Done."}]


def _activate(home: Path, name: str, number: int) -> None:
    from warm_tui.agent.prefill import Prefill

    Prefill(_home(home)).activate(f"{name}-{number}", _messages(name, number))  # type: ignore[arg-type]


def _deactivate(home: Path, name: str, number: int) -> None:
    from warm_tui.agent.prefill import Prefill

    if number % 2:
        Prefill(_home(home)).deactivate()
    else:
        _activate(home, name, number)


def _check_active(home: Path, done: Mapping[str, int]) -> None:
    """The second instance stands still meanwhile: what is told of goes with what is in the files."""
    from warm_tui.agent.prefill import Prefill, hash_of
    from warm_tui.locking import locked

    prefill = Prefill(_home(home))
    with locked(prefill.config_file.lock):
        active, config = prefill.active(), (home / "config.yaml").read_text()
        assert config in (CONFIG, f'{CONFIG}prefill_messages_file: "{prefill.file}"\n'), config
        if config == CONFIG:
            return
        assert active is not None, "warm, and nothing tells by what"
        import json

        assert hash_of(json.loads(prefill.file.read_text())) == active.content, "of another template"
        name, _, number = active.template.partition("-")
        # The one told of last, or one begun since.
        latest = list(done)[-1]
        assert name in ("second", latest), f"{active.template}, after {latest}-{done[latest]}"
        assert int(number) >= done[name] - 1, f"{active.template}, after {name}-{done[name] - 1}"


def _choose(home: Path, name: str, number: int) -> None:
    from warm_tui.config import Config

    Config(home / "warm_tui" / "config.toml").put("filters", f"{name}-{number}", "calls>1")


def _check_choices(home: Path, done: Mapping[str, int]) -> None:
    _all_there(set(tomllib.loads((home / "warm_tui" / "config.toml").read_text())["filters"]), done)


def _all_there(found: set[str], done: Mapping[str, int]) -> None:
    lost = [f"{name}-{number}" for name, count in done.items() for number in range(count)]
    lost = [each for each in lost if each not in found]
    assert not lost, f"lost: {lost[:5]}"


# --- the library ---


def _library(home: Path):  # type: ignore[no-untyped-def]
    from warm_tui.library.db import Library

    return Library(home / "warm_tui" / "library.db")


def _verdict(home: Path, name: str, number: int) -> None:
    from warm_tui.library.verdicts import set_verdict

    with _library(home) as library:
        set_verdict(library, SessionName("s"), f"{name}-{number}", "failure", "as I saw it")


def _mark(home: Path, name: str, number: int) -> None:
    from warm_tui.library.marks import keep_marks

    with _library(home) as library:
        keep_marks(library, [{SessionName(f"{name}-{number}"): "warm", SessionName("all"): str(number)}])


def _use(home: Path, name: str, number: int) -> None:
    from warm_tui.library.uses import record_use

    with _library(home) as library:
        record_use(library, f"{name}-{number}", "written", "")


def _draft(home: Path, name: str, number: int) -> None:
    from warm_tui.library.drafts import Drafts

    document = {
        "name": name,
        "patterns": [{"tool_name": f"{name}-{at}", "result": "x" * 500} for at in range(number + 1)],
    }
    with _library(home) as library:
        drafts = Drafts(library)
        record = next((each for each in drafts.all() if each.name == name), None)
        if record is None:
            drafts.create(name, document)
        else:
            drafts.put(record, name, document)


def _family(home: Path, name: str, number: int) -> None:
    from warm_tui.library.families import say_of_family
    from warm_tui.reliability.families import Said

    with _library(home) as library:
        say_of_family(library, f"{name}-{number}", Said("muted", "known", 1.0))


def _outcome(home: Path, name: str, number: int) -> None:
    from warm_tui.library.outcomes import set_outcome

    with _library(home) as library:
        set_outcome(library, SessionName(f"{name}-{number}"), "done", "as I saw it")


def _visit(home: Path, name: str, number: int) -> None:
    from warm_tui.library.visits import note_visit

    with _library(home) as library:
        note_visit(library, time.time(), f"{name}-{number}")
        _nothing_noted(library)


def _overview(home: Path, name: str, number: int) -> None:
    """Of other databases each time."""
    from warm_tui.insights.gathering import overview_of
    from warm_tui.paths import Home
    from warm_tui.screens.overview.gathering import remember_shown

    with _library(home) as library:
        place = Home(home, (Path(f"/{name}-{number}"),))
        remember_shown(place, library, overview_of(place, library, [], "week", time.time(), None, 0))
        _nothing_noted(library)


def _nothing_noted(library) -> None:  # type: ignore[no-untyped-def]
    """Of what could be computed again a note tells that it was not written."""
    from warm_tui.errors import Trouble

    if library.notes:
        raise Trouble(" ".join(library.notes))


def _experiment(home: Path, name: str, number: int) -> None:
    from warm_tui.library.experiments import Run, add_experiment, change_experiment, change_run

    with _library(home) as library:
        runs = [Run(position=at, task="t", repeat=0, arm="warm" if at % 2 else "cold") for at in range(4)]
        made = add_experiment(library, f"{name}-{number}", "mine", b"plan", 1, b"[]", runs)
        change_run(library, made, 0, state="ended", ended_at=1.0)
        change_experiment(library, made, state="running", why="It was begun.")


def _sound(home: Path) -> sqlite3.Connection:
    """With the library as it is; set aside it would be another one."""
    assert not list((home / "warm_tui").glob("library.db.*-*")), "it was set aside"
    connection = sqlite3.connect(home / "warm_tui" / "library.db", timeout=20)
    (told,) = connection.execute("PRAGMA integrity_check").fetchone()
    assert told == "ok", told
    return connection


def _check_rows(sql: str) -> Check:
    def check(home: Path, done: Mapping[str, int]) -> None:
        connection = _sound(home)
        _all_there({row[0] for row in connection.execute(sql)}, done)
        connection.close()

    return check


def _check_drafts(home: Path, done: Mapping[str, int]) -> None:
    from warm_tui.library.drafts import Drafts

    _sound(home).close()
    with _library(home) as library:
        drafts = Drafts(library)
        for record in drafts.all():
            opened = drafts.open(record.id)
            assert opened is not None
            parts = [part["tool_name"] for part in opened[1]["patterns"]]
            assert parts == [f"{record.name}-{at}" for at in range(opened[0].step + 1)], "half of a step"
            assert len(parts) >= done.get(record.name, 0), "a step is lost"
        assert {record.name for record in drafts.all()} >= {name for name, count in done.items() if count}


def _check_overviews(home: Path, done: Mapping[str, int]) -> None:
    import ast
    import json

    connection = _sound(home)
    rows = connection.execute("SELECT places, told FROM overviews WHERE unit = 'week'").fetchall()
    connection.close()
    assert all(json.loads(told)["trends"] for _, told in rows)
    _all_there({Path(os.fsdecode(ast.literal_eval(places)[0])).name for places, _ in rows}, done)


def _check_experiments(home: Path, done: Mapping[str, int]) -> None:
    connection = _sound(home)
    running = {row[0] for row in connection.execute("SELECT name FROM experiments WHERE state = 'running'")}
    _all_there(running, done)
    (torn,) = connection.execute(
        "SELECT count(*) FROM experiments WHERE (SELECT count(*) FROM runs WHERE experiment = id) <> 4"
    ).fetchone()
    assert not torn, "an experiment with half of its runs"
    connection.close()


LIBRARY: dict[str, Step] = {
    "verdicts": _verdict,
    "marks": _mark,
    "uses": _use,
    "families": _family,
    "outcomes": _outcome,
    "visits": _visit,
    "overviews": _overview,
}
"""What writes a row to a table of that name."""
