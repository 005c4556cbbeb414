"""The commands on templates: their JSON is a contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.commands import at, document, run
from warm_tui.library.db import open_library
from warm_tui.library.uses import usage, warm_windows
from warm_tui.paths import Home
from warm_tui.screens.templates.template_shelf import read_shelf
from warm_tui.templates.conversation import validate

TEMPLATE_FIELDS = {
    "name", "description", "tags", "pattern_count", "created_at", "version", "format", "task_type", "usage_count", "path",
}  # fmt: skip


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


def refused(*words: str) -> str:
    done = run(*words, "--json", check=False)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["success"] is False
    assert told["error"] in done.stderr
    return str(told["error"])


def test_build(demo: Home) -> None:
    built = document(
        *at(demo), "build", "mine", "--min-messages", "20", "--tag", "a", "--tag", "b", "--max-patterns", "6"
    )
    assert built["name"] == "mine"
    assert built["pattern_count"] == 6
    assert {"sessions_scanned", "sessions_qualified", "total_patterns", "avg_proficiency_gain"} <= built[
        "metrics"
    ].keys()
    assert all(pattern["why"] for pattern in built["patterns"])
    (row,) = [row for row in document(*at(demo), "list", "--tag", "b")["templates"] if row["name"] == "mine"]
    assert row.keys() == TEMPLATE_FIELDS
    assert (row["format"], row["version"], row["usage_count"], row["tags"]) == ("version 2", 2, 0, ["a", "b"])


def test_build_does_not_take_a_name_in_use(demo: Home) -> None:
    assert "already" in refused(*at(demo), "build", "careful-work")
    document(*at(demo), "build", "careful-work", "--replace", "--max-patterns", "2", "--min-messages", "5")
    assert document(*at(demo), "load", "careful-work")["pattern_count"] == 2


def test_build_by_hand(demo: Home) -> None:
    (session,) = document(*at(demo), "sessions", "--limit", "1")["sessions"]
    calls = document(*at(demo), "calls", session["session_id"])["calls"]
    good = [call["tool_call_id"] for call in calls if call["kind"] == "ok"][:3][::-1]
    document(*at(demo), "build", "hand", *(word for call in good for word in ("--call", call)))
    told = document(*at(demo), "load", "hand", "--full", "--provider", "openai")
    names = [call["tool_name"] for wanted in good for call in calls if call["tool_call_id"] == wanted]
    assert [m["tool_calls"][0]["function"]["name"] for m in told["conversation"] if m.get("tool_calls")] == names
    bad = next(call["tool_call_id"] for call in calls if call["outcome"] == "failure")
    assert "failed" in refused(*at(demo), "build", "hand2", "--call", bad)


def test_build_says_why_it_found_nothing(demo: Home) -> None:
    assert "0 qualified" in refused(*at(demo), "build", "none", "--min-messages", "100000")
    assert "cannot be a template's name" in refused(*at(demo), "build", "../escape")


@pytest.mark.parametrize("provider", ["openai", "anthropic", "mistral", "gemini"])
@pytest.mark.parametrize("name", ["careful-work", "log-triage", "notes"])
def test_load(demo: Home, name: str, provider: str) -> None:
    told = document(*at(demo), "load", name, "--provider", provider, "--full")
    assert told.keys() >= {
        "name", "message_count", "pattern_count", "tokens", "tokens_exact", "problems", "conversation_preview",
    }  # fmt: skip
    assert len(told["conversation"]) == told["message_count"]
    assert [p["role"] for p in told["conversation_preview"]] == [m["role"] for m in told["conversation"][:6]]
    assert all(len(preview["content_preview"]) <= 100 for preview in told["conversation_preview"])
    assert validate(told["conversation"], provider) == []
    assert told["problems"] == []
    assert told["tokens"] > 0


def test_load_writes_a_file_for_the_agent_and_counts_the_use(demo: Home, tmp_path: Path) -> None:
    output = tmp_path / "out" / "prefill.json"
    told = document(*at(demo), "load", "notes", "--output", str(output), "--full", "--allow-outside")
    assert json.loads(output.read_text()) == told["conversation"]
    assert document(*at(demo), "list", "--type", "file")["templates"][0]["usage_count"] == 1


def test_delete(demo: Home) -> None:
    assert "notes" in document(*at(demo), "delete", "notes")["message"]
    assert refused(*at(demo), "load", "notes") == "Template 'notes' not found."
    assert refused(*at(demo), "delete", "notes") == "Template 'notes' not found."


def test_uses_are_the_sessions_begun_warm_as_on_the_templates_screen(demo: Home) -> None:
    header, *lines = run(*at(demo), "list").stdout.splitlines()
    names = header.split()
    assert "used" not in names
    (uses,) = [line.split()[names.index("uses")] for line in lines if line.startswith("log-triage")]
    (row,) = [row for row in read_shelf(demo).rows if row.name == "log-triage"]
    assert (int(uses), row.begun_warm > 0) == (row.begun_warm, True)
    assert document(*at(demo), "list")["templates"][0].keys() >= {"usage_count"}, "what scripts rely on stays"


def test_get_names_the_least_used(demo: Home) -> None:
    document(*at(demo), "build", "files", "--min-messages", "5")
    mixed = [row["name"] for row in document(*at(demo), "list", "--type", "mixed")["templates"]]
    first = document(*at(demo), "get", "--type", "mixed")["name"]
    assert first == sorted(mixed)[0]
    run(*at(demo), "activate", first, "--yes")
    assert document(*at(demo), "get", "--type", "mixed")["name"] != first
    assert "No template is for 'research'" in refused(*at(demo), "get", "--type", "research")


def test_inject(demo: Home, tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    system, words = {"role": "system", "content": "s"}, {"role": "user", "content": "u"}
    file.write_text(json.dumps([system, system, words]))
    assert "from outside that nobody has read" in refused(*at(demo), "inject", "notes", str(file))
    messages = document(*at(demo), "inject", "notes", str(file), "--allow-outside")["messages"]
    conversation = document(*at(demo), "load", "notes", "--full")["conversation"]
    assert messages == [system, system, *conversation, words]
    with open_library(demo.library) as library:
        assert usage(library) == {"notes": 1, "log-triage": 1}, "and the demo's own"
    file.write_text('{"role": "user"}')
    assert "no list of messages" in refused(*at(demo), "inject", "notes", str(file))
    assert "cannot be read" in refused(*at(demo), "inject", "notes", str(tmp_path / "none.json"))


def test_inject_numbers_on_and_says_what_is_wrong(demo: Home, tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps([{"role": "user", "content": "u"}]))
    once = document(*at(demo), "inject", "notes", str(file), "--provider", "openai", "--allow-outside")
    assert once["problems"] == []
    file.write_text(json.dumps(once["messages"]))
    twice = document(*at(demo), "inject", "notes", str(file), "--provider", "openai")
    assert twice["problems"] == []
    ids = [call["id"] for message in twice["messages"] for call in message.get("tool_calls", ())]
    assert len(ids) == len(set(ids)) == 4
    file.write_text(
        json.dumps([{"role": "tool", "tool_call_id": "x", "content": "y"}, {"role": "user", "content": "u"}])
    )
    assert "answers no call" in document(*at(demo), "inject", "notes", str(file))["problems"][0]["problem"]
    for odd in ("NaN", "1e999"):
        file.write_text('[{"role": "user", "content": ' + odd + "}]")
        assert "is not JSON" in refused(*at(demo), "inject", "notes", str(file))


def test_neutral_paths(demo: Home, record) -> None:
    from tests.conftest import assistant, result, user

    told = '{"output": "-rw-r--r-- ada ada notes on adaptation", "exit_code": 0, "error": null}'
    call = assistant(("c1", "terminal", {"command": "ls -l /home/ada/src"}))
    path = record({"s": [user("Look."), call, result("c1", told)]}, name="n.db")
    document("--home", str(demo.root), "--db", str(path), "build", "neutral", "--session", "s", "--neutral-paths")
    kept = (demo.root / "warm_sessions" / "neutral.json").read_text()
    assert "/home/user/src" in kept
    assert "user user notes on adaptation" in kept, "the name, and nothing that only contains it"
    assert "ada " not in kept


def test_a_small_window_is_told_when_activating(demo: Home) -> None:
    (demo.root / "config.yaml").write_text("model: {default: m, context_length: 8000}\n")
    told = run(*at(demo), "activate", "careful-work", "--yes").stderr
    assert "window of 8,000 tokens is small" in told
    assert "of the model's window" in told


def test_how_much_of_the_window_it_may_take_can_be_set(demo: Home) -> None:
    (demo.root / "config.yaml").write_text("model: {default: m, context_length: 128000}\n")
    assert document(*at(demo), "load", "careful-work")["problems"] == []
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text("window_share = 0.001\n")
    (problem,) = document(*at(demo), "load", "careful-work")["problems"]
    assert "more than 0.1%" in problem["problem"]


def test_a_locked_library_keeps_nobody_warm(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.library.db.BUSY_SECONDS", 0.1)
    import sqlite3

    before = (demo.root / "config.yaml").read_bytes()
    document(*at(demo), "activate", "careful-work", "--yes")
    lock = sqlite3.connect(demo.library, isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    done = run(*at(demo), "deactivate", "--yes", "--json")
    lock.close()
    assert json.loads(done.stdout)["changed"] is True
    assert (demo.root / "config.yaml").read_bytes() == before
    assert "not noted" in done.stderr or "in use" in done.stderr


def test_stats(demo: Home) -> None:
    assert document(*at(demo), "stats") == {
        "success": True, "total": 3, "by_type": {"file": 1, "mixed": 2}, "total_examples": 12, "total_usage": 1,
    }  # fmt: skip


def test_activate_and_deactivate(demo: Home) -> None:
    config = demo.root / "config.yaml"
    before = config.read_bytes()
    told = document(*at(demo), "activate", "careful-work", "--yes")
    given = {way["way"]: (way["template"], way["messages"] > 0, way["why"]) for way in told.pop("next_sessions")}
    assert given == {
        **dict.fromkeys(("command line", "gateway", "cron"), ("careful-work", True, "")),
        **dict.fromkeys(("hermes -z", "TUI", "API server"), ("", False, "it takes no first messages")),
    }
    assert told == {
        "running": [],
        "success": True,
        "prefill_file": str(demo.root / "warm_tui" / "prefill.json"),
        "config_file": str(config),
        "changed": True,
    }
    assert (
        json.loads(Path(told["prefill_file"]).read_text())
        == document(*at(demo), "load", "careful-work", "--full")["conversation"]
    )
    assert document(*at(demo), "activate", "careful-work", "--yes")["changed"] is False
    with open_library(demo.library) as library:
        assert [window.end is None for window in warm_windows(library)] == [False, False, True]
    assert document(*at(demo), "deactivate", "--yes")["changed"] is True
    assert config.read_bytes() == before
    with open_library(demo.library) as library:
        assert all(window.end for window in warm_windows(library))
    assert document(*at(demo), "deactivate", "--yes")["changed"] is False


@pytest.mark.parametrize("words", [("activate", "careful-work"), ("deactivate",)])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_change_is_shown_first_and_not_made_where_nobody_can_answer(
    demo: Home, words: tuple[str, ...], form
) -> None:
    if words[0] == "deactivate":
        document(*at(demo), "activate", "careful-work", "--yes")
    before = (demo.root / "config.yaml").read_bytes()
    asked = run(*at(demo), *words, *form, check=False)
    assert "prefill_messages_file:" in asked.stderr
    assert "--yes changes it without asking" in asked.stderr
    assert asked.returncode == 1
    assert (demo.root / "config.yaml").read_bytes() == before


def test_a_template_with_a_secret_is_not_let_out(demo: Home, tmp_path: Path) -> None:
    leaking = {
        "patterns": [
            {"tool_name": "terminal", "arguments": {"command": "x"}, "result_summary": "DB_PASSWORD=" + "q8Zr41LmPx0"}
        ]
    }
    (demo.root / "warm_sessions" / "leak.json").write_text(json.dumps(leaking))
    config = (demo.root / "config.yaml").read_bytes()
    output = tmp_path / "out.json"
    for words in (["activate", "leak"], ["load", "leak", "--output", str(output)]):
        told = refused(*at(demo), *words)
        assert "pattern 1, result" in told
        assert "q8Zr41LmPx0" not in told
    assert (demo.root / "config.yaml").read_bytes() == config
    assert not output.exists()
    assert any("A secret stands" in p["problem"] for p in document(*at(demo), "load", "leak")["problems"])
    assert document(*at(demo), "activate", "leak", "--allow-secrets", "--allow-outside", "--yes")["changed"]


def test_build_masks_what_is_secret(demo: Home, record) -> None:
    from tests.conftest import assistant, result, user

    token = "ghp" + "_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
    path = record(
        {"s": [user(f"Push with {token}."), assistant(("c1", "terminal", {"command": f"git push https://x:{token}@h/r"})), result("c1")]},
        name="leak.db",
    )  # fmt: skip
    built = document("--home", str(demo.root), "--db", str(path), "build", "pushed", "--session", "s")
    assert built["secrets_masked"] == 1
    assert token not in (demo.root / "warm_sessions" / "pushed.json").read_text()


def test_damaged_templates_are_told_and_the_rest_is_listed(demo: Home) -> None:
    (demo.root / "warm_sessions" / "half.json").write_text('{"patterns": [')
    done = run(*at(demo), "list", "--json")
    assert json.loads(done.stdout)["count"] == 3
    assert "half.json is damaged" in done.stderr
    assert "is damaged" in refused(*at(demo), "load", "half")
