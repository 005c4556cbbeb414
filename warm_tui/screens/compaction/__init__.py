"""Compaction: what it did to each life."""
