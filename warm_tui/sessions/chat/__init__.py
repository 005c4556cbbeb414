"""Conversations as chat interfaces take them: OpenAI's form, and Anthropic's; a line each, or an array."""
