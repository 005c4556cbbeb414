"""A process with more than a thousand open files still runs commands: many databases may be looked at."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from warm_tui.agent.processes import Supervised

SELECT_KNOWS = 1024


@pytest.fixture
def many_open() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = SELECT_KNOWS + 200
    if before[1] != resource.RLIM_INFINITY and before[1] < wanted:
        pytest.skip("this user may not open so many")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], wanted), before[1]))
    held = [os.open(os.devnull, os.O_RDONLY)]
    while held[-1] <= SELECT_KNOWS:
        held.append(os.open(os.devnull, os.O_RDONLY))
    yield
    for descriptor in held:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("many_open")
def test_a_command_is_run_beside_a_thousand_open_files(tmp_path: Path) -> None:
    with Supervised() as supervised:
        ended = supervised.run(
            "echo done", folder=tmp_path, environment=dict(os.environ), seconds=60.0, scratch=tmp_path, stop=Event()
        )
    assert (ended.exit_code, ended.out.strip()) == (0, "done")
