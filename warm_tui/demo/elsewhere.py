"""The sessions of other agents in the sample: a few of each, in the forms those write."""

from __future__ import annotations

import json
from pathlib import Path

from warm_tui.demo.other_agents import REJECTED, Claude, Codex, exited, opencode_session, opencode_tool, running
from warm_tui.writing import write_whole

DAY = 86_400.0
SHOP, SITE = "/home/dev/shop", "/home/dev/site"
CLAUDE, CODEX, OPENCODE = ".claude", ".codex", "opencode"


def add_other_agents(folder: Path, now: float) -> tuple[Path, ...]:
    """The places in which they stand."""
    for claude in (_refactoring(now - 3.2 * DAY), _review(now - 1.4 * DAY)):
        claude.write(folder / CLAUDE)
    for codex in (_flaky_test(now - 2.6 * DAY), _release(now - 0.7 * DAY)):
        codex.write(folder / CODEX)
    exports = folder / OPENCODE
    exports.mkdir(exist_ok=True)
    for session in (_landing_page(now - 4.1 * DAY), _broken_links(now - 0.3 * DAY)):
        write_whole(exports / f"{session['info']['id']}.json", json.dumps(session))
    return folder / CLAUDE / "projects", folder / CODEX / "sessions", exports


def _refactoring(began: float) -> Claude:
    told = Claude("5f0c2a7e-demo", SHOP, began).says("Move the price rules into a module of their own.")
    told.calls("r1", "Grep", pattern="price_rule", path="shop").gets("r1", "Found 4 files\nshop/cart.py\nshop/rules.py")
    told.calls("r2", "Read", file_path=f"{SHOP}/shop/cart.py").gets("r2", "     1→from shop import rules")
    told.calls("r3", "Edit", file_path=f"{SHOP}/shop/cart.py", old_string="import rule", new_string="import rules")
    told.gets("r3", "<tool_use_error>String to replace not found in file.</tool_use_error>", error=True)
    told.calls("r4", "Edit", file_path=f"{SHOP}/shop/cart.py", old_string="import rules", new_string="import prices")
    told.gets("r4", "The file has been updated.")
    told.runs("r5", "1 failed, 41 passed in 3.10s", code=1, command="pytest -q")
    told.compacts(
        "This session is being continued from a previous conversation.\n\nThe rules were moved; one test fails."
    )
    told.runs("r6", "42 passed in 3.02s", command="pytest -q")
    return told.runs("r7", "[main 1f2e3d4] Move the price rules", command="git commit -am 'Move the price rules'")


def _review(began: float) -> Claude:
    told = Claude("9b1d44c0-demo", SHOP, began).says("Review the checkout branch.")
    told.runs("v1", " shop/checkout.py | 40 ++++--", command="git diff --stat main")
    told.calls("v2", "Task", prompt="Look for callers of pay()").agent_does(
        "a7", "v2a", "shop/checkout.py:12: pay(total)"
    )
    told.gets("v2", "It is called in one place.")
    told.runs("v3", "ok\nFAIL\tshop/checkout\t0.2s\nFAIL", command="go test ./... 2>&1 | tail -3")
    return told.calls("v4", command="git push --force").gets("v4", REJECTED, error=True)


def _flaky_test(began: float) -> Codex:
    told = Codex("019a-demo-1", began).says("Why does the mail test fail now and then?")
    told.runs("f1", "tests/test_mail.py:31: assert sent", command="rg -n 'assert sent' tests")
    told.calls("f2", cmd="pytest -q --count 50 tests/test_mail.py").gets("f2", running(4))
    told.calls("f3", "write_stdin", session_id=4, chars="").gets("f3", exited(1, "2 failed, 48 passed in 31.2s"))
    told.runs("f4", "50 passed in 30.9s", command="pytest -q --count 50 tests/test_mail.py")
    return told.runs("f5", "nothing", code=1, command="rg -n 'sleep' tests/test_mail.py")


def _release(began: float) -> Codex:
    told = Codex("019b-demo-2", began).says("Make the release notes.")
    told.runs("n1", "v1.4.0", command="git describe --tags")
    told.runs("n2", "fatal: ambiguous argument 'v1.5.0'", code=128, command="git log v1.4.0..v1.5.0")
    return told.runs("n3", "a1b2c3 Faster search", command="git log --oneline v1.4.0..HEAD")


def _landing_page(began: float) -> dict:  # type: ignore[type-arg]
    replies = [
        [opencode_tool("p1", "read", input={"filePath": f"{SITE}/index.html"}, output="<h1>Shop</h1>")],
        [opencode_tool("p2", input={"command": "npm run build"}, output="vite: not found", metadata={"exit": 127})],
        [opencode_tool("p3", input={"command": "npm ci"}, output="added 210 packages", metadata={"exit": 0})],
        [opencode_tool("p4", input={"command": "npm run build"}, output="built in 2.1s", metadata={"exit": 0})],
    ]
    return opencode_session("ses_demo_page", *replies, began=began, title="A landing page", directory=SITE)


def _broken_links(began: float) -> dict:  # type: ignore[type-arg]
    replies = [
        [opencode_tool("l1", "glob", input={"pattern": "**/*.html"}, output="index.html\nabout.html")],
        [opencode_tool("l2", "read", "error", input={"filePath": f"{SITE}/abuot.html"}, error="File not found")],
        [opencode_tool("l3", "read", input={"filePath": f"{SITE}/about.html"}, output="<a href='/team'>Team</a>")],
    ]
    return opencode_session("ses_demo_links", *replies, began=began, title="Find broken links", directory=SITE)
