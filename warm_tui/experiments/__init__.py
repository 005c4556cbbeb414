"""Live experiments: the same tasks, warm and cold, with the real agent, and what they prove."""
