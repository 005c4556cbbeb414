"""Let the real agent's database record what sessions spent, and print what its own `insights` makes of it.

Run by test_insights.py in a process of its own: python spending.py DATABASE.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from agent.insights import InsightsEngine
from hermes_state import SessionDB

MODEL = "anthropic/claude-sonnet-4-20250514"


def main() -> None:
    db = SessionDB(Path(sys.argv[1]))
    for name, size in (("small", 1), ("large", 9), ("uncounted", 0)):
        db.create_session(session_id=name, source="cli", model=MODEL)
        db.append_message(name, "user", "go")
        db.append_message(name, "assistant", "done")
        for turn in range(size):
            db.update_token_counts(
                name, input_tokens=1_000 + turn, output_tokens=90, cache_read_tokens=4_000, cache_write_tokens=50,
                model=MODEL, billing_provider="anthropic", estimated_cost_usd=0.0123, cost_status="estimated",
                cost_source="table", api_call_count=1,
            )  # fmt: skip
    for task in ("compression", "title_generation"):
        db.record_auxiliary_usage(
            "large", task, model="a/model/of/ours", input_tokens=700, output_tokens=30, cache_read_tokens=8
        )
    db.record_auxiliary_usage(
        "uncounted", "title_generation", model="a/model/of/ours", input_tokens=70, output_tokens=3
    )
    # As a gateway does: what was counted is written anew, as a whole.
    db.create_session(session_id="gateway", source="telegram", model=MODEL)
    db.append_message("gateway", "assistant", "hello")
    db.update_token_counts(
        "gateway", input_tokens=500, output_tokens=20, model=MODEL, estimated_cost_usd=0.5, cost_status="estimated",
        absolute=True,
    )  # fmt: skip
    print(json.dumps(InsightsEngine(db).generate(days=30)["overview"]))


main()
