"""What the last change of a draft did to its conversation."""

from __future__ import annotations

import pytest

from tests.unit.test_drafts import made
from warm_tui.templates.changes import changes
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.draft import Draft, added, changed, dropped, moved


def said(message: dict) -> str:
    calls = message.get("tool_calls")
    return str(calls[0]["function"]["arguments"]) if calls else str(message["content"])


DRAFT = made("ls", "git log", "make")


@pytest.mark.parametrize(
    ("after", "fresh", "gone"),
    [
        (DRAFT, [], []),
        (added(DRAFT, made("pwd").patterns[0]), ["Go on.", '{"command":"pwd"}', "x", "Done."], []),
        (changed(DRAFT, 1, context="Look at it."), ["Look at it."], []),
        (changed(DRAFT, 1, result="y"), ["y"], []),
        (changed(DRAFT, 1, joined=True), [], ["Done.", "Go on."]),
        (dropped(DRAFT, 2), [], ["Go on.", '{"command":"make"}', "x", "Done."]),
        (moved(DRAFT, 2, 0), ['{"command":"make"}'], ['{"command":"make"}']),
    ],
    ids=["nothing", "picked", "its words", "its result", "joined", "dropped", "moved"],
)
def test_what_is_new_and_what_is_gone(after: Draft, fresh: list[str], gone: list[str]) -> None:
    before = build_conversation(DRAFT.template, "anthropic").messages
    now = build_conversation(after.template, "anthropic").messages
    found = changes(before, now)
    new = [said(now[at]) for at in sorted(found.fresh)]
    old = [said(each) for messages in found.gone.values() for each in messages]
    if len(fresh) == len(gone) == 1:
        assert fresh[0] in new
        assert gone[0] in old
        assert not [each for each in new if "git log" in each or "ls" in each], "what stayed is not marked"
    else:
        assert (new, sorted(old)) == (fresh, sorted(gone))
