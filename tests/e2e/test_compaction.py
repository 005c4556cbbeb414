"""The real agent compacts a life anew, in place and by new sessions, and we say what that did.

It was drawn warm by a rule: what its model was sent and what was recorded come of the same session.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.sparing import settings
from tests.e2e.test_hermes import needs_hermes, run_hermes, warm_tui
from tests.e2e.test_trials import draws, revision, save_template

pytestmark = [*needs_hermes, pytest.mark.xdist_group("compaction")]

LONG = 'python3 -c "print(chr(10).join(str({n}) + chr(32) + str(k) + chr(32) + chr(120) * 60 for k in range(330)))"'
# Two calls of three are long; the third fails, each time in another file.
SCRIPT = [[("terminal", {"command": f"cat missing-{n}.txt" if n % 3 == 2 else LONG.format(n=n)})] for n in range(24)]


class Compacted(NamedTuple):
    home: Path
    in_place: bool
    model: ScriptedModel


@pytest.fixture(scope="module", params=["in place", "chained"])
def compacted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Compacted:
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    in_place = request.param == "in place"
    save_template(home, "made")
    with ScriptedModel(SCRIPT) as model:
        config = settings(model.url, compression={"in_place": in_place})
        config["model"]["context_length"] = 65_536
        (home / "config.yaml").write_text(json.dumps(config))
        warm_tui(home, "plugin", "enable", "--yes")
        warm_tui(home, "trials", "add", "made", "--share", "1", "--holdout", "0")
        run_hermes(home, folder, "Print the tables one after another.")
        assert model.played == len(SCRIPT)
    return Compacted(home, in_place, model)


def test_every_call_is_counted_once_from_wherever_one_looks(compacted: Compacted) -> None:
    home, in_place, _ = compacted
    (life,) = warm_tui(home, "sessions")["sessions"]
    assert (life["tool_call_count"], life["failed_calls"]) == (len(SCRIPT), len(SCRIPT) // 3)
    sessions = warm_tui(home, "sessions", "--filter", "parts:yes")["sessions"]
    assert (len(sessions) == 1) is in_place
    assert {session["session_id"] for session in sessions} == set(life["session_ids"])
    assert sum(session["tool_call_count"] for session in sessions) == len(SCRIPT)
    told = [warm_tui(home, "compress-check", session["session_id"]) for session in sessions]
    first = told[0]
    assert first["has_compression"]
    assert len(first["segments"]) >= 3, "it was compacted more than once"
    assert sum(segment["calls"] for segment in first["segments"]) == len(SCRIPT)
    assert sum(segment["failures"] for segment in first["segments"]) == len(SCRIPT) // 3
    assert sum(segment["carried_calls"] for segment in first["segments"]) > 0
    for other in told[1:]:
        for field in ("segments", "changes", "survived", "verdict", "p_value", "sessions"):
            assert other[field] == first[field], field


def test_what_survived_accounts_for_every_call(compacted: Compacted) -> None:
    home, in_place, _ = compacted
    session = warm_tui(home, "sessions")["sessions"][0]["session_id"]
    told = warm_tui(home, "compress-check", session)
    before = 0
    for segment, one in zip(told["segments"], told["survived"], strict=False):
        before = segment["calls"] + segment["carried_calls"]
        assert sum(one["calls"].values()) == before, "each call that stood before has one fate"
        assert one["calls"]["kept"] + one["calls"]["shortened"] == told["segments"][one["compaction"]]["carried_calls"]
        assert one["in_place"] is in_place
        assert "The work went on." in one["summary"]
        assert one["tokens_after"] < one["tokens_before"]


def test_what_compaction_makes_of_a_session_stays_as_warm(compacted: Compacted) -> None:
    home, in_place, model = compacted
    told = revision(home)
    requests = [request["messages"] for request in model.requests if request.get("tools")]
    assert told
    assert all(messages[1 : 1 + len(told)] == told for messages in requests)
    assert any("[CONTEXT COMPACTION" in json.dumps(messages) for messages in requests)
    drawn = draws(home)
    assert (len(drawn) == 1) is in_place, "each session of the life has one record"
    assert {template for template, _ in drawn.values()} == {"made"}
