"""Claude Code: one JSONL file a session, below `projects/`."""
