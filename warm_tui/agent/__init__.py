"""How a new session starts warm: the prefill file, and the line of config.yaml that points to it."""
