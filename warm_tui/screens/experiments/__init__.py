"""Experiments: the same tasks, warm and cold, with the real agent."""
