"""All that the operator judged for themselves, each with the call it is on and what the rules say of that."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.verdicts import EVERYBODYS, OwnName, all_own_verdicts
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Judged, Profile, judged
from warm_tui.sessions.lineage import pair_session, parent_of
from warm_tui.sessions.model import Call, SessionName


class Override(msgspec.Struct, frozen=True):
    name: OwnName
    shown_as: str
    """The name by which its session can be asked for."""
    verdict: Verdict
    call: Call | None
    """None where it is in no database any more."""

    @property
    def session_id(self) -> str:
        return self.name.session.id

    @property
    def key(self) -> str:
        return self.name.call

    @property
    def call_id(self) -> str:
        return self.call.id if self.call else self.key


def overrides(catalog: Catalog, within: Collection[Profile] | None = None) -> list[Override]:
    """The latest first; `within`: in these lives only."""
    own = all_own_verdicts(catalog.library)
    if within is not None:
        named = {part.name for profile in within for part in (profile, *profile.parts)}
        named |= {SessionName(name.id, EVERYBODYS) for name in named}
        own = {name: verdict for name, verdict in own.items() if name.session in named}
    found = {session: _judged_in(catalog, session) for session in {name.session for name in own}}
    told = []
    for name, verdict in own.items():
        shown_as, calls = found[name.session]
        call, judged_so = calls.get(name.call, (None, verdict))
        told.append(Override(name, shown_as, judged_so, call))
    return told


def _judged_in(catalog: Catalog, name: SessionName) -> tuple[str, dict[str, Judged]]:
    """The name by which that session is asked for, and its calls that a person judged, by their keys."""
    for source in catalog.sources:
        session = source.session(name.id)
        if session is not None and not source.machine and name.sign in (EVERYBODYS, session.name.sign):
            part = pair_session(source, session, parent_of(source, session))
            own = catalog.own(session)
            mine = [call for call in part.calls if call.key in own]
            told = {call.key: (call, verdict) for call, verdict in judged(mine, source.facts, own)}
            return catalog.name_of(source, session), told
    return name.id, {}
