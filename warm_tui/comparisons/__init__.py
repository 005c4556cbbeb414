"""Does it help? Arms of sessions, compared, and the comparisons that were saved."""
