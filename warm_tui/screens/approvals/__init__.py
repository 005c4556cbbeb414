"""What waits for a person's yes, and what became of what was asked before."""
