"""Sessions warmed at their requests: drawn once, written down before anything is sent, and cold whatever goes wrong."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from tests.unit.test_plugin import Context
from tests.unit.test_plugin import agents_home as agents_home
from tests.unit.test_request_forms import MESSAGES, OWN
from warm_tui.agent import warming
from warm_tui.agent.plugin import register
from warm_tui.agent.recording import unrecorded
from warm_tui.library.db import Library
from warm_tui.library.trials import decision_of, draws_of, keep_rule, move_rule, remove_rule, rules_of
from warm_tui.library.warmth import WarmthIndex
from warm_tui.paths import Home
from warm_tui.trials.drawing import Decision
from warm_tui.trials.rules import Revision, Rule, When

CONTENT = "c0ffee"
EVERYONE = Rule(0, When(), (Revision("careful", CONTENT),), "salt", share=1.0, holdout=0.0)
MODE = "chat_completions"
WARM = [OWN[MODE]["messages"][0], *MESSAGES, OWN[MODE]["messages"][1]]


def add(home: Home, rule: Rule = EVERYONE) -> Rule:
    with Library(home.library) as library:
        return keep_rule(library, rule, {each.content: MESSAGES for each in rule.revisions})


def drawn(home: Home, session_id: str) -> Decision | None:
    with Library(home.library) as library:
        return decision_of(library.connection, session_id)


class Agent:
    """A process of the agent, as far as its requests go."""

    def __init__(self) -> None:
        context = Context()
        register(context)
        self._context = context
        self.hook = context.hook
        self.slash: Callable[[str], str] = context.given["register_command warm"][0][1]

    @property
    def times_asked(self) -> int:
        return self._context.taken.count("register_middleware llm_request")

    @property
    def middleware(self) -> Callable[..., dict[str, Any] | None] | None:
        """None as long as it did not ask to see requests."""
        asked = self._context.given.get("register_middleware llm_request")
        return asked[0][1] if asked else None

    def ask(
        self, session_id: str, request: dict[str, Any] = OWN[MODE], mode: str = MODE, **about: str
    ) -> dict[str, Any]:
        told = {"platform": "cli", "model": "m", "provider": "custom", "base_url": "", "api_mode": mode} | about
        self.hook("pre_llm_call")(session_id=session_id, conversation_history=[])
        see = self.middleware
        changed = see(request=request, session_id=session_id, api_call_count=1, **told) if see else None
        return changed["request"] if changed else request


def session_row(
    home: Home, session_id: str, parent: str | None = None, source: str = "cli", cwd: str = "/work"
) -> None:
    with sqlite3.connect(home.root / "state.db") as database:
        there = {row[1] for row in database.execute("PRAGMA table_info(sessions)")}
        values = {"id": session_id, "source": source, "parent_session_id": parent, "cwd": cwd, "started_at": 1.0}
        values = {name: value for name, value in values.items() if name in there}
        places = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO sessions ({', '.join(values)}) VALUES ({places})", tuple(values.values()))


def test_a_warm_session_gets_the_revision_at_each_request_and_a_cold_one_nothing(demo: Home) -> None:
    add(demo, EVERYONE._replace(share=0.5))
    agent, other = Agent(), Agent()
    sent = {f"s{n}": agent.ask(f"s{n}") for n in range(20)}
    decisions = {name: drawn(demo, name) for name in sent}
    assert {bool(each and each.content) for each in decisions.values()} == {True, False}
    for name, decision in decisions.items():
        assert decision is not None
        assert decision.drawn, "that it drew cold is written down as well"
        assert sent[name]["messages"] == (WARM if decision.content else OWN[MODE]["messages"])
        later = {**OWN[MODE], "messages": [*OWN[MODE]["messages"], {"role": "assistant", "content": "Yes."}]}
        assert agent.ask(name, later)["messages"][:-1] == sent[name]["messages"]
        assert other.ask(name, later)["messages"][:-1] == sent[name]["messages"], "resumed in another process"


def test_requests_are_seen_only_where_there_is_something_to_put_in(demo: Home) -> None:
    """For Hermes copies each one as soon as somebody wants to see them. An agent that lives long notices a new rule."""
    with Library(demo.library):
        pass
    agent = Agent()
    assert (agent.ask("s"), agent.middleware) == (OWN[MODE], None)
    rule = add(demo)
    with Library(demo.library) as library:
        assert draws_of(library) == []
    assert agent.ask("t")["messages"] == WARM
    session_row(demo, "child of t", parent="t")
    with Library(demo.library) as library:
        remove_rule(library, rule.number)
    for name, wanted in (("s", False), ("another", False), ("t", True), ("child of t", True)):
        fresh = Agent()
        assert (fresh.ask(name)["messages"] == WARM) is wanted, name
        assert (fresh.middleware is not None) is wanted, name


def test_two_chats_that_notice_a_rule_at_once_are_warmed_once(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library(demo.library):
        pass
    agent = Agent()
    together, wanted = Barrier(2), warming.Warming.is_wanted
    add(demo)

    def at_once(*given: Any) -> bool:
        together.wait()
        return wanted(*given)

    monkeypatch.setattr(warming.Warming, "is_wanted", at_once)
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda name: agent.hook("pre_llm_call")(session_id=name), "ab"))
    assert agent.times_asked == 1


def test_what_is_kept_of_a_draw(demo: Home) -> None:
    rule = add(demo, EVERYONE._replace(share=0.8))
    session_row(demo, "s", source="nightly")
    agent = Agent()
    agent.hook("on_session_start")(session_id="s", model="big", platform="cron")
    agent.ask("s", platform="cron", model="big")
    with Library(demo.library) as library:
        (kept,) = draws_of(library)
        assert WarmthIndex(library).of("s", 0.0).template == kept.decision.template
    assert (kept.decision.rule, kept.decision.root, dict(kept.decision.chances)) == (rule.number, "s", {CONTENT: 0.8})
    assert kept.circumstances[:3] == ("cron", "big", MODE)


def test_a_session_that_drew_warm_began_with_the_template(demo: Home) -> None:
    add(demo)
    agent = Agent()
    agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
    agent.ask("s")
    agent.hook("pre_api_request")(session_id="s", message_count=2, conversation_history=[{}])
    with Library(demo.library) as library:
        assert WarmthIndex(library).of("s", 0.0) == ("careful", True)


def test_rules_are_asked_by_what_the_agent_wrote_down_of_the_session(demo: Home) -> None:
    add(demo, EVERYONE._replace(when=When(source="nightly", folder="/work", words="deploy", model="big")))
    session_row(demo, "mine", source="nightly", cwd="/work/shop")
    session_row(demo, "elsewhere", source="nightly", cwd="/home")
    agent = Agent()
    assert agent.ask("mine", model="big-1")["messages"] == WARM
    assert agent.ask("elsewhere", model="big-1") == OWN[MODE]
    assert drawn(demo, "elsewhere") is None, "no rule is for it"


def test_what_a_session_comes_from_decides_for_it(demo: Home) -> None:
    number = add(demo).number
    agent = Agent()
    agent.ask("first")
    session_row(demo, "second", parent="first")
    session_row(demo, "helper", parent="second")
    summary = {
        **OWN[MODE],
        "messages": [OWN[MODE]["messages"][0], {"role": "user", "content": "[CONTEXT COMPACTION] ..."}],
    }
    with Library(demo.library) as library:
        remove_rule(library, number)
    for name in ("second", "helper"):
        assert agent.ask(name, summary)["messages"][1:-1] == MESSAGES
        decision = drawn(demo, name)
        assert decision is not None
        assert (decision.root, decision.content) == ("first", CONTENT)
    with Library(demo.library) as library:
        assert [each.decision.session_id for each in draws_of(library)] == ["first"], "who drew itself"


def test_a_template_that_changes_or_goes_changes_no_session(demo: Home) -> None:
    rule = add(demo)
    agent = Agent()
    agent.ask("old")
    with Library(demo.library) as library:
        keep_rule(library, rule._replace(revisions=(Revision("careful", "newer"),)), {"newer": MESSAGES[:1]})
    assert [agent.ask(name)["messages"] for name in ("old", "new")] == [
        WARM, [WARM[0], MESSAGES[0], WARM[-1]],
    ]  # fmt: skip
    assert Agent().ask("old")["messages"] == WARM


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (EVERYONE._replace(share=0.9), "This session drew warm with careful, by rule 1, as 90% do."),
        (EVERYONE._replace(share=0.9, salt="cold 2"), "This session drew cold, by rule 1, as 10% do."),
    ],
)
def test_whoever_is_in_a_session_may_ask_what_it_drew(demo: Home, rule: Rule, told: str) -> None:
    add(demo, rule)
    agent = Agent()
    agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
    assert agent.slash("").startswith("This session began cold."), "before its first request"
    agent.ask("s")
    assert agent.slash("").startswith(f"{told} The next ones are drawn by rules.")


def test_a_session_that_was_not_drawn_is_told_why(demo: Home) -> None:
    add(demo)
    agent = Agent()
    agent.hook("on_session_start")(session_id="s", model="m", platform="cli")
    agent.ask("s", {**OWN[MODE], "tools": []})
    assert agent.slash("status").startswith("This session began cold and counts in no trial: it is given no tools.")


# --- cold, and why ---


def begun(_: Home) -> dict[str, Any]:
    return {"request": {**OWN[MODE], "messages": WARM}}


def without_tools(_: Home) -> dict[str, Any]:
    return {"request": {**OWN[MODE], "tools": []}}


def other_form(_: Home) -> dict[str, Any]:
    return {"mode": "something_new"}


def of_another(demo: Home) -> dict[str, Any]:
    session_row(demo, "s", parent="never drawn")
    return {}


def no_messages(demo: Home) -> dict[str, Any]:
    with Library(demo.library) as library, library.keeping() as connection:
        connection.execute("DELETE FROM revisions")
    return {}


def unreadable(demo: Home) -> dict[str, Any]:
    (demo.root / "state.db").write_bytes(b"no database at all" * 99)
    return {}


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (begun, warming.BEGUN), (without_tools, warming.NO_TOOLS), (other_form, warming.UNKNOWN_FORM),
        (of_another, warming.OF_ANOTHER), (no_messages, warming.NO_MESSAGES), (unreadable, warming.UNREADABLE),
    ],
)  # fmt: skip
def test_a_session_that_cannot_be_drawn_stays_cold_and_is_in_no_arm(
    demo: Home, spoil: Callable[[Home], dict[str, Any]], reason: str
) -> None:
    add(demo)
    told = spoil(demo)
    agent = Agent()
    assert agent.ask("s", **told) == told.get("request", OWN[MODE])
    decision = drawn(demo, "s")
    assert decision is not None
    assert (decision.drawn, decision.content, decision.reason) == (False, "", reason)
    assert agent.ask("s") == OWN[MODE], "from its start to its end"


def test_a_failure_of_ours_is_not_the_agents(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    add(demo)
    agent = Agent()
    with monkeypatch.context() as broken:
        broken.setattr(warming, "decide", lambda *_: 1 / 0)
        assert agent.ask("s") == OWN[MODE]
    assert agent.ask("s") == OWN[MODE], "not warmed in its midst"
    assert unrecorded(demo) == ["s"], "nobody knows what it would have drawn"
    assert agent.ask("next")["messages"] == WARM
    assert agent.middleware is not None
    assert agent.middleware(request="no request", session_id="s") is None
    assert agent.middleware(request=OWN[MODE]) is None


def test_two_processes_agree_on_what_a_session_drew(demo: Home) -> None:
    """The one that is second, after the rule was changed, is told what the first has written down."""
    rule = add(demo)
    first, second = Agent(), Agent()
    assert first.ask("s")["messages"] == WARM
    with Library(demo.library) as library:
        keep_rule(library, rule._replace(share=0.0))
    assert second.ask("s")["messages"] == WARM
    assert second.ask("new") == OWN[MODE]


def test_nothing_heavy_is_imported_to_draw(demo: Home) -> None:
    add(demo)
    script = f"""
import json, sys
from tests.unit.test_request_forms import OWN
for name in [n for n in sys.modules if n.split(".")[0] in ("pytest", "hypothesis", "msgspec", "numpy", "rich", "click", "ruamel", "warm_tui")]:
    del sys.modules[name]
import warm_tui.agent.plugin as plugin
taken = {{}}
class Context:
    def __getattr__(self, name):
        return lambda *words, **named: taken.update({{name: words}})
plugin.register(Context())
changed = taken["register_middleware"][1](request=OWN[{MODE!r}], session_id="s", api_mode={MODE!r})
heavy = ("textual", "scipy", "numpy", "rich", "sqlite_utils", "click", "ruamel.yaml", "msgspec")
print(json.dumps([len(changed["request"]["messages"]), [name for name in heavy if name in sys.modules]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert json.loads(done.stdout) == [len(WARM), []]


def test_killed_at_any_moment_no_warm_session_is_without_its_record_and_none_has_two(
    demo: Home, tmp_path: Path
) -> None:
    """Each session is named in a file once its request came back: what would be sent is written down before."""
    add(demo, EVERYONE._replace(share=0.5))
    script = f"""
import os, sys
from tests.unit.test_plugin import Context
from tests.unit.test_request_forms import OWN
from warm_tui.agent.plugin import register
context = Context()
register(context)
ask = context.given["register_middleware llm_request"][0][1]
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for n in range(100_000):
    changed = ask(request=OWN[{MODE!r}], session_id=f"{{sys.argv[2]}}-{{n}}", api_mode={MODE!r})
    os.write(out, f"{{sys.argv[2]}}-{{n}} {{int(changed is not None)}}\\n".encode())
    if n == 3:
        print("begun", flush=True)
"""
    log = tmp_path / "sent"
    for turn in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(log), str(turn)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    sent = {name: warm == "1" for name, warm in (line.split() for line in log.read_text().splitlines())}
    with Library(demo.library) as library:
        kept = {each.decision.session_id: bool(each.decision.content) for each in draws_of(library)}
    assert len(sent) >= 20
    assert sent.items() <= kept.items()
    assert len(kept) - len(sent) <= 5, "written down, and killed before it was sent"


# --- the list of rules ---


def test_rules_are_kept_in_the_order_they_are_put_in(demo: Home) -> None:
    numbers = [add(demo, EVERYONE._replace(salt="")).number for _ in range(3)]
    assert numbers == [1, 2, 3]
    with Library(demo.library) as library:
        assert len({rule.salt for rule in rules_of(library.connection)}) == 3
        assert [rule.number for rule in move_rule(library, 3, 1)] == [3, 1, 2]
        assert [rule.number for rule in move_rule(library, 3, 99)] == [1, 2, 3]
        remove_rule(library, 2)
        assert [rule.number for rule in rules_of(library.connection)] == [1, 3]


def test_a_number_that_has_drawn_is_given_to_no_other(demo: Home) -> None:
    number = add(demo).number
    Agent().ask("s")
    with Library(demo.library) as library:
        remove_rule(library, number)
    assert add(demo).number == number + 1
