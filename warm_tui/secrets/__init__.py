"""What must not be seen: how it is found, and how it is masked."""
