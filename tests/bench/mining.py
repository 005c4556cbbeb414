"""Mining and tokens on recorded sessions: are the chosen calls good, how long does it take, how near is the estimate?

python tests/bench/mining.py [FOLDER OF RECORDED SESSIONS]
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from pathlib import Path

from recorded import database, folder, labelled_calls

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.shape import shape_of
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates import budget
from warm_tui.templates.building import Wanted, build, candidates_in
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.model import Template

PLACES = 15


def main() -> None:
    recorded = folder()
    if recorded is None:
        print("No folder of recorded sessions is at hand.")
        return
    redaction()
    for name in ("hermes-0.19", "swe-structured", "tau-airline", "compaction-inplace"):
        path = database(recorded, name)
        if path is not None:
            mine(name, path, {call[:4]: call.label for call in labelled_calls(recorded, name)})


def mine(name: str, path: Path, labels: dict[tuple[str, ...], str]) -> None:
    with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (path,))) as catalog:
        began = time.process_time()
        profiles = catalog.profiles()
        profiling = time.process_time() - began
        began = time.process_time()
        built = build(catalog, Wanted(min_messages=2, max_sessions=100_000, most=PLACES), Redactor(b"a key"))
        mining = time.process_time() - began
        results = {
            (c.call.session_id, c.call.key): (
                c.call.session_id,
                c.call.tool_name,
                c.call.arguments,
                c.call.result or "",
            )
            for profile in profiles
            for c in candidates_in(catalog, profile)
        }
    shapes = [shape_of(p.tool_name, p.arguments or {}) for p in built.patterns]
    tools = {p.tool_name for p in built.patterns}
    found = Counter(labels.get(results[p.origin.session_id, p.origin.call], "?") for p in built.patterns)
    unparsed = sum(not _parses(p.result) for p in built.patterns)
    print(f"{name}: {len(built.patterns)} patterns of {len(results):,} calls")
    if labels:
        print(f"  labels {dict(found)}   wanted: ok and benign only")
    print(f"  tools {len(tools)}; shapes twice {len(shapes) - len(set(shapes))}   wanted: 0")
    print(f"  JSON results that do not parse {unparsed}   wanted: 0")
    print(f"  mining / profiling {mining / profiling:.2f}   wanted: < 3")
    tokens(Template(name=name, patterns=built.patterns))


def tokens(template: Template) -> None:
    messages = build_conversation(template).messages
    exact = budget.count_tokens(messages)
    if not exact.exact:
        print("  the extra `tokens` is not installed: the estimate is not checked")
        return
    texts = [m["content"] for m in messages]
    texts += [part for m in messages for c in m.get("tool_calls", ()) for part in c["function"].values()]
    framing = budget.MESSAGE * len(messages) + budget.CALL * sum(len(m.get("tool_calls", ())) for m in messages)
    estimated = framing + sum(budget.estimate(text) for text in texts)
    print(f"  tokens estimated / exact {estimated / exact.total:.3f} ({exact.total:,})   wanted: 0.9 to 1.1")


HOSTILE = ("a.", "x-", "key_", "cookie: ", "http://", "eyJ", "token_value", "com.", "a-us1", "mysql ", "password ")


def redaction() -> None:
    """Ten times the length of a line of anything: ten times the time, not a hundred times."""
    redactor = Redactor(b"k")
    worst = ("", 0.0)
    for unit in HOSTILE:
        taken = []
        for length in (10_000, 100_000):
            text = (unit * length)[:length]
            began = time.process_time()
            redactor.redact(text)
            taken.append(time.process_time() - began)
        worst = max(worst, (unit, taken[1] / taken[0]), key=lambda each: each[1])
    print(
        f"redacting 100,000 characters / 10,000 of the same, at worst {worst[1]:.1f} ({worst[0]!r})   wanted: about 10"
    )


def _parses(result: str) -> bool:
    if not result.startswith("{"):
        return True
    try:
        json.loads(result)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    main()
