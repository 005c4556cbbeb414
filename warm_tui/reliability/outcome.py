"""What is held of a call: the words of the judge, without the judge, who takes longer to import."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Outcome: TypeAlias = Literal["success", "failure", "unknown"]
Kind: TypeAlias = Literal[
    "ok", "benign_exit", "exit_code", "tool_error", "exception", "timeout", "denied", "protocol",
    "masked", "no_result", "interrupted", "rewound",
]  # fmt: skip
Confidence: TypeAlias = Literal["certain", "likely", "yours"]

# Rises with every change that can change a verdict: profiles made by older rules are made anew.
RULES_VERSION = 15


class Verdict(msgspec.Struct, frozen=True, gc=False):
    outcome: Outcome
    kind: Kind
    reason: str
    confidence: Confidence
    rule: str
    said_at: float | None = None
    """When a person said it."""
    ours: Verdict | None = None
    """What the rules say, where a person said otherwise, or the same."""

    @property
    def is_own(self) -> bool:
        """A person's, not the rules'."""
        return self.confidence == "yours"


def beside(own: Verdict | None, ours: Verdict) -> Verdict:
    """What holds: a person's verdict where there is one, with ours kept in it."""
    return ours if own is None else msgspec.structs.replace(own, ours=ours)
