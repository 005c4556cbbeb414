"""A stand-in for the command `hermes`: it records a session at once, and does what the task's words say.

Where they say "wait for the word", it does until the file GO stands beside it. While the file DOWN stands beside it,
every run of it ends as that says: {"says": TEXT, "errors": TEXT, "code": NUMBER}. While the file COLD does, it hands no
first messages on to its model.
"""

from __future__ import annotations

import sys
from pathlib import Path

GO, DOWN, COLD = "go", "down", "cold"
SCRIPT = """#!{python}
import json, os, re, subprocess, sys, time, uuid
from pathlib import Path

sys.path.insert(0, {root!r})
from warm_tui.sessions.hermes.archive import Archive

prompt = next(word.removeprefix("--query=") for word in sys.argv if word.startswith("--query="))
home = Path(os.environ["HERMES_HOME"])
prefill = os.environ.get("HERMES_PREFILL_MESSAGES_FILE")
log = Path({log!r})
with log.open("a") as file:
    file.write(json.dumps({{
        "words": sys.argv[1:], "warm": bool(prefill), "prefill": Path(prefill).read_text() if prefill else None,
        "home": sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()),
        "config": (home / "config.yaml").read_text() if (home / "config.yaml").exists() else None,
        "folder": sorted(os.listdir(".")), "began": time.time(),
        "watched": bool(os.environ.get("HERMES_DUMP_REQUESTS")),
    }}) + "\\n")
if "hang" in prompt:
    subprocess.Popen(["sleep", "300"], start_new_session=True)
    time.sleep(300)
while "wait for the word" in prompt and not log.with_name({go!r}).exists():
    time.sleep(0.02)
down = log.with_name({down!r})
try:
    # It may go between a look at it and reading it: then it is up.
    told = json.loads(down.read_text())
except FileNotFoundError:
    told = None
if told:
    print(told["errors"], file=sys.stderr)
    print(told["says"])
    if told["code"] < 0:
        os.kill(os.getpid(), -told["code"])
    sys.exit(told["code"])
given = json.loads(Path(prefill).read_text()) if prefill and not log.with_name({cold!r}).exists() else []
config = (home / "config.yaml").read_text() if (home / "config.yaml").exists() else ""
address = re.search(r'"base_url": "(http://127[^"]*)"', config)
if address and "stand-in" in config:
    import urllib.request

    sent = {{"messages": [*given, {{"role": "user", "content": prompt}}], "stream": True}}
    urllib.request.urlopen(urllib.request.Request(address[1] + "/chat/completions", json.dumps(sent).encode())).read()
    sys.exit(0)
if "no session" in prompt:
    sys.exit(0)
session = uuid.uuid4().hex
fails = "crash" in prompt and (prefill or "when warm" not in prompt)
if os.environ.get("HERMES_DUMP_REQUESTS"):
    told = {{"reason": "preflight", "request": {{"body": {{"messages": [*given, {{"role": "user", "content": prompt}}]}}}}}}
    (home / "sessions").mkdir(exist_ok=True)
    (home / "sessions" / f"request_dump_{{session}}_20260101_000000_000000.json").write_text(json.dumps(told))
failing = 1 if prefill and "nothing helps" not in prompt else 5
with Archive(home / "state.db") as archive:
    common = {{"source": "warm-tui", "estimated_cost_usd": 0.5, "cost_status": "estimated"}}
    if "chain" in prompt:
        call = {{"id": "before", "type": "function", "function": {{"name": "terminal", "arguments": "{{}}"}}}}
        for name, more in (("root" + session, {{"end_reason": "compression"}}),
                           ("delegate" + session, {{"parent_session_id": "root" + session, "source": "tool"}})):
            archive.add_session(id=name, started_at=time.time() - 9, **{{**common, **more}})
            archive.add_messages([
                {{"session_id": name, "role": "user", "content": prompt, "timestamp": 1.0}},
                *({{"session_id": name, "role": "assistant", "timestamp": 1.0,
                   "tool_calls": json.dumps([{{**call, "id": f"b{{at}}"}}])}} for at in range(2)),
            ])
        common["parent_session_id"] = "root" + session
    archive.add_session(id=session, started_at=time.time(), **common)
    rows = [{{"role": "user", "content": prompt}}]
    for at in range(8):
        code = 1 if at < failing else 0
        call = {{"id": f"c{{at}}", "type": "function", "function": {{"name": "terminal", "arguments": "{{}}"}}}}
        rows.append({{"role": "assistant", "tool_calls": json.dumps([call])}})
        said = json.dumps({{"output": os.environ.get("SAID", ""), "exit_code": code, "error": None}})
        rows.append({{"role": "tool", "content": said, "tool_call_id": f"c{{at}}", "tool_name": "terminal"}})
    archive.add_messages({{"session_id": session, "timestamp": time.time(), **row}} for row in rows)
Path("made.txt").write_text("made")
print("All went well." if not fails else "HTTP 400: the key " + os.environ.get("SAID", "") + " is odd")
print(f"session_id: {{session}}", file=sys.stderr)
sys.exit(1 if fails else 0)
"""


def install(folder: Path) -> Path:
    """The command in a folder for the PATH, and the file in which it tells what it was given."""
    folder.mkdir(exist_ok=True)
    log = folder / "log.jsonl"
    command = folder / "hermes"
    root = str(Path(__file__).parents[2])
    command.write_text(SCRIPT.format(python=sys.executable, root=root, log=str(log), go=GO, down=DOWN, cold=COLD))
    command.chmod(0o755)
    return log
