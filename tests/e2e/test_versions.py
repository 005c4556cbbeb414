"""The oldest Hermes, driven from nothing to an experiment; of the newest, what no other test here asks it.

`versions.py` drives those between.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.test_hermes import HERMES, needs_hermes
from tests.e2e.versions import VERSIONS, Agent, drive, install, own_review, probe, save_template, stops_without_template
from warm_tui.agent.plugin import ACTIONS

KEPT = os.environ.get("WARM_TUI_HERMES")
"""A folder of environments that `versions.py --keep` made, to save the time."""


@pytest.fixture
def oldest(tmp_path: Path) -> Path:
    try:
        return install(VERSIONS[0], (Path(KEPT) if KEPT else tmp_path) / VERSIONS[0])
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        pytest.skip(f"Hermes {VERSIONS[0]} cannot be installed here: {said[-1] if said else error}")


@pytest.mark.hermes
def test_the_oldest_is_given_what_it_was_said_to_be(oldest: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    facts = drive(oldest, tmp_path / "run")
    assert (facts["warm messages"], facts["by rule"], facts["actions"]) == (3, 0, len(ACTIONS))


@pytest.mark.hermes
@needs_hermes[1]
def test_the_newest_keeps_what_its_review_kept_and_is_stopped_without_its_template(tmp_path: Path) -> None:
    agent = Agent(HERMES.parent, tmp_path)
    agent.ours("plugin", "enable", "--yes")
    save_template(agent)
    assert len(own_review(agent)) == 3
    assert probe(agent)
    assert "template" in stops_without_template(agent)
