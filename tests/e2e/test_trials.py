"""Sessions drawn by a rule in the real agent: the warm ones carry the revision in every request, the cold ones nothing."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.scripted_model import ScriptedModel, Step
from tests.e2e.sparing import settings
from tests.e2e.test_hermes import needs_hermes, run_hermes, warm_tui
from tests.e2e.test_plugin import hermes
from tests.unit.test_request_forms import MESSAGES
from warm_tui.agent.request_forms import FORMS, Asked, with_messages
from warm_tui.library.db import Library
from warm_tui.library.trial_figures import Counted, keep_counted
from warm_tui.library.trials import DUE, SENDING, Circumstances, Draw, notices_of, rule_numbered, statements_of
from warm_tui.paths import Home
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern
from warm_tui.trials.drawing import decide
from warm_tui.trials.figures import Figures
from warm_tui.trials.rules import Beginning

pytestmark = [*needs_hermes, pytest.mark.xdist_group("trials")]

WORK: list[Step] = [[("terminal", {"command": f"echo {at} > made.txt && cat made.txt"})] for at in range(2)]
TASK = "Do what the script says."


def play(home: Path, folder: Path, *words: str) -> list[list[dict[str, Any]]]:
    """The messages of each request for the task, in which the agent has its tools."""
    config = home / "config.yaml"
    text = config.read_text()
    with ScriptedModel(WORK) as model:
        config.write_text(text.replace("http://url", model.url))
        try:
            if words:
                done = hermes(home, *words)
                assert done.returncode == 0, done.stdout + done.stderr
            else:
                run_hermes(home, folder, TASK)
        finally:
            config.write_text(text)
        return [request["messages"] for request in model.requests if request.get("tools")]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the plugin, and a template."""
    home = tmp_path_factory.mktemp("home")
    (home / "config.yaml").write_text(json.dumps(settings("http://url")))
    warm_tui(home, "plugin", "enable", "--yes")
    save_template(home, "made")
    return home


def save_template(home: Path, name: str) -> None:
    pattern = Pattern(tool_name="terminal", arguments={"command": "ls"}, result="src", whose=WRITTEN_BY_HAND)
    TemplateFiles(Home(home, ())).save(new_template(name, [pattern]))


def revision(home: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(f"file:{home}/warm_tui/library.db?mode=ro", uri=True) as library:
        return json.loads(library.execute("SELECT messages FROM revisions ORDER BY at DESC").fetchone()[0])


def draws(home: Path) -> dict[str, tuple[str, str]]:
    with sqlite3.connect(f"file:{home}/warm_tui/library.db?mode=ro", uri=True) as library:
        rows = library.execute("SELECT session_id, template, mode FROM draws ORDER BY at")
        return {row[0]: tuple(row[1:]) for row in rows}


def recorded(home: Path) -> dict[str, list[str]]:
    if not (home / "state.db").exists():
        return {}
    with sqlite3.connect(f"file:{home}/state.db?mode=ro", uri=True) as database:
        sessions: dict[str, list[str]] = {}
        for session, content in database.execute(
            "SELECT session_id, role || ' ' || COALESCE(content, '') FROM messages"
        ):
            sessions.setdefault(session, []).append(content)
        return sessions


def drawn(home: Path, folder: Path, is_warm: bool, *words: str) -> str:
    """One session more, whose requests are warm or cold from the first to the last, and what is recorded neither."""
    before, known = draws(home), recorded(home)
    requests = play(home, folder, *words)
    assert len(requests) == len(WORK) + 1
    told = revision(home) if is_warm else []
    for at, messages in enumerate(requests):
        assert messages[0]["role"] == "system"
        assert messages[1 : 1 + len(told)] == told
        own = messages[1 + len(told) :]
        assert [message["role"] for message in own] == ["user", *["assistant", "tool"] * at]
        assert TASK in json.dumps(own[0])
    ((session, drew),) = draws(home).items() - before.items()
    assert drew == ("made" if is_warm else "", "chat_completions")
    new = {name: rows for name, rows in recorded(home).items() if name not in known}
    assert all(len(rows) == 2 + 2 * len(WORK) for rows in new.values()), "only what the agent did is recorded"
    assert set(new) <= {session}
    return session


@pytest.mark.parametrize("share", [1.0, 0.0], ids=["warm", "cold"])
def test_each_request_of_a_warm_session_carries_the_revision_and_of_a_cold_one_nothing(
    home: Path, tmp_path: Path, share: float
) -> None:
    """Of one question asked by `-z`; those of `chat -q` are looked at below."""
    rule = warm_tui(home, "trials", "add", "made", "--share", str(share), "--holdout", "0")["rule"]["number"]
    try:
        drawn(home, tmp_path, bool(share), "-z", TASK)
    finally:
        warm_tui(home, "trials", "remove", str(rule))


def test_a_session_that_is_gone_on_with_stays_as_it_began(home: Path, tmp_path: Path) -> None:
    rule = warm_tui(home, "trials", "add", "made", "--share", "1", "--holdout", "0")["rule"]["number"]
    session = drawn(home, tmp_path, True)
    known = draws(home)
    warm_tui(home, "trials", "remove", str(rule))
    file = home / "warm_sessions" / "made.json"
    file.rename(file.with_name("renamed.json"))
    try:
        requests = play(home, tmp_path, "chat", "--resume", session, "-q", TASK, "-Q", "--yolo")
    finally:
        file.with_name("renamed.json").rename(file)
    told = revision(home)
    assert all(messages[1 : 1 + len(told)] == told for messages in requests)
    assert draws(home) == known
    harmful = with_shown_harm(home)
    drawn(home, tmp_path, False)
    assert switched_off(home, harmful).startswith("not sent: "), "by the real `hermes send`, that knows no such place"


def with_shown_harm(home: Path) -> int:
    """A rule by which all draw cold from now on, and what it drew before, when half drew warm."""
    number = warm_tui(home, "trials", "add", "made", "--share", "0", "--holdout", "0")["rule"]["number"]
    warm_tui(home, "trials", "notify", "nowhere:1")
    with Library(home / "warm_tui" / "library.db") as library:
        rule = rule_numbered(library, number)
        drawn = [decide(Beginning(f"before {at}"), (rule._replace(share=0.5),)) for at in range(120)]
        with library.writing() as connection:
            # Trials were looked at a moment ago, when the session before came to its end.
            connection.execute("DELETE FROM looks")
            for at, each in enumerate(drawn):
                assert each is not None
                for sql, values in statements_of(Draw(each, Circumstances("cli", "m", "chat_completions", at))):
                    connection.execute(sql, values)
        counted = [Counted(each.session_id, 1.0, Figures(5 if each.content else 1, 10)) for each in drawn if each]
        keep_counted(library, counted, [])
    return number


def switched_off(home: Path, number: int) -> str:
    """By the process that the agent began at the end of its session, and what came of telling that."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with Library(home / "warm_tui" / "library.db") as library:
            (notice, *_) = notices_of(library) or [None]
            if notice is not None and notice.outcome not in (DUE, SENDING):
                assert not rule_numbered(library, number).running
                return notice.outcome
        time.sleep(0.2)
    raise AssertionError("nobody noticed")


def test_by_the_file_and_by_rules_is_one_too_many(home: Path) -> None:
    rule = warm_tui(home, "trials", "add", "made", "--share", "1", "--holdout", "0")["rule"]["number"]
    assert (
        "draws which sessions begin warm"
        in json.loads(hermes(home, "warm", "activate", "made", "--yes", "--json").stdout)["error"]
    )
    warm_tui(home, "trials", "pause", str(rule))
    warm_tui(home, "activate", "made", "--yes")
    assert "is active" in json.loads(hermes(home, "warm", "trials", "resume", str(rule), "--json").stdout)["error"]
    warm_tui(home, "deactivate", "--yes")
    warm_tui(home, "trials", "remove", str(rule))


def test_the_forms_are_those_that_hermes_itself_makes() -> None:
    """Its own converters, given the same conversation."""
    from agent.anthropic_adapter import convert_messages_to_anthropic
    from agent.bedrock_adapter import convert_messages_to_converse
    from agent.codex_responses_adapter import _chat_messages_to_responses_input

    words = {"role": "user", "content": "Deploy."}
    conversation = [{"role": "system", "content": "You are."}, *MESSAGES, words]
    theirs = {
        "chat_completions": conversation[1:],
        "anthropic_messages": convert_messages_to_anthropic(conversation)[1],
        "codex_responses": _chat_messages_to_responses_input(conversation),
        "bedrock_converse": convert_messages_to_converse(conversation)[1],
    }
    assert theirs.keys() == FORMS.keys()
    for mode, told in theirs.items():
        own = {FORMS[mode].place: [told[-1]]}
        ours = with_messages(Asked(own, mode), MESSAGES)[FORMS[mode].place]
        assert plain(ours) == plain(told), mode


def plain(items: list[dict[str, Any]]) -> list[Any]:
    """Text alone or as one block is the same; of a call that says nothing, empty words are."""
    made: list[Any] = []
    for item in items:
        content = item.get("content")
        if isinstance(content, list) and all(block.get("type") == "text" for block in content):
            item = {**item, "content": "".join(block["text"] for block in content)}
        if item.get("role") == "assistant" and content == "" and "tool_calls" not in item:
            continue
        made.append(item)
    return made
