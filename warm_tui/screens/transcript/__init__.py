"""Transcript: one session, or the life it belongs to."""
