"""Waiting for the end of an outage: what is asked follows from what is out, costs next to nothing, and ever less often.

No token is spent to find out. Where nothing can be asked, one run alone is tried after a while.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from warm_tui.agent.frozen import refresh_settings
from warm_tui.agent.hermes_config import settings_of
from warm_tui.experiments.room import is_room_for_a_run
from warm_tui.experiments.workspace import Workspace
from warm_tui.paths import Home

FIRST_SECONDS, MOST_SECONDS = 2.0, 30.0
"""Between two questions."""
TRIAL_SECONDS, MOST_TRIAL_SECONDS = 30.0, 900.0
"""Before a run is tried where nothing can be asked, or where the answer was a promise that did not hold."""
PATIENCE_SECONDS = 10.0
BY_SETTINGS = ("model", "credentials", "words")


class Waiting:
    """For the end of one outage. `fruitless`: how often it had seemed to be over, and was not.

    `hermes`: nothing where runs are made on other machines: what is out there cannot be asked from here.
    """

    def __init__(self, kind: str, home: Home, workspace: Workspace, hermes: Path | None, fruitless: int) -> None:
        self.kind, self._home, self._workspace, self._hermes = kind, home, workspace, hermes
        self.refreshed: list[str] = []
        """The settings that were changed meanwhile, and are taken over."""
        now = time.monotonic()
        trial = min(MOST_TRIAL_SECONDS, TRIAL_SECONDS * 2.0 ** min(fruitless, 10))
        self._trial_at = now + trial
        # A promise that did not hold is not believed again at once.
        self._not_before = self._trial_at if fruitless else now
        self._pause = FIRST_SECONDS
        self._next = now + FIRST_SECONDS

    def is_over(self) -> bool:
        """Asked as often as one likes: it asks on only when it is time."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._pause = min(MOST_SECONDS, 2 * self._pause)
        self._next = now + self._pause
        if self.kind in BY_SETTINGS:
            with suppress(OSError):
                self.refreshed = refresh_settings(self._home.root, self._workspace.frozen_home)
            if self.refreshed:
                return True
        answer = self._answer()
        if answer is None:
            return now >= self._trial_at
        return answer and now >= self._not_before

    def _answer(self) -> bool | None:
        """None where nobody can be asked."""
        if self._hermes is None:
            return None
        if self.kind == "model":
            return model_answers(settings_of(self._workspace.frozen_home))
        if self.kind == "disk":
            return is_room_for_a_run(self._workspace, self._home.ours)
        if self.kind == "hermes":
            return starts(self._hermes)
        return None


def model_answers(settings: Mapping[str, Any]) -> bool | None:
    """Whether the address of the settings is answered at, with whatever; it is given no key and no words."""
    model = settings.get("model")
    address = model.get("base_url") if isinstance(model, Mapping) else None
    if not isinstance(address, str) or not address.startswith(("http://", "https://")):
        return None
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    try:
        with urlopen(Request(f"{address.rstrip('/')}/models"), timeout=PATIENCE_SECONDS):
            return True
    except HTTPError as error:
        with error:
            return bool(error.code < 500 and error.code != 429)
    except (OSError, HTTPException, ValueError):
        return False


def starts(hermes: Path) -> bool:
    try:
        done = subprocess.run(
            [str(hermes), "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=6 * PATIENCE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
