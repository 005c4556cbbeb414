"""A human yes before what cannot be undone: what is asked, who answered, and a log of it that only grows."""
