"""A plan in the making: what was changed by hand stays, whatever the fields say later, and all of it is on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.experimenting import home as home
from warm_tui.paths import Home
from warm_tui.screens.experiments.plan_draft import DraftFile
from warm_tui.screens.experiments.plans import Plans


@pytest.fixture
def plans(home: Home) -> Plans:
    plans = Plans(home)
    fields = plans.fields()
    assert fields is not None
    plans.keep_fields(fields)
    plans.keep_tasks("One.\n\nTwo.")
    return plans


def test_what_was_changed_by_hand_stays_while_fields_change(plans: Plans) -> None:
    text = plans.write_plan()
    plans.keep_text(text.replace("One.", "One, with care.").replace("repeats: 2", "repeats: 2\nseed: 7"))
    assert "One, with care." in plans.write_plan(), "nothing else was changed"
    plans.keep_fields({**(plans.fields() or {}), "repeats": "3"})
    plans.keep_tasks("One.\n\nTwo.\n\nThree.")
    text = plans.write_plan()
    for kept in ("One, with care.", "seed: 7", "repeats: 3", "Three."):
        assert kept in text


def test_half_a_plan_is_not_thrown_away(plans: Plans) -> None:
    plans.write_plan()
    plans.keep_text("name: [half")
    plans.keep_fields({**(plans.fields() or {}), "repeats": "3"})
    assert plans.write_plan() == "name: [half"


def test_it_is_there_again_after_a_restart(home: Home, plans: Plans) -> None:
    plans.keep_text(plans.write_plan() + "seed: 7\n")
    plans.save()
    again = Plans(home)
    assert again.tasks == "One.\n\nTwo."
    assert again.write_plan().endswith("seed: 7\n")


def test_a_draft_that_cannot_be_read_or_kept_is_in_nobodys_way(home: Home, plans: Plans) -> None:
    home.ours.mkdir(exist_ok=True)
    (home.ours / "plan-draft.json").write_text("[half")
    assert DraftFile(home).draft.fields == {}
    Path(home.ours / "plan-draft.json").unlink()
    (home.ours / "plan-draft.json").mkdir()
    plans.save()
    assert plans.tasks == "One.\n\nTwo."
