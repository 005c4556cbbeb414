"""What the tool `warm_session` and the command `/warm` answer, by our own command line in a process of its own.

So nothing of ours is loaded into the agent, a failure ends with its process, and a model's words are
checked where everybody's are: they are given as words, never to a shell.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warm_tui.agent.plugin import ACTIONS, OUR_COMMAND, own_environment
from warm_tui.sessions.text import plural
from warm_tui.trials.drawing import Decision

SECONDS = 120.0
SLASH_SECONDS = 10.0
"""A gateway waits for a slash command with all its chats."""
LONGEST_TEXT = 2_000
MOST_ITEMS, MOST_CHARACTERS, LONGEST = 10, 400, 8_000
# A model proposes; a template is made, replaced and deleted by people alone.
COMMANDS = {"build": ("build", "--proposal"), "delete": ("discard",)}
NUMBER = re.compile(r"-?[0-9]{1,9}")
Arguments = Mapping[str, Any]


class WrongError(Exception):
    """What is wrong with the arguments, in a sentence."""


def answer(args: Any, root: Path, current_session: str = "") -> dict[str, Any]:
    """`current_session` is the one that asks: what is not said of a session is said of this one."""
    if not isinstance(args, Mapping):
        return _wrong("The arguments must be an object.")
    action = args.get("action")
    action = action.strip().replace("_", "-") if isinstance(action, str) else ""
    if action not in ACTIONS:
        return _wrong(f"Unknown action {str(args.get('action'))[:40]!r}. Actions: {', '.join(ACTIONS)}.")
    try:
        words = WORDS[action]({**args, "current_session": current_session})
    except WrongError as wrong:
        return _wrong(str(wrong))
    return shortened(ask(root, [*COMMANDS.get(action, (action,)), *words]))


def ask(root: Path, words: list[str], seconds: float = SECONDS) -> dict[str, Any]:
    """One JSON document, whatever happens."""
    command = [*OUR_COMMAND, "--home", str(root), words[0], "--json", *words[1:]]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds,
            check=False, env=own_environment(),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return _wrong(f"{words[0]} took longer than {seconds:g} seconds.")
    except (OSError, ValueError) as error:
        return _wrong(f"{words[0]} could not be run: {error}.")
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return document
    last = [line for line in done.stderr.splitlines() if line.strip()]
    return _wrong(last[-1].removeprefix("Error: ") if last else f"{words[0]} ended with {done.returncode}.")


def _wrong(sentence: str) -> dict[str, Any]:
    return {"success": False, "error": sentence}


# --- from arguments to words ---


def _build(args: Arguments) -> list[str]:
    name = _required(args, "name", "build")
    words = []
    for key, option in (("description", "--description"), ("source_filter", "--source"), ("session_id", "--session")):
        if value := _text(args, key):
            words.append(f"{option}={value}")
    for key, option in (("min_messages", "--min-messages"), ("max_sessions", "--max-sessions")):
        if (number := _number(args, key)) is not None:
            words.append(f"{option}={number}")
    return [*words, *_tags(args), "--", name]


def _list(args: Arguments) -> list[str]:
    if len(tags := _tags(args)) > 1:
        raise WrongError("list takes one tag at most.")
    return tags


def _load(args: Arguments) -> list[str]:
    return ["--", _required(args, "name", "load")]


def _delete(args: Arguments) -> list[str]:
    return ["--", _required(args, "name", "delete")]


def _profile(args: Arguments) -> list[str]:
    return ["--", _session(args, "profile")]


def _compress_check(args: Arguments) -> list[str]:
    return ["--", _session(args, "compress-check")]


def _compare(args: Arguments) -> list[str]:
    warm = _session(args, "compare")
    return ["--", warm, _required(args, "compare_with", "compare")]


WORDS: dict[str, Callable[[Arguments], list[str]]] = {
    "build": _build, "list": _list, "load": _load, "delete": _delete, "profile": _profile,
    "compress-check": _compress_check, "compare": _compare,
}  # fmt: skip


def _text(args: Arguments, key: str) -> str:
    value = args.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise WrongError(f"{key} must be a text.")
    if "\x00" in value:
        raise WrongError(f"{key} holds a NUL character.")
    if len(value) > LONGEST_TEXT:
        raise WrongError(f"{key} has more than {LONGEST_TEXT:,} characters.")
    return value.encode("utf-8", "replace").decode().strip()


def _required(args: Arguments, key: str, action: str) -> str:
    value = _text(args, key)
    if not value:
        raise WrongError(f"{key} is required for '{action}'.")
    return value


def _session(args: Arguments, action: str) -> str:
    return _text(args, "session_id") or _text(args, "current_session") or _required(args, "session_id", action)


def _number(args: Arguments, key: str) -> int | None:
    value = args.get(key)
    if value is None:
        return None
    text = f"{value:.0f}" if isinstance(value, float) and value % 1 == 0 else str(value)[:20].strip()
    if isinstance(value, bool) or not NUMBER.fullmatch(text):
        raise WrongError(f"{key} must be a whole number.")
    return int(text)


def _tags(args: Arguments) -> list[str]:
    value = args.get("tags") or []
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(tag, str) for tag in given):
        raise WrongError("tags must be a list of texts.")
    if any("\x00" in tag or len(tag) > LONGEST_TEXT for tag in given):
        raise WrongError("A tag is too long, or holds a NUL character.")
    return [f"--tag={tag.strip()}" for tag in given if tag.strip()]


# --- short enough for a model to read ---


def shortened(document: dict[str, Any]) -> dict[str, Any]:
    """Long lists and texts are cut, and it says so."""
    for items, characters in ((MOST_ITEMS, MOST_CHARACTERS), (5, 120), (2, 60)):
        cut: list[str] = []
        short = {key: _cut(value, key, items, characters, cut) for key, value in document.items()}
        if cut:
            short["cut"] = cut[:MOST_ITEMS]
        if len(json.dumps(short)) <= LONGEST:
            return short
    # Still too long: the longest parts are left out.
    fitting = dict(short)
    while len(json.dumps(fitting)) > LONGEST - 200 and len(fitting) > 1:
        del fitting[
            max((key for key in fitting if key != "success"), key=lambda key: len(json.dumps({key: fitting[key]})))
        ]
    return fitting | {"cut": [f"{len(short) - len(fitting)} parts are left out, as too long"]}


def _cut(value: Any, name: str, items: int, characters: int, cut: list[str]) -> Any:
    if isinstance(value, str) and len(value) > characters:
        cut.append(f"{name}: the first {characters} of {len(value):,} characters")
        return value[:characters] + "…"
    if isinstance(value, list):
        if len(value) > items:
            cut.append(f"{name}: {items} of {len(value):,} are shown")
        return [_cut(each, name, items, characters, cut) for each in value[:items]]
    if isinstance(value, dict):
        entries = list(value.items())[: 4 * items]
        if len(entries) < len(value):
            cut.append(f"{name}: {len(entries)} of {len(value):,} are shown")
        return {key: _cut(each, f"{name}.{key}"[:80], items, characters, cut) for key, each in entries}
    return value


# --- the command /warm ---

USAGE = "/warm list · /warm use NAME · /warm off · /warm status"
LATER = "This session stays as it began; the agent's next one, in a new process, starts so."


def slash(words: str, root: Path, began_with: str, drew: Decision | None = None) -> str:
    what, name = [*(words or "").split(None, 1), "", ""][:2]
    name = name.strip()
    if what in ("", "status"):
        return _status(root, began_with, drew)
    if what == "list":
        answered = ask(root, ["list"], SLASH_SECONDS)
        if not answered.get("success"):
            return str(answered.get("error"))
        rows = [f"{row['name']}  ({plural(row['pattern_count'], 'pattern')})" for row in answered["templates"][:30]]
        more = [f"… and {answered['count'] - 30} more"] if answered["count"] > 30 else []
        more += [f"? {row['name']}  (proposed)" for row in answered["proposals"][:10]]
        return "\n".join([*rows, *more]) or "There is no template yet. `warm-tui build NAME` makes one."
    if what == "use" and name:
        answered = ask(root, ["activate", "--yes", "--", name], SLASH_SECONDS)
        return _done(f"Active: {name}.", answered)
    if what == "off":
        answered = ask(root, ["deactivate", "--yes"], SLASH_SECONDS)
        return _done("Off.", answered)
    return USAGE


def _done(what: str, answered: dict[str, Any]) -> str:
    if not answered.get("success"):
        return str(answered.get("error"))
    gateways = [agent["restart"] for agent in answered.get("running", ()) if agent["what"] == "gateway"]
    return " ".join([what, LATER, *gateways])


def _status(root: Path, began_with: str, drew: Decision | None) -> str:
    from warm_tui.agent.prefill import Prefill
    from warm_tui.agent.warming import UNUSABLE
    from warm_tui.paths import find_home

    if drew is not None:
        by_rules = "Whether rules draw the next ones is not known."
        return f"{drew.told} {by_rules if drew.reason == UNUSABLE else 'The next ones are drawn by rules.'}\n{USAGE}"
    active = Prefill(find_home(root)).active()
    here = f"warm with {began_with}" if began_with else "cold"
    then = f"start warm with {active.template}" if active else "start cold"
    return f"This session began {here}. The next ones {then}.\n{USAGE}"
