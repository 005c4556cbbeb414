"""What agents did: reading recorded sessions."""
