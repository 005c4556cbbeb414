"""The hard set: real programs that fail, work and answer questions, as an agent would see them.

    python tests/bench/hard_set.py                   figures of what was recorded, the parts held out apart
    python tests/bench/hard_set.py misses            what the judge gets wrong in the parts that may be looked at
    python tests/bench/hard_set.py record SET        run the programs, write tests/fixtures/SET.json.xz

Each further set runs programs that none before it ran, or (`hard_workday`, `hard_errands`) what agents do on most days,
and was written before anything of it was judged. Rules are made without looking at what is held out; once it has been
looked at, another has to take its place.

What nobody had tuned to, at first look (it has led to rules since): of the daily programs' third (`hard_daily_held`)
90 % of 293 masked failures were found, and 1.4 % of 355 successes called failures (text: 2.3). Of an ordinary session's
calls (`hard_usual`) 95 % of 66 and all 25 other failures, and 5 of 125 (text: 7); of its third 26 of 32 and all 14 others,
and 4 of 63 (text: 6). Of loud commands in which the part that counts is marked (`hard_marked`) 109 of 127, and 5 of 118
(text: 13); of its third 61 of 72, and 6 of 41; of what took that third's place (`hard_marked_again`) 93 of 101, and none of
66 (text: 1). Of some 157 programs in eight small projects (`hard_worlds_held`) 179 of 204 (88 %), and 4 of 475 (text: 8),
with no mistake in 2,219 readings beside them; of a like set by another hand, which was not kept, 177 of 208 (85 %), and 4
of 460 (text: 6). All of these but one were lines that were to look like trouble: the ordinary days had 603 successes. What
is left is mostly one thing: a program that caught what it printed, and whose own words do not stand behind it, as another
ran behind it or its streams were told apart.

Weighing words and signs together, learnt from all sets but the one it was tried on, found no more than the rules do
without a program's rows (81 % to 82) at more mistakes (5.7 % of the successes to 3.7), and on rare programs fewer. That
a script's last sentence says that it could not do something is no rule either: as many scripts that worked say so.

`which` and `command -v` that find nothing are answers here, and failures in the labels of `hermes-0.19`, which decide.

HARD_SET_TOOLS ("FOLDER:FOLDER:") and HARD_SET_NODE_MODULES name where linters and test runners are installed. Recording
needs the programs (a scenario whose program is missing is left out) and, for `hard_set`, a PostgreSQL server; nothing but
127.0.0.1 is asked.
"""

from __future__ import annotations

import functools
import http.server
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import starmap
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Literal, NamedTuple, TypeAlias

import hard_chores
import hard_chores_files
import hard_chores_worked
import hard_clamour
import hard_clamour_files
import hard_din
import hard_errands
import hard_latecomers
import hard_murmur
import hard_newcomers
import hard_noise
import hard_noise_files
import hard_project
import hard_scenarios
import hard_scripts
import hard_scripts_files
import hard_strangers
import hard_usual
import hard_usual_files
import hard_workday
import hard_workday_files

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
PROJECT = "/work/project"
PORT, DATABASE_PORT = 18099, 15499
SECONDS = 120
LONGEST = 6_000
NOT_FOUND = 127

Truth: TypeAlias = Literal["failed", "worked", "answered"]


class Scenario(NamedTuple):
    name: str
    command: str
    truth: Truth


def wrapped(tables: tuple[tuple[dict[str, str], Truth], ...], forms: dict[str, str], each: int) -> Iterator[Scenario]:
    """Each as it stands and, where it failed or worked, inside some of the forms."""
    for table, truth in tables:
        for at, (name, command) in enumerate(table.items()):
            yield Scenario(f"{truth}: {name}", command, truth)
            for wrapping in range(each):
                title, form = list(forms.items())[(at * 3 + wrapping * 5) % len(forms)]
                yield Scenario(f"{truth}: {name}, {title}", form.format(command), truth)


def hard_set() -> Iterator[Scenario]:
    said = hard_scenarios
    yield from wrapped(((said.FAILED, "failed"), (said.WORKED, "worked")), said.WRAPPINGS, said.WRAPPINGS_EACH)
    yield from wrapped(((said.ANSWERED, "answered"), (said.UNANSWERED, "failed")), {}, 0)
    for name, (truth, command) in said.CHAINED.items():
        yield Scenario(f"chained: {name}", command, "failed" if truth == "failed" else "worked")


def failed_and_worked(said: ModuleType, forms: dict[str, str], each: int) -> Iterator[Scenario]:
    return wrapped(((said.FAILED, "failed"), (said.WORKED, "worked")), forms, each)


def strangers() -> Iterator[Scenario]:
    return failed_and_worked(hard_strangers, hard_strangers.WRAPPINGS, hard_strangers.WRAPPINGS_EACH)


def newcomers() -> Iterator[Scenario]:
    return failed_and_worked(hard_newcomers, hard_strangers.WRAPPINGS, 2)


def latecomers() -> Iterator[Scenario]:
    return failed_and_worked(hard_latecomers, hard_scenarios.WRAPPINGS, 2)


def noise(which: int) -> Iterator[Scenario]:
    said = hard_noise
    tables = (said.half(said.FAILED, which), said.half(said.WORKED, which))
    return wrapped(((tables[0], "failed"), (tables[1], "worked")), said.WRAPPINGS, 2)


def din() -> Iterator[Scenario]:
    return failed_and_worked(hard_din, hard_noise.WRAPPINGS, 2)


def clamour() -> Iterator[Scenario]:
    return failed_and_worked(hard_clamour, hard_clamour.WRAPPINGS, 1)


def murmur() -> Iterator[Scenario]:
    return failed_and_worked(hard_murmur, hard_clamour.WRAPPINGS, 2)


def workday() -> Iterator[Scenario]:
    return _mostly_ordinary(hard_workday.FAILED, hard_workday.WORKED)


def errands() -> Iterator[Scenario]:
    return _mostly_ordinary(hard_errands.FAILED, hard_errands.WORKED)


def scripts() -> Iterator[Scenario]:
    said = hard_scripts
    for name, command in said.MASKED.items():
        yield Scenario(f"masked: {name}", command, "failed")
    yield from wrapped(((said.WORKED, "worked"), (said.ANSWERED, "answered")), {}, 0)


def chores(which: int) -> Iterator[Scenario]:
    worked = wrapped(((hard_chores_worked.WORKED, "worked"),), hard_chores_worked.WRAPPINGS, 1)
    answered = wrapped(((hard_chores.ANSWERED, "answered"),), {}, 0)
    masked = (Scenario(f"masked: {name}", command, "failed") for name, command in hard_chores.MASKED.items())
    return (each for each in (*masked, *worked, *answered) if hard_chores.half(each.name) == which)


def usual(held: bool) -> Iterator[Scenario]:
    return starmap(Scenario, hard_usual.part(held))


def _mostly_ordinary(failed: dict[str, str], worked: dict[str, str]) -> Iterator[Scenario]:
    yield from wrapped(((failed, "failed"),), hard_workday.WRAPPINGS, 2)
    yield from wrapped(((worked, "worked"),), hard_workday.WRAPPINGS, 1)


class HardSet(NamedTuple):
    """Without scenarios: recorded by a command of its own, which has the name of the set."""

    name: str
    scenarios: Callable[[], Iterator[Scenario]] | None = None
    files: Mapping[str, str] = MappingProxyType({})
    setup: str = ""
    needs_database: bool = False
    held_out: bool = False

    @property
    def fixture(self) -> Path:
        return FIXTURES / f"{self.name}.json.xz"

    def load(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(lzma.decompress(self.fixture.read_bytes()))
        return rows


def base_of(name: str) -> str:
    """The scenario without its wrapping: what is held out is so in all of them."""
    return name.partition(",")[0]


SETS = (
    HardSet("hard_set", hard_set, hard_project.FILES, hard_project.SETUP, needs_database=True),
    HardSet("hard_strangers", strangers, hard_strangers.FILES, hard_strangers.SETUP),
    HardSet("hard_newcomers", newcomers, hard_newcomers.FILES, hard_newcomers.SETUP),
    HardSet("hard_latecomers", latecomers, hard_latecomers.FILES, hard_latecomers.SETUP, held_out=True),
    HardSet("hard_noise", lambda: noise(0), hard_noise_files.FILES, hard_noise_files.SETUP),
    HardSet("hard_noise_half", lambda: noise(1), hard_noise_files.FILES, hard_noise_files.SETUP),
    HardSet("hard_din", din, hard_din.FILES, hard_din.SETUP),
    HardSet("hard_clamour", clamour, hard_clamour_files.FILES, hard_clamour_files.SETUP),
    HardSet("hard_murmur", murmur, hard_murmur.FILES, hard_murmur.SETUP),
    HardSet("hard_workday", workday, hard_workday_files.FILES, hard_workday_files.SETUP),
    HardSet("hard_errands", errands, hard_errands.FILES, hard_errands.SETUP),
    HardSet("hard_scripts", scripts, hard_scripts_files.FILES, hard_scripts_files.SETUP),
    HardSet("hard_chores", lambda: chores(1), hard_chores_files.FILES, hard_chores_files.SETUP),
    HardSet("hard_chores_half", lambda: chores(0), hard_chores_files.FILES, hard_chores_files.SETUP),
    HardSet("hard_usual", lambda: usual(False), hard_usual_files.FILES, hard_usual_files.SETUP, needs_database=True),
    HardSet("hard_usual_held", lambda: usual(True), hard_usual_files.FILES, hard_usual_files.SETUP, True),
    HardSet("hard_marked"),
    HardSet("hard_marked_held"),
    HardSet("hard_marked_again"),
    HardSet("hard_daily"),
    HardSet("hard_daily_held"),
    HardSet("hard_worlds"),
    HardSet("hard_worlds_held"),
)


# --- Recording ---------------------------------------------------------------------------------------


def record(chosen: HardSet) -> None:
    assert chosen.scenarios, "a command of its own records it"
    rows: list[dict[str, Any]] = []
    left_out: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="hard-set-") as scratch, server():
        database = postgres(Path(scratch) / "pg") if chosen.needs_database else nullcontext()
        with database:
            template = Path(scratch) / "template"
            make_project(template, chosen)
            for scenario in chosen.scenarios():
                base = base_of(scenario.name)
                row = None if base in left_out else recorded(scenario, template, Path(scratch) / "project")
                print(f"{row['label'] if row else 'left out':9}{scenario.name}", flush=True)
                if row is not None:
                    rows.append(row)
                elif base == scenario.name:
                    left_out.add(base)
    chosen.fixture.write_bytes(lzma.compress(json.dumps(rows, indent=0).encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(rows)} calls, {chosen.fixture.stat().st_size:,} bytes")


def make_project(root: Path, chosen: HardSet) -> None:
    for name, text in chosen.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["bash", "-ec", chosen.setup], cwd=root, check=True, capture_output=True)
    if modules := os.environ.get("HARD_SET_NODE_MODULES"):
        (root / "node_modules").symlink_to(modules)


def recorded(scenario: Scenario, template: Path, project: Path) -> dict[str, Any] | None:
    """What an agent would see: both streams as they came, and standard error behind the rest."""
    try:
        apart, code, has_errors = run(scenario.command, template, project, together=False)
        merged = run(scenario.command, template, project, together=True)[0] if has_errors else apart
    except subprocess.TimeoutExpired:
        return None
    missing = code == NOT_FOUND or ": command not found" in merged
    if missing and "frobnicate" not in scenario.command and "nothing" not in scenario.command:
        return None
    labels = {"failed": ("masked", "fail"), "answered": ("ok", "benign"), "worked": ("ok", "")}[scenario.truth]
    label = labels[code != 0]
    # What fails unwrapped has to say so itself, or nobody knows that it failed.
    if not label or (label == "masked" and scenario.name.startswith("failed: ") and "," not in scenario.name):
        print(f"not as it was meant, exit {code}: {scenario.command}")
        return None
    row = {"name": scenario.name, "command": scenario.command, "exit": code, "label": label, "output": merged}
    return row if apart == merged else row | {"apart": apart}


def run(command: str, template: Path, project: Path, *, together: bool) -> tuple[str, int, bool]:
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(template, project, symlinks=True)
    tools = os.environ.get("HARD_SET_TOOLS", "")
    environment = {
        "PATH": f"{tools}{os.environ['PATH']}", "HOME": str(project.parent), "LANG": "C.UTF-8", "USER": "dev",
        "CARGO_HOME": os.environ.get("CARGO_HOME", str(Path.home() / ".cargo")), "PYTHONDONTWRITEBYTECODE": "1",
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
    }  # fmt: skip
    errors = subprocess.STDOUT if together else subprocess.PIPE
    done = subprocess.run(
        ["bash", "-c", command], cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=errors, timeout=SECONDS, check=False,
    )  # fmt: skip
    text = (done.stdout + (done.stderr or b"")).decode("utf-8", "replace")
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return neutral(text, project), code, bool(done.stderr)


def neutral(text: str, project: Path) -> str:
    text = text.replace(str(project), PROJECT).replace(str(project.parent), "/work")
    text = re.sub(r"/(?:root|home/\w+)(?=/)", "/home/dev", text)
    tools = os.environ.get("HARD_SET_TOOLS", "")
    for folder in filter(None, tools.split(":")):
        text = text.replace(str(Path(folder).parent), "/opt/tools")
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).strip()
    return text if len(text) <= LONGEST else text[: LONGEST // 2] + "\n[...]\n" + text[-LONGEST // 2 :]


@contextmanager
def server() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text("<h1>Errors</h1>\n<p>error: failed</p>\n")
        (Path(folder) / "status.json").write_text('{"error": null, "failed": 0, "status": "ok"}\n')
        handler = functools.partial(_Quiet, directory=folder)
        serving = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), handler)
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield
        serving.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def postgres(folder: Path) -> Iterator[None]:
    """A server of our own, run as nobody: PostgreSQL refuses root."""
    folder.parent.chmod(0o755)
    folder.mkdir()
    shutil.chown(folder, "nobody")
    as_nobody = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
    control = [*as_nobody, "pg_ctl", "-D", str(folder / "data")]
    subprocess.run([*control, "init", "-o", "-U dev -A trust"], check=True, capture_output=True, cwd=folder)
    options = f"-p {DATABASE_PORT} -k /tmp -c listen_addresses="
    start = [*control, "-w", "-l", str(folder / "log"), "-o", options, "start"]
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        yield
    finally:
        subprocess.run([*control, "-m", "fast", "stop"], check=True, capture_output=True, cwd=folder)


# --- Figures -----------------------------------------------------------------------------------------


class HardCall(NamedTuple):
    name: str
    form: str
    arguments: str
    result: str
    label: str


def calls_of(rows: list[dict[str, Any]]) -> Iterator[HardCall]:
    """Each recorded call as Hermes' terminal writes it and as plain text, both orders of the streams."""
    for row in rows:
        arguments = json.dumps({"command": row["command"]})
        for order in ("output", "apart"):
            if (text := row.get(order)) is not None:
                result = json.dumps({"output": text, "exit_code": row["exit"], "error": None})
                yield HardCall(row["name"], "structured", arguments, result, row["label"])
                yield HardCall(row["name"], "text", arguments, text, row["label"])


def figures() -> None:
    from verdicts import ours

    print(f"{'':40}{'calls':>7}{'masked found':>20}{'successes masked':>22}{'F1':>8}")
    for chosen in SETS:
        for form in ("structured", "text"):
            calls = [call for call in calls_of(chosen.load()) if call.form == form]
            told = [(call.label, ours(call)) for call in calls]
            masked = [found for label, found in told if label == "masked"]
            good = [found for label, found in told if label == "ok"]
            hits = sum(found for label, found in told if label in ("masked", "fail"))
            false = sum(found for label, found in told if label in ("ok", "benign"))
            missed = sum(not found for label, found in told if label in ("masked", "fail"))
            share = f"{sum(masked)} of {len(masked)}, {sum(masked) / len(masked):.0%}"
            wrong = f"{sum(good)} of {len(good)}"
            f1 = 2 * hits / (2 * hits + false + missed)
            title = f"{chosen.name}{', held out' * chosen.held_out}, {form}"
            print(f"{title:40}{len(calls):>7}{share:>20}{wrong:>22}{f1:>8.3f}")


def misses() -> None:
    from verdicts import verdict_of

    for chosen in (each for each in SETS if not each.held_out):
        for call in calls_of(chosen.load()):
            verdict = verdict_of(call)
            if (verdict.outcome == "failure") != (call.label in ("masked", "fail")):
                print(f"=== {call.form}: {call.name} [{call.label}] -> {verdict.rule}: {verdict.reason}")
                print(f"{call.arguments}\n{call.result[-700:]}\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        record(next(chosen for chosen in SETS if chosen.name == sys.argv[2]))
    else:
        {"misses": misses}.get(sys.argv[1] if len(sys.argv) > 1 else "", figures)()
