"""Does a template help? Arms of sessions, warm and cold, and what their comparison proves."""
