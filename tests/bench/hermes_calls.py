"""Calls that a real Hermes makes with its own tools, labelled by how they were made, and what we say of each.

    python tests/bench/hermes_calls.py HERMES     HERMES: the agent's command, of any version

A scripted model plays the calls; what the agent recorded is judged, and every disagreement is printed.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.e2e.scripted_model import ScriptedModel  # noqa: E402
from warm_tui.reliability.outcome import Verdict  # noqa: E402
from warm_tui.reliability.verdict import judge  # noqa: E402
from warm_tui.sessions.hermes.facts import HERMES  # noqa: E402

SECONDS = 600

Made = tuple[str, str, dict[str, Any] | str]  # label, tool, arguments


def sh(label: str, command: str, **more: Any) -> Made:
    return label, "terminal", {"command": command, **more}


def code(label: str, source: str) -> Made:
    return label, "execute_code", {"code": source}


def call(label: str, tool: str, arguments: dict[str, Any] | str) -> Made:
    return label, tool, arguments


# Each list is a session. `$PROCESS` is the last process that the agent told of, `$PYTHON` has a test runner.
SESSIONS: dict[str, list[Made]] = {
    "shell": [
        sh("ok", "mkdir -p app/logs && git init -q app"),
        sh("ok", "printf 'INFO up\\nERROR db refused\\nKeyError: 7\\n' > app/logs/web.log"),
        sh("ok", "cat app/logs/web.log"),
        sh("ok", "tail -n 1 app/logs/web.log"),
        sh("benign", "grep -n zebra app/logs/web.log"),
        sh("fail", "grep -n zebra app/logs/none.log"),
        sh("ok", "grep -c ERROR app/logs/web.log"),
        sh("benign", "test -d app/nothing"),
        sh("fail", "cd app/nothing && ls"),
        sh("ok", "printf 'import sys\\nd = {}\\nprint(d[\"id\"])\\n' > app/boom.py"),
        sh("fail", "python3 app/boom.py"),
        sh("masked", "python3 app/boom.py 2>&1 | tail -3"),
        sh("masked", "python3 app/boom.py; echo done"),
        sh("masked", "python3 app/boom.py || true"),
        sh("ok", "python3 -c \"print('error: none'); print('0 failed')\""),
        sh("fail", "python3 app/none.py"),
        sh("masked", "cat app/none.txt 2>&1 | head -2"),
        sh("ok", "cat app/none.txt 2>/dev/null || echo 'not there yet'"),
        sh("fail", "frobnicate-all --now"),
        sh("masked", "frobnicate-all --now; ls app"),
        sh("ok", "command -v frobnicate-all || echo missing"),
        sh("fail", "sleep 8", timeout=2),
        sh("ok", "sed -n 1,3p app/boom.py"),
        sh("ok", "echo 'Traceback (most recent call last):'"),
        sh("fail", "bash -c 'set -u; echo $NOT_SET_HERE'"),
        sh("ok", "for f in app/*.py; do echo \"== $f\"; head -1 $f; done"),
        sh("fail", "exit 3"),
        sh("ok", "true && date -u +%Y"),
    ],
    "builds": [
        sh("ok", "printf 'int main(void) { return missing; }\\n' > bad.c; printf 'int main(void) { int unused; return 0; }\\n' > good.c"),
        sh("fail", "gcc bad.c -o bad"),
        sh("ok", "gcc -Wall good.c -o good"),
        sh("masked", "gcc bad.c -o bad 2>&1 | tail -5"),
        sh("masked", "gcc bad.c -o bad; echo built"),
        sh("ok", "printf 'all:\\n\\tgcc bad.c -o bad\\ngood:\\n\\tgcc good.c -o good\\n' > Makefile; ls"),
        sh("fail", "make"),
        sh("ok", "make good"),
        sh("masked", "make 2>&1 | grep -i error"),
        sh("fail", "make nothing"),
        sh("ok", "printf 'def test_a():\\n    assert 1 + 1 == 3\\n\\ndef test_error():\\n    pass\\n' > test_a.py"),
        sh("fail", "$PYTHON -m pytest -q test_a.py"),
        sh("masked", "$PYTHON -m pytest -q test_a.py 2>&1 | tail -4"),
        sh("ok", "$PYTHON -m pytest -q test_a.py -k error"),
        sh("fail", "python3 -m unittest nothing_here"),
        sh("ok", "git init -q r && (cd r && git config user.email d@e.org && git config user.name d && echo 1 > f && git add f && git commit -qm 'fix error: failed' && echo 2 > f)"),
        sh("benign", "git -C r diff --exit-code"),
        sh("ok", "git -C r diff"),
        sh("fail", "git -C r checkout nowhere"),
        sh("masked", "git -C r push origin main 2>&1 | tail -2"),
        sh("ok", "git -C r log --oneline"),
        sh("benign", "git -C r grep -n zebra"),
        sh("fail", "tar xzf nothing.tgz"),
        sh("masked", "tar xzf nothing.tgz; ls | wc -l"),
        sh("fail", "curl -sS http://127.0.0.1:9/"),
        sh("masked", "curl -sS http://127.0.0.1:9/ | head -3"),
        sh("fail", "node -e 'throw new Error(\"no plan\")'"),
        sh("ok", "node -e 'try { null.x } catch (e) { console.log(\"TypeError: caught\") }'"),
        sh("fail", "perl -e 'die \"no plan\\n\"'"),
        sh("fail", "sqlite3 a.db 'select * from nothing'"),
    ],
    "files": [
        call("ok", "write_file", {"path": "a.py", "content": "def f():\n    raise ValueError('error')\n"}),
        call("ok", "read_file", {"path": "a.py"}),
        call("fail", "read_file", {"path": "none.py"}),
        call("ok", "write_file", {"path": "notes.txt", "content": "error: failed\nTraceback\nexit_code: 1\n"}),
        call("ok", "read_file", {"path": "notes.txt"}),
        call("ok", "search_files", {"pattern": "error", "path": "."}),
        call("ok", "search_files", {"pattern": "no_such_word_here", "path": "."}),
        call("fail", "search_files", {"pattern": "x", "path": "no_such_folder"}),
        call("ok", "search_files", {"pattern": "*.py", "path": ".", "target": "files"}),
        call("ok", "patch", {"path": "a.py", "old_string": "'error'", "new_string": "'failed'"}),
        call("fail", "patch", {"path": "a.py", "old_string": "not in it at all, anywhere", "new_string": "x"}),
        call("ok", "write_file", {"path": "two.txt", "content": "a = 1\nb = 1\na = 1\n"}),
        call("fail", "patch", {"path": "two.txt", "old_string": "a = 1", "new_string": "a = 2"}),
        call("ok", "patch", {"path": "two.txt", "old_string": "a = 1", "new_string": "a = 2", "replace_all": True}),
        call("fail", "patch", {"path": "none.txt", "old_string": "a", "new_string": "b"}),
        call("fail", "patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Update File: gone.txt\n@@\n-a\n+b\n*** End Patch"}),
        call("ok", "patch", {"mode": "patch", "patch": "*** Begin Patch\n*** Add File: new.txt\n+error\n*** End Patch"}),
        call("ok", "read_file", {"path": "new.txt"}),
        call("fail", "write_file", {"path": "/proc/nothing/x.txt", "content": "x"}),
        call("fail", "read_file", {"path": "/proc/nothing/x.txt"}),
        call("fail", "nothing_of_a_tool", {"x": 1}),
        call("ok", "read_file", {"path": "two.txt", "offset": 1, "limit": 1}),
        call("ok", "search_files", {"pattern": "raise|failed", "path": ".", "output_mode": "count"}),
    ],
    "programs": [
        code("ok", "print('Error: none')"),
        code("fail", "d = {}\nprint(d['id'])"),
        code("fail", "def f(:\n    pass"),
        code("ok", "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print('caught', e)"),
        code("fail", "import sys\nprint('half')\nsys.exit(3)"),
        code("ok", "import sys\nprint('KeyError: told', file=sys.stderr)\nprint('fine')"),
        code("fail", "import nothing_here_at_all"),
        code("fail", "def deep(n):\n    if not n:\n        raise RuntimeError('no more plans')\n    deep(n - 1)\ndeep(4)"),
        code("ok", "from hermes_tools import terminal\nprint(terminal('echo error')['output'])"),
        code("ok", "from hermes_tools import read_file\nprint(read_file('none.txt'))"),
        code("fail", "try:\n    int('x')\nexcept ValueError as e:\n    raise LookupError('row 3') from e"),
        code("fail", "assert 1 + 1 == 3, 'sums are wrong'"),
        code("ok", "import json\nprint(json.dumps({'status': 'failed', 'error': 'x', 'exit_code': 1}))"),
    ],
    "the rest": [
        sh("ok", "sleep 300", background=True),
        call("ok", "process", {"action": "list"}),
        call("ok", "process", {"action": "poll", "session_id": "$PROCESS"}),
        call("ok", "process", {"action": "kill", "session_id": "$PROCESS"}),
        call("fail", "process", {"action": "poll", "session_id": "proc_nothing"}),
        call("fail", "process", {"action": "kill", "session_id": "proc_nothing"}),
        sh("ok", "echo started; exit 4", background=True),
        call("fail", "process", {"action": "nothing_of_the_kind", "session_id": "$PROCESS"}),
        call("ok", "cronjob", {"action": "list"}),
        call("ok", "cronjob", {"action": "create", "prompt": "look for errors", "schedule": "every 2h", "name": "errors"}),
        call("fail", "cronjob", {"action": "remove", "job_id": "nothing"}),
        call("fail", "cronjob", {"action": "create", "prompt": "x", "schedule": "no such time"}),
        call("ok", "todo", {"todos": [{"id": "1", "content": "failed tests", "status": "cancelled"}]}),
        call("ok", "todo", {}),
        call("ok", "memory", {"action": "add", "target": "memory", "content": "errors are told apart"}),
        call("fail", "memory", {"action": "remove", "target": "memory", "old_text": "never said"}),
        call("fail", "memory", {"action": "replace", "target": "memory", "old_text": "never said", "content": "x"}),
        call("fail", "skill_view", {"name": "no-such-skill"}),
        call("ok", "skills_list", {}),
        call("ok", "session_search", {"query": "zebra"}),
        call("fail", "terminal", {}),
        call("fail", "read_file", {}),
        call("ok", "terminal", {"command": "echo 'status: blocked'"}),
    ],
    "a morning": [
        sh("ok", "mkdir -p shop/src shop/logs && git init -q shop && git -C shop config user.email a@b.c && git -C shop config user.name a"),
        sh("ok", "printf 'def price(x):\\n    return x[\"price\"]\\n' > shop/src/cart.py"),
        sh("fail", "(cd shop/src && python3 -c \"import cart; cart.price({})\")"),
        sh("masked", "(cd shop/src && python3 -c \"import cart; cart.price({})\" 2>&1 | tail -n 2)"),
        sh("masked", "(cd shop/src; python3 -c \"import cart; cart.price({})\"); echo finished"),
        sh("ok", "printf 'line\\nERROR: cart broke\\nfatal: worker died\\n' > shop/logs/a.log && tail -n 3 shop/logs/a.log"),
        sh("ok", "awk '/ERROR/ {n++} END {print n, \"errors\"}' shop/logs/a.log"),
        sh("benign", "grep -q panic shop/logs/a.log"),
        sh("benign", "diff shop/logs/a.log shop/src/cart.py"),
        sh("fail", "diff shop/logs/a.log shop/logs/none.log"),
        sh("fail", "ruby -e 'raise ArgumentError, \"no cart\"'"),
        sh("masked", "ruby -e 'raise ArgumentError, \"no cart\"' || true"),
        sh("ok", "ruby -e 'begin; Integer(\"x\"); rescue => e; puts \"skipped: #{e.message}\"; end'"),
        sh("ok", "(cd shop && git add . && git commit -qm 'Fix error: failed cart' && git log --oneline)"),
        sh("fail", "(cd shop && git merge nothing-there)"),
        sh("masked", "(cd shop && git pull 2>&1 | tail -n 2)"),
        sh("fail", "jq . shop/logs/a.log"),
        sh("masked", "jq .total shop/logs/a.log 2>&1 | head -n 1"),
        sh("ok", "echo '{\"errors\": [{\"message\": \"failed\"}], \"ok\": false}' | jq ."),
        sh("fail", "mv shop/none.txt shop/some.txt"),
        sh("masked", "mv shop/none.txt shop/some.txt; ls shop"),
        sh("ok", "rm -f shop/none.txt && echo removed"),
        sh("fail", "bash -n <(echo 'if true; then')"),
        sh("ok", "for n in 1 2; do false || echo \"try $n failed, again\"; done; echo connected"),
        sh("fail", "timeout 1 sleep 5"),
        sh("fail", "kill 4194000"),
        sh("benign", "[ -f shop/none.txt ]"),
        sh("fail", "go run shop/none.go"),
        sh("ok", "ls shop/none 2>/dev/null || echo 'no such folder yet'"),
        sh("masked", "if ! make -C shop build; then echo 'going on'; fi"),
        sh("fail", "java Nothing"),
        sh("masked", "wget -q -O /dev/null http://127.0.0.1:9/ || echo 'download failed, going on'"),
        sh("ok", "seq 3 | xargs -n1 echo 'error code'"),
        sh("fail", "openssl x509 -in shop/logs/a.log -noout"),
        sh("masked", "cat shop/none.csv | sort | uniq -c"),
    ],
    "an afternoon": [
        call("ok", "write_file", {"path": "jobs.py", "content": "import sys\n\n\ndef run(job):\n    if job is None:\n        raise LookupError('no job')\n    return job\n\n\nif __name__ == '__main__':\n    run(None)\n"}),
        call("ok", "read_file", {"path": "jobs.py"}),
        sh("fail", "python3 jobs.py"),
        call("fail", "patch", {"path": "jobs.py", "old_string": "raise KeyError('absent')", "new_string": "return None"}),
        call("ok", "patch", {"path": "jobs.py", "old_string": "raise LookupError('no job')", "new_string": "return 'error: no job'"}),
        sh("ok", "python3 jobs.py"),
        call("ok", "search_files", {"pattern": "error|raise", "path": "."}),
        call("ok", "search_files", {"pattern": "never_here_at_all", "path": "."}),
        call("fail", "read_file", {"path": "jobs/none.toml"}),
        call("ok", "write_file", {"path": "deep/er/log.txt", "content": "FATAL\nTraceback (most recent call last):\nKeyError\n"}),
        call("ok", "read_file", {"path": "deep/er/log.txt"}),
        call("ok", "search_files", {"pattern": "*.txt", "path": ".", "target": "files"}),
        code("ok", "import traceback\ntry:\n    {}['x']\nexcept KeyError:\n    print(traceback.format_exc())\nprint('went on')"),
        code("fail", "import csv\nprint(list(csv.reader(open('none.csv'))))"),
        code("fail", "raise SystemExit('no plan for today')"),
        code("ok", "print({'status': 'failed', 'jobs': 3})"),
        code("fail", "x = [1, 2]\nprint(x[5])"),
        code("ok", "from hermes_tools import terminal\nr = terminal('ls /none-there')\nprint('asked', r['exit_code'] != 0)"),
        code("fail", "import json\njson.loads('{bad')"),
        code("ok", "import logging\nlogging.error('cache is cold')\nprint('12 rows')"),
        sh("ok", "sleep 200", background=True),
        call("ok", "process", {"action": "poll", "session_id": "$PROCESS"}),
        call("ok", "process", {"action": "kill", "session_id": "$PROCESS"}),
        call("fail", "process", {"action": "log", "session_id": "proc_000nothing"}),
        call("fail", "no_such_tool_at_all", {"a": 1}),
        call("ok", "todo", {"todos": [{"id": "a", "content": "mend the failed job", "status": "in_progress"}]}),
        call("ok", "memory", {"action": "add", "target": "memory", "content": "jobs.py fails without a job"}),
        call("fail", "memory", {"action": "remove", "target": "memory", "old_text": "not in memory"}),
        call("fail", "skill_view", {"name": "absent-skill"}),
        call("fail", "write_file", {"path": "/proc/none/y.txt", "content": "y"}),
        call("fail", "cronjob", {"action": "remove", "job_id": "gone"}),
        call("ok", "cronjob", {"action": "list"}),
        call("ok", "session_search", {"query": "failed job"}),
        sh("ok", "printf 'def test_error_page():\\n    assert True\\n\\ndef test_sum():\\n    assert 2 + 2 == 5\\n' > test_b.py"),
        sh("fail", "$PYTHON -m pytest -q test_b.py"),
        sh("masked", "$PYTHON -m pytest -q test_b.py 2>&1 | tail -n 1"),
        sh("masked", "$PYTHON -m pytest -q test_b.py > out.txt 2>&1; tail -n 2 out.txt"),
        sh("ok", "$PYTHON -m pytest -q test_b.py -k error_page"),
        sh("ok", "cat out.txt"),
    ],
    "an evening": [
        call("ok", "write_file", {"path": "tide/read.py", "content": "import sys\n\nrows = [float(each) for each in open(sys.argv[1])]\nprint(len(rows), 'rows')\n"}),
        call("ok", "write_file", {"path": "tide/kept.py", "content": "import traceback\nkept = 0\nfor word in ('1.5', 'ice'):\n    try:\n        float(word)\n        kept += 1\n    except ValueError:\n        traceback.print_exc()\nprint(kept, 'of 2 kept')\n"}),
        sh("ok", "printf '1.5\\nice\\n' > tide/bad.txt; printf '1.5\\n2.5\\n' > tide/good.txt"),
        sh("ok", "python3 tide/read.py tide/good.txt"),
        sh("fail", "python3 tide/read.py tide/bad.txt"),
        sh("masked", "python3 tide/read.py tide/bad.txt > out.log 2>&1; tail -n 1 out.log"),
        sh("masked", "python3 tide/read.py tide/none.txt 2>&1 | tail -n 2"),
        sh("ok", "python3 tide/kept.py"),
        sh("ok", "python3 tide/kept.py; ls tide"),
        sh("ok", "cat out.log"),
        sh("ok", "grep -c ValueError out.log"),
        sh("benign", "grep -n KeyError out.log"),
        sh("benign", "cmp tide/good.txt tide/bad.txt"),
        sh("ok", "printf '#include <stdio.h>\\nint main(void) { fputs(\"error: none left\\\\n\", stderr); puts(\"3 rows\"); return 0; }\\n' > ok.c; gcc ok.c -o ok && ./ok"),
        sh("fail", "gcc none.c -o none"),
        sh("masked", "gcc none.c -o none 2>&1 | head -n 2"),
        sh("masked", "make -C tide all || true"),
        sh("fail", "git -C tide rev-parse HEAD"),
        sh("ok", "git init -q -b main t2 && git -C t2 config user.email a@b.c && git -C t2 config user.name a && echo x > t2/x && git -C t2 add x && git -C t2 commit -qm 'Revert: fatal error in x' && git -C t2 log --oneline"),
        sh("masked", "git -C t2 checkout nowhere; git -C t2 status --short"),
        sh("masked", "tar xzf tide/good.txt; echo unpacked"),
        sh("ok", "tar czf t.tgz tide && tar tzf t.tgz | wc -l"),
        sh("masked", "gzip -dc tide/bad.txt | wc -l"),
        sh("fail", "node -e 'JSON.parse(\"{\")'"),
        sh("ok", "node -e 'try { JSON.parse(\"{\") } catch (e) { console.error(e.message) } console.log(\"went on\")'"),
        sh("masked", "perl -e 'open(my $f, \"<\", \"none.txt\") or die \"no tide: $!\"' 2>&1 | tail -n 1"),
        sh("ok", "perl -ne 'print if /Error/' out.log"),
        sh("masked", "curl -sS http://127.0.0.1:9/a || curl -sS http://127.0.0.1:9/b; true"),
        sh("ok", "for n in 1 2; do test $n = 2 && echo 'up on try 2' && break || echo \"try $n: error: refused\"; done"),
        sh("fail", "bash -c 'set -e; cd tide/none; echo never'"),
        sh("masked", "bash -c 'cd tide/none && ls'; echo next"),
        sh("fail", "sqlite3 t.db 'select * from none'"),
        sh("masked", "sqlite3 t.db 'selct 1' 2>&1 | tail -n 3"),
        sh("ok", "sqlite3 t.db \"create table e(error text); insert into e values ('fatal'); select error from e\""),
        sh("masked", "jq . out.log | head -n 2"),
        call("ok", "read_file", {"path": "out.log"}),
        call("fail", "read_file", {"path": "tide/none.log"}),
        call("ok", "search_files", {"pattern": "ValueError", "path": "."}),
        call("fail", "patch", {"path": "tide/read.py", "old_string": "no such words", "new_string": "x"}),
        call("ok", "patch", {"path": "tide/read.py", "old_string": "'rows'", "new_string": "'errors'"}),
        code("ok", "import subprocess\nprint(subprocess.run(['ls', 'none-at-all'], capture_output=True).returncode)"),
        code("fail", "import subprocess\nsubprocess.run(['ls', 'none-at-all'], check=True)"),
        code("ok", "for word in ('1', 'ice'):\n    try:\n        print(int(word))\n    except ValueError as why:\n        print('Error:', why)"),
        code("fail", "print([1, 2].index(3))"),
        call("fail", "process", {"action": "poll", "session_id": "proc_00none"}),
    ],
}  # fmt: skip


class Player(ScriptedModel):
    """Puts in the process that the agent last told of, and the Python that has a test runner."""

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        message, reason = super().answer(request)
        known = re.findall(r"proc_[0-9a-f]{6,}", json.dumps(request.get("messages", [])))
        for made in message.get("tool_calls") or ():
            function = made["function"]
            given = function["arguments"].replace("$PROCESS", known[-1] if known else "proc_none")
            function["arguments"] = given.replace("$PYTHON", sys.executable)
        return message, reason


def play(hermes: Path, title: str, calls: list[Made]) -> Iterator[tuple[Made, str, str]]:
    """Each call with its arguments and its result, as recorded."""
    with tempfile.TemporaryDirectory(prefix="hermes-calls-") as scratch:
        home, folder = Path(scratch) / "home", Path(scratch) / "work"
        home.mkdir()
        folder.mkdir()
        with Player([[(tool, arguments)] for _, tool, arguments in calls]) as model:
            settings = {"default": "scripted", "provider": "custom", "base_url": model.url, "api_key": "x"}
            (home / "config.yaml").write_text(json.dumps({"model": settings, "agent": {"max_turns": 100}}))
            bare = {name: value for name, value in os.environ.items() if not name.startswith("HERMES")}
            done = subprocess.run(
                [str(hermes), "chat", "-q", f"Do {title}.", "-Q", "--yolo", "--source", "cli"], cwd=folder,
                env={**bare, "HERMES_HOME": str(home), "HOME": str(home)}, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=SECONDS, check=False,
            )  # fmt: skip
            if model.played < len(calls):
                print(f"{title}: the agent stopped after {model.played} of {len(calls)} calls\n{done.stderr[-600:]}")
        yield from zip(calls, *zip(*results(home / "state.db"), strict=True), strict=False)


def results(database: Path) -> list[tuple[str, str]]:
    arguments: dict[str, str] = {}
    found: list[tuple[str, str]] = []
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT role, content, tool_call_id, tool_calls FROM messages ORDER BY id")
        for role, content, call_id, tool_calls in rows:
            for made in json.loads(tool_calls or "[]"):
                arguments[made["id"]] = made["function"]["arguments"]
            if role == "tool":
                found.append((arguments[call_id], content))
    return found


def agrees(label: str, verdict: Verdict) -> bool:
    if label == "benign":
        return verdict.kind == "benign_exit"
    if label == "masked":
        return verdict.kind == "masked"
    return verdict.outcome == ("failure" if label == "fail" else "success")


def main() -> None:
    hermes = Path(sys.argv[1]).absolute()
    right: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for title, calls in SESSIONS.items():
        for (label, tool, _), arguments, result in play(hermes, title, calls):
            verdict = judge(arguments, result, HERMES.stand_ins)
            made[label] += 1
            right[label] += agrees(label, verdict)
            if not agrees(label, verdict):
                print(f"{label}, but {verdict.kind} ({verdict.rule}): {tool} {arguments[:160]}\n    {result[:400]}")
            elif verdict.outcome == "failure" and "--reasons" in sys.argv:
                print(f"    {verdict.reason}   <- {arguments[:90]}")
    print(f"{sum(right.values())} of {sum(made.values())} calls as they were made:", end=" ")
    print(", ".join(f"{label} {right[label]} of {made[label]}" for label in made))


if __name__ == "__main__":
    main()
