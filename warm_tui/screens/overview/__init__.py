"""The Overview: what all sessions say together."""
