"""Warm or cold: drawn once a session, by nothing but its id, its rule and the rule's salt.

No clock and no order has a say, so the same session draws the same in another process and after a restart. What a
session comes from has: what compaction makes of one, a branch and a helper are as warm as what they come from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from warm_tui.trials.rules import Beginning, Rule, first_match


class Decision(NamedTuple):
    """What a session drew. Without a rule it was not drawn, and counts in no arm."""

    session_id: str
    root: str
    """The session that drew: itself, or the one that it comes from."""
    rule: int | None
    template: str
    """Nothing where it is cold."""
    content: str
    chances: Mapping[str, float]
    """How likely each revision was; what is left was cold."""
    reason: str = ""
    """Why it was not drawn."""

    @property
    def drawn(self) -> bool:
        return self.rule is not None

    @property
    def probability(self) -> float:
        """Of what it drew."""
        return self.chances.get(self.content, 0.0) if self.content else 1.0 - sum(self.chances.values())

    @property
    def told(self) -> str:
        """In a sentence, to whoever is in the session."""
        if not self.drawn:
            return f"This session began cold and counts in no trial: {self.reason}."
        arm = f"warm with {self.template}" if self.content else "cold"
        whose = "" if self.root == self.session_id else " with the session that it comes from"
        return f"This session drew {arm}{whose}, by rule {self.rule}, as {self.probability:.0%} do."


def decide(session: Beginning, rules: Iterable[Rule]) -> Decision | None:
    """None where no rule is for it."""
    rule = first_match(rules, session)
    if rule is None:
        return None
    at = place_of(session.session_id, rule)
    drawn = rule.revisions[int(at / rule.warm_share * len(rule.revisions))] if at < rule.warm_share else None
    template, content = drawn or ("", "")
    return Decision(session.session_id, session.session_id, rule.number, template, content, rule.chances)


def inherited(session_id: str, parent: Decision) -> Decision:
    return parent._replace(session_id=session_id)


def not_drawn(session_id: str, reason: str) -> Decision:
    return Decision(session_id, session_id, None, "", "", {}, reason)


def place_of(session_id: str, rule: Rule) -> float:
    """From 0 to, but never, 1: where the session stands among all that this rule may draw."""
    # Each part with its length before it: no two sets of parts are written alike.
    parts = (part.encode("utf-8", "surrogatepass") for part in (rule.salt, str(rule.number), session_id))
    written = b"".join(b"%d:%s" % (len(part), part) for part in parts)
    return (int.from_bytes(hashlib.sha256(written).digest()[:8], "big") >> 11) / 2**53
