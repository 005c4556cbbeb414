"""What we remember: our own SQLite database."""
