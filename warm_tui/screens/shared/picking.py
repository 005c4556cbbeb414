"""A screen on which calls are picked into the draft at hand."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, cast

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Profile
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.drafting import Drafting, Making
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.model import Call
from warm_tui.sessions.source import AgentFacts
from warm_tui.sessions.text import clean_line
from warm_tui.sessions.transcript import Item
from warm_tui.templates.budget import SHARE_OF_WINDOW
from warm_tui.templates.mining import OF_ITS_OWN, Candidate, candidate_of
from warm_tui.templates.model import Pattern
from warm_tui.widgets.working import work

QUICK_CHARACTERS = 20_000
"""So much is looked through for secrets while the next key waits."""


class OfDraft(Protocol):
    """What a screen on which calls are picked asks of the app it is in."""

    drafting: Drafting

    def show_template(self, name: str) -> None: ...

    def action_show_curate(self) -> None: ...


class InPlace(NamedTuple):
    """A call where it was made: what was said and done in its session, as the screen has read it."""

    call: Call
    items: Callable[[], Sequence[Item]]
    """Asked for in a worker's thread."""
    verdicts: Mapping[tuple[str, str], Verdict]
    facts: AgentFacts
    found_as: str
    """Its session, or the life it is of, by the name that tells it apart: another place may have one of the same id."""
    profile: Profile | None = None
    """Of its session, where that is at hand."""


class Picking(Frame):
    @property
    def drafting(self) -> Drafting:
        return self.app_of_draft.drafting

    @property
    def app_of_draft(self) -> OfDraft:
        return cast(OfDraft, self.app)

    @property
    def window_share(self) -> float:
        return self.choices.number("window_share", SHARE_OF_WINDOW)

    def pick_call(self, place: InPlace) -> None:
        """Into the draft at hand, without reading the session again."""
        if not self.drafting.record:
            self.drafting.open_last()
        call = place.call
        verdict = place.verdicts[call.session_id, call.key]
        if self.drafting.has((call.session_id, call.key)):
            self.notify("It is in the draft already.", markup=False)
        else:
            making = partial(self.pattern_in, place)
            self.with_reason(verdict, "picked by hand", lambda why: self.pick_soon(partial(making, why)))

    def pattern_in(self, place: InPlace, why: str) -> Pattern | None:
        """Of the call with what led to it. A long session takes a moment."""
        candidate = candidate_of(place.call, place.items(), place.verdicts, self.profile_of(place), place.facts)
        return self.drafting.pattern_of(candidate, why) if candidate is not None else None

    async def pick_candidate(self, candidate: Candidate, why: str, *, with_failure: bool = True) -> None:
        """Beside the screen. Where that takes no time the next key waits for it, and may already act on it."""
        call = candidate.call
        size = len(call.arguments) + len(call.result or "") + len(candidate.context)
        making = partial(self.drafting.pattern_of, candidate, why, with_failure=with_failure)
        if size <= QUICK_CHARACTERS and not self.is_picking:
            self.put_in_draft(await to_thread(making))
            return
        self.pick_soon(making)

    def pick_soon(self, making: Making) -> None:
        self.drafting.asked.append(making)
        self.make_patterns()

    @work(thread=True, group="pick")
    def make_patterns(self) -> None:
        """One after another, so that they stand in the draft in the order they were picked."""
        with self.drafting.turn:
            while self.drafting.asked:
                self.make_pattern(self.drafting.asked.popleft())

    def make_pattern(self, making: Making) -> None:
        stopped = self.drafting.stopped
        try:
            pattern = making()
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        if pattern is None:
            self.app.call_from_thread(self.notify, f"This {OF_ITS_OWN}", markup=False)
        elif stopped == self.drafting.stopped:
            self.app.call_from_thread(self.put_in_draft, pattern)

    @property
    def is_picking(self) -> bool:
        return bool(self.drafting.asked) or self.drafting.turn.locked()

    def stop_picking(self) -> bool:
        """What was picked and is not in the draft yet is not wanted any more; whether there was any."""
        under_way = self.is_picking
        if under_way:
            self.drafting.asked.clear()
            self.drafting.stopped += 1
            self.notify("It was not picked.", markup=False)
        return under_way

    def profile_of(self, place: InPlace) -> Profile:
        if place.profile is not None and place.profile.holds(place.call.session_id):
            return place.profile
        with Catalog(self.home) as catalog:
            return catalog.profile(place.found_as)

    def put_in_draft(self, pattern: Pattern) -> None:
        if self.drafting.has((pattern.origin.session_id, pattern.origin.call)):
            return  # the key was pressed twice before it was there
        self.drafting.pick(pattern, self.place_for(pattern))
        self.after_pick()

    def place_for(self, pattern: Pattern) -> int | None:  # noqa: ARG002 - for those that have places
        """Where in the draft it shall stand; else at the end."""
        return None

    def after_pick(self) -> None:
        """Say it; a screen may show what is picked, too."""
        name = self.drafting.draft.name or "the draft"
        patterns = self.drafting.draft.patterns
        pair = ", with the failure that it mended" if patterns and patterns[-1].mended else ""
        self.notify(f"Picked as number {len(patterns)} of {name}{pair}.", markup=False)

    def with_reason(
        self, verdict: Verdict, why: str, pick: Callable[[str], Awaitable[None] | None]
    ) -> Awaitable[None] | None:
        """A call that did not succeed is picked only for a reason, which is kept. What is to be waited for, if any."""
        if verdict.outcome == "success":
            return pick(why)

        async def given(reason: str | None) -> None:
            if reason:
                if (picked := pick(reason)) is not None:
                    await picked
            elif reason is not None:
                self.notify("It was not picked: a reason is needed.", severity="warning", markup=False)

        outcome = "It failed" if verdict.outcome == "failure" else "Its outcome is unknown"
        self.app.push_screen(Ask(f"{outcome}: {clean_line(verdict.reason)[:200]}. Why pick it?"), given)
        return None
