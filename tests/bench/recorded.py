"""Recorded sessions with labels, wherever a folder of them is at hand."""

from __future__ import annotations

import json
import lzma
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"


class LabelledCall(NamedTuple):
    session_id: str
    tool: str
    arguments: str
    result: str
    label: str


def folder() -> Path | None:
    named = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    found = Path(named[0]) if named else FOLDER
    return found if found.is_dir() else None


def database(folder: Path, name: str) -> Path | None:
    """The database of this name, unpacked into the temporary folder where it is compressed."""
    plain, packed = folder / f"{name}.db", folder / f"{name}.db.xz"
    if plain.is_file():
        return plain
    if not packed.is_file():
        return None
    unpacked = Path(tempfile.gettempdir()) / "warm-tui-bench" / plain.name
    if not unpacked.is_file() or unpacked.stat().st_mtime < packed.stat().st_mtime:
        unpacked.parent.mkdir(exist_ok=True)
        unpacked.write_bytes(lzma.decompress(packed.read_bytes()))
    return unpacked


def labelled_calls(folder: Path, name: str) -> list[LabelledCall]:
    path, labels_file = database(folder, name), folder / f"{name}.labels.json"
    if path is None or not labels_file.is_file():
        return []
    labels = {row["tool_call_id"]: row["label"] for row in json.loads(labels_file.read_text())}
    functions: dict[str, dict[str, str]] = {}
    calls: dict[str, LabelledCall] = {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        sql = "SELECT session_id, role, content, tool_call_id, tool_calls FROM messages ORDER BY id"
        for session_id, role, content, call_id, tool_calls in connection.execute(sql):
            for made in json.loads(tool_calls or "[]"):
                functions[made["id"]] = made["function"]
            if role == "tool" and call_id in labels and call_id not in calls:
                function = functions[call_id]
                calls[call_id] = LabelledCall(
                    session_id, function["name"], function["arguments"], content, labels[call_id]
                )
    return list(calls.values())
