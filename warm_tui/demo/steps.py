"""Tool calls as Hermes records them, each with the verdict a person would give.

The labels are what our judge is tested against: `ok`, `fail`, `benign` (a non-zero exit that answers a
question), `masked` (it failed, though the exit code says 0) and `unknown`.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

Label: TypeAlias = Literal["ok", "fail", "benign", "masked", "unknown", "rewound"]


class Step(NamedTuple):
    tool: str
    arguments: dict[str, Any] | str
    result: str | None
    label: Label

    @property
    def arguments_text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


FILES = (
    "src/billing.py",
    "src/orders.py",
    "api/routes.py",
    "tests/test_orders.py",
    "deploy/values.yaml",
    "docs/setup.md",
)
WORDS = ("retry", "timeout", "currency", "session_id", "rollback", "parse_date", "idempotent")
LOG_LINES = (
    "ERROR worker 3: Traceback (most recent call last): see below",
    "INFO request served in 31 ms",
    "WARN failed login for user guest, exception ignored",
    "INFO 0 errors, 0 failed",
)


def terminal(command: str, output: str, label: Label, code: int = 0, **more: Any) -> Step:
    result = {"output": output, "exit_code": code, "error": None, **more}
    return Step("terminal", {"command": command}, json.dumps(result, ensure_ascii=False), label)


def as_json(tool: str, arguments: dict[str, Any], label: Label, **result: Any) -> Step:
    return Step(tool, arguments, json.dumps(result, ensure_ascii=False), label)


def good_step(rng: Random, theme: str) -> Step:
    """One step of work that goes well, of the kind a theme calls for."""
    file, word = rng.choice(FILES), rng.choice(WORDS)
    lines = "\n".join(f"{n}|    {rng.choice(WORDS)} = {rng.choice(WORDS)}({n})" for n in range(1, rng.randint(4, 30)))
    log = "\n".join(f"2026-11-0{n} {line}" for n, line in enumerate(LOG_LINES, 1))
    passed = rng.randint(3, 240)
    shell = [
        terminal("git status --short", f" M {file}", "ok"),
        terminal("python -m pytest -q", f"{'.' * 40}\n{passed} passed in {rng.random() * 9:.2f}s", "ok"),
        terminal(f"grep -rn {word} src", f"{file}:{rng.randint(1, 90)}:    {word} = None  # not an error", "ok"),
        terminal("tail -n 4 worker.log", log, "ok"),
        terminal("ls -1 src", "billing.py\norders.py\n__init__.py", "ok"),
        terminal(f"git commit -qam 'Handle {word} error'", "", "ok"),
        terminal("docker compose ps", "NAME   STATUS\napi    Up 3 hours\nworker Exited (1) and restarted", "ok"),
    ]
    files = [
        as_json("read_file", {"path": file}, "ok", content=lines, total_lines=lines.count("\n") + 1, truncated=False),
        as_json("search_files", {"pattern": word, "path": "src"}, "ok", total_count=1,
                matches=[{"path": file, "line": 7, "content": f"raise ValueError('{word} failed')"}]),
        as_json("patch", {"path": file, "old_string": word, "new_string": f"{word}_ms"}, "ok", success=True,
                diff=f"--- a/{file}\n+++ b/{file}\n@@ -7 +7 @@\n-{word}\n+{word}_ms\n", files_modified=[file]),
        as_json("write_file", {"path": file, "content": lines}, "ok", bytes_written=len(lines), dirs_created=False),
    ]  # fmt: skip
    code = [
        as_json("execute_code", {"code": f"print(sum(range({rng.randint(2, 99)})))"}, "ok", status="success",
                output=f"{rng.randint(1, 999)}\n", exit_code=0, duration_seconds=0.02),
    ]  # fmt: skip
    web = [
        as_json("web_search", {"query": f"{word} best practice"}, "ok", success=True,
                data={"web": [{"title": f"Error handling for {word}", "url": "https://example.org/a"}]}),
        Step("web_extract", {"urls": ["https://example.org/a"]}, f"# {word}\n\nErrors are values. Nothing failed here.", "ok"),
        as_json("browser_navigate", {"url": "https://example.org"}, "ok", success=True, title="Example"),
    ]  # fmt: skip
    meta = [
        as_json("todo", {"todos": [{"id": "1", "content": f"fix {word} error"}]}, "ok", todos=[], summary={"total": 1}),
        as_json("memory", {"action": "add", "content": "prefers small commits"}, "ok", success=True, done=True),
    ]  # fmt: skip
    pools = {
        "ops": shell * 3 + files,
        "coding": shell + files * 2 + code,
        "analysis": code * 6 + files + shell,
        "research": web * 4 + files + meta,
        "mixed": shell + files + code + web + meta,
    }
    return rng.choice(pools[theme])


def bad_step(rng: Random, theme: str) -> Step:
    """One step that fails, the way its tool fails."""
    file, word = rng.choice(FILES), rng.choice(WORDS)
    failed = rng.randint(1, 9)
    shell = [
        terminal("python -m pytest -q", f"FAILED {file}::test_{word}\n{failed} failed, 31 passed in 2.1s", "fail", 1),
        terminal(f"cat {word}.yaml", f"cat: {word}.yaml: No such file or directory", "fail", 1),
        terminal(f"{word}ctl apply", f"/usr/bin/bash: line 3: {word}ctl: command not found", "fail", 127),
        terminal("git checkout release", "error: pathspec 'release' did not match any file(s) known to git", "fail", 1,
                 exit_code_meaning="Non-zero exit (often normal — e.g. 'git diff' returns 1 when files differ)"),
        terminal("python app.py", f'Traceback (most recent call last):\n  File "{file}", line 7, in <module>\nKeyError: \'{word}\'',
                 "fail", 1),
        terminal("curl -sS http://127.0.0.1:9/health", "curl: (7) Failed to connect to 127.0.0.1 port 9", "fail", 7,
                 exit_code_meaning="Failed to connect to host"),
        terminal("sleep 600", "[Command timed out after 180s]", "fail", 124),
        terminal("python app.py 2>&1 | tail -1", f"KeyError: '{word}'", "masked"),
        terminal("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9/ || true", "000", "masked"),
    ]  # fmt: skip
    files = [
        as_json("read_file", {"path": f"{file}.bak"}, "fail", content="", total_lines=0, error=f"File not found: {file}.bak"),
        as_json("patch", {"path": file, "old_string": word, "new_string": "x"}, "fail", success=False,
                error="Found 2 matches for old_string. Provide more context to make it unique."),
        as_json("write_file", {"path": "/etc/passwd", "content": "x"}, "fail", bytes_written=0, error="Permission denied"),
        as_json("search_files", {"pattern": word, "path": "nowhere"}, "fail", total_count=0, error="Path not found: nowhere"),
    ]  # fmt: skip
    code = [
        as_json("execute_code", {"code": "rows['n']"}, "fail", status="error", exit_code=1,
                output="\n--- stderr ---\nTraceback (most recent call last):\nTypeError: 'int' object is not subscriptable\n"),
    ]  # fmt: skip
    web = [
        Step("web_extract", {"urls": ["https://example.org/b"]}, "Error: the page could not be loaded", "fail"),
        as_json("web_search", {"query": word}, "fail", success=False, error="Search quota is used up"),
    ]
    agent = [
        Step("file_search", {"a": 1}, "Tool 'file_search' does not exist. Available tools: read_file, terminal", "fail"),
        as_json("terminal", {"command": "rm -rf /"}, "fail", output="", exit_code=-1, status="blocked",
                error="BLOCKED: User denied this command."),
        Step("terminal", '{"command": "echo ', "Error: Invalid JSON arguments. Please retry.", "fail"),
    ]  # fmt: skip
    pools = {
        "ops": shell * 2 + agent,
        "coding": shell + files * 2,
        "analysis": code * 5 + shell,
        "research": web * 3 + agent,
    }
    return rng.choice(pools.get(theme, shell + files + code + web))


def benign_step(rng: Random) -> Step:
    """A non-zero exit that answers a question."""
    word = rng.choice(WORDS)
    return rng.choice(
        [
            terminal(f"grep -rn {word}_x src", "", "benign", 1, exit_code_meaning="No matches found (not an error)"),
            terminal("diff a.cfg b.cfg", "2c2\n< b=2\n---\n> b=3", "benign", 1),
            terminal("test -f /etc/nothing.conf", "", "benign", 1),
            terminal("git diff --exit-code HEAD~1 --stat", " a | 2 +-\n 1 file changed", "benign", 1),
        ]
    )


REPAIR = (
    terminal("python app.py --once", 'Traceback (most recent call last):\n  File "app.py", line 7, in <module>\nKeyError: \'plan\'', "fail", 1),
    as_json("patch", {"path": "app.py", "old_string": 'row["plan"]', "new_string": 'row.get("plan", "free")'}, "ok",
            success=True, files_modified=["app.py"]),
    terminal("python app.py --once", "1 ticket sorted", "ok"),
)  # fmt: skip
INTERRUPTED = Step(
    "terminal",
    {"command": "make release"},
    json.dumps({"error": "Tool execution cancelled by user interrupt", "status": "cancelled"}),
    "unknown",
)
UNANSWERED = Step("terminal", {"command": "make deploy"}, None, "unknown")

# Text as it comes from the world: none of it may leave the cell it is shown in.
HOSTILE = (
    terminal(
        "cat paint.log",
        "\x1b]52;c;aGFja2Vk\x07\x1b]0;owned\x07\x1b[31mred\x1b[0m [/red] [bold]not markup[/]",
        "ok",
    ),
    terminal("cat names.txt", "\u202egnp.exe\u202c zero\u200bwidth 漢字かな 👩‍👩‍👧 \u0007 e\u0301", "ok"),
    terminal("cat minified.js", "var a=0;" * 4000, "ok"),
    terminal("printf '%s' \"\x1b[2J\"", "\x1b[2J\x1b[H\x9b31m\r overwritten", "ok"),
    Step(
        "read_file",
        {"path": "日本語/エラー.txt"},
        json.dumps({"content": "1|エラーではない\t[/]", "error": None}),
        "ok",
    ),
)
