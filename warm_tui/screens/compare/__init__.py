"""Compare: warm sessions against cold ones."""
