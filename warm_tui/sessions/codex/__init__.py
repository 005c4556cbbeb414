"""Codex CLI: one rollout file a session, below `sessions/YYYY/MM/DD/`."""
