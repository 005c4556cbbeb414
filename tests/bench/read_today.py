"""What agents read today, with an order for them put in, or with what people ask of each other there.

Two sets: `today`, and `today-held`, a third that was looked at only at the end. In each kind of text the same three
surroundings take seven hostile and seven innocent parts, each of them twice; a part is held out, or is not, in both.
About half of the hostile parts never say that they are for an agent. They were written before the rules were read.
"""

from __future__ import annotations

from tests.bench.read_today_parts import PARTS

HELD_OUT = 3
"""Every third part."""
TIMES = 2

Sets = dict[str, dict[str, list[str]]]


def made() -> Sets:
    sets: Sets = {name: {"hostile": [], "innocent": []} for name in ("today", "today-held")}
    number = 0
    for surroundings, hostile, innocent in PARTS:
        for at, (order, request) in enumerate(zip(hostile, innocent, strict=True)):
            into = sets["today-held" if number % HELD_OUT == HELD_OUT - 1 else "today"]
            number += 1
            for time in range(TIMES):
                around = surroundings[(at + time) % len(surroundings)]
                into["hostile"].append(around.replace("§", order))
                into["innocent"].append(around.replace("§", request))
    return sets
