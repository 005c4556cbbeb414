"""Warm by rule, with a control group: which sessions are drawn warm or cold, and what the draws have shown."""
