"""What does warming cost a request? python tests/bench/warming.py

The plugin's own work at the first request of a session and at later ones, in a library of 10,000 draws beside as many
sessions, and a whole pass of Hermes' middleware over a request of 400 messages with and without the plugin (where
hermes-agent is installed; without is also what it is where no rule runs). Then a turn where none runs, and what the
agent waits for when it has it looked at what trials have shown.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from warm_tui.agent.plugin import _Memory
from warm_tui.agent.recording import Queue
from warm_tui.agent.warming import Warming
from warm_tui.library.db import Library
from warm_tui.library.trials import Circumstances, Draw, keep_rule, statements_of
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import SCHEMA
from warm_tui.trials.drawing import Decision
from warm_tui.trials.rules import Revision, Rule, When

ABOUT = {"platform": "cli", "api_mode": "chat_completions", "model": "m"}
TIMES = 2_000


def conversation(count: int) -> list[dict[str, Any]]:
    function = {"name": "terminal", "arguments": '{"command":"make test"}'}
    told: list[dict[str, Any]] = []
    for at in range(count // 2):
        calls = [{"id": f"call{at:05}", "type": "function", "function": function}]
        told.append({"role": "assistant", "content": "", "tool_calls": calls})
        told.append({"role": "tool", "tool_call_id": f"call{at:05}", "content": "a line of a result\n" * 40})
    return told


def request(count: int) -> dict[str, Any]:
    own = [{"role": "system", "content": "You are. " * 800}, {"role": "user", "content": "Deploy."}]
    return {
        "model": "m",
        "messages": [*own, *conversation(count)],
        "tools": [{"type": "function", "function": {}}] * 40,
    }


def timed(act: Callable[[int], Any], times: int = TIMES) -> str:
    """By the clock, which other programs share, and by the processor's time of this one."""
    taken: dict[str, list[float]] = {"by the clock": [], "processor": []}
    for at in range(times):
        began, worked = time.perf_counter(), time.thread_time()
        act(at)
        taken["by the clock"].append(time.perf_counter() - began)
        taken["processor"].append(time.thread_time() - worked)
    each = {name: sorted(seconds) for name, seconds in taken.items()}
    return "   ".join(
        f"{name} p50 {seconds[times // 2] * 1000:6.3f} ms, p95 {seconds[int(times * 0.95)] * 1000:6.3f} ms"
        for name, seconds in each.items()
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), ())
        with Library(home.library) as library:
            rule = Rule(0, When(), (Revision("t", "c"),), "salt", 0.5, 0.0)
            keep_rule(library, rule, {"c": [{"role": "user", "content": "Is it green?"}, *conversation(30)]})
            with library.writing() as connection:
                for at in range(10_000):
                    decision = Decision(f"before {at}", f"before {at}", 1, "t" * (at % 2), "c" * (at % 2), {"c": 0.5})
                    for sql, values in statements_of(Draw(decision, Circumstances("cli", "m", "chat_completions", at))):
                        connection.execute(sql, values)
        with sqlite3.connect(home.root / "state.db") as database:
            database.executescript(SCHEMA)
            rows = [(f"s{at}", "cli", "You are. " * 800, at) for at in range(10_000)]
            sql = "INSERT INTO sessions (id, source, system_prompt, started_at) VALUES (?, ?, ?, ?)"
            database.executemany(sql, rows)
        warming, fresh, long = Warming(Queue()), request(0), request(400)
        print(
            f"first request of a session    {timed(lambda at: warming.request(lambda: home.root, f's{at}', fresh, ABOUT))}   wanted: p95 under 2 ms"
        )
        names = [f"s{at}" for at in range(TIMES) if (told := warming.decision(f"s{at}")) and told.content]
        print(
            f"later request, 400 messages   {timed(lambda at: warming.request(lambda: home.root, names[at % len(names)], long, ABOUT))}"
        )
        hermes(home, names, long)
        besides(home, Path(folder) / "without rules")


def besides(home: Home, other: Path) -> None:
    """What a turn costs where no rule runs, so that requests are not seen; and to have it looked at what was shown."""
    (other / "warm_tui").mkdir(parents=True)
    with Library(Home(other, ()).library):
        pass
    os.environ["HERMES_HOME"] = str(other)
    memory = _Memory(lambda: None)
    print(f"a turn where no rule runs     {timed(lambda at: memory.see_requests(f's{at}'))}")
    os.environ["HERMES_HOME"] = str(home.root)
    memory = _Memory(lambda: None)
    memory.on_model_request(request=request(0), session_id="s0", **ABOUT)

    def rests(_: int) -> None:
        with Library(home.library) as library, library.writing() as connection:
            connection.execute("DELETE FROM looks")
        began.append(time.perf_counter())
        memory._have_trials_looked_at("s0")
        began[-1] = time.perf_counter() - began[-1]
        if memory._looking is not None:
            memory._looking.wait()

    began: list[float] = []
    for at in range(20):
        rests(at)
    began.sort()
    print(f"a look begun at a turn's end  by the clock p50 {began[10] * 1000:6.3f} ms, most {began[-1] * 1000:6.3f} ms")


def hermes(home: Home, names: list[str], long: dict[str, Any]) -> None:
    os.environ["HERMES_HOME"] = str(home.root)
    try:
        from hermes_cli import plugins
        from hermes_cli.middleware import apply_llm_request_middleware
    except ImportError:
        print("hermes-agent is not installed: its own pass is not measured")
        return
    manager = plugins.get_plugin_manager()
    about = {**ABOUT, "session_id": names[0]}
    print(f"Hermes' pass without us       {timed(lambda _: apply_llm_request_middleware(long, **about), 300)}")
    warming = Warming(Queue())

    def ours(request: Any = None, session_id: str = "", **told: Any) -> dict[str, Any] | None:
        changed = warming.request(lambda: home.root, session_id, request, told)
        return {"request": changed} if changed is not None else None

    manager._middleware.setdefault("llm_request", []).append(ours)
    print(f"Hermes' pass, a warm session  {timed(lambda _: apply_llm_request_middleware(long, **about), 300)}")
    about["session_id"] = "of no rule"
    print(f"Hermes' pass, a cold session  {timed(lambda _: apply_llm_request_middleware(long, **about), 300)}")


if __name__ == "__main__":
    main()
