"""Warm TUI: put the experience of past Hermes Agent sessions into new ones."""

__version__ = "0.1.0"
