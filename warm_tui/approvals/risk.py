"""Which actions are so grave that no rule lets them pass by the way. Asked within the agent, too."""

from __future__ import annotations

import re

HIGH_RISK = frozenset({
    "deploy_production", "delete_data", "transfer_funds", "modify_permissions", "shutdown_service", "wipe_database",
    "exec_remote", "publish_package", "rotate_keys", "migrate_database",
})  # fmt: skip
"""What no rule lets pass that does not say `even_high_risk`."""


def kind_of(action: str) -> str:
    """However it is spelled."""
    return re.sub(r"[^a-z0-9]", "_", action.lower())


def is_high_risk(action: str) -> bool:
    return kind_of(action) in HIGH_RISK
