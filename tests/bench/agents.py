"""Other agents' recordings: what a plain reading of the files counts against what Warm TUI says, and how fast.

    python tests/bench/agents.py FOLDER

FOLDER holds `.claude`, `.codex` and `opencode-export`, laid out as in a user's home.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.profile import Judged, judged
from warm_tui.sessions.lineage import parent_of, read_members
from warm_tui.sessions.readers import open_source

NOT_FAILED = re.compile(
    r"The user doesn't want|Sibling tool call errored|Cancelled: parallel tool call|\[Request interrupted by user"
)
EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.MULTILINE)
RUNS = re.compile(r"^Process running with session ID (\d+)$", re.MULTILINE)


def lines(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            try:
                yield path, json.loads(line)
            except ValueError:
                continue


def ours(place: Path) -> tuple[int, dict[str, Judged]]:
    """How many calls there are, and each by its id; those of subagents within a file are not its own."""
    found: dict[str, Judged] = {}
    made = 0
    with open_source(place) as source:
        for session in source.sessions():
            if session.delegated_from and session.id.startswith(f"{session.delegated_from}."):
                continue
            for call, verdict in judged(
                read_members(source, [session], parent_of(source, session)).calls, source.facts
            ):
                made += 1
                found[call.id] = call, verdict
    return made, found


def told(name: str, made: int, calls: int, failed: set[str], found: dict[str, Judged]) -> None:
    """Failures as recorded against ours; what only its output shows is counted apart."""
    masked = {call_id for call_id, (_, verdict) in found.items() if verdict.kind == "masked"}
    said = {call_id for call_id, (_, verdict) in found.items() if verdict.outcome == "failure"} - masked
    benign = {call_id for call_id in failed if found[call_id][1].kind == "benign_exit"}
    hit = len(failed & said)
    print(
        f"{name}: {calls:,} calls, ours {made:,}; recorded as failed {len(failed)}, of these found {hit}, "
        f"an answer and no failure {len(benign)}; said besides {len(said - failed)}; masked {len(masked)}"
    )


def claude(place: Path) -> None:
    calls: dict[str, str] = {}
    failed: set[str] = set()
    for _, record in lines(place):
        message = record.get("message")
        parts = message.get("content") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else ():
            if part.get("type") == "tool_use":
                calls[part["id"]] = part["name"]
            elif part.get("is_error") and not NOT_FAILED.search(str(part.get("content"))):
                failed.add(part["tool_use_id"])
    made, found = ours(place)
    told("Claude Code", made, len(calls), failed & calls.keys(), found)


def codex(place: Path) -> None:
    tools: dict[str, str] = {}
    codes: dict[str, int] = {}
    of_file: tuple[Path, dict[str, str], dict[str, str]] | None = None
    for path, record in lines(place):
        if of_file is None or of_file[0] != path:
            of_file = path, {}, {}
        _, runs, goes_on = of_file
        payload = record.get("payload") or {}
        if payload.get("type") in ("function_call", "custom_tool_call"):
            tools[payload["call_id"]] = payload["name"]
            if payload["name"] == "write_stdin":
                goes_on[payload["call_id"]] = runs.get(str(json.loads(payload["arguments"]).get("session_id")), "")
        elif payload.get("type") in ("function_call_output", "custom_tool_call_output"):
            read_codex(payload["call_id"], payload["output"], codes, runs, goes_on)
    made, found = ours(place)
    wrong = sum(
        1 for call_id, code in codes.items() if tools[call_id] == "exec_command" and code_of(found, call_id) != code
    )
    told("Codex", made, len(tools), {call_id for call_id, code in codes.items() if code}, found)
    print(f"  exit codes of commands: {len(codes):,}, read otherwise {wrong}")


def read_codex(
    call_id: str,
    output: Any,
    codes: dict[str, int],
    runs: dict[str, str],
    goes_on: dict[str, str],
) -> None:
    text = output if isinstance(output, str) else json.dumps(output)
    head = text.partition("\nOutput:")[0] if "\nOutput:" in text else ""
    whose = goes_on.get(call_id) or call_id
    if exited := EXIT.search(head):
        codes[whose] = int(exited[1])
    elif text.startswith('{"output"'):
        codes[whose] = json.loads(text).get("metadata", {}).get("exit_code", 0)
    if running := RUNS.search(head):
        runs.setdefault(running[1], whose)


def code_of(found: dict[str, Judged], call_id: str) -> int | None:
    report = found[call_id][0].report
    return report.exit_code if report else None


def speed(place: Path) -> None:
    def bare() -> None:
        for path in sorted(place.rglob("*.jsonl")):
            for line in path.read_bytes().splitlines():
                try:
                    json.loads(line)
                except ValueError:
                    continue

    def profiled() -> None:
        with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (place,))) as catalog:
            catalog.profiles()

    ratios = []
    for clock in (time.process_time, time.perf_counter):
        taken = {work.__name__: min(timed(work, clock) for _ in range(5)) for work in (bare, profiled)}
        ratios.append(taken["profiled"] / taken["bare"])
    print(
        f"{place}: profiled from nothing in {ratios[0]:.2f} times the processor time of a bare json.loads of its lines,"
        f" by the clock {ratios[1]:.2f}"
    )


def timed(work: Callable[[], None], clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def main() -> None:
    folder = Path(sys.argv[1])
    claude(folder / ".claude")
    codex(folder / ".codex")
    for name in (".claude", ".codex"):
        speed(folder / name)


if __name__ == "__main__":
    main()
