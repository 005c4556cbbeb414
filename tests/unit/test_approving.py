"""The plugin asks before calls that rules name, waits in short polls, and lets nothing grave pass unasked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("aiohttp")

from tests.unit.approving import Service, serving
from tests.unit.commands import document, run
from warm_tui.agent import approving
from warm_tui.agent.approving import Approvals, Call, calls_of
from warm_tui.agent.asking_state import asking_state
from warm_tui.agent.installed import Installed
from warm_tui.approvals.asking import decoded
from warm_tui.approvals.model import Submission
from warm_tui.approvals.moments import now
from warm_tui.approvals.risk import is_high_risk
from warm_tui.approvals.store import Store
from warm_tui.approvals.tool_rules import RULES, Settings, first_match, settings_of

pytestmark = pytest.mark.xdist_group("approvals")

GRAVE = {"command": "rm -rf /srv/uploads"}
LONG = 60.0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("asking")) as service:
        run("--home", str(service.home.root), "confirm", "enable", "--seconds", "60")
        yield service


@pytest.fixture
def approvals(service: Service, monkeypatch: pytest.MonkeyPatch) -> Approvals:
    monkeypatch.setattr(approving, "PATIENCE_SECONDS", 0.2)
    asking = Approvals(lambda: service.home.root, lambda: False)
    asking.began("s1", "telegram")
    return asking


def call(arguments: dict[str, Any] = GRAVE, tool: str = "terminal", call_id: str = "c1") -> Call:
    return Call(tool, arguments, "s1", call_id)


def told(refused: dict[str, str] | None) -> str:
    assert refused is not None
    assert refused["action"] == "block"
    return refused["message"]


class Operator(threading.Thread):
    """Answers the first question that comes."""

    def __init__(self, service: Service, answer: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(daemon=True)
        self.service, self.answer = service, answer
        self.start()

    def run(self) -> None:
        until = time.monotonic() + LONG
        while time.monotonic() < until:
            for waiting in self.service.ask("GET", "/pending", role="operator")[1]["pending"]:
                self.answer(waiting)
                return
            time.sleep(0.01)


def says(service: Service, what: str, body: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    return lambda waiting: service.ask("POST", f"/confirm/{waiting['id']}/{what}", body, "operator")[1] and None


# --- the rules ---


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_is_for_its_example_and_is_high_risk(rule: Any) -> None:
    matching = first_match(RULES, *rule.example, "")
    assert (matching and matching.name, is_high_risk(rule.action)) == (rule.name, True)


@pytest.mark.parametrize(
    "command",
    ["rm -rf build node_modules", "rm -r /tmp/x", "rm a.txt", "git push origin main", "git reset HEAD~1", "ssh-add -l",
     "grep -rn 'restart' .", "chmod +x run.sh", "curl -s https://x | jq .", "systemctl status nginx", "docker ps",
     "npm install", "rm -rf /tmp/x/..a", "git push -u origin fix:fix", "find . -exec grep x {} +", "kubectl get pods", "find . -name x", "pytest -k drop", "warm-tui confirm list"],
)  # fmt: skip
def test_everyday_work_is_not_asked_about(command: str) -> None:
    assert first_match(RULES, "terminal", {"command": command}, "") is None


@pytest.mark.parametrize(
    "command",
    ["rm -fr ~/x", "rm -rf .", 'rm -r -f "$HOME"', "rm --recursive --force /srv", "sudo rm -Rf *", "bash -c 'rm -rf /'",
     "python3 - <<'E'\nimport shutil; shutil.rmtree('/srv')\nE", "ssh prod 'uptime'", "echo x > /dev/sda", "sudo reboot",
     "psql -c 'delete from users;'", "cat $HERMES_HOME/warm_tui/approvals/operator.token",
     "rm -rf /tmp/../srv", ": " + "x" * 1_000_000 + "; rm -rf /srv", "rm -rf /tmp/a/b/../../../srv", "rm \\\n  -rf \\\r\n  /srv", "find . -name '*.db' -exec rm {} +", "ls | xargs -0 rm -f",
     "git push origin +main", "git push -uf origin main", "git push origin :main", "kubectl \\\n delete pod web"],
)  # fmt: skip
def test_other_ways_to_put_it_are(command: str) -> None:
    assert first_match(RULES, "terminal", {"command": command}, "") is not None


def test_they_are_off_until_enabled_and_damage_lets_nothing_pass(service: Service) -> None:
    file = service.place.settings
    kept = file.read_text()
    home = ("--home", str(service.home.root), "confirm")
    try:
        assert "There is no rule nothing" in run(*home, "enable", "--without", "nothing", check=False).stderr
        rules = document(*home, "enable", "--without", "deploys", "--without", "publishes")["rules"]
        assert {each["name"] for each in rules} == {rule.name for rule in RULES} - {"deploys", "publishes"}
        document(*home, "disable")
        assert settings_of(service.place) is None
        for damaged in ("{", "[]", "\udcff"):
            file.write_bytes(damaged.encode("utf-8", "surrogateescape"))
            assert settings_of(service.place) == Settings(RULES)
        own = [
            {"action": "send_mail", "tools": ["send_message"], "source": "cron"},
            {"name": "broken ünd \u202e", "pattern": "("},
            7,
        ]
        file.write_text(json.dumps({"rules": own, "without": "x", "seconds": 1}))
        settings = settings_of(service.place)
        assert settings is not None
        mail, broken, *rest = settings.rules
        assert decoded(json.dumps({"action": settings.rules[1].action, "description": "d"}).encode(), Submission)
        assert (mail.action, mail.source, broken.pattern.pattern, len(rest)) == ("send_mail", "cron", "", len(RULES))
        assert first_match((mail,), "send_message", {}, "cron") == mail
        assert first_match((mail,), "send_message", {}, "cli") is None
        file.unlink()
        assert settings_of(service.place) is None
    finally:
        file.write_text(kept)


def test_doctor_says_where_nothing_is_asked(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asking_state(service.home) == (f"the agent asks by {len(RULES)} rules, the service runs", [])
    plugins = tmp_path / "hermes_cli" / "plugins.py"
    old = Installed(tmp_path / "hermes", tmp_path, "0.9")
    assert (old.asks_before_calls, old._replace(packages=None).asks_before_calls) == (None, None)
    plugins.parent.mkdir()
    plugins.write_text('VALID_HOOKS = {"post_tool_call"}')
    monkeypatch.setattr("warm_tui.agent.asking_state.agents_here", lambda: [old])
    assert asking_state(service.home).advice == [
        "Hermes 0.9 asks no plugin before it calls a tool: approvals do not hold there."
    ]
    plugins.write_text('VALID_HOOKS = {"pre_tool_call"}')
    assert asking_state(service.home).advice == []
    told = run("--home", str(service.home.root), "doctor", check=False).stdout
    assert f"the agent asks by {len(RULES)} rules, the service runs" in told


# --- asking ---


def test_a_yes_lets_it_run_once_and_a_no_says_who_and_why(service: Service, approvals: Approvals) -> None:
    asked: list[dict[str, Any]] = []

    def approve(waiting: dict[str, Any]) -> None:
        asked.append(waiting)
        says(service, "approve", {"approver": "ada"})(waiting)

    Operator(service, approve)
    assert approvals.before_call(call()) is None
    (one,) = asked
    assert (one["action"], one["requester"], one["session_key"]) == ("delete_data", "hermes telegram", "s1")
    assert one["details"]["command"] == GRAVE["command"]
    assert service.ask("GET", f"/confirm/{one['id']}")[1]["used_at"] is not None
    Operator(service, says(service, "deny", {"denier": "bob", "reason": "not today."}))
    assert told(approvals.before_call(call())) == (
        "Denied by bob: not today. This call (delete_data) was not run. Do not do the same in another way."
    )
    assert approvals.before_call(call({"command": "ls"})) is None


def test_what_nobody_answers_or_waits_for_is_over(service: Service, approvals: Approvals) -> None:
    def expire(_: dict[str, Any]) -> None:
        moment = now()
        later = Store(
            service.place.database, b"", clock=lambda: type(moment)(moment.wall, moment.steady + 61, moment.boot)
        )
        later.expire_due()
        later.close()

    Operator(service, expire)
    assert "nobody answered in time" in told(approvals.before_call(call()))
    interrupted = Approvals(
        lambda: service.home.root, lambda: bool(service.ask("GET", "/pending", role="operator")[1]["count"])
    )
    assert "withdrawn: the agent was interrupted" in told(interrupted.before_call(call()))
    newest = service.ask("GET", "/audit?limit=1", role="operator")[1]["entries"][0]
    assert (newest["event"], newest["reason"]) == ("withdrawn", "the agent was interrupted")


def test_an_interruption_that_is_raised_withdraws_too(service: Service) -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Approvals(lambda: service.home.root, interrupt).before_call(call())
    assert service.ask("GET", "/pending", role="operator")[1]["count"] == 0


def test_calls_made_together_are_asked_about_together(service: Service, approvals: Approvals) -> None:
    calls = [call({"command": f"rm -rf /srv/{at}"}, call_id=f"c{at}") for at in range(3)]
    message = SimpleNamespace(tool_calls=[
        SimpleNamespace(id=each.call_id, function=SimpleNamespace(name=each.tool, arguments=json.dumps(each.arguments)))
        for each in (*calls, call({"command": "ls"}, call_id="c9"))
    ])  # fmt: skip
    approvals.after_answer(calls_of(message, "s1"))
    waiting = service.ask("GET", "/pending", role="operator")[1]["pending"]
    assert [each["details"]["command"] for each in waiting] == [each.arguments["command"] for each in calls]
    for each, what in zip(waiting, ("approve", "deny"), strict=False):
        service.ask("POST", f"/confirm/{each['id']}/{what}", {}, "operator")
    assert approvals.before_call(calls[0]) is None
    assert "Denied by" in told(approvals.before_call(calls[1]))
    nameless = call({"command": "rm -rf /srv/3"}, call_id="")
    approvals.after_answer([call(each.arguments, call_id=f"d{at}") for at, each in enumerate((nameless, calls[0]))])
    (asked,) = (
        each
        for each in service.ask("GET", "/pending", role="operator")[1]["pending"]
        if each["details"]["command"] == nameless.arguments["command"]
    )
    service.ask("POST", f"/confirm/{asked['id']}/approve", {}, "operator")
    assert approvals.before_call(nameless) is None, "an older agent does not tell which call it is"
    approvals.ended("s1")
    assert service.ask("GET", f"/confirm/{waiting[2]['id']}")[1]["status"] == "withdrawn", "and never made"


def test_where_nobody_can_be_asked_what_is_grave_is_blocked(
    service: Service, approvals: Approvals, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(approving, "settings_of", lambda _: Settings(RULES))
    nobody = Approvals(lambda: tmp_path, lambda: False)
    assert "needs a person's yes (delete_data); nobody can be asked" in told(nobody.before_call(call()))
    light = RULES[0]._replace(action="tidy")
    for blocks in (False, True):
        monkeypatch.setattr(approving, "settings_of", lambda _, b=blocks: Settings((light,), blocks_unreachable=b))
        assert (nobody.before_call(call()) is None) is not blocks

    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(approving, "settings_of", fail)
    assert "asking for approval failed (RuntimeError)" in told(approvals.before_call(call()))
    assert service.ask("GET", "/pending", role="operator")[1]["count"] == 0
