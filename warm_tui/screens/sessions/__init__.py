"""Sessions: the table one opens on."""
