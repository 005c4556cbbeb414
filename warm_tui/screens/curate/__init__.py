"""Curate: calls picked into a draft."""
