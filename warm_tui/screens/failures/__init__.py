"""What fails most."""
