"""Which actions are so grave that no rule lets them pass by the way. Asked within the agent, too."""

from __future__ import annotations

import re

HIGH_RISK = frozenset({
    "deploy_production", "delete_data", "transfer_funds", "modify_permissions", "shutdown_service", "wipe_database",
    "exec_remote", "publish_package", "rotate_keys", "migrate_database",
})  # fmt: skip
"""What no rule lets pass that does not say `even_high_risk`."""


_PART = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")


def kind_of(action: str) -> str:
    """However it is spelled."""
    return "_".join(part.lower() for part in _PART.split(action) if part)


def is_high_risk(action: str) -> bool:
    """Also as a part of a longer name, such as that of a place before it, and written as one word."""
    kind = kind_of(action)
    return any(f"_{grave}_" in f"_{kind}_" or grave.replace("_", "") == kind.replace("_", "") for grave in HIGH_RISK)
