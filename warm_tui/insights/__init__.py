"""What all sessions say together: how it goes, what is new, what waits for somebody."""
