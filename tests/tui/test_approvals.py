"""The Approvals screen: what waits is shown whole, answered by a key, and counted on every screen."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import OptionList, TextArea

pytest.importorskip("aiohttp")

from tests.conftest import Record, assistant, result, user
from tests.tui.helpers import click_in_footer, foot, notes, said, settled, tab, until
from tests.unit.approving import ASKED, Service, serving
from warm_tui.app import WarmTui
from warm_tui.approvals.model import Request
from warm_tui.approvals.moments import Moment
from warm_tui.approvals.place import Place
from warm_tui.paths import Home
from warm_tui.screens.approvals.screen import ApprovalsScreen
from warm_tui.screens.approvals.waiting_list import Guard, OwnService, arranged, lines_of
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.forms import Confirm, Write
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.mode_bar import ModeBar

pytestmark = pytest.mark.xdist_group("approvals")


@pytest.fixture
def home(record: Record) -> Home:
    path = record({"s1": [user("tidy up"), assistant(("c1", "terminal", {"command": "ls"})), result("c1")]})
    return Home(path.parent, (path,))


@pytest.fixture
def service(home: Home) -> Iterator[Service]:
    with serving(home.root) as service:
        yield service


async def approvals(pilot: Pilot[None]) -> ApprovalsScreen:
    await settled(pilot)
    await pilot.press("8")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ApprovalsScreen)
    return screen


async def read_anew(pilot: Pilot[None], screen: ApprovalsScreen) -> None:
    screen.load()
    await settled(pilot)


def status(service: Service, name: str) -> str:
    return str(service.ask("GET", f"/confirm/{name}")[1]["status"])


def shown(screen: ApprovalsScreen) -> str:
    view = screen.view
    return "\n".join("".join(text for text, _ in view._row(at)) for at in range(view.line_count))


async def test_what_waits_is_read_and_answered_by_keys(
    home: Home, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, text: told.append(text) if "]9;" in text else None)
    monkeypatch.setattr(WarmTui, "bell", lambda _: told.append("bell"))
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        later = service.submit(session_key="s1", requester="ci", timeout_seconds=600)
        command = "rm -rf /srv/old\nresult: harmless\u202e"
        sooner = service.submit(action="delete_data", details={"command": command}, timeout_seconds=60)
        bar = app.screen.query_one(ModeBar)
        bar.look()
        await until(pilot, lambda: bar.waiting == 2)
        assert "8 Approvals (2)" in bar.render_line(0).text, "on every screen"
        assert told == ["bell", "\x1b]9;Warm TUI: 2 requests wait for a yes\x07"], "and by the desktop, in our words"
        for how, expected in (("bell", ["bell"]), ("off", [])):
            told.clear()
            monkeypatch.setattr(app.choices, "text", lambda *_, how=how: how)
            app.tell_that_more_wait()
            assert told == expected
        await pilot.click(bar, offset=tab(app, "Approvals"))
        screen = await approvals(pilot)
        assert said(app).startswith(f"2 waiting · at {service.url}")
        assert [row.request.id for row in screen.table.rows] == [sooner, later], "most urgent first"
        assert "│ │ rm -rf /srv/old\n│ │ result: harmless‹U+202E›" in shown(screen)
        await pilot.press("n")
        assert isinstance(app.screen, Ask)
        await pilot.press(*"not today", "enter")
        await settled(pilot)
        assert service.ask("GET", f"/confirm/{sooner}")[1]["reason"] == "not today"
        assert "delete_data is denied." in notes(app)
        assert [row.request.id for row in screen.table.rows] == [later]
        await pilot.press("y")
        assert "this is another. Press again" in notes(app), "the one that stood there is gone"
        assert status(service, later) == "pending"
        await pilot.press("y")
        await settled(pilot)
        assert status(service, later) == "approved"
        await pilot.press("y")
        assert "Nothing waits here." in notes(app)
        assert [row["event"] for row in screen.log_table.rows] == ["approved", "denied", "asked", "asked"]
        await pilot.press("slash", *"today", "enter")
        await settled(pilot)
        assert [row["event"] for row in screen.log_table.rows] == ["denied"]
        await pilot.press("e")
        await settled(pilot)
        (written,) = (home.ours / "exports").iterdir()
        assert json.loads(written.read_text())["count"] == 1


async def test_rules_are_made_and_taken_back_and_its_session_is_opened(home: Home, service: Service) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(80, 24)) as pilot:
        first = service.submit(session_key="s1")
        screen = await approvals(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TranscriptScreen))
        await pilot.press("q")
        await settled(pilot)
        await pilot.press("A")
        assert isinstance(app.screen, ChooseOne)
        await pilot.press("enter")
        await settled(pilot)
        assert status(service, first) == "approved"
        again = service.ask("POST", "/confirm", ASKED | {"session_key": "s1"})[1]
        assert again["status"] == "auto_approved"
        await pilot.press("u")
        await settled(pilot)
        assert "it is asked for again" in notes(app)
        second = service.submit(session_key="s1", action="rotate_keys")
        await read_anew(pilot, screen)
        await pilot.press("W")
        await pilot.press("j", "enter")
        await settled(pilot)
        (rule,) = service.ask("GET", "/whitelist", role="operator")[1]["whitelist"]
        assert (status(service, second), rule["even_high_risk"], rule["seconds"]) == ("approved", True, None)
        await pilot.press("u", "u")
        await settled(pilot)
        assert service.ask("GET", "/whitelist", role="operator")[1]["count"] == 0
        posing = service.submit(details={"command": "ls" + " " * 100 + "rule: harmless" + " " * 200 + "; rm -rf /"})
        await read_anew(pilot, screen)
        rows = shown(screen).split("\n")
        assert all(row.startswith("│ │ ") for row in rows[3:]), "what is broken off has its bars, too"
        assert "".join(row.removeprefix("│ │ ") for row in rows[3:]).endswith(" " * 200 + "; rm -rf /")
        service.ask("DELETE", f"/confirm/{posing}")
        await read_anew(pilot, screen)
        long = service.submit(details={"command": "\n".join(f"echo {at}" for at in range(100)) + "\nrm -rf /"})
        await read_anew(pilot, screen)
        await pilot.press("y")
        assert "It goes on below" in notes(app)
        assert (status(service, long), screen.view.has_focus) == ("pending", True)
        await pilot.press("G", "y")
        await settled(pilot)
        assert status(service, long) == "approved"


async def test_arguments_are_edited_where_who_asks_takes_them(home: Home, service: Service) -> None:
    details = {"command": "systemctl restart web\necho done", "tries": 3}
    app = WarmTui(home)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await approvals(pilot)
        for given, why in (
            ({}, "whoever asks would run what was asked for"),
            ({"details": {"password": "hunter2-Zq8x!"}, "accepts_edits": True}, "are masked"),
        ):
            name = service.submit(**given)
            await read_anew(pilot, screen)
            await pilot.press("o")
            assert why in notes(app)
            service.ask("DELETE", f"/confirm/{name}")
            await read_anew(pilot, screen)
        first = service.submit(details=details, accepts_edits=True)
        await read_anew(pilot, screen)
        await pilot.press("o")
        assert isinstance(app.screen, ChooseOne)
        await pilot.press("enter")
        assert isinstance(app.screen, Write)
        assert app.screen.text == details["command"]
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert ("Nothing was changed" in notes(app), status(service, first)) == (True, "pending")
        await pilot.press("o", "enter", *"sudo ", "ctrl+s")
        await settled(pilot)
        assert isinstance(app.screen, Confirm)
        text = said(app, ".window-body Static")
        assert "│ │ sudo systemctl restart web\n│ │ echo done\n│ tries: 3" in text, "whole, as it will run"
        await pilot.press("escape")
        assert status(service, first) == "pending"
        assert app.screen.query_one(TextArea).text == f"sudo {details['command']}", "nothing of it is lost"
        await pilot.press("ctrl+s", "enter")
        await settled(pilot)
        told = service.ask("GET", f"/confirm/{first}")[1]
        changed = {**details, "command": "sudo systemctl restart web\necho done"}
        assert (told["status"], told["edited"], told["details"]) == ("approved", True, changed)
        used = [
            service.ask("POST", f"/confirm/{first}/use", {"action": "restart", "details": each})[0]
            for each in (details, changed, changed)
        ]
        assert used == [400, 200, 409], "the yes is for what was written, once"
        await read_anew(pilot, screen)
        assert [row["event"] for row in screen.log_table.rows][:2] == ["used", "approved"]
        assert screen.log_table.rows[1]["asked_for"] == details
        second = service.submit(details=details, accepts_edits=True)
        await read_anew(pilot, screen)
        await by_mouse(pilot)
        assert service.ask("GET", f"/confirm/{second}")[1]["details"] == {}


async def by_mouse(pilot: Pilot[None]) -> None:
    """The last part, which is all of it."""
    app = pilot.app
    await click_in_footer(pilot, "Edit")
    await pilot.click(OptionList, offset=(4, 2))
    await settled(pilot)
    editor = app.screen.query_one("#text", TextArea)
    editor.text = '{"password": "hunter2-Zq8x!"'
    await settled(pilot)
    await pilot.click("#take")
    assert "This is no JSON" in said(app, ".form-error")
    editor.text += "}"
    await settled(pilot)
    await pilot.click("#take")
    await settled(pilot)
    await pilot.click("#take")
    await settled(pilot)
    assert "holds a secret" in notes(app)
    await click_in_footer(pilot, "Edit")
    await pilot.click(OptionList, offset=(4, 2))
    await settled(pilot)
    app.screen.query_one("#text", TextArea).text = "{}"
    await settled(pilot)
    await pilot.click("#take")
    await settled(pilot)
    await pilot.click("#take")
    await settled(pilot)


async def test_the_empty_screen_starts_the_service_by_a_key(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIRMATION_PORT", "0")
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await approvals(pilot)
        assert "s starts the service" in said(app, "#empty")
        assert not Place.of(home).folder.exists()
        await pilot.press("s")
        await until(pilot, lambda: bool(screen.approvals and screen.approvals.running_at))
        await settled(pilot)
        assert "The service runs at http://127.0.0.1:" in notes(app)
        assert "until you leave; s stops it before." in said(app, "#empty")
        with pytest.raises(Exception, match="runs for this home already"):
            OwnService().start(home)
        await click_in_footer(pilot, "Service")
        await pilot.press("escape")
        assert screen.service.runs, "it is asked about"
        await pilot.press("s", "enter")
        await until(pilot, lambda: not (screen.approvals and screen.approvals.running_at))
        await settled(pilot)
        assert "s starts the service" in said(app, "#empty")
        await pilot.press("s")
        await until(pilot, lambda: bool(screen.approvals and screen.approvals.running_at))
    assert not Place.of(home).socket.exists(), "it ended with the app"


async def test_a_service_that_was_started_elsewhere_is_not_stopped_here(home: Home, service: Service) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(120, 36)) as pilot:
        await approvals(pilot)
        assert said(app, "#empty").endswith(f"The service runs at {service.url}.")
        await pilot.press("s")
        assert "It runs already" in notes(app)
        assert "Service" not in foot(app)


def request(name: str, **given: object) -> Request:
    usual: dict[str, object] = {
        "action": "a", "description": "d", "details": {}, "requester": "", "session_key": "", "timeout_seconds": 60,
        "high_risk": False, "accepts_edits": False, "masked": False, "digest": "", "asked": Moment(0.0, 0.0, "b"),
    }  # fmt: skip
    return Request(id=name, **{**usual, **given})  # type: ignore[arg-type]


def test_what_has_no_time_left_is_not_offered_and_warnings_stand_out() -> None:
    at = Moment(0.0, 59.0, "b")
    long, short = request("1", timeout_seconds=600), request("2")
    assert [each.request.id for each in arranged([long, short], "", at)] == ["2", "1"]
    assert [each.request.id for each in arranged([long, short], "", Moment(0.0, 60.0, "b"))] == ["1"]
    assert arranged([long], "nothing", at) == []
    lines, margins = lines_of(request("3", description="rm dаta", masked=True, high_risk=True))
    assert [text for text, _ in margins] == ["", "│ ", "", ""]
    assert [line[-1][1] for line in lines] == ["failed", "", "unknown", "unknown"]


def test_an_answer_is_for_what_was_read() -> None:
    guard = Guard()
    guard.stands("one", moved=False)
    assert "read it to its end" in guard.hindrance("one")
    guard.seen_to_its_end("one")
    assert guard.hindrance("one") == ""
    guard.stands("other", moved=True)
    guard.seen_to_its_end("other")
    assert guard.hindrance("other") == "", "the operator went there"
    guard.stands("one", moved=False)
    assert "this is another" in guard.hindrance("one")
    assert guard.hindrance("one") == ""
