"""Templates: the shelf, and the conversation that each makes."""
