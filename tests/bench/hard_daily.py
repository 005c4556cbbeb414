"""Programs that agents run on most days, in forms in which exit codes are lost: a set of the hard ones.

    python tests/bench/hard_daily.py record [WORKERS]   run what was not run yet
    python tests/bench/hard_daily.py write              write tests/fixtures/hard_daily.json.xz and hard_daily_held.json.xz
    python tests/bench/hard_daily.py failed|worked      print recordings of the first, for a reader

Two thirds of the programs are in the first, a third was held out; which, depends on SEED and the names alone. It was
written by somebody who had seen no rule. Servers of its own stand on 127.0.0.1; a scenario whose program is missing is
left out. HARD_DAILY_ROOT is a folder with `npm`, `venv` and `bin`, for tools that are not the machine's own.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from hard_daily_failed import FAILED
from hard_daily_files import FILES, SETUP
from hard_daily_servers import ROOT, mariadb, postgres, redis, web
from hard_daily_worked import ANSWERED, WORKED

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
WORK = Path(os.environ.get("HARD_DAILY_WORK", "/dev/shm/hard-daily"))  # in memory: the project is copied for each run
CACHE = ROOT / "cache.jsonl"
PROJECT = "/work/project"
TOOLS = [ROOT / "bin", ROOT / "venv/bin", ROOT / "npm/node_modules/.bin"]
SECONDS, LONGEST, NOT_FOUND, SEED, EACH = 60, 6_000, 127, 1914, 2

# Bases, or one recording, of which a person could not judge, and why.
DROPPED: dict[str, str] = {
    "failed: mysqldump database, nl": "the error scrolled out of the part that is shown",
    "failed: gcc then segfault": "bash prints no message about the signal in most forms",
    "failed: timeout": "its `exit` ends the whole command, whatever wraps it; and it says itself that it gave up",
    "failed: bash checks": "a check that answers: debatable",
    "failed: python exit": "a check that answers: debatable",
    "worked: gpg generate": "HOME is shared between runs: in the second the key is already there",
    "worked: git merge abort": "a failure that is mended: debatable",
}

# {0} is the command as it stands.
FORMS: dict[str, str] = {
    "tail 20": "{0} 2>&1 | tail -20",
    "done": "{0}; echo done",
    "out and cat": "{0} > out.txt 2>&1; cat out.txt",
    "or true": "{0} || true",
    "head": "{0} 2>&1 | head -30",
    "steps": "echo '== 1. look around'\nls | head -4\necho '== 2. run'\n{0}\necho '== 3. disk'\ndf -h / | tail -1 | wc -l",
    "tee": "{0} 2>&1 | tee run.log",
    "bare tail": "{0} | tail -20",
    "and ok": "{0} && echo ok; true",
    "for": "for d in .; do echo \"--- $d\"; ({0}); done; echo 'all directories visited'",
    "tail 5": "{0} 2>&1 | tail -5",
    "subshell": "( {0} ) 2>&1 | cat",
    "rc": '{0}; echo "exit code: $?"',
    "captured": 'out=$({0} 2>&1); echo "$out" | head -40',
    "bare head": "{0} | head",
    "out and tail": "{0} > /tmp/hard-daily-out.log 2>&1; tail -n 8 /tmp/hard-daily-out.log",
    "then ls": "{0}\nls | wc -l",
    "grep v": "{0} 2>&1 | grep -v '^$' | head -40",
    "set +e": "set +e\n{0}\necho\necho 'next: update the notes'",
    "background": "({0}) > job.log 2>&1 &\nwait; sed -n '1,30p' job.log",
    "time": "date +%Y > started; {0}; date +%Y >/dev/null",
    "nl": "{0} 2>&1 | tail -12 | sed 's/^/    /'",
}
# Several lines (here-documents) only stand in these.
FORMS_OF_LINES = {
    "group tail": "(\n{0}\n) 2>&1 | tail -20",
    "lines done": "{0}\necho done",
    "group tee": "{{\n{0}\n}} 2>&1 | tee run.log",
    "lines steps": "echo '== 1'\n{0}\necho '== 2'\nls docs",
}


def scenarios():
    for truth, table in (("failed", FAILED), ("worked", WORKED), ("answered", ANSWERED)):
        for name, command in table.items():
            base = f"{truth}: {name}"
            yield base, command, truth
            forms = FORMS_OF_LINES if "\n" in command else FORMS
            chance = random.Random(f"{SEED} {base}")
            compound = re.search(r"\|\||;|&& .*\|", re.sub(r"'[^']*'|\"[^\"]*\"", "", command)) is not None
            for title in chance.sample(list(forms), EACH):
                inner = f"{{ {command}; }}" if compound and "\n" not in command else command
                yield (
                    f"{base}, {title}",
                    forms[title].format(inner)
                    if "{{" not in forms[title]
                    else forms[title].replace("{{", "{").replace("}}", "}").replace("{0}", inner),
                    truth,
                )


def program(name: str) -> str:
    word = name.partition(": ")[2].partition(",")[0].split()[0]
    return {
        "clang++": "clang",
        "runghc": "ghc",
        "ocamlc": "ocaml",
        "npx": "npm",
        "apt": "apt-get",
        "apt-cache": "apt-get",
        "pg_dump": "psql",
        "pg_restore": "psql",
        "createdb": "psql",
        "pg_isready": "psql",
        "mysqldump": "mysql",
        "mysqladmin": "mysql",
        "gunzip": "gzip",
        "zcat": "gzip",
        "zgrep": "gzip",
        "xzcat": "xz",
        "gawk": "awk",
        "ffprobe": "ffmpeg",
        "identify": "convert",
        "sftp": "ssh",
        "scp": "ssh",
        "ssh-keygen": "ssh",
        "java": "javac",
        "nslookup": "dig",
        "host": "dig",
    }.get(word, word)


# --- Recording


def make_project(root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["bash", "-ec", SETUP], cwd=root, check=True, env=environment())
    (root / "js/node_modules").symlink_to(ROOT / "npm/node_modules")


def environment() -> dict[str, str]:
    return {
        "PATH": ":".join(map(str, TOOLS)) + ":" + os.environ["PATH"],
        "HOME": str(WORK),
        "LANG": "C.UTF-8",
        "USER": "dev",
        "CARGO_HOME": os.environ.get("CARGO_HOME", str(Path.home() / ".cargo")),
        "PYTHONDONTWRITEBYTECODE": "1",
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        "TERM": "dumb",
        "NO_UPDATE_NOTIFIER": "1",
    }


def run(command: str, template: Path, project: Path, *, together: bool) -> tuple[str, int, bool]:
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(template, project, symlinks=True)
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=project,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        raise
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return neutral((out + (err or b"")).decode("utf-8", "replace"), project), code, bool(err)


def neutral(text: str, project: Path) -> str:
    text = text.replace(str(project), PROJECT).replace(str(WORK / "template"), PROJECT)
    text = (
        text.replace(str(ROOT / "venv"), "/opt/tools/venv")
        .replace(str(ROOT / "npm"), "/opt/tools")
        .replace(str(project.parent), "/work")
    )
    text = text.replace(str(WORK), "/home/dev").replace("/tmp/hard-daily-", "/tmp/").replace(str(ROOT), "/work")
    text = re.sub(r"/(?:root|home/\w+)(?=/)", "/home/dev", text)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).strip()
    return text if len(text) <= LONGEST else text[: LONGEST // 2] + "\n[...]\n" + text[-LONGEST // 2 :]


def recorded(name: str, command: str, truth: str, project: Path):
    template = WORK / "template"
    try:
        apart, code, has_errors = run(command, template, project, together=False)
        merged, again = run(command, template, project, together=True)[:2] if has_errors else (apart, code)
        if again != code:
            return None, f"exit {code}, then {again}"
    except subprocess.TimeoutExpired:
        return None, "took too long"
    if (code == NOT_FOUND or ": command not found" in merged) and "frobnicate" not in command:
        return None, "not installed"
    labels = {"failed": ("masked", "fail"), "answered": ("ok", "benign"), "worked": ("ok", "")}[truth]
    label = labels[code != 0]
    if not label or (label == "masked" and "," not in name) or (truth == "answered" and code == 0 and "," not in name):
        return None, f"not as it was meant, exit {code}: {merged[-300:]!r}"
    command = command.replace("/tmp/hard-daily-", "/tmp/")
    row = {"name": name, "command": command, "exit": code, "label": label, "output": merged}
    return (row if apart == merged else row | {"apart": apart}), ""


def record(workers: int) -> None:
    os.nice(10)
    WORK.mkdir(parents=True, exist_ok=True)
    done = {}
    if CACHE.exists():
        done = {(c["name"], c["command"]): c for c in map(json.loads, CACHE.read_text().splitlines())}
    by_base: dict[str, list] = {}
    for name, command, truth in scenarios():
        by_base.setdefault(name.partition(",")[0], []).append((name, command, truth))
    lock = threading.Lock()
    local = threading.local()
    numbers = iter(range(100))

    def one(group) -> None:
        if not hasattr(local, "project"):
            with lock:
                local.project = WORK / f"p{next(numbers)}" / "project"
            local.project.parent.mkdir(exist_ok=True)
        for name, command, truth in group:
            entry = done.get((name, command))
            if entry is None:
                began = time.time()
                try:
                    row, why = recorded(name, command, truth, local.project)
                except Exception as error:  # the set-up of one must not end the rest
                    row, why = None, f"recorder: {error!r}"
                entry = {"name": name, "command": command, "row": row, "why": why}
                with lock:
                    with CACHE.open("a") as out:
                        out.write(json.dumps(entry) + "\n")
                    print(f"{row['label'] if row else 'LEFT OUT':9}{time.time() - began:5.1f} {name} {why}", flush=True)
            if entry["row"] is None and "," not in name:
                return

    with ExitStack() as stack:
        for serving in (web, postgres, redis, mariadb):
            stack.enter_context(serving())
        make_project(WORK / "template")
        with ThreadPoolExecutor(workers) as pool:
            groups = list(by_base.values())
            random.Random(SEED).shuffle(groups)  # whatever is done when time is up is a fair part
            list(pool.map(one, groups))


# --- Results


def kept() -> list[dict]:
    entries = {(c["name"], c["command"]): c for c in map(json.loads, CACHE.read_text().splitlines())}
    order = [(name, command) for name, command, _ in scenarios()]
    rows = [entries[key]["row"] for key in order if key in entries and entries[key]["row"]]
    return [r for r in rows if r["name"] not in DROPPED and r["name"].partition(",")[0] not in DROPPED]


def halves(rows: list[dict]) -> tuple[list[dict], list[dict]]:
    programs = sorted({program(name) for name, _, _ in scenarios()})
    random.Random(SEED).shuffle(programs)
    seen = set(programs[: round(len(programs) * 2 / 3)])
    return [r for r in rows if program(r["name"]) in seen], [r for r in rows if program(r["name"]) not in seen]


def write() -> None:
    rows = kept()
    for name, part in zip(("hard_daily", "hard_daily_held"), halves(rows), strict=True):
        text = json.dumps(part, indent=0).encode()
        (FIXTURES / f"{name}.json.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
        labels = {label: sum(row["label"] == label for row in part) for label in ("masked", "fail", "ok", "benign")}
        programs = {program(row["name"]) for row in part}
        print(f"{name}: {len(programs)} programs, {len(part)} recordings, {labels}")


def show(truth: str) -> None:
    for row in (row for row in halves(kept())[0] if row["name"].startswith(truth)):
        print(f"# {row['name']} {row['exit']} {row['label']}\n$ {row['command'][:300]}\n{row['output'][-500:]}\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", *rest]:
            record(int(rest[0]) if rest else 1)
        case ["write"]:
            write()
        case [truth]:
            show(truth)
