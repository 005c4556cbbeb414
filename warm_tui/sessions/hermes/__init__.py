"""Hermes Agent's recordings: its database, its files, its rows and what compaction makes of them."""
