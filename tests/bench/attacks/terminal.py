"""Every screen and window with hostile text wherever text can stand, in terminals of three sizes: what got through."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from attacks import Figure

CHECKOUT = Path(__file__).parents[3]
sys.path.insert(0, str(CHECKOUT))
SIZES = ((200, 100), (160, 48), (80, 24))


def run() -> Iterable[Figure]:
    from tests.tui.hostile.kinds import KINDS, poison
    from tests.tui.hostile.terminal import got_through, run_in_terminal
    from warm_tui.demo import build_demo

    env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(CHECKOUT)}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            home = build_demo(Path(folder) / "home")
            poison(home)
            report = Path(folder) / "report.json"
            words = ["-m", "tests.tui.hostile.driven", str(home.root), str(report)]
            stream, code = run_in_terminal(words, env, size)
            places = len(json.loads(report.read_text())) if report.exists() else 0
        hostile = got_through(stream)
        what = f"{len(KINDS)} kinds of hostile text in {places} places at {size[0]}x{size[1]}"
        found = f"{len(hostile)} of {len(stream):,} characters" if code == 0 else f"ended with {code}"
        yield Figure(what, found, "none gets through", code == 0 and not hostile)
