"""The real Hermes, driven by its command line: one task, one session, in a home that was made for it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from warm_tui.agent.frozen import PREFILL, TIES
from warm_tui.agent.hermes_config import PLACES, with_prefill
from warm_tui.agent.processes import MARK
from warm_tui.errors import Trouble
from warm_tui.sessions.text import clean_line
from warm_tui.writing import check_may_change, read_regular, write_whole

SEND_SECONDS = 60.0
LONGEST_REASON = 200
SOURCE = "warm-tui"
SESSION = re.compile(r"^session_id: (\S+)", re.MULTILINE)


def find_hermes() -> Path:
    """The command on the path, else the one beside our own Python."""
    on_path = on_the_path("hermes")
    beside = Path(sys.executable).with_name("hermes")
    if on_path:
        return on_path
    if os.access(beside, os.X_OK):
        return beside
    raise Trouble("Hermes was not found: there is no command hermes on the PATH, nor beside this Python.")


def on_the_path(name: str) -> Path | None:
    """Only where the path names a place: an empty or relative part of it is whichever folder one stands in."""
    places = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(place)]
    found = shutil.which(name, path=os.pathsep.join(places)) if places else None
    return Path(found) if found else None


def environment_of(home: Path, work: Path, prefill: Path | None, token: str) -> dict[str, str]:
    """Ours, but for what would tie the run to another home, session or folder."""
    variables = {name: value for name, value in os.environ.items() if not TIES.fullmatch(name)}
    variables |= {"HERMES_HOME": str(home), "TERMINAL_CWD": str(work), MARK: token}
    return variables | ({PREFILL: str(prefill)} if prefill is not None else {})


def start_warm(home: Path, prefill: Path) -> None:
    """Name the messages wherever any version reads them: the command line of older ones reads no variable."""
    path = home / "config.yaml"
    text = read_regular(path).decode("utf-8", "replace") if path.exists() else ""
    # Where it cannot be edited, the variable is left; whether that was enough is looked at.
    with suppress(Trouble):
        write_whole(path, with_prefill(text, path, str(prefill), PLACES))


def chat(hermes: Path, prompt: str, model: str, flags: Sequence[str]) -> list[str]:
    # Joined by "=", so that a prompt that begins with a dash is no option.
    chosen = [f"--model={model}"] if model else []
    return [str(hermes), "chat", f"--query={prompt}", "-Q", "--source", SOURCE, *chosen, *flags]


def session_in(output: str) -> str:
    sessions = SESSION.findall(output)
    return sessions[-1] if sessions else ""


def send(home: Path, target: str, text: str) -> str:
    """Tell the operator by a message of Hermes (since 0.16); nothing where that was done, else why it was not."""
    check_may_change()
    try:
        # Joined by "=", so that a target that begins with a dash is no option.
        command = [str(find_hermes()), "send", f"--to={target}", text]
        variables = {name: value for name, value in os.environ.items() if not TIES.fullmatch(name)}
        done = subprocess.run(
            command, env=variables | {"HERMES_HOME": str(home)}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=SEND_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"hermes send took longer than {SEND_SECONDS:g} seconds"
    except (OSError, ValueError, Trouble) as error:
        return clean_line(str(error))[:LONGEST_REASON]
    if done.returncode == 0:
        return ""
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return clean_line(lines[-1] if lines else f"hermes send ended with {done.returncode}")[:LONGEST_REASON]
