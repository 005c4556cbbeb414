"""What is worth repeating: calls picked from sessions, kept as templates, told as a conversation."""
