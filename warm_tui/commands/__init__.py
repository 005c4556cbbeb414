"""The commands of the headless twin, a module a concern."""
