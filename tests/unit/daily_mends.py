"""What agents do daily after a failure: what mended it, and what only looks so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

Step = tuple[str, dict[str, Any], str]
"""A tool, its arguments, and what it answered."""


class Course(NamedTuple):
    name: str
    steps: Sequence[Step]
    mend: int | None
    """Which of the steps mended the first."""


def ran(command: str, code: int = 0, output: str = "") -> Step:
    return "terminal", {"command": command}, json.dumps({"output": output, "exit_code": code, "error": None})


def edited(path: str, old: str, new: str) -> Step:
    return "patch", {"path": path, "old_string": old, "new_string": new}, json.dumps({"success": True, "diff": "@@"})


def wrote(path: str, content: str) -> Step:
    return "write_file", {"path": path, "content": content}, json.dumps({"success": True, "bytes_written": 9})


def _again(command: str, said: str, *changes: Step, code: int = 1) -> list[Step]:
    """It failed, something was done, and it worked."""
    return [ran(command, code, said), *changes, ran(command, 0, "done")]


def _other(command: str, said: str, other: str, code: int = 1, answer: str = "done") -> list[Step]:
    return [ran(command, code, said), ran(other, 0, answer)]


NO_DAEMON = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
NO_ROOT = "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\nE: are you root?"
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 811 (apt-get)"
LINTED = "> app@1.0.0 lint\n> eslint src\n\n  1:5  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error)"
IN_USE = "> app@1.0.0 dev\n> node server.js\n\nError: listen EADDRINUSE: address already in use :::3000"
CLIPPED = "error: unused variable: `x`\n  = note: `-D unused-variables` implied by `-D warnings`\nerror: could not compile `app`"
FAILED = "FAILED tests/test_a.py::test_one - KeyError: 'id'\n1 failed, 8 passed in 0.2s"
NO_SUITE = "No tests found, exiting with code 1"
BARRED = "Blocked: sleep 30 followed by another command. Use a loop that asks until it holds."
STARTED: Step = (
    "terminal", {"command": "npm run serve", "background": True},
    '{"output": "Background process started", "session_id": "proc_1", "pid": 7, "exit_code": 0, "error": null}',
)  # fmt: skip

MENDED = [
    Course("the package's right name", _other("pip install reqests", "ERROR: No matching distribution found for reqests", "pip install requests"), 1),
    Course("what is missing is installed", _again("pytest tests -q", "E   ModuleNotFoundError: No module named 'httpx'", ran("pip install httpx")), 1),
    Course("the environment's python", _other("python manage.py migrate", "ModuleNotFoundError: No module named 'django'", ".venv/bin/python manage.py migrate"), 1),
    Course("a dependency is added", _again("cargo build", "error[E0432]: unresolved import `rand`", ran("cargo add rand"), code=101), 1),
    Course("the module that go names", _again("go build ./...", "a.go:4:2: no required module provides package github.com/x/y; to add it:\n\tgo get github.com/x/y", ran("go get github.com/x/y")), 1),
    Course("what was pushed before is fetched", _again("git push origin main", "! [rejected] main -> main (fetch first)\nerror: failed to push some refs", ran("git pull --rebase origin main")), 1),
    Course("a lock that was left", _again("git commit -m x", "fatal: Unable to create '/srv/.git/index.lock': File exists.", ran("rm -f .git/index.lock"), code=128), 1),
    Course("a lock that is waited for", _again("apt-get install -y jq", LOCKED, ran("sleep 20"), code=100), 1),
    Course("as root", _other("apt-get install -y jq", NO_ROOT, "sudo apt-get install -y jq", 100), 1),
    Course("the daemon is started", _again("docker compose up -d", NO_DAEMON, ran("sudo systemctl start docker")), 1),
    Course("room is made", _again("docker build -t app .", "failed to solve: write /x: no space left on device", ran("docker system prune -f")), 1),
    Course("another port", _other("python -m http.server 8000", "OSError: [Errno 98] Address already in use", "python -m http.server 8001"), 1),
    Course("tried more often", _other("curl -fsS -O https://a.example/x.tgz", "curl: (56) Recv failure: Connection reset by peer", "curl -fsS --retry 5 -O https://a.example/x.tgz", 56), 1),
    Course("from another mirror", _other("curl -fsS -O https://a.example/x.tgz", "curl: (6) Could not resolve host: a.example", "curl -fsS -O https://b.example/x.tgz", 6), 1),
    Course("with a token", _other("curl -fsS http://localhost:8080/users", "curl: (22) The requested URL returned error: 401", "curl -fsS -H 'Authorization: Bearer t' http://localhost:8080/users", 22), 1),
    Course("the column's right name", _other("sqlite3 app.db 'SELECT nmae FROM users'", "Error: in prepare, no such column: nmae", "sqlite3 app.db 'SELECT name FROM users'"), 1),
    Course("as another user of the database", _other("psql app -c 'SELECT 1'", 'psql: error: FATAL: role "root" does not exist', "psql -U postgres app -c 'SELECT 1'", 2), 1),
    Course("the right to run", _again("./deploy.sh", "bash: ./deploy.sh: Permission denied", ran("chmod +x deploy.sh"), code=126), 1),
    Course("a blank in quotes", _other("cp My Report.pdf /srv/out", "cp: cannot stat 'My': No such file or directory\ncp: cannot stat 'Report.pdf': No such file or directory", 'cp "My Report.pdf" /srv/out'), 1),
    Course("in the right folder", _other("npm test", "npm error enoent Could not read package.json", "cd web && npm test", 254), 1),
    Course("the syntax is mended", _again("python app.py", "  File \"app.py\", line 3\nSyntaxError: '(' was never closed", edited("app.py", "f(", "f()")), 1),
    Course("more time", _other("timeout 5 make test", "", "timeout 300 make test", 124), 1),
    Course("what it stands in is made", _again("kubectl apply -f deploy.yaml", 'Error from server (NotFound): namespaces "web" not found', ran("kubectl create namespace web")), 1),
    Course("mended by the linter", _other("npm run lint", LINTED, "npm run lint -- --fix"), 1),
    Course("a server that nobody waits for", [ran("npm run serve", 124, "listening on :3000\n[Command timed out after 60s]"), STARTED], 1),
    Course("what is in the way put aside", _again("git checkout topic", "error: Your local changes to the following files would be overwritten by checkout:\n\ta.py\nAborting", ran("git stash")), 1),
    Course("whether it is there or not", _other("helm install web ./chart", "Error: INSTALLATION FAILED: cannot re-use a name that is still in use", "helm upgrade --install web ./chart"), 1),
    Course("another version", _again("pip install -r requirements.txt", "ERROR: No matching distribution found for flask==9.1", edited("requirements.txt", "flask==9.1", "flask==3.1")), 1),
    Course("a marker is made known", _again("pytest tests -q", "'slow' not found in `markers` configuration option", edited("pytest.ini", "markers =", "markers =\n    slow")), 1),
    Course("settings that were missing", _again("npx eslint src", "ESLint couldn't find an eslint.config.js file.", wrote("eslint.config.js", "export default []"), code=2), 1),
]  # fmt: skip
LOOK_ALIKES = [
    Course("begun, and not waited for", [ran("timeout 60 npm run serve", 127, "bash: timeout: command not found"), STARTED], None),
    Course("formatted, and not linted", _other("npm run lint", LINTED, "npm run format"), None),
    Course("formatted where a task runner names what failed", _other("task run lint", "[lint] ERROR task failed", "task run fmt"), None),
    Course("warnings let go by", _other("cargo clippy -- -D warnings", CLIPPED, "cargo clippy", 101), None),
    Course("another task", _other("npm run dev", IN_USE, "npm run build"), None),
    Course("the wait left out", _other("sleep 30; gh run view 7 --json status", BARRED, "gh run view 7 --json status"), None),
    Course("asked sooner", _other("sleep 5 && curl -fsS http://localhost:8080/x", "curl: (7) Failed to connect to localhost port 8080", "curl -fsS http://localhost:8080/x", 7), None),
    Course("another page", _other("curl -fsS http://localhost:8080/users/42", "curl: (22) The requested URL returned error: 404", "curl -fsS http://localhost:8080/health", 22), None),
    Course("another table", _other("sqlite3 app.db 'SELECT * FROM orders'", "Error: in prepare, no such table: orders", "sqlite3 app.db 'SELECT * FROM users'"), None),
    Course("another table of a server", _other("psql app -c 'SELECT * FROM orders'", 'ERROR:  relation "orders" does not exist', "psql app -c 'SELECT * FROM users'"), None),
    Course("the package that is not there left out", _other("pip install nosuchthing requests", "ERROR: No matching distribution found for nosuchthing", "pip install requests"), None),
    Course("without what could not be built", _other("npm install sharp", "npm error sharp: Installation error: make failed", "npm install sharp --ignore-scripts"), None),
    Course("past the hook", _other("git commit -m x", "lint-staged: eslint failed\nhusky - pre-commit hook exited with code 1", "git commit -m x --no-verify"), None),
    Course("a test left out", _other("pytest tests -q", FAILED, "pytest tests -q --ignore=tests/test_a.py"), None),
    Course("a test skipped", _again("pytest tests -q", FAILED, edited("tests/test_a.py", "def test_one():", "@pytest.mark.skip\ndef test_one():")), None),
    Course("settings put in place of others", _again("pytest tests -q", "'base' not found in `markers` configuration option", wrote("pytest.ini", "[pytest]\nmarkers =\n    base\n")), None),
    Course("less strict", _again("npx tsc --noEmit", "src/a.ts(3,5): error TS7006: Parameter 'x' implicitly has an 'any' type.", edited("tsconfig.json", '"strict": true', '"strict": false'), code=2), None),
    Course("a rule turned off", _again("npm run lint", LINTED, edited("eslint.config.js", "rules: {", 'rules: {\n"no-unused-vars": "off",')), None),
    Course("a step that may fail", _again("make test", "FAILED tests/test_a.py::test_x\nmake: *** [Makefile:3: test] Error 1", edited("Makefile", "\tpytest", "\t-pytest"), code=2), None),
    Course("shown, and not deleted", _other("psql app -c 'DELETE FROM users WHERE id=1'", 'ERROR:  update or delete on table "users" violates foreign key constraint', "psql app -c 'SELECT * FROM users WHERE id=1'"), None),
    Course("no tests will do", _again("npm test", NO_SUITE, edited("package.json", '"test": "jest"', '"test": "jest --passWithNoTests"')), None),
    Course("what cannot be had taken off the list", _again("pip install -r requirements.txt", "ERROR: No matching distribution found for nosuch", edited("requirements.txt", "nosuch\n", "")), None),
    Course("looked at", _other("docker build -t app .", "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete", "docker images app"), None),
    Course("vetted, and not tested", _other("go test ./pkg", "--- FAIL: TestA\nFAIL\tx/pkg\t0.1s", "go vet ./pkg"), None),
    Course("a part of the search, elsewhere", _other("rg -n 'func a|return b|c =' src main:src/x.go", "rg: main:src/x.go: No such file or directory (os error 2)", "rg -n 'func a|c =' src lib", 2), None),
    Course("a search that found nothing", [("search_files", {"pattern": "retry|again", "path": "src/app/commands", "context": "5"}, '{"total_count": 0, "error": "Path not found: src/app/commands"}'), ("search_files", {"pattern": "retry|again", "path": "src/app", "file_glob": "a*.py"}, '{"total_count": 0}')], None),
    Course("another search, after one that found nothing", [*_other("rg -n retry src/app/commands", "rg: src/app/commands: No such file or directory (os error 2)", "rg -n retry src/app -g 'a*' | head", 2, ""), ran("rg -n retry src/app -g 'hooks*' | head", 0, "src/app/hooks.py:1:retry")], None),
    Course("just once more", _again("curl -fsS -O https://a.example/x.tgz", "curl: (6) Could not resolve host: a.example", code=6), None),
    Course("another file", _other("cat /etc/shadow", "cat: /etc/shadow: Permission denied", "cat /etc/passwd"), None),
    Course("part of the work", _other("make build && make check", "make: *** [Makefile:9: check] Error 1", "make build", 2), None),
]  # fmt: skip
