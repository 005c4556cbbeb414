"""Where a key leads is told by the table of actions alone."""

from __future__ import annotations

import re
from pathlib import Path

import warm_tui


def test_a_sentence_names_a_screen_by_its_name_as_its_number_may_move() -> None:
    """But for Sessions, which is the first whatever else moves."""
    package = Path(warm_tui.__file__).parent
    told = {path.name: re.findall(r"screen [02-9]\b", path.read_text()) for path in package.rglob("*.py")}
    assert {name: found for name, found in told.items() if found} == {}
