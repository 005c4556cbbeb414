"""How well it went: verdicts, profiles, statistics."""
