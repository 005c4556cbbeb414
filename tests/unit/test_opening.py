"""By what a written file is opened."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from warm_tui.screens.shared.written import NO_DESKTOP, open_file, opener


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("named", "command"),
    [("", []), ("firefox", ["firefox"]), ("lynx -dump %s:w3m", ["lynx", "-dump"]), ("'no end", [])],
)
def test_where_there_is_no_desktop_the_browser_that_is_named_opens_it(
    named: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that is connected from afar names a command of its own there."""
    monkeypatch.setenv("BROWSER", named)
    assert opener() == command
    monkeypatch.setenv("DISPLAY", ":0")
    assert opener() == ["xdg-open"]


def test_a_path_with_blanks_is_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted, page, browser = tmp_path / "noted", tmp_path / "a page.html", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s|" "$@" > "{noted}.new" && mv "{noted}.new" "{noted}"\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    assert open_file(page) == NO_DESKTOP
    monkeypatch.setenv("BROWSER", str(browser))
    assert open_file(page) == ""
    while not noted.exists():
        time.sleep(0.01)
    assert noted.read_text() == f"{page}|"
    monkeypatch.setenv("BROWSER", str(tmp_path / "none"))
    assert open_file(page) == f"{tmp_path / 'none'} could not open it: No such file or directory."
