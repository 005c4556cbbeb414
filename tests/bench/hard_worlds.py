"""What an agent types in eight small projects, by the day and where it goes wrong: recorded and labelled.

    python tests/bench/hard_worlds.py              run all, write tests/fixtures/hard_worlds{,_held}.json.xz
    python tests/bench/hard_worlds.py try WORDS    run the commands that hold the words, print what came of them

`worlds/templates` makes the projects, `worlds/items` has what is typed there. A line of `hard_*.txt` is

    KIND PROJECT COMMAND ### PART

and is run in a fresh copy of the project; in `day_*.txt`, `@ PROJECT` begins a copy in which the lines behind it
(KIND COMMAND ### PART) run one after the other. KIND is M (failed, and the exit code hides it), F (failed), S (worked),
L (worked, and talks of errors) or A (answered); with a star it is held out. PART is what counts of the command, if not all:
run by itself, with -e and pipefail, it has to bear KIND out (`true` and `false` say what no exit code tells). What does not
end as it was meant to is left out, as is what needs a program that is missing. ⏎ is a new line, %D the folder of the
copies, %T that of the templates.

The machine's paths are told as those of mira's home, and /tmp is a folder of our own. HARD_SET_TOOLS ("FOLDER:FOLDER:") and
HARD_SET_NODE_MODULES name where linters, test runners and PostgreSQL's programs are, VIRTUAL_ENV where Python's packages.
Nothing but 127.0.0.1 is meant to be asked.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from hard_worlds_servers import DATABASE_PORT, RESET, USER, WORLDS, servers

FIXTURES = WORLDS.parents[1] / "fixtures"
SECONDS = 80
LONGEST, HEAD, TAIL = 6_000, 2_400, 3_500
BROKEN_PIPE = 141
TEMPLATES = ("tide", "kite", "forge", "ops")
SERVED = re.compile(r"psql|redis|createdb|dropdb|pg_")
# Asked for in the knowledge that they are not there.
NOT_THERE = {"bundle", "gnuplot", "crontab", "helm", "vault", "nvm", "nosuchcommand-zz", "duckdb", "docker-compose"}
GIT = (
    f"[init]\ndefaultBranch = main\n[user]\nname = Mira Okafor\nemail = {USER}@example.net\n[safe]\ndirectory = *\n"
    "[advice]\ndetachedHead = false\n"
)


class Item(NamedTuple):
    kind: str
    is_held: bool
    world: str
    command: str
    part: str


class Group(NamedTuple):
    """Items that share a copy of their project."""

    is_day: bool
    items: list[Item]


def groups() -> Iterator[Group]:
    for path in sorted((WORLDS / "items").glob("*.txt")):
        lines = path.read_text().splitlines()
        if not path.name.startswith("day_"):
            for line in lines:
                kind, world, rest = line.split(" ", 2)
                yield Group(False, [item_of(kind, world, rest)])
            continue
        starts = [at for at, line in enumerate(lines) if line.startswith("@ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            world = lines[start].removeprefix("@ ")
            yield Group(
                True,
                [item_of(kind, world, rest) for kind, rest in (line.split(" ", 1) for line in lines[start + 1 : end])],
            )


def item_of(kind: str, world: str, rest: str) -> Item:
    command, _, part = rest.partition(" ### ")
    return Item(kind[0], kind.endswith("*"), world, command, part or command)


class Machine:
    """A temporary folder with templates, a home, copies of projects, and what commands are told of it."""

    def __init__(self, root: Path) -> None:
        self.root, self.home, self.templates, self.tmp = root, root / "home", root / "templates", root / "tmp"
        tools = [each for each in os.environ.get("HARD_SET_TOOLS", "").split(":") if each]
        modules = os.environ.get("HARD_SET_NODE_MODULES", "")
        for folder in (self.home, self.templates, self.tmp, root / "run"):
            folder.mkdir()
        (self.home / ".gitconfig").write_text(GIT)
        shutil.copytree(WORLDS / "bin", root / "bin")
        linked = f"{modules}/.bin:" if modules else ""
        self.environment = {
            "HOME": str(self.home), "TMPDIR": str(self.tmp), "USER": USER, "LANG": "C.UTF-8", "NO_COLOR": "1",
            "PATH": f"{root}/bin:{''.join(f'{each}:' for each in tools)}{linked}{os.environ['PATH']}:/usr/sbin:/sbin",
            "GIT_PAGER": "cat", "PAGER": "cat", "CARGO_TERM_COLOR": "never", "NPM_CONFIG_UPDATE_NOTIFIER": "false",
            "CARGO_HOME": str(self.home / ".cargo"), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "NODE_PATH": modules,
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
            "PGHOST": "127.0.0.1", "PGPORT": str(DATABASE_PORT), "PGUSER": USER,
        }  # fmt: skip
        if packages := os.environ.get("VIRTUAL_ENV"):
            self.environment["VIRTUAL_ENV"] = packages
        self.told = {
            str(self.tmp): "/tmp", str(self.templates): "/home/mira/code", str(root / "pg"): "/var/lib/postgresql",
            str(root / "sshd"): "/etc/ssh", modules: "/home/mira/.npm-global", packages or "": "/home/mira/venv",
            str(self.home): "/home/mira", str(root): "/home/mira", str(Path.home()): "/home/mira",
        }  # fmt: skip

    def placed(self, text: str, copies: Path | str = "") -> str:
        text = re.sub(r"(?<![\w/.])/tmp\b", str(self.tmp), text.replace("⏎", "\n"))
        return text.replace("%D", str(copies)).replace("%T", str(self.templates))

    def neutral(self, text: str, copies: Path) -> str:
        for path, told in {str(copies): "/home/mira/code", **self.told}.items():
            text = text.replace(path, told) if path else text
        return text

    def make_templates(self) -> None:
        for name in TEMPLATES:
            script = self.placed((WORLDS / f"templates/{name}.sh").read_text())
            subprocess.run(["bash", "-ec", script], cwd=self.templates, env=self.environment, check=True)

    def fresh(self, world: str, at: int) -> Path:
        copies = self.root / "run" / f"{at:03}"
        copies.mkdir()
        # The remote of tide is beside it, that of the others is not there.
        for name in (world, *(("tide_remote.git",) if world.startswith("tide") else ())):
            copy(self.templates / name, copies / name)
        return copies

    def reset_services(self) -> None:
        subprocess.run(RESET, shell=True, env=self.environment, capture_output=True, check=False)

    def run(self, command: str, folder: Path, *options: str) -> tuple[str, int | None]:
        """What was printed, and the exit code: none where it took too long."""
        process = subprocess.Popen(
            ["bash", *options, "-c", command], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            output = process.communicate(timeout=SECONDS)[0]
            code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        except subprocess.TimeoutExpired:
            output, code = b"", None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return output.decode("utf-8", "replace"), code

    def run_part(self, item: Item, copies: Path, is_day: bool) -> int | None:
        """The exit code of what counts, in a copy of the copy that stands where it stood."""
        aside = copies.with_suffix(".aside")
        copy(copies, aside)
        if not is_day and SERVED.search(item.command):
            self.reset_services()
        try:
            return self.run(self.placed(item.part, copies), copies / item.world, "-e", "-o", "pipefail")[1]
        finally:
            shutil.rmtree(copies)
            aside.rename(copies)

    def recorded(self, item: Item, copies: Path, is_day: bool) -> dict[str, Any] | str:
        """A row of the fixture, or why there is none."""
        part = self.run_part(item, copies, is_day) if item.kind in "SLM" else 0
        if not is_day and SERVED.search(item.command):
            self.reset_services()
        command = self.placed(item.command, copies)
        output, code = self.run(command, copies / item.world)
        if code is None:
            return "too long"
        if set(re.findall(r"(\S+): command not found", output)) - NOT_THERE:
            return "no such program here"
        was_meant = {
            "F": code != 0, "M": code != 0 or part != 0, "A": True, "S": code == 0 and part in (0, BROKEN_PIPE),
        }  # fmt: skip
        if not was_meant["S" if item.kind == "L" else item.kind]:
            return f"not as it was meant, exit {code}, its part {part}: {output[-200:]!r}"
        output = cut(self.neutral(output, copies))
        if item.kind in "MF":
            label, how = ("fail", "plain") if code else ("masked", "masked")
        else:
            label, how = "benign" if code else "ok", "loud" if item.kind == "L" else "ordinary"
        key = ("day" if is_day else "hard", item.world, item.command, output)
        slug = re.sub(r"[^a-z0-9]+", "-", item.command.lower())[:40].strip("-")
        name = f"{how}: {item.world}-{slug}-{hashlib.sha1(repr(key).encode()).hexdigest()[:5]}"
        return {
            "name": name, "command": self.neutral(command, copies), "exit": code, "label": label, "output": output,
        }  # fmt: skip


def copy(folder: Path, to: Path) -> None:
    """With its times, links and pipes."""
    subprocess.run(["cp", "-a", str(folder), str(to)], check=True)


def cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    gone = f"[OUTPUT TRUNCATED - {len(text) - LONGEST} chars omitted out of {len(text)} total]"
    return f"{text[:HEAD]}\n\n... {gone} ...\n\n{text[-TAIL:]}"


def recordings(words: str) -> Iterator[tuple[Item, dict[str, Any] | str]]:
    with tempfile.TemporaryDirectory(prefix="hard-worlds-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        machine = Machine(root)
        machine.make_templates()
        with servers(root, machine.environment):
            for at, group in enumerate(groups()):
                wanted = [words in item.command for item in group.items]
                if not any(wanted):
                    continue
                copies = machine.fresh(group.items[0].world, at)
                if group.is_day:
                    machine.reset_services()
                for item, is_wanted in zip(group.items, wanted, strict=True):
                    row = machine.recorded(item, copies, group.is_day)
                    if is_wanted:
                        yield item, row
                shutil.rmtree(copies, ignore_errors=True)


def record() -> None:
    rows: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for item, row in recordings(""):
        if isinstance(row, str):
            print(f"{row}\n    {item.kind} {item.world} {item.command}", flush=True)
        elif row not in (*rows[False], *rows[True]):
            rows[item.is_held].append(row)
    for held, name in ((False, "hard_worlds"), (True, "hard_worlds_held")):
        told = sorted(rows[held], key=lambda row: row["name"])
        packed = lzma.compress(json.dumps(told, indent=0).encode(), preset=9 | lzma.PRESET_EXTREME)
        (FIXTURES / f"{name}.json.xz").write_bytes(packed)
        labels = [row["label"] for row in told]
        counted = {label: labels.count(label) for label in sorted(set(labels))}
        print(name, len(told), counted, f"{len(packed):,} bytes")


def try_out(words: str) -> None:
    for item, row in recordings(words):
        print(f"=== {item.kind} {item.world} {item.command}")
        print(row if isinstance(row, str) else f"{row['label']}, exit {row['exit']}\n{row['output']}", flush=True)


if __name__ == "__main__":
    # Whoever ends this ends the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    match sys.argv[1:]:
        case []:
            record()
        case ["try", words]:
            try_out(words)
        case _:
            sys.exit(__doc__)
