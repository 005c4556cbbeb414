"""All that the operator judged for themselves, each with the call it is on and what the rules say of that."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.verdicts import all_own_verdicts
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Judged, judged
from warm_tui.sessions.lineage import pair_session, parent_of
from warm_tui.sessions.model import Call


class Override(msgspec.Struct, frozen=True):
    session_id: str
    key: str
    """Of the call, in its session."""
    verdict: Verdict
    call: Call | None
    """None where it is in no database any more."""

    @property
    def call_id(self) -> str:
        return self.call.id if self.call else self.key


def overrides(catalog: Catalog, within: Collection[str] | None = None) -> list[Override]:
    """The latest first; `within`: in these sessions only."""
    own = {
        name: verdict
        for name, verdict in all_own_verdicts(catalog.library).items()
        if within is None or name[0] in within
    }
    calls = {name: dict(_calls(catalog, name)) for name in {session_id for session_id, _ in own}}
    return [
        Override(session_id, key, verdict, None)
        if (found := calls[session_id].get(key)) is None
        else Override(session_id, key, found[1], found[0])
        for (session_id, key), verdict in own.items()
    ]


def _calls(catalog: Catalog, session_id: str) -> Iterator[tuple[str, Judged]]:
    for source in catalog.sources:
        session = source.session(session_id)
        if session is not None:
            part = pair_session(source, session, parent_of(source, session))
            own = catalog.own(session_id)
            mine = [call for call in part.calls if call.key in own]
            yield from ((call.key, (call, verdict)) for call, verdict in judged(mine, source.facts, own))
            return
