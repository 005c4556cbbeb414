"""Planted secrets and what only looks like one: how many are masked, how many are left; and floods, at their worst."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from attacks import Figure
from tests.unit.planted import OF_NETWORKS, OF_PRODUCTS, OF_TOOLS, OF_WORK, corpus
from tests.unit.test_redact import flagged, missed
from warm_tui.secrets.detection import SEARCHED
from warm_tui.secrets.redactor import Redactor

LEAST, MOST = 0.96, 0.01
SECONDS = 5.0
"""For the worst flood of the greatest length that is searched; clean text takes a tenth of it."""
UNITS = (
    "password: ",
    "key: ",
    "cookie: ",
    "token\n",
    "password ",
    "api_key=",
    "x-key: ",
    "http://",
    "bearer ",
    "\x1b[31mkey",
    "AKIA",
    "eyJ",
    "a=b1c2d3e4 ",
    "PASSWORD=q8Zr41L{} ",
)


def run() -> Iterable[Figure]:
    for name in ("secrets", OF_TOOLS, OF_PRODUCTS, OF_WORK, OF_NETWORKS):
        planted, clean = corpus(name)
        found = len(planted) - len(missed(planted))
        share = found / len(planted)
        yield Figure(f"{name}: masked", f"{found} of {len(planted)}, {share:.1%}", f"{LEAST:.0%}", share >= LEAST)
        wrong = len(flagged(clean))
        yield Figure(
            f"{name}: flagged wrongly", f"{wrong} of {len(clean)}", f"under {MOST:.0%}", wrong / len(clean) < MOST
        )
    worst, unit = max((_seconds(unit), unit) for unit in UNITS)
    yield Figure(
        f"the worst flood of {SEARCHED:,} characters ({unit!r})", f"{worst:.2f} s", f"{SECONDS} s", worst < SECONDS
    )


def _seconds(unit: str) -> float:
    text = "".join(unit.format(n) for n in range(SEARCHED // len(unit)))
    began = time.process_time()
    Redactor(b"a key").redact(text)
    return time.process_time() - began
