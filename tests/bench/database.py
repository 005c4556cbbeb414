"""Generate a large database that looks like real use: many short sessions, a few very long ones."""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from warm_tui.demo.steps import bad_step, benign_step, good_step
from warm_tui.sessions.hermes.archive import SCHEMA, SCHEMA_VERSION

VERSION = 3
THEMES = ("ops", "coding", "analysis", "research", "mixed")
MODELS = ("claude-opus-4.5", "gpt-5.2", "llama-4-70b", "gemini-3-pro")
SOURCES = ("cli", "cli", "cli", "telegram", "discord", "slack", "cron", "api")


def large_database(sessions: int, messages: int) -> Path:
    """Made once, and kept in the temporary folder."""
    path = Path(tempfile.gettempdir()) / "warm-tui-bench" / f"generated-{VERSION}-{sessions}-{messages}.db"
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        began = time.monotonic()
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        _fill(making, sessions, messages)
        making.rename(path)
        print(f"(generated {path} in {time.monotonic() - began:.0f} s)", file=sys.stderr)
    return path


def _fill(path: Path, sessions: int, messages: int) -> None:
    rng = Random(VERSION)
    pool = [_turn(rng, theme) for theme in THEMES for _ in range(400)]
    lengths = _lengths(rng, sessions, messages)
    connection = sqlite3.connect(path, isolation_level=None)
    schema = SCHEMA[: SCHEMA.index("CREATE VIRTUAL TABLE")]
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + schema)
    connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))
    connection.execute("BEGIN")
    prompt = "You are Hermes Agent, an intelligent AI assistant. " * 200
    now = 1_790_000_000.0
    for number, length in enumerate(lengths):
        started = now - number * 400
        session_id = f"{time.strftime('%Y%m%d_%H%M%S', time.gmtime(started))}_{rng.getrandbits(24):06x}"
        columns = (session_id, rng.choice(SOURCES), rng.choice(MODELS), "{}", prompt, started, started + length * 5,
                   length, length // 2, length * 900, length * 60, 0.01 * length, "estimated", f"Session {number}")  # fmt: skip
        connection.execute(
            "INSERT INTO sessions (id, source, model, model_config, system_prompt, started_at, ended_at, message_count,"
            " tool_call_count, input_tokens, output_tokens, estimated_cost_usd, cost_status, title)"
            f" VALUES ({', '.join('?' * len(columns))})",
            columns,
        )
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            _rows(rng, pool, session_id, started, length),
        )
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


def message_rows(rng: Random, session_id: str, length: int) -> list[dict]:
    """So many messages for one session, as columns."""
    names = ("session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp")
    pool = [_turn(rng, theme) for theme in THEMES for _ in range(100)]
    return [dict(zip(names, row, strict=True)) for row in _rows(rng, pool, session_id, 1e9, length)]


def _lengths(rng: Random, sessions: int, messages: int) -> list[int]:
    weights = [rng.lognormvariate(0, 1.1) for _ in range(sessions)]
    scale = messages / sum(weights)
    lengths = [max(4, round(weight * scale)) for weight in weights]
    lengths[sessions // 2] += max(0, messages - sum(lengths))
    return lengths


def _turn(rng: Random, theme: str) -> tuple[str, str, str]:
    roll = rng.random()
    step = bad_step(rng, theme) if roll < 0.12 else benign_step(rng) if roll < 0.16 else good_step(rng, theme)
    result = step.result or ""
    if step.label == "ok" and step.tool == "terminal" and rng.random() < 0.4:
        lines = "\n".join(f"{n}: {rng.getrandbits(64):x} some line of output" for n in range(rng.randint(5, 120)))
        result = json.dumps({"output": lines, "exit_code": 0, "error": None})
    return step.tool, step.arguments_text, result


def _rows(rng: Random, pool: list[tuple[str, str, str]], session_id: str, started: float, length: int) -> list[tuple]:
    rows: list[tuple] = [(session_id, "user", "Go on with the work, please.", None, None, None, started)]
    clock = started
    while len(rows) < length:
        tool, arguments, result = pool[rng.randrange(len(pool))]
        call_id = f"call_{rng.getrandbits(80):020x}"
        made = json.dumps([{"id": call_id, "call_id": call_id, "type": "function",
                            "function": {"name": tool, "arguments": arguments}}])  # fmt: skip
        clock += 5
        rows.append((session_id, "assistant", "", None, made, None, clock))
        rows.append((session_id, "tool", result, call_id, None, tool, clock + 1))
    return rows[:length]
