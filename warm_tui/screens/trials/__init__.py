"""Warm by rule: what its rules have shown, and how they are made and changed."""
