"""The sample home: what is in it, and that our judge agrees with its labels."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.unit.commands import document
from warm_tui.demo import build_demo
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter

EXPECTED = {
    "ok": ("success", "ok"), "benign": ("success", "benign_exit"), "masked": ("failure", "masked"),
    "fail": ("failure", None), "unknown": ("unknown", None), "rewound": ("unknown", "rewound"),
}  # fmt: skip


def test_it_holds_what_there_is_to_try(demo: Home) -> None:
    with Catalog(demo) as catalog:
        profiles = catalog.profiles()
        assert len(profiles) >= 40
        assert len({p.source for p in profiles}) >= 5
        assert len({p.model for p in profiles}) >= 4
        started = [p.started_at for p in profiles if p.started_at]
        assert 25 * 86_400 < max(started) - min(started) < 31 * 86_400
        assert max(p.tool_call_count for p in profiles) >= 400, "a marathon"
        assert sum((p.error_rate or 0) > 0.5 for p in profiles) >= 3, "bad days"
        relations = Counter(p.relation for p in profiles)
        assert relations["branch"] == relations["delegate"] == 1
        assert relations["compression_in_place"] == 7, "enough for a pooled effect"
        assert relations["compression_chain"] == 1
        assert sum(p.unknown_calls for p in profiles) == 3, "interrupted, without a result, and taken back"
        assert any(p.input_tokens is None for p in profiles)
        assert catalog.window(parse_filter("kind:interrupted")).total == 1
        assert catalog.window(parse_filter("source:cron")).total == 3


def test_the_judge_agrees_with_every_label(demo: Home, demo_labels: dict[str, str]) -> None:
    told: dict[str, str] = {}
    with Catalog(demo) as catalog:
        for profile in catalog.profiles():
            for call, verdict in catalog.life(profile.session_id)[2]:
                outcome, kind = EXPECTED[demo_labels[call.id]]
                assert verdict.outcome == outcome, (call, verdict)
                assert kind in (None, verdict.kind), (call, verdict)
                told[call.id] = verdict.outcome
    assert told.keys() == demo_labels.keys()
    assert set(demo_labels.values()) == set(EXPECTED)


def test_its_lives_are_whole(demo: Home) -> None:
    with Catalog(demo) as catalog:
        (tip,) = catalog.window(parse_filter('"Port the test suite #3"')).profiles
        session, life, judged = catalog.life(tip.session_id)
        assert session.id == tip.session_id
        assert [len(part.calls) for part in life.parts] == [40, 28, 22]
        assert [call.segment for call, _ in judged] == [0] * 40 + [1] * 28 + [2] * 22
        (marathon,) = catalog.window(parse_filter('"Crunch all batches"')).profiles
        _, life, judged = catalog.life(marathon.session_id)
        counts = Counter(call.segment for call, _ in judged)
        assert (life.segments, [counts[at] for at in range(4)]) == (4, [34, 21, 26, 17])


def test_it_is_the_same_every_time(tmp_path: Path) -> None:
    homes = [build_demo(tmp_path / name / "home", now=NOW) for name in ("one", "two")]
    listed = []
    for home in homes:
        with Catalog(home) as catalog:
            listed.append(catalog.profiles())
    assert listed[0] == listed[1]


@pytest.mark.parametrize("file", ["state.db", "config.yaml", "demo-labels.json"])
def test_its_files(demo: Home, file: str) -> None:
    assert (demo.root / file).is_file()


def test_the_sample_has_sessions_of_each_agent_and_its_home_is_called_as_usual() -> None:
    homes = {(each["agent"], each["home"]) for each in document("--demo", "sessions", "--limit", "200")["sessions"]}
    others = {(agent, home) for agent, home in homes if agent != "hermes"}
    assert homes - others == {("hermes", "default"), ("hermes", "reports")}
    assert others == {("claude-code", "claude"), ("codex", "codex"), ("opencode", "opencode")}
