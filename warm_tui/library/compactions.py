"""Compaction in the recorded sessions: one life looked at closely, or all that were ever compacted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import Progress
from warm_tui.reliability.compaction import Impact, impact_of
from warm_tui.reliability.pooled import Effect, effect_of
from warm_tui.reliability.profile import Judged, Profile, profile_calls
from warm_tui.reliability.survival import Survival, survivals
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import Session
from warm_tui.sessions.text import beginning

LONGEST_TITLE = 200


class Examined(msgspec.Struct, frozen=True):
    """All that can be said of one life's compactions."""

    session: Session
    life: Life
    calls: list[Judged]
    impact: Impact
    survived: list[Survival]

    @property
    def title(self) -> str:
        root, first = self.life.sessions[0], self.life.parts[0].first_user.strip()
        return root.title or self.session.title or beginning(first, LONGEST_TITLE) or root.id

    def before_and_after(self) -> tuple[Profile, Profile | None]:
        """The profile of what came before the first compaction, and of all that came after it."""
        first = [judged_call for judged_call in self.calls if judged_call[0].segment == 0]
        rest = [judged_call for judged_call in self.calls if judged_call[0].segment > 0]
        messages = sum(part.message_count for part in self.life.parts)
        if not self.survived:
            return profile_calls(self.session, first, messages, 0, self.life.facts), None
        before = self.survived[0].messages_before
        return (
            profile_calls(self.life.sessions[0], first, before, 0, self.life.facts),
            profile_calls(self.life.sessions[-1], rest, messages - before, len(self.survived) - 1, self.life.facts),
        )


def examine(catalog: Catalog, prefix: str) -> Examined:
    return traced(glimpse(catalog, prefix))


def glimpse(catalog: Catalog, prefix: str) -> Examined:
    """All but what survived: of a long life that takes as long again."""
    session, life, calls = catalog.life(prefix)
    return Examined(session, life, calls, impact_of(life, calls), [])


def traced(examined: Examined) -> Examined:
    return replace(examined, survived=survivals(examined.life, examined.calls))


def effects(
    catalog: Catalog, progress: Progress | None = None, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Effect]:
    """Every life that was compacted, the newest first."""
    for profile in compacted(catalog.profiles(progress)):
        if stopped():
            return
        examined = examine(catalog, profile.session_id)
        if examined.impact.whole is not None:
            model = profile.model or examined.life.sessions[0].model or ""
            effect = effect_of(profile.session_id, examined.title, model, examined.impact, examined.survived)
            yield replace(effect, agent=profile.agent, home=profile.home)


def compacted(profiles: Sequence[Profile]) -> list[Profile]:
    return [each for each in profiles if (each.compactions or each.handed_on) and not each.machine]
