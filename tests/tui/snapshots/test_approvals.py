"""Pictures of what waits for a person's yes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.approvals import store
from warm_tui.approvals.asking import Prepared
from warm_tui.approvals.model import Answer, Submission
from warm_tui.approvals.moments import Moment
from warm_tui.approvals.place import make_folder
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.screens.approvals import waiting_list

AT = Moment(NOW, 1_000.0, "boot")
ASKED: tuple[dict[str, Any], ...] = (
    {"action": "publish_package", "description": "Release 2.4", "details": {"command": "npm publish"}, "requester": "ci"},
    {"action": "delete_data", "description": "The agent wants to call terminal.", "requester": "hermes telegram",
     "details": {"tool": "terminal", "command": "cd /srv\nrm -rf uploads\u202e", "folder": "/srv"}, "session_key": "s1"},
    {"action": "restart", "description": "Restart the web server", "timeout_seconds": 3_600,
     "details": {"command": "systemctl restart web"}, "requester": "deploy"},
)  # fmt: skip


@pytest.fixture
def asking(here: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(waiting_list, "now", lambda: AT)
    ids = iter(range(1, 9))
    monkeypatch.setattr("warm_tui.approvals.store.secrets.token_hex", lambda _: f"{next(ids):032}")
    with closing(store.Store(make_folder(here).database, b"", clock=lambda: AT)) as kept:
        first, *_ = (kept.submit(Prepared(Submission(**each), "", False)) for each in ASKED)
        kept.answer(first.id, Answer(approve=False, by="ada", reason="not on a Friday"))
    return here


@pytest.mark.parametrize("size", SIZES)
def test_what_waits(snap_compare, asking: Home, size: str) -> None:
    assert snap_compare(WarmTui(asking), terminal_size=SIZES[size], run_before=after("8"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_in_other_themes(snap_compare, asking: Home, theme: str) -> None:
    Config(Path() / "warm_tui" / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(asking), terminal_size=SIZES["middling"], run_before=after("8", "j"))


def test_what_was_edited_is_shown_whole_before_it_runs(snap_compare, asking: Home) -> None:
    given = {"command": "psql shop -c 'delete from carts'", "host": "db1\u2010old"}
    asked = Submission(
        action="wipe_database", description="Empty the carts", details=given, accepts_edits=True, timeout_seconds=60
    )
    with closing(store.Store(make_folder(asking).database, b"", clock=lambda: AT)) as kept:
        kept.submit(Prepared(asked, "", False))
    keys = after("8", "o", "enter", "end", "left", *" where old", "ctrl+s")
    assert snap_compare(WarmTui(asking), terminal_size=SIZES["narrow"], run_before=keys)


def test_what_cannot_be_read(snap_compare, here: Home) -> None:
    (make_folder(here).database).write_bytes(b"no database at all" * 100)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("8"))


def test_nothing_was_ever_asked(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("8"))
