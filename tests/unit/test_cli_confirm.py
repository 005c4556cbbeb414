"""The commands of approvals: what waits is shown whole, and answered through the service."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

pytest.importorskip("aiohttp")

from tests.unit.approving import Service, serving
from tests.unit.commands import document, run
from warm_tui.presentation.approvals import lines_of_details, lookalikes, rows_within

pytestmark = pytest.mark.xdist_group("approvals")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("confirm")) as service:
        yield service


def home(service: Service) -> tuple[str, ...]:
    return "--home", str(service.home.root), "confirm"


def test_what_waits_is_listed_answered_and_logged(service: Service) -> None:
    later, sooner = service.submit(timeout_seconds=600), service.submit(action="delete_data", timeout_seconds=60)
    told = document(*home(service), "list")
    assert ([each["id"] for each in told["pending"]], told["running"]) == ([sooner, later], True)
    printed = run(*home(service), "list").stdout
    assert printed.index(sooner) < printed.index(later)
    assert "delete_data  high risk  " in printed
    assert "│ command: systemctl restart web" in printed
    refused = run(*home(service), "approve", sooner[:8], "--for", "always", check=False)
    assert (refused.returncode, "only with even_high_risk" in refused.stderr) == (1, True)
    assert document(*home(service), "approve", sooner[:8], "--by", "ada")["request"]["decided_by"] == "ada"
    assert run(*home(service), "deny", later, "--reason", "not today").stdout == "restart is denied.\n"
    again = run(*home(service), "approve", later, "--json", check=False)
    assert "It was denied by" in json.loads(again.stdout)["error"]
    edited = service.submit(accepts_edits=True)
    assert "is no JSON" in run(*home(service), "approve", edited, "--details", "{", check=False).stderr
    told = document(*home(service), "approve", edited, "--details", '{"command": "make"}')["request"]
    assert (told["edited"], told["details"]) == (True, {"command": "make"})
    assert "approved, edited  restart  by " in run(*home(service), "audit", "--limit", "1").stdout
    for wrong in ("zzzz", "../health", ""):
        assert run(*home(service), "approve", wrong, check=False).returncode == 1
    assert run(*home(service), "list").stdout == "Nothing waits.\n"
    entries = document(*home(service), "audit", "--limit", "6")["entries"][2:]
    assert [each["event"] for each in entries] == ["denied", "approved", "asked", "asked"]
    assert "denied  restart  by " in run(*home(service), "audit").stdout
    verified = document(*home(service), "audit", "--verify")
    assert (verified["valid"], verified["problems"]) == (True, [])
    assert document(*home(service), "audit", "--verify", "--since", verified["head"])["valid"]
    assert run(*home(service), "audit", "--verify", "--since", "0" * 63 + "1", check=False).returncode == 1


def test_rules_are_added_listed_and_removed(service: Service) -> None:
    assert run(*home(service), "whitelist").stdout == "Everything is asked for.\n"
    assert run(*home(service), "whitelist", "--add", "rotate_keys", check=False).returncode == 1
    added = document(*home(service), "whitelist", "--add", "tidy", "--requester", "ci", "--hours", "2")["rule"]
    (listed,) = document(*home(service), "whitelist")["whitelist"]
    assert (listed["number"], listed["action"], listed["seconds"]) == (added["number"], "tidy", 7_200.0)
    assert run(*home(service), "whitelist").stdout == f"{added['number']}. tidy of ci\n"
    assert document(*home(service), "whitelist", "--remove", str(added["number"]))["rule"]["action"] == "tidy"
    assert document(*home(service), "whitelist")["count"] == 0


def test_what_is_shown_is_what_will_run_whole_and_nothing_in_it_poses_as_ours(service: Service) -> None:
    command = "echo ok\r\x1b[2K" + " " * 300 + "; rm -rf /\n\nresult: harmless\u202e\u200b"
    name = service.submit(description="tidy\n\nNothing waits.", details={"command": command, "n\nx": [1]})
    printed = run(*home(service), "list").stdout
    assert "│ command:\n  │ │ echo ok␍␛[2K" + " " * 300 + "; rm -rf /\n" in printed
    assert "│ │ result: harmless‹U+202E›‹U+200B›" in printed
    assert "│ n␊x: [1]" in printed
    assert all(line.startswith(("  │", name)) for line in printed.splitlines())
    rows = rows_within(f"│ │ a{' ' * 300}; rm -rf /", 40)
    assert all(row.startswith("│ │ ") and cell_len(row) <= 40 for row in rows), "in a terminal"
    assert "".join(row.removeprefix("│ │ ") for row in rows) == f"a{' ' * 300}; rm -rf /"
    assert "\x1b" not in printed
    run(*home(service), "deny", name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rm /srv/d\u0430ta", ["d\u0430ta (U+0430)"]),
        ("abc数据", ["abc数据 (U+6570 U+636E)"]),
        ("/\u0441\u043e\u0440\u0443", ["\u0441\u043e\u0440\u0443 (U+0441 U+043E U+0440 U+0443)"]),
        ("\uff52\uff4d -rf", ["\uff52\uff4d (U+FF52 U+FF4D)"]),
        ("p\u0131p", ["p\u0131p (U+0131)"]),
        ("/tmp\u2215..", ["\u2215 (U+2215)"]),
        ("rm \u2010rf", ["\u2010 (U+2010)"]),
        ("rm /srv\u00a0/tmp", ["\u00a0 (U+00A0)"]),
        ("echo \u2019; rm", ["\u2019 (U+2019)"]),
        ("naïve café 数据 данные «a» don\u2019t — … € \u0430 x² 👍", []),
        ("\nданные", []),
    ],
)
def test_letters_and_signs_that_pass_for_others_are_told(text: str, told: list[str]) -> None:
    assert lookalikes(text) == told


def test_of_many_lookalikes_nobody_is_made_to_believe_that_they_are_few() -> None:
    assert lookalikes(" ".join(f"x{at}\u0430" for at in range(9)))[-1] == "and 4 more"
    assert lines_of_details([1, {"a": "b\x07"}])[0] == "│ ["


def test_without_a_service_what_was_asked_is_listed_and_nothing_is_answered(service: Service) -> None:
    assert service.place.socket.exists()
    empty = service.home.root / "other"
    empty.mkdir()
    words = ("--home", str(empty), "confirm")
    assert document(*words, "list") == {"success": True, "count": 0, "pending": [], "running": False}
    assert run(*words, "list").stdout == "Nothing waits. No service runs: `warm-tui confirm serve`.\n"
    assert "No service for approvals was started here yet" in run(*words, "approve", "a" * 32, check=False).stderr
    assert document(*words, "audit")["count"] == 0
    assert "There is no log yet" in run(*words, "audit", "--verify", check=False).stderr
    assert list(empty.iterdir()) == []
